#include "geometry/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"

// In units of the points' extent: shorter is nothing.
static const double TOLERANCE = 1e-9;

typedef struct corner {
  double x, y; // in units of the extent
  int given;
} corner;

static int compare_corners(const void *a, const void *b)
{
  const corner *p = a, *q = b;
  if (p->x != q->x)
    return p->x < q->x ? -1 : 1;
  if (p->y != q->y)
    return p->y < q->y ? -1 : 1;
  return (p->given > q->given) - (p->given < q->given);
}

// Twice the area of a, b, c; positive when they turn counter-clockwise.
static double turn(const corner *a, const corner *b, const corner *c)
{
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static double distance(const corner *a, const corner *b)
{
  return pc_hypot(b->x - a->x, b->y - a->y);
}

static pc_status to_unit(int count, const double (*point)[2], corner *corners, pc_error *error)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) {
      if (!isfinite(point[i][k]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "vertex %d is not finite", i);
      low[k] = fmin(low[k], point[i][k]);
      high[k] = fmax(high[k], point[i][k]);
    }
  double extent = fmax(high[0] - low[0], high[1] - low[1]), scale = 1 / extent;
  if (!isfinite(extent) || !isfinite(scale) || scale == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   extent > 1 ? "the vertices are too far apart" : "all vertices are at one point");
  for (int i = 0; i < count; i++)
    corners[i] = (corner){(point[i][0] - low[0]) * scale, (point[i][1] - low[1]) * scale, i};
  return PC_OK;
}

// Andrew's monotone chain (A. M. Andrew, Inf. Proc. Lett. 9, 1979): the lower side from left to
// right, then the upper one back. `hull` has room for count + 1. Gives the number of corners.
static int monotone_chain(corner *sorted, int count, corner *hull)
{
  qsort(sorted, (size_t)count, sizeof *sorted, compare_corners);
  int n = 0;
  for (int i = 0; i < count; i++) {
    while (n >= 2 && turn(&hull[n - 2], &hull[n - 1], &sorted[i]) <= 0)
      n--;
    hull[n++] = sorted[i];
  }
  for (int i = count - 2, lower = n + 1; i >= 0; i--) {
    while (n >= lower && turn(&hull[n - 2], &hull[n - 1], &sorted[i]) <= 0)
      n--;
    hull[n++] = sorted[i];
  }
  return n - 1;
}

// Drops corners that the line between their neighbours nearly passes through.
static int drop_flat(corner *hull, int n)
{
  for (bool changed = true; changed && n >= 3;) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
      const corner *a = &hull[kept > 0 ? kept - 1 : n - 1], *b = &hull[i], *c = &hull[(i + 1) % n];
      if (turn(a, b, c) > TOLERANCE * distance(a, c) && distance(a, b) > TOLERANCE)
        hull[kept++] = *b;
    }
    changed = kept < n;
    n = kept;
  }
  return n;
}

// From corner a of the hull to the next one b the given points lie on the edge, one after the
// other.
static pc_status check_edge(const corner *unit, int count, const corner *a, const corner *b,
                            int step, pc_error *error)
{
  double length = distance(a, b), last = 0;
  for (int i = (a->given + step + count) % count; i != b->given; i = (i + step + count) % count) {
    double off = fabs(turn(a, b, &unit[i])) / length;
    double along =
        ((unit[i].x - a->x) * (b->x - a->x) + (unit[i].y - a->y) * (b->y - a->y)) / length;
    if (off > 3 * TOLERANCE || along < last - 3 * TOLERANCE || along > length + 3 * TOLERANCE)
      return pc_fail(
          error, PC_ERROR_ARGUMENT,
          "the polygon is not convex at vertex %d; list the vertices once around their convex hull",
          i);
    last = along;
  }
  return PC_OK;
}

// The points go once around the hull, one way or the other: both are tried.
static pc_status check_around(const corner *unit, int count, const corner *hull, int n,
                              pc_error *error)
{
  pc_status status = PC_OK;
  for (int step = 1; step >= -1; step -= 2) {
    int steps = 0;
    for (int i = 0; i < n; i++)
      steps += (step * (hull[(i + 1) % n].given - hull[i].given) + count) % count;
    status = steps == count ? PC_OK : PC_ERROR_ARGUMENT;
    for (int i = 0; i < n && status == PC_OK; i++)
      status = check_edge(unit, count, &hull[i], &hull[(i + 1) % n], step, error);
    if (steps == count)
      return status;
  }
  return pc_fail(error, PC_ERROR_ARGUMENT,
                 "the sides of the polygon cross; list the vertices once around their convex hull");
}

static void take_edges(pc_shape *shape)
{
  pc_edges *edges = shape->polygon.edges;
  for (int i = 0; i < shape->polygon.count; i++) {
    const double *normal = shape->polygon.normal[i], *vertex = shape->polygon.vertex[i];
    pc_edges *to = &edges[i / PC_EDGES];
    if (i % PC_EDGES == 0)
      for (int k = 0; k < PC_EDGES; k++)
        to->height[k] = INFINITY;
    to->x[i % PC_EDGES] = normal[0];
    to->y[i % PC_EDGES] = normal[1];
    to->height[i % PC_EDGES] = normal[0] * vertex[0] + normal[1] * vertex[1];
  }
}

static pc_status take_corners(pc_shape *shape, const corner *hull, int n, const double (*point)[2],
                              pc_error *error)
{
  shape->polygon.count = n;
  shape->polygon.vertex = pc_arena_take(&shape->arena, (size_t)n, sizeof(double[2]));
  shape->polygon.normal = pc_arena_take(&shape->arena, (size_t)n, sizeof(double[2]));
  shape->polygon.edges =
      pc_arena_take(&shape->arena, ((size_t)n + PC_EDGES - 1) / PC_EDGES, sizeof(pc_edges));
  if (shape->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < n; i++) {
    const double *a = point[hull[i].given], *b = point[hull[(i + 1) % n].given];
    double x = b[0] - a[0], y = b[1] - a[1], length = pc_hypot(x, y);
    shape->polygon.vertex[i][0] = a[0];
    shape->polygon.vertex[i][1] = a[1];
    shape->polygon.normal[i][0] = y / length;
    shape->polygon.normal[i][1] = -x / length;
  }
  take_edges(shape);
  return PC_OK;
}

pc_status pc_polygon_build(pc_shape *shape, int count, const double (*point)[2], bool strict,
                           pc_error *error)
{
  if (count < 3)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a polygon needs at least 3 vertices (got %d)", count);
  pc_arena scratch = {0};
  corner *unit = pc_arena_take(&scratch, (size_t)count, sizeof *unit);
  corner *sorted = pc_arena_take(&scratch, (size_t)count, sizeof *sorted);
  corner *hull = pc_arena_take(&scratch, (size_t)count + 1, sizeof *hull);
  pc_status status = scratch.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                                    : to_unit(count, point, unit, error);
  if (status == PC_OK) {
    memcpy(sorted, unit, (size_t)count * sizeof *unit);
    int n = drop_flat(hull, monotone_chain(sorted, count, hull));
    if (n < 3)
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "the vertices lie on one line: the polygon has no area");
    else if (strict)
      status = check_around(unit, count, hull, n, error);
    if (status == PC_OK)
      status = take_corners(shape, hull, n, point, error);
  }
  pc_arena_free(&scratch);
  return status;
}
