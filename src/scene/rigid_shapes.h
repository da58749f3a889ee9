// The inside of reading shapes of a `kind: rigid` file.
#ifndef PERCUSS_SCENE_RIGID_SHAPES_H
#define PERCUSS_SCENE_RIGID_SHAPES_H

#include "scene/rigid_file.h"

// What the file says of a shape of any type.
typedef struct pc_shape_file {
  const char *name;
  // Numbers of which generators may draw some, and lists.
  pc_node radius, length, tip, size, scale, file, vertices, triangles, heights, pieces;
  int random; // points of a polyhedron; 0: none
  double normal[3], spacing, origin[2];
  bool closed;
} pc_shape_file;

#define PC_SHAPE_TYPE(word_) PC_TAG("type", word_, "type of shape")
extern const pc_mapping pc_table_length_range;
extern const pc_key pc_shape_name_keys[], pc_shape_file_keys[];

typedef struct pc_shape_reader {
  pc_rigid_builder *builder;
  pc_shape_draw *draw; // NULL: no ranges
} pc_shape_reader;

// A maker reads what its type needs; NULL with the reason in `error`, or after a complaint.
typedef pc_shape *pc_shape_maker(const pc_shape_reader *from, pc_node node,
                                 const pc_shape_file *file, pc_error *error);

// rigid_lengths.c: a length or a range of lengths, a factor on what a file says, and points of
// `width` numbers each, which the caller frees.
double pc_shape_length(const pc_shape_reader *from, pc_node node);
double pc_shape_scale(const pc_shape_reader *from, pc_node node);
double *pc_shape_points(const pc_shape_reader *from, pc_node node, int width, int least,
                        int *count);
// Of two keys the file has one.
bool pc_shape_needs_one(pc_node node, const char *what, const char *a, const char *b);

// rigid_solids.c, rigid_surfaces.c
extern const pc_mapping pc_shape_table_sphere, pc_shape_table_box, pc_shape_table_pointed_box,
    pc_shape_table_polyhedron, pc_shape_table_capsule, pc_shape_table_cylinder, pc_shape_table_disc,
    pc_shape_table_polygon;
extern const pc_mapping pc_shape_table_plane, pc_shape_table_mesh, pc_shape_table_heights,
    pc_shape_table_chain;
pc_shape_maker pc_make_sphere, pc_make_box, pc_make_pointed_box, pc_make_polyhedron,
    pc_make_capsule, pc_make_cylinder, pc_make_disc, pc_make_polygon;
pc_shape_maker pc_make_plane, pc_make_mesh, pc_make_heights, pc_make_chain;

#endif
