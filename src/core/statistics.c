#include "core/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"

// NaN comes last.
static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  if (isnan(one) || isnan(two))
    return isnan(one) - isnan(two);
  return (one > two) - (one < two);
}

static double middle(int count, const double *sorted)
{
  return count == 0 ? NAN : 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

double pc_median(int count, double *values)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return middle(count, values);
}

// Quantiles of Student's t at 0.975; beyond 30 degrees by Cornish and Fisher's series.
double pc_interval_95(int n, double deviation)
{
  static const double quantile[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                    2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                    2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                                    2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z;
  int freedom = n - 1;
  if (freedom < 1)
    return INFINITY;
  double f = freedom, series = (z3 + z) / (4 * f) + (5 * z5 + 16 * z3 + 3 * z) / (96 * f * f);
  double t = freedom <= 30 ? quantile[freedom] : z + series;
  return t * deviation / sqrt(n);
}

// The mean first, then squares about it: numbers that lie close together lose no digits.
pc_statistics pc_statistics_of(int count, double *values)
{
  pc_statistics s = {.mean = NAN, .deviation = NAN, .interval = NAN, .least = NAN, .most = NAN};
  qsort(values, (size_t)count, sizeof *values, compare);
  while (s.count < count && !isnan(values[s.count]))
    s.count++;
  s.missing = count - s.count;
  s.median = middle(s.count, values);
  if (s.count == 0)
    return s;
  double sum = 0, squares = 0;
  for (int i = 0; i < s.count; i++)
    sum += values[i];
  s.mean = sum / s.count;
  s.least = values[0];
  s.most = values[s.count - 1];
  if (s.count == 1)
    return s;
  for (int i = 0; i < s.count; i++)
    squares += (values[i] - s.mean) * (values[i] - s.mean);
  s.deviation = sqrt(squares / (s.count - 1));
  s.interval = pc_interval_95(s.count, s.deviation);
  return s;
}

double pc_quantile(int count, const double *sorted, double p)
{
  if (count < 1)
    return NAN;
  double at = p * (count - 1), part = at - floor(at);
  int k = (int)at;
  if (part == 0 || k + 1 >= count)
    return sorted[k < count ? k : count - 1];
  if (isinf(sorted[k + 1]))
    return sorted[k + 1];
  return sorted[k] + part * (sorted[k + 1] - sorted[k]);
}

// The number of values below the quantile is binomial: sorted[low] is above it with the probability
// that at most `low` of them are below.
void pc_quantile_interval(int n, double p, int *low, int *high)
{
  const double tail = 0.025;
  double log_odds = pc_log(p / (1 - p)), log_part = n * pc_log1p(-p), sum = 0;
  *low = -1;
  *high = n;
  for (int below = 0; below <= n; below++) {
    sum += pc_exp(log_part); // at most `below` of them
    if (sum <= tail)
      *low = below;
    if (sum >= 1 - tail && below < n) {
      *high = below;
      return;
    }
    log_part += pc_log((double)(n - below) / (below + 1)) + log_odds;
  }
}
