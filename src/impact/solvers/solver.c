// The names of the solvers, and what the methods share.
#include "impact/solvers/solver.h"

#include <math.h>
#include <string.h>

#include "impact/solvers/tuning.h"

const char *const *pc_solver_names(void)
{
#define NAME(identifier, name, description) name,
  static const char *const names[] = {PC_SOLVERS(NAME) NULL};
#undef NAME
  return names;
}

pc_solver_id pc_solver_find(const char *name)
{
  const char *const *names = pc_solver_names();
  int i = 0;
  while (i < PC_SOLVER_COUNT && strcmp(name, names[i]) != 0)
    i++;
  return (pc_solver_id)i;
}

double pc_best_offer(pc_best *best, pc_system *s, const double *r, double *y, double *d)
{
  if (s->bodies > 0)
    pc_system_motion(s, r, y);
  pc_system_deformation(s, r, y, d);
  double residual = pc_system_residual(s, r, d, NULL);
  if (residual < best->residual) {
    best->residual = residual;
    best->settled = false;
    if (r != s->r)
      memcpy(s->r, r, sizeof(double) * (size_t)s->rows);
  }
  return residual;
}

double pc_best_finish(const pc_best *best, pc_system *s)
{
  if (s->bodies > 0 && !best->settled)
    pc_system_motion(s, s->r, s->y);
  return best->residual;
}

double pc_solver_aim(int rows, double tolerance)
{
  bool polish = tolerance <= pc_polished_tolerance && rows <= PC_POLISHED_ROWS;
  return polish ? fmin(tolerance, pc_polished_residual) : tolerance;
}

int pc_solver_iterations(const pc_system *s, const pc_solver_limits *limits)
{
  if (limits->max_iterations > 0)
    return limits->max_iterations;
  return (int)fmax(PC_LEAST_ITERATIONS, fmin(PC_MOST_ITERATIONS, pc_iterative_work / s->rows));
}
