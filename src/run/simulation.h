// The interface between a run and a kind of scene. The loop, the record, checkpoints and many runs
// know nothing else about a kind. bodies.c implements bodies, with or without a crowd.
#ifndef PERCUSS_RUN_SIMULATION_H
#define PERCUSS_RUN_SIMULATION_H

#include "percuss/run.h"
#include "record/record.h"
#include "record/xdmf.h"
#include "run/columns.h"
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
  void *own;          // state of the kind
} pc_simulation;

struct pc_simulation_kind {
  const char *name;         // dataset `kind` of the record
  const char *const *parts; // names of the parts of a checkpoint, ended by NULL
  int measures;             // the last so many parts only measure: no step starts from them
  bool instant;             // one collision: `measure` adds all its quantities, none of time

  // Called before the first step. Sets `own` and measures the initial state. The files are named
  // after it. `free` is always called last.
  pc_status (*begin)(pc_simulation *sim, pc_error *error);
  void (*free)(pc_simulation *sim);
  // Hashes the initial state: files that the scene names may have changed. May be NULL.
  uint64_t (*hash)(const pc_simulation *sim, uint64_t hash);
  // The additional files that this kind writes. May be NULL: none.
  int (*files)(const pc_simulation *sim, const pc_run_other *kinds[PC_KIND_FILES]);

  // Does one step of scene->step seconds; summary->steps is the number of steps before it. Fails if
  // the result is not finite.
  pc_status (*step)(pc_simulation *sim, pc_error *error);
  // The energy balance of the last step, and the unit of its energies (NULL: J).
  const pc_step_info *(*info)(const pc_simulation *sim);
  const char *(*energy_unit)(const pc_scene *scene);
  // Called after the step has been added to the summary; records intervals that end. May be NULL.
  pc_status (*measure_step)(pc_simulation *sim, pc_error *error);
  // Whether the run can end before its last step. May be NULL: never.
  bool (*over)(const pc_simulation *sim);

  // Saves and loads a part of a checkpoint. With buffer NULL, `save` returns the size only. `load`
  // rejects an impossible size.
  size_t (*save)(const pc_simulation *sim, int part, void *buffer);
  pc_status (*load)(pc_simulation *sim, int part, const void *data, size_t size, pc_error *error);

  // The record: `describe` writes constant arrays, `declare` creates the series with the places of
  // their data, `frame` and `row` fill these for a frame and a step, `columns` adds columns to the
  // table, whose values `row` fills too.
  pc_status (*describe)(pc_record *record, const pc_scene *scene);
  pc_status (*declare)(pc_simulation *sim);
  pc_status (*frame)(pc_simulation *sim);
  pc_status (*row)(pc_simulation *sim); // may be NULL
  void (*columns)(const pc_simulation *sim, pc_columns *columns);
  // What XDMF shows, but for the frames and the name of the file.
  void (*xdmf)(const pc_simulation *sim, pc_xdmf *xdmf);

  // Called at the end, while the record is open: completes the summary and writes the other files.
  // If the run failed (not `fine`), only what is still possible.
  pc_status (*finish)(pc_simulation *sim, bool fine, pc_error *error);
  // Adds the measured quantities of a finished run.
  pc_status (*measure)(const pc_scene *scene, const pc_run_summary *summary,
                       pc_quantities *quantities, pc_error *error);
};

const pc_simulation_kind *pc_simulation_kind_of(const pc_scene *scene);
const char *pc_energy_unit(const pc_scene *scene);

extern const pc_simulation_kind pc_bodies_simulation, pc_crowd_simulation; // bodies.c
extern const pc_simulation_kind pc_chain_simulation;                       // chain.c
extern const pc_simulation_kind pc_continuum_simulation;                   // continuum.c
extern const pc_simulation_kind pc_flow_simulation;                        // continuum_flow.c
// impact.c. Without a record, it has neither `load` nor what a record holds.
extern const pc_simulation_kind pc_impact_simulation;

#endif
