// Meshes of bodies that fall: a bar with half-round ends, a disc.
//
// Shapes are added with linear elements, like rectangles. After pc_fe_mesh_quadratic the middle
// nodes of round sides still lie on chords: pc_fe_mesh_round moves them onto the circle.
#ifndef PERCUSS_CONTINUUM_MESH_SHAPES_H
#define PERCUSS_CONTINUUM_MESH_SHAPES_H

#include "continuum/mesh.h"

// The bar from its foot, whose round end rests on `lowest`, upwards to the head. Named sides are
// kept: the round ends, and the straight sides on the left and right as seen from foot to head.
typedef struct pc_fe_bar {
  double length, width; // over all, m; the ends have half the width as radius
  double angle;         // of the axis with x, radians
  double lowest[2];     // lowest point of the foot's circle; a node, for angles from 0 to pi
  int along, across;    // elements of the straight part; `across` is a multiple of 4
  const char *name, *foot, *head, *left, *right;
} pc_fe_bar;
void pc_fe_mesh_add_bar(pc_fe_mesh *mesh, const pc_fe_bar *bar);
// The centres of the circles of its foot and its head.
void pc_fe_bar_ends(const pc_fe_bar *bar, double foot[2], double head[2]);

// `core` elements in each direction of a square in the middle, `rings` of elements around it.
typedef struct pc_fe_disc {
  double centre[2], radius;
  int core, rings;
  const char *name, *rim;
} pc_fe_disc;
void pc_fe_mesh_add_disc(pc_fe_mesh *mesh, const pc_fe_disc *disc);

// Moves middle nodes of element sides that begin and end on a circle onto it, and the elements'
// centres half as far, where the blend of the four sides has them.
void pc_fe_mesh_round(pc_fe_mesh *mesh, const double centre[2], double radius);

#endif
