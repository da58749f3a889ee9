// Triangle meshes and height fields.
#include <math.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/mesh.h"
#include "geometry/shape_make.h"
#include "geometry/tree.h"

// The box around the turned box: there may be millions of vertices.
static void bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double *r = pose->rotation;
  double reach[3] = {0, 0, 0}, local[3], middle[3];
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      reach[k] += fabs(r[3 * k + l]) * 0.5 * (shape->measures->high[l] - shape->measures->low[l]);
  for (int l = 0; l < 3; l++)
    local[l] = shape->measures->low[l] + 0.5 * (shape->measures->high[l] - shape->measures->low[l]);
  pc_to_world(pose, local, middle);
  pc_box_about(middle, reach, box);
}

static void extent(const pc_shape *shape, double box[6])
{
  pc_box_empty(box);
  for (int i = 0; i < shape->mesh->vertices; i++)
    pc_box_include(shape->mesh->vertex[i], box);
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0;
  for (int i = 0; i < shape->mesh->vertices; i++)
    far = fmax(far, pc_norm(3, shape->mesh->vertex[i]));
  return far;
}

typedef struct search {
  const pc_vertical *l;
  const pc_mesh *mesh;
  bool met;
  double high;
} search;

// A line through an edge or a corner meets every triangle there: nothing slips between two.
static bool try_triangle(void *context, int i)
{
  search *s = context;
  const int *vertex = s->mesh->triangle[i].vertex;
  const double *a = s->mesh->vertex[vertex[0]];
  double u[3], v[3], w[3], n[3], p[3];
  for (int k = 0; k < 3; k++) {
    u[k] = s->mesh->vertex[vertex[1]][k] - a[k];
    v[k] = s->mesh->vertex[vertex[2]][k] - a[k];
    w[k] = s->l->from[k] - a[k];
  }
  pc_cross(u, v, n);
  double steep = pc_dot3(n, s->l->along);
  if (fabs(steep) < 1e-12 * sqrt(pc_dot3(n, n)))
    return true; // seen from its edge: its neighbours are met
  double t = -pc_dot3(n, w) / steep, slack = 1e-10;
  for (int k = 0; k < 3; k++)
    w[k] += t * s->l->along[k];
  pc_cross(w, v, p);
  double first = pc_dot3(p, n) / pc_dot3(n, n);
  pc_cross(u, w, p);
  double second = pc_dot3(p, n) / pc_dot3(n, n);
  if (first >= -slack && second >= -slack && first + second <= 1 + slack) {
    s->high = s->met ? fmax(s->high, t) : t;
    s->met = true;
  }
  return true;
}

static bool column(const pc_shape *shape, const pc_vertical *l, double *low, double *high)
{
  double from = -INFINITY, to = INFINITY, box[6];
  double slack = 1e-9 * shape->radius;
  for (int k = 0; k < 3; k++)
    if (!pc_vertical_cut(l->along[k], shape->measures->high[k] + slack - l->from[k], &from, &to) ||
        !pc_vertical_cut(-l->along[k], l->from[k] - shape->measures->low[k] + slack, &from, &to))
      return false;
  for (int k = 0; k < 3; k++) {
    double a = l->from[k] + from * l->along[k], b = l->from[k] + to * l->along[k];
    box[k] = fmin(a, b) - slack;
    box[3 + k] = fmax(a, b) + slack;
  }
  search s = {.l = l, .mesh = shape->mesh};
  pc_tree_query(shape->mesh->tree, box, try_triangle, &s);
  *low = -INFINITY;
  *high = s.high;
  return s.met;
}

typedef struct reach {
  const pc_mesh *mesh;
  const pc_pose *pose;
  const double *box; // the rectangle, in the world
  double *range;
} reach;

static bool widen_by_triangle(void *context, int i)
{
  const reach *r = context;
  double own[6];
  pc_box_empty(own);
  for (int v = 0; v < 3; v++) {
    double at[3];
    pc_to_world(r->pose, r->mesh->vertex[r->mesh->triangle[i].vertex[v]], at);
    pc_box_include(at, own);
  }
  if (own[0] < r->box[3] && own[3] > r->box[0] && own[1] < r->box[4] && own[4] > r->box[1]) {
    r->range[0] = fmin(r->range[0], own[2]);
    r->range[1] = fmax(r->range[1], own[5]);
  }
  return true;
}

