// Constructors, reference counts and queries of shapes.
#include "geometry/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "geometry/bounds.h"
#include "geometry/hull.h"
#include "geometry/mass.h"
#include "geometry/mesh.h"
#include "geometry/polygon.h"

static pc_shape *create(pc_shape_type type, int dimension, pc_error *error)
{
  pc_shape *shape = calloc(1, sizeof *shape);
  if (shape == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  shape->type = type;
  shape->dimension = dimension;
  shape->references = 1;
  return shape;
}

pc_shape *pc_shape_retain(pc_shape *shape)
{
  __atomic_add_fetch(&shape->references, 1, __ATOMIC_RELAXED);
  return shape;
}

void pc_shape_release(pc_shape *shape)
{
  if (shape == NULL || __atomic_sub_fetch(&shape->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (shape->type == PC_COMPOUND)
    for (int i = 0; i < shape->compound.count; i++)
      pc_shape_release(shape->compound.child[i].shape);
  pc_arena_free(&shape->arena);
  free(shape);
}

static pc_shape *give_up(pc_shape *shape)
{
  pc_shape_release(shape);
  return NULL;
}

static bool same_numbers(size_t count, const double *a, const double *b)
{
  return memcmp(a, b, sizeof(double) * count) == 0;
}

bool pc_shape_same(const pc_shape *a, const pc_shape *b)
{
  if (a == b)
    return true;
  if (a->type != b->type)
    return false;
  switch (a->type) {
  case PC_SPHERE:
  case PC_DISC:
    return a->ball == b->ball;
  case PC_CAPSULE:
  case PC_CYLINDER:
    return a->rod.radius == b->rod.radius && a->rod.half == b->rod.half;
  case PC_BOX:
    return same_numbers(3, a->box.half, b->box.half);
  case PC_POLYGON:
    return a->polygon.count == b->polygon.count &&
           same_numbers(2 * (size_t)a->polygon.count, a->polygon.vertex[0], b->polygon.vertex[0]);
  case PC_POLYHEDRON: // its faces follow from its vertices
    return a->hull.vertices == b->hull.vertices && a->hull.faces == b->hull.faces &&
           same_numbers(3 * (size_t)a->hull.vertices, a->hull.vertex[0], b->hull.vertex[0]) &&
           same_numbers(4 * (size_t)a->hull.faces, a->hull.plane[0], b->hull.plane[0]);
  default:
    return false;
  }
}

// What every shape knows of itself. Sizes whose volume or inertia are no numbers are refused.
static pc_shape *finish(pc_shape *shape, pc_error *error)
{
  pc_shape_measure(shape);
  if (!pc_shape_has_volume(shape))
    return shape;
  bool fine = isfinite(shape->mass.volume) && shape->mass.volume > 0 && isfinite(shape->radius);
  for (int k = 0; k < 3; k++) {
    double inertia = shape->mass.inertia[4 * k];
    fine = fine && isfinite(shape->mass.centroid[k]) && isfinite(inertia) &&
           (inertia > 0 || (shape->dimension == 2 && k < 2));
  }
  if (fine)
    return shape;
  pc_fail(error, PC_ERROR_ARGUMENT,
          "a %s of this size has no volume or inertia that can be written as a number",
          pc_shape_type_name(shape->type));
  return give_up(shape);
}

static bool above_zero(const char *what, double value, pc_error *error)
{
  if (value > 0 && isfinite(value))
    return true;
  pc_fail(error, PC_ERROR_ARGUMENT, "%s must be above 0 and finite, not %g", what, value);
  return false;
}

static pc_shape *make_ball(pc_shape_type type, double radius, pc_error *error)
{
  bool flat = type == PC_DISC;
  if (!above_zero(flat ? "the radius of a disc" : "the radius of a sphere", radius, error))
    return NULL;
  pc_shape *shape = create(type, flat ? 2 : 3, error);
  if (shape == NULL)
    return NULL;
  shape->ball = radius;
  shape->mass = flat ? pc_mass_disc(radius) : pc_mass_sphere(radius);
  return finish(shape, error);
}

pc_shape *pc_shape_sphere(double radius, pc_error *error)
{
  return make_ball(PC_SPHERE, radius, error);
}

pc_shape *pc_shape_disc(double radius, pc_error *error)
{
  return make_ball(PC_DISC, radius, error);
}

pc_shape *pc_shape_box(const double size[3], pc_error *error)
{
  for (int k = 0; k < 3; k++)
    if (!above_zero("every edge of a box", size[k], error))
      return NULL;
  pc_shape *shape = create(PC_BOX, 3, error);
  if (shape == NULL)
    return NULL;
  for (int k = 0; k < 3; k++)
    shape->box.half[k] = 0.5 * size[k];
  shape->mass = pc_mass_box(shape->box.half);
  if (pc_hull_box(&shape->hull, &shape->arena, shape->box.half, error) != PC_OK)
    return give_up(shape);
  return finish(shape, error);
}

static pc_shape *make_polyhedron(int count, const double (*vertices)[3], double tolerance,
                                 bool strict, pc_error *error)
{
  pc_shape *shape = create(PC_POLYHEDRON, 3, error);
  if (shape == NULL)
    return NULL;
  if (pc_hull_build(&shape->hull, &shape->arena, count, vertices, tolerance, strict, error) !=
      PC_OK)
    return give_up(shape);
  shape->mass = pc_mass_hull(&shape->hull);
  return finish(shape, error);
}

pc_shape *pc_shape_polyhedron(int count, const double (*vertices)[3], bool strict, pc_error *error)
{
  return make_polyhedron(count, vertices, PC_HULL_TOLERANCE, strict, error);
}

pc_shape *pc_shape_polyhedron_rough(int count, const double (*vertices)[3], double tolerance,
                                    pc_error *error)
{
  return make_polyhedron(count, vertices, tolerance, true, error);
}

static pc_shape *make_rod(pc_shape_type type, double radius, double length, pc_error *error)
{
  bool round = type == PC_CAPSULE;
  if (!above_zero(round ? "the radius of a capsule" : "the radius of a cylinder", radius, error) ||
      !above_zero(round ? "the length of a capsule" : "the length of a cylinder", length, error))
    return NULL;
  pc_shape *shape = create(type, 3, error);
  if (shape == NULL)
    return NULL;
  shape->rod.radius = radius;
  shape->rod.half = 0.5 * length;
  shape->mass =
      round ? pc_mass_capsule(radius, shape->rod.half) : pc_mass_cylinder(radius, shape->rod.half);
  return finish(shape, error);
}

pc_shape *pc_shape_capsule(double radius, double length, pc_error *error)
{
  return make_rod(PC_CAPSULE, radius, length, error);
}

pc_shape *pc_shape_cylinder(double radius, double length, pc_error *error)
{
  return make_rod(PC_CYLINDER, radius, length, error);
}

pc_shape *pc_shape_polygon(int count, const double (*vertices)[2], bool strict, pc_error *error)
{
  pc_shape *shape = create(PC_POLYGON, 2, error);
  if (shape == NULL)
    return NULL;
  if (pc_polygon_build(shape, count, vertices, strict, error) != PC_OK)
    return give_up(shape);
  shape->mass = pc_mass_polygon(shape->polygon.count, (const double(*)[2])shape->polygon.vertex);
  return finish(shape, error);
}

static bool is_piece(pc_shape_type type)
{
  return type == PC_SPHERE || type == PC_BOX || type == PC_POLYHEDRON || type == PC_CAPSULE ||
         type == PC_CYLINDER || type == PC_DISC || type == PC_POLYGON;
}

static pc_status check_piece(int i, const pc_shape_piece *piece, int dimension, pc_error *error)
{
  const double *p = piece->position, *q = piece->orientation;
  if (piece->shape == NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "piece %d has no shape", i);
  if (!is_piece(piece->shape->type))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "piece %d is a %s: pieces are convex shapes with a volume", i,
                   pc_shape_type_name(piece->shape->type));
  if (piece->shape->dimension != dimension)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "piece %d is in %d dimensions, the first one in %d: they do not mix", i,
                   piece->shape->dimension, dimension);
  double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the position of piece %d is not finite", i);
  if (!(size > 1e-100) || !isfinite(size))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the orientation of piece %d is no quaternion", i);
  if (dimension == 2 && (p[2] != 0 || q[1] != 0 || q[2] != 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "piece %d leaves the plane", i);
  return PC_OK;
}

pc_shape *pc_shape_compound(int count, const pc_shape_piece *pieces, pc_error *error)
{
  if (count < 1) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a compound needs at least one piece");
    return NULL;
  }
  int dimension = pieces[0].shape != NULL ? pieces[0].shape->dimension : 3;
  for (int i = 0; i < count; i++)
    if (check_piece(i, &pieces[i], dimension, error) != PC_OK)
      return NULL;
  pc_shape *shape = create(PC_COMPOUND, dimension, error);
  if (shape == NULL)
    return NULL;
  shape->compound.child =
      pc_arena_take(&shape->arena, (size_t)count, sizeof *shape->compound.child);
  if (shape->arena.failed) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return give_up(shape);
  }
  for (int i = 0; i < count; i++) {
    double q[4];
    memcpy(q, pieces[i].orientation, sizeof q);
    pc_quaternion_normalise(q);
    pc_child child = {pc_shape_retain(pieces[i].shape), pc_pose_of(pieces[i].position, q)};
    shape->compound.child[shape->compound.count++] = child;
  }
  shape->mass = pc_mass_sum(count, shape->compound.child);
  return finish(shape, error);
}

