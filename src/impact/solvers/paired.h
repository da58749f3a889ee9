// Sweeps by pairs of bodies (pairs.h), for large convex islands.
#ifndef PERCUSS_IMPACT_PAIRED_H
#define PERCUSS_IMPACT_PAIRED_H

#include "impact/islands.h"
#include "impact/solvers/solver.h"

// Leaves U+ and P in the problem. *suits is false, and nothing is done, where packs do as well:
// spheres, and viscous friction that is strong against the masses.
pc_status pc_solve_paired(pc_impact *problem, const pc_islands *islands, int island,
                          const pc_solver_limits *limits, bool warm, int threads, pc_arena *arena,
                          bool *suits, pc_solver_result *result, pc_error *error);

#endif
