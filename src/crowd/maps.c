// The free area of a square is counted in points, 16 by 16, wherever a wall, an obstacle or an exit
// comes near: exact where these lie on the lines of such points, else within 1/32 of the side times
// the length of what cuts the square. Free is what is in no obstacle, within the outlines, and
// where people can walk to: not beyond walls and exits. A square that a thin wall divides is one
// cell all the same.
//
// A square is small for a density: one person in 0.25 m2 is level F. So levels of service are those
// of the density around a cell: over the squares within about 1.25 m that are seen from it.
#include "crowd/maps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"
#include "crowd/scan.h"

enum { POINTS = 16, MOST_REACH = 5, PEAK = 3, BLOCK = 256 };
#define AROUND 1.25       // m
#define LEAST_FREE 0.25   // of a square, for a peak of pressure
#define MOST_SQUARES 20e6 //

int pc_service_level(double density)
{
  static const double limit[PC_LEVELS - 1] = {0.3, 0.4, 0.7, 1.1, 2};
  int level = 0;
  while (level < PC_LEVELS - 1 && density >= limit[level])
    level++;
  return level;
}

// The squares of a row are looked at together: the lines of their points are cut by the outlines
// once. The last line is that of the middles.
typedef struct survey {
  const pc_floor *floor;
  pc_scan scan;
  double spacing;
  unsigned char *reached; // nodes that people can walk to
} survey;

static void survey_end(survey *s)
{
  pc_scan_free(&s->scan);
  free(s->reached);
}

static bool survey_begin(survey *s, const pc_crowd *crowd, int f, double spacing)
{
  const pc_floor *floor = &crowd->floors.at[f];
  *s = (survey){.floor = floor, .reached = pc_find_reached(crowd, f), .spacing = spacing};
  if (s->reached == NULL || !pc_scan_add_layout(&s->scan, &floor->plan))
    return false;
  pc_scan_begin(&s->scan);
  return true;
}

// Where the points of a square are, from its middle, in units of their distance.
static double point_at(int i)
{
  return i + 0.5 - 0.5 * POINTS;
}

static bool survey_row(survey *s, double middle)
{
  double y[POINTS + 1], step = s->spacing / POINTS;
  for (int row = 0; row < POINTS; row++)
    y[row] = middle + point_at(row) * step;
  y[POINTS] = middle;
  return pc_scan_lines(&s->scan, POINTS + 1, y);
}

static bool is_free(const survey *s, int line, const double p[2])
{
  return pc_scan_allows(&s->scan, line, p[0]) && !pc_layout_in_disc(&s->floor->plan, p) &&
         !pc_is_outside(s->floor, p) && pc_is_reached(&s->floor->grid, s->reached, p);
}

// Whether all points of a square are alike.
static bool is_even(const survey *s, const double centre[2])
{
  const pc_grid *grid = &s->floor->grid;
  double reach = 0.7072 * s->spacing;
  if (pc_layout_distance(&s->floor->plan, centre, reach) < reach)
    return false;
  for (int i = 0; i < grid->lines; i++)
    if (pc_distance_to_line(centre, grid->line[i], grid->line[i] + 2) < reach)
      return false;
  return true;
}

// The free area of a square, and a free place in it, near the middle of what is free.
static double measure(const survey *s, const double centre[2], double anchor[2])
{
  double whole = s->spacing * s->spacing, step = s->spacing / POINTS, middle[2] = {0};
  bool free_at[POINTS][POINTS];
  int count = 0;
  memcpy(anchor, centre, 2 * sizeof *anchor);
  if (is_even(s, centre))
    return is_free(s, POINTS, centre) ? whole : 0;
  for (int row = 0; row < POINTS; row++)
    for (int column = 0; column < POINTS; column++) {
      double p[2] = {centre[0] + point_at(column) * step, centre[1] + point_at(row) * step};
      free_at[row][column] = is_free(s, row, p);
      if (free_at[row][column]) {
        middle[0] += column;
        middle[1] += row;
        count++;
      }
    }
  double least = INFINITY;
  for (int row = 0; row < POINTS; row++)
    for (int column = 0; column < POINTS && count > 0; column++) {
      double away = pc_hypot(column - middle[0] / count, row - middle[1] / count);
      if (free_at[row][column] && away < least) {
        least = away;
        anchor[0] = centre[0] + point_at(column) * step;
        anchor[1] = centre[1] + point_at(row) * step;
      }
    }
  return whole * count / (POINTS * POINTS);
}

