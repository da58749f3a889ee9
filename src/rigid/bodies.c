// Bodies: making them, moving them freely, their energies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/rotation.h"
#include "rigid/world.h"

pc_body_def pc_body_def_default(void)
{
  return (pc_body_def){.orientation = {1}, .guide = {0, 0, 1}, .motion.axis = {0, 0, 1}};
}

static bool all_finite(int n, const double *x)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return false;
  return true;
}

static pc_body refuse(pc_world *world, const char *why)
{
  pc_fail(&world->error, PC_ERROR_ARGUMENT, "%s", why);
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

// Products of them, with velocities and lengths, must be numbers.
static const double LARGEST_MASS = 1e100;
static const char wrong_inertia[] =
    "the inertia must be between 1e-120 and 1e120 kg m2: choose other units";

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
    return "no body has such an inertia: one moment exceeds the sum of the others";
  body->round = fabs(m[0] - m[1]) <= 1e-13 * largest && fabs(m[1] - m[2]) <= 1e-13 * largest;
  body->moment = m[0];
  return NULL;
}

// Mass and inertia, given or from the shape.
static const char *set_mass(const pc_world *world, const pc_body_def *def, pc_solid *body,
                            pc_form *form)
{
  pc_mass_properties p = pc_shape_mass(def->shape);
  bool plane = world->def.dimension == 2;
  bool movable = def->kind == PC_FREE || def->kind == PC_GUIDED;
  for (int i = 0; i < 3; i++)
    form->offset[i] = pc_shape_has_volume(def->shape) ? -p.centroid[i] : 0;
  body->radius = pc_shape_radius(def->shape) + pc_norm(3, form->offset);
  if (!movable)
    return NULL;
  if (def->mass == 0 && !pc_shape_has_volume(def->shape))
    return def->kind == PC_GUIDED ? "a guided obstacle without volume needs a mass"
                                  : "the shape has no volume: only obstacles can have it";
  if (def->kind == PC_FREE && !pc_shape_has_volume(def->shape))
    return "planes, meshes, heights and chains can only be obstacles";
  double given = 0;
  for (int i = 0; i < 9; i++)
    given = fmax(given, fabs(def->inertia[i]));
  body->mass = def->mass > 0 ? def->mass : p.volume * world->materials.density.at[def->material];
  if (!(body->mass > 0) || !isfinite(body->mass))
    return "the mass must be positive and finite";
  if (body->mass < 1 / LARGEST_MASS || body->mass > LARGEST_MASS)
    return "the mass must be between 1e-100 and 1e100 kg: choose other units";
  body->inverse_mass = 1 / body->mass;
  body->turns = def->kind == PC_FREE && !def->no_rotation;
  if (!body->turns)
    return NULL;
  double inertia[9];
  for (int i = 0; i < 9; i++)
    inertia[i] = given > 0 ? def->inertia[i] : p.inertia[i] * body->mass / p.volume;
  if (!plane)
    return set_inertia(body, form, inertia);
  for (int i = 0; i < 3; i++)
    form->moments[i] = form->inertia[4 * i] = inertia[8];
  form->principal[0] = 1;
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
    return "an axis has no length";
  for (int i = 0; i < 3; i++)
    v[i] /= length;
  return NULL;
}

// Many equal bodies share one form, as they share one shape: it stays close to the processor.
static const pc_form *keep_form(pc_world *world, const pc_form *form)
{
  const pc_form *last =
      world->bodies.count > 0 ? world->bodies.solid.at[world->bodies.count - 1].form : NULL;
  if (last != NULL && memcmp(last, form, sizeof *form) == 0)
    return last;
  pc_form *own = pc_arena_take_raw(&world->bodies.forms, 1, sizeof *own);
  if (own != NULL)
    memcpy(own, form, sizeof *own);
  return own;
}

// `turned`: the length of the quaternion. NULL if all is right.
static const char *check_state(const double *position, const double *velocity, const double *spin,
                               double turned)
{
  if (!all_finite(3, position) || !all_finite(3, velocity) || !all_finite(3, spin) ||
      !(turned > 0) || !isfinite(turned))
    return "position, orientation, velocity and spin must be finite, and the orientation not zero";
  if (!(pc_norm(3, position) < 1e100) || !(pc_norm(3, spin) < 1e100) ||
      !(pc_norm(3, velocity) < 1e100))
    return "position, spin and velocity must be below 1e100";
  return NULL;
}

