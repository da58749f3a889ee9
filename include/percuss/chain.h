// A granular chain: multiple impacts of balls on a line, and their laws.
//
//     m_i (V_i+ - V_i-) = p_(i-1) - p_i,      p >= 0 pushes      (Nguyen and Brogliato, 2.8)
//
// Balls are numbered from the left, velocities point to the right. Contacts are numbered from the
// left too: the contact with a left wall, if there is one; those between neighbours; the contact
// with a right wall. Units are SI. docs/chains.md explains the laws.
#ifndef PERCUSS_CHAIN_H
#define PERCUSS_CHAIN_H

#include <stdbool.h>

#include "percuss/chain_bounds.h"
#include "percuss/impact.h"
#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_chain_contact {
  double stiffness;   // K of the force K delta^eta
  double restitution; // e, 0 to 1: of velocities, impulses or energy, depending on the law
  double gap;         // m; 0: the balls touch
} pc_chain_contact;

typedef struct pc_chain {
  int balls; // 2 or more
  const double *mass, *velocity;
  bool wall_left, wall_right;      // fixed walls beyond the first and the last ball
  const pc_chain_contact *contact; // pc_chain_contacts of them
  double exponent;                 // eta, at least 1: 3/2 for Hertz, 1 for springs
  double press; // N: a static force that compresses the chain from its ends; `hertz` only
} pc_chain;

int pc_chain_contacts(const pc_chain *chain); // balls - 1 + walls
// The approach speed of the bodies of a contact; walls are fixed.
double pc_chain_approach_at(const pc_chain *chain, const double *velocity, int contact);
// A contact of stiffness 1, restitution 1 and no gap.
pc_chain_contact pc_chain_contact_default(void);
// K of Hertz's law between balls of one material, 2 Y sqrt(R) / (3 (1 - nu^2)) with 1/R = 1/R_1 +
// 1/R_2. A radius may be INFINITY: a flat wall.
double pc_chain_hertz_stiffness(double young, double poisson, double radius_1, double radius_2);

typedef enum pc_chain_law_kind {
  PC_CHAIN_NEWTON,     // gamma+ = -e gamma- at all contacts at once
  PC_CHAIN_SEQUENTIAL, // binary collisions, one after the other
  PC_CHAIN_MOREAU,     // gamma+ + e gamma- >= 0, p >= 0, complementary
  PC_CHAIN_POISSON,    // compression, then e times its impulses
  PC_CHAIN_FREMOND,    // p = -k (gamma+ + gamma-)/2 with non-penetration; also at a distance
  PC_CHAIN_MATRIX,     // gamma+ = -E gamma-
  PC_CHAIN_LZB,        // Liu, Zhao and Brogliato: impulses evolve as the contact forces
  PC_CHAIN_HERTZ,      // forces and displacements in time: the reference
  PC_CHAIN_LAWS
} pc_chain_law_kind;
const char *pc_chain_law_name(pc_chain_law_kind kind);

// How a contact of `lzb` unloads. In both cases it returns e^2 of the work of compression.
typedef enum pc_chain_compliance {
  PC_CHAIN_BI_STIFFNESS,  // on a steeper branch
  PC_CHAIN_MONO_STIFFNESS // on the same branch, after the force has dropped
} pc_chain_compliance;

// Which of several approaching contacts collides first, for `sequential`.
typedef enum pc_chain_order {
  PC_CHAIN_ORDER_LEFT,   // the leftmost
  PC_CHAIN_ORDER_RIGHT,  // the rightmost
  PC_CHAIN_ORDER_FASTEST // the fastest approach; of equal ones the leftmost
} pc_chain_order;

// Dissipation between balls that need not touch: P = k (V_first - V_second)(mean).
typedef struct pc_chain_distance {
  int balls[2]; // from 0
  double k;     // kg
} pc_chain_distance;

typedef struct pc_chain_law {
  pc_chain_law_kind kind;
  const double *matrix; // `matrix`: E, contacts x contacts, row by row
  const double *k;      // `fremond`: of every contact, kg; NULL: 0
  int distances;        // `fremond`
  const pc_chain_distance *distance;
  pc_chain_compliance compliance;
  pc_chain_order order;
} pc_chain_law;
pc_chain_law pc_chain_law_default(pc_chain_law_kind kind);

// State of a chain during an impact that has a duration.
typedef struct pc_chain_sample {
  double time;                       // s since the first touch
  const double *velocity, *position; // of balls; position: displacement since the start
  const double *compression, *force; // of contacts; a negative compression is a gap
  const double *percussion;          // of contacts, so far
} pc_chain_sample;
// Called in order of time; returning false stops the impact.
typedef bool pc_chain_watch(const pc_chain_sample *sample, void *context);

