// Around walls without outlines: walls are cut where others end, what leads nowhere is taken away,
// and each connected part is followed along its outside.
#include "run/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "record/replace.h"
#include "run/crowd_files.h"
#include "run/files.h"
#include "scene/knots.h"

enum { SIDES = 64 };
static const double REACH = 1e-4; // m: ends that meet
static const double TURN = 6.283185307179586;

// A place on a wall.
typedef struct cut {
  int wall, knot;
  double along;
} cut;

typedef struct edge {
  int knot[2], next[2]; // at each end, the next edge there times 2 and its end, -1: none
  bool gone;
} edge;

typedef struct tracer {
  const pc_crowd *crowd;
  const pc_layout *plan;
  int floor;
  pc_knots knots; // each has its first edge times 2, and the end
  PC_ARRAY(cut) cuts;
  PC_ARRAY(edge) edges;
  PC_ARRAY(int) stack;
  bool *seen; // knots
} tracer;

static bool add_edge(tracer *t, int a, int b)
{
  edge *added = a != b ? pc_array_add(&t->edges) : NULL;
  if (added == NULL)
    return a == b;
  *added = (edge){.knot = {a, b}};
  for (int k = 0; k < 2; k++) {
    pc_knot *at = &t->knots.list.at[added->knot[k]];
    added->next[k] = at->first;
    at->first = 2 * (t->edges.count - 1) + k;
  }
  return true;
}

// Cuts all walls that go through a place.
static bool cut_walls(tracer *t, const double p[2])
{
  double box[4] = {p[0], p[1], p[0], p[1]};
  int low[2], high[2], knot = pc_knots_add(&t->knots, p[0], p[1]);
  pc_layout_squares(t->plan, box, REACH, low, high);
  for (int row = low[1]; row <= high[1] && knot >= 0; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = t->plan->start + row * t->plan->columns + column;
      for (int k = start[0]; k < start[1]; k++) {
        int i = t->plan->item[k];
        const double *w = i < t->plan->walls ? t->plan->wall[i] : NULL;
        if (w == NULL || pc_distance_to_line(p, w, w + 2) > REACH)
          continue;
        cut *added = pc_array_add(&t->cuts);
        if (added == NULL)
          return false;
        *added = (cut){i, knot, pc_hypot(p[0] - w[0], p[1] - w[1])};
      }
    }
  return knot >= 0;
}

static bool add_line(tracer *t, const double a[2], const double b[2])
{
  int one = cut_walls(t, a) ? pc_knots_add(&t->knots, a[0], a[1]) : -1;
  int two = one >= 0 && cut_walls(t, b) ? pc_knots_add(&t->knots, b[0], b[1]) : -1;
  return two >= 0 && add_edge(t, one, two);
}

static int by_place(const void *a, const void *b)
{
  const cut *one = a, *two = b;
  if (one->wall != two->wall)
    return one->wall < two->wall ? -1 : 1;
  if (one->along != two->along)
    return one->along < two->along ? -1 : 1;
  return (one->knot > two->knot) - (one->knot < two->knot);
}

static bool list_edges(tracer *t)
{
  const pc_crowd *crowd = t->crowd;
  bool room = true;
  for (int i = 0; i < 2 * t->plan->walls && room; i++)
    room = cut_walls(t, t->plan->wall[i / 2] + i % 2 * 2);
  for (int i = 0; i < crowd->targets.count && room; i++) {
    const pc_target *target = &crowd->targets.at[i];
    if (target->kind == PC_TARGET_EXIT && target->floor == t->floor)
      room = add_line(t, target->point[0], target->point[1]);
  }
  for (int i = 0; i < crowd->doors.count && room; i++)
    for (int k = 0; k + 1 < crowd->doors.at[i].count && crowd->doors.at[i].floor == t->floor; k++)
      room = room && add_line(t, crowd->doors.at[i].point[k], crowd->doors.at[i].point[k + 1]);
  if (t->cuts.count > 1)
    qsort(t->cuts.at, (size_t)t->cuts.count, sizeof *t->cuts.at, by_place);
  for (int i = 1; i < t->cuts.count && room; i++)
    if (t->cuts.at[i].wall == t->cuts.at[i - 1].wall)
      room = add_edge(t, t->cuts.at[i - 1].knot, t->cuts.at[i].knot);
  return room;
}

// The only edge of a knot times 2, and its end; -1: there are none or several.
static int only_edge(const tracer *t, int knot)
{
  int found = -1;
  for (int e = t->knots.list.at[knot].first; e >= 0; e = t->edges.at[e / 2].next[e % 2])
    if (!t->edges.at[e / 2].gone) {
      if (found >= 0)
        return -1;
      found = e;
    }
  return found;
}

