// Natural order, AMD or METIS, by the work they leave.
#include "sparse/ordering.h"

#include "core/error.h"

#include <amd.h>
#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// METIS takes 3 to 11 microseconds per node and saves more of AMD's work the larger a packing is.
// It is asked from this many operations per node on, where about ten factorisations win back its
// time: packings of some 400 bodies, flat sheets of some 5000, never chains (README.md has
// figures).
static const double METIS_WORK = 1.5e5;

// METIS draws from the C library's rand, seeded on entry. Two analyses at once would draw from one
// sequence and no longer repeat.
static pthread_mutex_t metis_lock = PTHREAD_MUTEX_INITIALIZER;

pc_status pc_graph_create(pc_graph *graph, const pc_block_matrix *pattern, pc_error *error)
{
  int n = pattern->rows;
  size_t edges = n > 0 ? 2 * ((size_t)pattern->row[n] - (size_t)n) : 0;
  *graph = (pc_graph){.nodes = n, .size = pattern->size};
  if (edges >= INT_MAX)
    return pc_fail(error, PC_ERROR_ARGUMENT, "too many blocks for a factorisation: %zu", edges);
  graph->start = calloc((size_t)n + 2, sizeof *graph->start);
  graph->neighbour = malloc((edges + 1) * sizeof *graph->neighbour);
  if (!graph->start || !graph->neighbour) {
    pc_graph_free(graph);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a graph of %d nodes", n);
  }
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

void pc_graph_free(pc_graph *graph)
{
  free(graph->start);
  free(graph->neighbour);
  memset(graph, 0, sizeof *graph);
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

pc_status pc_elimination_create(pc_elimination *e, const pc_graph *graph, int kept,
                                const int *order, pc_error *error)
{
  size_t n = (size_t)graph->nodes;
  *e = (pc_elimination){0};
  e->place = malloc((n + 1) * sizeof(int));
  e->parent = malloc((n + 1) * sizeof(int));
  e->blocks = malloc((n + 1) * sizeof(int));
  e->numbers = malloc((n + 1) * sizeof(int));
  int *mark = malloc((n + 1) * sizeof(int));
  if (!e->place || !e->parent || !e->blocks || !e->numbers || !mark) {
    free(mark);
    pc_elimination_free(e);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to order %d block rows",
                   graph->nodes);
  }

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
  free(mark);
  return PC_OK;
}

void pc_elimination_free(pc_elimination *e)
{
  free(e->place);
  free(e->parent);
  free(e->blocks);
  free(e->numbers);
  memset(e, 0, sizeof *e);
}

static pc_status order_work(const pc_graph *graph, const int *order, double *flops, pc_error *error)
{
  pc_elimination elimination;
  pc_status status = pc_elimination_create(&elimination, graph, 0, order, error);
  *flops = elimination.flops;
  pc_elimination_free(&elimination);
  return status;
}

static pc_status order_metis(const pc_graph *graph, int *order, pc_error *error)
{
  idx_t nodes = graph->nodes;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t *place = malloc((size_t)nodes * sizeof *place);
  if (!place)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to order %d block rows",
                   graph->nodes);
  pthread_mutex_lock(&metis_lock);
  int answer = METIS_NodeND(&nodes, graph->start, graph->neighbour, NULL, options, order, place);
  pthread_mutex_unlock(&metis_lock);
  free(place);
  if (answer != METIS_OK)
    return pc_fail(error, PC_ERROR_MEMORY, "METIS could not order %d block rows (%d)", graph->nodes,
                   answer);
  return PC_OK;
}

// The first `count` nodes of a graph, with what is between them.
static pc_status first_nodes(const pc_graph *graph, int count, pc_graph *part, pc_error *error)
{
  *part = (pc_graph){.nodes = count, .size = graph->size};
  part->start = calloc((size_t)count + 2, sizeof *part->start);
  part->neighbour = malloc(((size_t)graph->start[count] + 1) * sizeof *part->neighbour);
  if (!part->start || !part->neighbour) {
    pc_graph_free(part);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a graph of %d nodes", count);
  }
  int edges = 0;
  for (int i = 0; i < count; i++) {
    for (int k = graph->start[i]; k < graph->start[i + 1]; k++)
      if (graph->neighbour[k] < count)
        part->neighbour[edges++] = graph->neighbour[k];
    part->start[i + 1] = edges;
  }
  return PC_OK;
}

static pc_status order_all(const pc_graph *graph, int *order, pc_error *error)
{
  int n = graph->nodes;
  long edges = graph->start[n];
  for (int i = 0; i < n; i++)
    order[i] = i;
  if (n <= 2 || edges == (long)n * (n - 1)) // any order is as good
    return PC_OK;

  double info[AMD_INFO], numbers = 0;
  if (amd_order(n, graph->start, graph->neighbour, order, NULL, info) < 0)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for AMD to order %d block rows", n);
  for (int i = 0; i < n; i++)
    numbers += graph->size[i];
  double size = numbers / n; // AMD counts pairs of operations on blocks
  if (2 * info[AMD_NMULTSUBS_LDL] * size * size * size < METIS_WORK * n)
    return PC_OK;

  int *other = malloc((size_t)n * sizeof *other);
  if (!other)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory to order %d block rows", n);
  double amd, metis;
  pc_status status = order_work(graph, order, &amd, error);
  if (status == PC_OK)
    status = order_metis(graph, other, error);
  if (status == PC_OK)
    status = order_work(graph, other, &metis, error);
  if (status == PC_OK && metis < amd)
    memcpy(order, other, (size_t)n * sizeof *order);
  free(other);
  return status;
}

pc_status pc_graph_order(const pc_graph *graph, int kept, int *order, pc_error *error)
{
  if (kept == 0)
    return order_all(graph, order, error);
  pc_graph part;
  pc_status status = first_nodes(graph, graph->nodes - kept, &part, error);
  if (status == PC_OK)
    status = order_all(&part, order, error);
  for (int i = graph->nodes - kept; i < graph->nodes; i++)
    order[i] = i;
  pc_graph_free(&part);
  return status;
}
