// The table of solvers and what they share.
#include "impact/solvers/solver.h"

#include <math.h>
#include <string.h>

#include "percuss/impact.h"

const char *const *pc_solver_names(void)
{
#define NAME(identifier, name, description) name,
  static const char *const names[] = {PC_SOLVERS(NAME) NULL};
#undef NAME
  return names;
}

pc_solver *pc_solver_named(const char *name)
{
  static const struct {
    const char *name;
    pc_solver *solver;
  } table[] = {{"apgd", pc_solve_apgd},
               {"auto", pc_solve_auto},
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

double pc_solver_aim(const pc_system *s, double tolerance)
{
  bool polish = tolerance <= 1e-8 && s->rows <= PC_POLISHED_ROWS;
  return polish ? fmin(tolerance, 1e-12) : tolerance;
}
