// Narrow phase: contacts of two shapes.
#ifndef PERCUSS_GEOMETRY_NARROW_H
#define PERCUSS_GEOMETRY_NARROW_H

#include <math.h>
#include <stdint.h>

#include "core/array.h"
#include "geometry/shape.h"

typedef struct pc_contact_point {
  double point[3];  // halfway between the two surfaces
  double normal[3]; // unit, from the second shape to the first
  double gap;       // along the normal; negative when they overlap
  uint64_t feature; // identifies the touching parts: stable from step to step, unique in the pair
} pc_contact_point;

typedef PC_ARRAY(pc_contact_point) pc_contact_list; // the caller frees it

// The contact of two spheres or discs, as found by pc_collide, inline. `up` is the axis of the
// normal if their centres coincide.
static inline bool pc_balls_touch(const double a[3], double radius_a, const double b[3],
                                  double radius_b, double margin, int up, pc_contact_point *at)
{
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], reach = radius_a + radius_b + margin;
  double square = x * x + y * y + z * z;
  if (square > reach * reach)
    return false;
  double distance = sqrt(square), gap = distance - radius_a - radius_b;
  if (gap > margin)
    return false;
  // Coincident centres have no normal of their own.
  bool apart = distance > 1e-12 * (radius_a < radius_b ? radius_a : radius_b);
  double part = apart ? 1 / distance : 0, out = radius_b + 0.5 * gap;
  at->normal[0] = part * x;
  at->normal[1] = part * y;
  at->normal[2] = part * z;
  if (!apart)
    at->normal[up] = 1;
  for (int k = 0; k < 3; k++)
    at->point[k] = b[k] + out * at->normal[k];
  at->gap = gap;
  at->feature = 0;
  return true;
}

// Appends the contacts of two shapes nearer than `margin` (>= 0), at most four for a pair of convex
// pieces; two obstacles have none. PC_ERROR_MEMORY or PC_OK.
pc_status pc_collide(const pc_shape *a, const pc_pose *at_a, const pc_shape *b, const pc_pose *at_b,
                     double margin, pc_contact_list *list);

#endif
