// Discs that are pushed apart until none overlap: people who stand close together.
#ifndef PERCUSS_CROWD_PACK_H
#define PERCUSS_CROWD_PACK_H

#include <stdbool.h>

// Whether disc i may be at a place, whatever the others do.
typedef bool pc_may_be(void *context, int i, const double place[2]);

typedef struct pc_packing {
  int count;
  const double *radius;
  double (*place)[2]; // where they may be; moved
  pc_may_be *may_be;
  void *context;
  bool packed; // none overlaps another now
} pc_packing;

// False when memory is out.
bool pc_pack(pc_packing *packing);

#endif
