// Records a crowd: everything besides its bodies.
#ifndef PERCUSS_RUN_CROWD_RECORD_H
#define PERCUSS_RUN_CROWD_RECORD_H

#include "percuss/scene.h"
#include "record/record.h"

typedef struct pc_crowd_recorder {
  int present, floor, push, goal; // handles of frames/
  int push_largest, push_sum;
  int lanes;                // -1: not measured
  int doors;                // -1: there are none
  int inside, exits;        // of steps/, and the events
  int seen;                 // inside at the last step
  uint8_t *is_open;         // per door
  uint8_t *there, *counted; // per person; counted: the record has the exit
  int32_t *at_floor, *to_goal, *who, *where;
  double *pushed, *largest, *sum, *when;
} pc_crowd_recorder;

// Allocates and takes the present state of the crowd; false when memory is out.
bool pc_crowd_recorder_make(pc_crowd_recorder *recorder, const pc_scene *scene);
void pc_crowd_recorder_declare(pc_crowd_recorder *recorder, pc_record *record,
                               const pc_scene *scene);
pc_status pc_crowd_recorder_frame(pc_crowd_recorder *recorder, pc_record *record,
                                  const pc_scene *scene);
pc_status pc_crowd_recorder_step(pc_crowd_recorder *recorder, pc_record *record,
                                 const pc_scene *scene);
void pc_crowd_recorder_free(pc_crowd_recorder *recorder);

#endif
