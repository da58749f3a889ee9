// Triangle meshes and height fields.
#ifndef PERCUSS_GEOMETRY_MESH_H
#define PERCUSS_GEOMETRY_MESH_H

#include "geometry/shape.h"

// Vertices at exactly the same place become one. Triangles without area are an error, or left out
// with `drop`.
pc_status pc_mesh_build(pc_mesh *mesh, pc_arena *arena, int vertices, const double (*vertex)[3],
                        int triangles, const int (*triangle)[3], bool drop, pc_error *error);
// Two triangles per cell of the grid, see pc_shape_heights.
pc_status pc_mesh_heights(pc_mesh *mesh, pc_arena *arena, int columns, int rows, double spacing,
                          const double origin[2], const double *height, pc_error *error);

// What its file says of the unit of a height field's coordinates.
void pc_shape_set_unit(pc_shape *heights, double unit, bool degrees);

// As pc_shape_mesh, but triangles without area are left out: files often have some.
pc_shape *pc_shape_mesh_dropping(int vertices, const double (*vertex)[3], int triangles,
                                 const int (*triangle)[3], pc_error *error);

#endif
