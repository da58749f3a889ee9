// Inside of pc_world.
#ifndef PERCUSS_RIGID_WORLD_H
#define PERCUSS_RIGID_WORLD_H

#include <math.h>
#include <string.h>

#include "percuss/world.h"
#include "rigid/balance.h"
#include "rigid/bodies.h"
#include "rigid/clock.h"
#include "rigid/contact_set.h"
#include "rigid/elements.h"
#include "rigid/loads.h"
#include "rigid/materials.h"
#include "rigid/pairs.h"
#include "rigid/pieces.h"
#include "rigid/problem.h"
#include "rigid/push_out.h"
#include "rigid/scratch.h"
#include "rigid/sleep.h"

// What contacts do in a step whose own laws had no answer.
enum { PC_CALM_INELASTIC = 1, PC_CALM_SLIPPERY = 2 };

struct pc_world {
  pc_world_def def;
  char solver[16];
  pc_error error;
  pc_clock clock;
  pc_materials materials;
  pc_bodies bodies;
  pc_forces forces;
  pc_elements elements;
  pc_outlines outlines;
  pc_pairs pairs;
  pc_contact_set contacts;
  pc_problem problem;
  pc_scratch scratch;
  pc_push_out push_out;
  pc_sleep sleep;
  struct pc_warmth *heat; // NULL: there is none
  pc_energy_balance balance;
  pc_step_info info;

  bool again;     // the step is solved again
  bool placed;    // outlines are as the bodies are in this step
  bool pushed;    // P_ext is in `external`: else it is made from forces where it is needed
  bool everybody; // no matter who sleeps
  bool looking;   // at the way before the first step, without forces
  int calm;       // PC_CALM_...: what contacts do in a step whose own laws had no answer
};

static inline int pc_body_slot(const pc_world *world, pc_body body)
{
  return body.id <= world->bodies.ordered ? world->bodies.slot.at[body.id - 1] : body.id - 1;
}
static inline pc_body pc_body_number(const pc_world *world, int i)
{
  return (pc_body){(i < world->bodies.ordered ? world->bodies.number.at[i] : i) + 1};
}

// Of forces that are set for many bodies: six, in the plane x, y and about z.
static inline int pc_force_numbers(const pc_world *world)
{
  return world->def.dimension == 2 ? 3 : 6;
}

static inline bool pc_is_asleep(const pc_world *world, int i)
{
  return world->bodies.sleepers > 0 && world->bodies.asleep.at[i] > 0;
}

// Asleep, or not there.
static inline bool pc_is_idle(const pc_world *world, int i)
{
  return world->bodies.solid.at[i].absent || pc_is_asleep(world, i);
}

static inline bool pc_sleep_is_on(const pc_world *world)
{
  return world->def.sleep_after > 0;
}

static inline int pc_world_threads(const pc_world *world)
{
  return world->def.threads > 1 ? world->def.threads : 1;
}

// bodies.c: where a body's shape is, in the world.
pc_pose pc_body_pose(const pc_solid *body, const pc_body_state *state);
// Velocities and percussions as the impact problem has them: world to degrees of freedom and back.
void pc_body_to_dof(const pc_solid *body, const double *six, double *numbers);
void pc_body_from_dof(const pc_solid *body, const double *numbers, double *six);
static inline void pc_state_velocity(const pc_body_state *state, double six[6])
{
  memcpy(six, state->velocity, 3 * sizeof(double));
  memcpy(six + 3, state->spin, 3 * sizeof(double));
}
// Moves bodies freely by `time`, those that are awake and not driven.
void pc_bodies_advance(const pc_world *world, int begin, int end, double time);
void pc_body_inertia(const pc_solid *body, const pc_body_state *state, double world[9]);
// Kinetic energies, and the potential one of gravity; of one body added to a sum, and of all.
typedef struct pc_energies {
  double translation, rotation, potential;
} pc_energies;
void pc_body_add_energies(const pc_world *world, int i, pc_energies *sum);
pc_energies pc_bodies_energies(const pc_world *world);

// order.c: puts the bodies of a large world in an order in space, if that is due; in this one, told
// by their numbers from 0.
pc_status pc_order_bodies(pc_world *world);
pc_status pc_order_apply(pc_world *world, const int *id);