pc_body pc_body_create(pc_world *world, const pc_body_def *def)
{
  bool plane = world->def.dimension == 2;
  if (def->shape == NULL)
    return refuse(world, "a body needs a shape");
  if (pc_shape_dimension(def->shape) != world->def.dimension)
    return refuse(world, plane ? "a world of dimension 2 takes shapes of the plane"
                               : "a world of dimension 3 takes shapes of space");
  if (def->material < 0 || def->material >= world->materials.density.count)
    return refuse(world, "no such material");
  double turned = pc_norm(4, def->orientation);
  if (!isfinite(def->load) || !(def->mass >= 0) || !all_finite(9, def->inertia))
    return refuse(world, "mass, inertia and load must be finite, and the mass not negative");
  const char *wrong = check_state(def->position, def->velocity, def->spin, turned);
  if (wrong != NULL)
    return refuse(world, wrong);
  if (plane && (def->position[2] != 0 || def->velocity[2] != 0 || def->spin[0] != 0 ||
                def->spin[1] != 0 || def->orientation[1] != 0 || def->orientation[2] != 0))
    return refuse(world, "in the plane bodies move in x and y and turn about z");
  pc_solid body = {.shape = def->shape,
                   .material = def->material,
                   .kind = (unsigned char)def->kind,
                   .group = def->group};
  pc_form form = {.load = def->load};
  memcpy(form.guide, def->guide, sizeof form.guide);
  body.ball = pc_shape_kind(def->shape) == PC_SPHERE || pc_shape_kind(def->shape) == PC_DISC;
  const char *why = set_mass(world, def, &body, &form);
  if (why == NULL && def->kind == PC_GUIDED)
    why = normalise(form.guide);
  if (why == NULL && def->kind == PC_GUIDED && plane && form.guide[2] != 0)
    why = "in the plane a guide lies in x and y";
  if (why == NULL)
    why = pc_motion_check(&def->motion);
  if (why != NULL)
    return refuse(world, why);
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
  if (!pc_array_reserve_aligned(&world->bodies.solid, world->bodies.count + 1) ||
      !pc_array_reserve(&world->bodies.state, world->bodies.count + 1) ||
      (def->kind == PC_DRIVEN && (form.course = pc_course_create(&def->motion, &start)) == NULL) ||
      (body.form = keep_form(world, &form)) == NULL) {
    pc_course_free(form.course);
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return (pc_body){0};
  }
  if (world->bodies.count > 0 &&
      pc_shape_same(world->bodies.solid.at[world->bodies.count - 1].shape, body.shape))
    body.shape = world->bodies.solid.at[world->bodies.count - 1].shape;
  pc_shape_retain(body.shape);
  world->bodies.solid.at[world->bodies.count] = body;
  world->bodies.smallest =
      world->bodies.count == 0 ? body.radius : fmin(world->bodies.smallest, body.radius);
  world->bodies.state.at[world->bodies.count] = start;
  if (body.mass == 0) // it may touch who sleeps
    pc_sleep_rouse_all(world);
  world->sleep.potential_known = false;
  world->balance.accounted = false;
  world->bodies.driven += body.kind == PC_DRIVEN;
  world->bodies.guided += body.kind == PC_GUIDED;
  world->bodies.count++;
  return (pc_body){pc_warmth_prepare(world) == PC_OK ? world->bodies.count : 0};
}

void pc_bodies_free(pc_bodies *bodies)
{
  for (int i = 0; i < bodies->count; i++) {
    pc_shape_release(bodies->solid.at[i].shape);
    pc_course_free(bodies->solid.at[i].form->course);
  }
  pc_arena_free(&bodies->forms);
  pc_array_free(&bodies->solid);
  pc_array_free(&bodies->state);
  pc_array_free(&bodies->slot);
  pc_array_free(&bodies->number);
  pc_array_free(&bodies->asleep);
}

int pc_world_bodies(const pc_world *world)
{
  return world->bodies.count;
}

void pc_body_get(const pc_world *world, pc_body body, pc_body_state *state)
{
  *state = world->bodies.state.at[pc_body_slot(world, body)];
}

// Who sleeps may rest on what is changed. What was awake touches nobody who sleeps.
static void rouse_around(pc_world *world, pc_body body)
{
  int i = pc_body_slot(world, body);
  if (world->bodies.solid.at[i].mass == 0)
    pc_sleep_rouse_all(world);
  else
    pc_sleep_rouse(world, i);
}

static pc_status set_state(pc_world *world, pc_body body, const pc_body_state *state)
{
  if (body.id < 1 || body.id > world->bodies.count)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "no such body");
  double turned = pc_norm(4, state->orientation);
  const char *wrong = check_state(state->position, state->velocity, state->spin, turned);
  if (wrong != NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "%s", wrong);
  pc_solid *solid = &world->bodies.solid.at[pc_body_slot(world, body)];
  pc_body_state *own = &world->bodies.state.at[pc_body_slot(world, body)];
  *own = *state;
  for (int i = 0; i < 4 && fabs(turned - 1) > 1e-15; i++) // what is a unit stays as it is
    own->orientation[i] /= turned;
  if (!solid->turns && solid->mass > 0)
    memset(own->spin, 0, sizeof own->spin); // as when it is made
  if (solid->kind == PC_DRIVEN)
    solid->form->course->start = *own;
  rouse_around(world, body);
  return PC_OK;
}

