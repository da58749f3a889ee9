// Discs in the plane that do not turn, such as people: what a step does with a body, in one go. The
// same numbers as body by body in step.c and outlines.c, without asking each what it is.
#ifndef PERCUSS_RIGID_DISCS_H
#define PERCUSS_RIGID_DISCS_H

#include "rigid/world.h"

// What bodies add at the end of a step.
typedef struct pc_end_sums {
  double gravity, forces, correction;
  pc_energies energies;
} pc_end_sums;

// From which body on all are such discs, there or not, in a world that has nothing more to do with
// them: nobody sleeps, no elements, and forces are those that were set for all, if any.
int pc_discs_first(pc_world *world);

// To the middle, velocities without contacts, places and outlines: pc_bodies_advance,
// pc_body_free_velocity, pc_contacts_place. Gives a body whose force is not finite, or -1.
int pc_discs_begin(pc_world *world, double h, int begin, int end, int worker);

// A disc as a body of the impact problem, at its `place` and `start`: NULL, or what is wrong.
const char *pc_disc_put(pc_world *world, double h, int i);

// From the answer of the problem to the end. Gives a body whose motion is not finite, or -1.
int pc_discs_end(pc_world *world, double h, int begin, int end, pc_end_sums *sums);

#endif
