// Shapes of a `kind: rigid` file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/small.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

enum { MAX_VERTICES = 1 << 24 };

typedef struct reader {
  pc_rigid_builder *builder;
  pc_shape_draw *draw; // NULL: no ranges
} reader;

// --- numbers ------------------------------------------------------------------------------------

// A length, or a range of lengths.
static double read_length(const reader *from, pc_node node)
{
  double value;
  if (!pc_is_mapping(node)) {
    value = pc_read_number(node);
  } else {
    if (from->draw == NULL) {
      pc_complain(node, "a range {min, max} is for the shapes of generators");
      return 1;
    }
    if (!pc_read_keys(&node, &pc_table_length_range))
      return 1;
    double low = pc_read_number(pc_get(node, "min"));
    double high = pc_read_number(pc_get(node, "max"));
    if (!pc_failed(node) && high < low)
      pc_complain(node, "the range ends before it starts: min %g, max %g", low, high);
    value = pc_random_uniform(from->draw->random, low, high);
    from->draw->drawn = true;
  }
  return from->draw != NULL ? value * from->draw->scale : value;
}

// A factor on what a file says.
static double read_scale(const reader *from, pc_node node)
{
  if (pc_is_present(node))
    return read_length(from, node);
  return from->draw != NULL ? from->draw->scale : 1;
}

// Points of `width` numbers each; the caller frees them.
static double *read_points(const reader *from, pc_node node, int width, int least, int *count)
{
  *count = pc_read_list(node, "a list of points");
  if (pc_failed(node))
    return NULL;
  if (*count < least || *count > MAX_VERTICES) {
    pc_complain(node, "%d points are given, at least %d are needed", *count, least);
    return NULL;
  }
  double *points = malloc((size_t)*count * (size_t)width * sizeof *points);
  if (points == NULL) {
    pc_complain(node, "out of memory");
    return NULL;
  }
  double scale = from->draw != NULL ? from->draw->scale : 1;
  for (int i = 0; i < *count && !pc_failed(node); i++)
    pc_read_vector(pc_item(node, i), width, width, points + (size_t)width * i);
  for (int i = 0; i < *count * width; i++)
    points[i] *= scale;
  return points;
}

static bool needs_one(pc_node node, const char *what, const char *a, const char *b)
{
  bool has_a = pc_is_present(pc_get(node, a)), has_b = pc_is_present(pc_get(node, b));
  if (has_a != has_b)
    return true;
  pc_complain(node, "%s has either '%s' or '%s'", what, a, b);
  return false;
}

// A key that says nothing without another one.
static void belongs_to(pc_node node, const char *key, const char *other)
{
  if (pc_is_present(pc_get(node, key)) && !pc_is_present(pc_get(node, other)))
    pc_complain(pc_get(node, key), "'%s' goes with '%s'", key, other);
}

// --- makers -------------------------------------------------------------------------------------

typedef pc_shape *maker(const reader *from, pc_node node, pc_error *error);

static pc_shape *make_sphere(const reader *from, pc_node node, pc_error *error)
{
  double radius = read_length(from, pc_get(node, "radius"));
  return pc_failed(node) ? NULL : pc_shape_sphere(radius, error);
}

static pc_shape *make_disc(const reader *from, pc_node node, pc_error *error)
{
  double radius = read_length(from, pc_get(node, "radius"));
  return pc_failed(node) ? NULL : pc_shape_disc(radius, error);
}

// In the plane a box is a polygon.
static pc_shape *make_box(const reader *from, pc_node node, pc_error *error)
{
  int dimension = from->builder->dimension;
  pc_node list = pc_get(node, "size");
  double size[3] = {0};
  if (pc_read_list(list, "'size'") != dimension)
    pc_complain(list, "a box has %d sizes in %d dimensions", dimension, dimension);
  for (int i = 0; i < dimension; i++)
    size[i] = read_length(from, pc_item(list, i));
  if (pc_failed(node))
    return NULL;
  if (dimension == 3)
    return pc_shape_box(size, error);
  double x = size[0] / 2, y = size[1] / 2, corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  return pc_shape_polygon(4, (const double(*)[2])corners, true, error);
}

