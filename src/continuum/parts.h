// Elements cut at their nodes into lines of two nodes or triangles, for fields that are linear on
// them.
#ifndef PERCUSS_CONTINUUM_PARTS_H
#define PERCUSS_CONTINUUM_PARTS_H

#include "continuum/mesh.h"

enum { PC_FE_PARTS_MAX = 16 };

typedef struct pc_fe_cut {
  int parts, corners;
  int node[PC_FE_PARTS_MAX][3];   // of the element
  double weight[PC_FE_PARTS_MAX]; // 1/2 where a quadrangle is cut along both diagonals: the mean of
                                  // the two, which prefers no direction
} pc_fe_cut;

const pc_fe_cut *pc_fe_cut_of(pc_element type);
// The length or area of a part, with its weight, and the gradients of its linear functions.
double pc_fe_part_size(const pc_fe_mesh *mesh, int cell, int part, double slope[3][2]);

#endif
