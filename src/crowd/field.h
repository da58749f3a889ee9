// Ways to a goal: the shortest time to it from everywhere on a floor, by fast marching, and the
// direction in which to walk.
//
// The grid has a node every `spacing`. A node is updated from the triangles that it makes with two
// of its eight neighbours: the time on their edge is linear, and the straight way to the best point
// of it is taken. Steps that a wall bars are not taken, so walls need no thickness and stand where
// they are, not on nodes. Where a way turns about the corner of a wall, the corner is a node too,
// from which those who see it walk straight.
#ifndef PERCUSS_CROWD_FIELD_H
#define PERCUSS_CROWD_FIELD_H

#include "crowd/grid.h"

// A line or a closed area to go to, and the time that is left once there.
typedef struct pc_goal {
  int count;
  const double (*point)[2];
  bool area;
  double after;
} pc_goal;

typedef struct pc_field {
  const pc_grid *grid;
  double
      *time; // per node, in rows of the grid, s at 1 m/s; infinite where no way leads to the goal
  float (*way)[2];     // per node, unit vector; zero where there is none
  unsigned char *open; // per node: ways are interpolated in the square to its right and above it
  pc_goal *goal;       // what it leads to, with points of its own
  double (*point)[2];
  int goals;
} pc_field;
pc_status pc_field_make(pc_field *field, const pc_grid *grid, pc_error *error);
void pc_field_free(pc_field *field);
pc_status pc_field_solve(pc_field *field, int goals, const pc_goal *goal, pc_error *error);

// Time to the goal, infinite if none leads there; and the way, false if there is none. The point
// need not be on a node.
double pc_field_time(const pc_field *field, const double p[2]);
bool pc_field_way(const pc_field *field, const double p[2], double way[2]);

// Ways from some places at a time. Fields are large, and everybody is somewhere else in them: what
// the last ones need is on its way while the first are looked at.
enum { PC_WAYS = 64 };
typedef struct pc_ways {
  int count;
  double at[2][PC_WAYS];  // x and y
  double way[2][PC_WAYS]; // unit vectors; zero where no way leads to the goal
} pc_ways;
void pc_field_ways(const pc_field *field, pc_ways *ways);

#endif