// A box with a pyramid on each of its ends along x: the twelve-faced grain of León (6.1).
static pc_shape *make_pointed_box(const reader *from, pc_node node, pc_error *error)
{
  pc_node list = pc_get(node, "size");
  double size[3] = {0}, points[10][3] = {{0}};
  if (pc_read_list(list, "'size'") != 3)
    pc_complain(list, "a pointed box has three sizes");
  for (int i = 0; i < 3; i++)
    size[i] = read_length(from, pc_item(list, i));
  double tip = read_length(from, pc_get(node, "tip"));
  if (pc_failed(node))
    return NULL;
  for (int v = 0; v < 8; v++)
    for (int i = 0; i < 3; i++)
      points[v][i] = (v >> i & 1 ? 0.5 : -0.5) * size[i];
  points[8][0] = -0.5 * size[0] - tip;
  points[9][0] = 0.5 * size[0] + tip;
  return pc_shape_polyhedron(10, (const double(*)[3])points, true, error);
}

static pc_shape *make_rod(const reader *from, pc_node node, bool capsule, pc_error *error)
{
  double radius = read_length(from, pc_get(node, "radius"));
  double length = read_length(from, pc_get(node, "length"));
  if (pc_failed(node))
    return NULL;
  return capsule ? pc_shape_capsule(radius, length, error)
                 : pc_shape_cylinder(radius, length, error);
}

static pc_shape *make_capsule(const reader *from, pc_node node, pc_error *error)
{
  return make_rod(from, node, true, error);
}

static pc_shape *make_cylinder(const reader *from, pc_node node, pc_error *error)
{
  return make_rod(from, node, false, error);
}

// The hull of random points on a sphere. Drawn again while it is nearly flat.
static pc_shape *make_random_polyhedron(const reader *from, pc_node node, pc_error *error)
{
  int count = pc_read_integer(pc_get(node, "random"));
  double radius = read_length(from, pc_get(node, "radius"));
  if (pc_failed(node))
    return NULL;
  if (from->draw == NULL) {
    pc_complain(pc_get(node, "random"), "a random polyhedron is for the shapes of generators");
    return NULL;
  }
  double(*points)[3] = calloc((size_t)count, sizeof *points);
  pc_shape *shape = NULL;
  from->draw->drawn = true;
  bool memory = points == NULL;
  for (int attempt = 0; attempt < 100 && !memory && shape == NULL; attempt++) {
    for (int i = 0; i < count; i++) {
      double length = 0;
      while (length < 1e-3) {
        for (int c = 0; c < 3; c++)
          points[i][c] = pc_random_normal(from->draw->random);
        length = pc_norm(3, points[i]);
      }
      for (int c = 0; c < 3; c++)
        points[i][c] *= radius / length;
    }
    shape = pc_shape_polyhedron(count, (const double(*)[3])points, true, error);
    memory = shape == NULL && error->status == PC_ERROR_MEMORY; // other points are no help
    if (shape != NULL && pc_shape_mass(shape).volume < 0.3 * radius * radius * radius) {
      pc_shape_release(shape);
      shape = NULL;
    }
  }
  free(points);
  return shape;
}

