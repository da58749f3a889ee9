// What a run writes down: frames, contacts, the account of every step, sensors; HDF5, CSV, XDMF.
#ifndef PERCUSS_RUN_RECORDER_H
#define PERCUSS_RUN_RECORDER_H

#include "percuss/run.h"
#include "record/csv.h"
#include "record/record.h"
#include "run/crowd_maps.h"
#include "run/crowd_record.h"
#include "run/sensors.h"

// The files of a run: RUN.h5, and beside it RUN.csv, RUN.xdmf, RUN-end.csv, RUN.h5.checkpoint,
// RUN-deposit.asc, RUN-outline.csv, RUN-exits.csv, RUN-maps.csv, RUN-trajectories.txt.
typedef struct pc_run_files {
  char *record, *csv, *xdmf, *end, *checkpoint, *deposit, *outline, *exits, *trajectories;
  char *maps;
} pc_run_files;
bool pc_run_files_name(pc_run_files *files, const char *output); // false when memory is out
void pc_run_files_free(pc_run_files *files);

enum { PC_STEP_FIELDS = 40, PC_CONTACT_COLUMNS = 6 };

typedef struct pc_recorder {
  const pc_scene *scene;
  const pc_run_files *files;
  pc_record *record;
  pc_csv *csv; // NULL: none
  long frame_steps, frames;
  int time, step, position, orientation, velocity, spin; // handles of frames/
  int contacts;                                          // -1: not recorded
  int fields[PC_STEP_FIELDS], record_clock;
  int element_force, element_energy; // -1: no elements
  int *sensors;
  pc_crowd_recorder crowd;           // if the scene has one
  pc_crowd_maps *maps;               // NULL: none
  double *row;                       // of the table
  double *state;                     // a frame: 13 numbers a body
  void *contact[PC_CONTACT_COLUMNS]; // of a frame
  int contact_capacity;
} pc_recorder;

// Lengths at a checkpoint.
typedef struct pc_record_mark {
  int count; // of series
  const long *lengths;
  long frames, csv_bytes;
} pc_record_mark;

// A new run, or with `mark` an old one that is cut to what it was then; `maps` may be NULL. On
// failure nothing is left open, and a new run leaves no file.
pc_status pc_recorder_start(pc_recorder *recorder, const pc_scene *scene, const pc_run_files *files,
                            pc_crowd_maps *maps, long frame_steps, const pc_record_mark *mark,
                            pc_error *error);
pc_status pc_recorder_frame(pc_recorder *recorder, long step, pc_error *error);
// `record_s` seconds were spent on recording since the last step.
pc_status pc_recorder_step(pc_recorder *recorder, const pc_sensors *sensors, double record_s,
                           pc_error *error);
// All is readable by others; with `sync` also on the disk.
pc_status pc_recorder_flush(pc_recorder *recorder, bool sync, pc_error *error);
// Closes the files and frees; `complete` as in pc_record_close.
pc_status pc_recorder_close(pc_recorder *recorder, int complete, pc_error *error);

// Shapes, bodies and materials, as arrays of a record that has not started.
pc_status pc_record_scene(pc_record *record, const pc_scene *scene);

#endif
