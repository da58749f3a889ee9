// The body store: what bodies are made of, where they are, and the order they lie in. It knows
// nothing of contacts, forces and sleep islands; which bodies sleep is written here by sleep.c.
#ifndef PERCUSS_RIGID_BODIES_H
#define PERCUSS_RIGID_BODIES_H

#include <string.h>

#include "core/array.h"
#include "percuss/world.h"
#include "rigid/motion.h"

typedef double pc_six[6]; // a velocity, a force or a percussion: linear part, then angular part

// Constant data of a body that only bodies need that turn, are guided or driven. Consecutive equal
// bodies share one form.
typedef struct pc_form {
  double moments[3];   // principal moments
  double offset[3];    // the shape's origin seen from the centre of mass, in the shape's axes
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
  unsigned char dof;  // in the impact problem: 6; in the plane 3, or 2 if it cannot turn; 1 if
                      // guided
  bool turns;         // its attitude can change by itself
  bool round;         // all moments are equal
  bool aligned;       // the shape's axes are principal
  bool ball;          // a sphere or a disc
  bool absent;        // takes part in nothing for now
} pc_solid;
_Static_assert(sizeof(pc_solid) == 64, "one cache line");

typedef struct pc_bodies {
  PC_ARRAY(pc_solid) solid;
  PC_ARRAY(pc_body_state) state;
  pc_arena forms;
  int count;
  int driven, guided; // how many bodies are
  double smallest;    // radius of a body
  // Bodies lie in slots. slot[] is told by number - 1, number[] by slot; both hold for the first
  // `ordered` bodies, and bodies made later lie where they were made.
  PC_ARRAY(int) slot;
  PC_ARRAY(int) number;
  int ordered;
  PC_ARRAY(int) asleep; // island of a sleeping body: its first body + 1; 0: awake
  int sleepers;
  int first_disc, disc_bodies; // discs.h: from the first on, while there are so many bodies
} pc_bodies;

void pc_bodies_free(pc_bodies *bodies);

#endif
