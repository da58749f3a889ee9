// Temperatures and phases of a shape memory alloy that vibrates (book, 10.11.3): the part of a
// motion (motion.h) that is not elastic. Free energy (10.51 to 10.53), with e = tr D(u) and
// d = b_1 - b_2:
//
//     1/2 D(u):K:D(u) - d tau(T) e - b_3 (L/T0) (T - T0) - C T ln T + (spread/2) |grad b|^2 + I(b)
//     tau(T) = (T - T_c) slope below T_c, 0 above;  slope <= 0
//
// Within 1 % of T_c a parabola joins the two branches, because energy and entropy contain dtau/dT.
//
// The stress is K D(u) - d tau 1: strain turns one martensite into the other. Fractions resist with
// c |db/dt|^2 / 2; heat is conducted and exchanged with the outside.
//
// A step of h is implicit. The motion finds u1 with the stress of the iterate before; then
//
//     T1, b1 by pc_fe_thermal_solve with resist / h, conduct h, drive = tau e1 (1, -1, 0), and
//     heat = - d tau [e] - [d g e] - tau e1 [d],        g = T dtau/dT - tau,   tau at T1
//
// until both stay. The energy that waves lose becomes heat, and
//
//     kinetic + 1/2 u K u + sum d g e + C T + L b_3 + (spread/2) |grad b|^2
//
// changes exactly by what the outside gives. Below T_c the heat is -T1 slope [d e], so the entropy
// sum C ln T + (L/T0) b_3 + d slope e grows in every step by the dissipation over T1.
#ifndef PERCUSS_CONTINUUM_ALLOY_H
#define PERCUSS_CONTINUUM_ALLOY_H

#include "continuum/dilation.h"
#include "continuum/thermal.h"

// Coefficients of `heat` are rates: conduct W/(m K), resist J s/m3, spread_change J s/m, exchange
// W/(m3 K). Media of one phase have slope 0.
typedef struct pc_fe_alloy_medium {
  pc_fe_thermal_medium heat;
  double slope;    // Pa/K, <= 0
  double critical; // T_c, K, > T0 where slope < 0
} pc_fe_alloy_medium;

typedef struct pc_fe_alloy_def {
  int media, surfaces;
  const pc_fe_alloy_medium *medium;
  const pc_fe_thermal_side *side; // exchange W/(m2 K)
  double tolerance;               // of a step's iteration, relative; 0: 1e-10
} pc_fe_alloy_def;

// Since the start, per metre of depth.
typedef struct pc_fe_alloy_account {
  double heat;             // change of C T + L b_3 + (spread/2) |grad b|^2, J/m
  double received;         // from outside, J/m
  double moved;            // sum of the sizes of the heats of all steps, J/m
  double entropy;          // change of C ln T + (L/T0) b_3 + d slope e, J/(K m)
  double entropy_received; // heat over the outside's temperature
  double produced;         // entropy - entropy_received; >= 0
  double least;            // the smallest that a step produced
  int iterations;          // of the last step
} pc_fe_alloy_account;

// The state, and the iterate of the step that is being made.
typedef struct pc_fe_alloy {
  pc_arena arena; // of all arrays
  double tolerance;
  double slope, critical;
  pc_fe_dilation dilation;
  pc_fe_thermal *thermal;
  pc_fe_thermal *pushed;         // instead, in a step with pushes; else NULL
  pc_fe_thermal_def thermal_def; // of a step
  double *blow;                  // heat of the collision of a push, of each node, J/m
  int nodes;
  double *volume, whole; // of alloys, of each node and together

  double *temperature, (*fraction)[PC_FE_FRACTIONS];              // before the step
  double *dilated;                                                // G u, of each node
  double *temperature1, (*fraction1)[PC_FE_FRACTIONS], *dilated1; // after it, in the iteration
  double *heat, *stress, (*drive)[PC_FE_FRACTIONS];
  int turn;            // of the iteration
  double change, part; // of its last turn: relative change; how much of it was taken
  pc_fe_thermal_answer answer;
  pc_fe_alloy_account account;
} pc_fe_alloy;

// For steps of `step` seconds. The mesh must outlive it, all else is copied. On error it can be
// freed: PC_ERROR_ARGUMENT with a text.
pc_status pc_fe_alloy_create(pc_fe_alloy *alloy, const pc_fe_alloy_def *def, const pc_fe_mesh *mesh,
                             double step, pc_error *error);
void pc_fe_alloy_free(pc_fe_alloy *alloy);
// A new beginning; NULL: temperatures and fractions are 0 until they are set.
void pc_fe_alloy_set(pc_fe_alloy *alloy, const double *displacement,
                     const pc_fe_thermal_state *state);

// In the next step pushes give their heat, entropy and work, and `dissipated` becomes heat at the
// nodes.
pc_status pc_fe_alloy_push(pc_fe_alloy *alloy, int pushes, const pc_fe_push *push,
                           const double *dissipated, pc_error *error);
// One step: begin; then add the force of the phases and update to the displacements that come of it
// until `settled`; then accept.
void pc_fe_alloy_begin(pc_fe_alloy *alloy);
void pc_fe_alloy_add_force(pc_fe_alloy *alloy, double *force);
pc_status pc_fe_alloy_update(pc_fe_alloy *alloy, const double *displacement, bool *settled,
                             pc_error *error);
void pc_fe_alloy_accept(pc_fe_alloy *alloy);
// The step's iteration reached its tolerance.
bool pc_fe_alloy_is_solved(const pc_fe_alloy *alloy);

// sum d g e, J/m.
double pc_fe_alloy_coupled_energy(const pc_fe_alloy *alloy);

#endif