static void take_loose_ends(tracer *t)
{
  for (int i = 0; i < t->knots.list.count; i++)
    for (int e, knot = i; (e = only_edge(t, knot)) >= 0;) {
      t->edges.at[e / 2].gone = true;
      knot = t->edges.at[e / 2].knot[1 - e % 2];
    }
}

// The edge at a knot that is first to the left of a direction, which looks back.
static int rightmost(const tracer *t, int knot, const double back[2])
{
  const double *p = t->knots.list.at[knot].at;
  double least = INFINITY;
  int best = -1;
  for (int e = t->knots.list.at[knot].first; e >= 0; e = t->edges.at[e / 2].next[e % 2]) {
    if (t->edges.at[e / 2].gone)
      continue;
    const double *q = t->knots.list.at[t->edges.at[e / 2].knot[1 - e % 2]].at;
    double d[2] = {q[0] - p[0], q[1] - p[1]};
    double angle = pc_atan2(back[0] * d[1] - back[1] * d[0], back[0] * d[0] + back[1] * d[1]);
    angle = angle > 1e-12 ? angle : angle + TURN;
    if (angle < least)
      least = angle, best = e;
  }
  return best;
}

// The outside of what is connected with a knot, its lowest one, with the inside to the left.
static bool follow(tracer *t, int start, pc_polygons *to)
{
  double back[2] = {0, -1};
  int first = to->points.count, e = rightmost(t, start, back), begin = e;
  for (int i = 0; i < 2 * t->edges.count && e >= 0 && (i == 0 || e != begin); i++) {
    int knot = t->edges.at[e / 2].knot[e % 2], next = t->edges.at[e / 2].knot[1 - e % 2];
    const double *p = t->knots.list.at[knot].at, *q = t->knots.list.at[next].at;
    double *added = pc_array_add(&to->points);
    if (added == NULL)
      return false;
    memcpy(added, p, sizeof t->knots.list.at[knot].at);
    for (int k = 0; k < 2; k++)
      back[k] = p[k] - q[k];
    e = rightmost(t, next, back);
  }
  if (to->points.count - first < 3) {
    to->points.count = first;
    return true;
  }
  double *last = pc_array_add(&to->points);
  if (last == NULL)
    return false;
  memcpy(last, to->points.at[first], sizeof *to->points.at);
  bool done = pc_polygons_add_ring(to, first, false, NULL) == PC_OK;
  to->count++;
  return done;
}

// Marks what is connected with a knot; gives its lowest one, of these the leftmost.
static int lowest_of_part(tracer *t, int from)
{
  int lowest = from;
  t->stack.count = 0;
  t->seen[from] = true;
  for (int knot = from; knot >= 0; knot = t->stack.count > 0 ? t->stack.at[--t->stack.count] : -1) {
    const double *p = t->knots.list.at[knot].at, *q = t->knots.list.at[lowest].at;
    if (p[1] < q[1] || (p[1] == q[1] && p[0] < q[0]))
      lowest = knot;
    for (int e = t->knots.list.at[knot].first; e >= 0; e = t->edges.at[e / 2].next[e % 2]) {
      int next = t->edges.at[e / 2].knot[1 - e % 2];
      int *added = t->edges.at[e / 2].gone || t->seen[next] ? NULL : pc_array_add(&t->stack);
      if (added != NULL) {
        *added = next;
        t->seen[next] = true;
      }
    }
  }
  return lowest;
}

static bool trace(tracer *t, pc_polygons *to)
{
  bool room = list_edges(t);
  t->seen = calloc((size_t)t->knots.list.count + 1, sizeof *t->seen);
  room = room && t->seen != NULL;
  if (room)
    take_loose_ends(t);
  for (int i = 0; i < t->knots.list.count && room; i++)
    if (!t->seen[i])
      room = follow(t, lowest_of_part(t, i), to);
  pc_knots_free(&t->knots);
  pc_array_free(&t->cuts);
  pc_array_free(&t->edges);
  pc_array_free(&t->stack);
  free(t->seen);
  return room;
}

static bool add_ring(pc_polygons *to, int count, const double (*p)[2], bool hole)
{
  int first = to->points.count;
  for (int i = 0; i <= count; i++) {
    double *added = pc_array_add(&to->points);
    if (added == NULL)
      return false;
    memcpy(added, p[i % count], sizeof *p);
  }
  return pc_polygons_add_ring(to, first, hole, NULL) == PC_OK;
}

static const double (*points_of(const pc_polygons *polygons, const pc_ring *ring))[2]
{
  return (const double(*)[2])polygons->points.at + ring->first;
}

