// Sweeps over packs (packs.h), for large islands of simple contacts and tolerances that a run asks
// for. The same residual as the other solvers.
#ifndef PERCUSS_IMPACT_PACKED_H
#define PERCUSS_IMPACT_PACKED_H

#include "impact/islands.h"
#include "impact/solvers/solver.h"

// Smaller islands are left to the other solvers, which go on to round-off.
enum { PC_PACKED_ROWS = 300 };
static const double pc_packed_tolerance = 1e-8; // and finer ones too

// Leaves U+ and P in the problem. `hand_over`: other solvers go on from there, so stop early.
pc_status pc_solve_packed(pc_impact *problem, const pc_islands *islands, int island,
                          const pc_solver_limits *limits, bool warm, bool hand_over, int threads,
                          int sweep_threads, pc_arena *arena, pc_solver_result *result,
                          pc_error *error);

#endif
