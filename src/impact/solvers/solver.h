// One interface for all solvers: they start from system->r and leave their best answer in
// system->r and system->y.
#ifndef PERCUSS_IMPACT_SOLVER_H
#define PERCUSS_IMPACT_SOLVER_H

#include "impact/system.h"

typedef struct pc_solver_result {
  const char *name;
  int iterations;
  double residual;
  bool converged;
} pc_solver_result;

typedef struct pc_solver_limits {
  double tolerance;
  int max_iterations; // 0: the solver's own
} pc_solver_limits;

typedef pc_status pc_solver(pc_system *system, const pc_solver_limits *limits,
                            pc_solver_result *result, pc_error *error);

pc_solver pc_solve_auto, pc_solve_ipm, pc_solve_nsgs, pc_solve_uzawa;

// NULL if there is no solver of that name.
pc_solver *pc_solver_named(const char *name);

// The best point seen. `offer` evaluates motion, deformation and residual at r (y and d hold them
// afterwards) and copies r into system->r when it is the best; `finish` leaves its motion in
// system->y and gives its residual.
typedef struct pc_best {
  double residual;
} pc_best;
double pc_best_offer(pc_best *best, pc_system *system, const double *r, double *y, double *d);
double pc_best_finish(const pc_best *best, pc_system *system);

// Sweeps and steps that stall are finished by Newton where the laws are convex. `create` is cheap,
// the matrix is only analysed by the first call of `finish`.
typedef struct pc_finisher pc_finisher;
pc_finisher *pc_finisher_create(pc_system *system, pc_arena *arena);
pc_status pc_finisher_try(pc_finisher *finisher, pc_best *best, pc_error *error);
void pc_finisher_free(pc_finisher *finisher);

// A small residual with slow progress hides a larger error in the velocities. Where the solution is
// unique (convex laws) the test is sharpened by the measured rate q per block: converged when
// residual <= tolerance min(1/10, (1 - q)/(5 q)), and at a thousandth of it in any case.
typedef struct pc_rate {
  double history[8];
  int count;
} pc_rate;
void pc_rate_add(pc_rate *rate, double residual);
bool pc_rate_converged(const pc_rate *rate, const pc_system *system, double residual,
                       double tolerance);

#endif
