// A run under way, shared by the loop (run.c) and by starting, saving and resuming (resume.c).
#ifndef PERCUSS_RUN_RUNNING_H
#define PERCUSS_RUN_RUNNING_H

#include "run/recorder.h"

typedef struct pc_running {
  pc_simulation simulation;
  const pc_run_options *options;
  pc_run_summary *summary;
  long steps; // of the whole run
  uint64_t hash;
  pc_recorder recorder;
  double began, last_checkpoint, last_flush; // clock
  double wall_before;                        // of the parts of the run before this one
  double record_s;                           // since the last step
  long first_step;                           // of this part of the run
  double replaced; // s: time of the stopped run that was replaced; 0: none
} pc_running;

// Whether the run is complete.
bool pc_running_over(const pc_running *r);

// Computes the hash that identifies the scene; after `begin` of its kind, before the functions
// below.
void pc_running_hash(pc_running *r);

// Starts a new run and writes its first checkpoint, before the first step.
pc_status pc_running_start(pc_running *r, pc_error *error);

// The time of a stopped run of this scene in the files of this one, which could be resumed; 0:
// there is none.
double pc_running_stopped(const pc_running *r);

// Continues from the last checkpoint. Without one, the run starts from the beginning if that
// replaces nothing. A checkpoint of another record is ignored if the record has no step yet: then
// the run was killed just after its record replaced an older one.
pc_status pc_running_resume(pc_running *r, pc_error *error);

// Whether there is nothing to continue: the files are those of this run, which has ended. Changes
// no file; the simulation is then at the checkpoint, or anywhere.
bool pc_running_is_finished(pc_running *r);

// Writes a checkpoint. The record is flushed to the disk first, because the checkpoint refers to
// it.
pc_status pc_running_save(pc_running *r, pc_error *error);

// A hash of the state, from the data of a checkpoint; 0 when memory is out.
uint64_t pc_running_state(const pc_running *r);

#endif
