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

pc_status pc_friction_start_interior(pc_friction *f, double tolerance, int steps, pc_error *error)
{
  f->best = (pc_best){.residual = INFINITY};
  double aim = fmax(tolerance, pc_takeover_residual);
  pc_status status = pc_friction_interior_begin(f);
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

pc_status pc_friction_finish(pc_friction *f, double tolerance, int walk, pc_error *error)
{
  memcpy(f->s->r, f->kept, sizeof(double) * (size_t)f->s->rows);
  f->best = (pc_best){.residual = f->reached};
  int steps = pc_friction_afford(f, PC_NEAR_STEPS);
  pc_status status = pc_friction_newton(f, tolerance, steps, error);
  if (status == PC_OK && f->best.residual > tolerance)
    status = pc_friction_walk(f, tolerance, walk);
  pc_friction_keep(f);
  return status;
}
