// Discs in the plane that do not turn, such as people: what a step does with a body, in one go. The
// same numbers as body by body in step_begin.c, outlines.c and step_end.c, without asking each body
// what it is.
//
// Without it a step of discs takes more instructions (valgrind --tool=callgrind, 900 discs, 20
// steps):
//
//   contacts   with discs.c   pc_discs_first always answers that there are none
//         80         19.4 M   26.4 M
//        385         62.7 M   69.9 M
//        819        126.1 M   137.1 M
#ifndef PERCUSS_RIGID_DISCS_H
#define PERCUSS_RIGID_DISCS_H

#include "rigid/step.h"

// From which body on all are such discs, present or not, in a step that has nothing more to do with
// them: nothing sleeps, no elements, and forces are those that were set for all, if any.
int pc_discs_first(const pc_step *step);

// Bodies are gone over in ranges, so that what is written of the first is near for what comes next.
// Where the range from body i on ends: all of its bodies are such discs, or none.
enum { PC_RANGE = 64 };
static inline int pc_discs_range_end(int i, int end, int disc)
{
  int last = i + PC_RANGE < end ? i + PC_RANGE : end;
  return i < disc && disc < last ? disc : last;
}

// To the middle, velocities without contacts, outlines: pc_bodies_advance, pc_body_free_velocity,
// pc_detection_place. Gives a body whose force is not finite, or -1.
int pc_discs_begin(const pc_step *step, int begin, int end, int worker);

// From the answer of the problem to the end. Gives a body whose motion is not finite, or -1.
int pc_discs_end(const pc_step *step, int begin, int end, pc_end_sums *sums);

#endif
