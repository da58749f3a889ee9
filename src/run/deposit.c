#include "run/deposit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "record/replace.h"
#include "run/files.h"

static const double MAX_CELLS = 3e7;
static const double NO_DATA = -9999;

static pc_pose pose_of(const pc_world *world, pc_body body)
{
  pc_body_state state;
  double arm[3];
  pc_body_get(world, body, &state);
  pc_body_get_arm(world, body, state.orientation, arm);
  pc_pose pose = pc_pose_of(state.position, state.orientation);
  for (int k = 0; k < 3; k++)
    pose.position[k] += arm[k];
  return pose;
}

static void lift(void *context, const double centre[3], double radius)
{
  double *highest = context;
  if (centre[2] + radius > highest[2]) {
    memcpy(highest, centre, 2 * sizeof *highest);
    highest[2] = centre[2] + radius;
  }
}

pc_status pc_deposit_begin(pc_deposit_start *start, const pc_scene *scene, pc_error *error)
{
  const pc_deposit_def *def = &scene->deposit;
  *start = (pc_deposit_start){.highest = {0, 0, -INFINITY}};
  start->position = calloc((size_t)scene->bodies + 1, sizeof *start->position);
  start->counts = calloc((size_t)scene->bodies + 1, sizeof *start->counts);
  if (start->position == NULL || start->counts == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < (def->count > 0 ? def->count : scene->bodies); i++) {
    pc_body body = def->count > 0 ? def->bodies[i] : (pc_body){i + 1};
    start->counts[body.id - 1] = pc_body_get_kind(scene->world, body) == PC_FREE;
  }
  for (int i = 0; i < scene->bodies; i++) {
    pc_body body = {i + 1};
    pc_body_state state;
    pc_body_get(scene->world, body, &state);
    memcpy(start->position[i], state.position, sizeof state.position);
    if (!start->counts[i])
      continue;
    pc_pose pose = pose_of(scene->world, body);
    pc_shape_visit_balls(pc_body_get_shape(scene->world, body), &pose, lift, start->highest);
  }
  return PC_OK;
}

void pc_deposit_free(pc_deposit_start *start)
{
  free(start->position);
  free(start->counts);
  *start = (pc_deposit_start){0};
}

typedef struct ground_piece {
  const pc_shape *shape;
  pc_pose pose;
} ground_piece;

typedef struct measure {
  pc_arena memory;
  const pc_deposit_start *start;
  const pc_scene *scene;
  pc_deposit *out;
  ground_piece *piece;
  int pieces;
  bool *lies; // of every body: it is part of the deposit
  // The map, from south to north; two rings of cells around it are empty.
  int columns, rows;
  double corner[2], spacing;
  double *top, *thick;
} measure;

// The highest point of the obstacles; without `walls` of those alone that have no volume.
static bool find_ground(const measure *m, double x, double y, bool walls, double *height)
{
  bool found = false;
  for (int i = 0; i < m->pieces; i++) {
    double low, high;
    if ((!walls && pc_shape_has_volume(m->piece[i].shape)) ||
        !pc_shape_column(m->piece[i].shape, &m->piece[i].pose, x, y, &low, &high))
      continue;
    *height = found ? fmax(*height, high) : high;
    found = true;
  }
  return found;
}

static bool gather_ground(measure *m)
{
  const pc_world *world = m->scene->world;
  m->piece = pc_arena_take(&m->memory, (size_t)m->scene->bodies + 1, sizeof *m->piece);
  m->lies = pc_arena_take(&m->memory, (size_t)m->scene->bodies + 1, sizeof *m->lies);
  if (m->memory.failed)
    return false;
  for (int i = 0; i < m->scene->bodies; i++) {
    pc_body body = {i + 1};
    if (pc_body_get_kind(world, body) != PC_FREE)
      m->piece[m->pieces++] = (ground_piece){pc_body_get_shape(world, body), pose_of(world, body)};
  }
  return true;
}

typedef struct toe {
  const double *from;
  double farthest, at[2];
} toe;

static void reach(void *context, const double centre[3], double radius)
{
  toe *t = context;
  double x = centre[0] - t->from[0], y = centre[1] - t->from[1], away = pc_hypot(x, y);
  if (away + radius <= t->farthest)
    return;
  double part = away > 0 ? (away + radius) / away : 0;
  t->farthest = away + radius;
  t->at[0] = t->from[0] + (away > 0 ? part * x : radius); // below it any side will do
  t->at[1] = t->from[1] + part * y;
}

