// Sweeps by pairs of bodies (pairs.h), for large convex islands.
#ifndef PERCUSS_IMPACT_PAIRED_H
#define PERCUSS_IMPACT_PAIRED_H

#include "impact/solvers/solver.h"

// Leaves U+ and P in the problem. *suits is false, and nothing is done, where packs do as well:
// spheres, and viscous friction that is strong against the masses.
pc_status pc_solve_paired(const pc_island_task *task, const pc_solver_limits *limits, bool warm,
                          bool *suits, pc_solver_result *result, pc_error *error);

#endif
