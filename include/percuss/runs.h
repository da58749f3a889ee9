// Many runs of one scene, with other seeds (`runs`) and other values (`sweep`), and their
// statistics. See docs/ensembles.md.
#ifndef PERCUSS_RUNS_H
#define PERCUSS_RUNS_H

#include "percuss/run.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_runs pc_runs;

// Progress, reported on the calling thread about ten times a second.
typedef struct pc_runs_progress {
  int members, finished, failed;
  double part;              // of the work, 0 to 1
  double elapsed_s, left_s; // wall-clock time; left_s < 0: unknown
} pc_runs_progress;
typedef bool pc_runs_listener(void *context, const pc_runs_progress *progress); // false: stop now

typedef struct pc_runs_options {
  const char *output; // RUN.h5 stands for RUN-runs.csv, RUN-summary.csv, RUN-runs.checkpoint and
                      // the pictures RUN-NAME.svg of `curves`, for collisions also RUN-runs.h5 for
                      // the viewer; NULL: nothing is written
  bool resume;        // skip the runs that have finished; do all if none has started
  bool keep;          // record every run, as RUN-0001.h5 and so on
  int threads;        // 0: all processors. Each run uses one, or more if there are few runs
  double duration;    // s, of every run; 0: as in the scene
  long steps;         // number of steps instead
  pc_runs_listener *listener;
  void *context;
} pc_runs_options;

// The scene is the first of the runs. The caller keeps it, and it must outlive them.
pc_runs *pc_runs_create(const pc_scene *scene, pc_error *error);
void pc_runs_destroy(pc_runs *runs);
// Does all runs in parallel. The options are copied. Results depend neither on the number of
// threads nor on stops and resumes. Returns PC_OK also if the listener stopped it or single runs
// failed. Invalid values are reported before anything is written. It can be called only
// once.
pc_status pc_runs_run(pc_runs *runs, const pc_runs_options *options, pc_error *error);

typedef enum pc_member_state {
  PC_MEMBER_WAITING,
  PC_MEMBER_FINISHED,
  PC_MEMBER_FAILED
} pc_member_state;
typedef struct pc_member {
  int number;      // from 1
  int combination; // of the values of the sweep, from 0; pc_scene_plan_value has them
  uint64_t seed;
  pc_member_state state;
  uint64_t hash;     // `state` of pc_run_summary, if it finished
  const char *error; // NULL unless it failed
} pc_member;
pc_member pc_runs_member(const pc_runs *runs, int i); // from 0
int pc_runs_count(const pc_runs *runs, pc_member_state state);
double pc_runs_seconds(const pc_runs *runs); // wall-clock time of this call
// One hash over the final states of all runs in order; a failed run counts as failed. Equal if
// every bit is equal. 0: some runs are still waiting.
uint64_t pc_runs_state(const pc_runs *runs);
bool pc_runs_anew(const pc_runs *runs); // no checkpoint to resume: all runs started

// Measured quantities as columns: those of pc_run_measure over all runs, `door/flow` for an exit.
typedef struct pc_runs_column {
  const char *name, *unit; // unit "": a number
  bool whole;
  pc_quantity_shown shown;
} pc_runs_column;
int pc_runs_columns(const pc_runs *runs);
pc_runs_column pc_runs_column_of(const pc_runs *runs, int column);
double pc_runs_value(const pc_runs *runs, int i, int column); // NAN: none

// Statistics of a quantity over the finished runs of a combination.
typedef struct pc_runs_statistics {
  int runs, missing;      // with and without a value
  double mean, deviation; // NAN of none, and of one
  double interval;        // half the width of the 95 % interval of the mean, by Student's t
  double median, least, most;
  double pooled; // all runs together, where that differs from the mean: flows by one
                 // line for the exits of all runs, sums of counts; else NAN
} pc_runs_statistics;
pc_runs_statistics pc_runs_statistics_of(const pc_runs *runs, int combination, int column);

// Draws a picture of the scene's plan, from 0, as SVG: the means over the runs of each combination,
// with a band for their 95 % intervals if there are several; against time a curve for each run that
// was kept. pc_runs_run draws them all.
pc_status pc_runs_draw(const pc_runs *runs, int picture, const char *path, pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
