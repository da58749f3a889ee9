#include "impact/solvers/anderson.h"

#include <math.h>
#include <string.h>

#include "core/small.h"

static const double farthest = 1e6; // steps

bool pc_anderson_create(pc_anderson *a, int n, pc_arena *arena)
{
  *a = (pc_anderson){.n = n};
  for (int i = 0; i < PC_ANDERSON_MEMORY; i++) {
    a->df[i] = pc_arena_take(arena, (size_t)n, sizeof(double));
    a->dg[i] = pc_arena_take(arena, (size_t)n, sizeof(double));
  }
  a->ahead = pc_arena_take(arena, (size_t)n, sizeof(double));
  a->f = pc_arena_take(arena, (size_t)n, sizeof(double));
  a->g = pc_arena_take(arena, (size_t)n, sizeof(double));
  return !arena->failed;
}

void pc_anderson_forget(pc_anderson *a)
{
  a->used = a->next = 0;
  a->started = false;
}

static double dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

// min |f - dF y|: normal equations with a little regularisation. y holds the right-hand side.
static bool weights(const pc_anderson *a, double *y)
{
  int m = a->used;
  double c[PC_ANDERSON_MEMORY * PC_ANDERSON_MEMORY], trace = 0;
  for (int i = 0; i < m; i++)
    trace += a->gram[i][i];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      c[i * m + j] = a->gram[i][j] + (i == j ? 1e-12 * trace : 0);
  if (!pc_dense_factor(m, c, 0))
    return false;
  pc_dense_solve(m, c, y);
  return true;
}

bool pc_anderson_step(pc_anderson *a, double *r, const double *g)
{
  int n = a->n;
  double size = 0;
  for (int i = 0; i < n; i++)
    size += (g[i] - r[i]) * (g[i] - r[i]);
  size = sqrt(size);
  if (a->started && size > a->size) {
    bool extrapolated = a->used > 0;
    pc_anderson_forget(a);
    if (extrapolated) {
      memcpy(r, a->g, sizeof(double) * (size_t)n);
      return false;
    }
  }
  if (a->started) {
    int slot = a->next;
    double *df = a->df[slot], *dg = a->dg[slot];
    for (int i = 0; i < n; i++) {
      df[i] = g[i] - r[i] - a->f[i];
      dg[i] = g[i] - a->g[i];
    }
    a->next = (slot + 1) % PC_ANDERSON_MEMORY;
    if (a->used < PC_ANDERSON_MEMORY)
      a->used++;
    for (int i = 0; i < a->used; i++)
      a->gram[i][slot] = a->gram[slot][i] = dot(n, df, a->df[i]);
  }
  for (int i = 0; i < n; i++) {
    a->f[i] = g[i] - r[i];
    a->g[i] = g[i];
  }
  a->started = true;
  a->size = size;
  double y[PC_ANDERSON_MEMORY];
  for (int i = 0; i < a->used; i++)
    y[i] = dot(n, a->df[i], a->f);
  memset(a->ahead, 0, sizeof(double) * (size_t)n);
  if (a->used > 0 && weights(a, y))
    for (int k = 0; k < a->used; k++)
      for (int i = 0; i < n; i++)
        a->ahead[i] -= y[k] * a->dg[k][i];
  // A step that does not change at all would send the extrapolation to infinity.
  double length = sqrt(dot(n, a->ahead, a->ahead)), most = farthest * size;
  double part = length > most ? most / length : 1;
  for (int i = 0; i < n; i++) {
    a->ahead[i] *= part;
    r[i] = g[i] + a->ahead[i];
  }
  return true;
}
