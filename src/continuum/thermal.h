// Temperatures and fractions of phases on a mesh: what a collision makes of them (book, 7.3 to 7.6
// and chapter 10), or a step in time. At every node a temperature T and, where the medium changes
// phase, fractions b: one of liquid in [0, 1], or those of an alloy (two martensites, austenite) in
// the simplex, whose sum stays as it was (1, or less with voids). With [X] = X+ - X-,
//
//     S C [T] + L [b_n] - div(conduct grad T_w) = heat + work of [b]       S: sum of b-, or 1
//     resist [b] - div H + dI(b+)  contains  drive + (L/T0) (T+ - T0) on b_n
//     H = spread grad b+ + spread_change grad [b]
//
// S stays, unless voids of an alloy spread (`diffuse`): then [S] = diffuse div grad S+ first, and
// b- and T- are what the mass that flows makes of them (remark 10.1, corrected). In these equations
// b_n is the liquid or the austenite, T_w = weight T+ + (1 - weight) T-; weight is 1/2 in a
// collision (7.58 to 7.65, 10.87 to 10.92) and 1 in a step in time, which is the same problem with
// conduct h, resist / h and spread_change / h. The work of [b] is
//
//     drive . [b] + [b] . div H + (spread/2 + spread_change) |grad [b]|^2
//
// which is B [b] + H grad [b] less what the energy of gradients takes (the book prints neither term
// in 7.58, 10.92): it moves heat, and its sum over the solid is the work of `drive` less the jump
// of (spread/2) |grad b|^2. So energy is kept, and entropy grows at every node, by
//
//     heat + resist |[b]|^2 + (spread/2 + spread_change) |grad [b]|^2 + reaction . [b] >= 0
//
// over T. Without the work, for given T- and b-, there is one and only one solution: eliminating T
// leaves a strictly convex problem for b. (An alloy with resist = 0 leaves b_1 - b_2 free: the
// solution nearest to b- is taken.) The work is small beside L, of the order of (T+ - T0) / T0.
//
// Fields are linear on parts of the elements (a quadratic element is cut at its nodes) and all that
// is not a gradient is lumped at the nodes, so that laws hold node by node and, on meshes without
// obtuse angles and with weight 1, temperatures obey the maximum principle. Per metre of depth; on
// a line per square metre.
#ifndef PERCUSS_CONTINUUM_THERMAL_H
#define PERCUSS_CONTINUUM_THERMAL_H

#include "continuum/mesh.h"
#include "continuum/push.h"

typedef enum pc_fe_phases {
  PC_FE_ONE_PHASE, // no fractions
  PC_FE_LIQUID,    // one fraction: 0 solid, 1 liquid
  PC_FE_ALLOY,     // three: two martensites and austenite
} pc_fe_phases;
enum { PC_FE_FRACTIONS = 3 };

// Elements of a group. Media that share nodes have the same phases and `change`, or none.
typedef struct pc_fe_thermal_medium {
  int group;
  double capacity; // C, J/(m3 K), > 0
  double conduct;  // J/(m K), >= 0: lambda of chapter 10, 2 k of chapter 7
  pc_fe_phases phases;
  double latent;                // L, J/m3, > 0 with phases
  double change;                // T0, K, > 0 with phases
  double resist;                // c, J/m3, >= 0
  double spread, spread_change; // k_i or k, k_m or upsilon; J/m, >= 0
  double diffuse;               // of voids of an alloy, m2, >= 0 (thermal_voids.c). Alloys of one
                                // problem then have one capacity and one latent heat
  double exchange;              // J/(m3 K), >= 0: with what is beside the mesh, as a rod's mantle:
  double outside;               // K; receives exchange (outside - T_w)
} pc_fe_thermal_medium;

// The outside of a group of sides.
typedef struct pc_fe_thermal_side {
  int sides;
  double capacity; // C_s, J/(m2 K), >= 0
  double exchange; // J/(m2 K), >= 0: receives exchange (outside - T_w)
  double outside;  // K
  bool given;      // T+ is `outside`
} pc_fe_thermal_side;

// A surface of contact between sides of the mesh, node by node at the same places. Heat is
// exchanged between them, exchange (T_w of the other - T_w), and the work that the surface
// dissipates is shared in proportion to mean temperatures (7.64, 7.65). `other` -1: the other side
// has no temperature, and the sides receive all the work.
typedef struct pc_fe_thermal_contact {
  int sides, other;
  double exchange; // J/(m2 K): 2 k_ps^d
} pc_fe_thermal_contact;

// The mesh must outlive it, all else is copied.
typedef struct pc_fe_thermal_def {
  const pc_fe_mesh *mesh;
  int media, surfaces, contacts, pushes;
  const pc_fe_thermal_medium *medium; // elements without one have no temperature
  const pc_fe_thermal_side *side;     // of `surfaces`
  const pc_fe_thermal_contact *contact;
  const pc_fe_push *push; // heat, entropy and work of a collision; their percussions do not count
  double weight;          // of T+ in T_w: 1/2 or 1
  double tolerance;       // relative; 0: 1e-11
} pc_fe_thermal_def;

typedef struct pc_fe_thermal pc_fe_thermal;
// Groups exist, numbers are in their ranges and media that meet agree: the readers of files see to
// it. NULL on error: PC_ERROR_ARGUMENT with a text for a node with two given temperatures.
pc_fe_thermal *pc_fe_thermal_create(const pc_fe_thermal_def *def, pc_error *error);
void pc_fe_thermal_destroy(pc_fe_thermal *thermal);

typedef struct pc_fe_thermal_state {
  double *temperature;                 // of each node, K
  double (*fraction)[PC_FE_FRACTIONS]; // of each node: liquid first, or the three of an alloy
} pc_fe_thermal_state;

typedef struct pc_fe_thermal_data {
  const double *heat;    // received in the volume, of each node, J/m; NULL: none
  const double *surface; // dissipated by the contacts at nodes of their `sides`, J/m: of contact k
                         // and node i [k * nodes + i]; NULL: nothing
  const double (*drive)[PC_FE_FRACTIONS]; // of each node, beside temperature, J/m3; NULL: none
} pc_fe_thermal_data;

// [energy] = heat + surface + drive + received
// [entropy] = produced + entropy_received + entropy_adiabatic
//
// In a collision heat flows at the mean temperature, and the theory lets the outside give entropy
// without heat: B+ at T+ and B- at T-, T+ B+ + T- B- = 0 (chapter 7, after 7.29; 10.10). It is
// C ln(T+/T-) - C [T] / T_mean less (L/T0) [b] [T] / (2 T_mean), of third order in [T] without
// phase change; 0 with weight 1, and where a push gives the entropy.
typedef struct pc_fe_thermal_account {
  double energy_before, energy_after; // S C T + L b_n + (spread/2) |grad b|^2, J/m
  double heat, surface;               // put in
  double drive;                       // work of `drive` and of pushes
  double received;                    // from outside, by pushes, and by temperatures that are given
  double entropy_before, entropy_after;
  double entropy_received;  // from outside: heat over the outside's temperature, or over T_w where
                            // it is given, and of pushes
  double entropy_adiabatic; // see above
  double produced;          // >= 0
  double energy_error;      // |left over| / sizes
  double lowest, highest;   // T+, K
  double outside_set;       // largest distance of fractions from their set; 0
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

#endif
