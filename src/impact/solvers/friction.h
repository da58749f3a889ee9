// Direct solvers for islands with Coulomb friction: an interior point on the problem itself (not on
// a sequence of convex ones) and semismooth Newton to finish. Both take Newton steps on the rows
// (steps.h) and both take every law.
#ifndef PERCUSS_IMPACT_FRICTION_H
#define PERCUSS_IMPACT_FRICTION_H

#include "impact/solvers/pieces.h"
#include "impact/solvers/solver.h"
#include "impact/solvers/steps.h"

// The law of one contact with Coulomb friction in hat variables: x = (mu rho, r_T) and
// z = (z0, v_T), v_T = D_T + shift, both in the cone |.T| <= .0, and x.z = 0. rho is r_N, or its
// positive part where the normal law may also pull; z0 appears nowhere else. Sticking: x inside, z
// = 0. Sliding: both on the boundary, opposed. Open: x = 0. Rolling friction is a second cone like
// it, with the moment, the spin and mu_r.
typedef struct pc_cone {
  int interaction, row, size; // size: 2 or 3 numbers
  int base;                   // its tangential rows are base + 1 ..: `row` unless it rolls
  double mu;
  bool pulls;
  double rho, drho;
  double z[3], dz[3], dx[3];
  double w[3], eta;    // Nesterov and Todd's scaling
  double c[3];         // right-hand side, in scaled space
  double follow, lead; // drho = follow dr_N + lead
  double affine_x[3], affine_z[3];
  double affine_rho; // product of the affine changes of rho and rho - r_N
} pc_cone;

typedef struct pc_friction {
  pc_system *s;
  pc_steps steps; // in the form that suits the island best
  int cones, pieces;
  int working; // pieces in use
  pc_cone *cone;
  pc_piece_state *piece;
  double *a, *d0; // quadratic part of each row
  bool *equality; // rows d = d0
  double *r, *d, *y, *g, *dr, *dd, *map, *trial, *trial_d, *kept;
  double *from, *from_d, *breaks; // Newton's
  double smooth;                  // products of cones over those of pieces: 1 but on paths
  double soft, *anchor;           // all equations with D + soft (r - anchor) for D; 0: as they are
  double lowest;                  // residual of the interior point
  int idle;
  bool stuck;
  pc_best best;   // of the present attempt, its point is system->r
  double reached; // best of all, its point is `kept`
  double least;   // no motion has a smaller residual, see pc_friction_conflict
  int sweeps;
  double budget, most_steps; // what all attempts may cost, and take, together
} pc_friction;

// Ready to solve, with the better form of steps. Free it also after an error.
pc_status pc_friction_open(pc_friction *f, pc_system *system, pc_error *error);
void pc_friction_free(pc_friction *f);
// What the interior point costs, in sweeps; the mean of mu.
double pc_friction_cost(const pc_friction *f);
double pc_friction_mean(const pc_friction *f);

// The budget. `allow` gives a new one for what follows, small if iterations are limited to `most`
// (0: not); what was spent before does not count. `doubt` lowers it because there need not be a
// solution. `afford` says how many of `most` factorisations are left.
void pc_friction_allow(pc_friction *f, int most);
void pc_friction_doubt(pc_friction *f);
int pc_friction_afford(const pc_friction *f, int most);

// The stages of a plan (friction_stages.c). Each keeps what it finds, if it is the best of all.
// From now on system->r is the best point of all.
void pc_friction_begin(pc_friction *f);
// The interior point, at most so many steps. Newton takes over as soon as it can.
pc_status pc_friction_start_interior(pc_friction *f, double tolerance, int most, bool walks);
// Newton, or sweeps, from the best point of all. `walks`: on through the valley where Newton ends.
pc_status pc_friction_finish(pc_friction *f, double tolerance, int most, bool walks);
pc_status pc_friction_sweep_on(pc_friction *f, double tolerance, int most, pc_error *error);

// What the methods below share.
// Sweeps from system->r, which are the present attempt then.
pc_status pc_friction_sweep(pc_friction *f, double tolerance, int most, pc_error *error);
// Keeps the best point of the present attempt if it is the best of all.
void pc_friction_keep(pc_friction *f);

// The interior point, from a start of its own and then on from where it stopped; offers what it
// finds to f->best. Stops at the tolerance, after `most` steps, or for good (f->stuck).
pc_status pc_friction_interior_begin(pc_friction *f);
pc_status pc_friction_interior(pc_friction *f, double tolerance, int most);
// Its parts. The equations for products of `target`, the direction from them once they are
// factorised, how far it may be followed, and following it.
bool pc_friction_scale(pc_friction *f);
void pc_friction_eliminate(pc_friction *f, double target, bool correct);
void pc_friction_direction(pc_friction *f);
void pc_friction_keep_affine(pc_friction *f);
double pc_friction_room(const pc_friction *f, double step);
void pc_friction_move(pc_friction *f, double step);
// z_T and rho from f->d and f->r, with this much more where the law may pull; gives |z_T|.
double pc_cone_start(const pc_friction *f, pc_cone *c, double push);
void pc_cone_aim(const pc_friction *f, pc_cone *c, double target, bool correct);
void pc_cone_scaled(const pc_cone *c, double sign, const double *x, double *out);
// The equations of one interaction for the next factorisation.
void pc_friction_set(pc_friction *f, int k, const pc_turned_law *law);
// d += soft (r - anchor)
void pc_friction_soften(const pc_friction *f, const double *r, double *d);
// Sweeps from a state of stress, with Newton at their end; keeps what it finds.
pc_status pc_friction_stress(pc_friction *f, double tolerance, pc_error *error);
// Whether there is a solution. *rests: all contacts can be at rest at once, and there is one to any
// tolerance. Else f->least is above the tolerance if the constraints contradict each other by more
// than that.
pc_status pc_friction_conflict(pc_friction *f, double tolerance, bool *rests, pc_error *error);
// The same of a system by itself: then no answer has a residual below *least, which is 0 otherwise.
pc_status pc_system_conflict(pc_system *system, double tolerance, double *least, pc_error *error);
// Follows several paths from their beginning, and the flow from the best point, in turns, at most
// so many steps; keeps what it finds.
pc_status pc_friction_path(pc_friction *f, double tolerance, int most, pc_error *error);
// Sweeps in large steps of time (friction_flow.c), from some percussions and then on from where it
// stopped, so many factorisations; keeps what it finds.
typedef struct pc_flow_state {
  double *at;  // percussions, memory of the caller
  double soft; // 1 / (step of time)
  double aim;  // residual from which Newton tries to finish
  int careful; // steps to come that grow slowly
  bool over;
} pc_flow_state;
void pc_friction_flow_begin(pc_flow_state *flow, const pc_friction *f, const double *from);
pc_status pc_friction_flow(pc_friction *f, pc_flow_state *flow, double tolerance, int most);
// Newton from the best point (system->r), at most `most` factorisations; from the tolerance on as
// long as every step helps. Does not touch the state of the interior point.
pc_status pc_friction_newton(pc_friction *f, double tolerance, int most);
// Newton's steps from the best point through a flat valley of the residual, which may grow on the
// way: redundant contacts, such as the four of a face that slides, hand their load over to each
// other until one of them opens, and while the load moves friction turns.
pc_status pc_friction_walk(pc_friction *f, double tolerance, int most);
// Whole steps of Newton's on the softened equations, from the anchor, until their residual is below
// `goal` or it is clear that they do not converge; the last point is in f->from.
pc_status pc_friction_newton_soft(pc_friction *f, double goal, int most, bool *reached);

#endif
