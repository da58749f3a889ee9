// Half-spaces.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/shape_make.h"

// Planes whose normal rises less are walls or ceilings.
static const double FLAT = 1e-9;

// Solid is below: a normal along an axis bounds one side.
static void bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  double normal[3];
  pc_rotate(pose->rotation, shape->plane.normal, normal);
  for (int k = 0; k < 3; k++) {
    box[k] = -INFINITY;
    box[3 + k] = INFINITY;
    // A turn leaves round-off across the axis, which does not count.
    if (fabs(normal[(k + 1) % 3]) > 1e-15 || fabs(normal[(k + 2) % 3]) > 1e-15)
      continue;
    box[normal[k] > 0 ? 3 + k : k] = pose->position[k];
  }
}

static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  return INFINITY;
}

static void sizes(const pc_shape *shape, double size[3])
{
  memcpy(size, shape->plane.normal, sizeof shape->plane.normal);
}

static bool column(const pc_shape *shape, const pc_vertical *line, double *low, double *high)
{
  const pc_pose *pose = line->pose;
  double n[3];
  pc_rotate(pose->rotation, shape->plane.normal, n);
  if (n[2] < FLAT)
    return false;
  *low = -INFINITY;
  *high = pose->position[2] -
          (n[0] * (line->x - pose->position[0]) + n[1] * (line->y - pose->position[1])) / n[2];
  return true;
}

// At the corners of the rectangle.
static void heights(const pc_shape *shape, const pc_pose *pose, const double box[6],
                    double range[2])
{
  int up = shape->dimension - 1;
  double n[3];
  pc_rotate(pose->rotation, shape->plane.normal, n);
  if (n[up] < FLAT)
    return;
  for (int corner = 0; corner < 1 << up; corner++) {
    double along = 0;
    for (int k = 0; k < up; k++)
      along += n[k] * (box[corner >> k & 1 ? 3 + k : k] - pose->position[k]);
    double height = pose->position[up] - along / n[up];
    range[0] = fmin(range[0], height);
    range[1] = fmax(range[1], height);
  }
}

static const pc_shape_ops plane_ops = {.is_obstacle = true,
                                       .bounds = bounds,
                                       .farthest = farthest,
                                       .sizes = sizes,
                                       .column = column,
                                       .heights = heights};

pc_shape *pc_shape_plane(int dimension, const double normal[3], pc_error *error)
{
  if (normal == NULL) {
    pc_fail_null(error, "the normal");
    return NULL;
  }
  if (dimension != 2 && dimension != 3) {
    pc_fail(error, PC_ERROR_ARGUMENT, "the dimension of a plane must be 2 or 3 (got %d)",
            dimension);
    return NULL;
  }
  // Divided by the largest part first: squares of very small or large numbers would leave the
  // range.
  double n[3] = {normal[0], normal[1], dimension == 3 ? normal[2] : 0};
  double largest = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
  if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]) || largest < 1e-300) {
    pc_fail(error, PC_ERROR_ARGUMENT, "the normal of a plane must be finite and not zero");
    return NULL;
  }
  pc_shape *shape = pc_shape_create(PC_PLANE, &plane_ops, dimension, error);
  if (shape == NULL)
    return NULL;
  for (int k = 0; k < 3; k++)
    n[k] /= largest;
  double size = pc_norm(3, n);
  for (int k = 0; k < 3; k++)
    shape->plane.normal[k] = n[k] / size;
  return pc_shape_finish(shape, error);
}

pc_shape *pc_shape_half_space(const double normal[3], pc_error *error)
{
  return pc_shape_plane(3, normal, error);
}

pc_shape *pc_shape_half_plane(const double normal[2], pc_error *error)
{
  if (normal == NULL) {
    pc_fail_null(error, "the normal");
    return NULL;
  }
  return pc_shape_plane(2, (const double[3]){normal[0], normal[1], 0}, error);
}
