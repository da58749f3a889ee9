// The inside of pc_shape.
#ifndef PERCUSS_GEOMETRY_SHAPE_H
#define PERCUSS_GEOMETRY_SHAPE_H

#include <stdint.h>

#include "core/memory.h"
#include "geometry/pose.h"
#include "percuss/shape.h"

// A convex polyhedron: faces are plane polygons (coplanar triangles of the hull are merged), their
// vertices turn counter-clockwise seen from outside.
typedef struct pc_hull {
  int vertices, faces, edges;
  double (*vertex)[3];
  double (*plane)[4];     // outward unit normal n, then d: n . x <= d inside
  int *face_start;        // faces + 1, into face_vertex and face_edge
  int *face_vertex;       // loop of each face
  int *face_edge;         // edge from face_vertex[i] to the next of its loop
  int (*edge)[2];         // its vertices
  int (*edge_face)[2];    // the faces on its two sides
  double (*direction)[3]; // unit vector along each edge
} pc_hull;

// Triangles of a mesh or of a height field, with what contacts at shared edges need to know.
typedef struct pc_triangle {
  int vertex[3];
  int neighbour[3]; // triangle across the edge from vertex[i] to vertex[(i + 1) % 3], -1: none
  double normal[3]; // unit
} pc_triangle;

typedef struct pc_mesh {
  int vertices, triangles;
  double (*vertex)[3];
  pc_triangle *triangle;
  struct pc_tree *tree; // of the triangles' boxes, see tree.h
} pc_mesh;

// A child of a compound, with its place.
typedef struct pc_child {
  pc_shape *shape;
  pc_pose pose;
} pc_child;

struct pc_shape {
  pc_shape_type type;
  int dimension;
  int references; // changed atomically
  double radius;  // about the origin; INFINITY for a plane
  double low[3], high[3];
  pc_mass_properties mass;
  union {
    double ball; // sphere, disc
    struct {
      double radius, half;
    } rod; // capsule, cylinder: along z, half its length
    struct {
      double half[3];
    } box; // has a hull too
    struct {
      double normal[3];
    } plane;
    struct {
      int count;
      pc_child *child;
    } compound;
    struct {
      int count;
      double (*vertex)[2];
      double (*normal)[2];
    } polygon; // counter-clockwise;
               // outward normal of the edge from vertex i to i + 1
    struct {
      int count;
      bool closed;
      double (*vertex)[2];
      bool continues[2];   // an open one: as a chain of another body, before the first vertex and
      double beyond[2][2]; // after the last; the vertex there
    } chain;
  };
  pc_hull hull; // box, polyhedron
  pc_mesh mesh; // mesh, heights (as triangles)
  pc_arena arena;
};

// One segment of a wall that is cut into bodies: `before` and `after` are the vertices of the wall
// on either side, NULL at its ends. The corner that two segments share belongs to the first.
pc_shape *pc_shape_wall_piece(const double *before, const double segment[2][2], const double *after,
                              pc_error *error);

// Whether two shapes are the same in every number. Compounds and obstacles are only if they are
// one.
bool pc_shape_same(const pc_shape *a, const pc_shape *b);

// The box around a shape at a pose: low x, y, z, high x, y, z.
void pc_shape_bounds(const pc_shape *shape, const pc_pose *pose, double box[6]);

#endif
