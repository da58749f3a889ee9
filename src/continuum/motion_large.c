// Steps of solids with large displacements (large.h). The step
//
//     M (U1 - U) = h (f + f_int(u, u1)) + reactions,      u1 = u + h (U + U1) / 2
//
// is solved by Newton's method, and every iterate is a collision: with the internal force of the
// iterate before as a part of its load, and with h^2/4 of the stiffness in the middle of the step
// as viscosities that act on the change of the iterate alone. The contacts are those of any other
// collision, in every iterate.
//
// The stiffness is the symmetric part of the derivative. It neglects products with half the change
// of displacement gradients in a step, so a rotation of 0.1 rad per step gains a factor 20 in every
// iterate. It is factored once per step and length of its parts, at the middle that the velocities
// predict, and again only if that is slow. No step uses the factor of the one before: a motion that
// was saved and loaded goes on with the same bits.
#include "continuum/motion_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/error.h"

enum { TURNS = 60, RENEWALS = 6 };
static const double SAME = 1e-15; // of the speed: a change that ends the iteration
static const double ROUND = 0.5;  // the same, in units in the last place of a position
static const double SLOW = 0.5;   // of the change before
static const double NEAR = 1e3;   // a change that stays within this of the end is round-off

pc_status pc_motion_make_large(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  m->has_large = def->large;
  if (!m->has_large)
    return PC_OK;
  bool fluid = false;
  for (int i = 0; i < def->solids; i++)
    fluid = fluid || def->solid[i].bulk > 0;
  if (def->alloy != NULL || fluid)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "large displacements are not available for alloys and fluids");
  pc_arena *arena = &m->arena;
  double **vector[] = {&m->guess, &m->about, &m->change, &m->total};
  for (int i = 0; i < 4; i++)
    *vector[i] = pc_arena_take(arena, (size_t)m->numbers, sizeof(double));
  m->stiff_in = pc_arena_take(arena, (size_t)m->halvings + 1, sizeof *m->stiff_in);
  m->modulus = pc_arena_take(arena, (size_t)m->solids, sizeof *m->modulus);
  m->viscosity = pc_arena_take(arena, (size_t)m->solids, sizeof *m->viscosity);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for large displacements");
  for (int i = 0; i < m->solids; i++) {
    const pc_fe_solid *s = &m->solid[i];
    pc_fe_solid_moduli(s, m->size, &m->modulus[i].strain, &m->modulus[i].volume);
    m->viscosity[i] = (pc_fe_moduli){.strain = s->strain, .volume = s->volume};
    m->is_viscous = m->is_viscous || s->strain > 0 || s->volume > 0;
  }
  return pc_fe_large_create(&m->large, m->mesh, m->solids, m->solid, error);
}

void pc_motion_free_large(pc_fe_motion *m)
{
  pc_fe_large_free(&m->large);
}

double pc_motion_large_energy(const pc_fe_motion *m)
{
  return pc_fe_large_energy(&m->large, m->modulus, m->u);
}

void pc_motion_turn_viscosities(pc_fe_motion *m, pc_fe_collision *collision)
{
  if (!m->has_large || !m->is_viscous)
    return;
  const pc_fe_space *space;
  pc_block_matrix *matrix = pc_fe_collision_replace_volumes(collision, &space);
  pc_fe_large_add_form(&m->large, m->viscosity, 1, m->u, NULL, NULL, space, matrix);
}

void pc_motion_set_large(pc_fe_motion *m)
{
  for (int i = 0; m->has_large && i <= m->halvings; i++)
    m->stiff_in[i] = -1;
}

void pc_motion_begin_large(pc_fe_motion *m)
{
  if (m->has_large)
    memcpy(m->guess, m->v, (size_t)m->numbers * sizeof *m->guess);
}

// Viscosities between collisions, in a step of h.
static void set_damping(pc_fe_motion *m, double h)
{
  for (int i = 0; i < m->solids; i++)
    m->modulus[i].damping = m->solid[i].viscosity / h;
}

