// Some contacts of packs: all those of bodies at contacts whose conditions are missed by more than
// asked. In a heap that moves these are few after some sweeps, and sweeping them alone costs
// little. The part has the order of the whole and works on the same lines; the other percussions
// stay.
#ifndef PERCUSS_IMPACT_PACK_SUBSET_H
#define PERCUSS_IMPACT_PACK_SUBSET_H

#include "impact/packs.h"

typedef struct pc_pack_subset {
  const pc_packs *all;
  pc_packs part;
  int *from;             // of each place of the part: that in the whole, -1 if it is idle
  unsigned char *marked; // lines
  int room;              // packs
} pc_pack_subset;

// Room for up to a third of the packs; false if memory is out.
bool pc_subset_create(pc_pack_subset *subset, const pc_packs *all, pc_arena *arena);
// Takes them with their percussions r: what is missed by more than `above`, m/s. False if there are
// too many.
bool pc_subset_take(pc_pack_subset *subset, const void *line, const void *r, double above);
// Writes their percussions into those of the whole.
void pc_subset_give_back(const pc_pack_subset *subset, const void *part, void *r);

#endif