// Also gives room for an anchor of each square.
static pc_status lay_squares(pc_maps *maps, const pc_crowd *crowd, double (**anchor)[2],
                             pc_arena *scratch, pc_error *error)
{
  double squares = 0;
  for (int f = 0; f < maps->floors; f++) {
    const pc_layout *plan = &crowd->floors.at[f].plan;
    pc_map_floor *own = &maps->floor[f];
    double along[2];
    for (int k = 0; k < 2; k++) {
      double first = floor(plan->low[k] / maps->spacing);
      own->low[k] = first * maps->spacing;
      along[k] = floor(plan->high[k] / maps->spacing) - first + 1;
    }
    squares += along[0] * along[1];
    if (!(squares < MOST_SQUARES))
      return pc_fail(
          error, PC_ERROR_ARGUMENT,
          "maps with a spacing of %g m would have more than %g cells; use a larger spacing",
          maps->spacing, MOST_SQUARES);
    own->columns = (int)along[0];
    own->rows = (int)along[1];
    own->offset = crowd->floors.at[f].offset;
    own->span[0] = plan->low[0] + own->offset;
    own->span[1] = plan->high[0] + own->offset;
    own->cell = pc_arena_take(&maps->arena, (size_t)(along[0] * along[1]), sizeof *own->cell);
  }
  size_t all = (size_t)squares + 1;
  maps->at = pc_arena_take(&maps->arena, all, sizeof *maps->at);
  maps->square = pc_arena_take(&maps->arena, all, sizeof *maps->square);
  maps->centre = pc_arena_take(&maps->arena, all, sizeof *maps->centre);
  maps->area = pc_arena_take(&maps->arena, all, sizeof *maps->area);
  maps->seen = pc_arena_take(&maps->arena, all, sizeof *maps->seen);
  *anchor = pc_arena_take(scratch, all, sizeof **anchor);
  return maps->arena.failed || scratch->failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                                               : PC_OK;
}

// Squares that have a free area become cells.
static bool find_cells(pc_maps *maps, const pc_crowd *crowd, int f, double (*anchor)[2])
{
  const pc_map_floor *own = &maps->floor[f];
  survey s;
  bool made = survey_begin(&s, crowd, f, maps->spacing);
  for (int row = 0; row < own->rows && made; row++) {
    double middle = own->low[1] + (row + 0.5) * maps->spacing;
    made = survey_row(&s, middle);
    for (int column = 0; column < own->columns && made; column++) {
      double centre[2] = {own->low[0] + (column + 0.5) * maps->spacing, middle};
      int c = maps->cells, *cell = own->cell + (size_t)row * own->columns + column;
      maps->area[c] = measure(&s, centre, anchor[c]);
      *cell = maps->area[c] > 0 ? c : -1;
      if (*cell < 0)
        continue;
      maps->at[c] = f;
      maps->square[c][0] = column;
      maps->square[c][1] = row;
      memcpy(maps->centre[c], centre, sizeof centre);
      maps->cells++;
    }
  }
  survey_end(&s);
  return made;
}

// The cell of a square that is dx, dy away from another's; -1: none.
static int beside(const pc_maps *maps, int c, int dx, int dy)
{
  const pc_map_floor *own = &maps->floor[maps->at[c]];
  int column = maps->square[c][0] + dx, row = maps->square[c][1] + dy;
  return column < 0 || row < 0 || column >= own->columns || row >= own->rows
             ? -1
             : own->cell[(size_t)row * own->columns + column];
}

static void look_around(pc_maps *maps, const pc_crowd *crowd, const double (*anchor)[2])
{
  double along = round(AROUND / maps->spacing - 0.5);
  maps->reach = along < MOST_REACH ? (int)along : MOST_REACH;
  for (int c = 0; c < maps->cells; c++)
    for (int dy = -maps->reach, bit = 0; dy <= maps->reach; dy++)
      for (int dx = -maps->reach; dx <= maps->reach; dx++, bit++) {
        int other = beside(maps, c, dx, dy);
        if (other == c || (other >= 0 && !pc_grid_bars(&crowd->floors.at[maps->at[c]].grid,
                                                       anchor[c], anchor[other])))
          maps->seen[c][bit / 64] |= (uint64_t)1 << bit % 64;
      }
}

