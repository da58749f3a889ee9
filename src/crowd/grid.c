#include "crowd/grid.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "crowd/scan.h"

static bool line_bars(const double line[4], const double p[2], const double q[2])
{
  double d[2] = {line[2] - line[0], line[3] - line[1]}, e[2] = {q[0] - p[0], q[1] - p[1]};
  double one = d[0] * (p[1] - line[1]) - d[1] * (p[0] - line[0]);
  double two = d[0] * (q[1] - line[1]) - d[1] * (q[0] - line[0]);
  double three = e[0] * (line[1] - p[1]) - e[1] * (line[0] - p[0]);
  double four = e[0] * (line[3] - p[1]) - e[1] * (line[2] - p[0]);
  return one * two <= 0 && three * four <= 0;
}

// Only lines in the squares of the way are asked.
static bool lines_bar(const pc_grid *grid, const double p[2], const double q[2])
{
  const pc_layout *plan = &grid->doors;
  double box[4];
  int low[2], high[2];
  if (grid->lines == 0)
    return false;
  for (int k = 0; k < 2; k++) {
    box[k] = fmin(p[k], q[k]);
    box[2 + k] = fmax(p[k], q[k]);
  }
  pc_layout_squares(plan, box, grid->spacing, low, high);
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int i = start[0]; i < start[1]; i++)
        if (line_bars(plan->wall[plan->item[i]], p, q))
          return true;
    }
  return false;
}

static pc_status sort_lines(pc_grid *grid, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < grid->lines && status == PC_OK; i++) {
    const double *l = grid->line[i], ends[2][2] = {{l[0], l[1]}, {l[2], l[3]}};
    status = pc_layout_add(&grid->doors, PC_LINE_WALL, 2, ends, error);
  }
  return status == PC_OK ? pc_layout_finish(&grid->doors, error) : status;
}

bool pc_grid_bars(const pc_grid *grid, const double p[2], const double q[2])
{
  return pc_layout_bars(grid->plan, p, q) || lines_bar(grid, p, q);
}

static void bar_steps(pc_grid *grid)
{
  double reach = 1.5 * grid->spacing; // beyond it no wall can bar a step
  for (int row = 0; row < grid->rows; row++)
    for (int column = 0; column < grid->columns; column++) {
      double p[2], q[2];
      pc_grid_place(grid, column, row, p);
      size_t node = (size_t)row * grid->columns + column;
      unsigned char *own = grid->barred + node;
      bool near = pc_layout_distance(grid->plan, p, reach) < reach;
      for (int k = 0; k < 4; k++) { // the other four are the same steps backwards
        int c = column + PC_GRID_STEP[k][0], r = row + PC_GRID_STEP[k][1];
        if (!pc_grid_has(grid, c, r))
          continue;
        pc_grid_place(grid, c, r, q);
        if ((near && pc_layout_bars(grid->plan, p, q)) || lines_bar(grid, p, q)) {
          *own |= (unsigned char)(1u << k);
          grid->barred[(size_t)r * grid->columns + c] |= (unsigned char)(1u << (k + 4));
        }
      }
      for (int k = 0; k < 8; k++)
        if (!pc_grid_has(grid, column + PC_GRID_STEP[k][0], row + PC_GRID_STEP[k][1]))
          *own |= (unsigned char)(1u << k);
    }
}

static void keep_off(pc_grid *grid, const pc_grid_def *def)
{
  for (int row = 0; row < grid->rows; row++)
    for (int column = 0; column < grid->columns; column++) {
      double p[2];
      pc_grid_place(grid, column, row, p);
      double *slowness = grid->slowness + (size_t)row * grid->columns + column;
      *slowness = 1;
      if (def->inset > 0 && pc_layout_distance(grid->plan, p, def->inset) < def->inset)
        *slowness = def->reluctance;
    }
  grid->even = !(def->inset > 0);
}

