// The map of a row is e = r - r*(d - r), where r* is the local solution of its law with unit mass.
// Its derivative is delta dr + (1 - delta) dd with delta = 1/(1 + slope of the law), so that
// dr = -(e + (1 - delta) dd)/delta: the matrix is again mass + J^T T J, with T = slope.
#include "impact/solvers/newton.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "impact/solvers/tuning.h"

static const double exact = 1e-14; // aim, whatever was asked for
// Least compliance of a row. The first is enough nearly always; where contacts are almost redundant
// it slows the steps down and the next is tried.
static const double softest[] = {1e-10, 1e-12, 1e-14, 1e-8};
static const double settling = 1e-18;
enum { LEVELS = sizeof softest / sizeof *softest };

bool pc_newton_create(pc_newton *n, pc_system *s, pc_kkt *kkt)
{
  *n = (pc_newton){.system = s, .kkt = kkt};
  double **rows[] = {&n->stiffness, &n->offset, &n->from, &n->trial, &n->d, &n->rows, NULL};
  return pc_arena_take_vectors(s->arena, s->rows, rows) &&
         pc_arena_take_vectors(s->arena, s->dofs, (double **[]){&n->y, &n->dy, NULL});
}

// Stiffness and offset of every row at (r, d).
static void linearise(pc_newton *n, const double *r, const double *d, double least)
{
  const pc_system *s = n->system;
  pc_system_residual(s, r, d, n->rows);
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    for (int i = 0; i < law->rows; i++) {
      int row = s->row[k] + i;
      double slope = law->tangential == PC_TANGENTIAL_BILATERAL ? INFINITY : 0.5 * law->k;
      if (i == 0 && law->normal)
        pc_row_solve(&law->row, 1, d[row] - r[row], &slope);
      double delta = fmax(1 / (1 + slope), least);
      n->stiffness[row] = (1 - delta) / delta;
      n->offset[row] = n->rows[row] / delta;
    }
  }
}

// The step from a point whose J^T r - mass y is in n->dy:
// (mass + J^T T J) dy = J^T (r - offset) - mass y,  n->trial = dr = -offset - T J dy.
static pc_status take_step(pc_newton *n)
{
  pc_system *s = n->system;
  pc_status status = pc_kkt_factor(n->kkt, n->stiffness);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < s->rows; i++)
    n->trial[i] = -n->offset[i];
  pc_system_transpose_add(s, n->trial, n->dy);
  pc_cholesky_solve(n->kkt->factor, n->dy);
  pc_system_multiply(s, n->dy, n->rows);
  for (int i = 0; i < s->rows; i++)
    n->trial[i] -= n->stiffness[i] * n->rows[i];
  return PC_OK;
}

// Steps that the residual must allow, by halving.
pc_status pc_newton_finish(pc_newton *n, pc_best *best)
{
  pc_system *s = n->system;
  size_t size = sizeof(double) * (size_t)s->rows;
  int level = 0;
  for (int step = 0; step < PC_NEWTON_STEPS && level < LEVELS && best->residual > exact; step++) {
    double now = best->residual;
    pc_system_evaluate(s, s->r, n->y, n->d);
    linearise(n, s->r, n->d, softest[level]);
    memset(n->dy, 0, sizeof(double) * (size_t)s->dofs); // y is the motion of r
    pc_status status = take_step(n);
    if (status != PC_OK && status != PC_ERROR_NUMERIC)
      return status;
    if (status == PC_OK) {
      memcpy(n->from, s->r, size);
      memcpy(n->rows, n->trial, size);
      for (double part = 1; part > 0.02; part *= 0.5) {
        for (int i = 0; i < s->rows; i++)
          n->trial[i] = n->from[i] + part * n->rows[i];
        if (pc_best_offer(best, s, n->trial, n->y, n->d) < (1 - 0.1 * part) * now)
          break;
      }
    }
    if (!(best->residual < 0.3 * now))
      level++;
  }
  return PC_OK;
}