// Obstacles are holes of a polygon.
static bool add_obstacles(pc_polygons *to, const pc_layout *plan)
{
  bool room = true;
  for (int i = 0; i < plan->outlines.count && room; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (o->kind == PC_AREA_SOLID)
      room = add_ring(to, o->count, (const double(*)[2])plan->points.at + o->first, true);
  }
  for (int i = 0; i < plan->discs.count && room; i++) {
    double side[SIDES][2];
    const double *disc = plan->discs.at[i];
    for (int k = 0; k < SIDES; k++) {
      side[k][0] = disc[0] + disc[2] * pc_cos(TURN * k / SIDES);
      side[k][1] = disc[1] + disc[2] * pc_sin(TURN * k / SIDES);
    }
    room = add_ring(to, SIDES, (const double(*)[2])side, true);
  }
  return room;
}

// Polygons that are apart, with all obstacles as holes.
static bool add_holes(const pc_polygons *from, const pc_layout *plan, pc_polygons *to)
{
  bool room = true;
  for (int i = 0; i < from->rings.count && room; i++) {
    const pc_ring *ring = &from->rings.at[i];
    if (ring->hole)
      continue;
    room = add_ring(to, ring->count, points_of(from, ring), false);
    for (int k = 0; k < from->rings.count && room; k++) {
      const pc_ring *hole = &from->rings.at[k];
      if (hole->hole && pc_is_inside(ring->count, points_of(from, ring), points_of(from, hole)[0]))
        room = add_ring(to, hole->count, points_of(from, hole), true);
    }
    room = room && add_obstacles(to, plan);
    to->count++;
  }
  return room;
}

pc_status pc_geometry_of_floor(const pc_crowd *crowd, int floor, pc_polygons *polygons,
                               pc_error *error)
{
  const pc_layout *plan = &crowd->floors.at[floor].plan;
  tracer t = {.crowd = crowd, .plan = plan, .floor = floor, .knots = {.reach = REACH}};
  pc_polygons outlines = {.count = 0};
  bool room = true;
  *polygons = (pc_polygons){.count = 0};
  memcpy(t.knots.low, plan->low, sizeof t.knots.low);
  for (int i = 0; i < plan->outlines.count && room; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (o->kind != PC_AREA_WALKABLE)
      continue;
    room = add_ring(&outlines, o->count, (const double(*)[2])plan->points.at + o->first, false);
    outlines.count++;
  }
  if (room && outlines.count == 0)
    room = trace(&t, &outlines);
  pc_status status = room ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && outlines.count > 0)
    status = pc_polygons_join(&outlines, error);
  if (status == PC_OK && !add_holes(&outlines, plan, polygons))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && polygons->count > 0)
    status = pc_polygons_cut(polygons, error);
  pc_polygons_free(&outlines);
  return status;
}

// --- the file ------------------------------------------------------------------------------------

static void write_ring(pc_replace *file, const char *before, int count, const double (*p)[2])
{
  pc_replace_print(file, "%s(", before);
  for (int i = 0; i <= count; i++) {
    pc_replace_number(file, p[i % count][0], ' ');
    pc_replace_number(file, p[i % count][1], i < count ? ',' : ')');
  }
}

static void write_floor(pc_replace *file, const pc_polygons *polygons)
{
  int outlines = 0, written = 0;
  for (int i = 0; i < polygons->rings.count; i++)
    outlines += !polygons->rings.at[i].hole;
  pc_replace_print(file, "%s",
                   outlines == 0   ? "POLYGON EMPTY"
                   : outlines == 1 ? "POLYGON "
                                   : "MULTIPOLYGON (");
  for (int i = 0; i < polygons->rings.count; i++) {
    const pc_ring *ring = &polygons->rings.at[i];
    const double(*p)[2] = points_of(polygons, ring);
    if (ring->hole)
      continue;
    write_ring(file, written++ > 0 ? ",(" : "(", ring->count, p);
    for (int k = 0; k < polygons->rings.count; k++) {
      const pc_ring *hole = &polygons->rings.at[k];
      const double(*q)[2] = points_of(polygons, hole);
      if (hole->hole && pc_is_inside(ring->count, p, q[0]))
        write_ring(file, ",", hole->count, q);
    }
    pc_replace_print(file, ")");
  }
  pc_replace_print(file, "%s\n", outlines > 1 ? ")" : "");
}

pc_status pc_geometry_write(const char *path, const pc_scene *scene, pc_error *error)
{
  pc_status status = PC_OK;
  pc_replace *file = pc_replace_begin(path, pc_run_geometry.own, error);
  if (file == NULL)
    return error->status;
  for (int f = 0; f < scene->crowd->floors.count && status == PC_OK; f++) {
    pc_polygons polygons;
    status = pc_geometry_of_floor(scene->crowd, f, &polygons, error);
    if (status == PC_OK)
      write_floor(file, &polygons);
    pc_polygons_free(&polygons);
  }
  pc_status ended = pc_replace_end(file, status == PC_OK ? error : NULL);
  return status == PC_OK ? ended : status;
}