// Whether the body is above the ground, and by how much it moved.
static void look_at(measure *m, int i, double *mass, double moment[3])
{
  pc_body body = {i + 1};
  const pc_shape *shape = pc_body_get_shape(m->scene->world, body);
  pc_body_state state;
  pc_body_get(m->scene->world, body, &state);
  const double *at = state.position, *before = m->start->position[i];
  double ground, speed = sqrt(pc_dot3(state.velocity, state.velocity));
  double spin = sqrt(pc_dot3(state.spin, state.spin));
  bool terrain = find_ground(m, at[0], at[1], false, &ground);
  m->lies[i] = terrain ? at[2] > ground : find_ground(m, at[0], at[1], true, &ground);
  m->out->moving += speed + spin * pc_shape_radius(shape) > m->scene->deposit.rest_speed;
  if (!m->lies[i]) {
    m->out->astray++;
    m->out->below += terrain;
    return;
  }
  m->out->bodies++;
  m->out->volume += pc_shape_mass(shape).volume;
  m->out->longest = fmax(m->out->longest, pc_hypot(at[0] - before[0], at[1] - before[1]));
  double own = pc_body_get_mass(m->scene->world, body);
  *mass += own;
  for (int k = 0; k < 3; k++)
    moment[k] += own * (at[k] - before[k]);
}

static void measure_reach(measure *m)
{
  const pc_world *world = m->scene->world;
  double mass = 0, moment[3] = {0};
  toe farthest = {.from = m->start->highest, .farthest = -1};
  double under[3] = {0}; // the centre of the body that has the toe
  for (int i = 0; i < m->scene->bodies; i++) {
    pc_body body = {i + 1};
    if (!m->start->counts[i] || !pc_body_is_present(m->scene->world, (pc_body){i + 1}))
      continue;
    look_at(m, i, &mass, moment);
    pc_pose pose = pose_of(world, body);
    double before = farthest.farthest;
    if (m->lies[i])
      pc_shape_visit_balls(pc_body_get_shape(world, body), &pose, reach, &farthest);
    if (farthest.farthest > before)
      memcpy(under, pose.position, sizeof under);
  }
  pc_deposit *out = m->out;
  out->runout = out->drop = out->reach_angle = out->centre_travel = out->centre_drop = NAN;
  if (out->bodies == 0)
    return;
  memcpy(out->source, m->start->highest, sizeof out->source);
  memcpy(out->toe, farthest.at, sizeof farthest.at);
  // A toe that hangs over the border of the terrain is as high as the ground below its body.
  if (!find_ground(m, out->toe[0], out->toe[1], true, &out->toe[2]) &&
      !find_ground(m, under[0], under[1], true, &out->toe[2]))
    out->toe[2] = NAN;
  out->runout = farthest.farthest;
  out->drop = out->source[2] - out->toe[2];
  out->reach_angle = pc_atan2(out->drop, out->runout) * 180 / pc_acos(-1);
  out->centre_travel = pc_hypot(moment[0], moment[1]) / mass;
  out->centre_drop = -moment[2] / mass;
}

static void size_map(measure *m)
{
  double low[2] = {0}, high[2] = {0}, count[2];
  bool first = true;
  for (int i = 0; i < m->scene->bodies; i++) {
    pc_body body = {i + 1};
    pc_pose pose = pose_of(m->scene->world, body);
    double box[6];
    if (!m->lies[i])
      continue;
    pc_shape_bounds(pc_body_get_shape(m->scene->world, body), &pose, box);
    for (int k = 0; k < 2; k++) {
      low[k] = first ? box[k] : fmin(low[k], box[k]);
      high[k] = first ? box[3 + k] : fmax(high[k], box[3 + k]);
    }
    first = false;
  }
  m->spacing = m->scene->deposit.spacing;
  for (;; m->spacing *= 2) {
    for (int k = 0; k < 2; k++) {
      m->corner[k] = m->spacing * (floor(low[k] / m->spacing) - 2);
      count[k] = ceil(high[k] / m->spacing) + 2 - floor(low[k] / m->spacing) + 2;
    }
    if (count[0] * count[1] <= MAX_CELLS)
      break;
  }
  m->columns = (int)count[0];
  m->rows = (int)count[1];
}

static double cell_x(const measure *m, int i)
{
  return m->corner[0] + (i + 0.5) * m->spacing;
}

static double cell_y(const measure *m, int j)
{
  return m->corner[1] + (j + 0.5) * m->spacing;
}

static int cell_number(double value, double corner, double spacing, int count)
{
  double i = floor((value - corner) / spacing);
  return i < 0 ? 0 : i >= count ? count - 1 : (int)i;
}

