// Boxes and convex polyhedra.
#include <math.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/hull.h"
#include "geometry/shape_make.h"
#include "geometry/surface.h"

static void box_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double *r = pose->rotation;
  double reach[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      reach[k] += fabs(r[3 * k + l]) * shape->box.half[l];
  pc_box_about(pose->position, reach, box);
}

static void hull_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  double moved[3];
  pc_box_empty(box);
  for (int i = 0; i < shape->hull->vertices; i++) {
    pc_to_world(pose, shape->hull->vertex[i], moved);
    pc_box_include(moved, box);
  }
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0, point[3];
  for (int i = 0; i < shape->hull->vertices; i++) {
    pc_to_world(pose, shape->hull->vertex[i], point);
    far = fmax(far, pc_norm(3, point));
  }
  return far;
}

static void box_sizes(const pc_shape *shape, double size[3])
{
  for (int i = 0; i < 3; i++)
    size[i] = 2 * shape->box.half[i];
}

static bool same_box(const pc_shape *a, const pc_shape *b)
{
  return pc_same_numbers(3, a->box.half, b->box.half);
}

// Faces follow from vertices, and are compared because of tolerances.
static bool same_hull(const pc_shape *a, const pc_shape *b)
{
  return a->hull->vertices == b->hull->vertices && a->hull->faces == b->hull->faces &&
         pc_same_numbers(3 * (size_t)a->hull->vertices, a->hull->vertex[0], b->hull->vertex[0]) &&
         pc_same_numbers(4 * (size_t)a->hull->faces, a->hull->plane[0], b->hull->plane[0]);
}

static double hull_area(const pc_shape *shape)
{
  const pc_hull *hull = shape->hull;
  double sum = 0, twice[3];
  for (int f = 0; f < hull->faces; f++) {
    int first = hull->face_start[f];
    pc_loop_area(hull->face_start[f + 1] - first, hull->face_vertex + first,
                 (const double(*)[3])hull->vertex, twice);
    sum += 0.5 * pc_norm(3, twice);
  }
  return sum;
}

static bool column(const pc_shape *shape, const pc_vertical *l, double *low, double *high)
{
  const pc_hull *hull = shape->hull;
  *low = -INFINITY;
  *high = INFINITY;
  for (int i = 0; i < hull->faces; i++) {
    const double *n = hull->plane[i];
    if (!pc_vertical_cut(pc_dot3(n, l->along), n[3] - pc_dot3(n, l->from), low, high))
      return false;
  }
  return true;
}

static void balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit, void *context)
{
  for (int i = 0; i < shape->hull->vertices; i++) {
    const double *v = shape->hull->vertex[i];
    pc_visit_ball_at(pose, v[0], v[1], v[2], 0, visit, context);
  }
}

static pc_mass_properties box_mass(const pc_shape *shape)
{
  const double *half = shape->box.half;
  double volume = 8 * half[0] * half[1] * half[2];
  double x = half[0] * half[0] / 3, y = half[1] * half[1] / 3, z = half[2] * half[2] / 3;
  return pc_mass_diagonal(volume, volume * (y + z), volume * (x + z), volume * (x + y));
}

