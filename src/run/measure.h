// Measured quantities of a run, and samples that many runs combine.
#ifndef PERCUSS_RUN_MEASURE_H
#define PERCUSS_RUN_MEASURE_H

#include "percuss/run.h"

// Exit times of people in order, for all exits together or for one.
typedef struct pc_sample {
  char group[80];
  int count;
  double *values;
} pc_sample;
// Gives NULL and 0 if there is none. Free the list with pc_samples_free, also after a failure.
pc_status pc_run_samples(const pc_scene *scene, pc_sample **list, int *count, pc_error *error);
void pc_samples_free(pc_sample *list, int count);

// Statistics of the combined samples of one group, for the quantity `group/name`.
typedef struct pc_pooled {
  const char *name;
  double value;
} pc_pooled;
enum { PC_POOLED = 2 };
pc_status pc_run_pool(int runs, const int *start, const double *values, pc_pooled out[PC_POOLED],
                      pc_error *error);

// Exit times in order of the people who left by a goal, or by any (-1). The caller frees them.
pc_status pc_exit_times(const pc_scene *scene, int goal, double **times, int *count,
                        pc_error *error);

#endif
