// What all generators of a `kind: rigid` file share: names, motions, and what is drawn for each
// body.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "scene/rigid_generators.h"

static const pc_key velocity_range_keys[] = {
    {"min", PC_INTO(pc_vector_source, low), PC_NUMBERS, true, .unit = "m/s",
     .meaning = "minimum of each component"},
    {"max", PC_INTO(pc_vector_source, high), PC_NUMBERS, true, .unit = "m/s",
     .meaning = "maximum of each component"},
    {0}};
static const pc_mapping velocity_range_table = {"velocity_range", "a range of velocities",
                                                "A random velocity for each body.",
                                                .keys = {velocity_range_keys}};
static const pc_key velocity_toward_keys[] = {
    {"toward", PC_INTO(pc_vector_source, low), PC_NUMBERS, true, .unit = "m",
     .meaning = "target point"},
    {PC_KEY(pc_vector_source, time), PC_A_NUMBER, true, .unit = "s", PC_POSITIVE,
     .meaning = "time of flight to the point, in the absence of collisions"},
    {0}};
static const pc_mapping velocity_toward_table = {
    "velocity_toward", "a velocity", "A velocity towards a point.", .keys = {velocity_toward_keys}};
static const pc_mapping *const velocities[] = {&velocity_range_table, &velocity_toward_table, NULL};
static const pc_key spin_range_keys[] = {{"min", PC_INTO(pc_vector_source, low), PC_A_SPIN, true,
                                          .unit = "rad/s", .meaning = "minimum of each component"},
                                         {"max", PC_INTO(pc_vector_source, high), PC_A_SPIN, true,
                                          .unit = "rad/s", .meaning = "maximum of each component"},
                                         {0}};
static const pc_mapping spin_range_table = {"spin_range", "a range of spins",
                                            "A random angular velocity for each body.",
                                            .keys = {spin_range_keys}};

// A vector or a mapping; of a spin in the plane a number.
static void read_source(pc_node node, bool spin, pc_vector_source *source)
{
  *source = (pc_vector_source){0};
  if (!pc_is_present(node))
    return;
  if (!pc_is_mapping(node)) {
    if (spin && pc_node_dimension(node) == 2)
      source->low[2] = pc_read_number(node);
    else
      pc_read_vector(node, pc_node_dimension(node), pc_node_dimension(node), source->low);
    return;
  }
  if (!spin && (pc_is_given(node, "toward") || pc_is_given(node, "time"))) {
    source->kind = PC_VECTOR_TOWARD;
    pc_bind(&node, &velocity_toward_table, source);
    return;
  }
  source->kind = PC_VECTOR_RANGE;
  pc_bind(&node, spin ? &spin_range_table : &velocity_range_table, source);
  for (int i = 0; i < 3; i++)
    if (source->high[i] < source->low[i])
      pc_complain(node, "'min' must not exceed 'max' (got min %g, max %g)", source->low[i],
                  source->high[i]);
}

static void draw_vector(pc_generator *g, const pc_vector_source *source, const double *position,
                        double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = source->kind == PC_VECTOR_GIVEN ? source->low[i]
             : source->kind == PC_VECTOR_RANGE
                 ? pc_random_uniform(&g->random, source->low[i], source->high[i])
                 : (source->low[i] - position[i]) / source->time;
}

typedef struct choice_file {
  pc_node shape, material;
  double weight;
} choice_file;
static const pc_key shape_choice_keys[] = {
    {PC_KEY(choice_file, shape), PC_A_NAME | PC_A_MAPPING, true, .variants = pc_table_shapes,
     .meaning = "a shape, or the name of an entry of `shapes`"},
    {PC_KEY(choice_file, weight), PC_A_NUMBER, PC_POSITIVE, .otherwise = "1",
     .meaning = "relative frequency of the shape"},
    {PC_KEY(choice_file, material), PC_A_NAME, .left_out = "as given for the generator",
     .meaning = "material"},
    {0}};