pc_shape *pc_shape_plane(int dimension, const double normal[3], pc_error *error)
{
  if (dimension != 2 && dimension != 3) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a plane has dimension 2 or 3, not %d", dimension);
    return NULL;
  }
  // Divided by the largest part first: squares of small or large numbers are no numbers.
  double n[3] = {normal[0], normal[1], dimension == 3 ? normal[2] : 0};
  double largest = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
  if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]) || largest < 1e-300) {
    pc_fail(error, PC_ERROR_ARGUMENT, "the normal of a plane must be finite and not zero");
    return NULL;
  }
  pc_shape *shape = create(PC_PLANE, dimension, error);
  if (shape == NULL)
    return NULL;
  for (int k = 0; k < 3; k++)
    n[k] /= largest;
  double size = pc_norm(3, n);
  for (int k = 0; k < 3; k++)
    shape->plane.normal[k] = n[k] / size;
  return finish(shape, error);
}

static pc_shape *make_mesh(int vertices, const double (*vertex)[3], int triangles,
                           const int (*triangle)[3], bool drop, pc_error *error)
{
  pc_shape *shape = create(PC_MESH, 3, error);
  if (shape == NULL)
    return NULL;
  if (pc_mesh_build(&shape->mesh, &shape->arena, vertices, vertex, triangles, triangle, drop,
                    error) != PC_OK)
    return give_up(shape);
  return finish(shape, error);
}

