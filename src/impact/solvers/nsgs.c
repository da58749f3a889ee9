// nsgs: block Gauss-Seidel over the interactions with exact local solutions, accelerated by
// Anderson over blocks of five sweeps. Matrix-free: the sweep keeps y, W is never formed unless it
// was given.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/anderson.h"
#include "impact/solvers/solver.h"

enum { BLOCK = 5, DEFAULT_SWEEPS = 20000 };

static void sweep_bodies(const pc_system *s, double *r, double *y)
{
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    const pc_block_local *local = &s->local[k];
    int m = law->rows;
    double *rk = r + s->row[k], c[3], old[3];
    for (int i = 0; i < m; i++) {
      c[i] = s->free[s->row[k] + i];
      old[i] = rk[i];
      for (int j = 0; j < m; j++)
        c[i] -= local->a[i * m + j] * rk[j];
    }
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int b = s->term_body[t], n = s->dof[b];
      const double *jac = s->jacobian + s->term_at[t], *yb = y + s->start[b];
      for (int i = 0; i < m; i++, jac += n)
        for (int j = 0; j < n; j++)
          c[i] += jac[j] * yb[j];
    }
    pc_block_solve(law, local, c, rk);
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int b = s->term_body[t], n = s->dof[b];
      const double *jac = s->jacobian + s->term_at[t];
      double *yb = y + s->start[b];
      for (int i = 0; i < m; i++, jac += n) {
        double change = rk[i] - old[i];
        for (int j = 0; j < n; j++)
          yb[j] += jac[j] * change;
      }
    }
  }
}

static void sweep_response(const pc_system *s, double *r)
{
  const pc_response *w = s->response;
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    int m = law->rows;
    double c[3];
    for (int i = 0; i < m; i++)
      c[i] = s->free[s->row[k] + i];
    for (int b = w->row[k]; b < w->row[k + 1]; b++) {
      int l = w->column[b], ml = s->law[l].rows;
      if (l == k)
        continue;
      const double *v = w->value + w->at[b], *rl = r + s->row[l];
      for (int i = 0; i < m; i++)
        for (int j = 0; j < ml; j++)
          c[i] += v[i * ml + j] * rl[j];
    }
    pc_block_solve(law, &s->local[k], c, r + s->row[k]);
  }
}

pc_status pc_solve_nsgs(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                        pc_error *error)
{
  pc_status status = pc_system_prepare(s, error);
  if (status != PC_OK)
    return status;
  pc_arena scratch = {0};
  size_t rows = (size_t)s->rows;
  double *r = pc_arena_take(&scratch, rows, sizeof(double));
  double *g = pc_arena_take(&scratch, rows, sizeof(double));
  double *d = pc_arena_take(&scratch, rows, sizeof(double));
  double *y = pc_arena_take(&scratch, (size_t)s->dofs, sizeof(double));
  pc_anderson anderson;
  if (!pc_anderson_create(&anderson, s->rows, &scratch)) {
    pc_arena_free(&scratch);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  int limit = limits->max_iterations > 0 ? limits->max_iterations : DEFAULT_SWEEPS;
  memcpy(r, s->r, rows * sizeof(double));
  pc_best best = {INFINITY};
  double residual = pc_best_offer(&best, s, r, y, d);
  result->name = "nsgs";
  result->iterations = 0;
  pc_rate rate = {0};
  result->converged = residual <= limits->tolerance;
  while (!result->converged && result->iterations < limit) {
    memcpy(g, r, rows * sizeof(double));
    for (int i = 0; i < BLOCK; i++) {
      if (s->response != NULL)
        sweep_response(s, g);
      else
        sweep_bodies(s, g, y);
    }
    result->iterations += BLOCK;
    // The residual is that of the swept point; the extrapolated one is the start of the next block.
    residual = pc_best_offer(&best, s, g, y, d);
    pc_rate_add(&rate, residual);
    result->converged = pc_rate_converged(&rate, residual, limits->tolerance);
    if (result->converged)
      break;
    pc_anderson_step(&anderson, r, g);
    for (int k = 0; k < s->interactions; k++)
      pc_block_project(&s->law[k], r + s->row[k]);
    pc_system_motion(s, r, y);
  }
  result->residual = pc_best_finish(&best, s);
  pc_arena_free(&scratch);
  return PC_OK;
}