static pc_status make_numbers(pc_maps *maps, pc_error *error)
{
  enum { ALONE = 3 + PC_LEVELS + 2 * PEAK, EACH = 9 };
  size_t n = (size_t)maps->cells;
  maps->count = ALONE + EACH * n;
  maps->numbers = pc_arena_take(&maps->arena, maps->count, sizeof *maps->numbers);
  if (maps->numbers == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  double *at = maps->numbers;
  maps->span = at, maps->total = at + 1, maps->stray = at + 2, maps->level = at + 3;
  maps->densest = maps->level + PC_LEVELS;
  maps->most_pressed = maps->densest + PEAK;
  maps->densest[2] = maps->most_pressed[2] = -1;
  at += ALONE;
  maps->now = (pc_map_sums *)at, maps->all = maps->now + n;
  maps->crowded = at + 6 * n, maps->around = at + 7 * n, maps->hard = at + 8 * n;
  return PC_OK;
}

pc_status pc_maps_make(pc_maps *maps, const pc_crowd *crowd, double spacing, pc_error *error)
{
  *maps = (pc_maps){.spacing = spacing, .floors = crowd->floors.count};
  if (!(spacing > 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the spacing of maps must be positive (got %g)",
                   spacing);
  maps->floor = pc_arena_take(&maps->arena, (size_t)crowd->floors.count, sizeof *maps->floor);
  if (maps->floor == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_arena scratch = {0};
  double(*anchor)[2] = NULL;
  pc_status status = lay_squares(maps, crowd, &anchor, &scratch, error);
  for (int f = 0; f < maps->floors && status == PC_OK; f++)
    if (!find_cells(maps, crowd, f, anchor))
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK) {
    look_around(maps, crowd, (const double(*)[2])anchor);
    status = make_numbers(maps, error);
  }
  pc_arena_free(&scratch);
  if (status != PC_OK)
    pc_maps_free(maps);
  return status;
}

void pc_maps_free(pc_maps *maps)
{
  pc_arena_free(&maps->arena);
  *maps = (pc_maps){0};
}

int pc_maps_find(const pc_maps *maps, int floor_number, const double place[2])
{
  const pc_map_floor *own = &maps->floor[floor_number];
  double x = (place[0] - own->low[0]) / maps->spacing;
  double y = (place[1] - own->low[1]) / maps->spacing;
  return x >= 0 && y >= 0 && x < own->columns && y < own->rows
             ? own->cell[(size_t)((int)y) * (size_t)own->columns + (size_t)((int)x)]
             : -1;
}

// The floor on which a place of the world is; `likely` is looked at first.
static int floor_of(const pc_maps *maps, double x, int likely)
{
  const double margin = 0.5;
  for (int n = -1; n < maps->floors; n++) {
    int f = n < 0 ? likely : n;
    if (x >= maps->floor[f].span[0] - margin && x <= maps->floor[f].span[1] + margin)
      return f;
  }
  return likely;
}

static int find_in_world(const pc_maps *maps, const double p[2], int likely)
{
  int f = floor_of(maps, p[0], likely);
  double own[2] = {p[0] - maps->floor[f].offset, p[1]};
  return pc_maps_find(maps, f, own);
}

// Where a contact acts: between people at its point; at a wall, which may be the side of a square,
// halfway from there to the person. Where that is no cell, at the place of the person.
static int place_of_contact(const pc_maps *maps, const pc_crowd *crowd, int contact,
                            const pc_body bodies[2])
{
  double point[3];
  int person[2], cell = -1;
  pc_world_contact_point(crowd->world, contact, point);
  for (int k = 0; k < 2; k++)
    person[k] = bodies[k].id - 1 - crowd->walls;
  int one = person[0] >= 0 ? person[0] : person[1], likely = crowd->person[one].floor;
  const double *own = crowd->before[one];
  if (person[0] < 0 || person[1] < 0)
    for (int k = 0; k < 2; k++)
      point[k] = 0.5 * (point[k] + own[k]);
  cell = find_in_world(maps, point, likely);
  return cell >= 0 ? cell : find_in_world(maps, own, likely);
}

static void add_pushes(pc_maps *maps, const pc_crowd *crowd)
{
  int contacts = pc_world_contacts(crowd->world);
  for (int c = 0; c < contacts; c++) {
    pc_body bodies[2];
    double size = pc_contact_size(crowd, c, bodies);
    if (size == 0 || (bodies[0].id <= crowd->walls && bodies[1].id <= crowd->walls))
      continue;
    int cell = place_of_contact(maps, crowd, c, bodies);
    if (cell >= 0)
      maps->now[cell].push += size;
  }
}

// People from `begin` on: all cells are looked up before the first is written, so that they come
// from memory at the same time.
static void add_people(pc_maps *maps, const pc_crowd *crowd, int begin, int end, double h)
{
  int who[BLOCK], cell[BLOCK], count = 0;
  for (int i = begin; i < end; i++) {
    if (!crowd->there[i])
      continue;
    int f = crowd->person[i].floor;
    double p[2] = {crowd->place[i][0] - maps->floor[f].offset, crowd->place[i][1]};
    int c = pc_maps_find(maps, f, p);
    if (c < 0) {
      *maps->stray += h;
      continue;
    }
    __builtin_prefetch(&maps->now[c], 1);
    who[count] = i;
    cell[count++] = c;
  }
  for (int k = 0; k < count; k++) {
    const double *v = crowd->velocity[who[k]];
    maps->now[cell[k]].stay += h;
    maps->now[cell[k]].way += h * sqrt(v[0] * v[0] + v[1] * v[1]);
  }
}

void pc_maps_step(pc_maps *maps, const pc_crowd *crowd, double h)
{
  for (int i = 0; i < crowd->people; i += BLOCK)
    add_people(maps, crowd, i, i + BLOCK < crowd->people ? i + BLOCK : crowd->people, h);
  add_pushes(maps, crowd);
  *maps->span += h;
}

// Density around a cell, of person-seconds in so many seconds.
static double density_around(const pc_maps *maps, int c, const pc_map_sums *sums, double span)
{
  int side = 2 * maps->reach + 1;
  double people = 0, area = 0;
  for (int bit = 0; bit < side * side; bit++)
    if (maps->seen[c][bit / 64] >> bit % 64 & 1) {
      int other = beside(maps, c, bit % side - maps->reach, bit / side - maps->reach);
      people += sums[other].stay;
      area += maps->area[other];
    }
  return people / (area * span);
}

static void raise_peak(double *peak, double value, double time, int cell)
{
  if (peak[2] >= 0 && !(value > peak[0]))
    return;
  peak[0] = value, peak[1] = time, peak[2] = cell;
}

static void note_peaks(pc_maps *maps, double time, int c, double around)
{
  double whole = maps->spacing * maps->spacing;
  const pc_map_sums *now = maps->now + c;
  double pressure = now->push / (maps->area[c] * *maps->span);
  maps->crowded[c] = fmax(maps->crowded[c], now->stay / (maps->area[c] * *maps->span));
  maps->around[c] = fmax(maps->around[c], around);
  maps->hard[c] = fmax(maps->hard[c], pressure);
  if (now->stay > 0)
    raise_peak(maps->densest, around, time, c);
  if (pressure > 0 && maps->area[c] >= LEAST_FREE * whole)
    raise_peak(maps->most_pressed, pressure, time, c);
}

void pc_maps_end(pc_maps *maps, double time, double every, double *density, double *speed,
                 double *pressure)
{
  double span = *maps->span;
  bool counts = span >= 0.5 * every || *maps->total == 0;
  for (int c = 0; c < maps->cells && span > 0; c++) {
    const pc_map_sums *now = maps->now + c;
    double stay = now->stay, around = density_around(maps, c, maps->now, span);
    if (density != NULL)
      density[c] = stay / (maps->area[c] * span);
    if (speed != NULL)
      speed[c] = stay > 0 ? now->way / stay : -1;
    if (pressure != NULL)
      pressure[c] = now->push / (maps->area[c] * span);
    maps->level[pc_service_level(around)] += stay;
    if (counts)
      note_peaks(maps, time, c, around);
    maps->all[c].stay += stay;
    maps->all[c].way += now->way;
    maps->all[c].push += now->push;
  }
  memset(maps->now, 0, (size_t)maps->cells * sizeof *maps->now);
  *maps->total += span;
  *maps->span = 0;
}

pc_map_peak pc_maps_densest(const pc_maps *maps)
{
  return (pc_map_peak){maps->densest[0], maps->densest[1], (int)maps->densest[2]};
}

pc_map_peak pc_maps_most_pressed(const pc_maps *maps)
{
  return (pc_map_peak){maps->most_pressed[0], maps->most_pressed[1], (int)maps->most_pressed[2]};
}

void pc_maps_cell(const pc_maps *maps, int c, pc_map_cell *out)
{
  double total = *maps->total, area = maps->area[c];
  bool any = total > 0;
  const pc_map_sums *all = maps->all + c;
  *out = (pc_map_cell){.density = any ? all->stay / (area * total) : 0,
                       .around = any ? density_around(maps, c, maps->all, total) : 0,
                       .speed = all->stay > 0 ? all->way / all->stay : -1,
                       .pressure = any ? all->push / (area * total) : 0,
                       .density_largest = maps->crowded[c],
                       .around_largest = maps->around[c],
                       .pressure_largest = maps->hard[c]};
}