pc_status pc_grid_make(pc_grid *grid, const pc_layout *plan, const pc_grid_def *def,
                       pc_error *error)
{
#ifdef PERCUSS_FUZZ
  const double most = 2e6; // made-up buildings are kilometres long more often than not
#else
  const double most = 5e7; // some seconds, and 400 MB for each field
#endif
  *grid = (pc_grid){.plan = plan, .spacing = def->spacing};
  double nodes = 1;
  int along[2];
  for (int k = 0; k < 2; k++) {
    // Not where walls are likely to stand: a node on a wall can go nowhere.
    grid->low[k] = plan->low[k] - def->margin - 0.6180339887 * def->spacing;
    double count = ceil((plan->high[k] + def->margin - grid->low[k]) / def->spacing) + 2;
    nodes *= count;
    along[k] = count < most ? (int)count : 0;
  }
  if (!(def->spacing > 0) || !(nodes > 0) || !(nodes < most))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the route grid with a spacing of %g m would have %g nodes, more than %g; use a "
                   "larger spacing",
                   def->spacing, nodes, most);
  grid->columns = along[0];
  grid->rows = along[1];
  grid->barred = pc_arena_take(&grid->arena, (size_t)nodes, sizeof *grid->barred);
  grid->slowness = pc_arena_take(&grid->arena, (size_t)nodes, sizeof *grid->slowness);
  grid->line = pc_arena_copy(&grid->arena, def->line, def->lines, sizeof *grid->line);
  if (grid->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  grid->lines = def->lines;
  pc_status status = sort_lines(grid, error);
  if (status != PC_OK)
    return status;
  bar_steps(grid);
  keep_off(grid, def);
  return pc_corners_list(&grid->corners, plan, grid->lines, (const double(*)[4])grid->line,
                         def->spacing, &grid->arena, error);
}

int pc_grid_seen(const pc_grid *grid, const double p[2], int k)
{
  int column = (int)floor((p[0] - grid->low[0]) / grid->spacing) + k % 2;
  int row = (int)floor((p[1] - grid->low[1]) / grid->spacing) + k / 2;
  double at[2];
  pc_grid_place(grid, column, row, at);
  bool sees = pc_grid_has(grid, column, row) && !pc_grid_bars(grid, p, at);
  return sees ? row * grid->columns + column : -1;
}

int pc_grid_node(const pc_grid *grid, const double p[2])
{
  int node = -1;
  for (int k = 0; k < 4 && node < 0; k++)
    node = pc_grid_seen(grid, p, k);
  return node;
}

int pc_grid_flood(const pc_grid *grid, int from, const double *line, unsigned char *seen)
{
  int *next = calloc((size_t)grid->columns * grid->rows, sizeof *next), count = 0, all = 0;
  if (next == NULL)
    return 0;
  next[count++] = from;
  seen[from] = 1;
  while (count > 0) {
    int i = next[--count], column = i % grid->columns, row = i / grid->columns;
    double p[2], q[2];
    all++;
    pc_grid_place(grid, column, row, p);
    for (int k = 0; k < 8; k++) {
      int j = i + PC_GRID_STEP[k][1] * grid->columns + PC_GRID_STEP[k][0];
      if (grid->barred[i] >> k & 1 || seen[j])
        continue;
      pc_grid_place(grid, column + PC_GRID_STEP[k][0], row + PC_GRID_STEP[k][1], q);
      if (line != NULL && line_bars(line, p, q))
        continue;
      seen[j] = 1;
      next[count++] = j;
    }
  }
  free(next);
  return all;
}

void pc_grid_free(pc_grid *grid)
{
  pc_arena_free(&grid->arena);
  pc_layout_free(&grid->doors);
  *grid = (pc_grid){0};
}

bool pc_grid_slow(pc_grid *grid, int count, const double (*area)[2], double factor,
                  unsigned char *marks, int mark)
{
  pc_scan scan = {.next = 0};
  bool room = pc_scan_add(&scan, false, count, area);
  pc_scan_begin(&scan);
  for (int row = 0; row < grid->rows && room; row++) {
    double p[2];
    pc_grid_place(grid, 0, row, p);
    room = pc_scan_lines(&scan, 1, &p[1]);
    for (int column = 0; column < grid->columns && room; column++) {
      pc_grid_place(grid, column, row, p);
      if (!pc_scan_allows(&scan, 0, p[0]))
        continue;
      size_t node = (size_t)row * grid->columns + column;
      grid->slowness[node] *= factor;
      if (marks != NULL)
        marks[node] = (unsigned char)mark;
    }
  }
  pc_scan_free(&scan);
  grid->even = grid->even && factor == 1;
  return room;
}
