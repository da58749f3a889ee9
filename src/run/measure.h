// What is measured of a run: numbers, and samples that many runs put together.
#ifndef PERCUSS_RUN_MEASURE_H
#define PERCUSS_RUN_MEASURE_H

#include "percuss/run.h"

// Times at which people left, in order, of all exits together or of one.
typedef struct pc_sample {
  char group[80];
  int count;
  double *values;
} pc_sample;
// NULL and 0 where there is none; freed by pc_samples_free, also after a failure.
pc_status pc_run_samples(const pc_scene *scene, pc_sample **list, int *count, pc_error *error);
void pc_samples_free(pc_sample *list, int count);

// What samples of the same group of many runs say together: of the quantity `group/name`.
typedef struct pc_pooled {
  const char *name;
  double value;
} pc_pooled;
enum { PC_POOLED = 2 };
pc_status pc_run_pool(int runs, const int *start, const double *values, pc_pooled out[PC_POOLED],
                      pc_error *error);

// Of those who left by a goal, or by any (-1), the times in order; the caller frees them.
pc_status pc_exit_times(const pc_scene *scene, int goal, double **times, int *count,
                        pc_error *error);

#endif