// The divergence theorem, as a sum of tetrahedra from a point inside to the triangles of the
// surface: a tetrahedron 0, a, b, c of volume v has the moments v s / 4 and
// v (a a^T + b b^T + c c^T + s s^T) / 20, s = a + b + c.
static pc_mass_properties hull_mass(const pc_shape *shape)
{
  const pc_hull *hull = shape->hull;
  double inside[3] = {0}, volume = 0, first[3] = {0}, second[9] = {0};
  for (int i = 0; i < hull->vertices; i++)
    for (int k = 0; k < 3; k++)
      inside[k] += hull->vertex[i][k] / hull->vertices;
  for (int f = 0; f < hull->faces; f++) {
    const int *loop = hull->face_vertex + hull->face_start[f];
    int count = hull->face_start[f + 1] - hull->face_start[f];
    for (int i = 1; i + 1 < count; i++) {
      double corner[3][3], s[3], cross[3];
      for (int k = 0; k < 3; k++) {
        corner[0][k] = hull->vertex[loop[0]][k] - inside[k];
        corner[1][k] = hull->vertex[loop[i]][k] - inside[k];
        corner[2][k] = hull->vertex[loop[i + 1]][k] - inside[k];
        s[k] = corner[0][k] + corner[1][k] + corner[2][k];
      }
      pc_cross(corner[0], corner[1], cross);
      double v = pc_dot3(cross, corner[2]) / 6;
      volume += v;
      for (int k = 0; k < 3; k++) {
        first[k] += v * s[k] / 4;
        for (int l = 0; l < 3; l++)
          second[3 * k + l] += v / 20 *
                               (corner[0][k] * corner[0][l] + corner[1][k] * corner[1][l] +
                                corner[2][k] * corner[2][l] + s[k] * s[l]);
      }
    }
  }
  pc_mass_properties mass = {.volume = volume};
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      second[3 * k + l] -= first[k] / volume * first[l];
  double trace = second[0] + second[4] + second[8];
  for (int k = 0; k < 3; k++) {
    mass.centroid[k] = inside[k] + first[k] / volume;
    for (int l = 0; l < 3; l++)
      mass.inertia[3 * k + l] = (k == l ? trace : 0) - second[3 * k + l];
  }
  return mass;
}

static const pc_shape_ops box_ops = {.is_piece = true,
                                     .mass = box_mass,
                                     .bounds = box_bounds,
                                     .farthest = farthest,
                                     .sizes = box_sizes,
                                     .same = same_box,
                                     .area = hull_area,
                                     .column = column,
                                     .balls = balls};
static const pc_shape_ops polyhedron_ops = {.is_piece = true,
                                            .mass = hull_mass,
                                            .bounds = hull_bounds,
                                            .farthest = farthest,
                                            .same = same_hull,
                                            .area = hull_area,
                                            .column = column,
                                            .balls = balls};

// An empty hull of its own; NULL when memory is out.
static pc_hull *add_hull(pc_shape *shape, pc_error *error)
{
  pc_hull *hull = pc_arena_take(&shape->arena, 1, sizeof *hull);
  if (hull == NULL)
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else
    shape->hull = hull;
  return hull;
}

pc_shape *pc_shape_box(const double size[3], pc_error *error)
{
  if (size == NULL) {
    pc_fail_null(error, "the size of a box");
    return NULL;
  }
  for (int k = 0; k < 3; k++)
    if (!pc_shape_check_size("every edge of a box", size[k], error))
      return NULL;
  pc_shape *shape = pc_shape_create(PC_BOX, &box_ops, 3, error);
  if (shape == NULL)
    return NULL;
  for (int k = 0; k < 3; k++)
    shape->box.half[k] = 0.5 * size[k];
  pc_hull *hull = add_hull(shape, error);
  if (hull == NULL || pc_hull_box(hull, &shape->arena, shape->box.half, error) != PC_OK)
    return pc_shape_give_up(shape);
  return pc_shape_finish(shape, error);
}

static pc_shape *make_polyhedron(int count, const double (*vertices)[3], double tolerance,
                                 bool strict, pc_error *error)
{
  pc_shape *shape = pc_shape_create(PC_POLYHEDRON, &polyhedron_ops, 3, error);
  if (shape == NULL)
    return NULL;
  pc_hull *hull = add_hull(shape, error);
  if (hull == NULL ||
      pc_hull_build(hull, &shape->arena, count, vertices, tolerance, strict, error) != PC_OK)
    return pc_shape_give_up(shape);
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_polyhedron(int count, const double (*vertices)[3], bool strict, pc_error *error)
{
  if (vertices == NULL) {
    pc_fail_null(error, "the vertices");
    return NULL;
  }
  return make_polyhedron(count, vertices, PC_HULL_TOLERANCE, strict, error);
}

pc_shape *pc_shape_polyhedron_rough(int count, const double (*vertices)[3], double tolerance,
                                    pc_error *error)
{
  return make_polyhedron(count, vertices, tolerance, true, error);
}
