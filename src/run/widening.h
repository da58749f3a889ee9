// Exits made wider: which keys of a scene have to change, and whether the walls allow it.
#ifndef PERCUSS_RUN_WIDENING_H
#define PERCUSS_RUN_WIDENING_H

#include "percuss/report.h"
#include "percuss/scene.h"

typedef struct pc_widening {
  char *changes;           // entries of `sweep`; NULL: it cannot be wider. The caller frees it
  char why[PC_REPORT_WHY]; // why not
  double shift[2];         // m, by which the two ends of its line move outward
} pc_widening;

// Moves the ends of an exit apart: both by half, or one of them where the other cannot move. An end
// on a wall that goes on moves along it. Where walls end at the exit, they become shorter; walls at
// a right angle to it, as those of a passage, move with it if the walls behind them allow it.
pc_status pc_widen_exit(const pc_scene *scene, int goal, double by, pc_widening *widening,
                        pc_error *error);

#endif
