// The inside of many runs, shared by the files runs*.c.
#ifndef PERCUSS_RUN_RUNS_H
#define PERCUSS_RUN_RUNS_H

#include <stdatomic.h>

#include "core/array.h"
#include "core/pace.h"
#include "percuss/runs.h"
#include "record/own.h"
#include "run/measure.h"

// A column of the table.
typedef struct pc_runs_field {
  char *name, *unit;
  bool whole, sums;
  pc_quantity_shown shown;
} pc_runs_field;

// A member. Its worker writes to it up to PC_RUN_MEASURED or PC_RUN_FAILED; after that it belongs
// to the calling thread.
enum { PC_RUN_WAITING, PC_RUN_MEASURED, PC_RUN_FINISHED, PC_RUN_FAILED };
typedef struct pc_runs_slot {
  atomic_int state, millionths; // done of its steps
  atomic_int before;            // of these, before this part of the runs
  pc_status status;             // of a failure; `error` is its text, or NULL when memory was out
  char *error;
  uint64_t hash;         // of the final state
  pc_quantity *quantity; // until they are collected
  int quantities;
  pc_sample *sample;
  int samples;
  int count; // values, and the fields that they belong to
  int *field;
  double *value;
} pc_runs_slot;

// What their checkpoint says of the scene.
typedef struct pc_runs_about {
  char *text;
  size_t size;
} pc_runs_about;

struct pc_runs {
  const pc_scene *scene;          // the first run
  pc_runs_options given;          // a copy: pictures are also drawn later
  const pc_runs_options *options; // that copy; NULL: not started yet
  pc_runs_slot *member;
  char *table, *summary, *units, *checkpoint, *stem; // files; NULL: none
  char *record;                                      // of a sweep of collisions; NULL: none
  char **picture;                                    // files of the plan's pictures; NULL: none
  char *lock;                                        // its lock file, held while `locked` is open
  int locked;
  char *meaning; // of the first run
  uint64_t hash;
  pc_runs_about about;
  bool anew;
  PC_ARRAY(pc_runs_field) fields;
  int *order, columns;            // fields in the order in which runs have them
  pc_runs_statistics *statistics; // [combination][column]
  // During the run.
  atomic_int next;
  atomic_bool stop;
  bool telling; // the listener
  int threads_each;
  double began, seconds, last_save, save_s;
  pc_pace pace;     // of all parts
  pc_status status; // of writing
  pc_error *error;
};

// runs_members.c
int pc_runs_total(const pc_runs *runs);
pc_member_state pc_runs_member_state(const pc_runs_slot *member);
// The number of a field, made if it is not there; -1 when memory is out.
int pc_runs_find_field(pc_runs *runs, const char *name, const pc_runs_field *like, int hint);
// RUN-0001.h5 of a member that is kept; the caller frees it. NULL when memory is out.
char *pc_runs_record_name(const pc_runs *runs, int i);

// runs_table.c
extern const pc_own pc_runs_table_own, pc_runs_summary_own;
// Takes over what the worker measured.
pc_status pc_runs_collect(pc_runs *runs, pc_runs_slot *member, pc_error *error);
// Columns and statistics from the runs that are finished.
pc_status pc_runs_summarise(pc_runs *runs, pc_error *error);
pc_status pc_runs_write_table(pc_runs *runs, pc_error *error);
pc_status pc_runs_write_summary(const pc_runs *runs, pc_error *error);
pc_status pc_runs_write_units(const pc_runs *runs, pc_error *error);

// runs_curves.c: whether the first run has the quantities of its pictures, before any is run.
pc_status pc_runs_check_curves(const pc_runs *runs, pc_error *error);

// runs_record.c: after the statistics
pc_status pc_runs_write_record(const pc_runs *runs, pc_error *error);

// runs_store.c: the checkpoint. `take_over` reads one of any scene, for a plan of so many members.
pc_status pc_runs_save(const pc_runs *runs, pc_error *error);
pc_status pc_runs_load(pc_runs *runs, pc_error *error);
pc_status pc_runs_take_over(pc_runs *runs, pc_error *error);

// runs_about.c: what a checkpoint says of its scene, for those who do not have the scene. The
// caller frees the text. False when memory is out.
#define PC_RUNS_ABOUT_BLOB "about"
bool pc_runs_describe(const pc_runs *runs, pc_runs_about *about);
// runs_file.c: runs read back without their scene, from their checkpoint.
typedef struct pc_runs_file {
  pc_scene plan; // nothing but the plan is filled
  pc_runs *runs; // all that have finished
  char *about;   // holds the texts below
  const char *program, *kind, *file, *title, *text;
  uint64_t hash; // of the scene and the files that it reads
  uint64_t *seed;
  const char **label; // of each combination: the values of its keys
} pc_runs_file;
// Free it also after a failure.
pc_status pc_runs_open(const char *checkpoint, pc_runs_file *file, pc_error *error);
void pc_runs_file_free(pc_runs_file *file);

#endif
