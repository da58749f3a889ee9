// The surfaces of recorded shapes as points and faces, for other programs.
#ifndef PERCUSS_RUN_SURFACES_H
#define PERCUSS_RUN_SURFACES_H

#include "core/array.h"
#include "run/recorded.h"

typedef struct pc_surface_point {
  double place[3], normal[3]; // normal: 0 where faces are flat
} pc_surface_point;

typedef PC_ARRAY(int32_t) pc_indices;

// In the axes of the shape. Faces are convex, counter-clockwise from outside; lines are those of
// shapes without a surface. The points of all are in one list, with the end of each in another.
typedef struct pc_surface {
  PC_ARRAY(pc_surface_point) points;
  pc_indices faces, face_ends, lines, line_ends;
  bool smooth; // every point has a normal
  bool failed; // memory was out
} pc_surface;

// How many faces a round body gets around, so that many of them together stay small.
int pc_surface_detail(const pc_recorded *recorded);
// False when memory is out. A plane gives an empty surface. Free it also then.
bool pc_surface_make(const pc_recorded *recorded, int shape, int detail, pc_surface *surface);
void pc_surface_free(pc_surface *surface);

#endif
