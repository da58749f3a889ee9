// Boxes and spheres around shapes.
#include "geometry/bounds.h"

#include <math.h>
#include <string.h>

#include "core/small.h"

static void include_point(const double point[3], double box[6])
{
  for (int k = 0; k < 3; k++) {
    box[k] = point[k] < box[k] ? point[k] : box[k];
    box[3 + k] = point[k] > box[3 + k] ? point[k] : box[3 + k];
  }
}

static void include_plane_points(const pc_pose *pose, int count, const double (*vertex)[2],
                                 double box[6])
{
  for (int i = 0; i < count; i++) {
    double point[3];
    pc_to_world(pose, (double[3]){vertex[i][0], vertex[i][1], 0}, point);
    include_point(point, box);
  }
}

// Solid is below: a normal along an axis bounds one side.
static void plane_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  double normal[3];
  pc_rotate(pose->rotation, shape->plane.normal, normal);
  for (int k = 0; k < 3; k++) {
    box[k] = -INFINITY;
    box[3 + k] = INFINITY;
    // What a turn by round-off leaves across is nothing.
    if (fabs(normal[(k + 1) % 3]) > 1e-15 || fabs(normal[(k + 2) % 3]) > 1e-15)
      continue;
    box[normal[k] > 0 ? 3 + k : k] = pose->position[k];
  }
}

void pc_shape_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  const double *r = pose->rotation;
  double reach[3] = {0, 0, 0};
  const double *middle = pose->position;
  double moved[3];
  for (int k = 0; k < 3; k++)
    box[k] = INFINITY, box[3 + k] = -INFINITY;
  switch (shape->type) {
  case PC_SPHERE:
  case PC_DISC:
    reach[0] = reach[1] = reach[2] = shape->ball;
    break;
  case PC_BOX:
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        reach[k] += fabs(r[3 * k + l]) * shape->box.half[l];
    break;
  case PC_CAPSULE:
    for (int k = 0; k < 3; k++)
      reach[k] = fabs(r[3 * k + 2]) * shape->rod.half + shape->rod.radius;
    break;
  case PC_CYLINDER:
    for (int k = 0; k < 3; k++)
      reach[k] =
          fabs(r[3 * k + 2]) * shape->rod.half + hypot(r[3 * k], r[3 * k + 1]) * shape->rod.radius;
    break;
  case PC_MESH: // the box around the turned box: there may be millions of vertices
  case PC_HEIGHTS:
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        reach[k] += fabs(r[3 * k + l]) * 0.5 * (shape->high[l] - shape->low[l]);
    for (int l = 0; l < 3; l++)
      moved[l] = shape->low[l] + 0.5 * (shape->high[l] - shape->low[l]);
    pc_to_world(pose, (const double[3]){moved[0], moved[1], moved[2]}, moved);
    middle = moved;
    break;
  case PC_POLYHEDRON:
    for (int i = 0; i < shape->hull.vertices; i++) {
      pc_to_world(pose, shape->hull.vertex[i], moved);
      include_point(moved, box);
    }
    return;
  case PC_COMPOUND:
    for (int i = 0; i < shape->compound.count; i++) {
      const pc_child *child = &shape->compound.child[i];
      pc_pose at = pc_pose_multiply(pose, &child->pose);
      double part[6];
      pc_shape_bounds(child->shape, &at, part);
      include_point(part, box);
      include_point(part + 3, box);
    }
    return;
  case PC_POLYGON:
    include_plane_points(pose, shape->polygon.count, (const double(*)[2])shape->polygon.vertex,
                         box);
    break;
  case PC_CHAIN:
    include_plane_points(pose, shape->chain.count, (const double(*)[2])shape->chain.vertex, box);
    break;
  case PC_PLANE:
    plane_bounds(shape, pose, box);
    break;
  case PC_SHAPE_TYPES:
    break;
  }
  if (box[0] > box[3])
    for (int k = 0; k < 3; k++) {
      box[k] = middle[k] - reach[k];
      box[3 + k] = middle[k] + reach[k];
    }
  if (shape->dimension == 2)
    box[2] = box[5] = 0;
}

// How far from the origin a shape reaches.
static double farthest(const pc_shape *shape, const pc_pose *pose)
{
  double far = 0, point[3];
  switch (shape->type) {
  case PC_SPHERE:
  case PC_DISC:
    return pc_norm(3, pose->position) + shape->ball;
  case PC_BOX:
  case PC_POLYHEDRON:
    for (int i = 0; i < shape->hull.vertices; i++) {
      pc_to_world(pose, shape->hull.vertex[i], point);
      far = fmax(far, pc_norm(3, point));
    }
    return far;
  case PC_CAPSULE:
  case PC_CYLINDER:
    for (int end = -1; end <= 1; end += 2) {
      pc_rotate_back(pose->rotation, pose->position, point);
      point[2] += end * shape->rod.half;
      double reach = shape->type == PC_CAPSULE
                         ? pc_norm(3, point) + shape->rod.radius
                         : hypot(hypot(point[0], point[1]) + shape->rod.radius, point[2]);
      far = fmax(far, reach);
    }
    return far;
  case PC_COMPOUND:
    for (int i = 0; i < shape->compound.count; i++) {
      const pc_child *child = &shape->compound.child[i];
      far = fmax(far, farthest(child->shape, &child->pose)); // a compound is at its own origin
    }
    return far;
  case PC_MESH:
  case PC_HEIGHTS:
    for (int i = 0; i < shape->mesh.vertices; i++)
      far = fmax(far, pc_norm(3, shape->mesh.vertex[i]));
    return far;
  case PC_POLYGON:
    for (int i = 0; i < shape->polygon.count; i++) {
      const double *v = shape->polygon.vertex[i];
      pc_to_world(pose, (double[3]){v[0], v[1], 0}, point);
      far = fmax(far, pc_norm(3, point));
    }
    return far;
  case PC_CHAIN:
    for (int i = 0; i < shape->chain.count; i++)
      far = fmax(far, pc_norm(2, shape->chain.vertex[i]));
    return far;
  case PC_PLANE:
  case PC_SHAPE_TYPES:
    break;
  }
  return INFINITY;
}

void pc_shape_measure(pc_shape *shape)
{
  const pc_pose origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double box[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  if (shape->type == PC_MESH || shape->type == PC_HEIGHTS)
    for (int i = 0; i < shape->mesh.vertices; i++)
      include_point(shape->mesh.vertex[i], box);
  else
    pc_shape_bounds(shape, &origin, box);
  memcpy(shape->low, box, sizeof shape->low);
  memcpy(shape->high, box + 3, sizeof shape->high);
  shape->radius = farthest(shape, &origin);
}
