// auto: sweeps while they pay, then the interior point where the laws are convex.
//
// What pays is decided by counts of operations, never by clocks, so that answers repeat.
#include <math.h>

#include "impact/solvers/solver.h"

pc_status pc_solve_auto(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                        pc_error *error)
{
  if (!s->convex || s->bodies == 0)
    return pc_solve_nsgs(s, limits, result, error);
  // A small island costs the interior point a few microseconds a step; a large one is worth some
  // hundred sweeps first.
  int sweeps = s->coupled ? 0 : s->interactions <= 4 ? 10 : s->interactions < 1000 ? 25 : 400;
  pc_solver_limits first = {limits->tolerance, sweeps};
  pc_solver_result by_sweeps = {.residual = INFINITY};
  if (sweeps > 0) {
    pc_status status = pc_solve_nsgs(s, &first, &by_sweeps, error);
    if (status != PC_OK || by_sweeps.converged) {
      *result = by_sweeps;
      return status;
    }
  }
  pc_status status = pc_solve_ipm(s, limits, result, error);
  result->iterations += by_sweeps.iterations;
  return status;
}
