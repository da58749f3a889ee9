// Convex polyhedra: nearest points, separating axes, clipping of faces.
#ifndef PERCUSS_GEOMETRY_NARROW_HULL_H
#define PERCUSS_GEOMETRY_NARROW_HULL_H

#include "geometry/narrow_pair.h"

// The distance of p from a polyhedron, negative inside, and the outward normal there. When it is
// more than `limit`, something above the limit will do.
double pc_hull_nearest(const pc_hull *hull, pc_vec p, double limit, pc_vec *normal);

// A corner of a polygon that is being cut: `feature` says what made it, `edge` what lies between it
// and the next (edges of the cutting face count from PC_CUT on).
typedef struct pc_corner {
  pc_vec at;
  int feature[2], edge;
} pc_corner;

#define PC_CUT 4096
#define PC_CORNERS 128 // most corners of a polygon after cutting

// Keeps what lies below the plane normal . x <= offset; `edge` names the plane. Returns the count.
int pc_cut(int count, const pc_corner *in, pc_corner *out, pc_vec normal, double offset, int edge,
           double slack);

#endif
