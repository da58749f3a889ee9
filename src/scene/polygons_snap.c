// Polygons of drawings meet nearly: coordinates are rounded, so that a corner is a little beside
// the edge that it lies on. Here what nearly meets comes to meet exactly, before polygons are
// joined: corners that are close become one, edges bend to corners that are close to them, and
// edges that cross get a corner there. That is repeated until nothing new comes up.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/layout.h"
#include "geometry/tree.h"
#include "scene/knots.h"
#include "scene/polygons.h"

enum { PASSES = 20 };
static const double MOST_WORK = 1e8; // limit on edges that are met by edges

typedef struct stop {
  double along;
  int knot;
} stop;
typedef PC_ARRAY(int) numbers;

typedef struct snapping {
  pc_knots knots;
  double exact;      // what is closer than that meets already
  bool near;         // something meets nearly
  bool changed;      // in this pass
  int rings, *first; // of each ring in `corner`, and the end of the last
  numbers corner;    // knots
  int *next;         // the corner at the other end of the edge that begins at a corner
  PC_ARRAY(stop) stops;
  int *found, finds;
  double work;
} snapping;

static const double *place_of(const snapping *s, int corner)
{
  return s->knots.list.at[s->corner.at[corner]].at;
}

static bool is_near(const snapping *s, const double a[2], const double b[2])
{
  return fabs(a[0] - b[0]) > s->exact || fabs(a[1] - b[1]) > s->exact;
}

static bool add_found(void *context, int i)
{
  snapping *s = context;
  s->found[s->finds++] = i;
  return true;
}

static bool add_stop(snapping *s, const double d[2], int knot)
{
  stop *added = knot >= 0 ? pc_array_add(&s->stops) : NULL;
  if (added == NULL)
    return false;
  const double *p = s->knots.list.at[knot].at;
  *added = (stop){p[0] * d[0] + p[1] * d[1], knot};
  return true;
}

// Where an edge stops at another: at ends of that which are close to it, else where they cross.
static bool stop_at(snapping *s, int one, int two)
{
  int from = s->corner.at[one], to = s->corner.at[s->next[one]];
  int ends[2] = {s->corner.at[two], s->corner.at[s->next[two]]};
  double a[2], b[2], d[2], c[2], e[2];
  for (int k = 0; k < 2; k++) {
    a[k] = s->knots.list.at[from].at[k], b[k] = s->knots.list.at[to].at[k];
    c[k] = s->knots.list.at[ends[0]].at[k];
    d[k] = b[k] - a[k];
    e[k] = s->knots.list.at[ends[1]].at[k] - c[k];
  }
  bool met = false;
  for (int k = 0; k < 2; k++) {
    if (ends[k] == from || ends[k] == to) {
      met = true;
      continue;
    }
    double away = pc_distance_to_line(s->knots.list.at[ends[k]].at, a, b);
    if (away > s->knots.reach)
      continue;
    met = true;
    s->near |= away > s->exact;
    if (!add_stop(s, d, ends[k]))
      return false;
  }
  double across = d[0] * e[1] - d[1] * e[0];
  if (met || across == 0)
    return true;
  double t = ((c[0] - a[0]) * e[1] - (c[1] - a[1]) * e[0]) / across;
  double u = ((c[0] - a[0]) * d[1] - (c[1] - a[1]) * d[0]) / across;
  if (!(t >= 0 && t <= 1 && u >= 0 && u <= 1))
    return true;
  int knot = pc_knots_add(&s->knots, a[0] + t * d[0], a[1] + t * d[1]);
  return knot == from || knot == to || add_stop(s, d, knot);
}

static int compare_stops(const void *a, const void *b)
{
  const stop *p = a, *q = b;
  return p->along != q->along ? (p->along > q->along) - (p->along < q->along)
                              : (p->knot > q->knot) - (p->knot < q->knot);
}

