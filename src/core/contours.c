#include "core/contours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

// An edge of the grid that the level crosses has one point of a line, and joins at most two others:
// one through the cell on either side. Edges along x come first, then those along y.
typedef struct grid {
  int nx, ny;
  const double *x, *y, *value;
  double level;
  int (*joined)[2]; // per edge: neighbours on the line, -1 none
} grid;

static int edge_x(const grid *g, int i, int j)
{
  return j * (g->nx - 1) + i;
}

static int edge_y(const grid *g, int i, int j)
{
  return (g->nx - 1) * g->ny + j * g->nx + i;
}

static void join(grid *g, int a, int b)
{
  g->joined[a][g->joined[a][0] >= 0] = b;
  g->joined[b][g->joined[b][0] >= 0] = a;
}

static void cross_cell(grid *g, int i, int j)
{
  const double *low = g->value + (size_t)j * g->nx + i, *high = low + g->nx;
  double sum = low[0] + low[1] + high[0] + high[1];
  if (!isfinite(sum))
    return;
  // Edges and corners round the cell: edge k is between the corners k and k + 1.
  const int edge[4] = {edge_x(g, i, j), edge_y(g, i + 1, j), edge_x(g, i, j + 1), edge_y(g, i, j)};
  const bool above[4] = {low[0] >= g->level, low[1] >= g->level, high[1] >= g->level,
                         high[0] >= g->level};
  int crossed[4], count = 0;
  for (int k = 0; k < 4; k++)
    if (above[k] != above[(k + 1) % 4])
      crossed[count++] = edge[k];
  if (count == 2)
    join(g, crossed[0], crossed[1]);
  if (count < 4)
    return;
  // A saddle: the corners that are not like the mean are cut off. Corner 1 is between edges 0, 1.
  if (above[1] != (sum >= 4 * g->level)) {
    join(g, edge[0], edge[1]);
    join(g, edge[2], edge[3]);
  } else {
    join(g, edge[3], edge[0]);
    join(g, edge[1], edge[2]);
  }
}

static void place(const grid *g, int edge, double point[2])
{
  int along_x = (g->nx - 1) * g->ny;
  bool is_x = edge < along_x;
  int row = is_x ? g->nx - 1 : g->nx, k = is_x ? edge : edge - along_x, i = k % row, j = k / row;
  const double *a = g->value + (size_t)j * g->nx + i, *b = is_x ? a + 1 : a + g->nx;
  double share = (g->level - *a) / (*b - *a);
  point[0] = is_x ? g->x[i] + share * (g->x[i + 1] - g->x[i]) : g->x[i];
  point[1] = is_x ? g->y[j] : g->y[j] + share * (g->y[j + 1] - g->y[j]);
}

// Follows a line from `edge` and removes its links, so that it is followed once. Edges are stored
// in `found`; a closed line has its first edge again at the end.
static int follow(const grid *g, int edge, int *found)
{
  int count = 0;
  while (edge >= 0) {
    int *links = g->joined[edge], next = links[0];
    found[count++] = edge;
    links[0] = links[1], links[1] = -1;
    if (next >= 0) {
      int *back = g->joined[next];
      if (back[0] == edge)
        back[0] = back[1];
      back[1] = -1;
    }
    edge = next;
  }
  return count;
}

static bool collect(const grid *g, int edges, int *found, pc_contours *out)
{
  int points = 0, lines = 0, room_points = 0, room_lines = 0;
  if (!pc_grow(&out->start, &room_lines, 1, sizeof *out->start))
    return false;
  out->start[0] = 0;
  // Lines with ends first; the remaining ones are closed.
  for (int closed = 0; closed <= 1; closed++)
    for (int e = 0; e < edges; e++) {
      if (g->joined[e][0] < 0 || (g->joined[e][1] < 0) == (closed == 1))
        continue;
      int count = follow(g, e, found);
      if (!pc_grow(&out->point, &room_points, points + count, sizeof *out->point) ||
          !pc_grow(&out->start, &room_lines, lines + 2, sizeof *out->start))
        return false;
      for (int k = 0; k < count; k++)
        place(g, found[k], out->point[points++]);
      out->start[++lines] = points;
    }
  out->lines = lines;
  return true;
}

pc_status pc_contours_trace(int nx, int ny, const double *x, const double *y, const double *value,
                            double level, pc_contours *contours, pc_error *error)
{
  *contours = (pc_contours){0};
  if (nx < 2 || ny < 2 || nx > 20000 || ny > 20000)
    return pc_fail(error, PC_ERROR_ARGUMENT, "iso-lines need a grid of 2 to 20000 lines each way");
  int edges = (nx - 1) * ny + nx * (ny - 1);
  int *found = malloc(((size_t)edges + 1) * sizeof *found);
  grid g = {nx, ny, x, y, value, level, malloc((size_t)edges * sizeof *g.joined)};
  bool fine = found != NULL && g.joined != NULL;
  if (fine) {
    memset(g.joined, 0xff, (size_t)edges * sizeof *g.joined); // -1
    for (int j = 0; j + 1 < ny; j++)
      for (int i = 0; i + 1 < nx; i++)
        cross_cell(&g, i, j);
    fine = collect(&g, edges, found, contours);
  }
  free(found);
  free(g.joined);
  if (fine)
    return PC_OK;
  pc_contours_free(contours);
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

void pc_contours_free(pc_contours *contours)
{
  free(contours->start);
  free(contours->point);
  *contours = (pc_contours){0};
}
