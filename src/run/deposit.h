// The deposit at the end of a run: runout, map and outline.
#ifndef PERCUSS_RUN_DEPOSIT_H
#define PERCUSS_RUN_DEPOSIT_H

#include "percuss/run.h"

// Initial positions of the bodies that the deposit is made of.
typedef struct pc_deposit_start {
  bool *counts;          // of every body, by number - 1: the deposit is made of it
  double highest[3];     // point of all that count
  double (*position)[3]; // centre of mass of every body, by number - 1
} pc_deposit_start;

// Call it before the first step.
pc_status pc_deposit_begin(pc_deposit_start *start, const pc_scene *scene, pc_error *error);
void pc_deposit_free(pc_deposit_start *start);
// Measures the deposit. With names, writes the map (ESRI grid) and the outline (CSV).
pc_status pc_deposit_measure(const pc_deposit_start *start, const pc_scene *scene, const char *map,
                             const char *outline, pc_deposit *out, pc_error *error);

#endif
