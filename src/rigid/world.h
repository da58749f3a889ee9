// Inside of pc_world.
#ifndef PERCUSS_RIGID_WORLD_H
#define PERCUSS_RIGID_WORLD_H

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/broad.h"
#include "geometry/narrow.h"
#include "percuss/world.h"

// Of a driven body: its motion, from where, and where it is at the middle of the next step.
typedef struct pc_course {
  pc_motion motion;
  pc_body_state start; // at time 0
  pc_body_state next;
} pc_course;

// What does not change of a body and is asked for by what turns, is guided or driven. Equal ones
// made one after the other are one.
typedef struct pc_form {
  double moments[3];   // principal moments
  double offset[3];    // the shape's origin seen from the centre of mass, in the shape's axes
  double inertia[9];   // in the shape's axes
  double principal[4]; // principal axes -> the shape's axes
  double guide[3], load;
  pc_course *course; // driven
} pc_form;

// The rest of what does not change while stepping: one line of memory.
typedef struct pc_solid {
  double mass, inverse_mass;
  double radius; // about the centre of mass
  double moment; // the first principal one: of a round body, all of them
  pc_shape *shape;
  const pc_form *form;
  int material;
  uint32_t group;
  unsigned char kind; // pc_body_kind
  unsigned char dof;  // in the impact problem: 6; in the plane 3, or 2 when it cannot turn; 1 if
                      // guided
  bool turns;         // its attitude can change by itself
  bool round;         // all moments equal
  bool aligned;       // the shape's axes are principal
  bool ball;          // a sphere or a disc
  bool absent;        // not there for now: has no part in anything
} pc_solid;
_Static_assert(sizeof(pc_solid) == 64, "a line of memory");

// A contact of the step. Lists of these and of memories are in the order of their bodies, which
// come first in both.
enum { PC_CALM_INELASTIC = 1, PC_CALM_SLIPPERY = 2 };
typedef struct pc_touch {
  int body[2];
  uint64_t feature;
  double point[3], normal[3], gap;
  double before, free;  // D_N^-, and D_N+ if there were no contacts
  double percussion[3]; // P of the impact problem, world axes
  double bound;
  int law;         // in the impact problem, of those that rows do not state; -1: does not act
  int interaction; // in the impact problem; below 0: none
} pc_touch;
// Not yet in the problem, but it was in the one that the step solved before, just as it is.
enum { PC_SETTLED = -2 };

static inline bool pc_is_pressed(const pc_touch *touch)
{
  return touch->percussion[0] != 0 || touch->percussion[1] != 0 || touch->percussion[2] != 0;
}

// A contact that acted before the step proper: on the way from a start to the middle.
typedef struct pc_first_touch {
  pc_touch touch;
  double dissipated; // J
} pc_first_touch;

typedef struct pc_touch_list {
  pc_touch *at;
  int count, capacity;
} pc_touch_list;

// A contact within reach that does not act, as things look before the solve.
typedef struct pc_near {
  int body[2];
  double point[3], normal[3], gap;
} pc_near;

// What one worker finds.
typedef struct pc_finding {
  pc_contact_list list;  // contacts of a pair
  pc_touch_list touches; // what acts
  pc_near *near;
  int near_count, near_capacity;
  int passed;       // contacts that do not act
  pc_box_list left; // bodies that have left their wide boxes
  bool left_more;   // so many that there was no room
} pc_finding;

// What is read of a body when pairs are sorted out: where its shape is at the middle of the step,
// and within what radius of there it touches nothing; infinite for what is no ball.
typedef struct pc_place {
  double position[3], within;
} pc_place;

// What is read of a body per contact, close together.
typedef struct pc_outline {
  double ball;  // radius of a sphere; 0 for other shapes
  double reach; // how far it may come in the step
  uint32_t group;
  int material;
  unsigned char kind, dof; // pc_body_kind
  bool heavy;              // has a mass
} pc_outline;

// Its velocities, as they are and as they would be without contacts, one beside the other.
typedef double pc_two __attribute__((vector_size(16)));
typedef struct pc_moving {
  pc_two velocity[3];
} pc_moving;

// What is carried from step to step to start the solver from.
typedef struct pc_memory {
  int body[2];
  uint64_t feature;
  double percussion[3];
} pc_memory;

// The same for the moment of rolling friction.
typedef struct pc_moment {
  int body[2];
  uint64_t feature;
  double moment[3];
} pc_moment;

typedef struct pc_material_pair {
  int a, b; // a <= b
  pc_law law;
} pc_material_pair;

typedef struct pc_force_entry {
  pc_force *force;
  void *context;
} pc_force_entry;

typedef struct pc_load {
  int body;
  double force[6];
  pc_signal signal; // PC_SIGNAL_NONE: constant
} pc_load;

