// Flow through a door from the times at which people went out, over one run or many.
#ifndef PERCUSS_CROWD_FLOW_H
#define PERCUSS_CROWD_FLOW_H

#include "percuss/status.h"

// People per minute. t_k is the time of the k-th exit of a run, k = 1 .. N.
typedef struct pc_flow {
  int runs;         // that count: with at least two people out
  int unfinished;   // runs in which somebody was still inside
  double robust;    // mean over runs of one over the median, over all pairs of exits, of the time
                    // between them by the number of people (Theil 1950, Sen 1968): up to a quarter
                    // of the people may straggle, however far
  double per_run;   // mean over runs of the slope of k on t; in one run a straggler has all the
                    // leverage
  double deviation; // of the slopes of runs
  double error;     // standard error of per_run; 0 for one run
  double middle;    // median of the slopes
  double trimmed;   // mean slope without the first and the last three of each run
  double origin;    // slope of a line through the origin, all exits of all runs together: what
                    // the book's tables are compared with
  double pooled;    // slope of one line for all exits of all runs: fragile
  double between;   // mean of (N - 1) / (t_N - t_1)
} pc_flow;

// Times of runs one after the other, those of a run in order; start[r] .. start[r + 1] are those of
// run r. `inside` (may be NULL): how many people were left at the end of each run.
pc_status pc_flow_measure(int runs, const int *start, const double *time, const int *inside,
                          pc_flow *flow, pc_error *error);

#endif
