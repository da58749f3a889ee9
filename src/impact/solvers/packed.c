// Accelerated sweeps over packs: Anderson's method over blocks of five sweeps, forgotten as soon as
// the step grows at all, and going on from there. Returning to the best point instead would repeat
// the same steps for ever; the best point is kept for the answer only.
//
// The residual of the first guess is looked at before anything else: in a run at rest it is often
// good enough.
#include "impact/solvers/packed.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/packs.h"

enum { BLOCK = 5, MEMORY = 6, CHUNK = 4096, CONVEX_SWEEPS = 400 };
enum { LEAST_SWEEPS = 2000, MOST_SWEEPS = 20000 };
static const double default_work = 3e9; // contacts times sweeps

typedef struct history {
  int n, used, next, slot;
  bool started;
  double size;             // of the last step
  double *r, *g;           // the point and its image
  double *last_f, *last_g; // those of the block before: step and image
  double *df[MEMORY], *dg[MEMORY];
  double gram[MEMORY][MEMORY], weight[MEMORY];
  double *partial; // MEMORY * 2 + 1 sums per chunk
} history;

enum { SUMS = 2 * MEMORY + 1 };

static int chunks_of(const history *h)
{
  return (h->n + CHUNK - 1) / CHUNK;
}

static bool history_create(history *h, int n, pc_arena *arena)
{
  size_t size = (size_t)n;
  h->n = n;
  h->last_f = pc_arena_take_raw(arena, size, sizeof(double));
  h->last_g = pc_arena_take_raw(arena, size, sizeof(double));
  for (int i = 0; i < MEMORY; i++) {
    h->df[i] = pc_arena_take_raw(arena, size, sizeof(double));
    h->dg[i] = pc_arena_take_raw(arena, size, sizeof(double));
  }
  h->partial = pc_arena_take_raw(arena, SUMS * (size_t)chunks_of(h), sizeof(double));
  return !arena->failed;
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
  history *h = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = chunk * CHUNK, count = h->n - from < CHUNK ? h->n - from : CHUNK;
    double *f = h->last_f + from, *g = h->last_g + from, *sums = h->partial + SUMS * chunk;
    const double *r = h->r + from, *image = h->g + from;
    double *df = h->df[h->slot] + from, *dg = h->dg[h->slot] + from;
    for (int i = 0; i < count; i++) {
      double step = image[i] - r[i];
      df[i] = step - f[i];
      dg[i] = image[i] - g[i];
      f[i] = step;
      g[i] = image[i];
    }
    sums[0] = dot(count, f, f);
    for (int k = 0; k < h->used; k++) {
      sums[1 + k] = dot(count, df, h->df[k] + from);
      sums[1 + MEMORY + k] = dot(count, f, h->df[k] + from);
    }
  }
}

static void start(void *context, int begin, int end, int worker)
{
  (void)worker;
  history *h = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = chunk * CHUNK, count = h->n - from < CHUNK ? h->n - from : CHUNK;
    for (int i = from; i < from + count; i++) {
      h->last_f[i] = h->g[i] - h->r[i];
      h->last_g[i] = h->g[i];
    }
    h->partial[SUMS * chunk] = dot(count, h->last_f + from, h->last_f + from);
  }
}

static void extrapolate(void *context, int begin, int end, int worker)
{
  (void)worker;
  history *h = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = chunk * CHUNK, count = h->n - from < CHUNK ? h->n - from : CHUNK;
    memcpy(h->r + from, h->g + from, sizeof(double) * (size_t)count);
    for (int k = 0; k < h->used; k++)
      for (int i = from; i < from + count; i++)
        h->r[i] -= h->weight[k] * h->dg[k][i];
  }
}

static void add_sums(const history *h, int count, double *sums)
{
  memset(sums, 0, sizeof(double) * SUMS);
  for (int chunk = 0; chunk < chunks_of(h); chunk++)
    for (int i = 0; i < count; i++)
      sums[i] += h->partial[SUMS * chunk + i];
}

