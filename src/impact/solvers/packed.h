// Sweeps over packs (packs.h), for large islands of simple contacts and tolerances that a run asks
// for. The same residual as the other solvers.
#ifndef PERCUSS_IMPACT_PACKED_H
#define PERCUSS_IMPACT_PACKED_H

#include "impact/islands.h"
#include "impact/solvers/solver.h"

// At most limits->max_iterations sweeps, with those that result->iterations has already. Leaves U+
// and P in the problem.
pc_status pc_solve_packed(pc_impact *problem, const pc_islands *islands, int island,
                          const pc_solver_limits *limits, bool warm, int threads, int sweep_threads,
                          pc_arena *arena, pc_solver_result *result, pc_error *error);

#endif
