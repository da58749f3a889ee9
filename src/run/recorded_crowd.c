#include "run/recorded_crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/layout.h"
#include "run/taking.h"

enum { FIXED = 1, DISC_SIDES = 32, MOST_SQUARES = 1 << 26 };

typedef struct source {
  pc_taking in;
  pc_recorded_crowd *to;
} source;

static void *take_room(source *s, size_t count, size_t size)
{
  void *data = s->in.status == PC_OK ? pc_arena_take(s->in.memory, count + 1, size) : NULL;
  if (data == NULL && s->in.status == PC_OK)
    s->in.status = pc_fail(s->in.error, PC_ERROR_MEMORY, "out of memory");
  return data;
}

static void take_floors(source *s)
{
  pc_recorded_crowd *c = s->to;
  long n = -1;
  char **name = pc_take_names(&s->in, "floors/name", &n);
  double *offset = pc_take(&s->in, "floors/offset", PC_RECORD_DOUBLE, &n, 1);
  c->floor = take_room(s, n > 0 ? (size_t)n : 0, sizeof *c->floor);
  if (s->in.status != PC_OK)
    return;
  c->floors = (int)n;
  for (int f = 0; f < c->floors; f++)
    c->floor[f] = (pc_recorded_floor){.name = name[f],
                                      .offset = offset[f],
                                      .low = {INFINITY, INFINITY},
                                      .high = {-INFINITY, -INFINITY}};
}

static void take_goals(source *s)
{
  pc_recorded_crowd *c = s->to;
  long n = -1;
  char **name = pc_take_names(&s->in, "goals/name", &n);
  long starts = n + 1;
  uint8_t *kind = pc_take(&s->in, "goals/kind", PC_RECORD_BYTE, &n, 1);
  int32_t *floor = pc_take(&s->in, "goals/floor", PC_RECORD_INT, &n, 1);
  int64_t *start = pc_take(&s->in, "goals/point_start", PC_RECORD_LONG, &starts, 1);
  c->goal = take_room(s, n > 0 ? (size_t)n : 0, sizeof *c->goal);
  if (s->in.status != PC_OK)
    return;
  pc_check_range(&s->in, "goals/floor", floor, n, -1, c->floors);
  pc_check_starts(&s->in, "goals/point_start", start, n, start[n]);
  double(*point)[2] = pc_take_if_any(&s->in, "goals/point", PC_RECORD_DOUBLE, start[n], 2);
  for (int64_t i = 0; i < start[n] && s->in.status == PC_OK; i++)
    if (!isfinite(point[i][0]) || !isfinite(point[i][1]))
      pc_take_fail(&s->in, "goals/point", "a point is not finite");
  for (int i = 0; i < n && s->in.status == PC_OK; i++) {
    bool single = kind[i] == PC_GOAL_EXIT || kind[i] == PC_GOAL_AREA;
    if (kind[i] > PC_GOAL_CHOICE || (single && floor[i] < 0))
      pc_take_fail(&s->in, "goals/kind", "an index is out of range");
    c->goal[i] =
        (pc_recorded_goal){.name = name[i],
                           .kind = (pc_goal_kind)kind[i],
                           .floor = floor[i],
                           .count = (int)(start[i + 1] - start[i]),
                           .point = point != NULL ? (const double(*)[2])point + start[i] : NULL};
  }
  c->goals = s->in.status == PC_OK ? (int)n : 0;
}

static void take_people(source *s)
{
  pc_recorded_crowd *c = s->to;
  long n = c->bodies.people;
  c->radius = pc_take(&s->in, "people/radius", PC_RECORD_DOUBLE, &n, 1);
  c->response = pc_take(&s->in, "people/response", PC_RECORD_DOUBLE, &n, 1);
  c->start = pc_take(&s->in, "people/start", PC_RECORD_DOUBLE, &n, 2);
  c->start_floor = pc_take(&s->in, "people/start_floor", PC_RECORD_INT, &n, 1);
  if (s->in.status == PC_OK)
    pc_check_range(&s->in, "people/start_floor", c->start_floor, n, 0, c->floors);
  for (long i = 0; i < n && s->in.status == PC_OK; i++)
    if (!(c->radius[i] > 0) || !isfinite(c->radius[i]) || !isfinite(c->start[i][0]) ||
        !isfinite(c->start[i][1]))
      pc_take_fail(&s->in, "people/radius", "a person is not finite");
  c->people = s->in.status == PC_OK ? (int)n : 0;
}

