// Regularised semismooth Newton on the natural map of convex laws: the finisher of the other
// solvers. From a point with the right statuses it reaches round-off in one or two steps.
#ifndef PERCUSS_IMPACT_NEWTON_H
#define PERCUSS_IMPACT_NEWTON_H

#include "impact/solvers/kkt.h"
#include "impact/solvers/solver.h"

typedef struct pc_newton {
  pc_system *system;
  pc_kkt *kkt;
  double *stiffness, *offset, *from, *trial, *d, *rows; // per row
  double *y, *dy;                                       // per degree of freedom
} pc_newton;

bool pc_newton_create(pc_newton *newton, pc_system *system, pc_kkt *kkt);
// From the best point, as long as it helps; what it finds is offered to `best`.
pc_status pc_newton_finish(pc_newton *newton, pc_best *best);

// The last digits of light bodies between heavy ones: their velocities cannot be had from
// percussions, which are too large to hold them. Newton's steps on velocities and percussions side
// by side; if that is better, system->y keeps the velocities.
pc_status pc_newton_settle(pc_newton *newton, pc_best *best);

#endif
