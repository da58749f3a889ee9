// Curves of quantities against time, drawn from the tables that runs have written.
#ifndef PERCUSS_RUN_TIME_CURVES_H
#define PERCUSS_RUN_TIME_CURVES_H

#include "run/columns.h"
#include "run/curves.h"

// Whether the table of a run with these columns has what the scene's curves against time show.
pc_status pc_time_curves_check(const pc_scene *scene, const pc_columns *columns, pc_error *error);

// The table of a run, and the combination of the values of the sweep that the run has.
typedef struct pc_time_table {
  char *path;
  int combination;
} pc_time_table;
// Draws a curve for each quantity and table. Runs of one combination share a colour.
pc_status pc_time_curves_draw(const pc_scene *scene, const pc_scene_curves *c, int count,
                              const pc_time_table *table, const char *path, pc_error *error);

// Those of one run, whose table is complete: RUN-NAME.svg for each.
pc_status pc_time_curves_draw_all(const pc_scene *scene, const char *output, char *table,
                                  pc_error *error);

#endif
