// One impact problem: from velocities before and interactions with laws to velocities after, with a
// check of the energy balance (the audit).
//
//     M (U+ - U-) = P_ext - sum B_k^T P_k,     P_k in dPhi_k(D_k(mean U)),     D_k = B_k U + w_k
//
// Add bodies and interactions, solve, read the answer. Units are SI. A problem may be changed and
// solved again; it may be used by one thread at a time.
#ifndef PERCUSS_IMPACT_H
#define PERCUSS_IMPACT_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/law.h"
#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_impact pc_impact;

enum { PC_MAX_DOF = 6, PC_MAX_ROWS = 6, PC_OBSTACLE = -1 };

pc_impact *pc_impact_create(void); // NULL if memory runs out
void pc_impact_destroy(pc_impact *problem);
// Removes all bodies and interactions but keeps the memory for the next step of a run.
void pc_impact_clear(pc_impact *problem);
// Reserves memory for this many bodies and interactions.
pc_status pc_impact_reserve(pc_impact *problem, int bodies, int interactions);
// Why the last call failed, or why its answer is not a solution; "" otherwise.
const char *pc_impact_error(const pc_impact *problem);

// A body: dof 1 [v], 2 [vx, vy], 3 [vx, vy, spin], 6 [vx, vy, vz, wx, wy, wz]. `mass` and `inertia`
// may be INFINITY: such a velocity does not change and carries no kinetic energy. With `matrix`
// (dof x dof, symmetric positive definite, row by row) mass and inertia are ignored and dof may be
// 1 to 6: the velocities are generalised ones, for explicit rows only.
typedef struct pc_impact_body {
  int dof;
  double mass;
  double inertia[9];    // dof 3: [0]; dof 6: world matrix, row by row
  double position[3];   // of the centre of mass
  double velocity[6];   // U-
  double percussion[6]; // P_ext
  const double *matrix;
} pc_impact_body;
pc_impact_body pc_impact_body_default(void); // dof 6, mass 1, unit inertia, at rest at the origin
int pc_impact_add_body(pc_impact *problem, const pc_impact_body *body); // its index, or -1

// A mass block between two bodies, for a mass matrix that is not block-diagonal: dof_i x dof_j, row
// by row; added to what is there already.
pc_status pc_impact_couple_mass(pc_impact *problem, int i, int j, const double *block);

typedef enum pc_interaction_type { PC_CONTACT, PC_DISTANCE, PC_SPIN, PC_ROWS } pc_interaction_type;

// One term of an explicit interaction: D += coefficients * velocity(body); rows x dof, row by row.
typedef struct pc_row_term {
  int body;
  const double *coefficients;
} pc_row_term;

typedef struct pc_interaction {
  pc_interaction_type type;
  int bodies[2];       // the second may be PC_OBSTACLE
  double point[3];     // contact point, in world axes
  double normal[3];    // contact: from the second body to the first; its length does not matter
  double points[2][3]; // distance: A on the first body, B on the second; D = 2 (V(A) - V(B)) . BA
  int rows;  // explicit rows: 1 to 3. Row 0 has the normal law, the others the tangential one. With
             // rolling friction 5, or 3 in the plane: normal, sliding, rolling
  int terms; // explicit rows
  const pc_row_term *term;
  bool unilateral;           // explicit rows: add D_0+ >= b
  double given[PC_MAX_ROWS]; // w_k: minus the given velocity of a moving obstacle, in the order of
                             // pc_interaction_answer
  double bound; // b_k of the unilateral condition or of the bilateral law; 0 at velocity level
  double guess[PC_MAX_ROWS]; // P_k to start from with `warm_start`, as in pc_interaction_answer
  pc_law law; // distance and spin use law.normal alone: quadratic, power (distance) or bilateral
} pc_interaction;
pc_interaction
pc_interaction_default(pc_interaction_type type); // contact: inelastic without friction
int pc_impact_add_interaction(pc_impact *problem,
                              const pc_interaction *interaction); // its index, or -1

// For a problem stated by its response (Delassus) operator, without bodies: explicit rows with no
// terms, `given` = free velocity, and u_k += block r_l with r = -P; rows_k x rows_l, row by row,
// for every block that is not zero, the diagonal ones included.
pc_status pc_impact_couple_response(pc_impact *problem, int k, int l, const double *block);

int pc_impact_bodies(const pc_impact *problem);
int pc_impact_interactions(const pc_impact *problem);
int pc_impact_dof(const pc_impact *problem, int body);
pc_interaction_type pc_impact_interaction_type(const pc_impact *problem, int interaction);
// Change U- or P_ext of a body between two solves.
pc_status pc_impact_set_velocity(pc_impact *problem, int body, const double *velocity);
pc_status pc_impact_set_percussion(pc_impact *problem, int body, const double *percussion);

// The solvers, as X(identifier, name, description). Every list of their names is made from this
// one.
#define PC_SOLVERS(X)                                                                              \
  X(AUTO, "auto", "sweeps of nsgs while they pay, then ipm")                                       \
  X(APGD, "apgd", "accelerated projected gradient, for every law")                                 \
  X(IPM, "ipm", "interior point, for every law")                                                   \
  X(NSGS, "nsgs", "Gauss-Seidel, contact by contact, for every law")                               \
  X(UZAWA, "uzawa", "projected steps on all contacts at once, for every law")
// Their names in this order, with NULL at the end.
const char *const *pc_solver_names(void);

