// Multifrontal Cholesky. Each supernode is a front: a panel of pivot columns, which lives in the
// factor, and an update matrix, which its parent receives. All sizes and places follow from the
// pattern, so the numeric phase only zeroes, adds and calls the dense kernels.
#include "sparse/cholesky.h"

#include "core/error.h"
#include "sparse/front.h"
#include "sparse/ordering.h"
#include "sparse/supernodes.h"

#include <stdlib.h>
#include <string.h>

// A block of the matrix and where it goes in the factor. Rows and columns are those of the matrix.
typedef struct block_load {
  long source, target;
  unsigned char rows, columns;
  bool turned; // its row is eliminated before its column, so it enters transposed
} block_load;

// Consecutive rows below a front's pivots that stay consecutive where they go.
typedef struct row_run {
  int source; // within the rows below the pivots
  int target;
  int length;
} row_run;

typedef struct front {
  int pivots, below; // numbers
  int first;         // place of the first pivot in the eliminated order
  int child, next;   // first child, next sibling; -1 ends
  long panel;        // in `factor`
  long update;       // in `updates`
  long load;         // first of its blocks in `load`
  long parent_run;   // first of its runs in `parent_run`, targets in the parent's front
  long order_run;    // first of its runs in `order_run`, targets in the eliminated order
} front;

struct pc_cholesky {
  int rows, blocks;
  int *source; // where block row order[k] starts in the caller's vectors
  int *start;  // where it starts in the eliminated order, rows + 1
  int fronts;
  front *front; // fronts + 1; the last one closes the lists
  block_load *load;
  row_run *parent_run, *order_run;
  double *factor;  // panels
  double *updates; // two stacks of update matrices
  double *x;       // right-hand side in the eliminated order
  double *v;       // and its part in one front
  double flops, entries;
};

// Cache lines, so that vector kernels see the same alignment in every run.
static double *allocate_numbers(size_t count)
{
  size_t bytes = (count * sizeof(double) + 63) / 64 * 64 + 64;
  return aligned_alloc(64, bytes);
}

// Sizes of fronts, their children and their places in the factor.
static void plan_fronts(pc_cholesky *f, const pc_supernodes *supernodes)
{
  long panel = 0;
  for (int s = 0; s < f->fronts; s++)
    f->front[s].child = f->front[s].next = -1;
  for (int s = f->fronts - 1; s >= 0; s--) { // so that child lists ascend
    int parent = supernodes->parent[s];
    if (parent >= 0) {
      f->front[s].next = f->front[parent].child;
      f->front[parent].child = s;
    }
  }
  for (int s = 0; s < f->fronts; s++) {
    front *t = &f->front[s];
    t->first = f->start[supernodes->first[s]];
    t->pivots = f->start[supernodes->first[s + 1]] - t->first;
    for (long k = supernodes->row_start[s]; k < supernodes->row_start[s + 1]; k++)
      t->below += f->start[supernodes->row[k] + 1] - f->start[supernodes->row[k]];
    t->panel = panel;
    panel += (long)pc_front_pad(t->pivots + t->below) * t->pivots;
    for (int c = 0; c < t->pivots; c++) {
      double height = t->pivots + t->below - c;
      f->entries += height;
      f->flops += height * height;
    }
  }
  f->front[f->fronts].panel = panel;
}

// Update matrices are freed in the order of a stack: when a front is assembled its children's are
// on top. Two stacks, for even and odd depths, let a front's own update be made while those of its
// children are still there, and every place is known beforehand. Returns the numbers needed.
static long plan_updates(pc_cholesky *f, const pc_supernodes *supernodes, int *depth)
{
  long top[2] = {0, 0}, peak[2] = {0, 0};
  for (int s = f->fronts - 1; s >= 0; s--)
    depth[s] = supernodes->parent[s] < 0 ? 0 : 1 - depth[supernodes->parent[s]];
  for (int s = 0; s < f->fronts; s++) {
    front *t = &f->front[s];
    int own = depth[s], other = 1 - own;
    t->update = top[own];
    top[own] += (long)pc_front_pad(t->below) * t->below;
    if (top[own] > peak[own])
      peak[own] = top[own];
    if (t->child >= 0)
      top[other] = f->front[t->child].update; // the first child lies deepest
  }
  for (int s = 0; s < f->fronts; s++)
    if (depth[s] == 1)
      f->front[s].update += peak[0];
  return peak[0] + peak[1];
}

