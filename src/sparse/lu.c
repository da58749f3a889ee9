#include "sparse/lu.h"

#include "core/error.h"
#include "sparse/front_lu.h"
#include "sparse/plan.h"
#include "sparse/response.h"

#include <stdlib.h>
#include <string.h>

struct pc_lu {
  pc_factor_plan plan;
  double *lower, *upper; // panels of each front, see front_lu.h
  double *updates;       // two stacks of update matrices
  double *x;             // right-hand side in the eliminated order
  double *v;             // and its part in one front
  int *exchange;         // per number of the eliminated order, within its front
};

static const size_t small_factor = 1 << 17; // numbers

pc_lu *pc_lu_analyze(const pc_block_matrix *pattern, int kept, pc_arena *arena, pc_error *error)
{
  pc_lu *f = calloc(1, sizeof *f);
  if (!f) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows", pattern->rows);
    return NULL;
  }
  pc_factor_plan *plan = &f->plan;
  if (pc_factor_plan_create(plan, pattern, true, kept, error) == PC_OK) {
    size_t n = (size_t)plan->start[plan->rows];
    if (arena == NULL || 2 * plan->panels + plan->updates >= small_factor)
      arena = &plan->arena;
    f->lower = pc_factor_plan_take(arena, plan->panels);
    f->upper = pc_factor_plan_take(arena, plan->panels);
    f->updates = pc_factor_plan_take(arena, plan->updates);
    f->x = pc_factor_plan_take(arena, n);
    f->v = pc_factor_plan_take(arena, (size_t)plan->highest);
    f->exchange = pc_arena_take_raw(arena, n, sizeof *f->exchange);
    if (!arena->failed)
      return f;
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a factor of %.3g numbers",
            2 * (double)plan->panels + (double)plan->updates);
  }
  pc_lu_destroy(f);
  return NULL;
}

void pc_lu_destroy(pc_lu *f)
{
  if (!f)
    return;
  pc_factor_plan_free(&f->plan);
  free(f);
}

// Both blocks of a pair, m x n as the matrix stores them: `here` goes to row, column of the lower
// panel, and the transpose of `there` mirrors it.
static void load_pair(pc_lu *f, const pc_front_plan *t, const pc_block_load *b, const double *here,
                      const double *there)
{
  long ld = pc_front_height(t), at = b->target - t->panel;
  long column = at / ld, row = at % ld;
  int m = b->rows, n = b->columns;
  double *lower = f->lower + b->target, *upper = f->upper + b->target;
  bool among_pivots = row < t->pivots;
  double *mirror = f->lower + t->panel + row * ld + column;
  long across = b->turned ? ld : 1, down = b->turned ? 1 : ld;
  for (int r = 0; r < m; r++)
    for (int c = 0; c < n; c++) {
      long to = r * across + c * down;
      lower[to] = here[r * n + c];
      if (!among_pivots)
        upper[to] = there[r * n + c];
      else if (row != column)
        mirror[r * down + c * across] = there[r * n + c];
    }
}

// Adds a child's update matrix into its parent's panels and update.
static void add_update(const pc_lu *f, const pc_front_plan *child, const pc_front_plan *up,
                       double *update)
{
  long ld = pc_front_height(up), ldu = pc_front_pad(up->below), ldc = pc_front_pad(child->below);
  const double *from = f->updates + child->update;
  double *lower = f->lower + up->panel, *upper = f->upper + up->panel;
  const pc_row_run *runs = f->plan.parent_run + child->parent_run;
  long count = child[1].parent_run - child->parent_run;
  int pivots = up->pivots;
  for (long k = 0; k < count; k++)
    for (int c = 0; c < runs[k].length; c++) {
      const double *source = from + (runs[k].source + c) * ldc;
      int column = runs[k].target + c;
      for (long l = 0; l < count; l++) {
        const double *x = source + runs[l].source;
        // A run may cross from the pivots to the rows below.
        int row = runs[l].target, end = row + runs[l].length;
        int first = pivots - row < 0 ? 0 : pivots - row < end - row ? pivots - row : end - row;
        if (column < pivots) {
          double *to = lower + column * ld + row, *below = to + (up->base - pivots);
          for (int r = 0; r < first; r++)
            to[r] += x[r];
          for (int r = first; r < end - row; r++)
            below[r] += x[r];
        } else {
          double *mirror = upper + row * ld + up->base + (column - pivots);
          for (int r = 0; r < first; r++)
            mirror[r * ld] += x[r];
          double *to = update + (column - pivots) * ldu + row - pivots;
          for (int r = first; r < end - row; r++)
            to[r] += x[r];
        }
      }
    }
}