typedef struct pc_solve_options {
  const char *solver; // one of pc_solver_names
  double tolerance;   // on the residual, relative to the free velocity
  // m/s: accepted error of the contact conditions, which ends the solve for moving islands. Islands
  // at rest are solved to the tolerance, because errors would accumulate as creep.
  // 0: use the tolerance only.
  double accuracy;
  bool accuracy_alone; // moving islands do not stop at the tolerance if that is reached first
  int max_iterations;  // 0: the solver's own limit
  bool quasi_static;   // neglect inertia (book, remark 2.11)
  bool warm_start;     // start from the percussions of the last solve, or from the guesses
  bool gives_up;       // end sweeps over a large island early when they gain almost nothing
  bool unaudited;      // skip the energy check, and with it the reactions in the answers
  int threads;         // 0: one; the answer does not depend on it
} pc_solve_options;
pc_solve_options pc_solve_options_default(void); // auto, 1e-10

typedef enum pc_solve_status { PC_SOLVED, PC_INACCURATE, PC_FAILED } pc_solve_status;
const char *pc_solve_status_name(pc_solve_status status);

// The energy balance and other checks of an answer, recomputed from the problem and not from the
// solver's own quantities: KE+ - KE- = work_external + work_prescribed - dissipated.
typedef struct pc_audit {
  double kinetic_before, kinetic_after;
  double work_external;          // P_ext . mean U
  double work_prescribed;        // by moving obstacles and bodies of infinite mass
  double dissipated;             // sum of P_k . D_k(mean U), of which:
  double dissipated_signed;      // interactions whose law and D_N^- guarantee a sign
  double dissipated_separating;  // contacts that were separating (D_N^- > 0), closed by their
                                 // neighbours
  double dissipated_restitution; // Coulomb on Moreau's mean, with restitution
  double dissipated_friction;    // Coulomb on the velocity after
  double dissipated_bounds;      // ties, and b_k > 0: position correction
  double identity;               // |KE+ - KE- - work + dissipated| over the sum of the terms' sizes
  double momentum;        // |M (U+ - U-) - P_ext + sum B^T P| over the sum of the terms' sizes
  double complementarity; // largest |reaction (D_N+ - b)| over the kinetic energy scale
  double penetration;     // largest violation of D_N+ >= b, m/s
  double mass;            // of the bodies that can move, without those that have a matrix, kg
  int wrong_signs;        // guaranteed dissipations found negative beyond round-off
  bool closed;            // identity and momentum at round-off, no wrong sign
} pc_audit;

typedef struct pc_solve_info {
  pc_solve_status status;
  const char *solver; // the one that gave the answer
  int iterations;     // sweeps, steps or factorisations, the largest over the islands
  int islands;
  double residual; // natural map of the laws, in scaled units, over the free velocity
  double missed;   // largest error of a contact condition, or a bound of it, m/s
  // An estimate of the velocity error |U+ - U*|_M in sqrt(kg) m/s. It costs nothing and is usually
  // within a factor of ten. pc_impact_certify bounds it.
  double velocity_error;
  double time_s;
  pc_audit audit;
} pc_solve_info;

// PC_OK with status PC_SOLVED or PC_INACCURATE (the best iterate is in the answer); an error
// otherwise. `options` NULL: the defaults.
pc_status pc_impact_solve(pc_impact *problem, const pc_solve_options *options, pc_solve_info *info);

// How far an answer is from the exact one: the error of the velocities in the energy norm,
// |U+ - U*|_M = sqrt(sum m |dU|^2), in sqrt(kg) m/s; docs/theory/errors.md.
typedef struct pc_certificate {
  bool certified;     // `least` <= the error <= `bound`, with all round-off of the check counted
  const char *reason; // why it is not certified; NULL if it is
  double bound, least;
  double estimate; // of the error, without the uncertainty of the check itself
  double rms;      // bound / sqrt(mass of all that moves), m/s
  // What the bound is for. U* is the one solution of the problem as stated if both are zero.
  double shift; // largest change of a bound b_k or a tie, which cannot be met exactly in numbers
  bool frozen;  // Coulomb: U* has given thresholds of friction, mu times the normal percussions of
                // a second solution. For Coulomb's own law, which may have many, it is an estimate.
} pc_certificate;
// Bounds the error of the last answer: solves the problem again to machine precision and verifies
// the result in interval arithmetic. The answer does not change. Of the options (may be NULL),
// max_iterations and threads are used.
pc_status pc_impact_certify(pc_impact *problem, const pc_solve_options *options,
                            pc_certificate *certificate);

// The answer. `velocity` receives dof numbers; unchanged for an unknown body.
void pc_impact_velocity(const pc_impact *problem, int body, double *velocity);

typedef struct pc_interaction_answer {
  // How many numbers the vectors below have. A contact has 1, 2 or 3 (space), in world axes; with
  // rolling friction those of its moment and spin follow, 3 more in space, one in the plane. A spin
  // is in world axes too; other types have one number per row.
  int size;
  double percussion[PC_MAX_ROWS];  // P_k; P.N <= 0 pushes apart
  double deformation[PC_MAX_ROWS]; // D_k(mean U)
  double after[PC_MAX_ROWS];       // D_k(U+)
  double reaction;                 // part of P_N due to non-penetration
  double dissipated;               // P_k . D_k(mean U)
  bool signed_law;                 // the law guarantees dissipated >= 0 here
} pc_interaction_answer;
void pc_impact_answer(const pc_impact *problem, int interaction, pc_interaction_answer *answer);
// Only the impulse (percussion) of that answer, three numbers: the guess for the next step.
// pc_impact_moment: the moment of a contact with rolling friction, three numbers in world axes,
// zeros otherwise.
void pc_impact_percussion(const pc_impact *problem, int interaction, double *percussion);
void pc_impact_moment(const pc_impact *problem, int interaction, double *moment);
// Only the dissipated energy of that answer.
double pc_impact_dissipated(const pc_impact *problem, int interaction);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
