// The inside of generators: what all of them share.
#ifndef PERCUSS_SCENE_RIGID_GENERATORS_H
#define PERCUSS_SCENE_RIGID_GENERATORS_H

#include "scene/rigid_file.h"

enum { PC_GENERATOR_CHOICES = 64 };
#ifdef PERCUSS_FUZZ
enum { PC_GENERATOR_BODIES = 500 }; // numbers that are made up are large, and all lie in one place
#else
enum { PC_GENERATOR_BODIES = 10000000 };
#endif

// One of the shapes to choose from.
typedef struct pc_shape_choice {
  pc_node shape;
  double weight;
  int material;
  pc_shape *shared; // of all bodies when nothing of it is drawn
} pc_shape_choice;

// A vector that is given, drawn from a box, or points to a place that is reached after a time.
typedef struct pc_vector_source {
  enum { PC_VECTOR_GIVEN, PC_VECTOR_RANGE, PC_VECTOR_TOWARD } kind;
  double low[3], high[3]; // given: low; toward: the point is low
  double time;
} pc_vector_source;

typedef struct pc_generator {
  pc_rigid_builder *builder;
  pc_node node;
  struct { // what the file says
    pc_node material, velocity, spin, shape, shapes, seed, orientation;
  } file;
  const char *name;
  pc_random random;
  pc_shape_choice choice[PC_GENERATOR_CHOICES];
  int choices;
  double weight_sum, size_spread;
  bool random_orientation;
  double orientation[4];
  pc_vector_source velocity, spin;
  uint32_t group;
  bool no_rotation, on_ground;
  int made;
} pc_generator;

#define PC_GENERATOR_TYPE(word_) PC_TAG("type", word_, "type of generator")
// rigid_generator.c: the keys that all generators have, and those of what is drawn for each body.
extern const pc_key pc_generator_keys[], pc_drawn_keys[];
void pc_generator_read(pc_generator *g);
// A shape by the weights; the caller releases it.
pc_shape *pc_generator_shape(pc_generator *g, int *material);
void pc_generator_orientation(pc_generator *g, double q[4]);
// Names the body, draws how it moves, and adds it.
bool pc_generator_add(pc_generator *g, pc_body_def *def);
// The same; puts it down on the ground first, if the generator does.
bool pc_generator_put(pc_generator *g, pc_body_def *def);

// rigid_layers.c

// How each layer of a generator lies on the one below: turned about the vertical, and moved. After
// `repeat` layers it starts again.
typedef struct pc_each_layer {
  double turn; // degrees
  double shift[3];
  int repeat;
} pc_each_layer;
extern const pc_mapping *const pc_table_each_layer[]; // in space, in the plane
#define PC_EACH_LAYER_KEY(struct_)                                                                 \
  {                                                                                                \
    PC_KEY(struct_, each_layer), PC_A_MAPPING, .variants = pc_table_each_layer,                    \
                                               .left_out = "each lies straight above the first",   \
                                               .meaning = "how each layer lies on the one below"   \
  }
void pc_rigid_read_each_layer(const pc_rigid_builder *builder, pc_node node, pc_each_layer *each);
// Places a body of layer `number` from where it would be in the first: turns it about the vertical
// through `middle`.
void pc_each_layer_place(const pc_each_layer *each, int number, const double middle[3],
                         pc_body_def *def);

// rigid_fill.c
extern const pc_mapping pc_table_fill;
void pc_generator_fill(pc_generator *g);

#endif
