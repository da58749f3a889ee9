// uzawa: the method of the seeds. Every percussion moves along its own velocity by a fixed step and
// is put back on its law. The step comes from the largest eigenvalue of the response, found by
// power iteration, so nothing is tuned by hand; momentum with restarts makes it usable, and where
// it stalls Newton tries to finish (convex laws).
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/solver.h"
#include "impact/solvers/tuning.h"

enum { CHECK = 10 };

pc_status pc_solve_uzawa(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                         pc_error *error)
{
  pc_arena scratch = {0};
  size_t rows = (size_t)s->rows;
  double *r = pc_arena_take(&scratch, rows, sizeof(double));
  double *next = pc_arena_take(&scratch, rows, sizeof(double));
  double *ahead = pc_arena_take(&scratch, rows, sizeof(double));
  double *d = pc_arena_take(&scratch, rows, sizeof(double));
  double *y = pc_arena_take(&scratch, (size_t)s->dofs, sizeof(double));
  if (scratch.failed) {
    pc_arena_free(&scratch);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  int limit = pc_solver_iterations(s, limits);
  double stiff = 1.01 * pc_system_stiffness(s, r, y, d), theta = 1;
  memcpy(r, s->r, rows * sizeof(double));
  memcpy(ahead, r, rows * sizeof(double));
  pc_best best = {.residual = INFINITY};
  double residual = pc_best_offer(&best, s, r, y, d);
  double last_step = INFINITY, slice_best = residual;
  int slice = PC_UZAWA_SLICE, slice_end = PC_UZAWA_SLICE;
  pc_finisher *finisher = pc_finisher_create(s, &scratch);
  pc_status status = finisher == NULL ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
  result->solver = PC_SOLVER_UZAWA;
  bool done = residual == 0;
  for (result->iterations = 0; status == PC_OK && !done && result->iterations < limit;
       result->iterations++) {
    pc_system_evaluate(s, ahead, y, d);
    double turn = 0, step = 0;
    for (int k = 0; k < s->interactions; k++) {
      int at = s->row[k];
      double c[5];
      for (int i = 0; i < s->law[k].rows; i++)
        c[i] = d[at + i] - stiff * ahead[at + i];
      pc_block_prox(&s->law[k], stiff, c, next + at);
      for (int i = at; i < s->row[k + 1]; i++) {
        turn += (ahead[i] - next[i]) * (next[i] - r[i]);
        step += (ahead[i] - next[i]) * (ahead[i] - next[i]);
      }
    }
    // The eigenvalue was an estimate from below: if plain steps grow, it was too small.
    if (theta == 1 && step > 1.05 * last_step)
      stiff *= 1.5;
    last_step = theta == 1 ? step : INFINITY;
    double momentum = pc_momentum_next(&theta, turn > 0);
    for (int i = 0; i < s->rows; i++) {
      ahead[i] = next[i] + momentum * (next[i] - r[i]);
      r[i] = next[i];
    }
    if (result->iterations % CHECK == CHECK - 1) {
      pc_best_offer(&best, s, r, y, d);
      status = pc_finisher_done(finisher, &best, limits->tolerance, result->iterations, &limit,
                                &done, error);
      if (!done && result->iterations >= slice_end) {
        if (best.residual > pc_slice_gain * slice_best) {
          status = pc_finisher_try(finisher, &best, error);
          slice += slice / 2;
        }
        slice_best = best.residual;
        slice_end = result->iterations + slice;
      }
    }
  }
  result->residual = pc_best_finish(&best, s);
  result->converged = result->residual <= limits->tolerance;
  pc_finisher_free(finisher);
  pc_arena_free(&scratch);
  return status;
}