// world.c: impacts slower than this do not rebound.
double pc_world_rest_speed(const pc_world *world, double h);
// The law of two materials, by its place among those of pairs; after them: the default one.
int pc_contacts_law(const pc_world *world, int material_a, int material_b);

// contacts.c: finds the contacts of the bodies at `pose` that may count in a step of length h. When
// the step is solved again, only those of bodies that are struck: the others stay.
pc_status pc_contacts_find(pc_world *world, double h);
pc_status pc_contacts_open(pc_world *world); // makes room for the search
// How bodies overlap where they are; contacts of the step stay as they are.
typedef struct pc_overlaps {
  int pairs; // that touch
  double depth;
  int deepest[2]; // where it is, if it is above 0
} pc_overlaps;
pc_status pc_contacts_overlaps(pc_world *world, pc_overlaps *overlaps);
// outlines.c: what it looks at, of some bodies; those that have left their wide boxes are noted for
// the worker. May be made before, for all of them, by several threads, after pc_contacts_open. Then
// `placed` is set.
void pc_contacts_place(pc_world *world, double h, int begin, int end, int worker);
// missed.c: whether velocities after the solve, left in `last`, make contacts that were not looked
// for or did not act. Marks the bodies.
bool pc_contacts_missed(pc_world *world, double h, bool only_deep);
// push_out.c: how bodies are to be moved out of each other at position level: by `way` those that
// are `moved`, if any is.
pc_status pc_contacts_push_out(pc_world *world, double h, bool *any);
// remember.c: percussions of the step before, as a start for the solver, for touches begin .. end;
// and reads those of this step and keeps them.
void pc_contacts_remember(pc_world *world, int begin, int end);
pc_status pc_contacts_keep(pc_world *world);
void pc_contacts_forget(pc_world *world); // the next problem starts from no percussions

// What is slower has come to rest. Without gravity the velocities of bodies that rub against each
// other shrink at every step, and one day their squares would leave the range of numbers.
#define PC_STILL 1e-100 // m/s, rad/s

// Velocities and percussions of a body as the impact problem shall have them.
static inline void pc_problem_rest(int dof, double mass, double *velocity, double *percussion)
{
  for (int k = 0; k < dof; k++) {
    velocity[k] = fabs(velocity[k]) < PC_STILL ? 0 : velocity[k];
    percussion[k] = fabs(percussion[k]) < PC_STILL * mass ? 0 : percussion[k];
  }
}

// problem.c: states the impact problem of the step; reads the percussion of a touch.
pc_status pc_problem_state(pc_world *world, double h);
// Whether the touches found again, instead of `known` others, state the problem that was solved
// last; then those are taken back.
bool pc_problem_stands(pc_world *world, double h, int known);
void pc_problem_read(const pc_world *world, pc_touch *touch);
bool pc_problem_rolls(const pc_world *world);  // some law has rolling friction
void pc_problem_keep_moments(pc_world *world); // of rolling friction, after a step
// The velocity after of a body that is in the problem.
void pc_problem_velocity(const pc_world *world, int i, double six[6]);

// account.c. `first` is what happened before the way to the middle, `gravity` and `forces` are
// their works in the step, `energies` those at its end; with stiff elements `push` holds mean
// velocities and `free` those after. It fails only with heat.
void pc_account_begin(pc_world *world);
// Around a change of states: books what it gave.
double pc_account_energy(pc_world *world);
void pc_account_changed(pc_world *world, double before);
// At the very end of a step: books `frozen`.
void pc_account_frozen(pc_world *world);
pc_status pc_account_close(pc_world *world, double h, const pc_solve_info *solve,
                           const pc_audit *first, double gravity, double forces,
                           const pc_energies *energies);
bool pc_account_is_finite(const pc_world *world);

// heat.c, of a world with heat: room for new bodies. warmth.c: forgets what the last step gave
// away; makes heat of what the problem just solved dissipated; the rest of a step, after the same;
// what bodies have; around falling asleep, of one body and when all are booked; a body that comes
// or goes.
typedef struct pc_warm pc_warm;
pc_status pc_warmth_prepare(pc_world *world);
void pc_warmth_free(pc_world *world);
double pc_warmth_entropy(const pc_warm *body);
void pc_warmth_begin(pc_world *world);
pc_status pc_warmth_take(pc_world *world);
pc_status pc_warmth_step(pc_world *world, double h);
void pc_warmth_measure(pc_world *world);
void pc_warmth_freeze(pc_world *world, int i);
void pc_warmth_frozen(pc_world *world);
void pc_warmth_set_present(pc_world *world, int i, bool present);

