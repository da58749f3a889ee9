// The table of solvers and what they share.
#include "impact/solvers/solver.h"

#include <math.h>
#include <string.h>

pc_solver *pc_solver_named(const char *name)
{
  static const struct {
    const char *name;
    pc_solver *solver;
  } table[] = {{"auto", pc_solve_auto},
               {"ipm", pc_solve_ipm},
               {"nsgs", pc_solve_nsgs},
               {"uzawa", pc_solve_uzawa}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].name) == 0)
      return table[i].solver;
  return NULL;
}

double pc_best_offer(pc_best *best, pc_system *s, const double *r, double *y, double *d)
{
  if (s->bodies > 0)
    pc_system_motion(s, r, y);
  pc_system_deformation(s, r, y, d);
  double residual = pc_system_residual(s, r, d, NULL);
  if (residual < best->residual) {
    best->residual = residual;
    if (r != s->r)
      memcpy(s->r, r, sizeof(double) * (size_t)s->rows);
  }
  return residual;
}

double pc_best_finish(const pc_best *best, pc_system *s)
{
  if (s->bodies > 0)
    pc_system_motion(s, s->r, s->y);
  return best->residual;
}

void pc_rate_add(pc_rate *rate, double residual)
{
  rate->history[rate->count++ % 8] = residual;
}

bool pc_rate_converged(const pc_rate *rate, const pc_system *s, double residual, double tolerance)
{
  int steps = rate->count < 8 ? rate->count - 1 : 7;
  if (!(residual <= tolerance) || residual == 0 || steps < 2 || !s->convex)
    return residual <= tolerance;
  double first = rate->history[(rate->count - 1 - steps) % 8];
  double per_block = pow(fmin(1, residual / first), 1.0 / steps);
  return residual <= tolerance * fmin(0.1, fmax(0.2 * (1 - per_block) / per_block, 0.001));
}