static void add_run(row_run *runs, long first, long *count, int source, int target, int length)
{
  row_run *last = *count > first ? &runs[*count - 1] : NULL;
  if (last && last->source + last->length == source && last->target + last->length == target)
    last->length += length;
  else
    runs[(*count)++] = (row_run){source, target, length};
}

// Where the rows below each front's pivots are in its parent and in the eliminated order.
static void plan_runs(pc_cholesky *f, const pc_supernodes *supernodes)
{
  long parent_runs = 0, order_runs = 0;
  for (int s = 0; s < f->fronts; s++) {
    front *t = &f->front[s];
    t->parent_run = parent_runs;
    t->order_run = order_runs;
    int p = supernodes->parent[s], source = 0;
    if (p < 0)
      continue;
    const front *up = &f->front[p];
    long k = supernodes->row_start[p];
    int place = up->pivots; // of the parent's row k
    for (long r = supernodes->row_start[s]; r < supernodes->row_start[s + 1]; r++) {
      int row = supernodes->row[r], length = f->start[row + 1] - f->start[row];
      int target;
      if (row < supernodes->first[p + 1]) {
        target = f->start[row] - up->first;
      } else {
        for (; supernodes->row[k] < row; k++)
          place += f->start[supernodes->row[k] + 1] - f->start[supernodes->row[k]];
        target = place;
      }
      add_run(f->parent_run, t->parent_run, &parent_runs, source, target, length);
      add_run(f->order_run, t->order_run, &order_runs, source, f->start[row], length);
      source += length;
    }
  }
  f->front[f->fronts].parent_run = parent_runs;
  f->front[f->fronts].order_run = order_runs;
}

// Where each block of the matrix goes, sorted by front. `front_of` and `place` are per block
// column of the eliminated order and per block row of the matrix.
static void plan_loads(pc_cholesky *f, const pc_supernodes *supernodes,
                       const pc_block_matrix *pattern, const int *place, const int *front_of)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < pattern->rows; i++)
      for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
        int j = pattern->column[k];
        bool turned = place[i] < place[j];
        int row = place[turned ? j : i], column = place[turned ? i : j];
        int s = front_of[column];
        front *t = &f->front[s];
        if (pass == 0) { // count, one front up
          f->front[s + 1].load++;
          continue;
        }
        long local;
        if (row < supernodes->first[s + 1]) {
          local = f->start[row] - t->first;
        } else {
          // The runs hold this row: the last one that starts at or before it.
          long low = t->order_run, high = f->front[s + 1].order_run - 1;
          while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (f->order_run[middle].target <= f->start[row])
              low = middle;
            else
              high = middle - 1;
          }
          const row_run *run = &f->order_run[low];
          local = t->pivots + run->source + (f->start[row] - run->target);
        }
        long ld = pc_front_pad(t->pivots + t->below);
        f->load[t->load++] = (block_load){
            .source = pattern->offset[k],
            .target = t->panel + (f->start[column] - t->first) * ld + local,
            .rows = (unsigned char)pattern->size[i],
            .columns = (unsigned char)pattern->size[j],
            .turned = turned,
        };
      }
    if (pass == 0)
      for (int s = 0; s < f->fronts; s++)
        f->front[s + 1].load += f->front[s].load;
  }
  for (int s = f->fronts; s > 0; s--) // filling moved each start to the next one
    f->front[s].load = f->front[s - 1].load;
  f->front[0].load = 0;
}

