// A side of a mesh where it is now, and its points.
#ifndef PERCUSS_CONTINUUM_FACET_H
#define PERCUSS_CONTINUUM_FACET_H

#include "continuum/mesh.h"

// A side where it is now. Its plane goes through its corners, in the mean where they are four.
typedef struct pc_facet {
  pc_element type;
  int nodes, corners;
  const int *node;
  double x[PC_SIDE_NODES_MAX][3];
  double middle[3], radius; // a sphere around its corners
  double normal[3], tangent[2][3];
  double corner[PC_SIDE_CORNERS_MAX][2]; // in its plane
} pc_facet;
void pc_facet_make(const pc_fe_mesh *mesh, int side, const double (*place)[3], pc_facet *facet);
// A place in its plane.
void pc_facet_project(const pc_facet *facet, const double x[3], double p[2]);

// A point of a side: its shape functions, where it is, and the normal there, of any length.
typedef struct pc_facet_point {
  double xi[3], value[PC_ELEMENT_NODES_MAX], x[3], normal[3];
} pc_facet_point;
// The point of side g over the point p in the plane of f; false where it has none.
bool pc_facet_find(int dimension, const pc_facet *f, const pc_facet *g, const double p[2],
                   pc_facet_point *to);

#endif
