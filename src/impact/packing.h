// Packing contacts: places, many at a time in islands in space with nothing but bounds and
// friction, and those of the plane.
#ifndef PERCUSS_IMPACT_PACKING_H
#define PERCUSS_IMPACT_PACKING_H

#include "impact/contact_batch.h"
#include "impact/packs.h"

// The place of a contact.
typedef struct pc_pack_slot {
  double *field, *test, *r;
} pc_pack_slot;

// Gives the place of a contact and writes its lines there.
static inline pc_pack_slot pc_pack_slot_of(const pc_packs *packs, int k, const int lines[2])
{
  long p = packs->place[k] / PC_LANES;
  int l = packs->place[k] % PC_LANES, *pair = packs->pair + 2 * PC_LANES * p + l;
  pair[0] = lines[0];
  pair[PC_LANES] = lines[1];
  return (pc_pack_slot){(double *)packs->field + packs->fields * PC_LANES * p + l,
                        (double *)packs->test + packs->tests * PC_LANES * p + l,
                        (double *)packs->r + packs->numbers * PC_LANES * p + l};
}

static inline void pc_pack_prefetch(const pc_packs *packs, int k, int last)
{
  if (k + PC_FAR >= last || !pc_spread(packs->problem))
    return;
  if (k + PC_FARTHEST < packs->contacts)
    pc_prefetch_contact(packs->problem, packs->fold.contact[k + PC_FARTHEST]);
  pc_prefetch_bodies(packs->problem, pc_pack_contact(packs, k + PC_FAR));
  pc_prefetch_velocities(packs->problem, pc_pack_contact(packs, k + PC_NEAR),
                         packs->problem->before.at, packs->islands->free_velocity);
}

// pack_flat.c: contacts of an island of the plane, as pc_pack_contacts packs them.
void pc_pack_flat(const pc_packs *packs, bool warm, int begin, int end, double sums[2]);

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