static pc_status build(pc_cholesky *f, const pc_block_matrix *pattern, const pc_graph *graph,
                       int *order, pc_supernodes *supernodes, pc_error *error)
{
  size_t n = (size_t)pattern->rows;
  pc_status status = pc_graph_order(graph, order, error);
  if (status != PC_OK)
    return status;
  status = pc_supernodes_create(supernodes, graph, order, error);
  if (status != PC_OK)
    return status;

  f->rows = pattern->rows;
  f->blocks = n > 0 ? pattern->row[n] : 0;
  f->fronts = supernodes->count;
  size_t runs = (size_t)supernodes->row_start[supernodes->count] + 1;
  f->source = malloc((n + 1) * sizeof *f->source);
  f->start = malloc((n + 1) * sizeof *f->start);
  f->front = calloc((size_t)f->fronts + 1, sizeof *f->front);
  f->load = malloc(((size_t)f->blocks + 1) * sizeof *f->load);
  f->parent_run = malloc(runs * sizeof *f->parent_run);
  f->order_run = malloc(runs * sizeof *f->order_run);
  int *scratch = malloc((2 * n + 1) * sizeof *scratch);
  if (!f->source || !f->start || !f->front || !f->load || !f->parent_run || !f->order_run ||
      !scratch) {
    free(scratch);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows", f->rows);
  }

  f->start[0] = 0;
  for (int k = 0; k < f->rows; k++) {
    f->source[k] = pattern->start[order[k]];
    f->start[k + 1] = f->start[k] + pattern->size[order[k]];
  }
  plan_fronts(f, supernodes);
  long updates = plan_updates(f, supernodes, scratch);
  plan_runs(f, supernodes);
  int *place = scratch, *front_of = scratch + n;
  for (int k = 0; k < f->rows; k++)
    place[order[k]] = k;
  for (int s = 0; s < f->fronts; s++)
    for (int k = supernodes->first[s]; k < supernodes->first[s + 1]; k++)
      front_of[k] = s;
  plan_loads(f, supernodes, pattern, place, front_of);
  free(scratch);

  int highest = 0;
  for (int s = 0; s < f->fronts; s++) {
    int height = pc_front_pad(f->front[s].pivots + f->front[s].below);
    if (height > highest)
      highest = height;
  }
  size_t panels = (size_t)f->front[f->fronts].panel;
  f->factor = allocate_numbers(panels + PC_FRONT_SLACK);
  f->updates = allocate_numbers((size_t)updates);
  f->x = allocate_numbers((size_t)f->start[n]);
  f->v = allocate_numbers((size_t)highest);
  if (!f->factor || !f->updates || !f->x || !f->v)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a factor of %.3g numbers",
                   (double)panels + (double)updates);
  memset(f->factor + panels, 0, PC_FRONT_SLACK * sizeof *f->factor);
  return PC_OK;
}

pc_cholesky *pc_cholesky_analyze(const pc_block_matrix *pattern, pc_error *error)
{
  pc_cholesky *f = calloc(1, sizeof *f);
  int *order = malloc(((size_t)pattern->rows + 1) * sizeof *order);
  pc_graph graph = {0};
  pc_supernodes supernodes = {0};
  pc_status status;
  if (f && order)
    status = pc_graph_create(&graph, pattern, error);
  else
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows",
                     pattern->rows);
  if (status == PC_OK)
    status = build(f, pattern, &graph, order, &supernodes, error);
  pc_supernodes_free(&supernodes);
  pc_graph_free(&graph);
  free(order);
  if (status != PC_OK) {
    pc_cholesky_destroy(f);
    return NULL;
  }
  return f;
}

