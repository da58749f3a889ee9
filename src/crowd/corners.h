// Points where shortest paths bend: ends and corners of walls, and points around round obstacles.
#ifndef PERCUSS_CROWD_CORNERS_H
#define PERCUSS_CROWD_CORNERS_H

#include "crowd/layout.h"

typedef struct pc_corner {
  double place[2];
  double middle[2], opening; // of the side that is open: its middle, and the cosine of half of it
  int ring[2];               // the corners before and after it around a disc; -1: none
  double arc;                // distance to these along the disc
} pc_corner;

typedef struct pc_corners {
  pc_corner *at;
  int count;
} pc_corners;

// Finds them, into the arena. `line`: additional lines that block paths. `spacing`: largest
// distance of points around discs.
pc_status pc_corners_list(pc_corners *corners, const pc_layout *plan, int lines,
                          const double (*line)[4], double spacing, pc_arena *arena,
                          pc_error *error);
bool pc_corner_faces(const pc_corner *corner, const double p[2]); // p is on its open side

#endif
