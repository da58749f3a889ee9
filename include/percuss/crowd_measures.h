// Measures of crowds: the flow through exits, over one run or many, and the order of lanes.
#ifndef PERCUSS_CROWD_MEASURES_H
#define PERCUSS_CROWD_MEASURES_H

#include "percuss/crowd.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// People per minute, by several estimators. t_k is the time of the k-th exit of a run, k = 1 .. N.
typedef struct pc_crowd_flow {
  int runs;         // with at least two exits; other runs are ignored
  int unfinished;   // runs with people still inside
  double robust;    // mean over runs of one over the median, over all pairs of exits, of the time
                    // between them divided by the number of people (Theil 1950, Sen 1968): up to a
                    // quarter of the people may straggle by any amount
  double per_run;   // mean over runs of the slope of k on t; one straggler can dominate it
  double deviation; // of the slopes of runs
  double error;     // standard error of per_run; 0 for one run
  double middle;    // median of the slopes
  double trimmed;   // mean slope without the first and the last three of each run
  double origin;    // slope of a line through the origin, all exits of all runs together: the
                    // estimator that the book's tables are compared with
  double pooled;    // slope of one line for all exits of all runs: fragile
  double between;   // mean of (N - 1) / (t_N - t_1)
} pc_crowd_flow;

// Exit times of run r are time[start[r]] .. time[start[r + 1] - 1], in increasing order. `inside`
// (may be NULL) is the number of people left at the end of each run.
pc_status pc_crowd_measure_flow(int runs, const int *start, const double *time, const int *inside,
                                pc_crowd_flow *flow, pc_error *error);

// The order of lanes of people who walk in one of two opposite directions. Each person has a strip
// of this width along the walking direction, centred on the person. In the strip, the share of
// people with the same direction minus the share of the others is squared; the order is the mean of
// the squares. Full lanes have 1; people mixed at random have about one over the number of people
// in a strip. (Rex and Loewen, Phys. Rev. E 75, 051402, 2007, with strips of any width.)
// `across`: positions across the walking direction; `ahead`: walks in the first direction. NAN
// without people, or if memory runs out.
double pc_crowd_lane_order(int count, const double *across, const unsigned char *ahead,
                           double width);
// The same for all people of a crowd who want to walk along an axis (0: x, 1: y) of their floor:
// the mean over people, each compared with those on the same floor.
double pc_crowd_lanes(const pc_crowd *crowd, int axis, double width);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
