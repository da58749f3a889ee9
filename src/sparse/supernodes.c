// From an elimination order to supernodes and their rows.
//
// A chain of columns whose structures are nested without a gap is one supernode. Then children are
// merged into parents where a model of the running time says that one larger front with some zeros
// is quicker than two small ones.
#include "sparse/supernodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A front in numbers: its pivot columns and the rows below them.
typedef struct front_size {
  double pivots, below;
} front_size;

// Nanoseconds to assemble and eliminate a front, fitted roughly on one x86_64 core; only ratios
// matter, and the optimum is flat. A fixed part, the panel's memory traffic, the update matrix
// written and added to the parent, and the operations, which run slower while the inner dimension
// is small.
static double front_time(front_size f)
{
  double height = f.pivots + f.below;
  double flops = f.pivots * (f.pivots * f.pivots / 3 + f.below * height);
  return 150 + 0.3 * f.pivots * height + 0.2 * f.below * f.below +
         0.033 * flops * (1 + 6 / f.pivots);
}

// Lists a forest so that each subtree is contiguous and children come before parents, keeping the
// order of siblings. Nodes with skip[i] are left out (skip may be NULL).
static int postorder(int n, const int *parent, const int *skip, int *head, int *next, int *stack,
                     int *list)
{
  for (int i = 0; i <= n; i++)
    head[i] = -1;
  for (int i = n - 1; i >= 0; i--)
    if (!skip || skip[i] < 0) {
      int p = parent[i] < 0 ? n : parent[i];
      next[i] = head[p];
      head[p] = i;
    }
  int count = 0, depth = 0;
  stack[0] = n;
  while (depth >= 0) {
    int i = stack[depth], child = head[i];
    if (child >= 0) {
      head[i] = next[child];
      stack[++depth] = child;
    } else {
      depth--;
      if (i < n)
        list[count++] = i;
    }
  }
  return count;
}

// Columns in postorder, cut where the structure of the next one is not nested without a gap and
// before those that are kept.
// Fills chain_first (count + 1), chain_parent and the sizes.
static int find_chains(const pc_graph *graph, const pc_elimination *e, int kept, const int *order,
                       const int *post, int *chain_of, int *chain_first, int *chain_parent,
                       front_size *size)
{
  int n = graph->nodes, count = 0;
  for (int k = 0; k < n; k++) {
    int column = post[k], before = k > 0 ? post[k - 1] : -1;
    if (before < 0 || e->parent[before] != column || e->blocks[before] != e->blocks[column] + 1 ||
        k == n - kept)
      chain_first[count++] = k;
    chain_of[column] = count - 1;
  }
  chain_first[count] = n;
  for (int s = 0; s < count; s++) {
    int last = post[chain_first[s + 1] - 1];
    chain_parent[s] = e->parent[last] < 0 ? -1 : chain_of[e->parent[last]];
    int pivots = 0;
    for (int k = chain_first[s]; k < chain_first[s + 1]; k++)
      pivots += graph->size[order[post[k]]];
    size[s].pivots = pivots;
    size[s].below = e->numbers[last] - graph->size[order[last]];
  }
  return count;
}

// merged[s] becomes the chain that s joins, -1 if it stays. A child's rows lie within its parent's
// front, so the merged front has the columns of both and the rows of the parent. chain_parent then
// skips merged chains. `keep`: nothing joins the last one.
static void merge_chains(int count, bool keep, int *chain_parent, front_size *size, int *merged,
                         int *head, int *next)
{
  for (int s = 0; s < count; s++)
    head[s] = -1;
  for (int s = count - 1; s >= 0; s--) {
    merged[s] = -1;
    if (chain_parent[s] >= 0) {
      next[s] = head[chain_parent[s]];
      head[chain_parent[s]] = s;
    }
  }
  // Parents have higher numbers than children, so children are final when their parent is tried.
  for (int s = 0; s < count - keep; s++)
    for (int child = head[s]; child >= 0; child = next[child]) {
      front_size both = {size[child].pivots + size[s].pivots, size[s].below};
      if (front_time(both) < front_time(size[child]) + front_time(size[s])) {
        size[s] = both;
        merged[child] = s;
      }
    }
  for (int s = count - 1; s >= 0; s--) // from the top down: the chain that finally holds s
    if (merged[s] >= 0 && merged[merged[s]] >= 0)
      merged[s] = merged[merged[s]];
  for (int s = 0; s < count; s++) {
    int p = chain_parent[s];
    if (p >= 0 && merged[p] >= 0)
      chain_parent[s] = merged[p];
  }
}

