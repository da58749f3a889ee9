// Making bodies from their definitions: mass, principal axes, checks.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "rigid/bodies.h"

static bool all_finite(int n, const double *x)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return false;
  return true;
}

static pc_body refuse(pc_error *error, const char *why)
{
  pc_fail(error, PC_ERROR_ARGUMENT, "%s", why);
  return (pc_body){0};
}

// Eigenvalues and right-handed eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations.
static void principal_axes(const double symmetric[9], double moments[3], double axes[9])
{
  double a[9];
  memcpy(a, symmetric, sizeof a);
  for (int i = 0; i < 9; i++)
    axes[i] = i % 4 == 0;
  for (int sweep = 0; sweep < 30; sweep++) {
    double off = fabs(a[1]) + fabs(a[2]) + fabs(a[5]);
    if (off <= 1e-17 * (fabs(a[0]) + fabs(a[4]) + fabs(a[8])))
      break;
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a[3 * p + q] == 0)
          continue;
        double theta = (a[4 * q] - a[4 * p]) / (2 * a[3 * p + q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          double x = a[3 * k + p], y = a[3 * k + q];
          a[3 * k + p] = c * x - s * y;
          a[3 * k + q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
          double x = a[3 * p + k], y = a[3 * q + k];
          a[3 * p + k] = c * x - s * y;
          a[3 * q + k] = s * x + c * y;
          x = axes[3 * k + p], y = axes[3 * k + q];
          axes[3 * k + p] = c * x - s * y;
          axes[3 * k + q] = s * x + c * y;
        }
      }
  }
  for (int i = 0; i < 3; i++)
    moments[i] = a[4 * i];
}

// Products of masses with velocities and lengths must not overflow.
static const double LARGEST_MASS = 1e100;
static const char wrong_inertia[] = "the inertia must be between 1e-120 and 1e120 kg m2";

static bool is_moment(double value)
{
  return value >= 1e-120 && value <= 1e120;
}

static const char *set_inertia(pc_solid *body, pc_form *form, const double inertia[9])
{
  memcpy(form->inertia, inertia, sizeof form->inertia);
  double largest = fmax(inertia[0], fmax(inertia[4], inertia[8])), axes[9];
  double off = fmax(fabs(inertia[1]), fmax(fabs(inertia[2]), fabs(inertia[5])));
  if (off <= 1e-14 * largest) {
    for (int i = 0; i < 3; i++)
      form->moments[i] = inertia[4 * i];
    body->aligned = true;
    form->principal[0] = 1;
  } else {
    principal_axes(inertia, form->moments, axes);
    pc_matrix_quaternion(axes, form->principal);
  }
  const double *m = form->moments;
  if (!(m[0] > 0 && m[1] > 0 && m[2] > 0))
    return "the inertia must be positive";
  if (!is_moment(m[0]) || !is_moment(m[1]) || !is_moment(m[2]))
    return wrong_inertia;
  double slack = 1e-9 * (m[0] + m[1] + m[2]);
  if (m[0] + m[1] + slack < m[2] || m[1] + m[2] + slack < m[0] || m[2] + m[0] + slack < m[1])
    return "impossible inertia: one moment exceeds the sum of the others";
  body->round = fabs(m[0] - m[1]) <= 1e-13 * largest && fabs(m[1] - m[2]) <= 1e-13 * largest;
  body->moment = m[0];
  if (body->round) {
    memset(form->moments, 0, sizeof form->moments);
    memset(form->inertia, 0, sizeof form->inertia);
    memset(form->principal, 0, sizeof form->principal);
  }
  return NULL;
}

