// Compounds: convex pieces, rigidly joined.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/shape_make.h"

static void bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  pc_box_empty(box);
  for (int i = 0; i < shape->compound.count; i++) {
    const pc_child *child = &shape->compound.child[i];
    pc_pose at = pc_pose_multiply(pose, &child->pose);
    double part[6];
    pc_shape_bounds(child->shape, &at, part);
    pc_box_include(part, box);
    pc_box_include(part + 3, box);
  }
}

// Only asked for a compound at its own origin.
static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0;
  for (int i = 0; i < shape->compound.count; i++) {
    const pc_child *child = &shape->compound.child[i];
    far = fmax(far, child->shape->ops->farthest(child->shape, &child->pose));
  }
  return far;
}

static double area(const pc_shape *shape)
{
  double sum = 0;
  for (int i = 0; i < shape->compound.count; i++)
    sum += pc_shape_area(shape->compound.child[i].shape);
  return sum;
}

static bool column(const pc_shape *shape, const pc_vertical *line, double *low, double *high)
{
  bool met = false;
  for (int i = 0; i < shape->compound.count; i++) {
    double a, b;
    pc_pose at = pc_pose_multiply(line->pose, &shape->compound.child[i].pose);
    if (pc_shape_column(shape->compound.child[i].shape, &at, line->x, line->y, &a, &b))
      met = pc_vertical_join(!met, a, b, low, high);
  }
  return met;
}

static void balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit, void *context)
{
  for (int i = 0; i < shape->compound.count; i++) {
    pc_pose at = pc_pose_multiply(pose, &shape->compound.child[i].pose);
    pc_shape_visit_balls(shape->compound.child[i].shape, &at, visit, context);
  }
}

static void release(pc_shape *shape)
{
  for (int i = 0; i < shape->compound.count; i++)
    pc_shape_release(shape->compound.child[i].shape);
}

// Turned into the axes of the whole, then moved to its centroid (parallel axes).
static pc_mass_properties sum_mass(const pc_shape *shape)
{
  const pc_child *child = shape->compound.child;
  const int count = shape->compound.count;
  pc_mass_properties sum = {0};
  pc_measures room;
  for (int i = 0; i < count; i++)
    sum.volume += pc_shape_measures(child[i].shape, &room)->mass.volume;
  for (int i = 0; i < count; i++) {
    const pc_mass_properties *own = &pc_shape_measures(child[i].shape, &room)->mass;
    double centroid[3], part = own->volume / sum.volume;
    pc_to_world(&child[i].pose, own->centroid, centroid);
    for (int k = 0; k < 3; k++)
      sum.centroid[k] += part * centroid[k];
  }
  for (int i = 0; i < count; i++) {
    const pc_mass_properties *own = &pc_shape_measures(child[i].shape, &room)->mass;
    const double *r = child[i].pose.rotation;
    double arm[3];
    pc_to_world(&child[i].pose, own->centroid, arm);
    for (int k = 0; k < 3; k++)
      arm[k] -= sum.centroid[k];
    double square = pc_dot3(arm, arm);
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) {
        double turned = 0;
        for (int m = 0; m < 3; m++)
          for (int n = 0; n < 3; n++)
            turned += r[3 * k + m] * own->inertia[3 * m + n] * r[3 * l + n];
        double moved = own->volume * ((k == l ? square : 0) - arm[k] * arm[l]);
        sum.inertia[3 * k + l] += turned + moved;
      }
  }
  if (child[0].shape->dimension == 2)
    for (int k = 0; k < 8; k++)
      sum.inertia[k] = 0;
  return sum;
}

static const pc_shape_ops compound_ops = {.bounds = bounds,
                                          .mass = sum_mass,
                                          .farthest = farthest,
                                          .area = area,
                                          .column = column,
                                          .balls = balls,
                                          .release = release};

static pc_status check_piece(int i, const pc_shape_piece *piece, int dimension, pc_error *error)
{
  const double *p = piece->position, *q = piece->orientation;
  if (piece->shape == NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "piece %d has no shape", i);
  if (!piece->shape->ops->is_piece)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "piece %d is a %s; pieces must be convex shapes with a volume", i,
                   pc_shape_type_name(piece->shape->type));
  if (piece->shape->dimension != dimension)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "piece %d has %d dimensions, but the first piece has %d", i,
                   piece->shape->dimension, dimension);
  double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the position of piece %d is not finite", i);
  if (!(size > 1e-100) || !isfinite(size))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the orientation of piece %d is not a valid quaternion", i);
  if (dimension == 2 && (p[2] != 0 || q[1] != 0 || q[2] != 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "piece %d must stay in the plane", i);
  return PC_OK;
}

pc_shape_piece pc_shape_piece_default(void)
{
  return (pc_shape_piece){.orientation = {1}};
}

pc_shape *pc_shape_compound(int count, const pc_shape_piece *pieces, pc_error *error)
{
  if (pieces == NULL) {
    pc_fail_null(error, "the pieces");
    return NULL;
  }
  if (count < 1) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a compound needs at least one piece");
    return NULL;
  }
  int dimension = pieces[0].shape != NULL ? pieces[0].shape->dimension : 3;
  for (int i = 0; i < count; i++)
    if (check_piece(i, &pieces[i], dimension, error) != PC_OK)
      return NULL;
  pc_shape *shape = pc_shape_create(PC_COMPOUND, &compound_ops, dimension, error);
  if (shape == NULL)
    return NULL;
  shape->compound.child =
      pc_arena_take(&shape->arena, (size_t)count, sizeof *shape->compound.child);
  if (shape->arena.failed) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return pc_shape_give_up(shape);
  }
  for (int i = 0; i < count; i++) {
    double q[4];
    memcpy(q, pieces[i].orientation, sizeof q);
    pc_quaternion_normalise(q);
    pc_child child = {pc_shape_retain(pieces[i].shape), pc_pose_of(pieces[i].position, q)};
    shape->compound.child[shape->compound.count++] = child;
  }
  return pc_shape_finish(shape, error);
}
