// A shape memory alloy in time, after a collision (book, 10.11.3): elastic waves, temperatures and
// phases together. Free energy (10.51 to 10.53), with e = tr D(u) and d = b_1 - b_2:
//
//     1/2 D(u):K:D(u) - d tau(T) e - b_3 (L/T0) (T - T0) - C T ln T + (spread/2) |grad b|^2 + I(b)
//     tau(T) = (T - T_c) slope below T_c, 0 above;  slope <= 0
//
// (within 1 % of T_c a parabola joins the two: energy and entropy have dtau/dT in them.)
//
// The stress is K D(u) - d tau 1: one martensite is longer, the other shorter, and strain turns one
// into the other. Fractions resist by c |db/dt|^2 / 2, heat is conducted and given to the outside.
//
// A step of h is implicit. With the numbers after it from the iteration before, tau at T1:
//
//     M (U1 - U) = - h K (u + u1)/2 + h G' d tau,       u1 = u + h (U + U1)/2       (a collision)
//     T1, b1 by pc_fe_thermal_solve with resist / h, conduct h, drive = tau e1 (1, -1, 0), and
//     heat = - d tau [e] - [d g e] - tau e1 [d],        g = T dtau/dT - tau
//
// until they stay. So what waves lose heats, and the energy
//
//     kinetic + 1/2 u K u + sum d g e + C T + L b_3 + (spread/2) |grad b|^2
//
// changes by what the outside gives, exactly. Below T_c the heat is -T1 slope [d e], which makes
// the entropy sum C ln T + (L/T0) b_3 + d slope e grow in every step, by what is dissipated over
// T1. Strains and rotations are small.
#ifndef PERCUSS_CONTINUUM_ALLOY_MOTION_H
#define PERCUSS_CONTINUUM_ALLOY_MOTION_H

#include <stddef.h>

#include "continuum/collision.h"
#include "continuum/elastic.h"
#include "continuum/thermal.h"

// Elements of a group: both have it. In `heat` all is per second: conduct W/(m K), resist J s/m3,
// spread_change J s/m, exchange W/(m3 K). Media of one phase have slope 0.
typedef struct pc_fe_alloy_medium {
  pc_fe_solid solid; // its percussion viscosities are not used
  pc_fe_thermal_medium heat;
  double slope;    // Pa/K, <= 0
  double critical; // T_c, K, > T0 where slope < 0
} pc_fe_alloy_medium;

// The mesh must outlive the motion, all else is copied.
typedef struct pc_fe_alloy_def {
  const pc_fe_mesh *mesh;
  int media, surfaces, holds;
  const pc_fe_alloy_medium *medium; // every element has one
  const pc_fe_thermal_side *side;   // exchange W/(m2 K)
  const pc_fe_hold *hold;           // not `kept`
  double step;                      // s
  double tolerance;                 // of a step's iteration, relative; 0: 1e-10
} pc_fe_alloy_def;

typedef struct pc_fe_alloy pc_fe_alloy;
// NULL on error: PC_ERROR_ARGUMENT with a text.
pc_fe_alloy *pc_fe_alloy_create(const pc_fe_alloy_def *def, pc_error *error);
void pc_fe_alloy_destroy(pc_fe_alloy *alloy);
// A new beginning at time 0: `dimension` numbers per node; NULL: zeros. Temperatures and fractions
// as after a collision.
pc_status pc_fe_alloy_set(pc_fe_alloy *alloy, const double *displacement, const double *velocity,
                          const pc_fe_thermal_state *state, pc_error *error);
// One step. On an error the alloy is to be set or loaded again.
pc_status pc_fe_alloy_advance(pc_fe_alloy *alloy, pc_error *error);

// Belongs to the alloy, until the next step.
typedef struct pc_fe_alloy_state {
  double time;
  long steps;
  const double *displacement, *velocity;
  const double *temperature;
  const double (*fraction)[PC_FE_FRACTIONS];
  double mean[PC_FE_FRACTIONS]; // fractions over the volume of the alloys
  double lowest, highest;       // K
} pc_fe_alloy_state;
pc_fe_alloy_state pc_fe_alloy_look(const pc_fe_alloy *alloy);

// now = start + received; J/m.
typedef struct pc_fe_alloy_energy {
  double kinetic, elastic; // 1/2 u K u
  double coupled;          // sum d g e
  double heat;             // C T + L b_3 + (spread/2) |grad b|^2, since the start
} pc_fe_alloy_energy;
typedef struct pc_fe_alloy_account {
  pc_fe_alloy_energy start, now;
  double received;         // from outside
  double entropy;          // [C ln T + (L/T0) b_3 + d slope e] since the start, J/(K m)
  double entropy_received; // heat over the outside's temperature
  double produced;         // entropy - entropy_received; >= 0
  double least;            // the smallest that a step produced
  double identity;         // |now - start - received| / what changed hands: sums of sizes per step
  int unsolved;            // steps whose iteration did not come to its end
  int iterations;          // of the last step
  bool closed;             // identity <= 1e-8 and all solved
} pc_fe_alloy_account;
pc_fe_alloy_account pc_fe_alloy_balance(const pc_fe_alloy *alloy);

// All that changes as bytes, as pc_fe_motion_save.
size_t pc_fe_alloy_save(const pc_fe_alloy *alloy, void *buffer, size_t size);
pc_status pc_fe_alloy_load(pc_fe_alloy *alloy, const void *buffer, size_t size, pc_error *error);

#endif
