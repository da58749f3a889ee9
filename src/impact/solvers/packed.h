// Sweeps over packs (packs.h), for large islands of simple contacts and tolerances that a run asks
// for. The same residual as the other solvers.
#ifndef PERCUSS_IMPACT_PACKED_H
#define PERCUSS_IMPACT_PACKED_H

#include "impact/solvers/solver.h"

// At most limits->max_iterations sweeps, with those that result->iterations has already. Leaves U+
// and P in the problem.
pc_status pc_solve_packed(const pc_island_task *task, const pc_solver_limits *limits, bool warm,
                          int sweep_threads, pc_solver_result *result, pc_error *error);

#endif
