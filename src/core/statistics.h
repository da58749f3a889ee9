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
// The quantile p of sorted numbers, in proportion between two of them (type 7 of Hyndman and Fan,
// Am. Stat. 50, 1996); infinite ones are numbers too. NAN of none.
double pc_quantile(int count, const double *sorted, double p);
// Which of n sorted numbers bound the quantile p, 0 < p < 1, of what they are a sample of: it is
// between sorted[low] and sorted[high] with a probability of at least 95 %, whatever the
// distribution, and beyond each with 2.5 % at most. `low` -1, `high` n: n numbers are too few for a
// bound on this side.
void pc_quantile_interval(int n, double p, int *low, int *high);

#endif
