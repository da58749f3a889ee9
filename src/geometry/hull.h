// Convex polyhedra: from points, and boxes.
#ifndef PERCUSS_GEOMETRY_HULL_H
#define PERCUSS_GEOMETRY_HULL_H

#include "geometry/shape.h"

// The smallest tolerance for double precision, see pc_hull_build: a face of width w has a plane
// with an error of round-off / w.
#define PC_HULL_TOLERANCE 1e-8

// The convex hull of points. Its vertices are some of the points, in their order. `tolerance` is a
// part of their extent: a vertex that stands out of the hull of the others by less is none, faces
// are plane to a quarter of it, and with `strict` a point deeper inside than three of it is an
// error. Edges are numbered as the faces' loops first meet them; edge[e] runs as in the loop of
// edge_face[e][0].
pc_status pc_hull_build(pc_hull *hull, pc_arena *arena, int count, const double (*point)[3],
                        double tolerance, bool strict, pc_error *error);

// A box about the origin. Vertex i has x > 0 where i & 1, y > 0 where i & 2, z > 0 where i & 4;
// faces are -x, +x, -y, +y, -z, +z.
pc_status pc_hull_box(pc_hull *hull, pc_arena *arena, const double half[3], pc_error *error);

// As pc_shape_polyhedron with `strict`, for numbers of less precision.
pc_shape *pc_shape_polyhedron_rough(int count, const double (*vertices)[3], double tolerance,
                                    pc_error *error);

#endif