static const pc_mapping shape_choice_table = {
    "shape_choice", "a shape to choose from",
    "One of the shapes from which a generator chooses at random.", .keys = {shape_choice_keys}};

static void read_choices(pc_generator *g)
{
  pc_node one = g->file.shape, list = g->file.shapes;
  int material = pc_rigid_read_material(g->builder, g->file.material);
  if (pc_is_present(one) == pc_is_present(list)) {
    pc_complain(g->node, "a generator needs either 'shape' or 'shapes'");
    return;
  }
  if (pc_is_present(one)) {
    g->choice[g->choices++] = (pc_shape_choice){.shape = one, .weight = 1, .material = material};
    g->weight_sum = 1;
    return;
  }
  pc_entries e = pc_entries_of(list);
  if (!pc_failed(list) && (e.count < 1 || e.count > PC_GENERATOR_CHOICES))
    pc_complain(list, "a generator needs 1 to %d shapes", PC_GENERATOR_CHOICES);
  while (pc_next(&e)) {
    choice_file file;
    if (!pc_bind(&e.node, &shape_choice_table, &file))
      return;
    int of =
        pc_is_present(file.material) ? pc_rigid_read_material(g->builder, file.material) : material;
    g->choice[g->choices++] =
        (pc_shape_choice){.shape = file.shape, .weight = file.weight, .material = of};
    g->weight_sum += file.weight;
  }
}

