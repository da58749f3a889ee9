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

// Newton, and a walk on from where it ends, if that is near.
static pc_status end_attempt(pc_friction *f, double tolerance, int steps, bool walks)
{
  pc_status status = pc_friction_newton(f, tolerance, steps);
  if (walks && status == PC_OK && f->best.residual > tolerance &&
      f->best.residual < pc_near_residual)
    status = pc_friction_walk(f, tolerance, PC_WALK_STEPS);
  return status;
}

pc_status pc_friction_start_interior(pc_friction *f, double tolerance, int most, bool walks)
{
  f->best = (pc_best){.residual = INFINITY};
  double aim = fmax(tolerance, pc_takeover_residual);
  pc_status status = pc_friction_interior_begin(f);
  int end = f->steps.factorisations + pc_friction_afford(f, most);
  while (status == PC_OK && f->best.residual > tolerance) {
    status = pc_friction_interior(f, aim, end - f->steps.factorisations);
    bool last = f->stuck || f->steps.factorisations >= end;
    if (status == PC_OK && f->best.residual < pc_hopeless_residual)
      status = end_attempt(f, tolerance, last ? PC_FINISH_STEPS : PC_SHORT_FINISH, last && walks);
    if (last)
      break;
    aim *= pc_takeover_part;
  }
  pc_friction_keep(f);
  return status;
}

static void return_to_best(pc_friction *f)
{
  memcpy(f->s->r, f->kept, sizeof(double) * (size_t)f->s->rows);
  f->best = (pc_best){.residual = f->reached};
}

pc_status pc_friction_finish(pc_friction *f, double tolerance, int most, bool walks)
{
  return_to_best(f);
  pc_status status = end_attempt(f, tolerance, pc_friction_afford(f, most), walks);
  pc_friction_keep(f);
  return status;
}

pc_status pc_friction_sweep_on(pc_friction *f, double tolerance, int most, pc_error *error)
{
  return_to_best(f);
  pc_status status = pc_friction_sweep(f, tolerance, most, error);
  pc_friction_keep(f);
  return status;
}