// The highest point of the body over the middles of the cells it covers.
static void cover(measure *m, int body_number)
{
  pc_body body = {body_number + 1};
  const pc_shape *shape = pc_body_get_shape(m->scene->world, body);
  pc_pose pose = pose_of(m->scene->world, body);
  double box[6];
  pc_shape_bounds(shape, &pose, box);
  int left = cell_number(box[0], m->corner[0], m->spacing, m->columns);
  int right = cell_number(box[3], m->corner[0], m->spacing, m->columns);
  int down = cell_number(box[1], m->corner[1], m->spacing, m->rows);
  int up = cell_number(box[4], m->corner[1], m->spacing, m->rows);
  for (int j = down; j <= up; j++)
    for (int i = left; i <= right; i++) {
      double low, high, *top = m->top + (size_t)j * (size_t)m->columns + i;
      if (pc_shape_column(shape, &pose, cell_x(m, i), cell_y(m, j), &low, &high))
        *top = fmax(*top, high);
    }
}

static bool make_map(measure *m)
{
  size_map(m);
  size_t cells = (size_t)m->columns * (size_t)m->rows;
  double cell = m->spacing * m->spacing;
  m->top = pc_arena_take_raw(&m->memory, cells, sizeof *m->top);
  m->thick = pc_arena_take(&m->memory, cells, sizeof *m->thick);
  if (m->memory.failed)
    return false;
  for (size_t c = 0; c < cells; c++)
    m->top[c] = -INFINITY;
  for (int i = 0; i < m->scene->bodies; i++)
    if (m->lies[i])
      cover(m, i);
  for (int j = 0; j < m->rows; j++)
    for (int i = 0; i < m->columns; i++) {
      size_t c = (size_t)j * (size_t)m->columns + (size_t)i;
      double ground;
      if (!isfinite(m->top[c]))
        continue;
      if (!find_ground(m, cell_x(m, i), cell_y(m, j), true, &ground)) {
        m->thick[c] = NAN;
        continue;
      }
      m->thick[c] = fmax(m->top[c] - ground, 0);
      m->out->thickest = fmax(m->out->thickest, m->thick[c]);
      m->out->bulk += cell * m->thick[c];
      m->out->area += m->thick[c] > m->scene->deposit.thinnest ? cell : 0;
    }
  m->out->spacing = m->spacing;
  return true;
}

static pc_status write_map(const measure *m, const char *path, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, pc_run_deposit.own, error);
  if (file == NULL)
    return error->status;
  pc_replace_print(file, "ncols %d\nnrows %d\nxllcorner ", m->columns, m->rows);
  pc_replace_number(file, m->corner[0], '\n');
  pc_replace_print(file, "yllcorner ");
  pc_replace_number(file, m->corner[1], '\n');
  pc_replace_print(file, "cellsize ");
  pc_replace_number(file, m->spacing, '\n');
  pc_replace_print(file, "NODATA_value ");
  pc_replace_number(file, NO_DATA, '\n');
  // A millionth of a metre is more than anybody measures.
  for (int j = m->rows - 1; j >= 0; j--)
    for (int i = 0; i < m->columns; i++) {
      double thick = m->thick[(size_t)j * (size_t)m->columns + i];
      pc_replace_number(file, isnan(thick) ? NO_DATA : round(1e6 * thick) / 1e6,
                        i + 1 < m->columns ? ' ' : '\n');
    }
  return pc_replace_end(file, error);
}

typedef double outline_point[2];
typedef struct outline_loop {
  int first, count; // points
  double area;
} outline_loop;

// Marching squares between the middles of cells. The line is where the thickness is `thinnest`, but
// thicker than twice that counts as twice: at a wall of blocks it is halfway between the cells.
// Crossing 2 c is on the way from cell c to the east, 2 c + 1 to the north.
typedef struct contour {
  const measure *m;
  int *next;                      // of a crossing, -1: none
  PC_ARRAY(outline_point) points; // of all loops
  PC_ARRAY(outline_loop) loops;
} contour;

static double level_at(const contour *c, int cell)
{
  double thick = c->m->thick[cell], thin = c->m->scene->deposit.thinnest;
  return isnan(thick) ? 0 : fmin(thick, 2 * thin);
}

