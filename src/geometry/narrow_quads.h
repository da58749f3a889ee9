// Contacts of many pairs of four-sided polygons, several at a time: boxes of the plane.
#ifndef PERCUSS_GEOMETRY_NARROW_QUADS_H
#define PERCUSS_GEOMETRY_NARROW_QUADS_H

#include "geometry/narrow.h"

enum { PC_QUADS = 16, PC_QUAD_POINTS = 2 };
typedef struct pc_quad_pairs {
  int count;
  const pc_shape *shape[2][PC_QUADS];
  const pc_pose *pose[2][PC_QUADS];
  double margin[PC_QUADS];
  // What is found: contacts of each pair, as pc_collide gives them, or -1 if that has to look at
  // it.
  int made[PC_QUADS];
  pc_contact_point touch[PC_QUADS][PC_QUAD_POINTS];
} pc_quad_pairs;

static inline bool pc_shape_is_quad(const pc_shape *shape)
{
  return shape->type == PC_POLYGON && shape->polygon.count == 4;
}

void pc_collide_quads(pc_quad_pairs *pairs);

#endif