static bool factor_front(pc_lu *f, const pc_front_plan *t, const double *value, const double *turn)
{
  long ld = pc_front_height(t), ldu = pc_front_pad(t->below);
  double *update = f->updates + t->update;
  memset(f->lower + t->panel, 0, (size_t)(ld * t->pivots) * sizeof(double));
  memset(f->upper + t->panel, 0, (size_t)(ld * t->pivots) * sizeof(double));
  memset(update, 0, (size_t)(ldu * t->below) * sizeof(double));
  for (long k = t->load; k < t[1].load; k++) {
    const pc_block_load *b = &f->plan.load[k];
    const double *here = value + b->source, *there = turn + b->source;
    load_pair(f, t, b, b->turned ? there : here, b->turned ? here : there);
  }
  for (int child = t->child; child >= 0; child = f->plan.front[child].next)
    add_update(f, &f->plan.front[child], t, update);
  return pc_front_lu_factor(f->lower + t->panel, f->upper + t->panel, update, t->pivots, t->below,
                            f->exchange + t->first);
}

pc_status pc_lu_factor(pc_lu *f, const pc_block_matrix *matrix, const double *upper)
{
  if (!pc_factor_plan_fits(&f->plan, matrix))
    return PC_ERROR_ARGUMENT;
  for (int s = 0; s < f->plan.fronts; s++)
    if (!factor_front(f, &f->plan.front[s], matrix->value, upper))
      return PC_ERROR_NUMERIC;
  return PC_OK;
}

void pc_lu_solve(pc_lu *f, double *x)
{
  const pc_factor_plan *plan = &f->plan;
  pc_factor_plan_gather(plan, x, f->x);
  double *v = f->v;
  for (int s = 0; s < plan->fronts; s++) {
    const pc_front_plan *t = &plan->front[s];
    memset(v, 0, (size_t)pc_front_height(t) * sizeof *v);
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    pc_front_lu_forward(f->lower + t->panel, t->pivots, t->below, f->exchange + t->first, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
    for (long k = t->order_run; k < t[1].order_run; k++) {
      const pc_row_run *run = &plan->order_run[k];
      for (int r = 0; r < run->length; r++)
        f->x[run->target + r] += v[t->base + run->source + r];
    }
  }
  for (int s = plan->fronts - 1; s >= 0; s--) {
    const pc_front_plan *t = &plan->front[s];
    memset(v, 0, (size_t)pc_front_height(t) * sizeof *v);
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    for (long k = t->order_run; k < t[1].order_run; k++) {
      const pc_row_run *run = &plan->order_run[k];
      memcpy(v + t->base + run->source, f->x + run->target, (size_t)run->length * sizeof *v);
    }
    pc_front_lu_backward(f->upper + t->panel, t->pivots, t->below, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
  }
  pc_factor_plan_scatter(plan, f->x, x);
}

pc_status pc_lu_response(const pc_lu *f, int vectors, const int *first, const pc_block_part *part,
                         double *w, pc_error *error)
{
  const pc_front_plan *t = &f->plan.front[f->plan.fronts - 1];
  pc_last_front last = {f->lower + t->panel, f->upper + t->panel, f->exchange + t->first};
  return pc_factor_plan_response(&f->plan, last, vectors, first, part, w, error);
}

size_t pc_lu_memory(const pc_lu *f)
{
  return (2 * f->plan.panels + f->plan.updates) * sizeof(double);
}

int pc_lu_sign(const pc_lu *f)
{
  int sign = 1;
  for (int s = 0; s < f->plan.fronts; s++) {
    const pc_front_plan *t = &f->plan.front[s];
    long ld = pc_front_height(t);
    for (int c = 0; c < t->pivots; c++) {
      if (f->upper[t->panel + c * ld + c] < 0)
        sign = -sign;
      if (f->exchange[t->first + c] != c)
        sign = -sign;
    }
  }
  return sign;
}

double pc_lu_flops(const pc_lu *f)
{
  return 2 * f->plan.flops;
}
