#include "crowd/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

// Sums for straight lines.
typedef struct sums {
  double n, t, k, tt, tk;
} sums;

static void add(sums *s, double t, double k)
{
  s->n += 1;
  s->t += t;
  s->k += k;
  s->tt += t * t;
  s->tk += t * k;
}

// Slope of k on t; times are taken from their mean, so that late exits lose no digits.
static double slope(int count, const double *time, int first)
{
  double mean = 0, middle = 0.5 * (count - 1), up = 0, down = 0;
  for (int i = 0; i < count; i++)
    mean += time[first + i] / count;
  for (int i = 0; i < count; i++) {
    double t = time[first + i] - mean;
    up += t * (i - middle);
    down += t * t;
  }
  return down > 0 ? up / down : NAN;
}

static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

static double median(int count, double *values)
{
  qsort(values, (size_t)count, sizeof *values, compare);
  return count == 0 ? NAN : 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

pc_status pc_flow_measure(int runs, const int *start, const double *time, const int *inside,
                          pc_flow *flow, pc_error *error)
{
  enum { TRIM = 3 };
  const double minute = 60;
  *flow = (pc_flow){0};
  double *slopes = calloc((size_t)runs + 1, sizeof *slopes);
  if (slopes == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sums pool = {0};
  int trimmed = 0, between = 0;
  for (int r = 0; r < runs; r++) {
    const double *t = time + start[r];
    int count = start[r + 1] - start[r];
    flow->unfinished += inside != NULL && inside[r] > 0;
    for (int i = 0; i < count; i++)
      add(&pool, t[i], i + 1);
    double own = count > 1 ? minute * slope(count, t, 0) : NAN;
    if (!isfinite(own))
      continue;
    slopes[flow->runs++] = own;
    flow->per_run += own;
    flow->between += minute * (count - 1) / (t[count - 1] - t[0]);
    between++;
    if (count > 2 * TRIM + 1) {
      double part = minute * slope(count - 2 * TRIM, t, TRIM);
      flow->trimmed += isfinite(part) ? part : 0;
      trimmed += isfinite(part);
    }
  }
  flow->per_run = flow->runs > 0 ? flow->per_run / flow->runs : NAN;
  flow->between = between > 0 ? flow->between / between : NAN;
  flow->trimmed = trimmed > 0 ? flow->trimmed / trimmed : NAN;
  for (int i = 0; i < flow->runs; i++)
    flow->deviation += (slopes[i] - flow->per_run) * (slopes[i] - flow->per_run);
  if (flow->runs > 1) {
    flow->deviation = sqrt(flow->deviation / (flow->runs - 1));
    flow->error = flow->deviation / sqrt(flow->runs);
  } else {
    flow->deviation = 0;
  }
  flow->middle = median(flow->runs, slopes);
  flow->origin = pool.tt > 0 ? minute * pool.tk / pool.tt : NAN;
  double down = pool.tt - pool.t * pool.t / pool.n;
  flow->pooled =
      pool.n > 1 && down > 0 ? minute * (pool.tk - pool.t * pool.k / pool.n) / down : NAN;
  free(slopes);
  return PC_OK;
}

// Quantiles of Student's t at 0.975; beyond 30 by Cornish and Fisher's series.
double pc_interval_95(int n, double deviation)
{
  static const double quantile[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                    2.306, 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                    2.120, 2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                                    2.064, 2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  const double z = 1.959963984540054;
  int freedom = n - 1;
  if (freedom < 1)
    return INFINITY;
  double t = freedom <= 30 ? quantile[freedom] : z + (z * z * z + z) / (4.0 * freedom);
  return t * deviation / sqrt(n);
}