static int compare_int(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

// Adds a row past the columns of supernode s, once.
static void add_row(pc_supernodes *supernodes, int s, int row, int *mark, long *count)
{
  if (row >= supernodes->first[s + 1] && mark[row] != s) {
    mark[row] = s;
    supernodes->row[(*count)++] = row;
  }
}

// Rows of a supernode: the neighbours of its columns and the rows of its children, past its own
// columns.
static void find_rows(pc_supernodes *supernodes, const pc_graph *graph, const int *order,
                      const int *place, int *mark, int *head, int *next)
{
  for (int i = 0; i < graph->nodes; i++)
    mark[i] = -1;
  for (int s = 0; s < supernodes->count; s++)
    head[s] = -1;
  for (int s = 0; s < supernodes->count; s++) {
    long start = supernodes->row_start[s], count = start;
    for (int c = supernodes->first[s]; c < supernodes->first[s + 1]; c++)
      for (int k = graph->start[order[c]]; k < graph->start[order[c] + 1]; k++)
        add_row(supernodes, s, place[graph->neighbour[k]], mark, &count);
    for (int child = head[s]; child >= 0; child = next[child])
      for (long k = supernodes->row_start[child]; k < supernodes->row_start[child + 1]; k++)
        add_row(supernodes, s, supernodes->row[k], mark, &count);
    qsort(supernodes->row + start, (size_t)(count - start), sizeof(int), compare_int);
    if (supernodes->parent[s] >= 0) {
      next[s] = head[supernodes->parent[s]];
      head[supernodes->parent[s]] = s;
    }
  }
}

bool pc_supernodes_create(pc_supernodes *supernodes, const pc_graph *graph, int kept, int *order,
                          pc_arena *arena)
{
  int n = graph->nodes;
  pc_elimination e;
  if (!pc_elimination_create(&e, graph, kept, order, arena))
    return false;

  // One slab of scratch arrays of n + 2 integers.
  enum { ARRAYS = 10 };
  size_t stride = (size_t)n + 2;
  int *slab = pc_arena_take_raw(arena, ARRAYS * stride, sizeof *slab);
  front_size *size = pc_arena_take_raw(arena, stride, sizeof *size);
  if (arena->failed)
    return false;
  int *head = slab, *next = head + stride, *stack = next + stride, *post = stack + stride;
  int *chain_of = post + stride, *chain_first = chain_of + stride;
  int *chain_parent = chain_first + stride, *merged = chain_parent + stride;
  int *list = merged + stride, *position = list + stride;

  postorder(n, e.parent, NULL, head, next, stack, post);
  int chains = find_chains(graph, &e, kept, order, post, chain_of, chain_first, chain_parent, size);
  merge_chains(chains, kept > 0, chain_parent, size, merged, head, next);
  int count = postorder(chains, chain_parent, merged, head, next, stack, list);

  *supernodes =
      (pc_supernodes){.count = count,
                      .first = pc_arena_take(arena, (size_t)count + 2, sizeof(int)),
                      .parent = pc_arena_take_raw(arena, (size_t)count, sizeof(int)),
                      .row_start = pc_arena_take_raw(arena, (size_t)count + 1, sizeof(long))};
  if (arena->failed)
    return false;
  supernodes->row_start[0] = 0;
  for (int s = 0; s < count; s++) {
    position[list[s]] = s;
    int last = post[chain_first[list[s] + 1] - 1];
    supernodes->row_start[s + 1] = supernodes->row_start[s] + e.blocks[last] - 1;
  }
  for (int s = 0; s < count; s++)
    supernodes->parent[s] = chain_parent[list[s]] < 0 ? -1 : position[chain_parent[list[s]]];

  // Columns go to their supernode, in postorder within it.
  int *fill = supernodes->first + 1;
  for (int s = 0; s < chains; s++)
    fill[position[merged[s] < 0 ? s : merged[s]] + 1] += chain_first[s + 1] - chain_first[s];
  for (int s = 0; s < count; s++)
    fill[s + 1] += fill[s];
  int *final = list; // no longer needed
  for (int s = 0; s < chains; s++) {
    int to = position[merged[s] < 0 ? s : merged[s]];
    for (int k = chain_first[s]; k < chain_first[s + 1]; k++)
      final[fill[to]++] = order[post[k]];
  }
  memcpy(order, final, (size_t)n * sizeof *order);
  for (int i = 0; i < n; i++)
    e.place[order[i]] = i;

  supernodes->row = pc_arena_take_raw(arena, (size_t)supernodes->row_start[count], sizeof(int));
  if (supernodes->row == NULL)
    return false;
  find_rows(supernodes, graph, order, e.place, stack, head, next);
  return true;
}
