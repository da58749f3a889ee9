#include "geometry/column.h"

#include <math.h>

#include "core/small.h"
#include "geometry/tree.h"

// The line in the axes of a shape: from + t along, where t is the height in the world.
typedef struct line {
  double from[3], along[3];
} line;

static bool join(bool first, double low, double high, double *lowest, double *highest)
{
  *lowest = first ? low : fmin(*lowest, low);
  *highest = first ? high : fmax(*highest, high);
  return true;
}

static bool through_ball(const line *l, const double *centre, double radius, double *low,
                         double *high)
{
  double d[3] = {l->from[0] - centre[0], l->from[1] - centre[1], l->from[2] - centre[2]};
  double b = pc_dot3(d, l->along), root = b * b - pc_dot3(d, d) + radius * radius;
  if (root < 0)
    return false;
  *low = -b - sqrt(root);
  *high = -b + sqrt(root);
  return true;
}

// low .. high becomes what of it is in the half-space rate t <= room.
static bool cut(double rate, double room, double *low, double *high)
{
  if (rate > 0)
    *high = fmin(*high, room / rate);
  else if (rate < 0)
    *low = fmax(*low, room / rate);
  else if (room < 0)
    return false;
  return *low <= *high;
}

static bool through_hull(const line *l, const pc_hull *hull, double *low, double *high)
{
  *low = -INFINITY;
  *high = INFINITY;
  for (int i = 0; i < hull->faces; i++) {
    const double *n = hull->plane[i];
    if (!cut(pc_dot3(n, l->along), n[3] - pc_dot3(n, l->from), low, high))
      return false;
  }
  return true;
}

static bool through_cylinder(const line *l, double radius, double half, double *low, double *high)
{
  double a = l->along[0] * l->along[0] + l->along[1] * l->along[1];
  double b = l->from[0] * l->along[0] + l->from[1] * l->along[1];
  double c = l->from[0] * l->from[0] + l->from[1] * l->from[1] - radius * radius;
  *low = -INFINITY;
  *high = INFINITY;
  if (a > 1e-24) {
    double root = b * b - a * c;
    if (root < 0)
      return false;
    *low = (-b - sqrt(root)) / a;
    *high = (-b + sqrt(root)) / a;
  } else if (c > 0) {
    return false;
  }
  return cut(l->along[2], half - l->from[2], low, high) &&
         cut(-l->along[2], half + l->from[2], low, high);
}

static bool through_capsule(const line *l, double radius, double half, double *low, double *high)
{
  double a, b, ends[2][3] = {{0, 0, -half}, {0, 0, half}};
  bool met = through_cylinder(l, radius, half, low, high);
  for (int i = 0; i < 2; i++)
    if (through_ball(l, ends[i], radius, &a, &b))
      met = join(!met, a, b, low, high);
  return met;
}

typedef struct search {
  const line *l;
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

static bool through_mesh(const line *l, const pc_shape *shape, double *low, double *high)
{
  double from = -INFINITY, to = INFINITY, box[6];
  double slack = 1e-9 * shape->radius;
  for (int k = 0; k < 3; k++)
    if (!cut(l->along[k], shape->high[k] + slack - l->from[k], &from, &to) ||
        !cut(-l->along[k], l->from[k] - shape->low[k] + slack, &from, &to))
      return false;
  for (int k = 0; k < 3; k++) {
    double a = l->from[k] + from * l->along[k], b = l->from[k] + to * l->along[k];
    box[k] = fmin(a, b) - slack;
    box[3 + k] = fmax(a, b) + slack;
  }
  search s = {.l = l, .mesh = &shape->mesh};
  pc_tree_query(shape->mesh.tree, box, try_triangle, &s);
  *low = -INFINITY;
  *high = s.high;
  return s.met;
}

static bool below_plane(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                        double *high)
{
  double n[3];
  pc_rotate(pose->rotation, shape->plane.normal, n);
  if (n[2] < 1e-9) // a wall or a ceiling
    return false;
  *low = -INFINITY;
  *high =
      pose->position[2] - (n[0] * (x - pose->position[0]) + n[1] * (y - pose->position[1])) / n[2];
  return true;
}

static bool through_compound(const pc_shape *shape, const pc_pose *pose, double x, double y,
                             double *low, double *high)
{
  bool met = false;
  for (int i = 0; i < shape->compound.count; i++) {
    double a, b;
    pc_pose at = pc_pose_multiply(pose, &shape->compound.child[i].pose);
    if (pc_shape_column(shape->compound.child[i].shape, &at, x, y, &a, &b))
      met = join(!met, a, b, low, high);
  }
  return met;
}

bool pc_shape_column(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                     double *high)
{
  static const double origin[3] = {0}, up[3] = {0, 0, 1};
  double ground[3] = {x, y, 0};
  line l;
  pc_to_local(pose, ground, l.from);
  pc_rotate_back(pose->rotation, up, l.along);
  switch (shape->type) {
  case PC_SPHERE:
    return through_ball(&l, origin, shape->ball, low, high);
  case PC_BOX:
  case PC_POLYHEDRON:
    return through_hull(&l, &shape->hull, low, high);
  case PC_CAPSULE:
    return through_capsule(&l, shape->rod.radius, shape->rod.half, low, high);
  case PC_CYLINDER:
    return through_cylinder(&l, shape->rod.radius, shape->rod.half, low, high);
  case PC_COMPOUND:
    return through_compound(shape, pose, x, y, low, high);
  case PC_PLANE:
    return below_plane(shape, pose, x, y, low, high);
  case PC_MESH:
  case PC_HEIGHTS:
    return through_mesh(&l, shape, low, high);
  default:
    return false;
  }
}

bool pc_shape_height(const pc_shape *shape, double x, double y, double *z)
{
  static const pc_pose own = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double low;
  return pc_shape_column(shape, &own, x, y, &low, z);
}
