// Contacts with an obstacle of many pieces: those that coincide become one, and a few are kept.
#ifndef PERCUSS_GEOMETRY_NARROW_GATHER_H
#define PERCUSS_GEOMETRY_NARROW_GATHER_H

#include "geometry/narrow_pair.h"

enum { PC_GATHER_KEEP = 16, PC_GATHER_ROOM = 64 };

typedef struct pc_gathered {
  pc_candidate touch;
  pc_vec normal;
} pc_gathered;

typedef struct pc_gather {
  double size;
  int count;
  pc_gathered item[PC_GATHER_ROOM];
} pc_gather;

void pc_gather_add(pc_gather *gather, const pc_candidate *touch, pc_vec normal);
// Leaves at most `keep`: the deepest, then each time the one farthest from those chosen, in place
// and normal.
void pc_gather_reduce(pc_gather *gather, int keep);

#endif
