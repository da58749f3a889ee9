// Running a scene: the loop, its recorded file, sensors, checkpoints and progress.
#ifndef PERCUSS_RUN_H
#define PERCUSS_RUN_H

#include "percuss/scene.h"
#include "percuss/status.h"
#include "percuss/world.h"

// What the caller hears while it runs; may be called many times a second.
typedef struct pc_run_progress {
  double time, duration; // of the scene, s
  long step, steps;
  double elapsed_s, left_s; // of the clock; left_s < 0: not known yet
  double rate;              // steps per second
  const pc_step_info *info;
} pc_run_progress;
typedef bool pc_run_listener(void *context, const pc_run_progress *progress); // false: stop now

typedef struct pc_run_options {
  const char *output; // RUN.h5, with RUN.csv and RUN.xdmf beside it; NULL: nothing is recorded
  bool resume;        // go on from the checkpoint beside the output
  int threads;        // 0: what the scene says, else 1
  pc_run_listener *listener;
  void *context;
} pc_run_options;

typedef struct pc_run_summary {
  bool finished; // false: stopped by the listener, a checkpoint was written
  long steps;
  double time;
  int bodies;
  long contacts_total; // summed over the steps
  int contacts_largest;
  long steps_inaccurate, steps_open; // residual above the tolerance; account not closed
  double residual_largest, audit_largest, deepest;
  double kinetic, potential, stored, dissipated, correction, drift;
  double wall_s, detection_s, solve_s, record_s;
  int lost; // bodies that are not finite or far outside
  // Overlap of the bodies as they stand at the end: the deepest, whose it is, and relative to the
  // radius of the smaller of the two. Null bodies: none. NAN after a failure.
  double overlap_end, overlap_relative;
  pc_body overlap_bodies[2];
  double turnover;        // J: kinetic energy at the start and the sizes of all works since
  double given_by_laws;   // J, of the steps in which contacts gave more energy than they took
  double stored_error;    // J of springs and nets that their work does not explain
  double given_by_events; // J that bodies got when events changed them
} pc_run_summary;

// Steps the scene to its duration. PC_OK also when the listener stopped it. A failure (of a step,
// of the disk) leaves the file with `complete` 0 and its last checkpoint, from which it may be
// resumed; the summary then says how far it came. A resumed run gives the same file, bit for bit
// but for the group `clock`, as one that was never stopped.
pc_status pc_run_scene(pc_scene_rigid *scene, const pc_run_options *options,
                       pc_run_summary *summary, pc_error *error);

#endif
