// Sides that meet other sides whose nodes are elsewhere: the mortar method.
//
// Node a of the sides has a multiplier with the shape function psi_a of the linear element on the
// same corners, and one condition in the mean over its neighbourhood:
//
//     gap_a = int psi_a n . (x_other - x),      w_N = int psi_a nu . (U - U_other)
//
// both over |int psi_a nu|. The integrals are taken piece by piece over the overlaps of both
// meshes, projected along the normal n of each side; nu is the normal of the other side with n . nu
// = 1, so that a gap changes by -w_N where solids slide on each other too. A constant pressure
// passes exactly (patch test); the psi_a are not negative, so neither are the pressures;
// percussions on both sides cancel to round-off.
#ifndef PERCUSS_CONTINUUM_MORTAR_H
#define PERCUSS_CONTINUUM_MORTAR_H

#include "continuum/collision.h"
#include "core/array.h"

typedef struct pc_mortar_entry {
  int at; // the node of the multiplier
  pc_fe_share share;
} pc_mortar_entry;

// Zero is empty.
typedef struct pc_fe_mortar {
  PC_ARRAY(pc_fe_share) share;     // of all conditions, node by node
  PC_ARRAY(pc_mortar_entry) entry; // scratch, piece by piece
  PC_ARRAY(int) first;
} pc_fe_mortar;
void pc_fe_mortar_free(pc_fe_mortar *mortar);

// The conditions of two groups of sides with the nodes of the mesh at `place`. Of every node:
// normal (the mean nu) and shares of `meeting`, which are valid until the next call, and the gap,
// INFINITY without a condition. Sides that face each other, by 60 degrees or less, at most a side's
// length and `travel` apart meet.
pc_status pc_fe_mortar_make(pc_fe_mortar *mortar, const pc_fe_mesh *mesh, int sides, int other,
                            const double (*place)[3], double travel, pc_fe_meeting *meeting,
                            double *gap, pc_error *error);

#endif