static int by_time(const void *a, const void *b)
{
  const pc_recorded_exit *one = a, *two = b;
  if (one->time != two->time)
    return one->time < two->time ? -1 : 1;
  return (one->person > two->person) - (one->person < two->person);
}

static void take_exits(source *s)
{
  pc_recorded_crowd *c = s->to;
  long size[4] = {0}, n = pc_reading_size(s->in.reading, "exits/time", size) > 0 ? size[0] : 0;
  double *time = pc_take_if_any(&s->in, "exits/time", PC_RECORD_DOUBLE, n, 1);
  int32_t *person = pc_take_if_any(&s->in, "exits/person", PC_RECORD_INT, n, 1);
  int32_t *goal = pc_take_if_any(&s->in, "exits/exit", PC_RECORD_INT, n, 1);
  c->exit = take_room(s, (size_t)n, sizeof *c->exit);
  if (s->in.status != PC_OK || n == 0)
    return;
  pc_check_range(&s->in, "exits/person", person, n, 0, c->people);
  pc_check_range(&s->in, "exits/exit", goal, n, 0, c->goals);
  for (long i = 0; i < n && s->in.status == PC_OK; i++) {
    c->exit[i] = (pc_recorded_exit){time[i], person[i], goal[i]};
    if (!isfinite(time[i]))
      pc_take_fail(&s->in, "exits/time", "a time is not finite");
  }
  c->exits = s->in.status == PC_OK ? (int)n : 0;
  qsort(c->exit, (size_t)c->exits, sizeof *c->exit, by_time);
}

static void enlarge(pc_recorded_floor *floor, const double p[2])
{
  for (int k = 0; k < 2; k++) {
    floor->low[k] = fmin(floor->low[k], p[k]);
    floor->high[k] = fmax(floor->high[k], p[k]);
  }
}

// Columns and rows of the cells of every floor.
static void lay_squares(source *s)
{
  pc_recorded_crowd *c = s->to;
  pc_recorded_maps *m = &c->maps;
  double squares = 0;
  for (int f = 0; f < c->floors; f++) {
    pc_recorded_floor *own = &c->floor[f];
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < m->cells; i++)
      for (int k = 0; k < 2 && m->floor[i] == f; k++) {
        low[k] = fmin(low[k], m->centre[i][k]);
        high[k] = fmax(high[k], m->centre[i][k]);
      }
    if (!(low[0] <= high[0]))
      continue;
    double columns = round((high[0] - low[0]) / m->spacing) + 1;
    double rows = round((high[1] - low[1]) / m->spacing) + 1;
    squares += columns * rows;
    if (!(squares < MOST_SQUARES)) {
      pc_take_fail(&s->in, "maps/centre", "the cells are too far apart");
      return;
    }
    own->columns = (int)columns;
    own->rows = (int)rows;
    for (int k = 0; k < 2; k++)
      own->origin[k] = low[k] - 0.5 * m->spacing;
    own->cell = take_room(s, (size_t)(columns * rows), sizeof *own->cell);
    for (int i = 0; i < own->columns * own->rows && own->cell != NULL; i++)
      own->cell[i] = -1;
  }
  m->square = take_room(s, (size_t)m->cells, sizeof *m->square);
  for (int i = 0; i < m->cells && s->in.status == PC_OK; i++) {
    const pc_recorded_floor *own = &c->floor[m->floor[i]];
    for (int k = 0; k < 2; k++)
      m->square[i][k] = (int)((m->centre[i][k] - own->origin[k]) / m->spacing);
    own->cell[(size_t)m->square[i][1] * (size_t)own->columns + (size_t)m->square[i][0]] = i;
  }
}