// Links the crossings of one square, with the deposit on the left of the way.
static void link_square(contour *c, int i, int j)
{
  int columns = c->m->columns, cell = j * columns + i;
  int corner[4] = {cell, cell + 1, cell + columns + 1, cell + columns};
  int edge[4] = {2 * cell, 2 * (cell + 1) + 1, 2 * (cell + columns), 2 * cell + 1};
  double thin = c->m->scene->deposit.thinnest, level[4], sum = 0;
  int crossings = 0;
  for (int k = 0; k < 4; k++) {
    level[k] = level_at(c, corner[k]);
    sum += level[k];
  }
  for (int k = 0; k < 4; k++)
    crossings += (level[k] > thin) != (level[(k + 1) % 4] > thin);
  for (int k = 0; k < 4; k++) {
    if (!(level[k] > thin) || level[(k + 1) % 4] > thin)
      continue; // the way starts where, going round, the deposit ends
    int to = k;
    do
      to = (to + 1) % 4;
    while (level[to] > thin || !(level[(to + 1) % 4] > thin));
    if (crossings == 4) // two corners across: one piece if the middle is inside
      to = sum / 4 > thin ? (k + 1) % 4 : (k + 3) % 4;
    c->next[edge[k]] = edge[to];
  }
}

static bool add_point(contour *c, int crossing)
{
  const measure *m = c->m;
  int cell = crossing / 2, other = crossing % 2 == 0 ? cell + 1 : cell + m->columns;
  double a = level_at(c, cell), b = level_at(c, other);
  double part = (m->scene->deposit.thinnest - a) / (b - a);
  outline_point *place = pc_array_add(&c->points);
  if (place == NULL)
    return false;
  double *p = *place;
  p[0] = cell_x(m, cell % m->columns) + (crossing % 2 == 0 ? part * m->spacing : 0);
  p[1] = cell_y(m, cell / m->columns) + (crossing % 2 == 1 ? part * m->spacing : 0);
  return true;
}

static bool follow(contour *c, int first)
{
  int start = c->points.count;
  double area = 0;
  for (int at = first; c->next[at] >= 0;) {
    if (!add_point(c, at))
      return false;
    int next = c->next[at];
    c->next[at] = -1;
    at = next;
  }
  int count = c->points.count - start;
  for (int i = 0; i < count; i++) {
    const double *a = c->points.at[start + i], *b = c->points.at[start + (i + 1) % count];
    const double *o = c->points.at[start];
    area += 0.5 * ((a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]));
  }
  outline_loop *loop = pc_array_add(&c->loops);
  if (loop != NULL)
    *loop = (outline_loop){start, count, area};
  return loop != NULL;
}

static int larger_first(const void *a, const void *b)
{
  const outline_loop *p = a, *q = b;
  double x = fabs(p->area), y = fabs(q->area);
  return x != y ? (x < y) - (x > y) : p->first - q->first;
}

static pc_status write_outline(const contour *c, const char *path, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, pc_run_outline.own, error);
  if (file == NULL)
    return error->status;
  pc_run_write_head(file, &pc_run_outline, NULL);
  for (int l = 0; l < c->loops.count; l++)
    for (int i = 0; i <= c->loops.at[l].count; i++) {
      const double *p = c->points.at[c->loops.at[l].first + i % c->loops.at[l].count];
      pc_replace_print(file, "%d,", l + 1);
      pc_replace_number(file, p[0], ',');
      pc_replace_number(file, p[1], '\n');
    }
  return pc_replace_end(file, error);
}

static pc_status make_outline(const measure *m, const char *path, pc_error *error)
{
  contour c = {.m = m};
  size_t crossings = 2 * (size_t)m->columns * (size_t)m->rows;
  c.next = malloc(crossings * sizeof *c.next);
  bool whole = c.next != NULL;
  for (size_t i = 0; whole && i < crossings; i++)
    c.next[i] = -1;
  for (int j = 0; whole && j + 1 < m->rows; j++)
    for (int i = 0; i + 1 < m->columns; i++)
      link_square(&c, i, j);
  for (size_t i = 0; whole && i < crossings; i++)
    if (c.next[i] >= 0)
      whole = follow(&c, (int)i);
  pc_status status = PC_ERROR_MEMORY;
  if (whole) {
    if (c.loops.count > 0)
      qsort(c.loops.at, (size_t)c.loops.count, sizeof *c.loops.at, larger_first);
    status = write_outline(&c, path, error);
  } else {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  free(c.next);
  free(c.points.at);
  free(c.loops.at);
  return status;
}

pc_status pc_deposit_measure(const pc_deposit_start *start, const pc_scene *scene, const char *map,
                             const char *outline, pc_deposit *out, pc_error *error)
{
  *out = (pc_deposit){.measured = true};
  measure m = {.start = start, .scene = scene, .out = out};
  pc_status status = PC_OK;
  if (gather_ground(&m))
    measure_reach(&m);
  if (m.memory.failed || !make_map(&m))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && map != NULL)
    status = write_map(&m, map, error);
  if (status == PC_OK && outline != NULL)
    status = make_outline(&m, outline, error);
  pc_arena_free(&m.memory);
  return status;
}
