// Pairs of bodies that may touch. They are found among boxes with room for several steps, and kept
// while every box stays inside its own wide box.
#ifndef PERCUSS_RIGID_PAIRS_H
#define PERCUSS_RIGID_PAIRS_H

#include "core/array.h"
#include "geometry/broad.h"
#include "rigid/outlines.h"

typedef int pc_body_pair[2];

typedef struct pc_pairs {
  pc_broad *broad;
  PC_ARRAY(pc_bounds) box;       // the wide boxes
  PC_ARRAY(unsigned char) fixed; // PC_BOX_... at the time of the search
  const pc_body_pair *list;      // in order: of the search, or `own`
  int count, bodies;
  double ahead, typical_reach; // how much wider boxes are
  bool mostly_balls;
  PC_ARRAY(int) stray; // bodies that have left their wide box since the search and got a new one
  PC_ARRAY(pc_body_pair) own;  // the pairs with those of strays
  PC_ARRAY(pc_body_pair) more; // pairs of strays, scratch
  pc_box_list around;
} pc_pairs;

void pc_pairs_free(pc_pairs *pairs);

#endif