pc_shape *pc_shape_mesh(int vertices, const double (*vertex)[3], int triangles,
                        const int (*triangle)[3], pc_error *error)
{
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
  pc_shape *shape = create(PC_HEIGHTS, 3, error);
  if (shape == NULL)
    return NULL;
  if (pc_mesh_heights(&shape->mesh, &shape->arena, columns, rows, spacing, origin, height, error) !=
      PC_OK)
    return give_up(shape);
  return finish(shape, error);
}

pc_shape *pc_shape_chain(int count, const double (*vertices)[2], bool closed, pc_error *error)
{
  if (count < (closed ? 3 : 2)) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a %schain needs at least %d vertices, not %d",
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
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (!(length > 0) || !isfinite(length)) {
      pc_fail(error, PC_ERROR_ARGUMENT, "the segment from vertex %d to %d has no finite length", i,
              (i + 1) % count);
      return NULL;
    }
  }
  pc_shape *shape = create(PC_CHAIN, 2, error);
  if (shape == NULL)
    return NULL;
  shape->chain.count = count;
  shape->chain.closed = closed;
  shape->chain.vertex = pc_arena_take(&shape->arena, (size_t)count, sizeof(double[2]));
  if (shape->arena.failed) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return give_up(shape);
  }
  memcpy(shape->chain.vertex, vertices, (size_t)count * sizeof(double[2]));
  return finish(shape, error);
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

pc_shape_type pc_shape_kind(const pc_shape *shape)
{
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
  return shape->dimension;
}

bool pc_shape_has_volume(const pc_shape *shape)
{
  return shape->type == PC_COMPOUND || is_piece(shape->type);
}

pc_mass_properties pc_shape_mass(const pc_shape *shape)
{
  return shape->mass;
}

int pc_shape_vertices(const pc_shape *shape)
{
  return shape->type == PC_MESH || shape->type == PC_HEIGHTS ? shape->mesh.vertices : 0;
}

int pc_shape_triangles(const pc_shape *shape)
{
  return shape->type == PC_MESH || shape->type == PC_HEIGHTS ? shape->mesh.triangles : 0;
}

double pc_shape_radius(const pc_shape *shape)
{
  return shape->radius;
}
