// Spheres, and discs in the plane.

#include "core/small.h"
#include "geometry/shape_make.h"

static const double PI = 3.14159265358979323846;

static void bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double reach[3] = {shape->ball, shape->ball, shape->ball};
  pc_box_about(pose->position, reach, box);
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  return pc_norm(3, pose->position) + shape->ball;
}

static void sizes(const pc_shape *shape, double size[3])
{
  size[0] = shape->ball;
}

static bool same(const pc_shape *a, const pc_shape *b)
{
  return a->ball == b->ball;
}

static double sphere_area(const pc_shape *shape)
{
  return 4 * PI * shape->ball * shape->ball;
}

static double disc_length(const pc_shape *shape)
{
  return 2 * PI * shape->ball;
}

static bool column(const pc_shape *shape, const pc_vertical *line, double *low, double *high)
{
  static const double origin[3] = {0};
  return pc_vertical_ball(line, origin, shape->ball, low, high);
}

static void balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit, void *context)
{
  visit(context, pose->position, shape->ball);
}

static pc_mass_properties sphere_mass(const pc_shape *shape)
{
  double radius = shape->ball;
  double volume = 4 * PI / 3 * radius * radius * radius, inertia = 0.4 * volume * radius * radius;
  return pc_mass_diagonal(volume, inertia, inertia, inertia);
}

static pc_mass_properties disc_mass(const pc_shape *shape)
{
  double radius = shape->ball, area = PI * radius * radius;
  return pc_mass_diagonal(area, 0, 0, area * radius * radius / 2);
}

static const pc_shape_ops sphere_ops = {.is_piece = true,
                                        .mass = sphere_mass,
                                        .bounds = bounds,
                                        .farthest = farthest,
                                        .sizes = sizes,
                                        .same = same,
                                        .area = sphere_area,
                                        .column = column,
                                        .balls = balls};
static const pc_shape_ops disc_ops = {.is_piece = true,
                                      .mass = disc_mass,
                                      .bounds = bounds,
                                      .farthest = farthest,
                                      .sizes = sizes,
                                      .same = same,
                                      .area = disc_length,
                                      .balls = balls};

pc_shape *pc_shape_sphere(double radius, pc_error *error)
{
  if (!pc_shape_check_size("the radius of a sphere", radius, error))
    return NULL;
  pc_shape *shape = pc_shape_create(PC_SPHERE, &sphere_ops, 3, error);
  if (shape == NULL)
    return NULL;
  shape->ball = radius;
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_disc(double radius, pc_error *error)
{
  if (!pc_shape_check_size("the radius of a disc", radius, error))
    return NULL;
  pc_shape *shape = pc_shape_create(PC_DISC, &disc_ops, 2, error);
  if (shape == NULL)
    return NULL;
  shape->ball = radius;
  return pc_shape_finish(shape, error);
}
