// Runs the plan of an island (policy.h), stage by stage.
#ifndef PERCUSS_IMPACT_EXECUTE_H
#define PERCUSS_IMPACT_EXECUTE_H

#include "impact/solvers/policy.h"

// Leaves U+ and P of the island in the problem. *active is false if nothing was to be done: no
// rows, or no motion.
pc_status pc_island_solve(const pc_island_task *task, const pc_island_traits *traits, bool *active,
                          pc_solver_result *result, pc_error *error);

#endif
