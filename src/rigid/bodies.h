// The body store: what bodies are made of, where they are, and the order they lie in. It knows
// nothing of contacts, forces and islands. sleep.c writes here which bodies sleep.
#ifndef PERCUSS_RIGID_BODIES_H
#define PERCUSS_RIGID_BODIES_H

#include <string.h>

#include "core/array.h"
#include "geometry/pose.h"
#include "percuss/world.h"
#include "rigid/motion.h"

// A velocity, a force or a percussion: linear part, then angular part.
typedef double pc_six[6];

// Constant data that only bodies need that are not round, guided or driven. Consecutive bodies
// whose forms are equal share one, so spheres of any size do.
typedef struct pc_form {
  double offset[3];    // the shape's origin seen from the centre of mass, in the shape's axes
  double moments[3];   // principal moments; like the next two of bodies that turn and are not round
  double inertia[9];   // in the shape's axes
  double principal[4]; // principal axes -> the shape's axes
  double guide[3], load;
  pc_course *course; // driven
} pc_form;

// The other constant data of a body, in one cache line.
typedef struct pc_solid {
  double mass, inverse_mass;
  double radius; // about the centre of mass
  double moment; // the first principal one: of a round body, all of them
  pc_shape *shape;
  const pc_form *form;
  int material;
  uint32_t group;
  unsigned char kind; // pc_body_kind
  unsigned char dof;  // in the impact problem: 6; in the plane 3, or 2 if it cannot turn; guided: 1
  bool turns;         // its attitude can change by itself
  bool round;         // all moments are equal
  bool aligned;       // the shape's axes are principal
  bool ball;          // a sphere or a disc
  bool absent;        // takes part in nothing for now
} pc_solid;
_Static_assert(sizeof(pc_solid) == 64, "one cache line");

typedef struct pc_body_store {
  PC_ARRAY(pc_solid) solid;
  PC_ARRAY(pc_body_state) state;
  pc_arena forms;
  int count;
  int driven, guided;     // how many bodies are
  double smallest;        // radius of a body
  double smallest_moving; // of one that is free or guided; 0: there is none
  // Bodies lie in slots: slot.at[number - 1] and number.at[slot] + 1. This holds for the first
  // `ordered` bodies; bodies made later lie where they were made.
  PC_ARRAY(int) slot;
  PC_ARRAY(int) number;
  int ordered;
  PC_ARRAY(int) asleep; // island of a sleeping body: its first body + 1; 0: awake
  int sleepers;
  int first_disc, disc_bodies; // discs.h: from the first on, while there are so many bodies
} pc_body_store;

static inline int pc_bodies_slot(const pc_body_store *bodies, pc_body body)
{
  return body.id <= bodies->ordered ? bodies->slot.at[body.id - 1] : body.id - 1;
}

static inline pc_body pc_bodies_number(const pc_body_store *bodies, int i)
{
  return (pc_body){(i < bodies->ordered ? bodies->number.at[i] : i) + 1};
}

// Whether the bodies `first` and the following, `count` of them, exist.
static inline bool pc_bodies_exist(const pc_body_store *bodies, pc_body first, int count)
{
  return count >= 0 && first.id >= 1 && first.id - 1 <= bodies->count - count;
}

static inline bool pc_bodies_is_asleep(const pc_body_store *bodies, int i)
{
  return bodies->sleepers > 0 && bodies->asleep.at[i] > 0;
}

// Asleep or absent.
static inline bool pc_bodies_is_idle(const pc_body_store *bodies, int i)
{
  return bodies->solid.at[i].absent || pc_bodies_is_asleep(bodies, i);
}

// Whether an obstacle moves, in this step or the next.
static inline bool pc_bodies_is_moving_obstacle(const pc_body_store *bodies, int i)
{
  return bodies->solid.at[i].kind == PC_DRIVEN &&
         pc_course_is_moving(bodies->solid.at[i].form->course, &bodies->state.at[i]);
}

// Adds a body; `density` is that of its material, 0 for an unknown material. Null, with a
// message, if the definition is impossible or memory is out.
pc_body pc_bodies_add(pc_body_store *bodies, const pc_body_def *def, int dimension, double density,
                      pc_error *error);
// What is wrong with a state for a body, or NULL.
const char *pc_bodies_check_state(const pc_body_state *state);
// Sets the state of a body, normalised; or says what is wrong with it.
const char *pc_bodies_set_state(pc_body_store *bodies, int i, const pc_body_state *state);
void pc_bodies_free(pc_body_store *bodies);

// Puts bodies in the order in which `id` gives their numbers - 1; `from` gives their old slots.
// `room` holds a state per body.
bool pc_bodies_reserve_order(pc_body_store *bodies);
void pc_bodies_reorder(pc_body_store *bodies, const int *id, const int *from, void *room);
// Moves the entries of an array to the slots that `from` gives.
void pc_reorder(void *list, size_t size, int count, const int *from, char *room);

// The axes of a body about its centre of mass, and where its shape is in the world.
static inline pc_pose pc_bodies_axes(const pc_body_store *bodies, int i)
{
  return pc_pose_of(bodies->state.at[i].position, bodies->state.at[i].orientation);
}
pc_pose pc_body_pose(const pc_solid *body, const pc_body_state *state);
void pc_body_inertia(const pc_solid *body, const pc_body_state *state, double world[9]);

// Whether a body moves in x and y and turns about z alone.
static inline bool pc_state_lies_in_plane(const pc_body_state *state)
{
  return state->position[2] == 0 && state->velocity[2] == 0 && state->spin[0] == 0 &&
         state->spin[1] == 0 && state->orientation[1] == 0 && state->orientation[2] == 0;
}

static inline void pc_state_velocity(const pc_body_state *state, double six[6])
{
  memcpy(six, state->velocity, 3 * sizeof(double));
  memcpy(six + 3, state->spin, 3 * sizeof(double));
}
// Velocities and percussions in the degrees of freedom of the impact problem, and back.
void pc_body_to_dof(const pc_solid *body, const double *six, double *numbers);
void pc_body_from_dof(const pc_solid *body, const double *numbers, double *six);
// Coefficients of velocity(point) . direction in the degrees of freedom of a body.
void pc_body_row(const pc_solid *body, const pc_body_state *state, const double point[3],
                 const double direction[3], double *row);
// U- + M^-1 P_ext: the velocity of a body at the end of the step without contacts and stiff
// elements.
void pc_body_free_velocity(const pc_solid *body, const pc_body_state *state,
                           const double external[6], double six[6]);

// Moves the bodies begin .. end freely by `time`, those that are awake and not driven.
void pc_bodies_advance(const pc_body_store *bodies, int begin, int end, double time,
                       bool constant_spin);

// Orientation and spin of a body that turns, after it has moved freely by `time`.
void pc_body_turned(const pc_solid *body, const pc_body_state *state, double time,
                    bool constant_spin, double orientation[4], double spin[3]);

// Kinetic energies, and the potential energy of gravity.
typedef struct pc_energies {
  double translation, rotation, potential;
} pc_energies;
static inline void pc_energies_add(pc_energies *sum, const pc_energies *more)
{
  sum->translation += more->translation;
  sum->rotation += more->rotation;
  sum->potential += more->potential;
}
void pc_bodies_add_energies(const pc_body_store *bodies, int i, const double gravity[3],
                            pc_energies *sum);
pc_energies pc_bodies_energies(const pc_body_store *bodies, const double gravity[3], int threads);

#endif
