// One interaction of an answer: D-, D+ and P, and what its law says about them. Recomputed from the
// problem as it was stated; nothing here uses what a solver kept.
#ifndef PERCUSS_IMPACT_INTERACTION_STATE_H
#define PERCUSS_IMPACT_INTERACTION_STATE_H

#include "impact/problem.h"

// Vectors are in the axes of answers: world axes for a contact, rows otherwise.
typedef struct pc_interaction_state {
  double before[PC_MAX_ROWS], after[PC_MAX_ROWS], percussion[PC_MAX_ROWS];
  double normal_before, normal_after, normal_percussion; // of row 0
  double bound;                                          // with restitution
  double reaction;                                       // the part of P due to non-penetration
  double size;      // of the velocities that D is a difference of
  bool admits_rest; // Phi(0) = 0: the sign of the normal dissipation is guaranteed
} pc_interaction_state;

void pc_interaction_state_of(const pc_impact *problem, const pc_interaction_data *data,
                             pc_interaction_state *state);

// The largest normal velocity before, or bound, of a contact or explicit rows; 0 for the others.
double pc_interaction_speed(const pc_impact *problem, const pc_interaction_data *data);

#endif
