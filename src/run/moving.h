// What a run asks of what moves. The loop, the record, checkpoints and many runs know no more of a
// kind of scene than this; bodies.c has bodies, with or without a crowd.
#ifndef PERCUSS_RUN_MOVING_H
#define PERCUSS_RUN_MOVING_H

#include "percuss/run.h"
#include "record/record.h"

typedef struct pc_moving_kind pc_moving_kind;
typedef struct pc_quantities pc_quantities; // measure.h

enum { PC_MOVING_FILES = 10 };

// The files of a run: RUN.h5, and beside it RUN.csv, RUN.xdmf, RUN.h5.checkpoint, and those of its
// kind, `RUN` with other endings.
typedef struct pc_run_files {
  char *record, *csv, *xdmf, *checkpoint;
  int others;
  const char *ending[PC_MOVING_FILES];
  char *other[PC_MOVING_FILES];
} pc_run_files;
// The one with this ending, or NULL: it is not written.
const char *pc_run_file(const pc_run_files *files, const char *ending);

typedef struct pc_moving {
  const pc_moving_kind *kind;
  pc_scene *scene;
  const pc_run_options *options;
  pc_run_summary *summary;
  pc_run_files files; // empty: nothing is written
  pc_record *record;  // NULL: nothing is recorded
  long frame_steps;   // between frames
  void *own;          // of the kind
} pc_moving;

// A column of the table that a kind adds to the account of the steps.
typedef struct pc_column {
  char name[240];
  const char *unit; // NULL: a number
} pc_column;

// Functions that append to the record need not look at every answer: the first failure stays in
// it, and the last call reports it.
struct pc_moving_kind {
  const char *name;         // in the record, and of files of this kind
  const char *const *parts; // names of what a checkpoint keeps, up to NULL

  // Before the first step: sets `own` and what is measured from the start. The files are named
  // after it. Whatever happens, `free` comes last.
  pc_status (*begin)(pc_moving *moving, pc_error *error);
  void (*free)(pc_moving *moving);
  // Of what stands at the start: files that the scene names may have changed.
  uint64_t (*hash)(const pc_moving *moving, uint64_t hash);
  // Endings of the files that will be written besides.
  int (*files)(const pc_moving *moving, const char *endings[PC_MOVING_FILES]);

  // A step of scene->step seconds; summary->steps were done before it. Fails rather than leave
  // what is not finite.
  pc_status (*step)(pc_moving *moving, pc_error *error);
  // The account of the last step, and the unit of its energies; NULL: J.
  const pc_step_info *(*info)(const pc_moving *moving);
  const char *(*energy_unit)(const pc_scene *scene);
  // After it, when the summary has the account; intervals that end are recorded. May be NULL.
  pc_status (*measure_step)(pc_moving *moving, pc_error *error);
  // Nothing is left to do before the last step. May be NULL: never.
  bool (*over)(const pc_moving *moving);

  // A part of a checkpoint; buffer NULL: its size alone. A size that cannot be is refused.
  size_t (*save)(const pc_moving *moving, int part, void *buffer);
  pc_status (*load)(pc_moving *moving, int part, const void *data, size_t size, pc_error *error);

  // The record: what never changes; which series there are; a frame; what each step has besides its
  // account.
  pc_status (*describe)(pc_record *record, const pc_scene *scene);
  pc_status (*declare)(pc_moving *moving);
  pc_status (*frame)(pc_moving *moving);
  pc_status (*row)(pc_moving *moving);
  int (*columns)(const pc_moving *moving, pc_column *columns); // NULL: how many
  void (*cells)(const pc_moving *moving, double *cells);
  pc_status (*xdmf)(const pc_moving *moving, long frames, const double *times, pc_error *error);

  // At the end, while the record is open: what the summary says, and the other files. Not `fine`:
  // the run failed, only what can be said then.
  pc_status (*finish)(pc_moving *moving, bool fine, pc_error *error);
  // What is measured of a run that is over.
  pc_status (*measure)(const pc_scene *scene, const pc_run_summary *summary,
                       pc_quantities *quantities, pc_error *error);
};

const pc_moving_kind *pc_moving_of(const pc_scene *scene);
const char *pc_energy_unit(const pc_scene *scene); // measure.c

extern const pc_moving_kind pc_bodies_moving, pc_crowd_moving; // bodies.c
extern const pc_moving_kind pc_chain_moving;                   // chain.c
extern const pc_moving_kind pc_continuum_moving;               // continuum.c

#endif