typedef struct pc_chain_options {
  double tolerance;      // of velocities, relative to the largest; for laws that solve or integrate
  long max_steps;        // of the integration, or collisions; 0: ten million
  double duration;       // s, `hertz`: latest end; 0: until no contact is closing
  double sample_every;   // s between samples; 0: after every step or collision
  pc_chain_watch *watch; // of `lzb`, `hertz` and `sequential`; may be NULL
  void *context;         // of watch
} pc_chain_options;
pc_chain_options pc_chain_options_default(void); // 1e-10, until the end of the impact

typedef struct pc_chain_answer {
  // Arrays of the caller, as long as the chain. Only the first is required.
  double *velocity;   // of balls, after
  double *percussion; // of contacts
  double *dissipated; // of contacts: -p (gamma+ + gamma-)/2, or the work of the force

  pc_solve_status status; // PC_INACCURATE: stopped before the end, or tolerance not reached
  long steps;             // of the integration; collisions; iterations of a solver
  double residual;        // of the solver, or error of the energy balance, relative to T-
  double duration;        // of the impact, s; 0 for laws without time
  double stored;          // J, in contacts that are still compressed at the end
  double distant;         // J, dissipated at a distance
  double time_s;          // wall-clock time
  // Of `newton` and `matrix`: the largest factor by which E can multiply the energy of relative
  // motion, over all velocities; above 1 some impact gains energy (2.14). NAN for other laws.
  double matrix_gain;
  bool walls_kept; // the balls at the walls do not move into them
  pc_chain_measures measures;
} pc_chain_answer;

// PC_OK with status PC_SOLVED or PC_INACCURATE; an error otherwise. An outcome that violates a
// consistency condition is still an answer; its measures show the violation.
pc_status pc_chain_solve(const pc_chain *chain, const pc_chain_law *law,
                         const pc_chain_options *options, pc_chain_answer *answer, pc_error *error);

// --- a chain in time

// With `hertz`, contacts are compressed in time. The other laws act instantaneously whenever balls
// touch, and the balls fly freely between impacts.
typedef struct pc_chain_motion pc_chain_motion;
// Copies chain and law. Only the options tolerance and max_steps (of one advance) are used.
pc_chain_motion *pc_chain_motion_create(const pc_chain *chain, const pc_chain_law *law,
                                        const pc_chain_options *options, pc_error *error);
void pc_chain_motion_destroy(pc_chain_motion *motion);
// Advances to a later time, in s since the start.
pc_status pc_chain_motion_advance(pc_chain_motion *motion, double time, pc_error *error);
// The current state, valid until the next call. For instantaneous laws `compression` is -gap.
pc_chain_sample pc_chain_motion_sample(pc_chain_motion *motion);

typedef struct pc_chain_account {
  double kinetic, stored; // J, now
  double dissipated;      // J, since the start
  double work;            // J, of the static force since the start
  double error;           // J: kinetic + stored + dissipated - work - initial energy
  double residual;        // of impacts, the largest of the last advance
  long impacts;           // of instantaneous laws, since the start
  long inaccurate;        // of these, those that missed the tolerance
  long steps;             // of the integration, or of the laws
  int compressed;         // contacts that push
} pc_chain_account;
pc_chain_account pc_chain_motion_account(pc_chain_motion *motion);
// The changing state, for a checkpoint: its size, and its bytes in a buffer of that size. Loading
// requires a motion of the same chain and law.
size_t pc_chain_motion_save(const pc_chain_motion *motion, void *buffer);
pc_status pc_chain_motion_load(pc_chain_motion *motion, const void *data, size_t size,
                               pc_error *error);

// pc_chain_measure for a chain that may have walls and gaps: walls take momentum, so KER_min is 0
// with them; balls that approach across a gap are consistent. `compression` is that of the contacts
// after, negative for a gap; NULL: all touch. `percussion` has all contacts.
pc_status pc_chain_measure_outcome(const pc_chain *chain, const double *after,
                                   const double *percussion, const double *compression,
                                   double tolerance, pc_chain_measures *measures, pc_error *error);
// Whether pc_chain_bound can handle this chain: no walls, and not too many balls.
enum { PC_CHAIN_MOST_BOUNDED = 200 };
bool pc_chain_has_bounds(const pc_chain *chain);

// Nesterenko's solitary wave in a long chain of equal balls that touch, with Hertz's law: its
// speed (m/s), for balls `diameter` apart that reach the velocity `peak`. (16/25)^(1/5) c^(4/5)
// peak^(1/5) with c^2 = K diameter^(5/2) / m.
double pc_chain_wave_speed(double mass, double stiffness, double diameter, double peak);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
