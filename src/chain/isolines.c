#include "chain/isolines.h"

#include <math.h>
#include <string.h>

// Every crossed edge is joined to at most two others, one through the cell on either side.
static void join(int (*joined)[2], int a, int b)
{
  joined[a][joined[a][0] >= 0] = b;
  joined[b][joined[b][0] >= 0] = a;
}

// Joins the edges of the cell between node and its neighbours.
static void cross_cell(int nx, int nodes, int node, const double *value, double level,
                       int (*joined)[2])
{
  // Edges and corners round the cell: edge k is between the corners k and k + 1.
  const int edge[4] = {node, nodes + node + 1, node + nx, nodes + node};
  const double corner[4] = {value[node], value[node + 1], value[node + nx + 1], value[node + nx]};
  double sum = corner[0] + corner[1] + corner[3] + corner[2];
  bool above[4];
  int crossed[4], count = 0;
  if (!isfinite(sum))
    return;
  for (int k = 0; k < 4; k++)
    above[k] = corner[k] >= level;
  for (int k = 0; k < 4; k++)
    if (above[k] != above[(k + 1) % 4])
      crossed[count++] = edge[k];
  if (count == 2)
    join(joined, crossed[0], crossed[1]);
  if (count < 4)
    return;
  // A saddle: the corners that are not like the mean are cut off. Corner 1 is between edges 0, 1.
  int first = above[1] != (sum >= 4 * level) ? 0 : 3;
  join(joined, edge[first], edge[(first + 1) % 4]);
  join(joined, edge[(first + 2) % 4], edge[(first + 3) % 4]);
}

// Follows a line and removes its joints, so that it is followed once. Returns the number of edges.
static int follow(int (*joined)[2], int edge, int *found)
{
  int count = 0;
  while (edge >= 0) {
    int *links = joined[edge], next = links[0];
    found[count++] = edge;
    links[0] = links[1], links[1] = -1;
    if (next >= 0) {
      int *back = joined[next];
      if (back[0] == edge)
        back[0] = back[1];
      back[1] = -1;
    }
    edge = next;
  }
  return count;
}

bool pc_isolines_trace(int nx, int ny, const double *value, double level, pc_arena *arena,
                       pc_isolines *lines)
{
  int nodes = nx * ny, edges = 2 * nodes;
  int(*joined)[2] = pc_arena_take_raw(arena, (size_t)edges, sizeof *joined);
  // A line has two edges or more, and a closed one has four, of which one comes twice.
  *lines = (pc_isolines){
      .start = pc_arena_take(arena, (size_t)nodes + 1, sizeof *lines->start),
      .edge = pc_arena_take_raw(arena, (size_t)edges + (size_t)nodes / 2, sizeof *lines->edge)};
  if (arena->failed)
    return false;
  memset(joined, 0xff, (size_t)edges * sizeof *joined); // -1
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++)
      cross_cell(nx, nodes, j * nx + i, value, level, joined);
  // Lines with ends first; the remaining ones are closed.
  for (int closed = 0; closed <= 1; closed++)
    for (int e = 0; e < edges; e++) {
      if (joined[e][0] < 0 || (joined[e][1] < 0) == (closed == 1))
        continue;
      int from = lines->start[lines->lines];
      lines->start[++lines->lines] = from + follow(joined, e, lines->edge + from);
    }
  return true;
}