pc_status pc_body_set(pc_world *world, pc_body body, const pc_body_state *state)
{
  pc_status status = set_state(world, body, state);
  if (status == PC_OK)
    world->balance.accounted = false;
  return status;
}

pc_status pc_world_change(pc_world *world, int count, const pc_body *bodies,
                          const pc_body_state *states)
{
  if (!world->balance.accounted) { // nothing to go on with
    pc_status status = PC_OK;
    for (int i = 0; i < count && status == PC_OK; i++)
      status = pc_body_set(world, bodies[i], states + i);
    return status;
  }
  for (int i = 0; i < count; i++)
    if (bodies[i].id < 1 || bodies[i].id > world->bodies.count ||
        world->bodies.solid.at[pc_body_slot(world, bodies[i])].mass == 0)
      return pc_fail(&world->error, PC_ERROR_ARGUMENT, "only what moves by itself can be changed");
  double before = pc_account_energy(world);
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    status = set_state(world, bodies[i], states + i);
  pc_account_changed(world, before);
  return status;
}

pc_body_kind pc_body_get_kind(const pc_world *world, pc_body body)
{
  return world->bodies.solid.at[pc_body_slot(world, body)].kind;
}

int pc_body_get_material(const pc_world *world, pc_body body)
{
  return world->bodies.solid.at[pc_body_slot(world, body)].material;
}

const pc_shape *pc_body_get_shape(const pc_world *world, pc_body body)
{
  return world->bodies.solid.at[pc_body_slot(world, body)].shape;
}

double pc_body_get_mass(const pc_world *world, pc_body body)
{
  return world->bodies.solid.at[pc_body_slot(world, body)].mass;
}

void pc_body_get_offset(const pc_world *world, pc_body body, double offset[3])
{
  memcpy(offset, world->bodies.solid.at[pc_body_slot(world, body)].form->offset,
         3 * sizeof(double));
}

void pc_body_get_arm(const pc_world *world, pc_body body, const double orientation[4],
                     double arm[3])
{
  double matrix[9];
  pc_quaternion_matrix(orientation, matrix);
  pc_rotate(matrix, world->bodies.solid.at[pc_body_slot(world, body)].form->offset, arm);
}

pc_pose pc_body_pose(const pc_solid *body, const pc_body_state *state)
{
  pc_pose pose = pc_pose_of(state->position, state->orientation);
  double away[3];
  pc_rotate(pose.rotation, body->form->offset, away);
  for (int i = 0; i < 3; i++)
    pose.position[i] += away[i];
  return pose;
}

void pc_body_inertia(const pc_solid *body, const pc_body_state *state, double world[9])
{
  if (body->round) {
    for (int i = 0; i < 9; i++)
      world[i] = i % 4 == 0 ? body->moment : 0;
    return;
  }
  double m[9], half[9];
  pc_quaternion_matrix(state->orientation, m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      half[3 * i + j] = m[3 * i] * body->form->inertia[j] +
                        m[3 * i + 1] * body->form->inertia[3 + j] +
                        m[3 * i + 2] * body->form->inertia[6 + j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++)
      world[3 * i + j] = world[3 * j + i] =
          half[3 * i] * m[3 * j] + half[3 * i + 1] * m[3 * j + 1] + half[3 * i + 2] * m[3 * j + 2];
}

// Bodies that turn freely, until there are four of them.
typedef struct tops {
  int count, body[4];
  double moments[4][3], attitude[4][4], spin[4][3];
} tops;

static void spin_tops(const pc_world *world, double time, tops *all)
{
  for (int l = all->count; l < 4 && l > 0; l++) { // no others
    memcpy(all->moments[l], all->moments[0], sizeof all->moments[l]);
    memcpy(all->attitude[l], all->attitude[0], sizeof all->attitude[l]);
    memcpy(all->spin[l], all->spin[0], sizeof all->spin[l]);
  }
  if (all->count > 0)
    pc_rotation_advance_four((const double(*)[3])all->moments, all->attitude, all->spin, time);
  for (int l = 0; l < all->count; l++) {
    const pc_solid *body = &world->bodies.solid.at[all->body[l]];
    pc_body_state *state = &world->bodies.state.at[all->body[l]];
    memcpy(state->spin, all->spin[l], sizeof state->spin);
    if (body->aligned) {
      memcpy(state->orientation, all->attitude[l], sizeof state->orientation);
      continue;
    }
    const double *p = body->form->principal, back[4] = {p[0], -p[1], -p[2], -p[3]};
    pc_quaternion_multiply(all->attitude[l], back, state->orientation);
    pc_quaternion_normalise(state->orientation);
  }
  all->count = 0;
}

static void turn(const pc_world *world, int i, double time, tops *all)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  pc_body_state *state = &world->bodies.state.at[i];
  if (state->spin[0] == 0 && state->spin[1] == 0 && state->spin[2] == 0)
    return;
  if (body->round || world->def.constant_spin) {
    double way[3] = {time * state->spin[0], time * state->spin[1], time * state->spin[2]}, q[4];
    pc_quaternion_exp(way, q);
    pc_quaternion_multiply(q, state->orientation, state->orientation);
    pc_quaternion_normalise(state->orientation);
    return;
  }
  int l = all->count++;
  all->body[l] = i;
  memcpy(all->moments[l], body->form->moments, sizeof all->moments[l]);
  memcpy(all->spin[l], state->spin, sizeof all->spin[l]);
  memcpy(all->attitude[l], state->orientation, sizeof all->attitude[l]);
  if (!body->aligned)
    pc_quaternion_multiply(state->orientation, body->form->principal, all->attitude[l]);
  if (all->count == 4)
    spin_tops(world, time, all);
}