// Mass and inertia, given or from the shape.
static const char *set_mass(const pc_body_def *def, bool plane, double density, pc_solid *body,
                            pc_form *form)
{
  pc_mass_properties p = pc_shape_mass(def->shape);
  bool movable = def->kind == PC_FREE || def->kind == PC_GUIDED;
  for (int i = 0; i < 3; i++)
    form->offset[i] = pc_shape_has_volume(def->shape) ? -p.centroid[i] : 0;
  body->radius = pc_shape_radius(def->shape) + pc_norm(3, form->offset);
  if (!movable)
    return NULL;
  if (def->mass == 0 && !pc_shape_has_volume(def->shape))
    return def->kind == PC_GUIDED ? "a guided obstacle whose shape has no volume needs a mass"
                                  : "a shape without volume can only be an obstacle";
  if (def->kind == PC_FREE && !pc_shape_has_volume(def->shape))
    return "planes, meshes, heights and chains can only be obstacles";
  double given = 0;
  for (int i = 0; i < 9; i++)
    given = fmax(given, fabs(def->inertia[i]));
  body->mass = def->mass > 0 ? def->mass : p.volume * density;
  if (!(body->mass > 0) || !isfinite(body->mass))
    return "the mass must be positive and finite";
  if (body->mass < 1 / LARGEST_MASS || body->mass > LARGEST_MASS)
    return "the mass must be between 1e-100 and 1e100 kg";
  body->inverse_mass = 1 / body->mass;
  body->turns = def->kind == PC_FREE && !def->no_rotation;
  if (!body->turns)
    return NULL;
  double inertia[9];
  for (int i = 0; i < 9; i++)
    inertia[i] = given > 0 ? def->inertia[i] : p.inertia[i] * body->mass / p.volume;
  if (!plane)
    return set_inertia(body, form, inertia);
  body->aligned = body->round = true;
  body->moment = inertia[8];
  return !(inertia[8] > 0)        ? "the inertia must be positive"
         : !is_moment(inertia[8]) ? wrong_inertia
                                  : NULL;
}

static const char *normalise(double v[3])
{
  double length = pc_norm(3, v);
  if (!(length > 0) || !isfinite(length))
    return "the axis must not be zero";
  for (int i = 0; i < 3; i++)
    v[i] /= length;
  return NULL;
}

// Consecutive bodies with equal forms share one, as they share one shape, which then stays in the
// cache.
static const pc_form *keep_form(pc_body_store *bodies, const pc_form *form)
{
  const pc_form *last = bodies->count > 0 ? bodies->solid.at[bodies->count - 1].form : NULL;
  if (last != NULL && memcmp(last, form, sizeof *form) == 0)
    return last;
  pc_form *own = pc_arena_take_raw(&bodies->forms, 1, sizeof *own);
  if (own != NULL)
    memcpy(own, form, sizeof *own);
  return own;
}

// What is wrong with a state, or NULL. `turned` is the length of its quaternion.
static const char *check_state(const double *position, const double *velocity, const double *spin,
                               double turned)
{
  if (!all_finite(3, position) || !all_finite(3, velocity) || !all_finite(3, spin) ||
      !(turned > 0) || !isfinite(turned))
    return "position, orientation, velocity and spin must be finite, and the "
           "orientation not zero";
  if (!(pc_norm(3, position) < 1e100) || !(pc_norm(3, spin) < 1e100) ||
      !(pc_norm(3, velocity) < 1e100))
    return "position, spin and velocity must be below 1e100";
  return NULL;
}

