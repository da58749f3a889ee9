// Shapes of bodies and obstacles, in their own axes. Lengths are in metres.
//
// A shape is immutable and reference-counted, so many bodies and worlds may share it: release every
// shape that you create or retain. Functions that create a shape return NULL, with the reason in
// `error`, if the arguments do not describe one.
#ifndef PERCUSS_SHAPE_H
#define PERCUSS_SHAPE_H

#include <stdbool.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_shape pc_shape;

typedef enum pc_shape_type {
  // space
  PC_SPHERE,
  PC_BOX,
  PC_POLYHEDRON, // convex
  PC_CAPSULE,
  PC_CYLINDER,
  PC_COMPOUND, // convex pieces, rigidly joined
  PC_PLANE,    // half-space; also in the plane
  PC_MESH,     // triangles, counter-clockwise seen from outside; obstacles only
  PC_HEIGHTS,  // height field z(x, y) on a regular grid; obstacles only
  // plane, in x and y
  PC_DISC,
  PC_POLYGON, // convex
  PC_CHAIN,   // segments without thickness, two-sided; obstacles only
  PC_SHAPE_TYPES
} pc_shape_type;

pc_shape *pc_shape_sphere(double radius, pc_error *error);
pc_shape *pc_shape_box(const double size[3], pc_error *error); // edges, centred on the origin
// The convex hull of the vertices. With `strict` a vertex inside the hull is an error.
pc_shape *pc_shape_polyhedron(int count, const double (*vertices)[3], bool strict, pc_error *error);
// Along z, centred on the origin; `length` without the caps.
pc_shape *pc_shape_capsule(double radius, double length, pc_error *error);
pc_shape *pc_shape_cylinder(double radius, double length, pc_error *error);

// One piece of a compound: a convex shape, rotated and translated. Pieces should not overlap: mass
// is counted twice where they do.
typedef struct pc_shape_piece {
  pc_shape *shape; // retained
  double position[3];
  double orientation[4]; // quaternion w, x, y, z
} pc_shape_piece;
pc_shape_piece pc_shape_piece_default(void); // no shape; at the origin, not turned
pc_shape *pc_shape_compound(int count, const pc_shape_piece *pieces, pc_error *error);

// The half-space below a plane through the origin, and in the plane the half-plane below a line;
// the normal points out of the solid.
pc_shape *pc_shape_half_space(const double normal[3], pc_error *error);
pc_shape *pc_shape_half_plane(const double normal[2], pc_error *error);
// Either of them by its dimension, 3 or 2.
pc_shape *pc_shape_plane(int dimension, const double normal[3], pc_error *error);
pc_shape *pc_shape_mesh(int vertices, const double (*vertex)[3], int triangles,
                        const int (*triangle)[3], pc_error *error);
// columns x rows points, x = origin[0] + i spacing, y = origin[1] + j spacing, height[j * columns +
// i]; solid below. NAN marks a hole.
pc_shape *pc_shape_heights(int columns, int rows, double spacing, const double origin[2],
                           const double *height, pc_error *error);

pc_shape *pc_shape_disc(double radius, pc_error *error);
pc_shape *pc_shape_polygon(int count, const double (*vertices)[2], bool strict, pc_error *error);
pc_shape *pc_shape_chain(int count, const double (*vertices)[2], bool closed, pc_error *error);

// Shapes from files. Vertices are multiplied by `scale`. A polyhedron file (OBJ, STL text or
// binary) must be convex: all vertices lie on their hull. Heights come from ESRI ASCII grids
// (.asc), XYZ triples on a regular grid (.xyz) or GeoTIFF (.tif), which GDAL's program
// gdal_translate reads.
pc_shape *pc_shape_polyhedron_file(const char *path, double scale, pc_error *error);
pc_shape *pc_shape_mesh_file(const char *path, double scale, pc_error *error);
pc_shape *pc_shape_heights_file(const char *path, pc_error *error);

pc_shape *pc_shape_retain(pc_shape *shape);
void pc_shape_release(pc_shape *shape); // NULL is allowed

pc_shape_type pc_shape_kind(const pc_shape *shape); // of NULL: PC_SHAPE_TYPES
const char *pc_shape_type_name(pc_shape_type type);
int pc_shape_dimension(const pc_shape *shape);   // 2 or 3
bool pc_shape_has_volume(const pc_shape *shape); // false for obstacles without a mass

// Mass properties for density 1 (kg/m^3, in the plane kg/m^2), exact. `inertia` is taken about the
// centroid, row by row; in the plane only inertia[8] is used. Zero for shapes without volume.
typedef struct pc_mass_properties {
  double volume; // area in the plane
  double centroid[3];
  double inertia[9];
} pc_mass_properties;
pc_mass_properties pc_shape_mass(const pc_shape *shape);
// Surface area, or length of the outline in the plane. For a compound, the sum over its pieces,
// including faces that touch. 0 for shapes without volume.
double pc_shape_area(const pc_shape *shape);
double pc_shape_radius(const pc_shape *shape); // of the enclosing sphere about the origin
// Size of a triangle mesh or a height field; 0 for other shapes.
int pc_shape_vertices(const pc_shape *shape);
int pc_shape_triangles(const pc_shape *shape);
// z of the highest point of the shape over (x, y), in the shape's own axes. False if the vertical
// line misses it. For shapes in space.
bool pc_shape_height(const pc_shape *shape, double x, double y, double *z);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
