// Routes to a goal: the shortest time to it from everywhere on a floor, by fast marching, and the
// direction in which to walk.
//
// The grid has a node every `spacing`. A node is updated from the triangles that it makes with two
// of its eight neighbours: the time on their edge is linear, and the straight way to the best point
// of it is taken. Steps blocked by a wall are excluded, so walls need no thickness and need not lie
// on nodes. Corners of walls where paths bend are nodes too; from places that see a corner the path
// to it is straight.
#ifndef PERCUSS_CROWD_FIELD_H
#define PERCUSS_CROWD_FIELD_H

#include "crowd/grid.h"

// A goal: a line or a closed area, and the time that remains from there.
typedef struct pc_goal {
  int count;
  const double (*point)[2];
  bool area;
  double after;
} pc_goal;

typedef struct pc_field {
  const pc_grid *grid;
  double *time;        // per node, in rows of the grid, s at 1 m/s; infinite without a route
  float (*way)[2];     // per node, unit vector; zero without a route
  unsigned char *open; // per node: directions are interpolated in the square up and right of it
  pc_goal *goal;       // of the field, with its own points
  double (*point)[2];
  int goals;
} pc_field;
pc_status pc_field_make(pc_field *field, const pc_grid *grid, pc_error *error);
void pc_field_free(pc_field *field);
pc_status pc_field_solve(pc_field *field, int goals, const pc_goal *goal, pc_error *error);

// Time to the goal, infinite without a route; and the direction, false without a route. The point
// need not be on a node.
double pc_field_time(const pc_field *field, const double p[2]);
bool pc_field_way(const pc_field *field, const double p[2], double way[2]);

// Directions at several places at a time. Fields are large and people are spread over them, so the
// data of later places are prefetched while earlier ones are processed.
enum { PC_WAYS = 64 };
typedef struct pc_ways {
  int count;
  double at[2][PC_WAYS];  // x and y
  double way[2][PC_WAYS]; // unit vectors; zero without a route
} pc_ways;
void pc_field_ways(const pc_field *field, pc_ways *ways);

#endif
