// Reports of runs: one page that prints, for those who decide.
#ifndef PERCUSS_REPORT_H
#define PERCUSS_REPORT_H

#include <stdbool.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Progress, reported on the calling thread about ten times a second while scenes run.
typedef struct pc_report_progress {
  const char *doing;        // "runs of room.yaml", "exit 'door' wider"
  double part;              // of all the work, 0 to 1
  double elapsed_s, left_s; // wall-clock time; left_s < 0: unknown
} pc_report_progress;
typedef bool pc_report_listener(void *context, const pc_report_progress *progress); // false: stop

typedef struct pc_report_options {
  const char *output; // REPORT.html. Scenes are run into REPORT.h5, or REPORT-1.h5 and so on if
                      // there are several sources, with the other files of such runs beside it
  int runs;           // of every scene, with other seeds; 0: as the scene says
  double widen;       // m: run the scene again with each exit, door and narrow place wider; 0: no
  int threads;        // 0: all processors
  pc_report_listener *listener;
  void *context;
} pc_report_options;

enum { PC_REPORT_SOURCES = 7, PC_REPORT_NAME = 120, PC_REPORT_WHY = 240 };

// A number with its 95 % interval; NAN: not known, infinite: not bounded.
typedef struct pc_reported_number {
  double value, low, high;
} pc_reported_number;
// A run, or several with other seeds.
typedef struct pc_reported_variant {
  char name[PC_REPORT_NAME];
  int runs, complete; // that finished; of these, in which everybody left
  int people, inside; // the most of any run; the most who were still inside at its end
  // The evacuation time, s: mean over the complete runs; median and 95th percentile of all.
  pc_reported_number mean, median, percentile_95;
} pc_reported_variant;
// An exit, a door or a narrow place that was made wider, with the same random numbers.
typedef struct pc_reported_widening {
  char name[PC_REPORT_NAME];    // of the exit, or where it is
  char why[PC_REPORT_WHY];      // why it cannot be wider; "": it can
  int pairs;                    // runs in which everybody left with and without
  pc_reported_number change;    // of the evacuation time, s: mean of these
  int pairs_95;                 // in which 95 % of the people left
  pc_reported_number change_95; // of the time until they had, s
} pc_reported_widening;
typedef struct pc_reported {
  bool finished; // false: the listener stopped it, and there is no page
  int variants, widenings;
  pc_reported_variant *variant;
  pc_reported_widening *widening;
} pc_reported;

// Writes a report of crowds about these sources: RUN.h5, RUN-runs.csv of many runs, or SCENE.yaml,
// which is run, unless its run is there already. Several sources are compared. An older report of
// that name is replaced. PC_ERROR_INPUT if a source is of another kind. Free the result also after
// a failure; `reported` may be NULL.
pc_status pc_run_report(int count, const char *const *sources, const pc_report_options *options,
                        pc_reported *reported, pc_error *error);
void pc_reported_free(pc_reported *reported);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