static void take_maps(source *s)
{
  pc_recorded_maps *m = &s->to->maps;
  pc_reading *reading = s->in.reading;
  long n = -1;
  if (s->in.status != PC_OK || !pc_reading_has(reading, "maps/centre"))
    return;
  m->spacing = pc_take_number(&s->in, "maps/spacing");
  m->floor = pc_take(&s->in, "maps/floor", PC_RECORD_INT, &n, 1);
  m->centre = pc_take(&s->in, "maps/centre", PC_RECORD_DOUBLE, &n, 2);
  m->area = pc_take(&s->in, "maps/area", PC_RECORD_DOUBLE, &n, 1);
  if (pc_reading_has(reading, "maps/seen")) {
    m->seen = pc_take(&s->in, "maps/seen", PC_RECORD_LONG, &n, 2);
    double reach = pc_take_number(&s->in, "maps/reach");
    m->reach = reach >= 0 && reach <= 5 ? (int)reach : -1;
  } else if (s->in.status == PC_OK) {
    m->reach = (int)fmin(5, round(1.25 / m->spacing - 0.5));
  }
  if (s->in.status != PC_OK)
    return;
  if (!(m->spacing > 0) || !isfinite(m->spacing) || m->reach < 0 || m->reach > 5)
    pc_take_fail(&s->in, "maps/spacing", "out of range");
  pc_check_range(&s->in, "maps/floor", m->floor, n, 0, s->to->floors);
  for (long i = 0; i < n && s->in.status == PC_OK; i++)
    if (!isfinite(m->centre[i][0]) || !isfinite(m->centre[i][1]) || !(m->area[i] > 0) ||
        !isfinite(m->area[i]))
      pc_take_fail(&s->in, "maps/centre", "a cell is not finite");
  m->cells = s->in.status == PC_OK ? (int)n : 0;
  m->intervals = pc_reading_frames(reading, "maps");
  lay_squares(s);
}

// Where each floor is in the world, by what is known to be on it.
static int floor_of(const pc_recorded_crowd *c, double x)
{
  int nearest = 0;
  double least = INFINITY;
  for (int f = 0; f < c->floors; f++) {
    const pc_recorded_floor *floor = &c->floor[f];
    double away = fmax(floor->low[0] + floor->offset - x, x - floor->high[0] - floor->offset);
    if (away < least) {
      least = away;
      nearest = f;
    }
  }
  return nearest;
}

static void locate_floors(pc_recorded_crowd *c)
{
  for (int i = 0; i < c->goals; i++)
    for (int k = 0; k < c->goal[i].count && c->goal[i].floor >= 0; k++)
      enlarge(&c->floor[c->goal[i].floor], c->goal[i].point[k]);
  for (int i = 0; i < c->people; i++)
    enlarge(&c->floor[c->start_floor[i]], c->start[i]);
  for (int i = 0; i < c->maps.cells; i++)
    enlarge(&c->floor[c->maps.floor[i]], c->maps.centre[i]);
}

// The outline of a fixed body, around its origin; gives the number of points.
static int outline(const pc_recorded_shapes *shapes, int shape, double (*point)[2], bool *solid)
{
  int type = shapes->type[shape];
  int first = (int)shapes->vertex_start[shape], last = (int)shapes->vertex_start[shape + 1];
  *solid = type != PC_RECORDED_CHAIN || shapes->size[shape][0] > 0;
  if (type == PC_RECORDED_DISC) {
    for (int k = 0; k < DISC_SIDES && point != NULL; k++) {
      double turn = 2 * 3.141592653589793 * k / DISC_SIDES;
      point[k][0] = shapes->size[shape][0] * pc_cos(turn);
      point[k][1] = shapes->size[shape][0] * pc_sin(turn);
    }
    return DISC_SIDES;
  }
  if (type != PC_RECORDED_CHAIN && type != PC_RECORDED_POLYGON)
    return 0;
  for (int k = first; k < last && point != NULL; k++)
    memcpy(point[k - first], shapes->vertex[k], sizeof *point);
  return last - first;
}

static bool is_same(const double a[2], const double b[2])
{
  const double round_off = 1e-9;
  return fabs(a[0] - b[0]) < round_off && fabs(a[1] - b[1]) < round_off;
}

// Walls are recorded in short pieces: joins each to the one before it that ends where it begins.
static void join_walls(source *s)
{
  pc_recorded_crowd *c = s->to;
  int joined = 0;
  for (int i = 0; i < c->walls; i++) {
    pc_recorded_wall *own = &c->wall[i], *last = joined > 0 ? &c->wall[joined - 1] : NULL;
    bool follows = last != NULL && !last->solid && !own->solid && last->floor == own->floor &&
                   is_same(last->point[last->count - 1], own->point[0]) &&
                   !is_same(last->point[last->count - 1], last->point[0]);
    if (!follows) {
      c->wall[joined++] = *own;
      continue;
    }
    int count = last->count + own->count - 1;
    double(*all)[2] = take_room(s, (size_t)count, sizeof *all);
    if (all == NULL)
      return;
    memcpy(all, last->point, (size_t)last->count * sizeof *all);
    memcpy(all + last->count, own->point + 1, (size_t)(own->count - 1) * sizeof *all);
    last->count = count;
    last->point = all;
  }
  c->walls = joined;
}

