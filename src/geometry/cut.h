// The part of a shape beyond a plane: for nets, water lines and sections.
#ifndef PERCUSS_GEOMETRY_CUT_H
#define PERCUSS_GEOMETRY_CUT_H

#include "geometry/shape.h"

// Everything in world axes. With d(x) = normal . x - offset and a normal of length 1, the part
// beyond is d > 0. The section is its boundary in the plane: a face in the plane counts if the
// shape is beyond it, and not if nothing is.
typedef struct pc_cut {
  double volume;
  double moment[3];      // integral of x over that volume
  double depth;          // integral of d over that volume
  double area;           // of the section in the plane
  double area_moment[3]; // integral of x over the section
  double area_second[9]; // integral of x x^T over the section, about `area_moment / area`
} pc_cut;

// Sphere, box, polyhedron, and compounds of them; in the plane disc, polygon and compounds (area
// and length instead of volume and area). False for other shapes.
bool pc_shape_cut(const pc_shape *shape, const pc_pose *pose, const double normal[3], double offset,
                  pc_cut *cut);

#endif
