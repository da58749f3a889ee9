// Packing many contacts at a time: those of islands in space with nothing but bounds and friction.
#ifndef PERCUSS_IMPACT_PACKING_H
#define PERCUSS_IMPACT_PACKING_H

#include "impact/contact_batch.h"
#include "impact/packs.h"

// Numbers of packing in a batch. Velocities are those before and of the free motion; PC_IN_LIGHT is
// 1/mass of both sides together.
enum {
  PC_PACKING_SIDES = PC_IN_OWN, // velocities of both sides before
  PC_PACKING_MU = PC_PACKING_SIDES + 6,
  PC_PACKING_E,   // restitution
  PC_PACKING_WIDE // 1 if it acts across the normal
};

// Contacts as packs have them: numbers that a sweep reads, for the residual, and percussions.
enum { PC_OUT_FIELD = 0, PC_OUT_TEST = 16, PC_OUT_R = 18, PC_OUT_ALL = 22 };
typedef struct pc_packed_batch {
  _Alignas(64) double group[PC_BATCH_GROUPS][PC_OUT_ALL][PC_BATCH_LANES];
} pc_packed_batch;

// Lane by lane: sizes of the data by energy and by speed, as in contact_side.h, and more than 0 if
// a contact is not central where it should be.
typedef struct pc_packing_sums {
  double size[PC_BATCH_LANES], speed[PC_BATCH_LANES], off[PC_BATCH_LANES];
} pc_packing_sums;

// `count` contacts, with their guesses as first percussions if `warm`.
typedef void pc_packing(const pc_batch *in, int count, bool warm, pc_packed_batch *out,
                        pc_packing_sums *sums);
pc_packing *pc_packing_of(int shape, bool plain);

#endif