static int compare_numbers(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

// Adds a corner to a ring that begins at `first`; not twice, and no way there and back.
static bool add_corner(numbers *to, int first, int knot)
{
  int count = to->count - first;
  if (count > 0 && to->at[to->count - 1] == knot)
    return true;
  if (count > 1 && to->at[to->count - 2] == knot) {
    to->count--;
    return true;
  }
  int *added = pc_array_add(to);
  if (added != NULL)
    *added = knot;
  return added != NULL;
}

// The same at the seam of a ring.
static void close_ring(numbers *to, int first)
{
  for (int count = to->count - first; count > 1; count = to->count - first) {
    int *ring = to->at + first;
    if (ring[0] == ring[count - 1]) {
      to->count--;
    } else if (count > 2 && ring[0] == ring[count - 2]) {
      to->count -= 2;
    } else if (count > 2 && ring[1] == ring[count - 1]) {
      memmove(ring, ring + 1, (size_t)(count - 1) * sizeof *ring);
      to->count--;
    } else {
      return;
    }
  }
}

static bool bend_edge(snapping *s, int edge, const pc_tree *tree, const double box[6], int first,
                      numbers *to)
{
  s->stops.count = s->finds = 0;
  pc_tree_query(tree, box, add_found, s);
  s->work += 1 + s->finds;
  qsort(s->found, (size_t)s->finds, sizeof *s->found, compare_numbers);
  bool room = add_corner(to, first, s->corner.at[edge]);
  for (int i = 0; i < s->finds && room; i++)
    room = s->found[i] == edge || stop_at(s, edge, s->found[i]);
  if (s->stops.count > 0)
    qsort(s->stops.at, (size_t)s->stops.count, sizeof *s->stops.at, compare_stops);
  s->changed |= s->stops.count > 0;
  for (int i = 0; i < s->stops.count && room; i++)
    room = add_corner(to, first, s->stops.at[i].knot);
  return room;
}

// Bends all edges once.
static bool bend(snapping *s)
{
  pc_arena arena = {0};
  int edges = s->corner.count, *first = pc_arena_take(&arena, (size_t)s->rings + 1, sizeof *first);
  numbers to = {0};
  double(*box)[6] = pc_arena_take(&arena, (size_t)edges + 1, sizeof *box);
  s->found = pc_arena_take(&arena, (size_t)edges + 1, sizeof *s->found);
  s->next = pc_arena_take(&arena, (size_t)edges + 1, sizeof *s->next);
  bool room = !arena.failed;
  for (int r = 0; r < s->rings && room; r++)
    for (int i = s->first[r]; i < s->first[r + 1]; i++)
      s->next[i] = i + 1 < s->first[r + 1] ? i + 1 : s->first[r];
  for (int i = 0; i < edges && room; i++)
    for (int k = 0; k < 2; k++) {
      double a = place_of(s, i)[k], b = place_of(s, s->next[i])[k];
      box[i][k] = fmin(a, b) - s->knots.reach;
      box[i][3 + k] = fmax(a, b) + s->knots.reach;
    }
  const pc_tree *tree = room ? pc_tree_build(&arena, edges, (const double(*)[6])box) : NULL;
  room = tree != NULL;
  s->changed = false;
  for (int r = 0; r < s->rings && room; r++) {
    first[r] = to.count;
    for (int i = s->first[r]; i < s->first[r + 1] && room && s->work < MOST_WORK; i++)
      room = bend_edge(s, i, tree, box[i], first[r], &to);
    close_ring(&to, first[r]);
  }
  if (room) {
    first[s->rings] = to.count;
    memcpy(s->first, first, ((size_t)s->rings + 1) * sizeof *first);
    numbers old = s->corner;
    s->corner = to;
    to = old;
  }
  pc_array_free(&to);
  pc_arena_free(&arena);
  return room;
}

static bool begin(snapping *s, const pc_polygons *polygons)
{
  s->rings = polygons->rings.count;
  s->first = calloc((size_t)s->rings + 1, sizeof *s->first);
  for (int r = 0; r < s->rings && s->first != NULL; r++) {
    const pc_ring *ring = &polygons->rings.at[r];
    s->first[r] = s->corner.count;
    for (int i = 0; i < ring->count; i++) {
      const double *p = polygons->points.at[ring->first + i];
      int knot = pc_knots_add(&s->knots, p[0], p[1]);
      if (knot < 0 || !add_corner(&s->corner, s->first[r], knot))
        return false;
      s->near |= is_near(s, p, s->knots.list.at[knot].at);
    }
    close_ring(&s->corner, s->first[r]);
  }
  if (s->first != NULL)
    s->first[s->rings] = s->corner.count;
  return s->first != NULL;
}

// A hole that vanishes may be a thin wall.
static pc_status write_back(const snapping *s, pc_polygons *polygons, pc_error *error)
{
  pc_polygons to = {.count = polygons->count};
  pc_status status = PC_OK;
  for (int r = 0; r < s->rings && status == PC_OK; r++) {
    pc_ring ring = polygons->rings.at[r];
    const double *p = polygons->points.at[ring.first];
    int count = s->first[r + 1] - s->first[r], from = to.points.count;
    if (count < 3 && ring.hole)
      status =
          pc_fail(error, PC_ERROR_INPUT,
                  "the hole near (%.9g, %.9g) is narrower than %g mm; make it wider, or take it "
                  "out of the file",
                  p[0], p[1], 1e3 * s->knots.reach);
    if (count < 3 || status != PC_OK)
      continue;
    ring.first = from;
    ring.count = count;
    if (!pc_array_reserve(&to.points, from + count + 1) ||
        !pc_array_reserve(&to.rings, to.rings.count + 1)) {
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
      continue;
    }
    for (int i = 0; i <= count; i++)
      memcpy(to.points.at[from + i], place_of(s, s->first[r] + i % count), sizeof *to.points.at);
    to.points.count += count + 1;
    to.rings.at[to.rings.count++] = ring;
  }
  if (status != PC_OK) {
    pc_polygons_free(&to);
    return status;
  }
  pc_polygons_free(polygons);
  *polygons = to;
  return PC_OK;
}

pc_status pc_polygons_snap(pc_polygons *polygons, double reach, double exact, const double low[2],
                           pc_error *error)
{
  snapping s = {.knots = {.reach = reach, .low = {low[0], low[1]}}, .exact = exact};
  bool room = begin(&s, polygons);
  for (int pass = 0; pass < PASSES && room && (pass == 0 || (s.near && s.changed)); pass++)
    room = bend(&s);
  pc_status status = PC_OK;
  if (!room)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else if (s.near && s.work < MOST_WORK) // else the polygons stay as they are
    status = write_back(&s, polygons, error);
  pc_knots_free(&s.knots);
  pc_array_free(&s.corner);
  pc_array_free(&s.stops);
  free(s.first);
  return status;
}
