// Statistics of a few numbers.
#ifndef PERCUSS_CORE_STATISTICS_H
#define PERCUSS_CORE_STATISTICS_H

// NAN in `values` stands for a number that is missing; where too few are there the answer is NAN.
typedef struct pc_statistics {
  int count, missing;
  double mean, deviation; // of a sample: over count - 1
  double interval;        // half the width of the 95 % interval of the mean
  double median, least, most;
} pc_statistics;

// Puts the values in order, with those that are missing behind them.
pc_statistics pc_statistics_of(int count, double *values);
// Of values in any order, which it sorts; NAN of none.
double pc_median(int count, double *values);
// Half the width of the 95 % interval of a mean, by Student's t with n - 1 degrees of freedom.
double pc_interval_95(int n, double deviation);

#endif
