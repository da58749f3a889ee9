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
  bool no_rotation;
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

// rigid_fill.c
extern const pc_mapping pc_table_fill;
void pc_generator_fill(pc_generator *g);

#endif