// A closed wall around no place where somebody can stand is an obstacle.
static bool is_obstacle(const pc_recorded_crowd *c, const pc_recorded_wall *wall)
{
  const double whole = 0.75 * c->maps.spacing * c->maps.spacing;
  bool seen = false;
  if (wall->count < 4 || !is_same(wall->point[0], wall->point[wall->count - 1]))
    return false;
  for (int i = 0; i < c->maps.cells; i++) {
    if (c->maps.floor[i] != wall->floor)
      continue;
    seen = true;
    if (c->maps.area[i] > whole &&
        pc_is_inside(wall->count - 1, (const double(*)[2])wall->point, c->maps.centre[i]))
      return false;
  }
  return seen;
}

static void take_walls(source *s)
{
  pc_recorded_crowd *c = s->to;
  pc_recorded *r = &c->bodies;
  pc_recorded_frame frame;
  c->wall = take_room(s, (size_t)r->bodies, sizeof *c->wall);
  if (s->in.status != PC_OK || r->frames < 1)
    return;
  if (!pc_recorded_make_frame(r, &frame)) {
    s->in.status = pc_fail(s->in.error, PC_ERROR_MEMORY, "out of memory");
    return;
  }
  s->in.status = pc_recorded_read(r, 0, &frame, s->in.error);
  locate_floors(c);
  for (int b = 0; b < r->bodies && s->in.status == PC_OK; b++) {
    pc_recorded_wall *wall = &c->wall[c->walls];
    double origin[3];
    if (r->kind[b] != FIXED || r->passing[b])
      continue;
    wall->count = outline(&r->shapes, r->shape[b], NULL, &wall->solid);
    wall->point = take_room(s, (size_t)wall->count, sizeof *wall->point);
    if (wall->count == 0 || s->in.status != PC_OK)
      continue;
    outline(&r->shapes, r->shape[b], wall->point, &wall->solid);
    pc_recorded_origin(r, &frame, b, origin);
    wall->floor = floor_of(c, origin[0] + wall->point[0][0]);
    for (int k = 0; k < wall->count; k++) {
      wall->point[k][0] += origin[0] - c->floor[wall->floor].offset;
      wall->point[k][1] += origin[1];
    }
    c->walls++;
  }
  if (s->in.status == PC_OK)
    join_walls(s);
  for (int i = 0; i < c->walls && s->in.status == PC_OK; i++) {
    pc_recorded_wall *wall = &c->wall[i];
    wall->solid = wall->solid || is_obstacle(c, wall);
    for (int k = 0; k < wall->count; k++)
      enlarge(&c->floor[wall->floor], wall->point[k]);
  }
}

pc_status pc_recorded_crowd_open(const char *path, pc_recorded_crowd *crowd, pc_error *error)
{
  *crowd = (pc_recorded_crowd){.floors = 0};
  pc_status status = pc_recorded_open(path, &crowd->bodies, error);
  if (status != PC_OK)
    return status;
  if (!pc_reading_has(crowd->bodies.reading, "people/body"))
    return pc_fail(error, PC_ERROR_INPUT, "%s: not the run of a crowd", path);
  source s = {.in = {.path = path,
                     .reading = crowd->bodies.reading,
                     .memory = &crowd->bodies.memory,
                     .error = error},
              .to = crowd};
  take_floors(&s);
  take_goals(&s);
  take_people(&s);
  take_exits(&s);
  take_maps(&s);
  take_walls(&s);
  return s.in.status;
}

void pc_recorded_crowd_free(pc_recorded_crowd *crowd)
{
  pc_recorded_free(&crowd->bodies);
  *crowd = (pc_recorded_crowd){.floors = 0};
}

int pc_recorded_cell(const pc_recorded_crowd *crowd, int floor_number, const double place[2])
{
  const pc_recorded_floor *own = &crowd->floor[floor_number];
  double x = floor((place[0] - own->origin[0]) / crowd->maps.spacing);
  double y = floor((place[1] - own->origin[1]) / crowd->maps.spacing);
  return own->cell != NULL && x >= 0 && y >= 0 && x < own->columns && y < own->rows
             ? own->cell[(size_t)y * (size_t)own->columns + (size_t)x]
             : -1;
}