// The tree is asked for the box, in its own axes, around what is over and under the rectangle.
static void heights(const pc_shape *shape, const pc_pose *pose, const double box[6],
                    double range[2])
{
  reach r = {shape->mesh, pose, box, range};
  double whole[6], own[6], slack = 1e-9 * shape->radius;
  bounds(shape, pose, whole);
  for (int k = 0; k < 2; k++) {
    whole[k] = fmax(whole[k], box[k]);
    whole[3 + k] = fmin(whole[3 + k], box[3 + k]);
    if (whole[k] > whole[3 + k])
      return;
  }
  pc_box_empty(own);
  for (int corner = 0; corner < 8; corner++) {
    double at[3], local[3];
    for (int k = 0; k < 3; k++)
      at[k] = whole[corner >> k & 1 ? 3 + k : k];
    pc_to_local(pose, at, local);
    pc_box_include(local, own);
  }
  for (int k = 0; k < 3; k++) {
    own[k] -= slack;
    own[3 + k] += slack;
  }
  pc_tree_query(shape->mesh->tree, own, widen_by_triangle, &r);
}

static const pc_shape_ops mesh_ops = {.is_obstacle = true,
                                      .bounds = bounds,
                                      .extent = extent,
                                      .farthest = farthest,
                                      .column = column,
                                      .heights = heights};

// An empty mesh of its own; NULL when memory is out.
static pc_mesh *add_mesh(pc_shape *shape, pc_error *error)
{
  pc_mesh *mesh = pc_arena_take(&shape->arena, 1, sizeof *mesh);
  if (mesh == NULL)
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  else
    shape->mesh = mesh;
  return mesh;
}

static pc_shape *make_mesh(int vertices, const double (*vertex)[3], int triangles,
                           const int (*triangle)[3], bool drop, pc_error *error)
{
  pc_shape *shape = pc_shape_create(PC_MESH, &mesh_ops, 3, error);
  if (shape == NULL)
    return NULL;
  pc_mesh *mesh = add_mesh(shape, error);
  if (mesh == NULL || pc_mesh_build(mesh, &shape->arena, vertices, vertex, triangles, triangle,
                                    drop, error) != PC_OK)
    return pc_shape_give_up(shape);
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_mesh(int vertices, const double (*vertex)[3], int triangles,
                        const int (*triangle)[3], pc_error *error)
{
  if (vertex == NULL || triangle == NULL) {
    pc_fail_null(error, "vertices and triangles");
    return NULL;
  }
  return make_mesh(vertices, vertex, triangles, triangle, false, error);
}

pc_shape *pc_shape_mesh_dropping(int vertices, const double (*vertex)[3], int triangles,
                                 const int (*triangle)[3], pc_error *error)
{
  return make_mesh(vertices, vertex, triangles, triangle, true, error);
}

pc_shape *pc_shape_heights(int columns, int rows, double spacing, const double origin[2],
                           const double *height, pc_error *error)
{
  if (origin == NULL || height == NULL) {
    pc_fail_null(error, "the origin and the heights");
    return NULL;
  }
  pc_shape *shape = pc_shape_create(PC_HEIGHTS, &mesh_ops, 3, error);
  if (shape == NULL)
    return NULL;
  pc_mesh *mesh = add_mesh(shape, error);
  if (mesh == NULL ||
      pc_mesh_heights(mesh, &shape->arena, columns, rows, spacing, origin, height, error) != PC_OK)
    return pc_shape_give_up(shape);
  return pc_shape_finish(shape, error);
}

void pc_shape_set_unit(pc_shape *heights, double unit, bool degrees)
{
  pc_mesh *mesh = (pc_mesh *)heights->mesh; // which is not shared yet
  mesh->survey.unit = unit;
  mesh->survey.degrees = degrees;
}
