// Multifrontal Cholesky. Each supernode is a front: a panel of pivot columns, which lives in the
// factor, and an update matrix, which its parent receives.
#include "sparse/cholesky.h"

#include "core/error.h"
#include "sparse/plan.h"

#include <stdlib.h>
#include <string.h>

struct pc_cholesky {
  pc_plan plan;
  double *factor;  // panels
  double *updates; // two stacks of update matrices
  double *x;       // right-hand side in the eliminated order
  double *v;       // and its part in one front
  bool *met;       // per front, in pc_cholesky_energy; all false between calls
};

static pc_cholesky *analyze(const pc_block_matrix *pattern, int kept, pc_error *error)
{
  pc_cholesky *f = calloc(1, sizeof *f);
  if (!f) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows", pattern->rows);
    return NULL;
  }
  const pc_plan *plan = &f->plan;
  if (pc_plan_create(&f->plan, pattern, false, kept, error) != PC_OK) {
    pc_cholesky_destroy(f);
    return NULL;
  }
  f->factor = pc_plan_allocate(plan->panels + PC_FRONT_SLACK);
  f->updates = pc_plan_allocate(plan->updates);
  f->x = pc_plan_allocate((size_t)plan->start[plan->rows]);
  f->v = pc_plan_allocate((size_t)plan->highest);
  f->met = calloc((size_t)plan->fronts + 1, sizeof(bool));
  if (!f->factor || !f->updates || !f->x || !f->v || !f->met) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a factor of %.3g numbers",
            (double)plan->panels + (double)plan->updates);
    pc_cholesky_destroy(f);
    return NULL;
  }
  memset(f->factor + plan->panels, 0, PC_FRONT_SLACK * sizeof *f->factor);
  return f;
}

pc_cholesky *pc_cholesky_analyze(const pc_block_matrix *pattern, pc_error *error)
{
  return analyze(pattern, 0, error);
}

void pc_cholesky_destroy(pc_cholesky *f)
{
  if (!f)
    return;
  pc_plan_free(&f->plan);
  free(f->factor);
  free(f->updates);
  free(f->x);
  free(f->v);
  free(f->met);
  free(f);
}

// Copies a block of the matrix, m x n row by row, into a panel. Inlined once with constant sizes
// for the common 6 x 6 block.
static inline void load_block(double *restrict to, long ld, const double *restrict from, int m,
                              int n, bool turned)
{
  if (turned) {
    for (int r = 0; r < m; r++)
      for (int c = 0; c < n; c++)
        to[r * ld + c] = from[r * n + c];
  } else {
    for (int c = 0; c < n; c++)
      for (int r = 0; r < m; r++)
        to[c * ld + r] = from[r * n + c];
  }
}

// Adds a child's update matrix into its parent's panel and update.
static void add_update(const pc_cholesky *f, const pc_front_plan *child, const pc_front_plan *up,
                       double *panel, double *update)
{
  long ld = pc_front_pad(up->pivots + up->below), ldu = pc_front_pad(up->below);
  long ldc = pc_front_pad(child->below);
  const double *from = f->updates + child->update;
  const pc_row_run *runs = f->plan.parent_run + child->parent_run;
  long count = child[1].parent_run - child->parent_run;
  for (long k = 0; k < count; k++)
    for (int c = 0; c < runs[k].length; c++) {
      const double *source = from + (runs[k].source + c) * ldc;
      int column = runs[k].target + c;
      bool pivot = column < up->pivots;
      int above = pivot ? 0 : up->pivots; // rows of the parent's front that are not in this array
      double *to = pivot ? panel + column * ld : update + (column - above) * ldu;
      for (int r = c; r < runs[k].length; r++)
        to[runs[k].target - above + r] += source[runs[k].source + r];
      for (long l = k + 1; l < count; l++)
        for (int r = 0; r < runs[l].length; r++)
          to[runs[l].target - above + r] += source[runs[l].source + r];
    }
}

static void assemble_front(pc_cholesky *f, const pc_front_plan *t, const double *value)
{
  long ld = pc_front_pad(t->pivots + t->below), ldu = pc_front_pad(t->below);
  double *panel = f->factor + t->panel, *update = f->updates + t->update;
  memset(panel, 0, (size_t)(ld * t->pivots) * sizeof *panel);
  for (long j = 0; j < t->below; j++)
    memset(update + j * ldu + j, 0, (size_t)(ldu - j) * sizeof *update);
  for (long k = t->load; k < t[1].load; k++) {
    const pc_block_load *b = &f->plan.load[k];
    if (b->rows == 6 && b->columns == 6)
      load_block(f->factor + b->target, ld, value + b->source, 6, 6, b->turned);
    else
      load_block(f->factor + b->target, ld, value + b->source, b->rows, b->columns, b->turned);
  }
  for (int child = t->child; child >= 0; child = f->plan.front[child].next)
    add_update(f, &f->plan.front[child], t, panel, update);
}

static bool factor_front(pc_cholesky *f, const pc_front_plan *t, const double *value)
{
  assemble_front(f, t, value);
  return pc_front_factor(f->factor + t->panel, f->updates + t->update, t->pivots, t->below);
}