void pc_bodies_advance(const pc_world *world, int begin, int end, double time)
{
  tops all = {.count = 0};
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->bodies.solid.at[i];
    pc_body_state *state = &world->bodies.state.at[i];
    if (pc_is_idle(world, i) || body->kind == PC_FIXED || body->kind == PC_DRIVEN)
      continue;
    for (int k = 0; k < 3; k++)
      state->position[k] += time * state->velocity[k];
    if (body->turns)
      turn(world, i, time, &all);
  }
  spin_tops(world, time, &all);
}

void pc_body_add_energies(const pc_world *world, int i, pc_energies *sum)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  if (body->mass == 0 || body->absent)
    return;
  sum->potential -= body->mass * pc_dot3(world->def.gravity, state->position);
  sum->translation += 0.5 * body->mass * pc_dot3(state->velocity, state->velocity);
  if (!body->turns)
    return;
  if (body->round) {
    sum->rotation += 0.5 * body->moment * pc_dot3(state->spin, state->spin);
  } else {
    double inertia[9], momentum[3];
    pc_body_inertia(body, state, inertia);
    pc_rotate(inertia, state->spin, momentum);
    sum->rotation += 0.5 * pc_dot3(momentum, state->spin);
  }
}

typedef struct energy_job {
  const pc_world *world;
  pc_energies sum[PC_PIECES];
} energy_job;

static void energy_pieces(void *context, int begin, int end, int worker)
{
  energy_job *job = context;
  const pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    pc_energies sum = {0}, rest = {0};
    for (int i = pc_piece_begin(world->bodies.count, piece);
         i < pc_piece_begin(world->bodies.count, piece + 1); i++)
      pc_body_add_energies(world, i, pc_is_asleep(world, i) ? &rest : &sum);
    sum.translation += rest.translation; // of one that was just given a velocity, and wakes
    sum.rotation += rest.rotation;
    sum.potential += rest.potential; // as in a step, which knows the sum of those who sleep
    job->sum[piece] = sum;
  }
}

pc_energies pc_bodies_energies(const pc_world *world)
{
  energy_job job = {.world = world};
  pc_energies sum = {0};
  int pieces = pc_pieces(world->bodies.count);
  pc_parallel(pc_world_threads(world), pieces, 2, energy_pieces, &job);
  for (int i = 0; i < pieces; i++) {
    sum.translation += job.sum[i].translation;
    sum.rotation += job.sum[i].rotation;
    sum.potential += job.sum[i].potential;
  }
  return sum;
}

void pc_body_to_dof(const pc_solid *body, const double *six, double *numbers)
{
  if (body->dof == 1) {
    numbers[0] = pc_dot3(six, body->form->guide);
  } else if (body->dof == 6) {
    memcpy(numbers, six, 6 * sizeof(double));
  } else {
    numbers[0] = six[0];
    numbers[1] = six[1];
    numbers[2] = six[5];
  }
}

void pc_body_from_dof(const pc_solid *body, const double *numbers, double *six)
{
  memset(six, 0, 6 * sizeof(double));
  if (body->dof == 1) {
    for (int k = 0; k < 3; k++)
      six[k] = numbers[0] * body->form->guide[k];
  } else if (body->dof == 6) {
    memcpy(six, numbers, 6 * sizeof(double));
  } else {
    six[0] = numbers[0];
    six[1] = numbers[1];
    six[5] = body->dof == 3 ? numbers[2] : 0;
  }
}
