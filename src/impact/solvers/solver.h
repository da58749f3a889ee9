// What all methods share: the names of the solvers, limits and results, the best point seen, and
// Newton at the end. A method starts from system->r and leaves its best answer in system->r and
// system->y.
#ifndef PERCUSS_IMPACT_SOLVER_H
#define PERCUSS_IMPACT_SOLVER_H

#include "impact/islands.h"
#include "impact/system.h"
#include "percuss/impact.h"

typedef enum pc_solver_id {
#define PC_SOLVER_ID(identifier, name, description) PC_SOLVER_##identifier,
  PC_SOLVERS(PC_SOLVER_ID)
#undef PC_SOLVER_ID
      PC_SOLVER_COUNT
} pc_solver_id;

// PC_SOLVER_COUNT if there is no solver of that name.
pc_solver_id pc_solver_find(const char *name);

typedef struct pc_island_task {
  pc_impact *problem;
  const pc_islands *islands;
  int island;
  double stiffness; // times every coefficient, see pc_island_system
  int threads;      // that may work on this island
  pc_arena *arena;  // temporary memory
} pc_island_task;

typedef struct pc_solver_result {
  pc_solver_id solver;
  int iterations;
  double residual;
  // How far contact conditions are missed, m/s: the most of all, or a bound of it; and the root of
  // the mean of squares.
  double missed, missed_mean;
  double misfit; // size of the natural map in the energy norm, or a bound of it, sqrt(kg) m/s
  double least;  // no answer has a smaller one; 0: not known
  bool converged;
} pc_solver_result;

// What an answer must reach: this residual or, if it is above 0, this accuracy.
typedef struct pc_solver_target {
  double residual;
  double accuracy; // m/s
} pc_solver_target;

typedef struct pc_solver_limits {
  pc_solver_target target; // packed sweeps alone look at its accuracy
  int max_iterations;      // 0: the method's own
  int settling;            // sweeps that improve a guess which stands, see pc_guess_stands
  // For packed sweeps:
  bool gives_up;           // when sweeps gain next to nothing
  bool steady;             // their momentum is a constant that is adapted, see packed.c
  pc_solver_target enough; // what will do where the target costs too much
} pc_solver_limits;

// How far a result is from a target: 1 or less has reached it.
double pc_target_distance(const pc_solver_target *target, const pc_solver_result *result);
// Whether it has reached this accuracy, which is not 0.
bool pc_is_accurate(const pc_solver_result *result, double accuracy);
// Whether a first guess meets the target and is to be improved, down to pc_exact_residual.
bool pc_guess_stands(const pc_solver_limits *limits, double residual);

typedef pc_status pc_solver(pc_system *system, const pc_solver_limits *limits,
                            pc_solver_result *result, pc_error *error);

// ipm is for convex laws and bodies, the others are for every law.
pc_solver pc_solve_apgd, pc_solve_ipm, pc_solve_nsgs, pc_solve_uzawa;

// The best point seen. `offer` evaluates motion, deformation and residual at r (y and d hold them
// afterwards) and copies r into system->r when it is the best; `finish` leaves its motion in
// system->y and gives its residual.
typedef struct pc_best {
  double residual;
  bool settled; // system->y belongs to it and is better than what r gives, see newton.h
} pc_best;
double pc_best_offer(pc_best *best, pc_system *system, const double *r, double *y, double *d);
double pc_best_finish(const pc_best *best, pc_system *system);

// The residual to aim at on a system of so many rows: machine precision at tight tolerances, see
// tuning.h.
double pc_solver_aim(int rows, double tolerance);
// Sweeps or steps without a limit of their own.
int pc_solver_iterations(const pc_system *system, const pc_solver_limits *limits);

// Newton at the end of sweeps and steps, on islands of up to PC_POLISHED_ROWS rows with convex
// laws: when they stall (`try`), and when they have reached the tolerance (`done`). With friction
// the iteration goes on a little, if need be: by the projection on De Saxce's cone, another measure
// of the same error, it is up to sqrt(1 + mu^2) times larger. The matrix is only analysed when it
// is first needed.
typedef struct pc_finisher pc_finisher;
pc_finisher *pc_finisher_create(pc_system *system);
pc_status pc_finisher_try(pc_finisher *finisher, pc_best *best, pc_error *error);
// Sets *done when the iteration may end; may lower its limit.
pc_status pc_finisher_done(pc_finisher *finisher, pc_best *best, double tolerance, int iterations,
                           int *limit, bool *done, pc_error *error);
void pc_finisher_free(pc_finisher *finisher);

#endif
