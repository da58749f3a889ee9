// Congestion: the density of people on the squares of a floor, and the delay that it causes on
// routes.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/saved.h"
#include "crowd/crowd.h"
#include "crowd/scan.h"

static const double SQUARE = 1;   // m
static const double SLOWEST = 20; // times as long, at most

// Speed falls with density (Weidmann, Transporttechnik der Fussgaenger, 1993): v / v_0 = 1 -
// exp(-1.913 (1/rho - 1/5.4)), people per square metre.
double pc_congestion_factor(double density)
{
  if (!(density > 0))
    return 1;
  double speed = 1 - pc_exp(-1.913 * (1 / density - 1 / 5.4));
  return speed > 1 / SLOWEST ? 1 / speed : SLOWEST;
}

// The four middles of squares around a place, and its shares of them.
typedef struct shares {
  int square[4];
  double part[4];
} shares;

static shares share(const pc_floor *own, const double p[2])
{
  const pc_congested *c = &own->congested;
  int low[2];
  double s[2];
  for (int k = 0; k < 2; k++) {
    int last = (k == 0 ? c->columns : c->rows) - 2;
    double at = (p[k] - own->grid.low[k]) / SQUARE + 0.5; // a row of squares lies before the grid
    double first = fmin(fmax(floor(at), 0), last);
    low[k] = (int)first;
    s[k] = fmin(fmax(at - first, 0), 1);
  }
  int corner = low[1] * c->columns + low[0];
  return (shares){{corner, corner + 1, corner + c->columns, corner + c->columns + 1},
                  {(1 - s[0]) * (1 - s[1]), s[0] * (1 - s[1]), (1 - s[0]) * s[1], s[0] * s[1]}};
}

// The nodes of a row that people can be at give their areas to the squares around them.
static bool add_areas(pc_floor *floor, pc_scan *scan, int row)
{
  const pc_grid *grid = &floor->grid;
  double p[2];
  pc_grid_place(grid, 0, row, p);
  if (!pc_scan_lines(scan, 1, &p[1]))
    return false;
  for (int column = 0; column < grid->columns; column++) {
    pc_grid_place(grid, column, row, p);
    if (!pc_scan_allows(scan, 0, p[0]) || pc_layout_in_disc(&floor->plan, p) ||
        floor->outside[(size_t)row * grid->columns + column])
      continue;
    shares to = share(floor, p);
    for (int k = 0; k < 4; k++)
      floor->congested.area[to.square[k]] += to.part[k] * grid->spacing * grid->spacing;
  }
  return true;
}

// Squares, and the area of each on which one can walk.
static pc_status make_floor(pc_crowd *crowd, pc_floor *floor)
{
  const pc_grid *grid = &floor->grid;
  pc_congested *c = &floor->congested;
  c->columns = (int)ceil(grid->columns * grid->spacing / SQUARE) + 2;
  c->rows = (int)ceil(grid->rows * grid->spacing / SQUARE) + 2;
  size_t squares = (size_t)c->columns * c->rows;
  c->area = pc_arena_take(&crowd->arena, squares, sizeof *c->area);
  c->density = pc_arena_take(&crowd->arena, squares, sizeof *c->density);
  if (crowd->arena.failed)
    return pc_crowd_out_of_memory(crowd);
  pc_scan scan = {.next = 0};
  bool room = pc_scan_add_layout(&scan, &floor->plan);
  pc_scan_begin(&scan);
  for (int row = 0; row < grid->rows && room; row++)
    room = add_areas(floor, &scan, row);
  pc_scan_free(&scan);
  return room ? PC_OK : pc_crowd_out_of_memory(crowd);
}

pc_status pc_congestion_make(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  crowd->congestion_last = -INFINITY;
  for (int f = 0; f < crowd->floors.count && crowd->def.congestion > 0 && status == PC_OK; f++)
    status = make_floor(crowd, &crowd->floors.at[f]);
  return status;
}

static int count_squares(const pc_floor *floor)
{
  return floor->congested.columns * floor->congested.rows;
}

// Each person counts in the four squares around them. An area below half a square metre gives no
// meaningful density: a person in a corner is no crowd.
static void measure(pc_crowd *crowd)
{
  for (int f = 0; f < crowd->floors.count; f++)
    memset(crowd->floors.at[f].congested.density, 0,
           (size_t)count_squares(&crowd->floors.at[f]) * sizeof(double));
  for (int i = 0; i < crowd->people; i++) {
    pc_floor *floor = &crowd->floors.at[crowd->person[i].floor];
    double p[2] = {crowd->place[i][0] - floor->offset, crowd->place[i][1]};
    if (!crowd->there[i])
      continue;
    shares to = share(floor, p);
    for (int k = 0; k < 4; k++)
      floor->congested.density[to.square[k]] += to.part[k];
  }
  for (int f = 0; f < crowd->floors.count; f++) {
    pc_congested *c = &crowd->floors.at[f].congested;
    for (int s = 0; s < count_squares(&crowd->floors.at[f]); s++)
      c->density[s] /= fmax(c->area[s], 0.5 * SQUARE * SQUARE);
  }
}

void pc_congestion_delay(pc_crowd *crowd)
{
  for (int f = 0; f < crowd->floors.count && isfinite(crowd->congestion_last); f++) {
    pc_floor *floor = &crowd->floors.at[f];
    pc_grid *grid = &floor->grid;
    const pc_congested *c = &floor->congested;
    grid->even = false;
    for (int row = 0; row < grid->rows; row++)
      for (int column = 0; column < grid->columns; column++) {
        double p[2], density = 0;
        pc_grid_place(grid, column, row, p);
        shares from = share(floor, p);
        for (int k = 0; k < 4; k++)
          density += from.part[k] * c->density[from.square[k]];
        grid->slowness[(size_t)row * grid->columns + column] *= pc_congestion_factor(density);
      }
  }
}

bool pc_congestion_look(pc_crowd *crowd, double time)
{
  if (!(crowd->def.congestion > 0) || time < crowd->congestion_last + crowd->def.congestion - 1e-9)
    return false;
  crowd->congestion_last = time;
  measure(crowd);
  return true;
}

size_t pc_congestion_save(const pc_crowd *crowd, char *to)
{
  size_t size = sizeof crowd->congestion_last;
  if (!(crowd->def.congestion > 0))
    return 0;
  if (to != NULL)
    memcpy(to, &crowd->congestion_last, size);
  for (int f = 0; f < crowd->floors.count; f++) {
    size_t own = (size_t)count_squares(&crowd->floors.at[f]) * sizeof(double);
    if (to != NULL)
      memcpy(to + size, crowd->floors.at[f].congested.density, own);
    size += own;
  }
  return size;
}

bool pc_congestion_is_sound(const pc_crowd *crowd, const char *from)
{
  size_t size = pc_congestion_save(crowd, NULL), last = sizeof crowd->congestion_last;
  return size == 0 || pc_saved_is_sound(from + last, (size - last) / sizeof(double), sizeof(double),
                                        &pc_saved_positive, 1);
}

void pc_congestion_load(pc_crowd *crowd, const char *from)
{
  size_t at = sizeof crowd->congestion_last;
  if (!(crowd->def.congestion > 0))
    return;
  memcpy(&crowd->congestion_last, from, at);
  for (int f = 0; f < crowd->floors.count; f++) {
    size_t own = (size_t)count_squares(&crowd->floors.at[f]) * sizeof(double);
    memcpy(crowd->floors.at[f].congested.density, from + at, own);
    at += own;
  }
}
