// Passages: pairs of bodies one of which has pierced the other (law `penetrable`). From the step in
// which that happens until they have parted, the two do not touch: they have no contact that acts,
// holds, is pushed out or wakes anyone.
//
// A passage belongs to the pair, not to a contact point: points come and go while a body is inside,
// and their normals turn round when its middle is through.
#ifndef PERCUSS_RIGID_PASSAGES_H
#define PERCUSS_RIGID_PASSAGES_H

#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/pairs.h"

typedef struct pc_passage {
  int body[2];                // in the order of pairs, as lists of contacts
  double point[3], normal[3]; // of the contact that was pierced, from the second body to the first
  // m: the way that is left to the other body. A contact may act before its gap is closed, and be
  // pierced there. -INFINITY: they have overlapped since.
  double ahead;
} pc_passage;

typedef struct pc_passages {
  PC_ARRAY(pc_passage) list;        // in the order of pairs
  PC_ARRAY(unsigned char) overlaps; // whether the two overlap at the middle of this step
  double taken;                     // J, by contacts that were pierced in this step
  bool changed;                     // some began or ended in this step
} pc_passages;

void pc_passages_free(pc_passages *passages);
void pc_passages_begin_search(pc_passages *passages); // forgets which overlap
// After bodies were put in another order: `to` gives their new slots.
void pc_passages_reorder(pc_passages *passages, const int *to);
// Keeps the order; a pair has one passage. False when memory is out.
bool pc_passages_add(pc_passages *passages, const pc_passage *passage);

// Whether the contact points found between two bodies, first the one with the lower slot, are no
// contacts because one of the two is on its way through the other. Several threads may ask.
bool pc_passages_hold(pc_passages *passages, int a, int b, const pc_contact_point *found,
                      int count);

#endif
