// Corners of sides that meet other sides, in the plane.
//
// The conditions of mortar.h are means over the neighbourhoods of nodes, which a corner between two
// nodes enters before any of them is closed. A corner has a condition of its own, at its point:
//
//     gap = n . (x - x_other),      w_N = -n . (U - U_other)
//
// with the point of the other sides that it is over and their normal n. Where a side of the corner
// lies flat on the others, the means have it.
#ifndef PERCUSS_CONTINUUM_CORNER_H
#define PERCUSS_CONTINUUM_CORNER_H

#include "continuum/collision.h"
#include "core/memory.h"

enum { PC_CORNER_SHARES = 4 }; // the corner, and the nodes of a side

typedef struct pc_fe_corner {
  int node;
  int side[2]; // that end and begin there, or -1
  pc_fe_share share[PC_CORNER_SHARES];
} pc_fe_corner;

// Nodes of sides where two of them meet at more than 45 degrees, convex, or where they end. Returns
// NULL when memory fails; none in space and on a line.
pc_fe_corner *pc_fe_corner_list(pc_arena *arena, const pc_fe_mesh *mesh, int sides, int *corners);
// Conditions and gaps of all nodes, as those of pc_fe_mortar_make; shares are in the list.
void pc_fe_corner_make(int corners, pc_fe_corner *corner, const pc_fe_mesh *mesh, int other,
                       const double (*place)[3], double travel, pc_fe_meeting *meeting,
                       double *gap);

#endif
