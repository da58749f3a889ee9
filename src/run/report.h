// The inside of reports, shared by the files report*.c. A kind of run writes its own sections; the
// sources, the page, the inputs and the check of the computation are the same for all.
#ifndef PERCUSS_RUN_REPORT_H
#define PERCUSS_RUN_REPORT_H

#include "percuss/report.h"
#include "percuss/runs.h"
#include "record/page.h"
#include "record/record.h"

// How far the work of a report is: parts of it one after the other.
typedef struct pc_report_work {
  const pc_report_options *options;
  const char *doing;
  double done, part; // of all the work before this part; this part
  double began;
  bool stopped;
} pc_report_work;

// A source, and what is read of it.
typedef struct pc_report_source {
  const char *given;
  char *record;     // RUN.h5, or
  char *checkpoint; // RUN-runs.checkpoint
  char *stem;       // of the files of a scene that is run; NULL: no scene
  bool read;
  pc_scene scene; // the first of its runs
} pc_report_source;

// report_scene.c
// Finds out what a source is, and reads it if it is a scene. `number` from 1; 0: the only one.
pc_status pc_report_find_source(pc_report_source *source, const char *given, int number,
                                const pc_report_options *options, pc_error *error);
void pc_report_free_source(pc_report_source *source);
// Runs the scene of a source, unless it is no scene or its run is there.
pc_status pc_report_run_source(pc_report_source *source, pc_report_work *work, pc_error *error);
// Does runs of a scene, all or what is missing of them.
pc_status pc_report_do_runs(pc_runs *runs, const char *output, bool resume, pc_report_work *work,
                            pc_error *error);
// A scene with other keys than the file of `scene`: so many runs, and values of keys as entries of
// `sweep`, such as `{key: a.b, values: [1]}`; "": none.
pc_status pc_report_change_scene(const pc_scene *scene, int runs, const char *changes,
                                 pc_scene *changed, pc_error *error);

// Where a run comes from.
typedef struct pc_report_origin {
  const char *name, *title, *file, *program, *hash; // NULL or "": not known
  const char *text, *base, *changes;
  int runs, failed;
  bool seeded;
  unsigned long long first_seed, last_seed;
} pc_report_origin;

// report_origin.c: sections that all kinds have
// Inputs, with the commands that repeat the runs.
void pc_report_inputs(pc_page *page, int count, const pc_report_origin *origins);
// Energy balance and accuracy of a record; `note` is a sentence before it.
typedef struct pc_report_check {
  long steps, inaccurate, open;
  double drift, contact_error, accuracy, step, end;
} pc_report_check;
pc_status pc_report_read_check(pc_reading *reading, pc_report_check *check, pc_error *error);
pc_status pc_report_balance(pc_page *page, pc_reading *reading, const pc_report_check *check,
                            const char *note, pc_error *error);

// The report of a kind of run.
typedef struct pc_report_job {
  const pc_report_options *options;
  int count;
  pc_report_source *source;
  pc_report_work *work;
} pc_report_job;
typedef pc_status pc_report_writer(const pc_report_job *job, pc_reported *reported,
                                   pc_error *error);
pc_report_writer pc_report_crowd; // report_crowd.c

// report_work.c
pc_report_work pc_report_begin_work(const pc_report_options *options);
// Begins a part that is so much of all the work; what was begun before is done.
void pc_report_begin_part(pc_report_work *work, const char *doing, double part);
// Says how much of the part is done; false: stop.
bool pc_report_tell(pc_report_work *work, double share);

#endif
