// Sweeps from a state of stress. Where bodies are wedged between walls and each other there are
// percussions that cancel, W x = 0 with every x inside its cone of friction: any multiple of them
// may be added to a solution, and with enough of it these contacts stick, whatever else they carry.
// On the verge of jamming a solution needs such a self-stress, and sweeps from zero build it up by
// no more than the velocity that is left, over 1e5 sweeps and more; the path of the interior point
// turns back before it is there. So it is found first, and the sweeps start from it.
//
// It is the limit of the centre of the cones, (W + e) x = e x^-1 for e -> 0: x stays of order 1
// where there is a self-stress and falls with sqrt(e) elsewhere. This problem is convex, and x is
// as far inside the cones as can be.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

static const double first_soft = 3, last_soft = 1e-12; // e
// How much of the state, over the free velocity. Many solutions are there to be found, but no size
// finds one everywhere.
static const double sizes[] = {100, 1000, 1e4};

// T S dx + S^-1 (W + soft) dx = rest, with T = V^-2 and S = diag(mu, 1, 1).
static void set_equations(pc_friction *f, const pc_cone *c, double soft)
{
  int m = c->size;
  pc_step_law *law = &f->steps.law[c->interaction];
  double back[3], jw[3], by = 1 / (c->eta * c->eta);
  double scale = 1 / (1 + by * (2 * c->w[0] * c->w[0] - 1));
  pc_cone_scaled(c, -1, c->c, back);
  for (int i = 0; i < m; i++)
    jw[i] = i == 0 ? c->w[i] : -c->w[i];
  for (int i = 0; i < m; i++) {
    double at_i = i == 0 ? c->mu : 1;
    f->g[c->row + i] = scale * (back[i] + c->z[i] - f->d[c->row + i] / at_i);
    for (int j = 0; j < m; j++) {
      double at_j = j == 0 ? c->mu : 1, unit = i == j, flip = i == 0 ? unit : -unit;
      law->k[i * m + j] = scale * unit / at_i;
      law->b[i * m + j] = scale * by * (2 * jw[i] * jw[j] - flip) * at_j + soft * law->k[i * m + j];
    }
  }
  pc_step_law_invert(law, m);
}

static void aim(pc_friction *f, double soft, bool correct)
{
  pc_steps_response(&f->steps, f->r, f->d);
  for (int i = 0; i < f->s->rows; i++)
    f->d[i] += soft * f->r[i];
  for (int j = 0; j < f->cones; j++) {
    pc_cone_aim(f, &f->cone[j], soft, correct);
    set_equations(f, &f->cone[j], soft);
  }
}

// Only contacts with friction take part.
static void begin(pc_friction *f)
{
  static const pc_turned_law none = {.b = 1, .slide = {.b = {1, 1}, .along = {1, 0}}};
  f->working = 0;
  memset(f->r, 0, sizeof(double) * (size_t)f->s->rows);
  memset(f->g, 0, sizeof(double) * (size_t)f->s->rows);
  for (int k = 0; k < f->s->interactions; k++)
    pc_step_law_set(&f->steps.law[k], f->s->law[k].rows, 0, &none);
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    f->r[c->row] = c->rho = 1;
    memset(c->z, 0, sizeof c->z);
    c->z[0] = first_soft / c->mu;
  }
}

// The centre, in f->r.
static pc_status find_centre(pc_friction *f)
{
  double soft = first_soft;
  begin(f);
  for (int step = 0; step < PC_STRESS_STEPS && pc_friction_scale(f); step++) {
    double next = fmax(0.1 * soft, last_soft);
    aim(f, next, false);
    pc_status status = pc_steps_factor(&f->steps);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    pc_friction_direction(f);
    pc_friction_keep_affine(f);
    aim(f, next, true);
    pc_friction_direction(f);
    double length = fmin(1, 0.9 * pc_friction_room(f, 1 / 0.9));
    if (!(length > 1e-6))
      break;
    pc_friction_move(f, length);
    if (soft <= last_soft && length > 0.9)
      break;
    soft = length < 0.3 ? soft : next;
  }
  return PC_OK;
}

// Sweeps from the percussions in system->r, and Newton where they come near.
static pc_status sweep_from(pc_friction *f, double tolerance, pc_error *error)
{
  pc_status status = PC_OK;
  f->best = (pc_best){.residual = INFINITY};
  for (int round = 0; round < PC_STRESS_ROUNDS && status == PC_OK; round++) {
    double before = f->best.residual;
    status = pc_friction_sweep(f, tolerance, PC_STRESS_SWEEPS, error);
    if (status == PC_OK && f->best.residual > tolerance && f->best.residual < pc_stress_near)
      status = pc_friction_newton(f, tolerance, PC_STRESS_FINISH);
    if (f->best.residual <= tolerance || f->best.residual > 0.5 * before)
      break;
  }
  pc_friction_keep(f);
  return status;
}

pc_status pc_friction_stress(pc_friction *f, double tolerance, pc_error *error)
{
  pc_system *s = f->s;
  size_t rows = (size_t)s->rows;
  double fast = 0, *centre = pc_arena_take(f->s->arena, rows, sizeof(double));
  if (f->s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < s->rows; i++)
    fast = fmax(fast, fabs(s->free[i]));
  pc_status status = find_centre(f);
  memcpy(centre, f->r, rows * sizeof(double));
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    if (status != PC_OK || f->reached <= tolerance)
      break;
    for (int i = 0; i < s->rows; i++)
      s->r[i] = sizes[k] * fast * centre[i];
    status = sweep_from(f, tolerance, error);
  }
  return status;
}
