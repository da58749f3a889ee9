// Stages of a plan (policy.h) that put several direct methods for friction together.
#include <math.h>
#include <string.h>

#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

void pc_friction_begin(pc_friction *f)
{
  f->reached = INFINITY;
  f->best = (pc_best){.residual = INFINITY};
  pc_best_offer(&f->best, f->s, f->s->r, f->y, f->d);
  pc_friction_keep(f);
}

pc_status pc_friction_start_interior(pc_friction *f, const pc_friction_start *start,
                                     double tolerance, int steps, pc_error *error)
{
  f->best = (pc_best){.residual = INFINITY};
  double aim = fmax(tolerance, pc_takeover_residual);
  pc_status status = pc_friction_interior_begin(f, start);
  int end = pc_friction_factorisations(f) + steps;
  while (status == PC_OK) {
    status = pc_friction_interior(f, aim, end - pc_friction_factorisations(f));
    bool last = f->stuck || pc_friction_factorisations(f) >= end;
    if (status == PC_OK && f->best.residual < pc_hopeless_residual)
      status = pc_friction_newton(f, tolerance, last ? PC_FINISH_STEPS : PC_SHORT_FINISH, error);
    if (f->best.residual <= tolerance || last)
      break;
    aim *= pc_takeover_part;
  }
  pc_friction_keep(f);
  return status;
}

pc_status pc_friction_finish(pc_friction *f, double tolerance, pc_error *error)
{
  memcpy(f->s->r, f->kept, sizeof(double) * (size_t)f->s->rows);
  f->best = (pc_best){.residual = f->reached};
  pc_status status = pc_friction_newton(f, tolerance, PC_NEAR_STEPS, error);
  if (status == PC_OK && f->best.residual > tolerance)
    status = pc_friction_walk(f, tolerance, PC_WALK_STEPS);
  pc_friction_keep(f);
  return status;
}

pc_status pc_friction_gradients(pc_friction *f, pc_solver *method, bool from_zero, double tolerance,
                                int most, pc_error *error)
{
  size_t size = sizeof(double) * (size_t)f->s->rows;
  pc_solver_limits limits = {.tolerance = tolerance,
                             .max_iterations = pc_friction_afford_sweeps(f, most)};
  if (limits.max_iterations == 0)
    return PC_OK;
  pc_solver_result found = {.residual = INFINITY};
  if (from_zero)
    memset(f->s->r, 0, size);
  else
    memcpy(f->s->r, f->kept, size);
  pc_status status = method(f->s, &limits, &found, error);
  f->gradient_steps += found.iterations;
  double before = f->reached;
  f->best = (pc_best){.residual = found.residual};
  pc_friction_keep(f);
  if (status == PC_OK && f->reached > tolerance &&
      f->reached < fmin(pc_near_residual, pc_slice_gain * before))
    status = pc_friction_finish(f, tolerance, error);
  return status;
}

pc_status pc_friction_final(pc_friction *f, double tolerance, int sweeps, pc_error *error)
{
  pc_system *s = f->s;
  int left = sweeps > 0 ? sweeps : (int)fmin(pc_final_sweeps, pc_final_work / s->rows);
  int slice = left / PC_FINAL_SLICES + 1;
  pc_status status = PC_OK;
  memcpy(s->r, f->kept, sizeof(double) * (size_t)s->rows);
  f->best = (pc_best){.residual = f->reached};
  for (; left > 0 && status == PC_OK && f->best.residual > tolerance; slice *= 2) {
    int some = slice < left ? slice : left, swept = f->sweeps;
    status = pc_friction_sweep(f, tolerance, some, error);
    if (status == PC_OK && f->best.residual > tolerance)
      status = pc_friction_newton(f, tolerance, pc_friction_afford(f, PC_FINISH_STEPS), error);
    if (status == PC_OK && f->best.residual > tolerance && f->best.residual < pc_near_residual)
      status = pc_friction_walk(f, tolerance, pc_friction_afford(f, PC_WALK_STEPS));
    swept = f->sweeps - swept; // with those of Newton
    left -= swept > some ? swept : some;
  }
  pc_friction_keep(f);
  return status;
}
