// One interface for all solvers: they start from system->r and leave their best answer in
// system->r and system->y.
#ifndef PERCUSS_IMPACT_SOLVER_H
#define PERCUSS_IMPACT_SOLVER_H

#include "impact/system.h"

typedef struct pc_solver_result {
  const char *name;
  int iterations;
  double residual;
  double least; // no answer has a smaller one; 0: not known
  bool converged;
} pc_solver_result;

typedef struct pc_solver_limits {
  double tolerance;
  int max_iterations; // 0: the solver's own
  bool gives_up;      // when sweeps gain next to nothing
  double enough;      // a residual that will do where the tolerance costs too much; 0: none
  bool alone;         // packs only: other threads solve other islands at the same time
} pc_solver_limits;

typedef pc_status pc_solver(pc_system *system, const pc_solver_limits *limits,
                            pc_solver_result *result, pc_error *error);

pc_solver pc_solve_apgd, pc_solve_auto, pc_solve_ipm, pc_solve_nsgs, pc_solve_uzawa,
    pc_solve_friction;

// Largest eigenvalue of W, from below; the start is fixed so that answers repeat. Needs room for
// rows, degrees of freedom and rows.
double pc_system_stiffness(const pc_system *system, double *x, double *y, double *d);

// Whether constraints contradict each other by more than the tolerance: then no answer has a
// residual below *least, which is 0 otherwise (friction_conflict.c).
pc_status pc_system_conflict(pc_system *system, double tolerance, double *least, pc_error *error);

// NULL if there is no solver of that name.
pc_solver *pc_solver_named(const char *name);

// The best point seen. `offer` evaluates motion, deformation and residual at r (y and d hold them
// afterwards) and copies r into system->r when it is the best; `finish` leaves its motion in
// system->y and gives its residual.
typedef struct pc_best {
  double residual;
  bool settled; // system->y belongs to it and is better than what r gives, see newton.h
} pc_best;
double pc_best_offer(pc_best *best, pc_system *system, const double *r, double *y, double *d);
double pc_best_finish(const pc_best *best, pc_system *system);

// Newton at the end of sweeps and steps, on islands of up to PC_POLISHED_ROWS rows with convex
// laws: when they stall (`try`), and when they have reached the tolerance (`done`). A small
// residual can hide a larger error in the velocities, so who asks for 1e-8 or better gets
// round-off: one or two Newton steps nearly always, else the iteration goes on for as long again.
// With friction it goes on a little, if need be: by the projection on De Saxce's cone, another
// measure of the same error, it is up to sqrt(1 + mu^2) times larger.
// The matrix is only analysed when it is first needed.
enum { PC_POLISHED_ROWS = 2000 };
double pc_solver_aim(const pc_system *system, double tolerance);
typedef struct pc_finisher pc_finisher;
pc_finisher *pc_finisher_create(pc_system *system, pc_arena *arena);
pc_status pc_finisher_try(pc_finisher *finisher, pc_best *best, pc_error *error);
// Sets *done when the iteration may end; may lower its limit.
pc_status pc_finisher_done(pc_finisher *finisher, pc_best *best, double tolerance, int iterations,
                           int *limit, bool *done, pc_error *error);
void pc_finisher_free(pc_finisher *finisher);

#endif