// sleep.c. Room for all bodies; at the begin of a step: forgets that contacts of those who sleep
// were in the problem of the last one.
pc_status pc_sleep_prepare(pc_world *world);
void pc_sleep_begin(pc_world *world);
void pc_sleep_count(pc_world *world); // before its end: energy of those who sleep
// Whether an obstacle moves, in this step or the next.
bool pc_sleep_moves(const pc_world *world, int i);
// How long a body has been quiet, at the end of a step; and whether the force on it is as before.
void pc_sleep_watch(pc_world *world, int i, double h);
void pc_sleep_feel(pc_world *world, double h);
// Islands whose bodies are quiet for long enough fall asleep; gives the kinetic energy they had.
pc_status pc_sleep_fall(pc_world *world, double *frozen);
// Marks a body that shall wake, if it sleeps, or all.
void pc_sleep_rouse(pc_world *world, int i);
void pc_sleep_rouse_all(pc_world *world);
// Wakes the islands of those who are marked, if any. With `falls` they get their forces.
pc_status pc_sleep_wake(pc_world *world, double h, bool falls, bool *any);

// step.c: velocity at the end of the step without contacts and stiff elements.
void pc_body_free_velocity(const pc_world *world, int i, const double push[6], double six[6]);

// stiff.c: the spring of an overlap; the known part of an element into P_ext; the rest as an
// interaction; work on the mean velocities, and the part of it that the impact problem counts as
// dissipated; energy of the overlap springs at the end of the step.
pc_status pc_stiff_overlap(pc_world *world, const pc_touch *touch);
void pc_stiff_react(pc_world *world);
double pc_stiff_rate(const pc_world *world, const pc_stiff *stiff, int row, double (*velocity)[6]);
void pc_stiff_push(pc_world *world, pc_stiff *stiff, double h);
pc_status pc_stiff_state(pc_world *world, pc_stiff *stiff, double h);
double pc_stiff_work(pc_world *world, double (*mean)[6], double h, double *counted);
double pc_stiff_overlap_energy(const pc_world *world, double (*after)[6], double h);

// bonds.c: whether a bond acts in this step; as an interaction of the problem.
bool pc_bond_holds(const pc_world *world, const pc_bond *bond);
pc_status pc_bond_state(pc_world *world, pc_bond *bond);

// reserve.c: at the start of a step; after the caller has changed a state, from what the elongation
// of an element said before (gives how much more that was than it stored); whether there is
// something left; a row held to what its element can pay for; whether rows would push
// where they can only pull, which then do nothing: the step is to be solved again; what all
// elements store after the step, from what their elongations say.
pc_status pc_reserve_begin(pc_world *world, double h);
double pc_reserve_changed(pc_world *world, int number, double before);
bool pc_reserve_left(const pc_force_element *element);
void pc_reserve_limit(pc_world *world, double h, pc_stiff *stiff);
bool pc_reserve_slack(pc_world *world, double h);
double pc_reserve_settle(pc_world *world, double stored);

// strings.c: rows of a string, if it acts in the step; the energy it stores as the bodies stand.
bool pc_string_rows(const pc_world *world, int number, double h, pc_stiff_list *list);
double pc_string_energy(const pc_world *world, const pc_force_element *string);

// elements.c: the rows of the stiff elements; the energy they store as the bodies stand. Forces are
// in forces.h.
pc_status pc_elements_rows(pc_world *world, double h);
pc_stiff *pc_stiff_add(pc_world *world);
pc_stiff *pc_stiff_list_add(pc_stiff_list *list);                     // NULL when memory is out
int pc_element_add(pc_world *world, const pc_force_element *element); // its number, or -1
double pc_elements_stored(pc_world *world);
// Coefficients of velocity(point) . direction in the degrees of freedom of a body.
void pc_body_row(const pc_solid *body, const pc_body_state *state, const double point[3],
                 const double direction[3], double *row);

#endif
