// Results of crowds that a report is made of: a variant is one run, or several with other seeds.
#ifndef PERCUSS_RUN_VARIANTS_H
#define PERCUSS_RUN_VARIANTS_H

#include "core/statistics.h"
#include "run/recorded_crowd.h"
#include "run/runs.h"

// Times at which people left, in order.
typedef struct pc_left {
  int count;
  const double *time;
} pc_left;

typedef struct pc_variant_run {
  int number;
  uint64_t seed;
  int people, inside;       // inside at the end
  int overcome;             // of these, by smoke and gases
  pc_left all, *exit;       // by each exit of the variant
  double evacuation;        // s: when the last one left; infinite if somebody was still inside
  double density, pressure; // the largest; NAN: not measured
  double load, load_window; // the largest load on a person, and the time of its mean
} pc_variant_run;

typedef struct pc_variant {
  const char *name; // in tables and legends
  const char *title, *file, *program, *text, *base, *changes;
  char hash[20]; // of the inputs; "": not recorded
  bool seeded;   // the seeds are known
  int planned, runs;
  pc_variant_run *run; // those that finished
  int exits;
  const char **exit;
  double *evacuation; // of all runs, in order of size
  int complete;       // runs in which everybody left
  // The record of the first run, for what its frames and maps say.
  bool detailed;
  pc_recorded_crowd crowd;
  const char *record;
  pc_arena memory;
} pc_variant;

// Reads RUN.h5, or the checkpoint RUN-runs.checkpoint of many runs. A sweep has a variant for each
// combination. The list grows; free its variants also after a failure.
typedef PC_ARRAY(pc_variant) pc_variants;
pc_status pc_variants_add_record(pc_variants *all, const char *path, pc_error *error);
pc_status pc_variants_add_runs(pc_variants *all, const char *checkpoint, pc_error *error);
void pc_variants_free(pc_variants *all);

// Statistics over the runs of a variant; values that are not finite are missing.
typedef double pc_variant_value(const pc_variant_run *run, int which);
pc_status pc_variant_statistics(const pc_variant *variant, pc_variant_value *value, int which,
                                pc_statistics *statistics, pc_error *error);
// The quantile p of the evacuation time with its 95 % interval; infinite where people stay, and
// `low` NAN or `high` infinite where there are too few runs.
typedef struct pc_bounded {
  double value, low, high;
} pc_bounded;
pc_bounded pc_variant_quantile(const pc_variant *variant, double p);

#endif