// J^T r - mass y, in n->dy.
static void imbalance(pc_newton *n, const double *r, const double *y)
{
  const pc_system *s = n->system;
  pc_system_momentum(s, y, n->dy);
  for (int i = 0; i < s->dofs; i++)
    n->dy[i] = -n->dy[i];
  pc_system_transpose_add(s, r, n->dy);
}

pc_status pc_newton_settle(pc_newton *n, pc_best *best)
{
  pc_system *s = n->system;
  size_t rows = sizeof(double) * (size_t)s->rows, dofs = sizeof(double) * (size_t)s->dofs;
  if (best->residual <= exact)
    return PC_OK;
  double *r = n->from, *y = n->y;
  memcpy(r, s->r, rows);
  pc_system_motion(s, r, y);
  for (int step = 0; step < PC_NEWTON_SETTLING; step++) {
    pc_system_deformation(s, r, y, n->d);
    double residual = pc_system_residual(s, r, n->d, NULL), size = pc_norm(s->rows, r);
    imbalance(n, r, y);
    if (residual < 0.5 * best->residual &&
        pc_norm(s->dofs, n->dy) <= fmin(1e-14 * size, 1e-11 * s->motion)) {
      best->residual = residual;
      best->settled = true;
      memcpy(s->r, r, rows);
      memcpy(s->y, y, dofs);
    }
    linearise(n, r, n->d, settling);
    pc_status status = take_step(n);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    for (int i = 0; i < s->rows; i++)
      r[i] += n->trial[i];
    for (int i = 0; i < s->dofs; i++)
      y[i] += n->dy[i];
  }
  return PC_OK;
}

struct pc_finisher {
  pc_system *system;
  pc_kkt kkt;
  pc_newton newton;
  bool ready, reached;
  double cone; // sqrt(1 + mu^2) of the largest mu
};

pc_finisher *pc_finisher_create(pc_system *s)
{
  pc_finisher *f = pc_arena_take(s->arena, 1, sizeof *f);
  if (f == NULL)
    return NULL;
  *f = (pc_finisher){.system = s};
  double mu = 0;
  for (int k = 0; k < s->interactions; k++)
    if (s->law[k].tangential == PC_TANGENTIAL_COULOMB)
      mu = fmax(mu, s->law[k].mu);
  f->cone = sqrt(1 + mu * mu);
  return f;
}

pc_status pc_finisher_try(pc_finisher *f, pc_best *best, pc_error *error)
{
  if (!f->system->convex || f->system->bodies == 0 || f->system->rows > PC_POLISHED_ROWS)
    return PC_OK; // larger matrices are factorised by ipm only
  if (!f->ready) {
    pc_status status = pc_kkt_create(&f->kkt, f->system, error);
    if (status != PC_OK)
      return status;
    if (!pc_newton_create(&f->newton, f->system, &f->kkt))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    f->ready = true;
  }
  pc_status status = pc_newton_finish(&f->newton, best);
  return status == PC_OK && !best->settled ? pc_newton_settle(&f->newton, best) : status;
}

pc_status pc_finisher_done(pc_finisher *f, pc_best *best, double tolerance, int iterations,
                           int *limit, bool *done, pc_error *error)
{
  const pc_system *s = f->system;
  bool polish = s->convex && s->bodies > 0;
  double aim = polish ? pc_solver_aim(s->rows, tolerance) : tolerance / f->cone;
  *done = best->residual <= aim;
  if (*done || f->reached || best->residual > tolerance)
    return PC_OK;
  if (!polish) {
    f->reached = true;
    if (*limit > iterations + PC_AFTER_FRICTION)
      *limit = iterations + PC_AFTER_FRICTION;
    return PC_OK;
  }
  pc_status status = pc_finisher_try(f, best, error);
  *done = best->residual <= aim;
  f->reached = true;
  int after = PC_AFTER_TIMES * iterations + PC_AFTER_MORE;
  if (*limit > after)
    *limit = after;
  return status;
}

void pc_finisher_free(pc_finisher *f)
{
  if (f != NULL)
    pc_kkt_free(&f->kkt);
}
