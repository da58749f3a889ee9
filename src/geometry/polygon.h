// Convex polygons from points of the plane.
#ifndef PERCUSS_GEOMETRY_POLYGON_H
#define PERCUSS_GEOMETRY_POLYGON_H

#include "geometry/shape.h"

// The convex hull of points, counter-clockwise. With `strict` they must go once around it, either
// way. Fills count, vertex and normal of `shape->polygon`.
pc_status pc_polygon_build(pc_shape *shape, int count, const double (*point)[2], bool strict,
                           pc_error *error);

#endif
