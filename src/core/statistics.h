// Statistics of a few numbers.
#ifndef PERCUSS_CORE_STATISTICS_H
#define PERCUSS_CORE_STATISTICS_H

// NAN in `values` is a missing number. With too few numbers the answer is NAN.
typedef struct pc_statistics {
  int count, missing;
  double mean, deviation; // of a sample: over count - 1
  double interval;        // half the width of the 95 % interval of the mean
  double median, least, most;
} pc_statistics;

// Sorts the values; missing ones come last.
pc_statistics pc_statistics_of(int count, double *values);
// Median of values in any order, which are sorted; NAN if there is none.
double pc_median(int count, double *values);
// Half the width of the 95 % interval of a mean, by Student's t with n - 1 degrees of freedom.
double pc_interval_95(int n, double deviation);

#endif
