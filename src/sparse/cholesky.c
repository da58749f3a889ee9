// Multifrontal Cholesky. Each supernode is a front: a panel of pivot columns, which is part of the
// factor, and an update matrix for its parent.
#include "sparse/cholesky.h"

#include "core/error.h"
#include "sparse/plan.h"
#include "sparse/response.h"

#include <stdlib.h>
#include <string.h>

struct pc_cholesky {
  pc_factor_plan plan;
  double *factor;  // panels
  double *updates; // two stacks of update matrices
  double *x;       // right-hand side in the eliminated order
  double *v;       // and its part in one front
};

pc_cholesky *pc_cholesky_analyze(const pc_block_matrix *pattern, int kept, pc_error *error)
{
  pc_cholesky *f = calloc(1, sizeof *f);
  if (!f) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows", pattern->rows);
    return NULL;
  }
  pc_factor_plan *plan = &f->plan;
  if (pc_factor_plan_create(plan, pattern, false, kept, error) == PC_OK) {
    f->factor = pc_factor_plan_take(&plan->arena, plan->panels);
    f->updates = pc_factor_plan_take(&plan->arena, plan->updates);
    f->x = pc_factor_plan_take(&plan->arena, (size_t)plan->start[plan->rows]);
    f->v = pc_factor_plan_take(&plan->arena, (size_t)plan->highest);
    if (!plan->arena.failed)
      return f;
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a factor of %.3g numbers",
            (double)plan->panels + (double)plan->updates);
  }
  pc_cholesky_destroy(f);
  return NULL;
}

void pc_cholesky_destroy(pc_cholesky *f)
{
  if (!f)
    return;
  pc_factor_plan_free(&f->plan);
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
  if (!pc_factor_plan_fits(&f->plan, matrix))
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
  pc_cholesky *f = pc_cholesky_analyze(matrix, kept, error);
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

void pc_cholesky_solve(pc_cholesky *f, double *x)
{
  pc_factor_plan_gather(&f->plan, x, f->x);

  double *v = f->v;
  for (int s = 0; s < f->plan.fronts; s++) {
    const pc_front_plan *t = &f->plan.front[s];
    double *below = v + t->pivots;
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    clear_below(t, v);
    pc_front_forward(f->factor + t->panel, t->pivots, t->below, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
    for (const pc_row_run *run = f->plan.order_run + t->order_run;
         run < f->plan.order_run + t[1].order_run; run++)
      for (int r = 0; r < run->length; r++)
        f->x[run->target + r] += below[run->source + r];
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

  pc_factor_plan_scatter(&f->plan, f->x, x);
}

// The front that has this place of the eliminated order among its pivots.
static int front_at(const pc_factor_plan *plan, int place)
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

enum { WIDE = PC_FRONT_WIDE };

typedef struct wide_solve {
  double *x, *v; // as in the factor, WIDE vectors side by side
  bool *met;     // per front
} wide_solve;

// Visits the fronts on the path from a block row to its root and clears their part of x; the rows
// below the pivots of a front begin with pivots of the next. Returns the first one.
static int climb(const pc_factor_plan *plan, wide_solve *w, int row)
{
  int first = front_at(plan, plan->start[plan->place[row]]), s = first;
  while (!w->met[s]) {
    const pc_front_plan *t = &plan->front[s];
    w->met[s] = true;
    memset(w->x + WIDE * (long)t->first, 0, (size_t)t->pivots * WIDE * sizeof *w->x);
    if (t->below > 0)
      s = front_at(plan, plan->order_run[t->order_run].target);
  }
  return first;
}

// Forward substitution in one front; adds the squares of its pivots.
static void forward_wide(const pc_cholesky *f, const pc_front_plan *t, wide_solve *w,
                         double energy[WIDE])
{
  double *v = w->v, *below = v + WIDE * (long)t->pivots;
  size_t pivots = (size_t)t->pivots * WIDE;
  memcpy(v, w->x + WIDE * (long)t->first, pivots * sizeof *v);
  memset(below, 0, ((size_t)pc_front_pad(t->pivots + t->below) * WIDE - pivots) * sizeof *v);
  pc_front_forward_wide(f->factor + t->panel, t->pivots, t->below, v);
  for (int i = 0; i < t->pivots; i++)
    for (int c = 0; c < WIDE; c++)
      energy[c] += v[WIDE * i + c] * v[WIDE * i + c];
  for (const pc_row_run *run = f->plan.order_run + t->order_run;
       run < f->plan.order_run + t[1].order_run; run++)
    for (int r = 0; r < WIDE * run->length; r++)
      w->x[WIDE * (long)run->target + r] += below[WIDE * (long)run->source + r];
}

static void energies_of_range(const pc_cholesky *f, wide_solve *w, int count, const int *first,
                              const pc_block_part *part, double *energy)
{
  const pc_factor_plan *plan = &f->plan;
  int lowest = plan->fronts;
  double sum[WIDE] = {0};
  for (int i = first[0]; i < first[count]; i++) {
    int s = climb(plan, w, part[i].row);
    lowest = s < lowest ? s : lowest;
  }
  for (int c = 0; c < count; c++)
    for (int i = first[c]; i < first[c + 1]; i++) {
      int k = plan->place[part[i].row], from = plan->start[k], end = plan->start[k + 1];
      for (int j = from; j < end; j++)
        w->x[WIDE * (long)j + c] += part[i].value[j - from];
    }
  for (int s = lowest; s < plan->fronts; s++)
    if (w->met[s]) {
      w->met[s] = false;
      forward_wide(f, &plan->front[s], w, sum);
    }
  memcpy(energy, sum, sizeof(double) * (size_t)count);
}

pc_status pc_cholesky_energies(const pc_cholesky *f, int vectors, const int *first,
                               const pc_block_part *part, double *energy, pc_error *error)
{
  const pc_factor_plan *plan = &f->plan;
  pc_arena arena = {0};
  wide_solve w = {pc_factor_plan_take(&arena, (size_t)plan->start[plan->rows] * WIDE),
                  pc_factor_plan_take(&arena, (size_t)plan->highest * WIDE),
                  pc_arena_take(&arena, (size_t)plan->fronts, sizeof(bool))};
  bool fits = !arena.failed;
  for (int i = 0; i < vectors && fits; i += WIDE) {
    int count = vectors - i < WIDE ? vectors - i : WIDE;
    energies_of_range(f, &w, count, first + i, part, energy + i);
  }
  pc_arena_free(&arena);
  return fits ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

pc_status pc_cholesky_response(const pc_cholesky *f, int vectors, const int *first,
                               const pc_block_part *part, double *w, pc_error *error)
{
  const double *panel = f->factor + f->plan.front[f->plan.fronts - 1].panel;
  return pc_factor_plan_response(&f->plan, (pc_last_front){panel, panel, NULL}, vectors, first,
                                 part, w, error);
}

size_t pc_cholesky_memory(const pc_cholesky *f)
{
  return (f->plan.panels + f->plan.updates) * sizeof(double);
}

double pc_cholesky_flops(const pc_cholesky *factor)
{
  return factor->plan.flops;
}
