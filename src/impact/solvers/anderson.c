// Sums are made chunk by chunk, so that they are the same for any number of threads.
#include "impact/solvers/anderson.h"

#include <string.h>

#include "core/small.h"
#include "core/threads.h"

enum { MEMORY = PC_ANDERSON_MEMORY, SUMS = 2 * MEMORY + 1, CHUNK = 4096, GRAIN = 8 };
static const double farthest = 1e6; // steps

static int chunks_of(const pc_anderson *a)
{
  return (a->n + CHUNK - 1) / CHUNK;
}

static int size_of(const pc_anderson *a, int chunk)
{
  int left = a->n - chunk * CHUNK;
  return left < CHUNK ? left : CHUNK;
}

bool pc_anderson_create(pc_anderson *a, int n, pc_arena *arena)
{
  size_t size = (size_t)n;
  *a = (pc_anderson){.n = n, .size = -1};
  a->last_f = pc_arena_take(arena, size, sizeof(double));
  a->last_g = pc_arena_take(arena, size, sizeof(double));
  for (int i = 0; i < MEMORY; i++) {
    a->df[i] = pc_arena_take_raw(arena, size, sizeof(double));
    a->dg[i] = pc_arena_take_raw(arena, size, sizeof(double));
  }
  a->partial = pc_arena_take_raw(arena, SUMS * (size_t)chunks_of(a), sizeof(double));
  return !arena->failed;
}

void pc_anderson_forget(pc_anderson *a)
{
  a->used = a->next = 0;
  a->size = -1;
}

static double dot(int n, const double *x, const double *y)
{
  double part[4] = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int l = 0; l < 4; l++)
      part[l] += x[i + l] * y[i + l];
  for (; i < n; i++)
    part[0] += x[i] * y[i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

// Steps and their changes, with all products that the weights need.
static void remember(void *context, int begin, int end, int worker)
{
  (void)worker;
  pc_anderson *a = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = chunk * CHUNK, count = size_of(a, chunk);
    double *f = a->last_f + from, *g = a->last_g + from, *sums = a->partial + SUMS * chunk;
    const double *r = a->r + from, *image = a->g + from;
    double *df = a->df[a->slot] + from, *dg = a->dg[a->slot] + from;
    for (int i = 0; i < count; i++) {
      double step = image[i] - r[i];
      df[i] = step - f[i];
      dg[i] = image[i] - g[i];
      f[i] = step;
      g[i] = image[i];
    }
    sums[0] = dot(count, f, f);
    for (int k = 0; k < a->used; k++) {
      sums[1 + k] = dot(count, df, a->df[k] + from);
      sums[1 + MEMORY + k] = dot(count, f, a->df[k] + from);
    }
  }
}

static void extrapolate(void *context, int begin, int end, int worker)
{
  (void)worker;
  pc_anderson *a = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = chunk * CHUNK, count = size_of(a, chunk);
    memcpy(a->r + from, a->g + from, sizeof(double) * (size_t)count);
    for (int k = 0; k < a->used; k++)
      for (int i = from; i < from + count; i++)
        a->r[i] -= a->weight[k] * a->dg[k][i];
  }
}

static void add_sums(const pc_anderson *a, double *sums)
{
  memset(sums, 0, sizeof(double) * SUMS);
  for (int chunk = 0; chunk < chunks_of(a); chunk++)
    for (int i = 0; i < SUMS; i++)
      sums[i] += a->partial[SUMS * chunk + i];
}

// min |f - dF y|: normal equations with a little regularisation. A step that does not change at all
// would send the extrapolation to infinity.
static bool find_weights(pc_anderson *a, const double *right)
{
  double c[MEMORY * MEMORY], trace = 0;
  int m = a->used;
  for (int i = 0; i < m; i++)
    trace += a->gram[i][i];
  for (int i = 0; i < m; i++) {
    a->weight[i] = right[i];
    for (int j = 0; j < m; j++)
      c[i * m + j] = a->gram[i][j] + (i == j ? 1e-12 * trace : 0);
  }
  if (!pc_dense_factor(m, c, 0))
    return false;
  pc_dense_solve(m, c, a->weight);
  double total = 0;
  for (int i = 0; i < m; i++)
    total += fabs(a->weight[i]);
  for (int i = 0; i < m && total > farthest; i++)
    a->weight[i] *= farthest / total;
  return true;
}

bool pc_anderson_step(pc_anderson *a, double *r, const double *g, int threads)
{
  double sums[SUMS];
  a->r = r;
  a->g = g;
  a->slot = a->next;
  a->next = (a->next + 1) % MEMORY;
  a->used += a->used < MEMORY;
  pc_parallel(threads, chunks_of(a), GRAIN, remember, a);
  add_sums(a, sums);
  bool grew = sums[0] > a->size; // the first one always does
  a->size = sums[0];
  for (int k = 0; k < a->used; k++)
    a->gram[a->slot][k] = a->gram[k][a->slot] = sums[1 + k];
  if (grew || !find_weights(a, sums + 1 + MEMORY)) {
    a->used = a->next = 0;
    return false;
  }
  pc_parallel(threads, chunks_of(a), GRAIN, extrapolate, a);
  return true;
}
