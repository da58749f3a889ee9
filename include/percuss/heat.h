// Heat of collisions: bodies with one temperature each, a string between two bodies, and phases at
// a point. Kelvin, joules; a capacity is in J/K, or J/(m3 K) with works and latent heats
// in J/m3. docs/heat.md explains it.
#ifndef PERCUSS_HEAT_H
#define PERCUSS_HEAT_H

#include <stdbool.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// --- bodies -------------------------------------------------------------------------------------

// Bodies with one temperature each, and interactions that dissipate a work W between two of them.
// With s_i, s_j the entropies that the two receive and t_i, t_j their mean temperatures,
//
//     t_i s_i + t_j s_j = W,   s_j - s_i = -exchange (t_j - t_i)       (3.137), (3.142)
//
// so s_i = (W + exchange t_j (t_j - t_i)) / (t_i + t_j). The mode determines how a body responds.
// The equations are strictly monotone in the mean temperatures: for any number of bodies there is
// one solution at most.
typedef enum pc_heat_mode {
  PC_HEAT_CLOSED,     // C [T] = t s and C [ln T] = s: t = [T] / [ln T]. Always has a solution
  PC_HEAT_ADIABATIC,  // C [T] = t s, t = (T+ + T-) / 2 (3.164 to 3.166). May have none: see below
  PC_HEAT_ISENTROPIC, // C [ln T] = s, the same t (3.160, 3.161). Its T+ may be too small for a
                      // number
  PC_HEAT_LINEAR,     // C [T] = T- s, shares by T- (3.171, 3.172)
  PC_HEAT_SMALL,      // all by T- (3.175, 3.176): exchange small against C / T
} pc_heat_mode;

typedef struct pc_heat_body {
  double temperature; // T-, K, > 0
  double capacity;    // C, J/K, > 0; infinite: constant temperature, as for the outside
  double exchange;    // with its surroundings, J/K, >= 0: receives exchange (outside - t)
  double outside;     // K (3.68)
} pc_heat_body;

typedef struct pc_heat_interaction {
  int bodies[2];   // the second may be PC_HEAT_NOBODY: the first receives all the work
  double work;     // W, dissipated, J. Negative: returned, if the law allows it
  double exchange; // lambda, J/K^2, >= 0
} pc_heat_interaction;
enum { PC_HEAT_NOBODY = -1 };

typedef struct pc_heat_result {
  double temperature; // T+
  double jump;        // T+ - T-, to its own last digit
  double heat;        // received, C [T]; also for a body of infinite capacity
} pc_heat_result;

// Of the bodies that have a finite capacity:
// energy = work + received + supplied,  entropy = produced + entropy_received + entropy_supplied
typedef struct pc_heat_account {
  double energy, entropy;            // gained: sums of C [T] and of C [ln T]
  double work;                       // dissipated
  double produced;                   // entropy, by interactions and exchanges; >= 0 for W >= 0
  double received, entropy_received; // from surroundings and bodies of infinite capacity
  // What the mode itself takes from outside: heat when isentropic, entropy without heat when
  // adiabatic (3.162, 3.163), nothing when closed.
  double supplied, entropy_supplied;
  double energy_error, entropy_error; // relative errors of the balances
  bool closed;
} pc_heat_account;

typedef struct pc_heat_info {
  pc_heat_account account;
  int sweeps, factorisations;
  double residual; // of the entropies, relative to the parts they are made of
  bool solved;
  // False in the linear and small modes unless T+ > 0, |[T]| < T-/10 and, in the small one,
  // exchange T- < C/10.
  bool valid;
} pc_heat_info;

// Memory for solves, which grows and is kept. One user at a time.
typedef struct pc_heat pc_heat;
pc_heat *pc_heat_create(void);
void pc_heat_destroy(pc_heat *heat);
// Temperatures after, in `after`, one for each body; `info` may be NULL. PC_ERROR_ARGUMENT names
// the body or the interaction with an invalid number. PC_ERROR_NUMERIC when there is no
// solution with T+ > 0: an adiabatic exchange may ask more of a light hot body than it has, where
// exchange (T1 / 2 - T2) > 2 C1 or so. `after` then has the temperatures before.
pc_status pc_heat_solve(pc_heat *heat, pc_heat_mode mode, int bodies, const pc_heat_body *body,
                        int interactions, const pc_heat_interaction *interaction,
                        pc_heat_result *after, pc_heat_info *info, pc_error *error);
