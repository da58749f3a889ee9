// Shapes with a volume of a `kind: rigid` file.
#include <stdlib.h>

#include "core/small.h"
#include "scene/paths.h"
#include "scene/rigid_shapes.h"

static const pc_key radius_keys[] = {{PC_KEY(pc_shape_file, radius), PC_A_NUMBER | PC_A_MAPPING,
                                      true, .unit = "m", PC_POSITIVE,
                                      .mapping = &pc_table_length_range, .meaning = "radius"},
                                     {0}};
const pc_mapping pc_shape_table_sphere = {
    "sphere", "a sphere", "A sphere; in space.",
    .keys = {(const pc_key[]){PC_SHAPE_TYPE("sphere"), {0}}, radius_keys, pc_shape_name_keys},
    .value = 3};

pc_shape *pc_make_sphere(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                         pc_error *error)
{
  double radius = pc_shape_length(from, file->radius);
  return pc_failed(node) ? NULL : pc_shape_sphere(radius, error);
}

const pc_mapping pc_shape_table_disc = {
    "disc", "a disc", "A disc; in the plane.",
    .keys = {(const pc_key[]){PC_SHAPE_TYPE("disc"), {0}}, radius_keys, pc_shape_name_keys},
    .value = 2};

pc_shape *pc_make_disc(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                       pc_error *error)
{
  double radius = pc_shape_length(from, file->radius);
  return pc_failed(node) ? NULL : pc_shape_disc(radius, error);
}

static const pc_key box_keys[] = {PC_SHAPE_TYPE("box"),
                                  {PC_KEY(pc_shape_file, size), PC_LENGTHS, true, .unit = "m",
                                   PC_POSITIVE, .mapping = &pc_table_length_range,
                                   .meaning = "edge lengths along x, y, z"},
                                  {0}};
const pc_mapping pc_shape_table_box = {"box", "a box",
                                       "A box around the origin; in the plane a rectangle.",
                                       .keys = {box_keys, pc_shape_name_keys}};

// In the plane a box is a polygon.
pc_shape *pc_make_box(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                      pc_error *error)
{
  int dimension = from->builder->dimension;
  double size[3] = {0};
  if (pc_read_list(file->size, "'size'") != dimension)
    pc_complain(file->size, "'size' of a box must have %d numbers in %d dimensions", dimension,
                dimension);
  for (int i = 0; i < dimension; i++)
    size[i] = pc_shape_length(from, pc_item(file->size, i));
  if (pc_failed(node))
    return NULL;
  if (dimension == 3)
    return pc_shape_box(size, error);
  double x = size[0] / 2, y = size[1] / 2, corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  return pc_shape_polygon(4, (const double(*)[2])corners, true, error);
}

static const pc_key pointed_box_keys[] = {
    PC_SHAPE_TYPE("pointed_box"),
    {PC_KEY(pc_shape_file, size), PC_LENGTHS, true, .unit = "m", PC_POSITIVE, .count = {3, 3},
     .mapping = &pc_table_length_range, .meaning = "edge lengths of the box"},
    {PC_KEY(pc_shape_file, tip), PC_A_NUMBER | PC_A_MAPPING, true, .unit = "m", PC_POSITIVE,
     .mapping = &pc_table_length_range, .meaning = "height of the pyramids"},
    {0}};
const pc_mapping pc_shape_table_pointed_box = {
    "pointed_box", "a pointed box", "A box with a pyramid on each end along x; in space.",
    .keys = {pointed_box_keys, pc_shape_name_keys}, .value = 3};

// A box with a pyramid on each of its ends along x: the twelve-faced grain of León (6.1).
pc_shape *pc_make_pointed_box(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                              pc_error *error)
{
  double size[3] = {0}, points[10][3] = {{0}};
  if (pc_read_list(file->size, "'size'") != 3)
    pc_complain(file->size, "'size' of a pointed box must have three numbers");
  for (int i = 0; i < 3; i++)
    size[i] = pc_shape_length(from, pc_item(file->size, i));
  double tip = pc_shape_length(from, file->tip);
  if (pc_failed(node))
    return NULL;
  for (int v = 0; v < 8; v++)
    for (int i = 0; i < 3; i++)
      points[v][i] = (v >> i & 1 ? 0.5 : -0.5) * size[i];
  points[8][0] = -0.5 * size[0] - tip;
  points[9][0] = 0.5 * size[0] + tip;
  return pc_shape_polyhedron(10, (const double(*)[3])points, true, error);
}