// Rows of a stiff element, linearised where the body would be after a part `theta` of the step (1/2
// or 1). With D = B U the rate at which it is loaded, F its force there and k its stiffness,
//     P = -(h F along `force_row`) - B^T (theta h^2 k (B mean U - B U^-) + h damping B mean U).
typedef struct pc_stiff {
  int body[2]; // the second may be -1
  int element; // -1: the spring of an overlap
  int rows;
  double row[2][3 * 6];    // per body: rows x dof
  double force_row[2][6];  // where the force itself acts
  double force, stiffness; // N, N/m
  double damping;          // N s/m, of the first row
  double theta;
  double before[3]; // B U^-
  double depth;     // overlap springs: their depth
  bool hard;        // would throw its bodies back within a step or two
  double counted;   // of what the problem counts as dissipated in it: work of the element
  int interaction;
} pc_stiff;

typedef struct pc_stiff_list {
  pc_stiff *at;
  int count, capacity;
} pc_stiff_list;

typedef enum pc_element_kind {
  PC_ELEMENT_SPRING,
  PC_ELEMENT_NET,
  PC_ELEMENT_STRING // between its two bodies, from `point` in the first to `place` in the second
} pc_element_kind;
typedef struct pc_force_element {
  pc_element_kind kind;
  double stiffness;
  int body;                             // spring
  double point[3], place[3], normal[3]; // spring: in the body from its centre of mass; its place
                                        // at no load, in the world; direction of the force
  double low[3], high[3];               // net
  double length, damping;               // string
  int count;
  int *bodies;
  bool moves;                // net: with the centre of mass of its bodies
  double mass, origin[3];    // of them; its middle as it was given
  double shift[3], drift[3]; // how far it has moved, and its velocity
  double owed[3];            // to all its bodies, for its forces in the last step, N s
  double force[3], energy;   // of the last step
  double work;               // done on the bodies in the last step, and no less than that
  double reserve;            // spring, string: what it may give back, J; reserve.c
  double peak, part;         // the most it had to do with; the part of it that may be wrong
} pc_force_element;

// Two bodies, told by their numbers, that hold on to each other; the points in their axes.
typedef struct pc_bond {
  pc_body body[2];
  double point[2][3];
  double stiffness;
  int interaction;
} pc_bond;

// Sums and lists are made in pieces that do not depend on the number of threads.
enum { PC_PIECES = 64, PC_PIECE = 128 };

struct pc_world {
  pc_world_def def;
  char solver[16];
  pc_error error;

  pc_solid *body;
  pc_arena forms;
  pc_body_state *state;
  int bodies, body_capacity, state_capacity;
  int driven;            // how many bodies are
  int disc, disc_bodies; // discs.h: from the first on, while there are so many bodies
  int guided;
  double smallest; // radius of a body
  double *density;
  int materials, material_capacity;
  pc_material_pair *pair_law;
  int pair_laws, pair_law_capacity;
  pc_law default_law;
  pc_force_entry *force;
  int forces, force_capacity;
  pc_load *load;
  int loads, load_capacity;
  pc_force_element *element;
  int elements, element_capacity;
  int reserved, judged; // elements that have their reserve; of which it is known how stiff they are
  double judged_h;      // for this step
  pc_bond *bond;
  int bonds, bond_capacity;
  struct pc_warmth *heat; // NULL: there is none

  // Where bodies are in these lists, by their numbers from 0, and back: once so many are ordered.
  // Those made since are where they were made.
  int *slot, *number;
  int ordered, slot_capacity, number_capacity;

  // Time: base + count x last_h, so that equal steps do not gather round-off.
  double time, base_time, last_h;
  long step, base_count;