const char *pc_heat_mode_name(pc_heat_mode mode);

// --- a string between two balls -----------------------------------------------------------------

// Two balls on a line joined by a string that can only pull, elastic and viscous while taut, with
// temperatures (3.51 to 3.57, 3.60, 3.61, 3.82 to 3.84 with their signs corrected). g = x1 - x2,
// D = v1 - v2, d = T2 - T1, M = (T1 + T2)/2; taut while |g| > length:
//
//     m1 v1' = F1 - R,  m2 v2' = F2 + R,  R = stiffness sgn(g) (|g| - length) + viscosity D
//     C1 [ln T1]' = Q1 + Q12,  C2 [ln T2]' = Q2 + Q21,  Q21 - Q12 = -exchange d
//     capacity [ln M]' + Q12 + Q21 = (viscosity D^2 + exchange d^2 / 2) / M
//     Ti Qi = outside_exchange (outside - Ti)                       (3.68); 0: insulated
typedef struct pc_heat_ball {
  double mass, capacity; // kg, J/K
  double force;          // constant, N
  double outside_exchange, outside;
} pc_heat_ball;

typedef struct pc_heat_string {
  pc_heat_ball ball[2];
  double length, stiffness, viscosity; // m, N/m, N s/m
  double capacity;                     // of the string, J/K, >= 0: at the mean temperature
  double exchange;                     // lambda, W/K^2
  double tolerance;                    // relative, of a step of the integration; 0: 1e-13
} pc_heat_string;

typedef struct pc_heat_string_state {
  double time;
  double position[2], velocity[2], temperature[2];
  // Since the start:
  double dissipated, received, produced, entropy_received; // J, J, J/K, J/K
  int turns; // number of times the string became taut or slack
} pc_heat_string_state;

// Forward to `until`. The instants at which the string becomes taut or slack are found to round-off
// and steps end there.
pc_status pc_heat_string_run(const pc_heat_string *string, pc_heat_string_state *state,
                             double until, pc_error *error);
// Kinetic, elastic and thermal energy; entropy up to a constant; tension R.
double pc_heat_string_energy(const pc_heat_string *string, const pc_heat_string_state *state);
double pc_heat_string_entropy(const pc_heat_string *string, const pc_heat_string_state *state);
double pc_heat_string_force(const pc_heat_string *string, const pc_heat_string_state *state);

// --- liquid and solid at a point ----------------------------------------------------------------

// C [T] + latent [b] = heat,  resist [b] + dI(b+) is latent (T+ - change) / change   (7.58, 7.59)
// with the fraction of liquid b in [0, 1].
typedef struct pc_phase_law {
  double capacity; // C, > 0
  double latent;   // L, > 0
  double change;   // T0, K, > 0
  double resist;   // c, >= 0
} pc_phase_law;

typedef struct pc_phase_state {
  double temperature, liquid;
} pc_phase_state;

// b+ for a given T+. At T0 without resistance, where any fraction is possible, b does not change.
double pc_phase_liquid(const pc_phase_law *law, double before, double temperature);
// T+ and b+ from the heat received. `produced`, if not NULL, gets the entropy: C [ln T] + L [b]/T0.
// PC_ERROR_ARGUMENT; PC_ERROR_NUMERIC if so much heat is removed that T+ <= 0.
pc_status pc_phase_collide(const pc_phase_law *law, const pc_phase_state *before, double heat,
                           pc_phase_state *after, double *produced, pc_error *error);

// --- shape memory alloy at a point --------------------------------------------------------------

// Fractions b of two martensites and austenite, b >= 0, whose sum S <= 1 stays (voids: 1 - S):
//
//     S C [T] + latent [b3] = heat                                               (10.95)
//     resist [b] + dI(b+) is p (1, 1, 1) + (0, 0, latent (T+ - change) / change)   (10.94, 10.96)
//
// Without resistance the solution is that of a vanishing one: what is left open moves least.
typedef struct pc_alloy_state {
  double temperature;
  double fraction[3]; // martensites, austenite
} pc_alloy_state;

// b+ for a given T+: the projection on the fractions with the sum of those before. `drive` acts on
// the three beside temperature, J/m3; NULL: none.
void pc_alloy_fractions(const pc_phase_law *law, const double before[3], double temperature,
                        const double drive[3], double after[3]);
pc_status pc_alloy_collide(const pc_phase_law *law, const pc_alloy_state *before, double heat,
                           pc_alloy_state *after, double *produced, pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
