// A run between its parts: run.c steps, resume.c starts it, saves it and goes on with it.
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
} pc_running;

// Nothing is left to do.
bool pc_running_over(const pc_running *r);

// resume.c
// Names the scene; after `begin` of its kind, before all that follows.
void pc_running_hash(pc_running *r);

// A new run has its first checkpoint before its first step.
pc_status pc_running_start(pc_running *r, pc_error *error);

// Goes on from the last checkpoint; without one the run starts anew, if that replaces nothing. A
// checkpoint that is not of the record is no loss if that has no step yet: the run was killed when
// its record had just replaced an older one.
pc_status pc_running_resume(pc_running *r, pc_error *error);

// A checkpoint. The record first: what a checkpoint speaks of is on the disk before it is.
pc_status pc_running_save(pc_running *r, pc_error *error);

// One number for all that moves, as a checkpoint would keep it; 0 when memory is out.
uint64_t pc_running_state(const pc_running *r);

#endif
