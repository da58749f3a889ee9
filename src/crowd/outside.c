// Checks that walls are closed: paths out of the building, and where they leak.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

// Nodes from which steps lead to the edge of the grid, beyond all walls.
pc_status pc_find_outside(pc_floor *floor, pc_error *error)
{
  const pc_grid *grid = &floor->grid;
  bool done = true;
  for (int i = 0; i < grid->columns * grid->rows && done; i++) {
    int column = i % grid->columns, row = i / grid->columns;
    bool edge = column == 0 || row == 0 || column + 1 == grid->columns || row + 1 == grid->rows;
    if (edge && !floor->outside[i])
      done = pc_grid_flood(grid, i, NULL, floor->outside) > 0;
  }
  return done ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// Whether a node that is seen from a place is one of them.
bool pc_is_outside(const pc_floor *own, const double p[2])
{
  const pc_grid *grid = &own->grid;
  int column = (int)floor((p[0] - grid->low[0]) / grid->spacing);
  int row = (int)floor((p[1] - grid->low[1]) / grid->spacing);
  for (int r = row; r <= row + 1; r++)
    for (int c = column; c <= column + 1; c++) {
      double at[2];
      if (!pc_grid_has(grid, c, r))
        return true;
      pc_grid_place(grid, c, r, at);
      if (own->outside[(size_t)r * grid->columns + c] && !pc_grid_bars(grid, p, at))
        return true;
    }
  return false;
}

// The narrowest place of the shortest way out.
static void find_gap(const pc_floor *floor, const pc_field *field, const double from[2],
                     double gap[2])
{
  double p[2] = {from[0], from[1]}, narrowest = INFINITY, step = floor->grid.spacing;
  const pc_layout *plan = &floor->plan;
  double left = pc_field_time(field, p);
  for (int i = 0; i < 1000000 && isfinite(left); i++) {
    double way[2], width = pc_layout_distance(plan, p, 100);
    bool within =
        p[0] > plan->low[0] && p[0] < plan->high[0] && p[1] > plan->low[1] && p[1] < plan->high[1];
    if (width < narrowest) {
      narrowest = width;
      memcpy(gap, p, sizeof p);
    }
    if (!within || !pc_field_way(field, p, way))
      return;
    for (int k = 0; k < 2; k++)
      p[k] += step * way[k];
  }
}

typedef struct pair {
  double line[4], length;
} pair;

static int compare(const void *a, const void *b)
{
  double one = ((const pair *)a)->length, two = ((const pair *)b)->length;
  return (one > two) - (one < two);
}

// Number of nodes that node `from` reaches with a wall along the line; 0: it reaches the outside.
static int enclosed(const pc_grid *grid, int from, const double line[4])
{
  int last = grid->columns * grid->rows - 1; // the corners are outside
  unsigned char *seen = calloc((size_t)last + 1, 1);
  int all = seen != NULL ? pc_grid_flood(grid, from, line, seen) : 0;
  if (all > 0 && (seen[0] || seen[last]))
    all = 0;
  free(seen);
  return all;
}

// Ends of walls and of exits, at most so many.
static int list_ends(const pc_floor *floor, int most, double (*end)[2])
{
  const pc_layout *plan = &floor->plan;
  int count = 0;
  for (int i = 0; i < plan->outlines.count && count + 2 <= most; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (o->kind != PC_LINE_WALL || o->edgeless)
      continue;
    memcpy(end[count++], plan->points.at[o->first], sizeof *end);
    memcpy(end[count++], plan->points.at[o->first + o->count - 1], sizeof *end);
  }
  for (int i = 0; i < floor->grid.lines && count + 2 <= most; i++)
    for (int k = 0; k < 2; k++)
      memcpy(end[count++], floor->grid.line[i] + 2 * k, sizeof *end);
  return count;
}

// The middle of the line between two ends that would close the walls around node `from`: of those
// that do, the one with most room inside, so that it is not the door of a room within.
bool pc_find_missing_wall(const pc_floor *floor, int from, double gap[2])
{
  enum { ENDS = 60, TRIES = 60 };
  double end[ENDS][2];
  int ends = list_ends(floor, ENDS, end), pairs = 0;
  pair *all = calloc(ENDS * ENDS, sizeof *all);
  int most = 0;
  for (int i = 0; i < ends && all != NULL; i++)
    for (int j = 0; j < i; j++) {
      double length = pc_hypot(end[i][0] - end[j][0], end[i][1] - end[j][1]);
      if (length > 1e-9)
        all[pairs++] = (pair){{end[i][0], end[i][1], end[j][0], end[j][1]}, length};
    }
  if (pairs > 0)
    qsort(all, (size_t)pairs, sizeof *all, compare);
  for (int i = 0; i < pairs && i < TRIES; i++) {
    int room = enclosed(&floor->grid, from, all[i].line);
    for (int k = 0; k < 2 && room > most; k++)
      gap[k] = 0.5 * (all[i].line[k] + all[i].line[2 + k]);
    most = room > most ? room : most;
  }
  free(all);
  return most > 0;
}

// Where a wall is missing, seen from a place inside.
static void look_for_gap(const pc_floor *floor, const double p[2], double gap[2])
{
  const pc_grid *grid = &floor->grid;
  double low[2], high[2];
  pc_grid_place(grid, 0, 0, low);
  pc_grid_place(grid, grid->columns - 1, grid->rows - 1, high);
  double line[5][2] = {
      {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}, {low[0], low[1]}};
  pc_goal goal = {.count = 5, .point = (const double(*)[2])line};
  pc_field field;
  memcpy(gap, p, 2 * sizeof *gap);
  int node = pc_grid_node(grid, p);
  if (node >= 0 && pc_find_missing_wall(floor, node, gap))
    return;
  if (pc_field_make(&field, grid, NULL) == PC_OK && pc_field_solve(&field, 1, &goal, NULL) == PC_OK)
    find_gap(floor, &field, p, gap);
  pc_field_free(&field);
}

bool pc_leads_out(pc_floor *floor, const double p[2])
{
  if (!pc_is_outside(floor, p))
    return false;
  if (!floor->leaks) // callers that draw random places find the same gap again
    look_for_gap(floor, p, floor->leak);
  floor->leaks = true;
  return true;
}
