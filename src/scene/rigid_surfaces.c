// Surfaces without a volume of a `kind: rigid` file: obstacles, and the terrain.
#include <math.h>
#include <stdlib.h>

#include "scene/paths.h"
#include "scene/rigid_shapes.h"

static const pc_key chain_keys[] = {PC_SHAPE_TYPE("chain"),
                                    {PC_KEY(pc_shape_file, vertices), PC_POINTS, true, .unit = "m",
                                     .count = {2, 2}, .meaning = "vertices, at least two"},
                                    {PC_KEY(pc_shape_file, closed), PC_A_BOOLEAN,
                                     .otherwise = "false",
                                     .meaning = "true: connect the last vertex to the first"},
                                    {0}};
const pc_mapping pc_shape_table_chain = {
    "chain_shape", "a chain",
    "A chain of line segments that collide on both sides; in the plane, without volume.",
    .keys = {chain_keys, pc_shape_name_keys}, .value = 2};

pc_shape *pc_make_chain(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                        pc_error *error)
{
  int count;
  double *points = pc_shape_points(from, file->vertices, 2, 2, &count);
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_chain(count, (const double(*)[2])points, file->closed, error);
  free(points);
  return shape;
}

static const pc_key plane_keys[] = {
    PC_SHAPE_TYPE("plane"),
    {PC_KEY(pc_shape_file, normal), PC_NUMBERS, .otherwise = "[0, 0, 1]",
     .meaning = "normal that points out of the solid; the default in the plane is [0, 1]"},
    {0}};
const pc_mapping pc_shape_table_plane = {
    "plane", "a plane",
    "A half-space that is solid below the plane through its position; without volume.",
    .keys = {plane_keys, pc_shape_name_keys}};

pc_shape *pc_make_plane(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                        pc_error *error)
{
  double normal[3] = {file->normal[0], file->normal[1], file->normal[2]};
  pc_rigid_make_unit(pc_at(PC_NODE(node, pc_shape_file, normal), node), normal);
  return pc_failed(node) ? NULL : pc_shape_plane(from->builder->dimension, normal, error);
}

static const pc_key mesh_keys[] = {
    PC_SHAPE_TYPE("mesh"),
    {PC_KEY(pc_shape_file, vertices), PC_POINTS, .unit = "m", .count = {3, 3},
     .meaning = "vertices, at least three"},
    {PC_KEY(pc_shape_file, triangles), PC_POINTS, .with = "vertices", .count = {3, 3},
     .left_out = "required with `vertices`",
     .meaning = "`[[0, 1, 2], …]`: vertex numbers from 0, counter-clockwise seen from outside"},
    {0}};
const pc_mapping pc_shape_table_mesh = {
    "mesh", "a mesh",
    "A surface of triangles, given by `vertices` or `file`; in space, without volume.",
    .keys = {mesh_keys, pc_shape_file_keys, pc_shape_name_keys}, .value = 3};

pc_shape *pc_make_mesh(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                       pc_error *error)
{
  if (!pc_shape_needs_one(node, "a mesh", "vertices", "file"))
    return NULL;
  pc_node list = file->triangles;
  char path[1024];
  if (pc_is_present(file->file)) {
    double scale = pc_shape_scale(from, file->scale);
    if (pc_failed(node) || !pc_scene_find_file(file->file, path, sizeof path))
      return NULL;
    return pc_shape_mesh_file(path, scale, error);
  }
  int count, triangles = 0;
  double *points = pc_shape_points(from, file->vertices, 3, 3, &count);
  if (!pc_is_present(list))
    pc_complain(node, "a mesh needs the key 'triangles'");
  triangles = pc_read_list(list, "'triangles'");
  int(*triangle)[3] = pc_allocate(node, triangles, sizeof *triangle);
  for (int i = 0; i < triangles && !pc_failed(node); i++) {
    pc_node item = pc_item(list, i);
    if (pc_read_list(item, "a triangle") != 3)
      pc_complain(item, "a triangle must be three vertex numbers, counted from 0");
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

static const pc_key heights_keys[] = {
    PC_SHAPE_TYPE("heights"),
    {PC_KEY(pc_shape_file, heights), PC_POINTS | PC_GAPS, .unit = "m", .count = {2, PC_MANY},
     .meaning =
         "rows of heights along x, from the smallest to the largest y; null for a missing point"},
    {PC_KEY(pc_shape_file, spacing), PC_A_NUMBER, .with = "heights", .unit = "m", PC_POSITIVE,
     .left_out = "required with `heights`", .meaning = "distance between neighbouring points"},
    {PC_KEY(pc_shape_file, origin), PC_NUMBERS, .with = "heights", .unit = "m", .count = {2, 2},
     .otherwise = "[0, 0]", .meaning = "x and y of the first height"},
    {PC_KEY(pc_shape_file, file), PC_A_FILE,
     .meaning = "ESRI grid (.asc), x y z triples (.xyz, .csv) or, with GDAL's programs installed, "
                "GeoTIFF (.tif), "
                "instead of `heights`"},
    {0}};
const pc_mapping pc_shape_table_heights = {
    "heights", "a height field", "Terrain, given by `heights` or `file`; in space, without volume.",
    .keys = {heights_keys, pc_shape_name_keys}, .value = 3};

// Rows of heights, from the south (small y) to the north; null is a hole.
pc_shape *pc_make_heights(const pc_shape_reader *from, pc_node node, const pc_shape_file *file,
                          pc_error *error)
{
  if (!pc_shape_needs_one(node, "a height field", "heights", "file"))
    return NULL;
  pc_node list = file->heights;
  char path[1024];
  if (pc_is_present(file->file))
    return pc_scene_find_file(file->file, path, sizeof path) ? pc_shape_heights_file(path, error)
                                                             : NULL;
  if (!PC_GIVEN(node, pc_shape_file, spacing))
    pc_complain(node, "'heights' requires 'spacing'");
  int rows = pc_read_list(list, "'heights'");
  int columns = pc_read_list(pc_item(list, 0), "a row of heights");
  if (!pc_failed(list) && (rows < 2 || columns < 2))
    pc_complain(list, "a height field needs at least two rows of two heights");
  double *height = calloc((size_t)rows * (size_t)columns + 1, sizeof *height);
  if (height == NULL)
    pc_complain(node, "out of memory");
  for (int j = 0; j < rows && !pc_failed(node); j++) {
    pc_node row = pc_item(list, j);
    if (pc_read_list(row, "a row of heights") != columns)
      pc_complain(row, "this row must have %d heights, as the first row", columns);
    for (int i = 0; i < columns && !pc_failed(node); i++) {
      pc_node item = pc_item(row, i);
      height[(size_t)j * columns + i] = pc_is_null(item) ? NAN : pc_read_number(item);
    }
  }
  pc_shape *shape = NULL;
  if (!pc_failed(node))
    shape = pc_shape_heights(columns, rows, file->spacing, file->origin, height, error);
  free(height);
  return shape;
}
