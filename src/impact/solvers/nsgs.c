// nsgs: block Gauss-Seidel over the interactions with exact local solutions, accelerated.
// Matrix-free: the sweep keeps y, W is never formed unless it was given.
//
// Accelerations: Anderson's over blocks of five sweeps. Since it can stall, momentum and plain
// sweeps take their turns, for longer and longer; at every change Newton tries to finish (convex
// laws).
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/anderson.h"
#include "impact/solvers/solver.h"
#include "impact/solvers/sweep_momentum.h"
#include "impact/solvers/tuning.h"

enum { BLOCK = 5 };

// The terms of J lie in the order of the interactions, so one pointer walks through them.
static inline void sweep_bodies(int same_rows, int same_dof, const pc_system *s, double *r,
                                double *y)
{
  const double *next = s->jacobian;
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    const pc_block_local *local = &s->local[k];
    int m = same_rows ? same_rows : law->rows, row = same_rows ? m * k : s->row[k];
    int first = s->term[k], last = s->term[k + 1];
    const double *jacobian = next;
    const double *a = m > 3 ? local->wide->a : local->a;
    double *rk = r + row, c[5], change[5], held = 0, moved = 0;
    for (int i = 0; i < m; i++) {
      c[i] = s->free[row + i];
      change[i] = -rk[i];
      held += fabs(rk[i]);
    }
    // Nothing to take away from an open contact. It mostly stays open: this test needs no velocity,
    // so the processor knows early which way the local solution will go.
    if (held != 0)
      for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
          c[i] -= a[i * m + j] * rk[j];
    for (int t = first; t < last; t++) {
      int b = s->term_body[t], n = same_dof ? same_dof : s->dof[b];
      pc_term_multiply(m, n, next, y + (same_dof ? n * b : s->start[b]), c);
      next += m * n;
    }
    pc_block_solve(law, local, c, rk);
    for (int i = 0; i < m; i++) {
      change[i] += rk[i];
      moved += fabs(change[i]);
    }
    if (moved == 0) // open contacts
      continue;
    for (int t = first; t < last; t++) {
      int b = s->term_body[t], n = same_dof ? same_dof : s->dof[b];
      pc_term_transpose(m, n, jacobian, change, y + (same_dof ? n * b : s->start[b]));
      jacobian += m * n;
    }
  }
}

static void sweep_response(const pc_system *s, double *r)
{
  for (int k = 0; k < s->interactions; k++) {
    int m = s->law[k].rows, row = s->row[k];
    double c[5] = {0};
    if (s->same_rows == 3)
      pc_response_row(s->response, k, k, r, c);
    else if (s->same_rows == 1)
      c[0] = pc_response_number(s->response, k, k, r);
    else
      pc_response_blocks(s, k, k, r, c);
    for (int i = 0; i < m; i++)
      c[i] += s->free[row + i];
    pc_block_solve(&s->law[k], &s->local[k], c, r + row);
  }
}

static void sweep(const pc_system *s, double *r, double *y)
{
  if (s->response != NULL)
    sweep_response(s, r);
  else
    PC_BY_SIZE(s, sweep_bodies, s, r, y);
}

// One block of sweeps with Nesterov's momentum. r is the extrapolated point, g receives the swept
// one, `last` has the one before.
static void block_with_momentum(const pc_system *s, pc_sweep_momentum *push, int sweeps, double *r,
                                double *g, double *last, double *y)
{
  for (int i = 0; i < sweeps; i++) {
    memcpy(g, r, sizeof(double) * (size_t)s->rows);
    sweep(s, g, y);
    double back = 0, step = 0;
    for (int j = 0; j < s->rows; j++) {
      back += (r[j] - g[j]) * (g[j] - last[j]);
      step += (r[j] - g[j]) * (r[j] - g[j]);
    }
    double beta = pc_nesterov_after(push, back, step, true);
    for (int j = 0; j < s->rows; j++) {
      r[j] = g[j] + beta * (g[j] - last[j]);
      last[j] = g[j];
    }
    for (int k = 0; k < s->interactions; k++)
      pc_block_project(&s->law[k], r + s->row[k]);
    if (s->bodies > 0)
      pc_system_motion(s, r, y);
  }
}

pc_status pc_solve_nsgs(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                        pc_error *error)
{
  pc_status status = pc_system_prepare(s, error);
  if (status != PC_OK)
    return status;
  pc_arena *scratch = s->arena; // of this island, or of all: given back with them
  size_t rows = (size_t)s->rows;
  double *r, *g, *d, *y;
  pc_arena_take_vectors(scratch, s->rows, (double **[]){&r, &g, &d, NULL});
  pc_arena_take_vectors(scratch, s->dofs, (double **[]){&y, NULL});
  pc_finisher *finisher = pc_finisher_create(s);
  double *last = NULL; // percussions after the previous sweep
  pc_sweep_momentum push = pc_momentum_first;
  pc_anderson anderson = {0};
  if (scratch->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int limit = pc_solver_iterations(s, limits);
  memcpy(r, s->r, rows * sizeof(double));
  pc_best best = {.residual = INFINITY};
  double residual = pc_best_offer(&best, s, r, y, d), slice_best = residual;
  int slice = PC_NSGS_SLICE, slice_end = PC_NSGS_SLICE;
  enum { ANDERSON, MOMENTUM, PLAIN, MODES } mode = ANDERSON;
  result->solver = PC_SOLVER_NSGS;
  result->iterations = 0;
  double tolerance = limits->target.residual;
  if (pc_guess_stands(limits, residual)) {
    tolerance = pc_exact_residual;
    limit = limits->settling;
  }
  bool done = residual <= pc_solver_aim(s->rows, tolerance); // the guess may do
  for (int block = 1; status == PC_OK && !done && result->iterations < limit; block++) {
    int left = limit - result->iterations, sweeps = left < BLOCK ? left : BLOCK;
    if (mode == MOMENTUM) {
      block_with_momentum(s, &push, sweeps, r, g, last, y);
    } else {
      memcpy(g, r, rows * sizeof(double));
      for (int i = 0; i < sweeps; i++)
        sweep(s, g, y);
    }
    result->iterations += sweeps;
    // The residual is that of the swept point; the extrapolated one is the start of the next block.
    pc_best_offer(&best, s, g, y, d);
    status = pc_finisher_done(finisher, &best, tolerance, result->iterations, &limit, &done, error);
    // Small islands are mostly done by now, and never need the rest.
    if (!done && block == 1) {
      last = pc_arena_take(scratch, rows, sizeof(double));
      if (!pc_anderson_create(&anderson, s->rows, scratch))
        status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    }
    if (done || status != PC_OK)
      break;
    if (block >= slice_end) {
      if (best.residual > pc_slice_gain * slice_best) {
        status = pc_finisher_try(finisher, &best, error);
        mode = (mode + 1) % MODES;
        slice += slice / 2; // patience grows with every change
        pc_anderson_forget(&anderson);
        push = pc_momentum_first;
        memcpy(r, g, rows * sizeof(double));
        memcpy(last, g, rows * sizeof(double));
      }
      slice_best = best.residual;
      slice_end = block + slice;
    }
    if (mode == ANDERSON && pc_anderson_step(&anderson, r, g, 1)) {
      for (int k = 0; k < s->interactions; k++)
        pc_block_project(&s->law[k], r + s->row[k]);
    } else if (mode != MOMENTUM) {
      memcpy(r, g, rows * sizeof(double));
    }
    if (s->bodies > 0)
      pc_system_motion(s, r, y);
  }
  result->residual = pc_best_finish(&best, s);
  pc_finisher_free(finisher);
  return status;
}
