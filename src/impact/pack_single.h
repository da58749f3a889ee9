// Packs in single precision: a vector holds twice the contacts, and a sweep reads half the memory.
//
// Percussions of a heap that moves are asked for to a small part of what the bodies move by in a
// step, far above the last digit of a float. They are found here and go back into packs in double
// precision, where velocities are made from them and the error is measured.
#ifndef PERCUSS_IMPACT_PACK_SINGLE_H
#define PERCUSS_IMPACT_PACK_SINGLE_H

#include "impact/packs.h"

// A copy with percussions and lines, its unit of mass chosen for the range of floats; it works on
// the same runs and pairs. Its lines take the memory of those in double precision, which have to be
// recomputed afterwards. Its fields come first in the arena. *suits tells whether the accuracy,
// m/s, is well above the rounding: if not, there is no copy. False if memory is out.
bool pc_packs_to_single(pc_packs *single, const pc_packs *packs, double accuracy, bool *suits,
                        pc_arena *arena);
// Percussions of the copy, as doubles within their cones.
void pc_packs_from_single(const pc_packs *packs, const void *from, double *to);

#endif