  // The step.
  pc_broad *broad;
  pc_impact *impact;
  pc_pose *pose; // of the shape, at the middle of the step; of what is no ball
  int pose_capacity;
  double (*box)[6]; // of what is no ball
  int box_capacity;
  // Larger boxes, and the pairs of these: while all boxes are inside they have all pairs of boxes.
  double (*wide)[6];
  unsigned char *wide_fixed; // `fixed` as it was then
  const int (*wide_pair)[2];
  int wide_pairs, wide_bodies, wide_capacity, wide_fixed_capacity;
  double wide_ahead, wide_typical; // how much larger
  bool wide_balls;                 // most bodies are
  int *stray;                      // who has left its wide box since, and has got another one
  int strays, stray_capacity;
  int (*own_pair)[2]; // the pairs, with those of strays
  int (*more)[2];     // pairs of strays, scratch
  int own_capacity, more_capacity;
  pc_box_list around;
  pc_place *at;
  pc_outline *outline;
  pc_moving *moving;
  int at_capacity, outline_capacity, moving_capacity;
  unsigned char *fixed;
  int fixed_capacity;
  bool placed;       // all of these are as the bodies are in this step
  double (*push)[6]; // P_ext, if `pushed`: else it is made from forces where it is needed
  bool pushed;
  int push_capacity;
  double *given_force; // N, N m: what the caller set, pc_force_numbers of each body
  int given_forces, given_capacity;
  double (*loaded)[6]; // the part of it that is neither gravity nor elements
  int loaded_capacity;
  double (*free)[6]; // velocity without contacts
  int free_capacity;
  int *place; // in the impact problem; -1: not there
  int *start; // of its velocities there
  int place_capacity, start_capacity;
  int *law_place; // of the laws of contacts, in the impact problem
  int law_place_capacity;
  pc_finding *finding; // per worker
  int findings;
  pc_touch *touch;
  int touches, touch_capacity;
  double deepest; // overlap of the touches
  pc_memory *memory;
  int memories, memory_capacity;
  pc_moment *moment; // in a world with rolling friction, in the order of bodies
  int moments, moment_capacity;
  double (*last)[6]; // velocities after the solve before, when a step is solved again
  int last_capacity;
  bool again;            // it is
  unsigned char *struck; // bodies whose contacts are then looked for again
  int struck_capacity;
  double (*way)[4];     // how far a body is pushed out; the fourth number is 0
  unsigned char *moved; // whether it is
  int way_capacity, moved_capacity;
  struct pc_abut *abut; // pairs that touch, for that
  int abut_capacity;
  struct pc_squeeze_list *squeeze; // per block of bodies
  pc_stiff *stiff;
  int stiffs, stiff_capacity;
  pc_stiff_list *found; // per piece, while rows are looked for
  double *energy;       // per body of every element
  int energy_capacity;
  // Sleeping.
  int *asleep; // per body: its island, told by its first body, counted from 1; 0: awake
  int asleep_capacity, asleep_known, sleepers;
  double *quiet;         // s, since when it is slow
  double (*held)[6];     // the force on it since then, N
  unsigned char *roused; // it shall wake
  int *root;             // scratch
  pc_touch *rest;        // contacts of those who sleep
  int rests, rest_capacity, quiet_capacity, held_capacity, roused_capacity, root_capacity;
  double rest_h;                    // step for which those who sleep have their boxes
  bool rest_known;                  // what they count
  bool rest_fresh;                  // some fell asleep in the last step
  double rest_potential[PC_PIECES]; // J
  bool everybody;                   // no matter who sleeps
  pc_first_touch *first;            // of the step that was done last, if it began after a start
  int firsts, first_capacity;

  bool looking; // at the way before the first step, without forces
  int calm;     // PC_CALM_...: what contacts do in a step whose own laws had no answer
  bool changed; // states were, since the last step
  double given, given_stored; // energy that gave, and what of it elements store

  pc_step_info info;
  double energy_start;    // mechanical energy when the account began
  double energy_turnover; // sizes of all terms, what the drift is measured by
  bool accounted;
};

static inline int pc_pieces(int count)
{
  return count >= PC_PIECES * PC_PIECE ? PC_PIECES : count / PC_PIECE + 1;
}
static inline int pc_piece_begin(int count, int piece)
{
  return (int)((long long)count * piece / pc_pieces(count));
}

static inline int pc_body_slot(const pc_world *world, pc_body body)
{
  return body.id <= world->ordered ? world->slot[body.id - 1] : body.id - 1;
}
static inline pc_body pc_body_number(const pc_world *world, int i)
{
  return (pc_body){(i < world->ordered ? world->number[i] : i) + 1};
}

// Of forces that are set for many bodies: six, in the plane x, y and about z.
static inline int pc_force_numbers(const pc_world *world)
{
  return world->def.dimension == 2 ? 3 : 6;
}

static inline bool pc_is_asleep(const pc_world *world, int i)
{
  return world->sleepers > 0 && world->asleep[i] > 0;
}

// Asleep, or not there.
static inline bool pc_is_idle(const pc_world *world, int i)
{
  return world->body[i].absent || pc_is_asleep(world, i);
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
void pc_course_free(pc_course *course);
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

// motion.c: state of a driven body at a time, with the velocities that bring it from one time to
// another.
void pc_motion_place(const pc_course *course, double time, pc_body_state *state);
void pc_motion_between(const pc_course *course, double from, double to, pc_body_state *state);
bool pc_signal_copy(pc_signal *to, const pc_signal *from);
void pc_signal_free(pc_signal *signal);

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
void pc_push_out_free(pc_world *world);
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
void pc_sleep_free(pc_world *world);

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
void pc_elements_free(pc_world *world);
// Coefficients of velocity(point) . direction in the degrees of freedom of a body.
void pc_body_row(const pc_solid *body, const pc_body_state *state, const double point[3],
                 const double direction[3], double *row);

#endif
