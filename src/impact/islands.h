// The parts of a problem that do not act on each other, each as a system of its own. Bodies of
// infinite mass join nothing.
#ifndef PERCUSS_IMPACT_ISLANDS_H
#define PERCUSS_IMPACT_ISLANDS_H

#include "impact/problem.h"
#include "impact/system.h"

typedef struct pc_islands {
  int count;
  pc_system *system;
  double *free_velocity; // U_free of the whole problem
  int blocked;           // interactions between immovable bodies that penetrate: no solution exists
  pc_arena arena;
} pc_islands;

// `stiffness` multiplies every coefficient of the laws (1, or large in the quasi-static mode).
pc_status pc_islands_build(pc_impact *problem, double stiffness, bool warm, pc_islands *islands);
void pc_islands_free(pc_islands *islands);
// Writes U+ and P of one island into the problem.
void pc_system_scatter(const pc_system *system, pc_impact *problem);

// The law of an interaction for rows multiplied by row_scale, with coefficients times stiffness.
void pc_block_law_scaled(const pc_interaction_data *from, const double *row_scale,
                         const double *before, double stiffness, pc_block_law *law);

#endif