const pc_key pc_generator_keys[] = {
    {PC_KEY(pc_generator, name), PC_A_NAME, true,
     .meaning = "name; the bodies are NAME-1, NAME-2, …"},
    {"material", PC_INTO(pc_generator, file.material), PC_A_NAME,
     .left_out = "the first entry of `materials`", .meaning = "material of its bodies"},
    {"velocity", PC_INTO(pc_generator, file.velocity), PC_NUMBERS | PC_A_MAPPING, .unit = "m/s",
     .variants = velocities, .otherwise = "[0, 0, 0]", .meaning = "velocity of its bodies"},
    {"spin", PC_INTO(pc_generator, file.spin), PC_A_SPIN | PC_A_MAPPING, .unit = "rad/s",
     .mapping = &spin_range_table, .otherwise = "[0, 0, 0]",
     .meaning = "angular velocity of its bodies"},
    {PC_KEY(pc_generator, group), PC_AN_INTEGER, PC_FROM(0, 1 << 30), .otherwise = "0",
     .meaning = "bodies with the same non-zero group do not collide"},
    {PC_KEY(pc_generator, no_rotation), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: its bodies never rotate"},
    PC_ON_KEY(pc_generator),
    {0}};
const pc_key pc_drawn_keys[] = {
    {"shape", PC_INTO(pc_generator, file.shape), PC_A_NAME | PC_A_MAPPING,
     .variants = pc_table_shapes, .left_out = "required without `shapes`",
     .meaning = "shape of all bodies; lengths may be ranges"},
    {"shapes", PC_INTO(pc_generator, file.shapes), PC_A_LIST, .mapping = &shape_choice_table,
     .left_out = "required without `shape`",
     .meaning = "shapes to choose from at random, at most 64"},
    {"seed", PC_INTO(pc_generator, file.seed), PC_AN_INTEGER, PC_FROM(0, 2147483647),
     .left_out = "the `seed` of the scene",
     .meaning = "seed of the random draws; a seed given here makes the bodies the same in every "
                "member of `runs`"},
    {PC_KEY(pc_generator, size_spread), PC_A_NUMBER, PC_FROM(0, 0.95), .otherwise = "0",
     .meaning = "random scatter s of sizes: each body is scaled by a factor from 1 − s to 1 + s"},
    {"orientations", PC_INTO(pc_generator, random_orientation), PC_A_WORD,
     .words = PC_WORDS({"aligned", false}, {"random", true}), .noun = "orientations",
     .otherwise = "aligned",
     .meaning = "`aligned`: all bodies as given by `orientation`; `random`: each at random"},
    {"orientation", PC_INTO(pc_generator, file.orientation), PC_NUMBERS | PC_A_MAPPING,
     .count = {4, 4}, .variants = pc_table_orientations, .otherwise = "[1, 0, 0, 0]",
     .meaning = "quaternion `[w, x, y, z]`, or axis and angle"},
    {0}};

void pc_generator_read(pc_generator *g)
{
  PC_BIND(&g->node, g->node.mapping, pc_generator, g);
  pc_random_seed(&g->random, g->builder->scene->seed);
  g->orientation[0] = 1;
  read_source(g->file.velocity, false, &g->velocity);
  read_source(g->file.spin, true, &g->spin);
  if (!pc_mapping_has(g->node.mapping, "shapes")) // nothing is drawn
    return;
  if (pc_is_present(g->file.seed))
    pc_random_seed(&g->random, (uint64_t)pc_read_integer(g->file.seed));
  if (g->random_orientation && pc_is_present(g->file.orientation))
    pc_complain(g->file.orientation,
                "'orientation' cannot be combined with 'orientations: random'");
  pc_rigid_read_orientation(g->builder->dimension, g->file.orientation, g->orientation);
  read_choices(g);
}

pc_shape *pc_generator_shape(pc_generator *g, int *material)
{
  double pick = g->choices > 1 ? pc_random_uniform(&g->random, 0, g->weight_sum) : 0;
  int k = 0;
  while (k + 1 < g->choices && pick >= g->choice[k].weight)
    pick -= g->choice[k++].weight;
  pc_shape_choice *c = g->choice + k;
  *material = c->material;
  if (c->shared != NULL)
    return pc_shape_retain(c->shared);
  double s = g->size_spread;
  pc_shape_draw draw = {.random = &g->random,
                        .scale = s > 0 ? pc_random_uniform(&g->random, 1 - s, 1 + s) : 1};
  pc_shape *shape = pc_rigid_read_shape(g->builder, c->shape, &draw);
  if (shape != NULL && !pc_shape_has_volume(shape)) {
    pc_complain(c->shape, "a %s has no volume and can only be an obstacle",
                pc_shape_type_name(pc_shape_kind(shape)));
    pc_shape_release(shape);
    return NULL;
  }
  if (shape != NULL && !draw.drawn && s == 0)
    c->shared = pc_shape_retain(shape);
  return shape;
}

// Uniform over all rotations: four normal numbers, normalised.
void pc_generator_orientation(pc_generator *g, double q[4])
{
  memcpy(q, g->orientation, sizeof g->orientation);
  if (!g->random_orientation)
    return;
  if (g->builder->dimension == 2) {
    double turn[3] = {0, 0, pc_random_uniform(&g->random, -pc_acos(-1), pc_acos(-1))};
    pc_quaternion_exp(turn, q);
    return;
  }
  do {
    for (int i = 0; i < 4; i++)
      q[i] = pc_random_normal(&g->random);
  } while (pc_norm(4, q) < 1e-3);
  pc_quaternion_normalise(q);
}

bool pc_generator_add(pc_generator *g, pc_body_def *def)
{
  char name[160];
  if (snprintf(name, sizeof name, "%s-%d", g->name, g->made + 1) >= (int)sizeof name) {
    pc_complain(g->node, "the name of the generator is too long");
    return false;
  }
  draw_vector(g, &g->velocity, def->position, def->velocity);
  draw_vector(g, &g->spin, def->position, def->spin);
  def->group = g->group;
  def->no_rotation = g->no_rotation;
  g->made++;
  return pc_rigid_add_body(g->builder, g->node, name, def);
}

bool pc_generator_put(pc_generator *g, pc_body_def *def)
{
  return (!g->on_ground || pc_rigid_put_down(g->builder, g->node, def)) && pc_generator_add(g, def);
}
