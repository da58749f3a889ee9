// Shapes of a `kind: rigid` file: their names and types, and compounds of others.
#include "scene/rigid_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct piece_file {
  pc_node shape, orientation;
  double position[3];
} piece_file;
static const pc_key piece_keys[] = {
    {PC_KEY(piece_file, shape), PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "a convex shape, or the name of an entry of `shapes`"},
    {PC_KEY(piece_file, position), PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
     .meaning = "position of the origin of the piece"},
    {PC_KEY(piece_file, orientation), PC_NUMBERS | PC_A_MAPPING, .count = {4, 4},
     .variants = pc_table_orientations, .otherwise = "[1, 0, 0, 0]",
     .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {0}};
static const pc_mapping piece_table = {"piece", "a piece", "A piece of a compound.",
                                       .keys = {piece_keys}};
static const pc_key compound_keys[] = {
    PC_SHAPE_TYPE("compound"),
    {PC_KEY(pc_shape_file, pieces), PC_A_LIST, true, .mapping = &piece_table,
     .meaning = "pieces; they should not overlap, because the mass of overlaps counts twice"},
    {0}};
static const pc_mapping pc_shape_table_compound = {"compound", "a compound",
                                                   "Convex pieces joined rigidly.",
                                                   .keys = {compound_keys, pc_shape_name_keys}};

static pc_shape *pc_make_compound(const pc_shape_reader *from, pc_node node,
                                  const pc_shape_file *file, pc_error *error)
{
  pc_node list = file->pieces;
  int count = pc_read_list(list, "'pieces'");
  if (!pc_failed(list) && count == 0)
    pc_complain(list, "a compound needs at least one piece");
  pc_shape_piece *pieces = pc_allocate(list, count, sizeof *pieces);
  double scale = from->draw != NULL ? from->draw->scale : 1;
  for (int i = 0; i < count && !pc_failed(list); i++) {
    piece_file piece;
    pc_node item = pc_item(list, i);
    if (!pc_bind(&item, &piece_table, &piece))
      break;
    // An alias could make a compound a piece of itself.
    if (pc_is_mapping(piece.shape) &&
        strcmp(pc_read_string(pc_get(piece.shape, "type")), "compound") == 0)
      pc_complain(piece.shape, "a piece of a compound must be a convex shape, not a compound");
    pieces[i].shape = pc_rigid_read_shape(from->builder, piece.shape, from->draw);
    pieces[i].orientation[0] = 1;
    pc_rigid_read_orientation(from->builder->dimension, piece.orientation, pieces[i].orientation);
    for (int c = 0; c < 3; c++)
      pieces[i].position[c] = scale * piece.position[c];
  }
  pc_shape *shape = NULL;
  if (!pc_failed(list))
    shape = pc_shape_compound(count, pieces, error);
  for (int i = 0; pieces != NULL && i < count; i++)
    pc_shape_release(pieces[i].shape);
  free(pieces);
  return shape;
}

// All types, with the functions that make them.
#define SHAPES(X)                                                                                  \
  X(sphere)                                                                                        \
  X(box)                                                                                           \
  X(pointed_box)                                                                                   \
  X(polyhedron)                                                                                    \
  X(capsule) X(cylinder) X(compound) X(plane) X(mesh) X(heights) X(disc) X(polygon) X(chain)
#define TABLE(type_) &pc_shape_table_##type_,
#define MAKER(type_) pc_make_##type_,
const pc_mapping *const pc_table_shapes[] = {SHAPES(TABLE) NULL};
static pc_shape_maker *const makers[] = {SHAPES(MAKER)};

static pc_shape *make(const pc_shape_reader *from, pc_node node)
{
  pc_node type = pc_get(node, "type");
  if (!pc_is_mapping(node)) {
    pc_complain(
        node, "a shape must be the name of an entry of 'shapes' or a mapping with a 'type', not %s",
        pc_node_text(node).text);
    return NULL;
  }
  pc_shape_file file = {0};
  int type_number = pc_bind_variant(&node, "a shape", "type", &file);
  if (type_number < 0)
    return NULL;
  int dimension = node.mapping->value;
  if (dimension != 0 && dimension != from->builder->dimension) {
    pc_complain(type, "%s has %d dimensions, but the scene has %d", node.mapping->what, dimension,
                from->builder->dimension);
    return NULL;
  }
  pc_error error = {.text = "out of memory"};
  pc_shape *shape = pc_failed(node) ? NULL : makers[type_number](from, node, &file, &error);
  if (shape == NULL)
    pc_complain(node, "%s", error.text);
  return shape;
}

pc_shape *pc_rigid_read_shape(pc_rigid_builder *builder, pc_node node, pc_shape_draw *draw)
{
  if (pc_failed(node))
    return NULL;
  pc_shape_reader from = {builder, draw};
  if (pc_is_mapping(node) || pc_is_sequence(node))
    return make(&from, node);
  int found = pc_names_find(&builder->shapes, pc_read_name(node));
  if (found < 0) {
    pc_complain(node, "unknown shape '%s'", pc_node_text(node).text);
    return NULL;
  }
  const pc_named_shape *named = &builder->shape.at[found];
  if (named->shape != NULL && (draw == NULL || draw->scale == 1))
    return pc_shape_retain(named->shape);
  if (draw != NULL)
    return make(&from, named->node);
  pc_complain(node, "shape '%s' has ranges and can only be used in generators",
              pc_node_text(node).text);
  return NULL;
}

// A shape with ranges is tried once, to find what is wrong with it where it stands.
void pc_rigid_read_named_shape(pc_rigid_builder *builder, pc_node node, int number)
{
  pc_node name = pc_get(node, "name");
  if (!pc_is_mapping(node) || !pc_is_present(name)) {
    pc_complain(node, "an entry of 'shapes' must be a mapping with 'name' and 'type'");
    return;
  }
  pc_random random;
  pc_random_seed(&random, 1);
  pc_shape_draw draw = {.random = &random, .scale = 1};
  pc_shape_reader from = {builder, &draw};
  pc_shape *shape = make(&from, node);
  if (draw.drawn) {
    pc_shape_release(shape);
    shape = NULL;
  }
  pc_named_shape *named = pc_failed(node) ? NULL : pc_array_add(&builder->shape);
  if (named == NULL) {
    pc_complain(node, "out of memory");
    pc_shape_release(shape);
    return;
  }
  *named = (pc_named_shape){shape, node};
  pc_names_add_at(&builder->shapes, pc_read_name(name), name, "shapes");
}
