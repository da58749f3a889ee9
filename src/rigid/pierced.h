// Passages: pairs of bodies one of which has pierced the other (law `penetrable`). From the step in
// which that happens until they have parted, the two do not touch: they have no contact that acts,
// holds, is pushed out or wakes anyone.
//
// A passage belongs to the pair, not to a contact point: points come and go while a body is inside,
// and their normals turn round when its middle is through.
#ifndef PERCUSS_RIGID_PIERCED_H
#define PERCUSS_RIGID_PIERCED_H

#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/pairs.h"

typedef struct pc_pierced_pair {
  int body[2]; // in the order of pairs, as lists of contacts
  // m: the two have parted when their gap is wider. A contact may act before its gap is closed, and
  // be pierced there: as far apart they are inside each other. 0 once they have overlapped.
  double width;
} pc_pierced_pair;

typedef struct pc_pierced {
  PC_ARRAY(pc_pierced_pair) list;   // in the order of pairs
  PC_ARRAY(unsigned char) overlaps; // whether the two overlap at the middle of this step
  double taken;                     // J, by contacts that were pierced in this step
  bool changed;                     // some began or ended in this step
} pc_pierced;

void pc_pierced_free(pc_pierced *pierced);
void pc_pierced_begin_search(pc_pierced *pierced); // forgets which overlap
// After bodies were put in another order: `to` gives their new slots.
void pc_pierced_reorder(pc_pierced *pierced, const int *to);
// Two bodies have pierced each other where their gap was `gap`. Keeps the order; a pair has one
// passage. False when memory is out.
bool pc_pierced_add(pc_pierced *pierced, const int pair[2], double gap);

// Whether the contact points found between two bodies, first the one with the lower slot, are no
// contacts because one of the two is on its way through the other. Several threads may ask.
bool pc_pierced_hold(pc_pierced *pierced, int a, int b, const pc_contact_point *found, int count);

#endif
