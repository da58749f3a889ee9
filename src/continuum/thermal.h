// Temperatures and fractions of phases on a mesh: what a collision makes of them (book, 7.3 to 7.6
// and chapter 10), or a step in time. At every node a temperature T and, where the medium changes
// phase, fractions b: one of liquid in [0, 1], or those of an alloy (two martensites, austenite) in
// the simplex, whose sum stays as it was (1, or less with voids). With [X] = X+ - X-,
//
//     S C [T] + L [b_n] - div(conduct grad T_w) = heat + work of [b]       S: sum of b-, or 1
//     resist [b] - div(spread grad b+ + spread_change grad [b]) + dI(b+) is drive + (L/T0) (T+ -
//     T0) on b_n
//
// where b_n is the liquid or the austenite, T_w = weight T+ + (1 - weight) T-; weight is 1/2 in a
// collision (7.58 to 7.65, 10.87 to 10.92) and 1 in a step in time, which is the same problem with
// conduct h and resist / h. For given T- and b- it has one and only one solution: eliminating T
// leaves a strictly convex problem for b.
//
// Fields are linear on parts of the elements (a quadratic element is cut at its nodes) and all that
// is not a gradient is lumped at the nodes, so that laws hold node by node and, on meshes without
// obtuse angles, temperatures obey the maximum principle. Per metre of depth; on a line per square
// metre.
#ifndef PERCUSS_CONTINUUM_THERMAL_H
#define PERCUSS_CONTINUUM_THERMAL_H

#include "continuum/mesh.h"

typedef enum pc_fe_phases {
  PC_FE_ONE_PHASE, // no fractions
  PC_FE_LIQUID,    // one fraction: 0 solid, 1 liquid
  PC_FE_ALLOY,     // three: two martensites and austenite
} pc_fe_phases;
enum { PC_FE_FRACTIONS = 3 };

// Elements of a group.
typedef struct pc_fe_thermal_medium {
  int group;
  double capacity; // C, J/(m3 K), > 0
  double conduct;  // J/(m K), >= 0: lambda of chapter 10, 2 k of chapter 7
  pc_fe_phases phases;
  double latent;                // L, J/m3, > 0 with phases
  double change;                // T0, K, > 0 with phases
  double resist;                // c, J/m3, >= 0
  double spread, spread_change; // k_i or k, k_m or upsilon; J/m, >= 0
} pc_fe_thermal_medium;

// The outside of a group of sides.
typedef struct pc_fe_thermal_side {
  int sides;
  double capacity; // C_s, J/(m2 K), >= 0
  double exchange; // J/(m2 K), >= 0: receives exchange (outside - T_w)
  double outside;  // K
  bool given;      // T+ is `outside`
} pc_fe_thermal_side;

// A surface of contact between sides of the mesh, node by node at the same places: exchange of heat
// from one to the other, exchange (T_w of the other - T_w), and the work that the surface
// dissipates, shared in proportion to mean temperatures (7.64, 7.65). `other` -1: against something
// without temperature, and all the work is the sides'.
typedef struct pc_fe_thermal_contact {
  int sides, other;
  double exchange; // J/(m2 K): 2 k_ps^d
} pc_fe_thermal_contact;

// The mesh must outlive it, all else is copied.
typedef struct pc_fe_thermal_def {
  const pc_fe_mesh *mesh;
  int media, surfaces, contacts;
  const pc_fe_thermal_medium *medium; // elements without one have no temperature
  const pc_fe_thermal_side *side;     // of `surfaces`
  const pc_fe_thermal_contact *contact;
  double weight;    // of T+ in T_w: 1/2 or 1
  double tolerance; // relative; 0: 1e-11
} pc_fe_thermal_def;

typedef struct pc_fe_thermal pc_fe_thermal;
// PC_ERROR_ARGUMENT with a text that names the group or the number that is wrong. NULL on error.
pc_fe_thermal *pc_fe_thermal_create(const pc_fe_thermal_def *def, pc_error *error);
void pc_fe_thermal_destroy(pc_fe_thermal *thermal);

typedef struct pc_fe_thermal_state {
  double *temperature;                 // of each node, K
  double (*fraction)[PC_FE_FRACTIONS]; // of each node: liquid first, or the three of an alloy
} pc_fe_thermal_state;

typedef struct pc_fe_thermal_data {
  const double *heat;    // received in the volume, of each node, J/m; NULL: none
  const double *surface; // dissipated by the contacts, at each node of their `sides`, J/m; NULL
  const double (*drive)[PC_FE_FRACTIONS]; // beside temperature, J/m3; NULL: none
} pc_fe_thermal_data;

// [energy] = heat + surface + received; [entropy] = produced + entropy received.
typedef struct pc_fe_thermal_account {
  double energy_before, energy_after; // C T + L b_n + (spread/2) |grad b|^2, J/m
  double heat, surface;               // put in
  double received;                    // from outside, and by temperatures that are given
  double entropy_before, entropy_after;
  double entropy_received; // from outside: heat over the outside's temperature
  double produced;         // >= 0
  double energy_error;     // |left over| / sizes
  double lowest, highest;  // T+, K
  double outside_set;      // largest distance of fractions from their set; 0
  bool closed;
} pc_fe_thermal_account;

typedef struct pc_fe_thermal_answer {
  pc_fe_thermal_state after; // belongs to the thermal problem until its next solve
  pc_fe_thermal_account account;
  int iterations, rounds; // linear solves; rounds on the shares of the contacts' work
  double residual;        // of the natural map of the two equations, relative
  bool solved;
} pc_fe_thermal_answer;

// PC_ERROR_ARGUMENT when T- <= 0 or fractions are outside their set, with the node.
pc_status pc_fe_thermal_solve(pc_fe_thermal *thermal, const pc_fe_thermal_state *before,
                              const pc_fe_thermal_data *data, pc_fe_thermal_answer *answer,
                              pc_error *error);
// Other coefficients for the same groups, as in `pc_fe_thermal_def`, for the next solves.
pc_status pc_fe_thermal_change(pc_fe_thermal *thermal, const pc_fe_thermal_medium *medium,
                               const pc_fe_thermal_side *side, pc_error *error);

#endif
