// Capsules and cylinders, along z.
#include <math.h>

#include "core/elementary.h"
#include "core/small.h"
#include "geometry/shape_make.h"

static const double PI = 3.14159265358979323846;

static void sizes(const pc_shape *shape, double size[3])
{
  size[0] = shape->rod.radius;
  size[1] = 2 * shape->rod.half;
}

static bool same(const pc_shape *a, const pc_shape *b)
{
  return a->rod.radius == b->rod.radius && a->rod.half == b->rod.half;
}

static void capsule_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double *r = pose->rotation;
  double reach[3];
  for (int k = 0; k < 3; k++)
    reach[k] = fabs(r[3 * k + 2]) * shape->rod.half + shape->rod.radius;
  pc_box_about(pose->position, reach, box);
}

static void cylinder_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double *r = pose->rotation;
  double reach[3];
  for (int k = 0; k < 3; k++)
    reach[k] =
        fabs(r[3 * k + 2]) * shape->rod.half + pc_hypot(r[3 * k], r[3 * k + 1]) * shape->rod.radius;
  pc_box_about(pose->position, reach, box);
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0, point[3], radius = shape->rod.radius;
  for (int end = -1; end <= 1; end += 2) {
    pc_rotate_back(pose->rotation, pose->position, point);
    point[2] += end * shape->rod.half;
    far = fmax(far, shape->type == PC_CAPSULE
                        ? pc_norm(3, point) + radius
                        : pc_hypot(pc_hypot(point[0], point[1]) + radius, point[2]));
  }
  return far;
}

static double capsule_area(const pc_shape *shape)
{
  double r = shape->rod.radius, length = 2 * shape->rod.half;
  return 2 * PI * r * (2 * r + length);
}

static double cylinder_area(const pc_shape *shape)
{
  double r = shape->rod.radius, length = 2 * shape->rod.half;
  return 2 * PI * r * (r + length);
}

static bool cylinder_column(const pc_shape *shape, const pc_vertical *l, double *low, double *high)
{
  double radius = shape->rod.radius, half = shape->rod.half;
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
  return pc_vertical_cut(l->along[2], half - l->from[2], low, high) &&
         pc_vertical_cut(-l->along[2], half + l->from[2], low, high);
}

static bool capsule_column(const pc_shape *shape, const pc_vertical *l, double *low, double *high)
{
  double a, b, ends[2][3] = {{0, 0, -shape->rod.half}, {0, 0, shape->rod.half}};
  bool met = cylinder_column(shape, l, low, high);
  for (int i = 0; i < 2; i++)
    if (pc_vertical_ball(l, ends[i], shape->rod.radius, &a, &b))
      met = pc_vertical_join(!met, a, b, low, high);
  return met;
}

static void capsule_balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit,
                          void *context)
{
  pc_visit_ball_at(pose, 0, 0, shape->rod.half, shape->rod.radius, visit, context);
  pc_visit_ball_at(pose, 0, 0, -shape->rod.half, shape->rod.radius, visit, context);
}

// Points of the two rims, close enough for the height of a deposit.
static void cylinder_balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit,
                           void *context)
{
  enum { RIM = 128 };
  double r = shape->rod.radius, half = shape->rod.half;
  for (int i = 0; i < RIM; i++) {
    double turn = 2 * pc_acos(-1) * i / RIM;
    pc_visit_ball_at(pose, r * pc_cos(turn), r * pc_sin(turn), half, 0, visit, context);
    pc_visit_ball_at(pose, r * pc_cos(turn), r * pc_sin(turn), -half, 0, visit, context);
  }
}

static pc_mass_properties cylinder_mass(const pc_shape *shape)
{
  double r = shape->rod.radius, half = shape->rod.half;
  double volume = 2 * PI * r * r * half;
  double across = volume * (r * r / 4 + half * half / 3);
  return pc_mass_diagonal(volume, across, across, volume * r * r / 2);
}

// A half ball has its centroid 3/8 r from its plane, so a cap at the end of the rod has the second
// moment 2/5 r^2 + 2 (3/8) r half + half^2 per mass about an axis across the middle.
static pc_mass_properties capsule_mass(const pc_shape *shape)
{
  double r = shape->rod.radius, half = shape->rod.half;
  pc_mass_properties rod = cylinder_mass(shape);
  double caps = 4 * PI / 3 * r * r * r;
  double across = rod.inertia[0] + caps * (0.4 * r * r + 0.75 * r * half + half * half);
  return pc_mass_diagonal(rod.volume + caps, across, across, rod.inertia[8] + 0.4 * caps * r * r);
}

static const pc_shape_ops capsule_ops = {.is_piece = true,
                                         .mass = capsule_mass,
                                         .bounds = capsule_bounds,
                                         .farthest = farthest,
                                         .sizes = sizes,
                                         .same = same,
                                         .area = capsule_area,
                                         .column = capsule_column,
                                         .balls = capsule_balls};
static const pc_shape_ops cylinder_ops = {.is_piece = true,
                                          .mass = cylinder_mass,
                                          .bounds = cylinder_bounds,
                                          .farthest = farthest,
                                          .sizes = sizes,
                                          .same = same,
                                          .area = cylinder_area,
                                          .column = cylinder_column,
                                          .balls = cylinder_balls};

static pc_shape *make_rod(pc_shape_type type, const pc_shape_ops *ops, double radius, double length,
                          pc_error *error)
{
  pc_shape *shape = pc_shape_create(type, ops, 3, error);
  if (shape == NULL)
    return NULL;
  shape->rod.radius = radius;
  shape->rod.half = 0.5 * length;
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_capsule(double radius, double length, pc_error *error)
{
  return pc_shape_check_size("the radius of a capsule", radius, error) &&
                 pc_shape_check_size("the length of a capsule", length, error)
             ? make_rod(PC_CAPSULE, &capsule_ops, radius, length, error)
             : NULL;
}

pc_shape *pc_shape_cylinder(double radius, double length, pc_error *error)
{
  return pc_shape_check_size("the radius of a cylinder", radius, error) &&
                 pc_shape_check_size("the length of a cylinder", length, error)
             ? make_rod(PC_CYLINDER, &cylinder_ops, radius, length, error)
             : NULL;
}
