// Records frames and the energy balance of every step, and what the kind of scene adds, in HDF5,
// CSV and XDMF.
#ifndef PERCUSS_RUN_RECORDER_H
#define PERCUSS_RUN_RECORDER_H

#include "record/csv.h"
#include "run/simulation.h"

typedef struct pc_recorder {
  pc_simulation *sim;
  pc_csv *csv; // NULL: none
  long frames;
  int64_t step;       // of a frame
  double record_s;    // spent on recording
  uint8_t status;     // of the solver in the step
  pc_columns columns; // of the table
  double *row;
} pc_recorder;

// The state of the files at a checkpoint.
typedef struct pc_record_mark {
  int count;
  const long *marks; // pc_record_marks
  long frames;
  pc_csv_mark table;
} pc_record_mark;

// Starts the files of a new run or, with `mark`, cuts those of an old one to their state at that
// checkpoint. On failure nothing stays open, and a new run leaves no file.
pc_status pc_recorder_start(pc_recorder *recorder, pc_simulation *sim, const pc_record_mark *mark,
                            pc_error *error);
pc_status pc_recorder_frame(pc_recorder *recorder, pc_error *error);
// Appends a step; `record_s` is the time spent on recording since the last one.
pc_status pc_recorder_step(pc_recorder *recorder, double record_s, pc_error *error);
// Makes everything readable for others; with `sync` also writes it to the disk.
pc_status pc_recorder_flush(pc_recorder *recorder, bool sync, pc_error *error);
// Writes RUN.xdmf for this number of frames.
pc_status pc_recorder_xdmf(const pc_simulation *sim, long frames, pc_error *error);
// Writes RUN-units.csv of a run whose table is whole.
pc_status pc_recorder_units(pc_simulation *sim, pc_error *error);
// Call it after a checkpoint has been written.
pc_status pc_recorder_checkpointed(pc_recorder *recorder, pc_error *error);
// Closes the files; `complete` as in pc_record_close.
pc_status pc_recorder_close(pc_recorder *recorder, int complete, pc_error *error);

// Whether the tables of a scene, which is not run yet, have what its curves against time show.
pc_status pc_recorder_check_curves(pc_scene *scene, pc_error *error);

// Writes the origin and the constant arrays of a scene to a record that has not started.
// The texts of a record to resume become those of this scene.
pc_status pc_record_scene(pc_record *record, const pc_scene *scene);
// Whether the texts of a record are those of this scene.
bool pc_record_has_scene(pc_reading *reading, const pc_scene *scene);

#endif