void pc_cholesky_destroy(pc_cholesky *f)
{
  if (!f)
    return;
  free(f->source);
  free(f->start);
  free(f->front);
  free(f->load);
  free(f->parent_run);
  free(f->order_run);
  free(f->factor);
  free(f->updates);
  free(f->x);
  free(f->v);
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
static void add_update(const pc_cholesky *f, const front *child, const front *up, double *panel,
                       double *update)
{
  long ld = pc_front_pad(up->pivots + up->below), ldu = pc_front_pad(up->below);
  long ldc = pc_front_pad(child->below);
  const double *from = f->updates + child->update;
  const row_run *runs = f->parent_run + child->parent_run;
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

static bool factor_front(pc_cholesky *f, const front *t, const double *value)
{
  long ld = pc_front_pad(t->pivots + t->below), ldu = pc_front_pad(t->below);
  double *panel = f->factor + t->panel, *update = f->updates + t->update;
  memset(panel, 0, (size_t)(ld * t->pivots) * sizeof *panel);
  for (long j = 0; j < t->below; j++)
    memset(update + j * ldu + j, 0, (size_t)(ldu - j) * sizeof *update);
  for (long k = t->load; k < t[1].load; k++) {
    const block_load *b = &f->load[k];
    if (b->rows == 6 && b->columns == 6)
      load_block(f->factor + b->target, ld, value + b->source, 6, 6, b->turned);
    else
      load_block(f->factor + b->target, ld, value + b->source, b->rows, b->columns, b->turned);
  }
  for (int child = t->child; child >= 0; child = f->front[child].next)
    add_update(f, &f->front[child], t, panel, update);
  return pc_front_factor(panel, update, t->pivots, t->below);
}

pc_status pc_cholesky_factor(pc_cholesky *f, const pc_block_matrix *matrix)
{
  if (matrix->rows != f->rows || (f->rows > 0 && matrix->row[f->rows] != f->blocks))
    return PC_ERROR_ARGUMENT;
  for (int s = 0; s < f->fronts; s++)
    if (!factor_front(f, &f->front[s], matrix->value))
      return PC_ERROR_NUMERIC;
  return PC_OK;
}

// Zeros in the rows below the pivots, and in the padding.
static void clear_below(const front *t, double *v)
{
  int height = pc_front_pad(t->pivots + t->below);
  memset(v + t->pivots, 0, (size_t)(height - t->pivots) * sizeof *v);
}

void pc_cholesky_solve(pc_cholesky *f, double *x)
{
  for (int k = 0; k < f->rows; k++)
    for (int r = 0; r < f->start[k + 1] - f->start[k]; r++)
      f->x[f->start[k] + r] = x[f->source[k] + r];

  double *v = f->v;
  for (int s = 0; s < f->fronts; s++) {
    const front *t = &f->front[s];
    double *below = v + t->pivots;
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    clear_below(t, v);
    pc_front_forward(f->factor + t->panel, t->pivots, t->below, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
    for (const row_run *run = f->order_run + t->order_run; run < f->order_run + t[1].order_run;
         run++)
      for (int r = 0; r < run->length; r++)
        f->x[run->target + r] += below[run->source + r];
  }
  for (int s = f->fronts - 1; s >= 0; s--) {
    const front *t = &f->front[s];
    double *below = v + t->pivots;
    memcpy(v, f->x + t->first, (size_t)t->pivots * sizeof *v);
    clear_below(t, v);
    for (const row_run *run = f->order_run + t->order_run; run < f->order_run + t[1].order_run;
         run++)
      memcpy(below + run->source, f->x + run->target, (size_t)run->length * sizeof *v);
    pc_front_backward(f->factor + t->panel, t->pivots, t->below, v);
    memcpy(f->x + t->first, v, (size_t)t->pivots * sizeof *v);
  }

  for (int k = 0; k < f->rows; k++)
    for (int r = 0; r < f->start[k + 1] - f->start[k]; r++)
      x[f->source[k] + r] = f->x[f->start[k] + r];
}

double pc_cholesky_flops(const pc_cholesky *factor)
{
  return factor->flops;
}

double pc_cholesky_entries(const pc_cholesky *factor)
{
  return factor->entries;
}
