#include "crowd/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"

// The best of the straight ways from x to the edge a b, with times `ta`, `tb` at its ends and this
// slowness; `to` is where it meets the edge.
static double over_edge(const double x[2], const double a[2], double ta, const double b[2],
                        double tb, double slowness, double to[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, length = sqrt(d[0] * d[0] + d[1] * d[1]);
  double along = ((x[0] - a[0]) * d[0] + (x[1] - a[1]) * d[1]) / length;
  double across = fabs((x[0] - a[0]) * d[1] - (x[1] - a[1]) * d[0]) / length;
  double slope = (tb - ta) / (slowness * length), s;
  if (slope >= 1)
    s = 0;
  else if (slope <= -1)
    s = 1;
  else
    s = (along - slope * across / sqrt(1 - slope * slope)) / length;
  s = s < 0 ? 0 : s > 1 ? 1 : s;
  to[0] = a[0] + s * d[0];
  to[1] = a[1] + s * d[1];
  return ta + s * (tb - ta) + slowness * pc_hypot(x[0] - to[0], x[1] - to[1]);
}

// Nodes and, after them, corners.
typedef struct march {
  pc_field *field;
  const pc_grid *grid;
  int nodes, corners;
  double *corner_time;
  unsigned char *known;
  int *heap, *seat; // seat: where it is in the heap, from 1; 0: nowhere
  int count;
} march;

static double *time_of(const march *m, int i)
{
  return i < m->nodes ? m->field->time + i : m->corner_time + (i - m->nodes);
}

static void seat_at(march *m, int seat, int i)
{
  m->heap[seat] = i;
  m->seat[i] = seat;
}

static void rise(march *m, int seat)
{
  int i = m->heap[seat];
  double time = *time_of(m, i);
  while (seat > 1 && *time_of(m, m->heap[seat / 2]) > time) {
    seat_at(m, seat, m->heap[seat / 2]);
    seat /= 2;
  }
  seat_at(m, seat, i);
}

static int take_first(march *m)
{
  int first = m->heap[1], i = m->heap[m->count--], seat = 1;
  m->seat[first] = 0;
  if (m->count == 0)
    return first;
  double time = *time_of(m, i);
  for (int child = 2; child <= m->count; child = 2 * seat) {
    if (child < m->count && *time_of(m, m->heap[child + 1]) < *time_of(m, m->heap[child]))
      child++;
    if (*time_of(m, m->heap[child]) >= time)
      break;
    seat_at(m, seat, m->heap[child]);
    seat = child;
  }
  seat_at(m, seat, i);
  return first;
}

// Offers a time to a node or corner; true if it is shorter.
static bool offer(march *m, int i, double time)
{
  double *own = time_of(m, i);
  if (m->known[i] || !(time < *own))
    return false;
  *own = time;
  if (m->seat[i] == 0)
    seat_at(m, ++m->count, i);
  rise(m, m->seat[i]);
  return true;
}

// Where `way` and `open` have a node: along the shorter side first, so that a step, which asks for
// people one after the other as they stand, finds what it needs close together.
static inline size_t place_of(const pc_grid *grid, int column, int row)
{
  return grid->columns > grid->rows ? (size_t)column * grid->rows + row
                                    : (size_t)row * grid->columns + column;
}

static float *way_at(const pc_field *field, int node)
{
  int columns = field->grid->columns;
  return field->way[place_of(field->grid, node % columns, node / columns)];
}

static void head(pc_field *field, int node, const double p[2], const double to[2])
{
  float *way = way_at(field, node);
  double d[2] = {to[0] - p[0], to[1] - p[1]}, size = pc_hypot(d[0], d[1]);
  for (int k = 0; k < 2; k++)
    way[k] = size > 0 ? (float)(d[k] / size) : 0;
}

static void offer_straight(march *m, int node, const double p[2], const double to[2], double time)
{
  if (offer(m, node, time))
    head(m->field, node, p, to);
}

// Updates the neighbour in direction k of a node that has just become known.
static void offer_neighbour(march *m, int node, int k)
{
  const pc_grid *grid = m->grid;
  const double *times = m->field->time;
  int column = node % grid->columns + PC_GRID_STEP[k][0],
      row = node / grid->columns + PC_GRID_STEP[k][1];
  int x = row * grid->columns + column, back = (k + 4) % 8;
  if (m->known[x])
    return;
  double place[2], from[2], to[2];
  pc_grid_place(grid, column, row, place);
  pc_grid_place(grid, column - PC_GRID_STEP[k][0], row - PC_GRID_STEP[k][1], from);
  double slowness = 0.5 * (grid->slowness[x] + grid->slowness[node]);
  offer_straight(m, x, place, from,
                 times[node] + slowness * pc_hypot(place[0] - from[0], place[1] - from[1]));
  for (int side = 1; side < 8; side += 6) { // the two triangles that it makes with x
    int other = (back + side) % 8, c = column + PC_GRID_STEP[other][0],
        r = row + PC_GRID_STEP[other][1];
    int y = r * grid->columns + c;
    if (grid->barred[x] >> other & 1 || !m->known[y])
      continue;
    // The edge between the two must be open: a step along one of the axes.
    int dx = c - (column - PC_GRID_STEP[k][0]), dy = r - (row - PC_GRID_STEP[k][1]);
    int edge = dx == 1 ? 0 : dy == 1 ? 2 : dx == -1 ? 4 : 6;
    if (grid->barred[node] >> edge & 1)
      continue;
    double there[2];
    pc_grid_place(grid, c, r, there);
    double mean = 0.5 * grid->slowness[x] + 0.25 * (grid->slowness[node] + grid->slowness[y]);
    double time = over_edge(place, from, times[node], there, times[y], mean, to);
    offer_straight(m, x, place, to, time);
  }
}

// Nodes around a place, at most `reach` away.
typedef struct patch {
  int low[2], high[2];
} patch;

static patch patch_of(const pc_grid *grid, const double low[2], const double high[2], double reach)
{
  patch p;
  for (int k = 0; k < 2; k++) {
    int last = (k == 0 ? grid->columns : grid->rows) - 1;
    double first = ceil((low[k] - reach - grid->low[k]) / grid->spacing);
    double final = floor((high[k] + reach - grid->low[k]) / grid->spacing);
    p.low[k] = first < 0 ? 0 : first > last ? last + 1 : (int)first;
    p.high[k] = final < 0 ? -1 : final > last ? last : (int) final;
  }
  return p;
}

// How far straight paths are taken from goals and corners. Beyond, fronts are flat enough for
// triangles, which follow strongly bent fronts badly.
static double straight_reach(const pc_grid *grid)
{
  return grid->even ? fmax(0.5, 4 * grid->spacing) : 2 * grid->spacing;
}

// The nearest point of a goal.
static void nearest_of_goal(const pc_goal *goal, const double p[2], double nearest[2])
{
  double best = INFINITY;
  int edges = goal->area ? goal->count : goal->count > 1 ? goal->count - 1 : 1;
  if (goal->area && pc_is_inside(goal->count, goal->point, p)) {
    nearest[0] = p[0], nearest[1] = p[1];
    return;
  }
  for (int i = 0; i < edges; i++) {
    double at[2];
    pc_nearest_on_line(p, goal->point[i], goal->point[(i + 1) % goal->count], at);
    double away = pc_hypot(p[0] - at[0], p[1] - at[1]);
    if (away < best) {
      best = away;
      memcpy(nearest, at, sizeof at);
    }
  }
}

static void start_goal(march *m, const pc_goal *goal)
{
  const pc_grid *grid = m->grid;
  double low[2], high[2], reach = straight_reach(grid);
  pc_box_of_points(goal->count, goal->point, low, high);
  patch square = patch_of(grid, low, high, reach);
  for (int row = square.low[1]; row <= square.high[1]; row++)
    for (int column = square.low[0]; column <= square.high[0]; column++) {
      int node = row * grid->columns + column;
      double p[2], to[2] = {0, 0};
      pc_grid_place(grid, column, row, p);
      nearest_of_goal(goal, p, to);
      double away = pc_hypot(p[0] - to[0], p[1] - to[1]);
      // Not quite to the goal, which may lie between two posts.
      double near[2] = {to[0] + 1e-6 * (p[0] - to[0]), to[1] + 1e-6 * (p[1] - to[1])};
      if (away <= reach && !pc_layout_bars(grid->plan, p, near))
        offer_straight(m, node, p, to, goal->after + grid->slowness[node] * away);
    }
}

// Whether a corner, which is on a wall itself, sees a place.
static bool corner_sees(const pc_grid *grid, const pc_corner *corner, const double p[2])
{
  double out[2];
  for (int k = 0; k < 2; k++) // just before the wall
    out[k] = corner->place[k] + 1e-6 * (p[k] - corner->place[k]) + 1e-9 * corner->middle[k];
  return pc_corner_faces(corner, p) && !pc_grid_bars(grid, p, out);
}

// Updates a corner near a node that has just become known: straight from the node, or between it
// and one of its neighbours.
static void offer_corner(march *m, int node, int corner)
{
  const pc_grid *grid = m->grid;
  const pc_corner *own = &grid->corners.at[corner];
  const double *c = own->place, *times = m->field->time;
  int column = node % grid->columns, row = node / grid->columns;
  double p[2], q[2], to[2], slowness = grid->slowness[node];
  pc_grid_place(grid, column, row, p);
  if (!corner_sees(grid, own, p))
    return;
  offer(m, m->nodes + corner, times[node] + slowness * pc_hypot(p[0] - c[0], p[1] - c[1]));
  for (int k = 0; k < 8; k += 2) {
    int other = node + PC_GRID_STEP[k][1] * grid->columns + PC_GRID_STEP[k][0];
    if (grid->barred[node] >> k & 1 || !m->known[other])
      continue;
    pc_grid_place(grid, column + PC_GRID_STEP[k][0], row + PC_GRID_STEP[k][1], q);
    if (corner_sees(grid, own, q))
      offer(m, m->nodes + corner, over_edge(c, p, times[node], q, times[other], slowness, to));
  }
}

static void leave_corner(march *m, int corner)
{
  const pc_grid *grid = m->grid;
  const pc_corner *own = &grid->corners.at[corner];
  const double *c = own->place;
  double reach = straight_reach(grid), time = m->corner_time[corner];
  patch square = patch_of(grid, c, c, reach);
  for (int k = 0; k < 2 && own->ring[k] >= 0; k++)
    offer(m, m->nodes + own->ring[k], time + m->grid->slowness[0] * own->arc);
  for (int row = square.low[1]; row <= square.high[1]; row++)
    for (int column = square.low[0]; column <= square.high[0]; column++) {
      int node = row * grid->columns + column;
      double p[2];
      pc_grid_place(grid, column, row, p);
      double away = pc_hypot(p[0] - c[0], p[1] - c[1]);
      double arrival = time + grid->slowness[node] * away;
      if (away > reach || m->known[node] || !(arrival < m->field->time[node]))
        continue;
      if (corner_sees(grid, own, p))
        offer_straight(m, node, p, c, arrival);
    }
}

// Corners by the square of four nodes that they are in.
typedef struct corner_list {
  int *first, *next;
} corner_list;

static void list_by_square(const pc_grid *grid, corner_list *list)
{
  for (size_t i = 0; i < (size_t)grid->columns * grid->rows; i++)
    list->first[i] = -1;
  for (int i = 0; i < grid->corners.count; i++) {
    int column = (int)floor((grid->corners.at[i].place[0] - grid->low[0]) / grid->spacing);
    int row = (int)floor((grid->corners.at[i].place[1] - grid->low[1]) / grid->spacing);
    if (!pc_grid_has(grid, column, row))
      continue;
    int square = row * grid->columns + column;
    list->next[i] = list->first[square];
    list->first[square] = i;
  }
}

// The corners of the squares around a node that has become known.
static void offer_corners(march *m, int node, const corner_list *list)
{
  const pc_grid *grid = m->grid;
  int column = node % grid->columns, row = node / grid->columns;
  for (int r = row - 1; r <= row; r++)
    for (int c = column - 1; c <= column; c++)
      for (int i = pc_grid_has(grid, c, r) ? list->first[r * grid->columns + c] : -1; i >= 0;
           i = list->next[i])
        if (!m->known[m->nodes + i])
          offer_corner(m, node, i);
}

// Beside a wall that does not lie on the grid, a node may have no triangle in the direction of the
// shortest way: the wall cuts it. The way to the best neighbour is then a zigzag that leads off the
// wall. The front of that neighbour is plane nearby: where its way is free from here too, it is the
// way, and the time follows from it.
static void align_with_wall(march *m, int node)
{
  const pc_grid *grid = m->grid;
  const double LEAST_COSINE = 0.7, GAIN = 1e-3, AHEAD = 2; // AHEAD: in spacings
  double p[2], q[2], best = LEAST_COSINE, *own = m->field->time + node;
  int from = -1;
  pc_grid_place(grid, node % grid->columns, node / grid->columns, p);
  for (int k = 0; k < 8; k++) {
    int other = node + PC_GRID_STEP[k][1] * grid->columns + PC_GRID_STEP[k][0];
    if (grid->barred[node] >> k & 1 || !m->known[other] ||
        grid->slowness[other] != grid->slowness[node])
      continue;
    const float *way = way_at(m->field, other);
    double length = grid->spacing * (k % 2 ? sqrt(2) : 1);
    double cosine = grid->spacing *
                    (PC_GRID_STEP[k][0] * (double)way[0] + PC_GRID_STEP[k][1] * (double)way[1]) /
                    length;
    double time = m->field->time[other] + grid->slowness[node] * length * cosine;
    double across = PC_GRID_STEP[k][0] * (double)way[1] - PC_GRID_STEP[k][1] * (double)way[0];
    if (!(grid->barred[node] >> ((k + (across > 0 ? 1 : 7)) % 8) & 1))
      continue; // no wall cuts the triangle
    for (int x = 0; x < 2; x++)
      q[x] = p[x] + AHEAD * grid->spacing * (double)way[x];
    if (cosine > best && time < *own - GAIN * grid->slowness[node] * grid->spacing &&
        !pc_grid_bars(grid, p, q)) {
      best = cosine;
      from = other;
    }
  }
  if (from < 0)
    return;
  const float *way = way_at(m->field, from);
  double there[2];
  pc_grid_place(grid, from % grid->columns, from / grid->columns, there);
  *own = m->field->time[from] + grid->slowness[node] * ((there[0] - p[0]) * (double)way[0] +
                                                        (there[1] - p[1]) * (double)way[1]);
  memcpy(way_at(m->field, node), way, 2 * sizeof *way);
}

// Whether the way of a node leads along a step of the grid.
static bool is_step(const march *m, int node)
{
  const float *way = way_at(m->field, node);
  double x = fabs((double)way[0]), y = fabs((double)way[1]);
  return fmin(x, y) < 1e-6 || fabs(x - y) < 1e-6;
}

static void march_on(march *m, const corner_list *list)
{
  while (m->count > 0) {
    int i = take_first(m);
    m->known[i] = 1;
    if (i >= m->nodes) {
      leave_corner(m, i - m->nodes);
      continue;
    }
    if (m->grid->barred[i] != 0 && is_step(m, i))
      align_with_wall(m, i);
    for (int k = 0; k < 8; k++)
      if (!(m->grid->barred[i] >> k & 1))
        offer_neighbour(m, i, k);
    if (m->corners > 0)
      offer_corners(m, i, list);
  }
}

// Zeroed memory, in large pages if it is large: people are everywhere in a field.
static void *make_zeros(int count, size_t size)
{
  void *array = NULL;
  int capacity = 0;
  if (pc_grow(&array, &capacity, count, size))
    memset(array, 0, size * (size_t)count);
  return array;
}

pc_status pc_field_make(pc_field *field, const pc_grid *grid, pc_error *error)
{
  int nodes = grid->columns * grid->rows;
  *field = (pc_field){.grid = grid};
  field->time = make_zeros(nodes, sizeof *field->time);
  field->way = make_zeros(nodes, sizeof *field->way);
  field->open = make_zeros(nodes, 1);
  if (field->time == NULL || field->way == NULL || field->open == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

void pc_field_free(pc_field *field)
{
  free(field->time);
  free(field->way);
  free(field->open);
  free(field->goal);
  free(field->point);
  *field = (pc_field){0};
}

// Keeps the goals: close to a goal people walk straight to it, not to nodes.
static bool keep_goals(pc_field *field, int goals, const pc_goal *goal)
{
  int points = 0;
  for (int i = 0; i < goals; i++)
    points += goal[i].count;
  pc_goal *own = calloc((size_t)goals + 1, sizeof *own);
  double(*point)[2] = calloc((size_t)points + 1, sizeof *point);
  free(field->goal);
  free(field->point);
  field->goal = own;
  field->point = point;
  field->goals = own != NULL && point != NULL ? goals : 0;
  for (int i = 0; i < field->goals; i++) {
    own[i] = goal[i];
    own[i].point = (const double(*)[2])point;
    memcpy(point, goal[i].point, (size_t)goal[i].count * sizeof *point);
    point += goal[i].count;
  }
  return own != NULL && field->point != NULL;
}

// Whether nothing bars the steps around the square up and right of a node and across it, and its
// nodes are reached. People query it at every step: one byte instead of four times and walls.
static bool is_open(const pc_field *field, int column, int row)
{
  enum { RIGHT = 1, BOTH = 2, UP = 4, LEFT_UP = 8, LEFT = 16, DOWN = 64 };
  const pc_grid *grid = field->grid;
  int a = row * grid->columns + column, b = a + 1, c = a + grid->columns, d = c + 1;
  return !(grid->barred[a] & (RIGHT | BOTH | UP)) && !(grid->barred[b] & (LEFT_UP | UP)) &&
         !(grid->barred[d] & (LEFT | DOWN)) && isfinite(field->time[a]) &&
         isfinite(field->time[b]) && isfinite(field->time[c]) && isfinite(field->time[d]);
}

static void note_open(pc_field *field)
{
  int columns = field->grid->columns, rows = field->grid->rows;
  for (int row = 0; row < rows - 1; row++)
    for (int column = 0; column < columns - 1; column++)
      field->open[place_of(field->grid, column, row)] = is_open(field, column, row);
}

pc_status pc_field_solve(pc_field *field, int goals, const pc_goal *goal, pc_error *error)
{
  const pc_grid *grid = field->grid;
  int nodes = grid->columns * grid->rows, corners = grid->even ? grid->corners.count : 0;
  size_t all = (size_t)nodes + (size_t)corners;
  pc_arena arena = {0};
  march m = {.field = field, .grid = grid, .nodes = nodes, .corners = corners};
  m.corner_time = pc_arena_take(&arena, (size_t)corners + 1, sizeof *m.corner_time);
  m.known = pc_arena_take(&arena, all, sizeof *m.known);
  m.heap = pc_arena_take(&arena, all + 1, sizeof *m.heap);
  m.seat = pc_arena_take(&arena, all, sizeof *m.seat);
  corner_list list = {pc_arena_take(&arena, (size_t)nodes, sizeof(int)),
                      pc_arena_take(&arena, (size_t)grid->corners.count + 1, sizeof(int))};
  if (!keep_goals(field, goals, goal) || arena.failed) {
    pc_arena_free(&arena);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  for (int i = 0; i < nodes; i++)
    field->time[i] = INFINITY;
  for (int i = 0; i < corners; i++)
    m.corner_time[i] = INFINITY;
  memset(field->way, 0, (size_t)nodes * sizeof *field->way);
  if (corners > 0)
    list_by_square(grid, &list);
  for (int i = 0; i < goals; i++)
    start_goal(&m, goal + i);
  march_on(&m, &list);
  note_open(field);
  pc_arena_free(&arena);
  return PC_OK;
}

// The square of nodes around a point, and what part of it lies before the point.
typedef struct spot {
  int column, row;
  double part[2];
} spot;
static bool find_square(const pc_grid *grid, const double p[2], spot *found)
{
  double c = (p[0] - grid->low[0]) / grid->spacing, r = (p[1] - grid->low[1]) / grid->spacing;
  if (!(c >= 0 && r >= 0 && c < grid->columns - 1 && r < grid->rows - 1))
    return false;
  *found = (spot){(int)c, (int)r, {c - (int)c, r - (int)r}};
  return true;
}

// The same for goals that can be reached straight; `way` becomes the nearest point.
static double look_at_goals(const pc_field *field, const double p[2], double best, double way[2])
{
  const pc_grid *grid = field->grid;
  int column = (int)round((p[0] - grid->low[0]) / grid->spacing);
  int row = (int)round((p[1] - grid->low[1]) / grid->spacing);
  double slowness =
      pc_grid_has(grid, column, row) ? grid->slowness[row * grid->columns + column] : 1;
  for (int i = 0; i < field->goals; i++) {
    double to[2] = {0, 0};
    nearest_of_goal(&field->goal[i], p, to);
    double away = pc_hypot(p[0] - to[0], p[1] - to[1]);
    double near[2] = {to[0] + 1e-6 * (p[0] - to[0]), to[1] + 1e-6 * (p[1] - to[1])};
    double time = field->goal[i].after + slowness * away;
    if (away <= 2 * grid->spacing && time < best && !pc_layout_bars(grid->plan, p, near)) {
      best = time;
      memcpy(way, to, sizeof to);
    }
  }
  return best;
}

// The best path over the visible nodes around a point: straight to one, or over the edge between
// two.
static double look_around(const pc_field *field, const double p[2], double way[2])
{
  enum { SIDE = 4 };
  const pc_grid *grid = field->grid;
  int column = (int)floor((p[0] - grid->low[0]) / grid->spacing) - 1;
  int row = (int)floor((p[1] - grid->low[1]) / grid->spacing) - 1;
  bool sees[SIDE][SIDE] = {0};
  double best = INFINITY;
  for (int r = 0; r < SIDE; r++)
    for (int c = 0; c < SIDE; c++) {
      int node = (row + r) * grid->columns + column + c;
      double at[2], before[2], to[2];
      if (!pc_grid_has(grid, column + c, row + r) || !isfinite(field->time[node]))
        continue;
      pc_grid_place(grid, column + c, row + r, at);
      if (pc_grid_bars(grid, p, at))
        continue;
      sees[r][c] = true;
      double slowness = grid->slowness[node], time;
      time = field->time[node] + slowness * pc_hypot(p[0] - at[0], p[1] - at[1]);
      if (time < best) {
        best = time;
        memcpy(way, at, sizeof at);
      }
      for (int side = 0; side < 2; side++) { // with the node to the left, and the one below
        int other = node - (side == 0 ? 1 : grid->columns);
        if ((side == 0 ? c == 0 || !sees[r][c - 1] : r == 0 || !sees[r - 1][c]) ||
            grid->barred[node] >> (side == 0 ? 4 : 6) & 1)
          continue;
        pc_grid_place(grid, column + c - (side == 0), row + r - (side == 1), before);
        time = over_edge(p, at, field->time[node], before, field->time[other], slowness, to);
        if (time < best) {
          best = time;
          memcpy(way, to, sizeof to);
        }
      }
    }
  best = fmin(best, look_at_goals(field, p, best, way));
  for (int k = 0; k < 2; k++)
    way[k] -= p[k];
  return best;
}

double pc_field_time(const pc_field *field, const double p[2])
{
  const pc_grid *grid = field->grid;
  spot at;
  double way[2] = {0, 0};
  if (!find_square(grid, p, &at))
    return INFINITY;
  if (!field->open[place_of(grid, at.column, at.row)])
    return look_around(field, p, way);
  double x = at.part[0], y = at.part[1];
  const double *t = field->time + (size_t)at.row * grid->columns + at.column;
  return (1 - y) * ((1 - x) * t[0] + x * t[1]) +
         y * ((1 - x) * t[grid->columns] + x * t[grid->columns + 1]);
}

typedef double two __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));

static inline two two_at(const pc_field *field, size_t node)
{
  two_floats way;
  memcpy(&way, field->way[node], sizeof way);
  return __builtin_convertvector(way, two);
}

// The places of some points in units of the spacing, and the nodes of the squares they are in;
// behind the last node where they are in none.
typedef struct squares {
  double column[PC_WAYS], row[PC_WAYS];
  int node[PC_WAYS];
} squares;

static void find_squares(const pc_field *field, const pc_ways *ways, squares *in)
{
  const pc_grid *grid = field->grid;
  const double *low = grid->low, spacing = grid->spacing;
  const double last[2] = {grid->columns - 1, grid->rows - 1};
  const int right = (int)place_of(grid, 1, 0), above = (int)place_of(grid, 0, 1);
  const int none = grid->columns * grid->rows;
  for (int i = 0; i < ways->count; i++) {
    double c = (ways->at[0][i] - low[0]) / spacing, r = (ways->at[1][i] - low[1]) / spacing;
    bool inside = (c >= 0) & (r >= 0) & (c < last[0]) & (r < last[1]);
    int column = (int)(inside ? c : 0), row = (int)(inside ? r : 0);
    in->column[i] = c - column;
    in->row[i] = r - row;
    in->node[i] = inside ? column * right + row * above : none;
  }
  for (int i = 0; i < ways->count; i++) {
    size_t node = in->node[i] < none ? (size_t)in->node[i] : 0;
    __builtin_prefetch(field->open + node);
    __builtin_prefetch(field->way + node);
    __builtin_prefetch(field->way + node + right + above);
  }
}

static void scale_to_units(pc_ways *ways)
{
  double *x = ways->way[0], *y = ways->way[1];
  for (int i = 0; i < ways->count; i++) {
    double size = sqrt(x[i] * x[i] + y[i] * y[i]);
    x[i] = size > 0 ? x[i] / size : 0;
    y[i] = size > 0 ? y[i] / size : 0;
  }
}

void pc_field_ways(const pc_field *field, pc_ways *ways)
{
  const pc_grid *grid = field->grid;
  const int none = grid->columns * grid->rows;
  // The nodes to the right and above.
  const size_t right = place_of(grid, 1, 0), above = place_of(grid, 0, 1);
  squares in;
  find_squares(field, ways, &in);
  for (int i = 0; i < ways->count; i++) {
    size_t node = (size_t)in.node[i];
    two way = {0, 0};
    if (in.node[i] < none && field->open[node]) {
      double x = in.column[i], y = in.row[i];
      two a = two_at(field, node), b = two_at(field, node + right);
      two c = two_at(field, node + above), d = two_at(field, node + right + above);
      way = (1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * c + x * d);
    } else if (in.node[i] < none) {
      double p[2] = {ways->at[0][i], ways->at[1][i]}, to[2];
      if (isfinite(look_around(field, p, to)))
        way = (two){to[0], to[1]};
    }
    ways->way[0][i] = way[0];
    ways->way[1][i] = way[1];
  }
  scale_to_units(ways);
}

bool pc_field_way(const pc_field *field, const double p[2], double way[2])
{
  pc_ways one = {.count = 1, .at = {{p[0]}, {p[1]}}};
  pc_field_ways(field, &one);
  way[0] = one.way[0][0];
  way[1] = one.way[1][0];
  return way[0] != 0 || way[1] != 0;
}
