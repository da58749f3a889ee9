// The map of a row is e = r - r*(d - r), where r* is the local solution of its law with unit mass.
// Its derivative is delta dr + (1 - delta) dd with delta = 1/(1 + slope of the law), so that
// dr = -(e + (1 - delta) dd)/delta: the matrix is again mass + J^T T J, with T = slope.
#include "impact/solvers/newton.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

enum { MAX_STEPS = 20 };
static const double exact = 1e-14; // aim, whatever was asked for
// Least compliance of a row. The first is enough nearly always; where contacts are almost redundant
// it slows the steps down and the next is tried.
static const double softest[] = {1e-10, 1e-12, 1e-14, 1e-8};
enum { LEVELS = 4 };

bool pc_newton_create(pc_newton *n, pc_system *s, pc_kkt *kkt, pc_arena *arena)
{
  *n = (pc_newton){.system = s, .kkt = kkt};
  double **rows[] = {&n->stiffness, &n->offset, &n->from, &n->trial, &n->d, &n->rows};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    *rows[i] = pc_arena_take(arena, (size_t)s->rows, sizeof(double));
  n->y = pc_arena_take(arena, (size_t)s->dofs, sizeof(double));
  n->dy = pc_arena_take(arena, (size_t)s->dofs, sizeof(double));
  return !arena->failed;
}

static void linearise(pc_newton *n, double least)
{
  const pc_system *s = n->system;
  pc_system_motion(s, s->r, n->y);
  pc_system_deformation(s, s->r, n->y, n->d);
  pc_system_residual(s, s->r, n->d, n->rows);
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    for (int i = 0; i < law->rows; i++) {
      int row = s->row[k] + i;
      double slope = law->tangential == PC_TANGENTIAL_BILATERAL ? INFINITY : 0.5 * law->k;
      if (i == 0 && law->normal)
        pc_row_solve(&law->row, 1, n->d[row] - s->r[row], &slope);
      double delta = fmax(1 / (1 + slope), least);
      n->stiffness[row] = (1 - delta) / delta;
      n->offset[row] = n->rows[row] / delta;
    }
  }
}

pc_status pc_newton_finish(pc_newton *n, pc_best *best)
{
  pc_system *s = n->system;
  size_t rows = (size_t)s->rows;
  int level = 0;
  for (int step = 0; step < MAX_STEPS && level < LEVELS && best->residual > exact; step++) {
    double now = best->residual;
    linearise(n, softest[level]);
    pc_status status = pc_kkt_factor(n->kkt, n->stiffness);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    n->steps++;
    memset(n->dy, 0, sizeof(double) * (size_t)s->dofs);
    for (int i = 0; i < s->rows; i++)
      n->trial[i] = -n->offset[i];
    pc_system_transpose_add(s, n->trial, n->dy);
    pc_kkt_solve(n->kkt, n->dy);
    pc_system_multiply(s, n->dy, n->rows);
    memcpy(n->from, s->r, rows * sizeof(double));
    for (double part = 1; part > 0.02; part *= 0.5) {
      for (int i = 0; i < s->rows; i++)
        n->trial[i] = n->from[i] - part * (n->offset[i] + n->stiffness[i] * n->rows[i]);
      if (pc_best_offer(best, s, n->trial, n->y, n->d) < (1 - 0.1 * part) * now)
        break;
    }
    if (!(best->residual < 0.3 * now))
      level++;
  }
  return PC_OK;
}

struct pc_finisher {
  pc_system *system;
  pc_arena *arena;
  pc_kkt kkt;
  pc_newton newton;
  bool ready;
};

pc_finisher *pc_finisher_create(pc_system *s, pc_arena *arena)
{
  pc_finisher *f = pc_arena_take(arena, 1, sizeof *f);
  if (f != NULL)
    *f = (pc_finisher){.system = s, .arena = arena};
  return f;
}

pc_status pc_finisher_try(pc_finisher *f, pc_best *best, pc_error *error)
{
  if (!f->system->convex || f->system->bodies == 0)
    return PC_OK;
  if (!f->ready) {
    pc_status status = pc_kkt_create(&f->kkt, f->system, f->arena, error);
    if (status != PC_OK)
      return status;
    if (!pc_newton_create(&f->newton, f->system, &f->kkt, f->arena))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    f->ready = true;
  }
  return pc_newton_finish(&f->newton, best);
}

void pc_finisher_free(pc_finisher *f)
{
  if (f != NULL)
    pc_kkt_free(&f->kkt);
}
