// Natural order, AMD or METIS, by the work they leave.
#include "sparse/ordering.h"

#include "core/error.h"

#include <amd.h>
#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <string.h>

// METIS takes 3 to 11 microseconds per node and saves more of AMD's work the larger a packing is.
// It is asked from this many operations per node on, where about ten factorisations win back its
// time: packings of some 400 bodies, flat sheets of some 5000, never chains (README.md has
// figures).
static const double METIS_WORK = 1.5e5;

// METIS draws from the C library's rand, seeded on entry. Two analyses at once would draw from one
// sequence and no longer repeat.
static pthread_mutex_t metis_lock = PTHREAD_MUTEX_INITIALIZER;

// Places for the edges of a graph, with zeros in `start`. False: memory is out.
static bool take_graph(pc_graph *graph, int nodes, size_t edges, const int *size, pc_arena *arena)
{
  *graph = (pc_graph){.nodes = nodes, .size = size};
  graph->start = pc_arena_take(arena, (size_t)nodes + 2, sizeof *graph->start);
  graph->neighbour = pc_arena_take_raw(arena, edges, sizeof *graph->neighbour);
  return !arena->failed;
}

pc_status pc_graph_create(pc_graph *graph, const pc_block_matrix *pattern, pc_arena *arena,
                          pc_error *error)
{
  int n = pattern->rows;
  size_t edges = n > 0 ? 2 * ((size_t)pattern->row[n] - (size_t)n) : 0;
  if (edges >= INT_MAX)
    return pc_fail(error, PC_ERROR_ARGUMENT, "too many blocks for a factorisation: %zu", edges);
  if (!take_graph(graph, n, edges, pattern->size, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a graph of %d nodes", n);
  // Counts go two places up, so that after filling, start[i] is where node i begins.
  int *next = graph->start + 1;
  for (int i = 0; i < n; i++)
    for (int k = pattern->row[i]; k < pattern->row[i + 1] - 1; k++) {
      next[i + 1]++;
      next[pattern->column[k] + 1]++;
    }
  for (int i = 0; i < n; i++)
    next[i + 1] += next[i];
  for (int i = 0; i < n; i++)
    for (int k = pattern->row[i]; k < pattern->row[i + 1] - 1; k++) {
      int j = pattern->column[k];
      graph->neighbour[next[i]++] = j;
      graph->neighbour[next[j]++] = i;
    }
  return PC_OK;
}

// Adds row i to the columns from j up to it in the tree.
static void climb(pc_elimination *e, int *mark, int j, int i, int size)
{
  for (; mark[j] != i; j = e->parent[j]) {
    mark[j] = i;
    e->blocks[j]++;
    e->numbers[j] += size;
    if (e->parent[j] < 0)
      e->parent[j] = i;
  }
}

bool pc_elimination_create(pc_elimination *e, const pc_graph *graph, int kept, const int *order,
                           pc_arena *arena)
{
  size_t n = (size_t)graph->nodes;
  *e = (pc_elimination){.place = pc_arena_take_raw(arena, n, sizeof(int)),
                        .parent = pc_arena_take_raw(arena, n, sizeof(int)),
                        .blocks = pc_arena_take_raw(arena, n, sizeof(int)),
                        .numbers = pc_arena_take_raw(arena, n, sizeof(int))};
  int *mark = pc_arena_take_raw(arena, n, sizeof *mark);
  if (arena->failed)
    return false;

  for (int i = 0; i < graph->nodes; i++)
    e->place[order[i]] = i;
  // Row i of the factor is the part of the tree that climbs from the row's entries in the matrix
  // to i. Walking it visits each block of the factor once.
  for (int i = 0; i < graph->nodes; i++) {
    int node = order[i], size = graph->size[node];
    e->parent[i] = -1;
    e->blocks[i] = 1;
    e->numbers[i] = size;
    mark[i] = i;
    for (int k = graph->start[node]; k < graph->start[node + 1]; k++) {
      int j = e->place[graph->neighbour[k]];
      if (j <= i)
        climb(e, mark, j, i, size);
    }
    if (i > graph->nodes - kept) // those kept before it, of which each is the parent of the last
      climb(e, mark, graph->nodes - kept, i, size);
  }
  for (int i = 0; i < graph->nodes; i++)
    for (int c = 0; c < graph->size[order[i]]; c++) {
      double height = e->numbers[i] - c;
      e->flops += height * height;
    }
  return true;
}

static bool order_metis(const pc_graph *graph, int *order, pc_arena *arena)
{
  idx_t nodes = graph->nodes;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t *place = pc_arena_take_raw(arena, (size_t)nodes, sizeof *place);
  if (place == NULL)
    return false;
  pthread_mutex_lock(&metis_lock);
  int answer = METIS_NodeND(&nodes, graph->start, graph->neighbour, NULL, options, order, place);
  pthread_mutex_unlock(&metis_lock);
  return answer == METIS_OK;
}

// The first `count` nodes of a graph, with what is between them.
static bool first_nodes(const pc_graph *graph, int count, pc_graph *part, pc_arena *arena)
{
  if (!take_graph(part, count, (size_t)graph->start[count], graph->size, arena))
    return false;
  int edges = 0;
  for (int i = 0; i < count; i++) {
    for (int k = graph->start[i]; k < graph->start[i + 1]; k++)
      if (graph->neighbour[k] < count)
        part->neighbour[edges++] = graph->neighbour[k];
    part->start[i + 1] = edges;
  }
  return true;
}

static bool order_all(const pc_graph *graph, int *order, pc_arena *arena)
{
  int n = graph->nodes;
  long edges = graph->start[n];
  for (int i = 0; i < n; i++)
    order[i] = i;
  if (n <= 2 || edges == (long)n * (n - 1)) // any order is as good
    return true;

  double info[AMD_INFO], numbers = 0;
  if (amd_order(n, graph->start, graph->neighbour, order, NULL, info) < 0)
    return false;
  for (int i = 0; i < n; i++)
    numbers += graph->size[i];
  double size = numbers / n; // AMD counts pairs of operations on blocks
  if (2 * info[AMD_NMULTSUBS_LDL] * size * size * size < METIS_WORK * n)
    return true;

  int *other = pc_arena_take_raw(arena, (size_t)n, sizeof *other);
  pc_elimination amd, metis;
  if (other == NULL || !order_metis(graph, other, arena) ||
      !pc_elimination_create(&amd, graph, 0, order, arena) ||
      !pc_elimination_create(&metis, graph, 0, other, arena))
    return false;
  if (metis.flops < amd.flops)
    memcpy(order, other, (size_t)n * sizeof *order);
  return true;
}

bool pc_graph_order(const pc_graph *graph, int kept, int *order, pc_arena *arena)
{
  if (kept == 0)
    return order_all(graph, order, arena);
  pc_graph part;
  for (int i = graph->nodes - kept; i < graph->nodes; i++)
    order[i] = i;
  return first_nodes(graph, graph->nodes - kept, &part, arena) && order_all(&part, order, arena);
}
