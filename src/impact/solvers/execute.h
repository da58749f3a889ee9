// Runs the plan of an island (policy.h), stage by stage.
#ifndef PERCUSS_IMPACT_EXECUTE_H
#define PERCUSS_IMPACT_EXECUTE_H

#include "impact/islands.h"
#include "impact/solvers/policy.h"

typedef struct pc_island_task {
  pc_impact *problem;
  const pc_islands *islands;
  int island;
  double stiffness; // times every coefficient, see pc_island_system
  int threads;      // that may work on this island
  pc_arena *arena;  // for what is needed meanwhile
} pc_island_task;

// Leaves U+ and P of the island in the problem. *active is false if nothing was to be done: no
// rows, or no motion.
pc_status pc_island_solve(const pc_island_task *task, const pc_island_traits *traits, bool *active,
                          pc_solver_result *result, pc_error *error);

#endif
