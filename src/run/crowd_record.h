// Records a crowd: everything besides its bodies.
#ifndef PERCUSS_RUN_CROWD_RECORD_H
#define PERCUSS_RUN_CROWD_RECORD_H

#include "core/memory.h"
#include "percuss/scene.h"
#include "record/record.h"

typedef struct pc_crowd_recorder {
  pc_arena memory;
  // Of a frame, per person or door; `lanes` is one number.
  uint8_t *present, *door_open;
  int32_t *floor, *goal;
  double *push, *push_largest, *push_sum, lanes;
  // Of a step: people inside, and those who left.
  int32_t seen, *exit_person, *exit_goal;
  double *exit_time;
  uint8_t *counted; // per person: the record has the exit
  int exits;        // handle
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
