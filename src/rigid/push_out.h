// Displacements that take overlapping bodies apart at position level.
#ifndef PERCUSS_RIGID_PUSH_OUT_H
#define PERCUSS_RIGID_PUSH_OUT_H

#include "rigid/detection.h"

// A pair along one normal. Bodies do not turn here: of its points only the deepest counts.
typedef struct pc_abut {
  int body[2];
  int contact; // its deepest point; ~contact once it is in the list of squeezes
  int fresh;   // not of this one: entry k of a piece has the place of its k-th pair that comes in
} pc_abut;

// What such a pair asks for, and all that a sweep reads of it: a line of memory.
typedef struct pc_squeeze {
  double normal[4]; // the fourth number is the opening that is wanted; if negative, what may close
  double press;
  double give[2]; // how much the bodies give way along the normal: 1/m, or nothing
  int body[2];
} pc_squeeze;
typedef struct pc_squeeze_list {
  pc_squeeze *at;
  int count;
} pc_squeeze_list;

typedef double pc_correction[4]; // m; the fourth number is padding

typedef struct pc_push_out {
  pc_correction *correction; // per body
  unsigned char *moved;      // whether it has one
} pc_push_out;

// Finds the displacements that take overlaps away at `rate` (1/s), for the contacts of a search, in
// the memory of an arena that is reset; `any` tells whether there are some. False when memory is
// out.
bool pc_push_out_find(pc_push_out *push_out, const pc_detection *search, double rate,
                      pc_arena *arena, bool *any);

#endif
