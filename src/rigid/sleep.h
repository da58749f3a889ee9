// Sleep: islands of bodies at rest leave the step until something touches them or a force on them
// changes.
#ifndef PERCUSS_RIGID_SLEEP_H
#define PERCUSS_RIGID_SLEEP_H

#include "rigid/bodies.h"
#include "rigid/contact_set.h"
#include "rigid/pieces.h"

typedef struct pc_sleep {
  int known;                      // bodies that have entries in these arrays
  PC_ARRAY(double) quiet;         // s, how long a body has been slow
  PC_ARRAY(pc_six) held;          // N, the force on it since then
  PC_ARRAY(unsigned char) roused; // it shall wake
  PC_ARRAY(int) root;             // scratch: islands
  pc_touch_list contacts;         // of sleeping bodies
  double placed_h;                // the step for which sleeping bodies have their outlines
  bool fresh;                     // some fell asleep in the last step
  bool potential_known;
  double potential[PC_PIECES]; // J, of sleeping bodies
} pc_sleep;

void pc_sleep_free(pc_sleep *sleep);

#endif
