#include "percuss/crowd_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/statistics.h"

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

// Pairs i < j with a[i] > a[j], by merging; sorts a.
static double count_inversions(int count, double *a, double *scratch)
{
  if (count < 2)
    return 0;
  int half = count / 2, i = 0, j = half, k = 0;
  double pairs =
      count_inversions(half, a, scratch) + count_inversions(count - half, a + half, scratch);
  while (i < half && j < count) {
    if (a[i] <= a[j]) {
      scratch[k++] = a[i++];
    } else {
      pairs += half - i;
      scratch[k++] = a[j++];
    }
  }
  while (i < half)
    scratch[k++] = a[i++];
  while (j < count)
    scratch[k++] = a[j++];
  memcpy(a, scratch, (size_t)count * sizeof *a);
  return pairs;
}

// Among (t_j - t_i) / (j - i) of all pairs the one that has `rank` smaller ones. So many are below
// x as pairs have t_i - i x > t_j - j x: x is found by halving, without a list of all pairs.
static double interval_of_rank(int count, const double *time, double rank, double *work)
{
  double low = 0, high = time[count - 1] - time[0];
  for (int i = 0; i < 200 && low < high; i++) {
    double x = 0.5 * (low + high);
    if (x <= low || x >= high)
      break;
    for (int k = 0; k < count; k++)
      work[k] = time[k] - time[0] - k * x;
    if (count_inversions(count, work, work + count) > rank)
      high = x;
    else
      low = x;
  }
  return low;
}

// People per second; NAN where more than half of all pairs left at the same time.
static double robust_flow(int count, const double *time, double *work)
{
  double pairs = 0.5 * count * (count - 1.0), middle = floor(0.5 * (pairs - 1));
  double interval = 0.5 * (interval_of_rank(count, time, middle, work) +
                           interval_of_rank(count, time, pairs - 1 - middle, work));
  return interval > 0 ? 1 / interval : NAN;
}

pc_status pc_crowd_measure_flow(int runs, const int *start, const double *time, const int *inside,
                                pc_crowd_flow *flow, pc_error *error)
{
  if (flow == NULL || runs < 0 || (runs > 0 && (start == NULL || time == NULL)))
    return pc_fail_null(error, "starts and times of runs and the flow");
  for (int r = 0; r < runs; r++)
    if (start[r] < 0 || start[r + 1] < start[r])
      return pc_fail(error, PC_ERROR_ARGUMENT, "run %d ends before it starts", r + 1);
  enum { TRIM = 3 };
  const double minute = 60;
  *flow = (pc_crowd_flow){0};
  int most = 0;
  for (int r = 0; r < runs; r++)
    most = start[r + 1] - start[r] > most ? start[r + 1] - start[r] : most;
  double *slopes = calloc((size_t)runs + 1, sizeof *slopes);
  double *work = calloc(2 * (size_t)most + 1, sizeof *work);
  if (slopes == NULL || work == NULL) {
    free(slopes);
    free(work);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  sums pool = {0};
  int trimmed = 0, between = 0, robust = 0;
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
    double steady = minute * robust_flow(count, t, work);
    flow->robust += isfinite(steady) ? steady : 0;
    robust += isfinite(steady);
    if (count > 2 * TRIM + 1) {
      double part = minute * slope(count - 2 * TRIM, t, TRIM);
      flow->trimmed += isfinite(part) ? part : 0;
      trimmed += isfinite(part);
    }
  }
  flow->per_run = flow->runs > 0 ? flow->per_run / flow->runs : NAN;
  flow->between = between > 0 ? flow->between / between : NAN;
  flow->robust = robust > 0 ? flow->robust / robust : NAN;
  flow->trimmed = trimmed > 0 ? flow->trimmed / trimmed : NAN;
  for (int i = 0; i < flow->runs; i++)
    flow->deviation += (slopes[i] - flow->per_run) * (slopes[i] - flow->per_run);
  if (flow->runs > 1) {
    flow->deviation = sqrt(flow->deviation / (flow->runs - 1));
    flow->error = flow->deviation / sqrt(flow->runs);
  } else {
    flow->deviation = 0;
  }
  flow->middle = pc_median(flow->runs, slopes);
  flow->origin = pool.tt > 0 ? minute * pool.tk / pool.tt : NAN;
  double down = pool.tt - pool.t * pool.t / pool.n;
  flow->pooled =
      pool.n > 1 && down > 0 ? minute * (pool.tk - pool.t * pool.k / pool.n) / down : NAN;
  free(slopes);
  free(work);
  return PC_OK;
}
