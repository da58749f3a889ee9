// Points where lines meet: points that are nearer to each other than a little are one.
#ifndef PERCUSS_SCENE_KNOTS_H
#define PERCUSS_SCENE_KNOTS_H

#include "core/array.h"

typedef struct pc_knot {
  double at[2];
  int next;  // in the same place of the table, -1: none
  int first; // the caller's; -1 in a new one
} pc_knot;

typedef struct pc_knots {
  double reach;  // points nearer than that are one; set by the caller
  double low[2]; // near the points; set by the caller
  PC_ARRAY(pc_knot) list;
  int *table; // knots by the square of 2 reach they are in; a power of two of them
  int places;
} pc_knots;

// The number of the knot at a place, an old one or a new one; -1: memory is out. Coordinates are at
// most 1e18 times `reach` away from `low`.
int pc_knots_add(pc_knots *knots, double x, double y);
void pc_knots_free(pc_knots *knots);

#endif