pc_body pc_bodies_add(pc_body_store *bodies, const pc_body_def *def, int dimension, double density,
                      pc_error *error)
{
  bool plane = dimension == 2;
  if (def->shape == NULL)
    return refuse(error, "a body needs a shape");
  if (def->kind < PC_FREE || def->kind > PC_GUIDED)
    return refuse(error, "unknown kind of body");
  if (pc_shape_dimension(def->shape) != dimension)
    return refuse(error, plane ? "a world of dimension 2 needs plane shapes"
                               : "a world of dimension 3 needs three-dimensional shapes");
  if (!(density > 0))
    return refuse(error, "unknown material");
  double turned = pc_norm(4, def->orientation);
  if (!isfinite(def->load) || !(def->mass >= 0) || !all_finite(9, def->inertia))
    return refuse(error, "mass, inertia and load must be finite, and the mass not negative");
  const char *wrong = check_state(def->position, def->velocity, def->spin, turned);
  if (wrong != NULL)
    return refuse(error, wrong);
  if (plane && (def->position[2] != 0 || def->velocity[2] != 0 || def->spin[0] != 0 ||
                def->spin[1] != 0 || def->orientation[1] != 0 || def->orientation[2] != 0))
    return refuse(error, "in the plane bodies can move in x and y and rotate about z only");
  pc_solid body = {.shape = def->shape,
                   .material = def->material,
                   .kind = (unsigned char)def->kind,
                   .group = def->group};
  pc_form form = {.load = def->load};
  memcpy(form.guide, def->guide, sizeof form.guide);
  body.ball = pc_shape_kind(def->shape) == PC_SPHERE || pc_shape_kind(def->shape) == PC_DISC;
  const char *why = set_mass(def, plane, density, &body, &form);
  if (why == NULL && def->kind == PC_GUIDED)
    why = normalise(form.guide);
  if (why == NULL && def->kind == PC_GUIDED && plane && form.guide[2] != 0)
    why = "in the plane the axis of a guided obstacle must lie in x and y";
  if (why == NULL)
    why = pc_motion_check(&def->motion);
  if (why != NULL)
    return refuse(error, why);
  body.dof = (unsigned char)(def->kind == PC_GUIDED ? 1 : !plane ? 6 : body.turns ? 3 : 2);

  pc_body_state start = {0};
  for (int i = 0; i < 4; i++)
    start.orientation[i] = def->orientation[i] / turned;
  double m[9], away[3];
  pc_quaternion_matrix(start.orientation, m);
  pc_rotate(m, form.offset, away);
  double along = pc_dot3(def->velocity, form.guide);
  for (int i = 0; i < 3; i++) {
    start.position[i] = def->position[i] - away[i];
    if (def->kind == PC_FREE)
      start.velocity[i] = def->velocity[i];
    else if (def->kind == PC_GUIDED)
      start.velocity[i] = along * form.guide[i];
    start.spin[i] = body.turns ? def->spin[i] : 0;
  }
  if (!pc_array_reserve_aligned(&bodies->solid, bodies->count + 1) ||
      !pc_array_reserve(&bodies->state, bodies->count + 1) ||
      (def->kind == PC_DRIVEN && (form.course = pc_course_create(&def->motion, &start)) == NULL) ||
      (body.form = keep_form(bodies, &form)) == NULL) {
    pc_course_free(form.course);
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return (pc_body){0};
  }
  if (bodies->count > 0 && pc_shape_same(bodies->solid.at[bodies->count - 1].shape, body.shape))
    body.shape = bodies->solid.at[bodies->count - 1].shape;
  pc_shape_retain(body.shape);
  bodies->solid.at[bodies->count] = body;
  bodies->smallest = bodies->count == 0 ? body.radius : fmin(bodies->smallest, body.radius);
  if ((body.kind == PC_FREE || body.kind == PC_GUIDED) &&
      !(bodies->smallest_moving > 0 && bodies->smallest_moving <= body.radius))
    bodies->smallest_moving = body.radius;
  bodies->state.at[bodies->count] = start;
  bodies->driven += body.kind == PC_DRIVEN;
  bodies->guided += body.kind == PC_GUIDED;
  bodies->count++;
  return (pc_body){bodies->count};
}

const char *pc_bodies_check_state(const pc_body_state *state)
{
  return check_state(state->position, state->velocity, state->spin, pc_norm(4, state->orientation));
}

const char *pc_bodies_set_state(pc_body_store *bodies, int i, const pc_body_state *state)
{
  double turned = pc_norm(4, state->orientation);
  const char *wrong = pc_bodies_check_state(state);
  if (wrong != NULL)
    return wrong;
  const pc_solid *solid = &bodies->solid.at[i];
  pc_body_state *own = &bodies->state.at[i];
  *own = *state;
  for (int k = 0; k < 4 && fabs(turned - 1) > 1e-15; k++) // a unit quaternion keeps its bits
    own->orientation[k] /= turned;
  if (!solid->turns && solid->mass > 0)
    memset(own->spin, 0, sizeof own->spin); // as when it is made
  if (solid->kind == PC_DRIVEN)
    solid->form->course->start = *own;
  return NULL;
}
