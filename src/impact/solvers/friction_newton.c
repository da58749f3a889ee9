// Regularised semismooth Newton on the natural map of all laws, the map of the residual.
//
// With (near) duplicate contacts the map is flat along the way on which they hand their load over,
// until one of them opens, and then rises before it falls. So where no shorter step helps, the step
// goes just behind one of the first contacts that it opens, even if the map grows a little.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact/solvers/friction.h"

enum { HALVINGS = 7, MEMORY = 4, BREAKS = 3, MAX_BREAKS = 25, SWEEPS = 30 };
static const double floor_eps = 1e-7, lowest_eps = 1e-12, most_eps = 1e-2;
static const double exact = 1e-14; // aim, whatever was asked for

// The derivative of one law's map at (r, d), see pc_block_residual.
static pc_turned_law derivative(const pc_block_law *law, const double *rk, const double *dk,
                                const double *map, double eps)
{
  pc_turned_law step = {.along = {1, 0}};
  double slope = law->tangential == PC_TANGENTIAL_BILATERAL ? INFINITY : 0.5 * law->k;
  double delta = 1 / (1 + slope);
  for (int i = 0; i < 3; i++) {
    step.b[i] = delta + eps;
    step.k[i] = 1 - delta;
  }
  if (law->normal == 0)
    return step;
  pc_row_solve(&law->row, 1, dk[0] - rk[0], &slope);
  delta = 1 / (1 + slope);
  step.b[0] = delta + eps;
  step.k[0] = 1 - delta;
  if (law->tangential != PC_TANGENTIAL_COULOMB || law->rows < 2)
    return step;
  double x[2] = {0}, size = 0, push = rk[0] - map[0], most = law->mu * fmax(push, 0);
  for (int i = 1; i < law->rows; i++) {
    x[i - 1] = rk[i] - dk[i] - law->shift[i - 1];
    size += x[i - 1] * x[i - 1];
  }
  size = sqrt(size);
  bool sticks = most > 0 && size <= most;
  double part = sticks ? 1 : size > 0 ? most / size : 0;
  step.b[1] = (sticks ? 0 : 1) + eps;
  step.k[1] = sticks ? 1 : 0;
  step.b[2] = 1 - part + eps;
  step.k[2] = part;
  if (!sticks && size > 0) {
    step.along[0] = x[0] / size;
    step.along[1] = x[1] / size;
    step.turn_k = push > 0 ? law->mu * (1 - delta) : 0;
    step.turn_b = -step.turn_k;
  }
  return step;
}

static void linearise(pc_friction *f, double eps)
{
  const pc_system *s = f->s;
  for (int k = 0; k < s->interactions; k++) {
    int at = s->row[k];
    pc_turned_law step = derivative(&s->law[k], f->from + at, f->from_d + at, f->map + at, eps);
    pc_step_law_set(&f->now->law[k], s->law[k].rows, &step);
  }
}

// The map at f->trial = r + part dr; offers the point.
static double try_step(pc_friction *f, double part)
{
  for (int i = 0; i < f->s->rows; i++)
    f->trial[i] = f->from[i] + part * f->dr[i];
  return pc_best_offer(&f->best, f->s, f->trial, f->y, f->trial_d);
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The step just behind one of the first contacts that it opens, or 0.
static double break_step(pc_friction *f, double limit)
{
  const pc_system *s = f->s;
  int count = 0;
  for (int k = 0; k < s->interactions; k++) {
    double r = f->from[s->row[k]], dr = f->dr[s->row[k]];
    if (s->law[k].normal && !s->law[k].row.equality && r > 0 && dr < 0)
      f->breaks[count++] = -r / dr;
  }
  qsort(f->breaks, (size_t)count, sizeof(double), by_size);
  for (int i = 0; i < count && i < BREAKS; i++)
    if (try_step(f, 1.0001 * f->breaks[i]) <= limit)
      return 1.0001 * f->breaks[i];
  return 0;
}

static void settle_at(pc_friction *f, const double *r)
{
  if (r != f->from)
    memcpy(f->from, r, sizeof(double) * (size_t)f->s->rows);
  if (f->s->bodies > 0)
    pc_system_motion(f->s, f->from, f->y);
  pc_system_deformation(f->s, f->from, f->y, f->from_d);
}

pc_status pc_friction_newton(pc_friction *f, double tolerance, int most, pc_error *error)
{
  pc_system *s = f->s;
  double last[MEMORY], eps = floor_eps, least = floor_eps, breaks_from = INFINITY;
  int breaks = 0, sweeps = SWEEPS, used = 0;
  settle_at(f, s->r);
  for (int i = 0; i < MEMORY; i++)
    last[i] = pc_system_residual(s, f->from, f->from_d, NULL);
  for (int step = 0; step < most && f->best.residual > exact; step++) {
    double before = f->best.residual;
    double now = pc_system_residual(s, f->from, f->from_d, f->map), limit = 0;
    last[step % MEMORY] = now;
    for (int i = 0; i < MEMORY; i++)
      limit = fmax(limit, last[i]);
    linearise(f, eps);
    pc_status status = pc_steps_factor(f->now);
    if (status != PC_OK && status != PC_ERROR_NUMERIC)
      return status;
    double part = 0, reached = INFINITY;
    if (status == PC_OK) {
      for (int i = 0; i < s->rows; i++)
        f->g[i] = -f->map[i];
      pc_steps_solve(f->now, f->g, f->dr);
      part = 1;
      for (int i = 0; i <= HALVINGS; i++, part *= 0.5) {
        reached = try_step(f, part);
        if (reached <= (1 - 0.1 * part) * limit)
          break;
      }
      if (!(reached <= (1 - 0.1 * part) * limit))
        part = 0;
      if (part == 0 && breaks < MAX_BREAKS) {
        if (now < 0.5 * breaks_from) {
          breaks_from = now;
          breaks = 0;
        }
        part = break_step(f, 3 * limit);
        breaks++;
      }
    }
    if (part == 0) {
      eps = fmin(100 * eps, 1);
    } else {
      settle_at(f, f->trial);
      if (part == 1 && reached > 0.3 * now && eps <= least)
        least = fmax(0.01 * least, lowest_eps);
      eps = part > 0.2 ? fmax(least, 0.1 * eps) : fmin(4 * eps, 0.1);
    }
    if (before <= tolerance && f->best.residual > 0.1 * before)
      break;
    if (eps > most_eps && part == 0) {
      pc_solver_limits few = {tolerance, sweeps};
      pc_solver_result swept = {0};
      status = pc_solve_nsgs(s, &few, &swept, error);
      if (status != PC_OK)
        return status;
      settle_at(f, s->r);
      f->best.residual = fmin(f->best.residual, pc_system_residual(s, f->from, f->from_d, NULL));
      sweeps += SWEEPS;
      eps = floor_eps;
      for (int i = 0; i < MEMORY; i++)
        last[i] = f->best.residual;
      if (++used > 3)
        break;
    }
  }
  return PC_OK;
}
