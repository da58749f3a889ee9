// Which methods solve an island, in which order, for how long. Traits of the island in, a plan out;
// execute.c runs it. Nothing here looks at a clock, so answers repeat.
//
// Some traits cost something to know, so a plan is made in up to three parts: from the island as it
// was found; from its system of rows, once packed sweeps have missed or do not suit; and from the
// matrix of an interior point, once the first sweeps with friction have missed. A part that ends
// with PC_STATE_SYSTEM or PC_ANALYSE_MATRIX is followed by the next one.
#ifndef PERCUSS_IMPACT_POLICY_H
#define PERCUSS_IMPACT_POLICY_H

#include "impact/solvers/friction.h"
#include "impact/solvers/solver.h"

typedef struct pc_island_traits {
  // What the caller asks for.
  pc_solver_id solver;
  double tolerance;
  double accuracy;       // m/s, see pc_solve_options
  bool accuracy_alone;   // the same
  int max_iterations;    // 0: no limit
  bool warm;             // starts from the last answer, as in a loop of steps
  bool gives_up;         // sweeps over large islands may end when they gain next to nothing
  bool quasi_static;     // inertia is neglected
  bool coupled_masses;   // some bodies of the problem are coupled by mass
  bool stated_responses; // some interactions of it are stated by their response

  // The island.
  int rows, interactions, contacts, bodies; // contacts: interactions that are not folded (fold.h)
  bool packable;                            // all contacts can be packed (packs.h) or folded
  bool convex;                              // no law is Coulomb's
  bool plane;                               // all of it is in the plane
  pc_island_speed speed;                    // see pc_policy_needs_speeds
  bool lot;                                 // several small islands, solved together
  bool settled;                             // the guess is the answer of the last solve

  // As a system of rows (system.h).
  double aim;   // the tolerance of its solvers, see pc_policy_aim
  bool coupled; // by mass
  bool rolls;   // some rolling friction
  // Of a coupled mass: operations and numbers to condense it, operations to factorise it.
  double condense_flops, condense_numbers, mass_flops;

  // The matrix of the interior point with friction.
  double interior_sweeps; // what the interior point costs, in sweeps
  double friction;        // mean mu
} pc_island_traits;

typedef enum pc_solver_method {
  // They find out more and go on with the next part of the plan.
  PC_STATE_SYSTEM,   // whitens and scales the rows
  PC_ANALYSE_MATRIX, // of the interior point with friction
  PC_CONDENSE,       // coupled masses become a response; the plan goes on
  // They solve.
  PC_PAIRED_SWEEPS,    // paired.c, for bodies with faces: several contacts at once; else nothing
  PC_PACKED_SWEEPS,    // packed.c
  PC_SWEEPS,           // nsgs.c
  PC_SWEEPS_IN_SLICES, // the same, as long as they promise to be done within the budget
  PC_GRADIENTS,        // gradients.c, with cones (apgd)
  PC_AFRESH,           // the same from zero, then sweeps; the better of the points is kept
  PC_PROJECTED_STEPS,  // gradients.c, law by law (uzawa)
  PC_CONVEX_INTERIOR,  // ipm.c
  PC_CONTRADICTION,    // friction_conflict.c: whether there is a solution
  // The direct methods for friction; they share a budget and the best point of all.
  PC_FRICTION_FINISH,   // friction_newton.c, from the best point
  PC_FRICTION_INTERIOR, // friction_ipm.c, with Newton
  PC_FRICTION_CONFLICT, // friction_conflict.c: ends the plan if there is no solution, lowers the
                        // budget if there need not be one
  PC_FRICTION_STRESS,   // friction_stress.c
  PC_FRICTION_PATHS,    // friction_path.c, friction_flow.c
  PC_FRICTION_SWEEPS    // nsgs.c, from the best point
} pc_solver_method;

// A stage runs if the residual so far is above `above` and, unless that is 0, below `below`.
typedef struct pc_solver_stage {
  pc_solver_method method;
  pc_solver_limits limits; // what it aims at, and for how long: sweeps, steps or factorisations
  double above, below;
  pc_solver_id solver; // PC_STATE_SYSTEM: the solver that the plan goes on with
  bool counts_sweeps;  // PC_STATE_SYSTEM: packed sweeps are part of the iterations reported
  bool walks;          // Newton's end is followed by a walk (friction_newton.c)
} pc_solver_stage;

enum { PC_MOST_STAGES = 24 };

typedef struct pc_solver_plan {
  int count;
  pc_solver_stage stage[PC_MOST_STAGES];
} pc_solver_plan;

// Small islands of up to so many rows are put into lots (0: none), and whether those with friction
// are too.
int pc_policy_lot_rows(const pc_island_traits *traits);
bool pc_policy_lots_have_friction(const pc_island_traits *traits);
// Large islands are solved one after the other with all threads, the others side by side.
bool pc_policy_is_large(const pc_island_traits *traits);
// Whether the plan depends on how fast the island moves, which costs a loop over its bodies.
bool pc_policy_needs_speeds(const pc_island_traits *traits);
// The accuracy of the island: that of the caller, but no more than a part of what external
// percussions do in the step. 0: the tolerance decides.
double pc_policy_accuracy(const pc_island_traits *traits);
// The speed below which the bodies of an island that was solved are at rest: what an exact answer
// leaves of velocities is round-off of the percussions. 0: they are not.
double pc_policy_rest_speed(const pc_island_traits *traits, const pc_solver_result *result);
// The tolerance of the solvers of a system: that of the caller, or a tighter one where it is cheap.
double pc_policy_aim(const pc_island_traits *traits);
// Whether coupled masses are worth a look at what condensing them would cost.
bool pc_policy_may_condense(const pc_island_traits *traits);

// The three parts of a plan.
void pc_policy_plan_island(const pc_island_traits *traits, pc_solver_plan *plan);
void pc_policy_plan_system(const pc_island_traits *traits, pc_solver_plan *plan);
void pc_policy_plan_direct(const pc_island_traits *traits, pc_solver_plan *plan);

#endif
