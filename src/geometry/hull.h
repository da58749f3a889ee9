// Convex polyhedra: from points, and boxes.
#ifndef PERCUSS_GEOMETRY_HULL_H
#define PERCUSS_GEOMETRY_HULL_H

#include "geometry/shape.h"

// Lengths below this part of the points' extent are nothing: faces are plane, points equal, a
// vertex is on the hull.
#define PC_HULL_TOLERANCE 1e-9

// The convex hull of points. Its vertices are some of the points, in their order. With `strict` a
// point inside is an error. Edges are numbered as the faces' loops first meet them; edge[e] runs
// as in the loop of edge_face[e][0].
pc_status pc_hull_build(pc_hull *hull, pc_arena *arena, int count, const double (*point)[3],
                        bool strict, pc_error *error);

// A box about the origin. Vertex i has x > 0 where i & 1, y > 0 where i & 2, z > 0 where i & 4;
// faces are -x, +x, -y, +y, -z, +z.
pc_status pc_hull_box(pc_hull *hull, pc_arena *arena, const double half[3], pc_error *error);

#endif