double pc_motion_large_loss(pc_fe_motion *m, double h)
{
  set_damping(m, h);
  for (int i = 0; i < m->numbers; i++)
    m->change[i] = h / 2 * (m->v[i] + m->answer.velocity[i]);
  return pc_fe_large_loss(&m->large, m->modulus, m->u, m->change);
}

// The stiffness in the middle of the step that the guess gives. Stresses are those of the start, or
// with `ends` the mean with those of the end, where the guess is good enough for it.
static void make_stiffness(pc_fe_motion *m, int level, bool ends)
{
  const pc_fe_space *space;
  pc_block_matrix *matrix = pc_fe_collision_replace_volumes(m->length[level], &space);
  double h = ldexp(m->step, -level);
  m->stiff_in[level] = m->now.steps;
  double *middle = m->about, *end = m->change;
  for (int i = 0; i < m->numbers; i++) {
    middle[i] = m->u[i] + h / 4 * (m->v[i] + m->guess[i]);
    end[i] = ends ? m->u[i] + h / 2 * (m->v[i] + m->guess[i]) : m->u[i];
  }
  pc_fe_large_add_form(&m->large, m->modulus, h * h / 4, middle, m->u, end, space, matrix);
}

// The load of an iterate: all forces of the guess. False if the guess turns an element inside out.
static bool make_load(pc_fe_motion *m, double h)
{
  for (int i = 0; i < m->numbers; i++) {
    m->about[i] = m->v[i] + m->guess[i];
    m->change[i] = h / 2 * m->about[i];
    m->total[i] = 0;
  }
  bool sound = pc_fe_large_force(&m->large, m->modulus, m->u, m->change, m->total);
  for (int i = 0; i < m->numbers; i++)
    m->total[i] = m->load[i] + h * m->total[i];
  return sound;
}

// Takes the answer as the next guess. Returns the largest change of a velocity, over what ends the
// iteration.
static double take_guess(pc_fe_motion *m, double h)
{
  double change = 0, speed = 0, far = pc_fe_mesh_size(m->mesh);
  for (int i = 0; i < m->numbers; i++) {
    double v = m->answer.velocity[i];
    change = fmax(change, fabs(v - m->guess[i]));
    speed = fmax(speed, fmax(fabs(v), fabs(m->v[i])));
    far = fmax(far, fabs(m->u[i]));
    m->guess[i] = v;
  }
  return change > 0 ? change / (SAME * speed + ROUND * DBL_EPSILON * far / h) : 0;
}

static pc_status iterate(pc_fe_motion *m, int level, pc_error *error)
{
  double last = INFINITY, h = ldexp(m->step, -level);
  int renewals = 0;
  set_damping(m, h);
  if (m->stiff_in[level] != m->now.steps)
    make_stiffness(m, level, false);
  for (int turn = 0; turn < TURNS; turn++) {
    if (!make_load(m, h))
      return pc_fail(error, PC_ERROR_NUMERIC, "an element is inverted");
    pc_status status = pc_fe_collision_solve(
        m->length[level], m->v, (const double(*)[PC_FE_BODY])m->body_v, &m->answer, error);
    if (status != PC_OK)
      return status;
    double change = take_guess(m, h);
    if (change <= 1 || (change > SLOW * last && change <= NEAR))
      return PC_OK;
    if (change > SLOW * last) {
      if (++renewals > RENEWALS)
        break;
      make_stiffness(m, level, true);
    }
    last = change;
  }
  return pc_fail(error, PC_ERROR_NUMERIC, "Newton's method does not converge");
}

pc_status pc_motion_iterate(pc_fe_motion *m, int level, pc_error *error)
{
  pc_status status = iterate(m, level, error);
  if (status != PC_OK) // the stiffness may be the reason: the next try has another one
    m->stiff_in[level] = -1;
  return status;
}
