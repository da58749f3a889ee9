// Records a crowd: everything besides its bodies.
#ifndef PERCUSS_RUN_CROWD_RECORD_H
#define PERCUSS_RUN_CROWD_RECORD_H

#include "percuss/scene.h"
#include "run/rows.h"

typedef struct pc_crowd_recorder {
  pc_arena memory;
  // Of a frame, per person or door; `lanes` is one number.
  uint8_t *present, *door_open;
  int32_t *floor, *goal;
  double *push, *push_largest, *push_sum, *load_largest, lanes;
  int32_t seen;     // people inside after a step
  int32_t overcome; // of these, by smoke and gases
  uint8_t *counted; // per person: the record has the exit
  pc_rows exits;    // those who left in a step
} pc_crowd_recorder;

// Allocates and takes the present state of the crowd; false when memory is out.
bool pc_crowd_recorder_make(pc_crowd_recorder *recorder, const pc_scene *scene);
// Creates the series. `frame` and `step` fill them; `step` also appends the exits.
void pc_crowd_recorder_declare(pc_crowd_recorder *recorder, pc_record *record,
                               const pc_scene *scene);
void pc_crowd_recorder_frame(pc_crowd_recorder *recorder, const pc_scene *scene);
pc_status pc_crowd_recorder_step(pc_crowd_recorder *recorder, pc_record *record,
                                 const pc_scene *scene);
void pc_crowd_recorder_free(pc_crowd_recorder *recorder);

#endif
