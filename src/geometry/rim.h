// How the gaps of round surfaces bend: what turning does to a gap, beside the velocity of the
// points that touch.
//
// A point of a cylinder's side or rim goes round on a circle about the axis, its rim; the surface
// of a capsule or ball is at a fixed distance from points of the axis, rims without a radius. Which
// point of a rim is lowest changes as the body turns, so that the surface moves in another way than
// any of its points.
#ifndef PERCUSS_GEOMETRY_RIM_H
#define PERCUSS_GEOMETRY_RIM_H

#include <stdint.h>

#include "geometry/shape.h"

// A shape and its free motion for a time.
typedef struct pc_flight {
  const pc_shape *shape;
  pc_pose at;                             // of the shape
  double centre[3], velocity[3], spin[3]; // of the body
  double moved[3];                        // its centre after that time
  double turn[9];                         // of the body in it, world axes
  double spun[3];                         // its spin after it
} pc_flight;

typedef struct pc_bend {
  double gap;     // m: its change, less that which the velocity of the point that touches gives
  double slip[3]; // m/s: the change of the velocity at which the first slides on the second
} pc_bend;

// The bend of a contact of pc_collide within `time`. Its gap is of second order in the time, its
// slip of first. False where neither shape is round at the contact, or where one turns so much that
// it will touch with another part.
bool pc_gap_bend(const pc_flight of[2], double time, const double point[3], const double normal[3],
                 uint64_t feature, pc_bend *bend);

#endif
