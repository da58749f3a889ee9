// Maps of a crowd in a run: their intervals, their record, and the table and summary at the end.
#ifndef PERCUSS_RUN_CROWD_MAPS_H
#define PERCUSS_RUN_CROWD_MAPS_H

#include "crowd/maps.h"
#include "percuss/run.h"
#include "record/record.h"

typedef struct pc_crowd_maps {
  pc_maps maps;
  long steps;                               // of an interval; 0: there are no maps
  double time, *density, *speed, *pressure; // of the last interval; of each cell
  double none;                              // saved if there are no maps
} pc_crowd_maps;

pc_status pc_crowd_maps_begin(pc_crowd_maps *m, const pc_scene *scene, pc_error *error);
void pc_crowd_maps_free(pc_crowd_maps *m);
// The changing state, for a checkpoint.
void *pc_crowd_maps_state(pc_crowd_maps *m);
size_t pc_crowd_maps_bytes(const pc_crowd_maps *m);
// Creates the series; the record keeps a failure.
void pc_crowd_maps_declare(pc_crowd_maps *m, pc_record *record);
// Call them after a step of the crowd and at the end of the run; `record` may be NULL.
pc_status pc_crowd_maps_step(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                             pc_error *error);
pc_status pc_crowd_maps_end(pc_crowd_maps *m, const pc_scene *scene, pc_record *record,
                            pc_error *error);
// Fills the summary of a crowd; maps may be NULL.
void pc_crowd_maps_sum(const pc_crowd_maps *m, const pc_scene *scene, pc_crowd_summary *summary);
// Writes every cell over the whole run, with the exit times of people who started there.
pc_status pc_crowd_maps_write(const char *path, const pc_crowd_maps *m, const pc_scene *scene,
                              pc_error *error);

#endif
