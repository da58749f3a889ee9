// Shapes of all types: reference counts and queries. What a type can do is in the file of its
// family.
#include "geometry/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/shape_make.h"

pc_shape *pc_shape_create(pc_shape_type type, const pc_shape_ops *ops, int dimension,
                          pc_error *error)
{
  static const pc_hull no_hull;
  static const pc_mesh no_mesh;
  pc_shape *shape = calloc(1, sizeof *shape);
  if (shape == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  shape->ops = ops;
  shape->type = (unsigned char)type;
  shape->dimension = (unsigned char)dimension;
  shape->references = 1;
  shape->hull = &no_hull;
  shape->mesh = &no_mesh;
  return shape;
}

pc_shape *pc_shape_retain(pc_shape *shape)
{
  if (shape == NULL)
    return NULL;
  __atomic_add_fetch(&shape->references, 1, __ATOMIC_RELAXED);
  return shape;
}

void pc_shape_release(pc_shape *shape)
{
  if (shape == NULL || __atomic_sub_fetch(&shape->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (shape->ops->release != NULL)
    shape->ops->release(shape);
  pc_arena_free(&shape->arena);
  free(shape);
}

pc_shape *pc_shape_give_up(pc_shape *shape)
{
  pc_shape_release(shape);
  return NULL;
}

bool pc_same_numbers(size_t count, const double *a, const double *b)
{
  return memcmp(a, b, sizeof(double) * count) == 0;
}

bool pc_shape_same(const pc_shape *a, const pc_shape *b)
{
  return a == b || (a->type == b->type && a->ops->same != NULL && a->ops->same(a, b));
}

void pc_box_empty(double box[6])
{
  for (int k = 0; k < 3; k++)
    box[k] = INFINITY, box[3 + k] = -INFINITY;
}

void pc_box_include(const double point[3], double box[6])
{
  for (int k = 0; k < 3; k++) {
    box[k] = point[k] < box[k] ? point[k] : box[k];
    box[3 + k] = point[k] > box[3 + k] ? point[k] : box[3 + k];
  }
}

void pc_box_about(const double middle[3], const double reach[3], double box[6])
{
  for (int k = 0; k < 3; k++) {
    box[k] = middle[k] - reach[k];
    box[3 + k] = middle[k] + reach[k];
  }
}

void pc_shape_bounds(const pc_shape *shape, const pc_pose *pose, double box[6])
{
  shape->ops->bounds(shape, pose, box);
  if (shape->dimension == 2)
    box[2] = box[5] = 0;
}

static const pc_pose at_origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static pc_measures measure(const pc_shape *shape)
{
  pc_measures of = {0};
  double box[6];
  if (shape->ops->extent != NULL)
    shape->ops->extent(shape, box);
  else
    pc_shape_bounds(shape, &at_origin, box);
  memcpy(of.low, box, sizeof of.low);
  memcpy(of.high, box + 3, sizeof of.high);
  if (shape->ops->mass != NULL)
    of.mass = shape->ops->mass(shape);
  return of;
}

const pc_measures *pc_shape_measures(const pc_shape *shape, pc_measures *room)
{
  if (shape->measures != NULL)
    return shape->measures;
  *room = measure(shape);
  return room;
}

static bool keep_measures(pc_shape *shape, const pc_measures *of)
{
  if (shape->type == PC_SPHERE || shape->type == PC_DISC)
    return true;
  shape->measures = pc_arena_copy(&shape->arena, of, 1, sizeof *of);
  return shape->measures != NULL;
}

static bool has_rims(const pc_shape *shape)
{
  bool any = shape->type == PC_CAPSULE || shape->type == PC_CYLINDER;
  for (int i = 0; shape->type == PC_COMPOUND && i < shape->compound.count && !any; i++) {
    const pc_shape *child = shape->compound.child[i].shape;
    any = child->has_rims || child->type == PC_SPHERE;
  }
  return any;
}

pc_shape *pc_shape_finish(pc_shape *shape, pc_error *error)
{
  const pc_measures of = measure(shape);
  shape->has_rims = has_rims(shape);
  shape->radius = shape->ops->farthest(shape, &at_origin);
  if (!keep_measures(shape, &of)) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return pc_shape_give_up(shape);
  }
  if (!pc_shape_has_volume(shape))
    return shape;
  bool fine = isfinite(of.mass.volume) && of.mass.volume > 0 && isfinite(shape->radius);
  for (int k = 0; k < 3; k++) {
    double inertia = of.mass.inertia[4 * k];
    fine = fine && isfinite(of.mass.centroid[k]) && isfinite(inertia) &&
           (inertia > 0 || (shape->dimension == 2 && k < 2));
  }
  if (fine)
    return shape;
  pc_fail(error, PC_ERROR_ARGUMENT,
          "the volume or inertia of a %s of this size is outside the range of numbers",
          pc_shape_type_name(shape->type));
  return pc_shape_give_up(shape);
}

bool pc_shape_check_size(const char *what, double value, pc_error *error)
{
  if (value > 0 && isfinite(value))
    return true;
  pc_fail(error, PC_ERROR_ARGUMENT, "%s must be positive and finite (got %g)", what, value);
  return false;
}

pc_mass_properties pc_mass_diagonal(double volume, double x, double y, double z)
{
  return (pc_mass_properties){volume, {0, 0, 0}, {x, 0, 0, 0, y, 0, 0, 0, z}};
}

bool pc_vertical_join(bool first, double low, double high, double *lowest, double *highest)
{
  *lowest = first ? low : fmin(*lowest, low);
  *highest = first ? high : fmax(*highest, high);
  return true;
}

bool pc_vertical_cut(double rate, double room, double *low, double *high)
{
  if (rate > 0)
    *high = fmin(*high, room / rate);
  else if (rate < 0)
    *low = fmax(*low, room / rate);
  else if (room < 0)
    return false;
  return *low <= *high;
}

bool pc_vertical_ball(const pc_vertical *line, const double *centre, double radius, double *low,
                      double *high)
{
  double d[3] = {line->from[0] - centre[0], line->from[1] - centre[1], line->from[2] - centre[2]};
  double b = pc_dot3(d, line->along), root = b * b - pc_dot3(d, d) + radius * radius;
  if (root < 0)
    return false;
  *low = -b - sqrt(root);
  *high = -b + sqrt(root);
  return true;
}

bool pc_shape_column(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                     double *high)
{
  static const double up[3] = {0, 0, 1};
  if (shape->ops->column == NULL)
    return false;
  pc_vertical line = {.pose = pose, .x = x, .y = y};
  pc_to_local(pose, (double[3]){x, y, 0}, line.from);
  pc_rotate_back(pose->rotation, up, line.along);
  return shape->ops->column(shape, &line, low, high);
}

void pc_shape_widen_heights(const pc_shape *shape, const pc_pose *pose, const double box[6],
                            double range[2])
{
  if (shape->ops->heights != NULL) {
    shape->ops->heights(shape, pose, box, range);
    return;
  }
  double own[6];
  int up = shape->dimension - 1;
  pc_shape_bounds(shape, pose, own);
  for (int k = 0; k < up; k++)
    if (own[k] >= box[3 + k] || own[3 + k] <= box[k])
      return;
  range[0] = fmin(range[0], own[up]);
  range[1] = fmax(range[1], own[3 + up]);
}

bool pc_shape_height(const pc_shape *shape, double x, double y, double *z)
{
  if (z != NULL)
    *z = NAN;
  if (shape == NULL || z == NULL)
    return false;
  static const pc_pose own = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double low;
  return pc_shape_column(shape, &own, x, y, &low, z);
}

void pc_visit_ball_at(const pc_pose *pose, double x, double y, double z, double radius,
                      pc_ball_visit *visit, void *context)
{
  double local[3] = {x, y, z}, at[3];
  pc_to_world(pose, local, at);
  visit(context, at, radius);
}

void pc_shape_visit_balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit,
                          void *context)
{
  if (shape->ops->balls != NULL)
    shape->ops->balls(shape, pose, visit, context);
}

void pc_shape_sizes(const pc_shape *shape, double size[3])
{
  size[0] = size[1] = size[2] = 0;
  if (shape->ops->sizes != NULL)
    shape->ops->sizes(shape, size);
}

double pc_shape_area(const pc_shape *shape)
{
  if (shape == NULL)
    return 0;
  return shape->ops->area != NULL ? shape->ops->area(shape) : 0;
}

pc_shape_type pc_shape_kind(const pc_shape *shape)
{
  if (shape == NULL)
    return PC_SHAPE_TYPES;
  return shape->type;
}

const char *pc_shape_type_name(pc_shape_type type)
{
  static const char *const names[PC_SHAPE_TYPES] = {
      [PC_SPHERE] = "sphere",   [PC_BOX] = "box",           [PC_POLYHEDRON] = "polyhedron",
      [PC_CAPSULE] = "capsule", [PC_CYLINDER] = "cylinder", [PC_COMPOUND] = "compound",
      [PC_PLANE] = "plane",     [PC_MESH] = "mesh",         [PC_HEIGHTS] = "heights",
      [PC_DISC] = "disc",       [PC_POLYGON] = "polygon",   [PC_CHAIN] = "chain",
  };
  return (int)type >= 0 && type < PC_SHAPE_TYPES ? names[type] : "unknown";
}

int pc_shape_dimension(const pc_shape *shape)
{
  if (shape == NULL)
    return 0;
  return shape->dimension;
}

bool pc_shape_has_volume(const pc_shape *shape)
{
  if (shape == NULL)
    return false;
  return !shape->ops->is_obstacle;
}

pc_mass_properties pc_shape_mass(const pc_shape *shape)
{
  if (shape == NULL)
    return (pc_mass_properties){0};
  pc_measures room;
  return pc_shape_measures(shape, &room)->mass;
}

int pc_shape_vertices(const pc_shape *shape)
{
  if (shape == NULL)
    return 0;
  return shape->type == PC_MESH || shape->type == PC_HEIGHTS ? shape->mesh->vertices : 0;
}

int pc_shape_triangles(const pc_shape *shape)
{
  if (shape == NULL)
    return 0;
  return shape->type == PC_MESH || shape->type == PC_HEIGHTS ? shape->mesh->triangles : 0;
}

double pc_shape_radius(const pc_shape *shape)
{
  if (shape == NULL)
    return 0;
  return shape->radius;
}
