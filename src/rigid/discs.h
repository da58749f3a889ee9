// Discs in the plane that do not turn, such as people: what a step does with a body, in one go. The
// same numbers as body by body in step_begin.c, outlines.c and step_end.c, without asking each body
// what it is.
#ifndef PERCUSS_RIGID_DISCS_H
#define PERCUSS_RIGID_DISCS_H

#include "rigid/step.h"

// From which body on all are such discs, present or not, in a step that has nothing more to do with
// them: nothing sleeps, no elements, and forces are those that were set for all, if any.
int pc_discs_first(const pc_step *step);

// To the middle, velocities without contacts, outlines: pc_bodies_advance, pc_body_free_velocity,
// pc_detection_place. Gives a body whose force is not finite, or -1.
int pc_discs_begin(const pc_step *step, int begin, int end, int worker);

// From the answer of the problem to the end. Gives a body whose motion is not finite, or -1.
int pc_discs_end(const pc_step *step, int begin, int end, pc_end_sums *sums);

#endif
