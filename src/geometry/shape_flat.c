// Convex polygons and chains of segments, in the plane.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "geometry/polygon.h"
#include "geometry/shape_make.h"

// In x and y: pc_shape_bounds sets z.
static void bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  static const double none[3] = {0};
  const double *m = pose->rotation, *at = pose->position;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < shape->flat.count; i++) {
    const double *v = shape->flat.vertex[i];
    double x = at[0] + m[0] * v[0] + m[1] * v[1], y = at[1] + m[3] * v[0] + m[4] * v[1];
    low[0] = x < low[0] ? x : low[0];
    low[1] = y < low[1] ? y : low[1];
    high[0] = x > high[0] ? x : high[0];
    high[1] = y > high[1] ? y : high[1];
  }
  if (low[0] > high[0]) { // its pose is not finite
    pc_box_about(at, none, box);
    return;
  }
  box[0] = low[0], box[1] = low[1], box[2] = 0;
  box[3] = high[0], box[4] = high[1], box[5] = 0;
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0, point[3];
  for (int i = 0; i < shape->flat.count; i++) {
    const double *v = shape->flat.vertex[i];
    pc_to_world(pose, (double[3]){v[0], v[1], 0}, point);
    far = fmax(far, pc_norm(3, point));
  }
  return far;
}

static void chain_sizes(const pc_shape *shape, double size[3])
{
  size[0] = shape->chain.closed;
}

static bool same_polygon(const pc_shape *a, const pc_shape *b)
{
  return a->polygon.count == b->polygon.count &&
         pc_same_numbers(2 * (size_t)a->polygon.count, a->polygon.vertex[0], b->polygon.vertex[0]);
}

static void corners(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit, void *context)
{
  for (int i = 0; i < shape->polygon.count; i++) {
    const double *v = shape->polygon.vertex[i];
    pc_visit_ball_at(pose, v[0], v[1], 0, 0, visit, context);
  }
}

static double polygon_length(const pc_shape *shape)
{
  double sum = 0;
  for (int i = 0, n = shape->polygon.count; i < n; i++) {
    const double *a = shape->polygon.vertex[i], *b = shape->polygon.vertex[(i + 1) % n];
    sum += pc_hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

// The divergence theorem in the plane: a triangle 0, a, b of area t has the moments t (a + b) / 3
// and t (a.a + a.b + b.b) / 6.
static pc_mass_properties polygon_mass(const pc_shape *shape)
{
  int count = shape->polygon.count;
  const double(*vertex)[2] = (const double(*)[2])shape->polygon.vertex;
  const double *origin = vertex[0];
  double area = 0, first[2] = {0}, second = 0;
  for (int i = 1; i + 1 < count; i++) {
    double a[2] = {vertex[i][0] - origin[0], vertex[i][1] - origin[1]};
    double b[2] = {vertex[i + 1][0] - origin[0], vertex[i + 1][1] - origin[1]};
    double t = (a[0] * b[1] - a[1] * b[0]) / 2;
    area += t;
    second += t / 6 * (a[0] * (a[0] + b[0]) + a[1] * (a[1] + b[1]) + b[0] * b[0] + b[1] * b[1]);
    for (int k = 0; k < 2; k++)
      first[k] += t * (a[k] + b[k]) / 3;
  }
  pc_mass_properties mass = {.volume = area};
  mass.centroid[0] = origin[0] + first[0] / area;
  mass.centroid[1] = origin[1] + first[1] / area;
  mass.inertia[8] = second - (first[0] * first[0] + first[1] * first[1]) / area;
  return mass;
}

static const pc_shape_ops polygon_ops = {.is_piece = true,
                                         .mass = polygon_mass,
                                         .bounds = bounds,
                                         .farthest = farthest,
                                         .same = same_polygon,
                                         .area = polygon_length,
                                         .balls = corners};

static void chain_heights(const pc_shape *shape, const pc_pose *pose, const double box[6],
                          double range[2])
{
  int count = shape->chain.count;
  for (int i = 0; i < count - !shape->chain.closed; i++) {
    double end[2][3];
    for (int e = 0; e < 2; e++) {
      const double *vertex = shape->chain.vertex[(i + e) % count];
      pc_to_world(pose, (double[3]){vertex[0], vertex[1], 0}, end[e]);
    }
    if (fmin(end[0][0], end[1][0]) >= box[3] || fmax(end[0][0], end[1][0]) <= box[0])
      continue;
    range[0] = fmin(range[0], fmin(end[0][1], end[1][1]));
    range[1] = fmax(range[1], fmax(end[0][1], end[1][1]));
  }
}

static const pc_shape_ops chain_ops = {.is_obstacle = true,
                                       .bounds = bounds,
                                       .farthest = farthest,
                                       .sizes = chain_sizes,
                                       .heights = chain_heights};

pc_shape *pc_shape_polygon(int count, const double (*vertices)[2], bool strict, pc_error *error)
{
  if (vertices == NULL) {
    pc_fail_null(error, "the vertices");
    return NULL;
  }
  pc_shape *shape = pc_shape_create(PC_POLYGON, &polygon_ops, 2, error);
  if (shape == NULL)
    return NULL;
  if (pc_polygon_build(shape, count, vertices, strict, error) != PC_OK)
    return pc_shape_give_up(shape);
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_chain(int count, const double (*vertices)[2], bool closed, pc_error *error)
{
  if (vertices == NULL) {
    pc_fail_null(error, "the vertices");
    return NULL;
  }
  if (count < (closed ? 3 : 2)) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a %schain needs at least %d vertices (got %d)",
            closed ? "closed " : "", closed ? 3 : 2, count);
    return NULL;
  }
  for (int i = 0; i < count; i++)
    if (!isfinite(vertices[i][0]) || !isfinite(vertices[i][1])) {
      pc_fail(error, PC_ERROR_ARGUMENT, "vertex %d is not finite", i);
      return NULL;
    }
  for (int i = 0; i < (closed ? count : count - 1); i++) {
    const double *a = vertices[i], *b = vertices[(i + 1) % count];
    double length = pc_hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0) || !isfinite(length)) {
      pc_fail(error, PC_ERROR_ARGUMENT,
              "the segment from vertex %d to %d must have a finite, non-zero length", i,
              (i + 1) % count);
      return NULL;
    }
  }
  pc_shape *shape = pc_shape_create(PC_CHAIN, &chain_ops, 2, error);
  if (shape == NULL)
    return NULL;
  shape->chain.count = count;
  shape->chain.closed = closed;
  shape->chain.vertex = pc_arena_take(&shape->arena, (size_t)count, sizeof(double[2]));
  shape->chain.beyond = pc_arena_take(&shape->arena, 2, sizeof(double[2]));
  if (shape->arena.failed) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return pc_shape_give_up(shape);
  }
  memcpy(shape->chain.vertex, vertices, (size_t)count * sizeof(double[2]));
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_wall_piece(const double *before, const double segment[2][2], const double *after,
                              pc_error *error)
{
  const double *beyond[2] = {before, after};
  pc_shape *shape = pc_shape_chain(2, segment, false, error);
  for (int end = 0; end < 2 && shape != NULL; end++)
    if (beyond[end] != NULL) {
      shape->chain.continues[end] = true;
      memcpy(shape->chain.beyond[end], beyond[end], sizeof shape->chain.beyond[end]);
    }
  return shape;
}
