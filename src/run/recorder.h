// What every run writes down: frames, the account of every step, and what its kind adds; HDF5, CSV,
// XDMF.
#ifndef PERCUSS_RUN_RECORDER_H
#define PERCUSS_RUN_RECORDER_H

#include "record/csv.h"
#include "run/simulation.h"

enum { PC_STEP_FIELDS = 60 }; // room for those of a step

typedef struct pc_recorder {
  pc_simulation *sim;
  pc_csv *csv; // NULL: none
  long frames;
  int time, step;                           // handles of frames/
  int field_count, order[PC_STEP_FIELDS];   // fields of a step, in the order of the file
  int fields[PC_STEP_FIELDS], record_clock; // their handles
  double *row;                              // of the table
} pc_recorder;

// What there was at a checkpoint.
typedef struct pc_record_mark {
  int count;
  const long *marks; // pc_record_marks
  long frames;
  pc_csv_mark table;
} pc_record_mark;

// A new run, or with `mark` an old one that is cut to what it was then. On failure nothing is left
// open, and a new run leaves no file.
pc_status pc_recorder_start(pc_recorder *recorder, pc_simulation *sim, const pc_record_mark *mark,
                            pc_error *error);
pc_status pc_recorder_frame(pc_recorder *recorder, pc_error *error);
// `record_s` seconds were spent on recording since the last step.
pc_status pc_recorder_step(pc_recorder *recorder, double record_s, pc_error *error);
// All is readable by others; with `sync` also on the disk.
pc_status pc_recorder_flush(pc_recorder *recorder, bool sync, pc_error *error);
// RUN.xdmf, of so many frames.
pc_status pc_recorder_xdmf(const pc_simulation *sim, long frames, pc_error *error);
// A checkpoint of what is recorded so far is written.
pc_status pc_recorder_checkpointed(pc_recorder *recorder, pc_error *error);
// Closes the files and frees; `complete` as in pc_record_close.
pc_status pc_recorder_close(pc_recorder *recorder, int complete, pc_error *error);

// Where a run comes from and what never changes in it, as arrays of a record that has not started.
pc_status pc_record_scene(pc_record *record, const pc_scene *scene);

#endif
