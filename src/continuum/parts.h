// Elements cut at their nodes into two-node lines or triangles, for fields that are linear on them.
#ifndef PERCUSS_CONTINUUM_PARTS_H
#define PERCUSS_CONTINUUM_PARTS_H

#include "continuum/mesh.h"

enum { PC_FE_PARTS_MAX = 16 };

typedef struct pc_fe_cut {
  int parts, corners;
  int node[PC_FE_PARTS_MAX][3];   // of the element
  double weight[PC_FE_PARTS_MAX]; // below 1: one of two ways to cut a quadrangle
} pc_fe_cut;

const pc_fe_cut *pc_fe_cut_of(pc_element type);
// The length or area of a part and the gradients of its linear functions. Of the two cuts of a
// quadrangle the one with the smaller angles counts and the other has 0; both count half where they
// are equally good, as on rectangles, so that no direction is preferred and no angle is obtuse.
double pc_fe_part_size(const pc_fe_mesh *mesh, int cell, int part, double slope[3][2]);
// A point of a part, given in the line or triangle of reference: its linear functions, and where it
// is in the element of reference.
void pc_fe_part_place(pc_element type, int part, const double at[3], double linear[3],
                      double xi[3]);

#endif