bool pc_recorded_make_interval(pc_recorded_crowd *crowd, pc_recorded_interval *interval)
{
  double **const all[] = {&interval->density, &interval->around, &interval->pressure, NULL};
  interval->time = 0;
  return pc_arena_take_vectors(&crowd->bodies.memory, crowd->maps.cells + 1, all);
}

// Density over the cells near this one that it sees.
static double density_around(const pc_recorded_crowd *crowd, int cell, const double *density)
{
  const pc_recorded_maps *m = &crowd->maps;
  const pc_recorded_floor *own = &crowd->floor[m->floor[cell]];
  double people = 0, area = 0;
  for (int dy = -m->reach, bit = 0; dy <= m->reach; dy++)
    for (int dx = -m->reach; dx <= m->reach; dx++, bit++) {
      int column = m->square[cell][0] + dx, row = m->square[cell][1] + dy;
      bool seen = m->seen == NULL || ((uint64_t)m->seen[cell][bit / 64] >> bit % 64 & 1) != 0;
      if (!seen || column < 0 || row < 0 || column >= own->columns || row >= own->rows)
        continue;
      int other = own->cell[(size_t)row * (size_t)own->columns + (size_t)column];
      if (other < 0)
        continue;
      people += density[other] * m->area[other];
      area += m->area[other];
    }
  return area > 0 ? people / area : 0;
}

pc_status pc_recorded_read_interval(pc_recorded_crowd *crowd, long k, pc_recorded_interval *i,
                                    pc_error *error)
{
  pc_reading *reading = crowd->bodies.reading;
  double before = 0;
  if (k > 0)
    pc_reading_rows(reading, "maps/time", k - 1, 1, PC_RECORD_DOUBLE, &before, error);
  const struct {
    const char *name;
    double *to;
  } parts[] = {
      {"maps/time", &i->time}, {"maps/density", i->density}, {"maps/pressure", i->pressure}};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
    if (pc_reading_rows(reading, parts[p].name, k, 1, PC_RECORD_DOUBLE, parts[p].to, error) !=
        PC_OK)
      return error->status;
  if (!isfinite(i->time) || !isfinite(before))
    return pc_fail(error, PC_ERROR_INPUT, "maps/time: a time is not finite");
  i->span = i->time - before;
  for (int c = 0; c < crowd->maps.cells; c++)
    i->around[c] = density_around(crowd, c, i->density);
  return PC_OK;
}

bool pc_recorded_make_people(pc_recorded_crowd *crowd, pc_recorded_people *people)
{
  pc_arena *memory = &crowd->bodies.memory;
  size_t n = (size_t)crowd->people + 1;
  people->present = pc_arena_take(memory, n, sizeof *people->present);
  people->floor = pc_arena_take(memory, n, sizeof *people->floor);
  people->place = pc_arena_take(memory, n, sizeof *people->place);
  people->position =
      pc_arena_take(memory, 3 * ((size_t)crowd->bodies.bodies + 1), sizeof *people->position);
  return !memory->failed;
}

pc_status pc_recorded_read_people(pc_recorded_crowd *crowd, long k, pc_recorded_people *people,
                                  pc_error *error)
{
  pc_reading *reading = crowd->bodies.reading;
  const struct {
    const char *name;
    pc_record_type as;
    void *to;
  } parts[] = {{"frames/time", PC_RECORD_DOUBLE, &people->time},
               {"frames/present", PC_RECORD_BYTE, people->present},
               {"frames/floor", PC_RECORD_INT, people->floor},
               {"frames/position", PC_RECORD_DOUBLE, people->position}};
  for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
    if (pc_reading_rows(reading, parts[p].name, k, 1, parts[p].as, parts[p].to, error) != PC_OK)
      return error->status;
  if (!isfinite(people->time))
    return pc_fail(error, PC_ERROR_INPUT, "frames/time: a time is not finite");
  for (int i = 0; i < crowd->people; i++) {
    const double *at = people->position + 3 * (size_t)crowd->bodies.person_body[i];
    if (people->floor[i] < 0 || people->floor[i] >= crowd->floors)
      return pc_fail(error, PC_ERROR_INPUT, "frames/floor: an index is out of range");
    people->place[i][0] = at[0] - crowd->floor[people->floor[i]].offset;
    people->place[i][1] = at[1];
  }
  return PC_OK;
}
