// A run under way, shared by the loop (run.c) and by starting, saving and resuming (resume.c).
#ifndef PERCUSS_RUN_RUNNING_H
#define PERCUSS_RUN_RUNNING_H

#include "core/pace.h"
#include "run/recorder.h"

typedef struct pc_running {
  pc_simulation simulation;
  const pc_run_options *options;
  pc_run_summary *summary;
  long steps;    // of the whole run
  char *meaning; // of the scene and the options
  uint64_t hash; // of the meaning and of the state at the start
  pc_recorder recorder;
  double began, last_checkpoint, last_flush; // clock
  double wall_before;                        // of the parts of the run before this one
  double record_s;                           // since the last step
  long first_step;                           // of this part of the run
  pc_pace pace;                              // of its steps
  double replaced; // s: time of the stopped run that was replaced; 0: none
} pc_running;

// Whether the run is complete.
bool pc_running_over(const pc_running *r);

// What identifies the scene, `meaning` and `hash`; after `begin` of its kind, before the functions
// below. The caller frees `meaning`.
pc_status pc_running_identify(pc_running *r, pc_error *error);

// Starts a new run and writes its first checkpoint, before the first step.
pc_status pc_running_start(pc_running *r, pc_error *error);

// The time of a stopped run of this scene in the files of this one, which could be resumed; 0:
// there is none.
double pc_running_stopped(const pc_running *r);

// The same of a run that has a checkpoint and no record.
pc_status pc_running_continue(pc_running *r, pc_error *error);

// What the files of this run are, as pc_run_find tells it. Changes no file; the simulation is then
// at the checkpoint, or anywhere.
pc_run_found pc_running_find(pc_running *r, double *time);

// Continues from the last checkpoint. Without one, the run starts from the beginning if that
// replaces nothing. A checkpoint of another record is ignored if the record has no step yet: then
// the run was killed just after its record replaced an older one.
pc_status pc_running_resume(pc_running *r, pc_error *error);

// Writes a checkpoint. The record is flushed to the disk first, because the checkpoint refers to
// it.
pc_status pc_running_save(pc_running *r, pc_error *error);

// A hash of the state, from the data of a checkpoint; 0 when memory is out.
uint64_t pc_running_state(const pc_running *r);

#endif
