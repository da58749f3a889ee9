// What a run asks of what moves. The loop, the record, checkpoints and many runs know no more of a
// kind of scene than this; bodies.c has bodies, with or without a crowd.
#ifndef PERCUSS_RUN_SIMULATION_H
#define PERCUSS_RUN_SIMULATION_H

#include "percuss/run.h"
#include "record/record.h"
#include "run/files.h"
#include "run/quantities.h"

typedef struct pc_simulation_kind pc_simulation_kind;

typedef struct pc_simulation {
  const pc_simulation_kind *kind;
  pc_scene *scene;
  const pc_run_options *options;
  pc_run_summary *summary;
  pc_run_files files; // empty: nothing is written
  pc_record *record;  // NULL: nothing is recorded
  long frame_steps;   // between frames
  void *own;          // of the kind
} pc_simulation;

// A column of the table that a kind adds to the account of the steps.
typedef struct pc_column {
  char name[240];
  const char *unit; // NULL: a number
} pc_column;

// Functions that append to the record need not look at every answer: the first failure stays in
// it, and the last call reports it.
struct pc_simulation_kind {
  const char *name;         // in the record, and of files of this kind
  const char *const *parts; // names of what a checkpoint keeps, up to NULL

  // Before the first step: sets `own` and what is measured from the start. The files are named
  // after it. Whatever happens, `free` comes last.
  pc_status (*begin)(pc_simulation *sim, pc_error *error);
  void (*free)(pc_simulation *sim);
  // Of what stands at the start: files that the scene names may have changed.
  uint64_t (*hash)(const pc_simulation *sim, uint64_t hash);
  // Endings of the files that will be written besides.
  int (*files)(const pc_simulation *sim, const char *endings[PC_KIND_FILES]);

  // A step of scene->step seconds; summary->steps were done before it. Fails rather than leave
  // what is not finite.
  pc_status (*step)(pc_simulation *sim, pc_error *error);
  // The account of the last step, and the unit of its energies; NULL: J.
  const pc_step_info *(*info)(const pc_simulation *sim);
  const char *(*energy_unit)(const pc_scene *scene);
  // After it, when the summary has the account; intervals that end are recorded. May be NULL.
  pc_status (*measure_step)(pc_simulation *sim, pc_error *error);
  // Nothing is left to do before the last step. May be NULL: never.
  bool (*over)(const pc_simulation *sim);

  // A part of a checkpoint; buffer NULL: its size alone. A size that cannot be is refused.
  size_t (*save)(const pc_simulation *sim, int part, void *buffer);
  pc_status (*load)(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error);

  // The record: what never changes; which series there are; a frame; what each step has besides its
  // account.
  pc_status (*describe)(pc_record *record, const pc_scene *scene);
  pc_status (*declare)(pc_simulation *sim);
  pc_status (*frame)(pc_simulation *sim);
  pc_status (*row)(pc_simulation *sim);
  int (*columns)(const pc_simulation *sim, pc_column *columns); // NULL: how many
  void (*cells)(const pc_simulation *sim, double *cells);
  pc_status (*xdmf)(const pc_simulation *sim, long frames, const double *times, pc_error *error);

  // At the end, while the record is open: what the summary says, and the other files. Not `fine`:
  // the run failed, only what can be said then.
  pc_status (*finish)(pc_simulation *sim, bool fine, pc_error *error);
  // What is measured of a run that is over.
  pc_status (*measure)(const pc_scene *scene, const pc_run_summary *summary,
                       pc_quantities *quantities, pc_error *error);
};

const pc_simulation_kind *pc_simulation_kind_of(const pc_scene *scene);
const char *pc_energy_unit(const pc_scene *scene);

extern const pc_simulation_kind pc_bodies_simulation, pc_crowd_simulation; // bodies.c
extern const pc_simulation_kind pc_chain_simulation;                       // chain.c
extern const pc_simulation_kind pc_continuum_simulation;                   // continuum.c

#endif