static const pc_key length_keys[] = {{PC_KEY(pc_shape_file, length), PC_A_NUMBER | PC_A_MAPPING,
                                      true, .unit = "m", PC_POSITIVE,
                                      .mapping = &pc_table_length_range,
                                      .meaning = "length along z; for a capsule, without the caps"},
                                     {0}};
const pc_mapping pc_shape_table_capsule = {"capsule", "a capsule",
                                           "A capsule along z, around the origin; in space.",
                                           .keys = {(const pc_key[]){PC_SHAPE_TYPE("capsule"), {0}},
                                                    radius_keys, length_keys, pc_shape_name_keys},
                                           .value = 3};
const pc_mapping pc_shape_table_cylinder = {
    "cylinder", "a cylinder", "A cylinder along z, around the origin; in space.",
    .keys = {(const pc_key[]){PC_SHAPE_TYPE("cylinder"), {0}}, radius_keys, length_keys,
             pc_shape_name_keys},
    .value = 3};

pc_shape *pc_make_capsule(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                          pc_error *error)
{
  double radius = pc_shape_length(from, file->radius), length = pc_shape_length(from, file->length);
  return pc_failed(node) ? NULL : pc_shape_capsule(radius, length, error);
}

pc_shape *pc_make_cylinder(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                           pc_error *error)
{
  double radius = pc_shape_length(from, file->radius), length = pc_shape_length(from, file->length);
  return pc_failed(node) ? NULL : pc_shape_cylinder(radius, length, error);
}

static const pc_key polyhedron_keys[] = {
    PC_SHAPE_TYPE("polyhedron"),
    {PC_KEY(pc_shape_file, vertices), PC_POINTS, .unit = "m", .count = {3, 3},
     .meaning = "vertices, at least four; none may lie inside the convex hull of the others"},
    {PC_KEY(pc_shape_file, random), PC_AN_INTEGER, PC_FROM(4, 1000),
     .meaning = "number of random vertices on a sphere, instead of `vertices`; in generators only"},
    {PC_KEY(pc_shape_file, radius), PC_A_NUMBER | PC_A_MAPPING, .with = "random", .unit = "m",
     PC_POSITIVE, .mapping = &pc_table_length_range, .left_out = "required with `random`",
     .meaning = "radius of the sphere"},
    {0}};
const pc_mapping pc_shape_table_polyhedron = {
    "polyhedron", "a polyhedron",
    "A convex polyhedron, given by one of `vertices`, `file` and `random`; in space.",
    .keys = {polyhedron_keys, pc_shape_file_keys, pc_shape_name_keys}, .value = 3};

// The hull of random points on a sphere. Drawn again while it is nearly flat.
static pc_shape *make_random_polyhedron(const pc_shape_reader *from, pc_node node,
                                        const pc_shape_file *file, pc_error *error)
{
  int count = file->random;
  double radius = pc_shape_length(from, file->radius);
  if (pc_failed(node))
    return NULL;
  if (from->draw == NULL) {
    pc_complain(PC_NODE(node, pc_shape_file, random),
                "a random polyhedron can only be used in shapes of generators");
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

pc_shape *pc_make_polyhedron(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                             pc_error *error)
{
  if (file->random > 0)
    return make_random_polyhedron(from, node, file, error);
  if (!pc_shape_needs_one(node, "a polyhedron", "vertices", "file"))
    return NULL;
  char path[1024];
  if (pc_is_present(file->file)) {
    double scale = pc_shape_scale(from, file->scale);
    if (pc_failed(node) || !pc_scene_find_file(file->file, path, sizeof path))
      return NULL;
    return pc_shape_polyhedron_file(path, scale, error);
  }
  int count;
  double *points = pc_shape_points(from, file->vertices, 3, 4, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_polyhedron(count, (const double(*)[3])points, true, error);
  free(points);
  return shape;
}

static const pc_key polygon_keys[] = {PC_SHAPE_TYPE("polygon"),
                                      {PC_KEY(pc_shape_file, vertices), PC_POINTS, true,
                                       .unit = "m", .count = {2, 2},
                                       .meaning = "vertices, at least three"},
                                      {0}};
const pc_mapping pc_shape_table_polygon = {"polygon", "a polygon",
                                           "A convex polygon; in the plane.",
                                           .keys = {polygon_keys, pc_shape_name_keys}, .value = 2};

pc_shape *pc_make_polygon(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                          pc_error *error)
{
  int count;
  double *points = pc_shape_points(from, file->vertices, 2, 3, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_polygon(count, (const double(*)[2])points, true, error);
  free(points);
  return shape;
}