static pc_shape *make_polyhedron(const reader *from, pc_node node, pc_error *error)
{
  belongs_to(node, "radius", "random");
  belongs_to(node, "scale", "file");
  if (pc_is_present(pc_get(node, "random")))
    return make_random_polyhedron(from, node, error);
  if (!needs_one(node, "a polyhedron", "vertices", "file"))
    return NULL;
  pc_node file = pc_get(node, "file");
  char path[1024];
  if (pc_is_present(file)) {
    double scale = read_scale(from, pc_get(node, "scale"));
    if (pc_failed(node) || !pc_scene_find_file(file, path, sizeof path))
      return NULL;
    return pc_shape_polyhedron_file(path, scale, error);
  }
  int count;
  double *points = read_points(from, pc_get(node, "vertices"), 3, 4, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_polyhedron(count, (const double(*)[3])points, true, error);
  free(points);
  return shape;
}

static pc_shape *make_polygon(const reader *from, pc_node node, pc_error *error)
{
  int count;
  double *points = read_points(from, pc_get(node, "vertices"), 2, 3, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_polygon(count, (const double(*)[2])points, true, error);
  free(points);
  return shape;
}

static pc_shape *make_chain(const reader *from, pc_node node, pc_error *error)
{
  pc_node closed = pc_get(node, "closed");
  bool is_closed = pc_is_present(closed) && pc_read_boolean(closed);
  int count;
  double *points = read_points(from, pc_get(node, "vertices"), 2, 2, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_chain(count, (const double(*)[2])points, is_closed, error);
  free(points);
  return shape;
}

static pc_shape *make_plane(const reader *from, pc_node node, pc_error *error)
{
  int dimension = from->builder->dimension;
  pc_node given = pc_get(node, "normal");
  double normal[3] = {0};
  normal[dimension - 1] = 1;
  if (pc_is_present(given))
    pc_rigid_read_axis(from->builder, given, normal);
  return pc_failed(node) ? NULL : pc_shape_plane(dimension, normal, error);
}

static pc_shape *make_mesh(const reader *from, pc_node node, pc_error *error)
{
  belongs_to(node, "scale", "file");
  belongs_to(node, "triangles", "vertices");
  if (!needs_one(node, "a mesh", "vertices", "file"))
    return NULL;
  pc_node file = pc_get(node, "file"), list = pc_get(node, "triangles");
  char path[1024];
  if (pc_is_present(file)) {
    double scale = read_scale(from, pc_get(node, "scale"));
    if (pc_failed(node) || !pc_scene_find_file(file, path, sizeof path))
      return NULL;
    return pc_shape_mesh_file(path, scale, error);
  }
  int count, triangles = 0;
  double *points = read_points(from, pc_get(node, "vertices"), 3, 3, &count);
  if (!pc_is_present(list))
    pc_complain(node, "a mesh needs the key 'triangles'");
  triangles = pc_read_list(list, "'triangles'");
  int(*triangle)[3] = calloc((size_t)triangles + 1, sizeof *triangle);
  if (triangle == NULL)
    pc_complain(node, "out of memory");
  for (int i = 0; i < triangles && !pc_failed(node); i++) {
    pc_node item = pc_item(list, i);
    if (pc_read_list(item, "a triangle") != 3)
      pc_complain(item, "a triangle is three numbers of vertices, counted from 0");
    for (int c = 0; c < 3; c++)
      triangle[i][c] = pc_read_integer_in(pc_item(item, c), 0, count - 1);
  }
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_mesh(count, (const double(*)[3])points, triangles, (const int(*)[3])triangle,
                          error);
  free(points);
  free(triangle);
  return shape;
}

// Rows of heights, from the south (small y) to the north; null is a hole.
static pc_shape *make_heights(const reader *from, pc_node node, pc_error *error)
{
  belongs_to(node, "spacing", "heights");
  belongs_to(node, "origin", "heights");
  if (!needs_one(node, "a height field", "heights", "file"))
    return NULL;
  pc_node file = pc_get(node, "file"), list = pc_get(node, "heights");
  char path[1024];
  if (pc_is_present(file))
    return pc_scene_find_file(file, path, sizeof path) ? pc_shape_heights_file(path, error) : NULL;
  pc_node spacing_node = pc_get(node, "spacing"), origin_node = pc_get(node, "origin");
  if (!pc_is_present(spacing_node))
    pc_complain(node, "a height field needs the key 'spacing'");
  double spacing = pc_read_number(spacing_node), origin[2] = {0};
  if (pc_is_present(origin_node))
    pc_read_vector(origin_node, 2, 2, origin);
  int rows = pc_read_list(list, "'heights'");
  int columns = pc_read_list(pc_item(list, 0), "a row of heights");
  if (!pc_failed(list) && (rows < 2 || columns < 2))
    pc_complain(list, "a height field has at least two rows of two heights");
  double *height = calloc((size_t)rows * (size_t)columns + 1, sizeof *height);
  if (height == NULL)
    pc_complain(node, "out of memory");
  for (int j = 0; j < rows && !pc_failed(node); j++) {
    pc_node row = pc_item(list, j);
    if (pc_read_list(row, "a row of heights") != columns)
      pc_complain(row, "this row does not have %d heights like the first", columns);
    for (int i = 0; i < columns && !pc_failed(node); i++) {
      pc_node item = pc_item(row, i);
      height[(size_t)j * columns + i] = pc_is_null(item) ? NAN : pc_read_number(item);
    }
  }
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_heights(columns, rows, spacing, origin, height, error);
  free(height);
  return shape;
}

static pc_shape *make_compound(const reader *from, pc_node node, pc_error *error)
{
  pc_node list = pc_get(node, "pieces");
  int count = pc_read_list(list, "'pieces'");
  if (!pc_failed(list) && count == 0)
    pc_complain(list, "a compound needs at least one piece");
  pc_shape_piece *pieces = calloc((size_t)count + 1, sizeof *pieces);
  if (pieces == NULL)
    pc_complain(list, "out of memory");
  double scale = from->draw != NULL ? from->draw->scale : 1;
  for (int i = 0; i < count && !pc_failed(list); i++) {
    pc_node item = pc_item(list, i);
    if (!pc_read_keys(&item, &pc_table_piece))
      break;
    pc_node shape = pc_get(item, "shape");
    // An alias could make a compound a piece of itself.
    if (pc_is_mapping(shape) && strcmp(pc_read_string(pc_get(shape, "type")), "compound") == 0)
      pc_complain(shape, "a piece of a compound is a convex shape, not a compound");
    pieces[i].shape = pc_rigid_read_shape(from->builder, shape, from->draw);
    pieces[i].orientation[0] = 1;
    pc_rigid_read_vector(from->builder, pc_get(item, "position"), pieces[i].position);
    pc_rigid_read_orientation(from->builder, pc_get(item, "orientation"), pieces[i].orientation);
    for (int c = 0; c < 3; c++)
      pieces[i].position[c] *= scale;
  }
  pc_shape *shape = NULL;
  if (!pc_failed(list))
    shape = pc_shape_compound(count, pieces, error);
  for (int i = 0; pieces != NULL && i < count; i++)
    pc_shape_release(pieces[i].shape);
  free(pieces);
  return shape;
}

// --- shapes -------------------------------------------------------------------------------------

// In the order of pc_table_shapes.
static maker *const makers[] = {
    make_sphere,   make_box,      make_pointed_box, make_polyhedron, make_capsule,
    make_cylinder, make_compound, make_plane,       make_mesh,       make_heights,
    make_disc,     make_polygon,  make_chain,
};

static pc_shape *make(const reader *from, pc_node node)
{
  pc_node type = pc_get(node, "type");
  if (!pc_is_mapping(node)) {
    pc_complain(node, "a shape is a name of the list 'shapes' or a mapping with a 'type', not %s",
                pc_node_text(node).text);
    return NULL;
  }
  int word = pc_read_variant(&node, "a shape", "type");
  if (word < 0)
    return NULL;
  int dimension = node.mapping->value;
  if (dimension != 0 && dimension != from->builder->dimension) {
    pc_complain(type, "%s has %d dimensions and the scene has %d", node.mapping->what, dimension,
                from->builder->dimension);
    return NULL;
  }
  pc_error error = {.text = "out of memory"};
  pc_shape *shape = makers[word](from, node, &error);
  if (shape == NULL)
    pc_complain(node, "%s", error.text);
  return shape;
}

pc_shape *pc_rigid_read_shape(pc_rigid_builder *builder, pc_node node, pc_shape_draw *draw)
{
  if (pc_failed(node))
    return NULL;
  reader from = {builder, draw};
  if (pc_is_mapping(node) || pc_is_sequence(node))
    return make(&from, node);
  int found = pc_names_find(&builder->shapes, pc_read_name(node));
  if (found < 0) {
    pc_complain(node, "there is no shape called '%s'", pc_node_text(node).text);
    return NULL;
  }
  if (builder->shape[found] != NULL && (draw == NULL || draw->scale == 1))
    return pc_shape_retain(builder->shape[found]);
  if (draw != NULL)
    return make(&from, builder->shape_node[found]);
  pc_complain(node, "shape '%s' has ranges: it is for generators", pc_node_text(node).text);
  return NULL;
}

// A shape with ranges is tried once, to find what is wrong with it where it stands.
void pc_rigid_read_shapes(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'shapes'") : 0;
  for (int i = 0; i < count && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i), name = pc_get(node, "name");
    if (!pc_is_mapping(node) || !pc_is_present(name)) {
      pc_complain(node, "a shape of this list is a mapping with a 'name' and a 'type'");
      return;
    }
    pc_random random;
    pc_random_seed(&random, 1);
    pc_shape_draw draw = {.random = &random, .scale = 1};
    reader from = {builder, &draw};
    pc_shape *shape = make(&from, node);
    if (draw.drawn) {
      pc_shape_release(shape);
      shape = NULL;
    }
    const char *text = pc_read_name(name);
    if (pc_failed(list)) {
      pc_shape_release(shape);
      return;
    }
    int known_shapes = builder->shapes.count;
    if (!pc_grow(&builder->shape, &builder->shape_capacity, known_shapes + 1,
                 sizeof *builder->shape) ||
        !pc_grow(&builder->shape_node, &builder->node_capacity, known_shapes + 1,
                 sizeof *builder->shape_node)) {
      pc_complain(node, "out of memory");
      pc_shape_release(shape);
      return;
    }
    builder->shape[known_shapes] = shape;
    builder->shape_node[known_shapes] = node;
    int added = pc_names_add(&builder->shapes, text);
    if (added < 0) {
      pc_shape_release(shape);
      pc_complain(name, added == -1 ? "two shapes are called '%s'" : "out of memory at '%s'",
                  pc_node_text(name).text);
    }
  }
}

void pc_rigid_read_orientation(const pc_rigid_builder *builder, pc_node node, double q[4])
{
  if (!pc_is_present(node))
    return;
  double axis[3] = {0, 0, 1};
  if (pc_is_sequence(node)) {
    pc_read_vector(node, 4, 4, q);
    double length = pc_norm(4, q);
    if (!pc_failed(node) && !(fabs(length - 1) < 1e-3))
      pc_complain(node, "a quaternion [w, x, y, z] has length 1, not %g", length);
    if (!pc_failed(node) && builder->dimension == 2 && (q[1] != 0 || q[2] != 0))
      pc_complain(node, "in the plane bodies turn about z alone");
    if (!pc_failed(node))
      pc_quaternion_normalise(q);
    return;
  }
  if (builder->dimension == 3) {
    if (!pc_read_keys(&node, &pc_table_orientation))
      return;
    pc_rigid_read_axis(builder, pc_get(node, "axis"), axis);
  } else if (!pc_read_keys(&node, &pc_table_orientation_plane)) {
    return;
  }
  double angle = pc_read_number(pc_get(node, "degrees")) * (acos(-1) / 180);
  double turn[3] = {angle * axis[0], angle * axis[1], angle * axis[2]};
  pc_quaternion_exp(turn, q);
}