pc_status pc_cholesky_factor(pc_cholesky *f, const pc_block_matrix *matrix)
{
  if (!pc_plan_fits(&f->plan, matrix))
    return PC_ERROR_ARGUMENT;
  for (int s = 0; s < f->plan.fronts; s++)
    if (!factor_front(f, &f->plan.front[s], matrix->value))
      return PC_ERROR_NUMERIC;
  return PC_OK;
}

// The lower triangle of a front of pivots alone, back to the blocks of the matrix.
static void unload_front(const pc_cholesky *f, const pc_front_plan *t, double *value)
{
  long ld = pc_front_pad(t->pivots);
  const double *panel = f->factor + t->panel;
  for (long k = t->load; k < t[1].load; k++) {
    const pc_block_load *b = &f->plan.load[k];
    long at = b->target - t->panel, row = at % ld, column = at / ld;
    for (int r = 0; r < b->rows; r++)
      for (int c = 0; c < b->columns; c++) {
        long i = row + (b->turned ? c : r), j = column + (b->turned ? r : c);
        value[b->source + r * b->columns + c] = i > j ? panel[j * ld + i] : panel[i * ld + j];
      }
  }
}

pc_status pc_cholesky_reduce(pc_block_matrix *matrix, int kept, pc_error *error)
{
  pc_cholesky *f = analyze(matrix, kept, error);
  if (f == NULL)
    return error->status;
  pc_status status = PC_OK;
  int last = f->plan.fronts - 1;
  for (int s = 0; s < last && status == PC_OK; s++)
    if (!factor_front(f, &f->plan.front[s], matrix->value))
      status = pc_fail(error, PC_ERROR_NUMERIC, "the matrix is not positive definite");
  if (status == PC_OK) {
    assemble_front(f, &f->plan.front[last], matrix->value);
    unload_front(f, &f->plan.front[last], matrix->value);
  }
  pc_cholesky_destroy(f);
  return status;
}

// Zeros in the rows below the pivots, and in the padding.
static void clear_below(const pc_front_plan *t, double *v)
{
  int height = pc_front_pad(t->pivots + t->below);
  memset(v + t->pivots, 0, (size_t)(height - t->pivots) * sizeof *v);
}

// Forward substitution in one front, whose pivots are then at the start of f->v.
static void forward(pc_cholesky *f, const pc_front_plan *t)
{
  double *v = f->v, *below = v + t->pivots;
  memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
  clear_below(t, v);
  pc_front_forward(f->factor + t->panel, t->pivots, t->below, v);
  for (const pc_row_run *run = f->plan.order_run + t->order_run;
       run < f->plan.order_run + t[1].order_run; run++)
    for (int r = 0; r < run->length; r++)
      f->x[run->target + r] += below[run->source + r];
}

void pc_cholesky_solve(pc_cholesky *f, double *x)
{
  pc_plan_gather(&f->plan, x, f->x);

  double *v = f->v;
  for (int s = 0; s < f->plan.fronts; s++) {
    const pc_front_plan *t = &f->plan.front[s];
    forward(f, t);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
  }
  for (int s = f->plan.fronts - 1; s >= 0; s--) {
    const pc_front_plan *t = &f->plan.front[s];
    double *below = v + t->pivots;
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    clear_below(t, v);
    for (const pc_row_run *run = f->plan.order_run + t->order_run;
         run < f->plan.order_run + t[1].order_run; run++)
      memcpy(below + run->source, f->x + run->target, (size_t)run->length * sizeof *v);
    pc_front_backward(f->factor + t->panel, t->pivots, t->below, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
  }

  pc_plan_scatter(&f->plan, f->x, x);
}

// The front that has this place of the eliminated order among its pivots.
static int front_at(const pc_plan *plan, int place)
{
  int low = 0, high = plan->fronts - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (plan->front[middle].first <= place)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double pc_cholesky_energy(pc_cholesky *f, const double *x, int count, const int *rows)
{
  const pc_plan *plan = &f->plan;
  int first = plan->fronts;
  // The fronts on the way from each block row to its root; the rows below the pivots of a front
  // begin with pivots of the next.
  for (int i = 0; i < count; i++) {
    int s = front_at(plan, plan->start[plan->place[rows[i]]]);
    first = s < first ? s : first;
    while (!f->met[s]) {
      const pc_front_plan *t = &plan->front[s];
      f->met[s] = true;
      memset(f->x + t->first, 0, (size_t)t->pivots * sizeof *f->x);
      if (t->below > 0)
        s = front_at(plan, plan->order_run[t->order_run].target);
    }
  }
  for (int i = 0; i < count; i++) {
    int k = plan->place[rows[i]];
    memcpy(f->x + plan->start[k], x + plan->source[k],
           (size_t)(plan->start[k + 1] - plan->start[k]) * sizeof *x);
  }
  double energy = 0;
  for (int s = first; s < plan->fronts; s++) {
    if (!f->met[s])
      continue;
    f->met[s] = false;
    forward(f, &plan->front[s]);
    for (int i = 0; i < plan->front[s].pivots; i++)
      energy += f->v[i] * f->v[i];
  }
  return energy;
}

double pc_cholesky_flops(const pc_cholesky *factor)
{
  return factor->plan.flops;
}

double pc_cholesky_entries(const pc_cholesky *factor)
{
  return factor->plan.entries;
}