// min |f - dF y|: normal equations with a little regularisation.
static bool find_weights(history *h, const double *right)
{
  double c[MEMORY * MEMORY], trace = 0;
  int m = h->used;
  for (int i = 0; i < m; i++)
    trace += h->gram[i][i];
  for (int i = 0; i < m; i++) {
    h->weight[i] = right[i];
    for (int j = 0; j < m; j++)
      c[i * m + j] = h->gram[i][j] + (i == j ? 1e-12 * trace : 0);
  }
  if (!pc_dense_factor(m, c, 0))
    return false;
  pc_dense_solve(m, c, h->weight);
  return true;
}

// The next point, in h->r; false if it is just the image.
static bool accelerate(history *h, int threads)
{
  double sums[SUMS];
  if (!h->started) {
    pc_parallel(threads, chunks_of(h), 8, start, h);
    add_sums(h, 1, sums);
    h->started = true;
    h->size = sums[0];
    return false;
  }
  h->slot = h->next;
  h->next = (h->next + 1) % MEMORY;
  h->used += h->used < MEMORY;
  pc_parallel(threads, chunks_of(h), 8, remember, h);
  add_sums(h, SUMS, sums);
  bool grew = sums[0] > h->size;
  h->size = sums[0];
  if (grew) {
    h->used = h->next = 0;
    return false;
  }
  for (int k = 0; k < h->used; k++)
    h->gram[h->slot][k] = h->gram[k][h->slot] = sums[1 + k];
  if (!find_weights(h, sums + 1 + MEMORY)) {
    h->used = h->next = 0;
    return false;
  }
  pc_parallel(threads, chunks_of(h), 8, extrapolate, h);
  return true;
}

typedef struct copy_work {
  double *to;
  const double *from;
} copy_work;

static void copy_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const copy_work *work = context;
  memcpy(work->to + begin, work->from + begin, sizeof(double) * (size_t)(end - begin));
}

static void copy(int threads, int n, double *to, const double *from)
{
  copy_work work = {to, from};
  pc_parallel(threads, n, 8 * CHUNK, copy_part, &work);
}

pc_status pc_solve_packed(pc_impact *problem, const pc_islands *islands, int island,
                          const pc_solver_limits *limits, bool warm, bool hand_over, int threads,
                          pc_arena *arena, pc_solver_result *result, bool *convex, pc_error *error)
{
  pc_packs packs;
  pc_status status = pc_packs_create(&packs, problem, islands, island, warm, threads, arena, error);
  if (status != PC_OK)
    return status;
  *convex = packs.convex;
  result->name = "nsgs";
  result->iterations = 0;
  int n = packs.packs * PC_LANES * packs.numbers, limit = limits->max_iterations;
  if (limit <= 0)
    limit = (int)fmax(LEAST_SWEEPS, fmin(MOST_SWEEPS, default_work / packs.contacts));
  if (packs.convex && hand_over && limit > CONVEX_SWEEPS)
    limit = CONVEX_SWEEPS;
  double *line = packs.line, *r = packs.r;
  if (warm)
    pc_packs_move(&packs, line, r);
  double residual = pc_packs_residual(&packs, line, r), best = residual;
  double *answer = r;
  if (residual > limits->tolerance) {
    history h = {.r = r, .g = pc_arena_take_raw(arena, (size_t)n, sizeof(double))};
    double *kept = pc_arena_take_raw(arena, (size_t)n, sizeof(double));
    if (arena->failed || !history_create(&h, n, arena))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    copy(threads, n, kept, r);
    while (residual > limits->tolerance && result->iterations < limit) {
      copy(threads, n, h.g, r);
      for (int i = 0; i < BLOCK; i++)
        pc_packs_sweep(&packs, line, h.g);
      result->iterations += BLOCK;
      residual = pc_packs_residual(&packs, line, h.g);
      if (residual < best) {
        best = residual;
        copy(threads, n, kept, h.g);
      }
      if (residual <= limits->tolerance || isnan(residual))
        break;
      if (accelerate(&h, threads)) {
        pc_packs_project(&packs, r);
        pc_packs_move(&packs, line, r);
      } else {
        copy(threads, n, r, h.g);
      }
    }
    answer = kept;
    if (!(residual <= limits->tolerance))
      pc_packs_move(&packs, line, kept);
  }
  pc_packs_scatter(&packs, problem, line, answer);
  result->residual = best;
  result->converged = best <= limits->tolerance;
  return PC_OK;
}
