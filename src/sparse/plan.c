#include "sparse/plan.h"

#include "core/error.h"
#include "sparse/ordering.h"
#include "sparse/supernodes.h"

#include <string.h>

// Sizes of fronts, their children and their places in the factor.
static void plan_fronts(pc_factor_plan *f, const pc_supernodes *supernodes, bool aligned)
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
    pc_front_plan *t = &f->front[s];
    t->first = f->start[supernodes->first[s]];
    t->pivots = f->start[supernodes->first[s + 1]] - t->first;
    for (long k = supernodes->row_start[s]; k < supernodes->row_start[s + 1]; k++)
      t->below += f->start[supernodes->row[k] + 1] - f->start[supernodes->row[k]];
    t->base = aligned ? pc_front_pad(t->pivots) : t->pivots;
    t->panel = panel;
    panel += pc_front_height(t) * t->pivots;
    for (int c = 0; c < t->pivots; c++) {
      double height = t->pivots + t->below - c;
      f->flops += height * height;
    }
  }
  f->front[f->fronts].panel = panel;
}

// Update matrices are freed in the order of a stack: when a front is assembled its children's are
// on top. Two stacks, for even and odd depths, let a front's own update be made while those of its
// children still exist, and every position is known in advance. Returns the numbers needed.
static long plan_updates(pc_factor_plan *f, const pc_supernodes *supernodes, int *depth)
{
  long top[2] = {0, 0}, peak[2] = {0, 0};
  for (int s = f->fronts - 1; s >= 0; s--)
    depth[s] = supernodes->parent[s] < 0 ? 0 : 1 - depth[supernodes->parent[s]];
  for (int s = 0; s < f->fronts; s++) {
    pc_front_plan *t = &f->front[s];
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

static void add_run(pc_row_run *runs, long first, long *count, int source, int target, int length)
{
  pc_row_run *last = *count > first ? &runs[*count - 1] : NULL;
  if (last && last->source + last->length == source && last->target + last->length == target)
    last->length += length;
  else
    runs[(*count)++] = (pc_row_run){source, target, length};
}

// Where the rows below each front's pivots are in its parent and in the eliminated order.
static void plan_runs(pc_factor_plan *f, const pc_supernodes *supernodes)
{
  long parent_runs = 0, order_runs = 0;
  for (int s = 0; s < f->fronts; s++) {
    pc_front_plan *t = &f->front[s];
    t->parent_run = parent_runs;
    t->order_run = order_runs;
    int p = supernodes->parent[s], source = 0;
    if (p < 0)
      continue;
    const pc_front_plan *up = &f->front[p];
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

// Where each block of the matrix goes, sorted by front. `front_of` is per block column of the
// eliminated order.
static void plan_loads(pc_factor_plan *f, const pc_supernodes *supernodes,
                       const pc_block_matrix *pattern, const int *front_of)
{
  const int *place = f->place;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < pattern->rows; i++)
      for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
        int j = pattern->column[k];
        bool turned = place[i] < place[j];
        int row = place[turned ? j : i], column = place[turned ? i : j];
        int s = front_of[column];
        pc_front_plan *t = &f->front[s];
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
          const pc_row_run *run = &f->order_run[low];
          local = t->base + run->source + (f->start[row] - run->target);
        }
        long ld = pc_front_height(t);
        f->load[t->load++] = (pc_block_load){
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

// False: memory is out.
static bool build(pc_factor_plan *f, const pc_block_matrix *pattern, bool aligned, int kept,
                  const pc_graph *graph, pc_arena *scratch)
{
  size_t n = (size_t)pattern->rows;
  pc_supernodes own, *supernodes = &own;
  int *order = pc_arena_take_raw(scratch, n, sizeof *order);
  int *front_of = pc_arena_take_raw(scratch, n, sizeof *front_of); // first used for depths
  if (scratch->failed || !pc_graph_order(graph, kept, order, scratch) ||
      !pc_supernodes_create(supernodes, graph, kept, order, scratch))
    return false;

  pc_arena *arena = &f->arena;
  f->rows = pattern->rows;
  f->blocks = n > 0 ? pattern->row[n] : 0;
  f->fronts = supernodes->count;
  size_t runs = (size_t)supernodes->row_start[supernodes->count];
  f->source = pc_arena_take_raw(arena, n, sizeof *f->source);
  f->start = pc_arena_take_raw(arena, n + 1, sizeof *f->start);
  f->place = pc_arena_take_raw(arena, n, sizeof *f->place);
  f->front = pc_arena_take(arena, (size_t)f->fronts + 1, sizeof *f->front);
  f->load = pc_arena_take_raw(arena, (size_t)f->blocks, sizeof *f->load);
  f->parent_run = pc_arena_take_raw(arena, runs, sizeof *f->parent_run);
  f->order_run = pc_arena_take_raw(arena, runs, sizeof *f->order_run);
  if (arena->failed)
    return false;

  f->start[0] = 0;
  for (int k = 0; k < f->rows; k++) {
    f->source[k] = pattern->start[order[k]];
    f->start[k + 1] = f->start[k] + pattern->size[order[k]];
  }
  plan_fronts(f, supernodes, aligned);
  f->updates = (size_t)plan_updates(f, supernodes, front_of);
  plan_runs(f, supernodes);
  for (int k = 0; k < f->rows; k++)
    f->place[order[k]] = k;
  for (int s = 0; s < f->fronts; s++)
    for (int k = supernodes->first[s]; k < supernodes->first[s + 1]; k++)
      front_of[k] = s;
  plan_loads(f, supernodes, pattern, front_of);

  f->panels = (size_t)f->front[f->fronts].panel;
  for (int s = 0; s < f->fronts; s++)
    if (pc_front_height(&f->front[s]) > f->highest)
      f->highest = (int)pc_front_height(&f->front[s]);
  return true;
}

pc_status pc_factor_plan_create(pc_factor_plan *plan, const pc_block_matrix *pattern, bool aligned,
                                int kept, pc_error *error)
{
  *plan = (pc_factor_plan){0};
  pc_arena scratch = {0};
  pc_graph graph;
  pc_status status = pc_graph_create(&graph, pattern, &scratch, error);
  if (status == PC_OK && !build(plan, pattern, aligned, kept, &graph, &scratch))
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory to analyse %d block rows",
                     pattern->rows);
  pc_arena_free(&scratch);
  return status;
}

void pc_factor_plan_free(pc_factor_plan *plan)
{
  pc_arena_free(&plan->arena);
  *plan = (pc_factor_plan){0};
}

bool pc_factor_plan_fits(const pc_factor_plan *plan, const pc_block_matrix *matrix)
{
  return matrix->rows == plan->rows && (plan->rows == 0 || matrix->row[plan->rows] == plan->blocks);
}

double *pc_factor_plan_take(pc_arena *arena, size_t count)
{
  double *numbers = pc_arena_take_raw(arena, count + PC_FRONT_SLACK, sizeof *numbers);
  if (numbers != NULL)
    memset(numbers + count, 0, PC_FRONT_SLACK * sizeof *numbers);
  return numbers;
}

void pc_factor_plan_gather(const pc_factor_plan *plan, const double *x, double *ordered)
{
  for (int k = 0; k < plan->rows; k++)
    for (int r = 0; r < plan->start[k + 1] - plan->start[k]; r++)
      ordered[plan->start[k] + r] = x[plan->source[k] + r];
}

void pc_factor_plan_scatter(const pc_factor_plan *plan, const double *ordered, double *x)
{
  for (int k = 0; k < plan->rows; k++)
    for (int r = 0; r < plan->start[k + 1] - plan->start[k]; r++)
      x[plan->source[k] + r] = ordered[plan->start[k] + r];
}
