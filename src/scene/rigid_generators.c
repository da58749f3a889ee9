// Generators of a `kind: rigid` file: many bodies from a few lines. Every draw comes from the seed,
// so that the same file gives the same bodies everywhere.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "scene/rigid_generators.h"
#include "scene/tables.h"

// --- what all generators share ------------------------------------------------------------------

static void read_source(pc_generator *g, pc_node node, bool spin, pc_vector_source *source)
{
  *source = (pc_vector_source){0};
  const pc_rigid_builder *builder = g->builder;
  if (!pc_is_present(node))
    return;
  void (*read)(const pc_rigid_builder *, pc_node, double *) =
      spin ? pc_rigid_read_spin : pc_rigid_read_vector;
  if (!pc_is_mapping(node)) {
    read(builder, node, source->low);
    return;
  }
  if (!spin && (pc_is_present(pc_get(node, "toward")) || pc_is_present(pc_get(node, "time")))) {
    if (!pc_read_keys(&node, &pc_table_velocity_toward))
      return;
    source->kind = PC_VECTOR_TOWARD;
    read(builder, pc_get(node, "toward"), source->low);
    source->time = pc_read_number(pc_get(node, "time"));
    return;
  }
  if (!pc_read_keys(&node, spin ? &pc_table_spin_range : &pc_table_velocity_range))
    return;
  source->kind = PC_VECTOR_RANGE;
  read(builder, pc_get(node, "min"), source->low);
  read(builder, pc_get(node, "max"), source->high);
  for (int i = 0; i < 3; i++)
    if (source->high[i] < source->low[i])
      pc_complain(node, "the range ends before it starts: min %g, max %g", source->low[i],
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

static void read_choices(pc_generator *g)
{
  pc_node one = pc_get(g->node, "shape"), list = pc_get(g->node, "shapes");
  int material = pc_rigid_read_material(g->builder, pc_get(g->node, "material"));
  if (pc_is_present(one) == pc_is_present(list)) {
    pc_complain(g->node, "a generator has either 'shape' or 'shapes'");
    return;
  }
  if (pc_is_present(one)) {
    g->choice[g->choices++] = (pc_shape_choice){.shape = one, .weight = 1, .material = material};
    g->weight_sum = 1;
    return;
  }
  int count = pc_read_list(list, "'shapes'");
  if (!pc_failed(list) && (count < 1 || count > PC_GENERATOR_CHOICES))
    pc_complain(list, "a generator has 1 to %d shapes", PC_GENERATOR_CHOICES);
  for (int i = 0; i < count && !pc_failed(list); i++) {
    pc_node item = pc_item(list, i);
    if (!pc_read_keys(&item, &pc_table_shape_choice))
      return;
    pc_node weight = pc_get(item, "weight");
    pc_shape_choice *c = g->choice + g->choices++;
    *c = (pc_shape_choice){.shape = pc_get(item, "shape"), .weight = 1, .material = material};
    if (pc_is_present(weight))
      c->weight = pc_read_number(weight);
    if (pc_is_present(pc_get(item, "material")))
      c->material = pc_rigid_read_material(g->builder, pc_get(item, "material"));
    g->weight_sum += c->weight;
  }
}

static void read_common(pc_generator *g)
{
  pc_node group = pc_get(g->node, "group"), no_rotation = pc_get(g->node, "no_rotation");
  g->name = pc_read_name(pc_get(g->node, "name"));
  pc_random_seed(&g->random, g->builder->scene->seed);
  g->orientation[0] = 1;
  if (pc_is_present(group))
    g->group = (uint32_t)pc_read_integer(group);
  g->no_rotation = pc_is_present(no_rotation) && pc_read_boolean(no_rotation);
  read_source(g, pc_get(g->node, "velocity"), false, &g->velocity);
  read_source(g, pc_get(g->node, "spin"), true, &g->spin);
}

// What is drawn for each body.
static void read_drawn(pc_generator *g)
{
  pc_node seed = pc_get(g->node, "seed"), spread = pc_get(g->node, "size_spread");
  pc_node orientations = pc_get(g->node, "orientations");
  pc_node orientation = pc_get(g->node, "orientation");
  if (pc_is_present(seed))
    pc_random_seed(&g->random, (uint64_t)pc_read_integer(seed));
  if (pc_is_present(spread))
    g->size_spread = pc_read_number(spread);
  if (pc_is_present(orientations))
    g->random_orientation = pc_read_word(orientations) == 1;
  if (g->random_orientation && pc_is_present(orientation))
    pc_complain(orientation, "these orientations are random");
  pc_rigid_read_orientation(g->builder, orientation, g->orientation);
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
    pc_complain(c->shape, "a %s has no volume: it can only be an obstacle",
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
    double turn[3] = {0, 0, pc_random_uniform(&g->random, -acos(-1), acos(-1))};
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

// --- grid ---------------------------------------------------------------------------------------

static void make_grid(pc_generator *g)
{
  pc_rigid_builder *builder = g->builder;
  int dimension = builder->dimension, count[3] = {1, 1, 1};
  pc_node counts = pc_get(g->node, "counts"), gap = pc_get(g->node, "spacing");
  pc_node jitter_node = pc_get(g->node, "jitter");
  double spacing[3] = {0}, origin[3] = {0};
  if (pc_read_list(counts, "'counts'") != dimension)
    pc_complain(counts, "'counts' has %d numbers in %d dimensions", dimension, dimension);
  for (int i = 0; i < dimension; i++)
    count[i] = pc_read_integer(pc_item(counts, i));
  if (!pc_failed(counts) && (double)count[0] * count[1] * count[2] > PC_GENERATOR_BODIES)
    pc_complain(counts, "a generator makes at most %d bodies", PC_GENERATOR_BODIES);
  if (pc_is_sequence(gap))
    pc_read_vector(gap, dimension, dimension, spacing);
  else
    spacing[0] = spacing[1] = spacing[2] = pc_read_number(gap);
  pc_rigid_read_vector(builder, pc_get(g->node, "origin"), origin);
  double jitter = pc_is_present(jitter_node) ? pc_read_number(jitter_node) : 0;
  if (pc_failed(g->node))
    return;
  for (int z = 0; z < count[2]; z++)
    for (int y = 0; y < count[1]; y++)
      for (int x = 0; x < count[0] && !pc_failed(g->node); x++) {
        pc_body_def def = pc_body_def_default();
        def.shape = pc_generator_shape(g, &def.material);
        int index[3] = {x, y, z};
        for (int i = 0; i < dimension; i++) {
          def.position[i] = origin[i] + spacing[i] * index[i];
          if (jitter > 0)
            def.position[i] += pc_random_uniform(&g->random, -jitter, jitter);
        }
        pc_generator_orientation(g, def.orientation);
        if (def.shape != NULL)
          pc_generator_add(g, &def);
        pc_shape_release(def.shape);
      }
}

// --- random -------------------------------------------------------------------------------------

// A point of the region that is farther from its border than `radius`. Points of the box around a
// round region are drawn until one is inside.
static void draw_position(pc_generator *g, const pc_region *r, double radius, double *position)
{
  do {
    for (int i = 0; i < g->builder->dimension; i++)
      position[i] = pc_random_uniform(&g->random, r->low[i] + radius, r->high[i] - radius);
  } while (!pc_region_contains(r, position, radius));
}

typedef struct drawn_shape {
  pc_shape *shape;
  int material, order;
} drawn_shape;

static void place_all(pc_generator *g, const pc_region *r, drawn_shape *drawn, int count,
                      double clearance)
{
  pc_rigid_builder *builder = g->builder;
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, pc_shape_radius(drawn[i].shape));
  pc_places *places = pc_places_create(builder, largest + clearance, r->low, r->high);
  if (places == NULL)
    pc_complain(g->node, "out of memory");
  enum { TRIES = 2000 };
  for (int i = 0; i < count && !pc_failed(g->node); i++) {
    pc_body_def def = pc_body_def_default();
    def.shape = drawn[i].shape;
    def.material = drawn[i].material;
    double radius = pc_shape_radius(def.shape);
    if (!pc_region_has_room(r, radius)) {
      pc_complain(pc_get(g->node, "inside"), "a body of radius %.3g m does not fit in this region",
                  radius);
      break;
    }
    int fits = 0;
    for (int attempt = 0; attempt < TRIES && fits == 0; attempt++) {
      pc_generator_orientation(g, def.orientation);
      draw_position(g, r, radius, def.position);
      pc_pose pose = pc_rigid_pose(&def);
      fits = pc_places_free(places, def.shape, &pose, clearance);
    }
    if (fits < 0)
      pc_complain(g->node, "out of memory");
    else if (fits == 0)
      pc_complain(g->node,
                  "only %d of %d bodies fit: %d places were tried for the next; make the region "
                  "larger or the count smaller",
                  i, count, TRIES);
    else if (pc_generator_add(g, &def) && !pc_places_take(places, builder->bodies.count - 1))
      pc_complain(g->node, "out of memory");
  }
  pc_places_destroy(places);
}

static int larger_first(const void *a, const void *b)
{
  const drawn_shape *p = a, *q = b;
  double x = pc_shape_radius(p->shape), y = pc_shape_radius(q->shape);
  return x != y ? (x < y) - (x > y) : p->order - q->order;
}

// Large bodies are placed first: small ones find room between them.
// A table puts them to their places.
static void leave_all(pc_generator *g, const drawn_shape *drawn, int count)
{
  for (int i = 0; i < count && !pc_failed(g->node); i++) {
    pc_body_def def = pc_body_def_default();
    def.shape = drawn[i].shape;
    def.material = drawn[i].material;
    if (pc_generator_add(g, &def))
      g->builder->placed[g->builder->bodies.count - 1].from_table = true;
  }
}

static void make_random(pc_generator *g)
{
  pc_region r;
  pc_node inside = pc_get(g->node, "inside"), table = pc_get(g->node, "from_table");
  bool from_table = pc_is_present(table) && pc_read_boolean(table);
  if (from_table == pc_is_present(inside))
    pc_complain(g->node, "random bodies are either 'inside' a region or 'from_table: true'");
  int count = pc_read_integer(pc_get(g->node, "count"));
  pc_node apart = pc_get(g->node, "clearance");
  double clearance = pc_is_present(apart) ? pc_read_number(apart) : 0;
  if (!from_table)
    pc_rigid_read_region(g->builder, inside, &r);
  if (pc_failed(g->node))
    return;
  drawn_shape *drawn = calloc((size_t)count, sizeof *drawn);
  if (drawn == NULL)
    pc_complain(g->node, "out of memory");
  int have = 0;
  for (; have < count && !pc_failed(g->node); have++) {
    drawn[have].order = have;
    drawn[have].shape = pc_generator_shape(g, &drawn[have].material);
  }
  if (!pc_failed(g->node)) {
    qsort(drawn, (size_t)count, sizeof *drawn, larger_first);
    if (from_table)
      leave_all(g, drawn, count);
    else
      place_all(g, &r, drawn, count, clearance);
  }
  for (int i = 0; i < have; i++)
    pc_shape_release(drawn[i].shape);
  free(drawn);
}

// --- layers -------------------------------------------------------------------------------------

// A brick of this length with its low corner at `corner`.
static void add_brick(pc_generator *g, const double *size, double length, const double *corner)
{
  int dimension = g->builder->dimension;
  pc_error error = {.text = "out of memory"};
  pc_body_def def = pc_body_def_default();
  double brick[3] = {length, size[1], size[2]};
  if (dimension == 3) {
    def.shape = pc_shape_box(brick, &error);
  } else {
    double x = length / 2, y = size[1] / 2;
    double corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
    def.shape = pc_shape_polygon(4, (const double(*)[2])corners, true, &error);
  }
  def.material = pc_rigid_read_material(g->builder, pc_get(g->node, "material"));
  for (int i = 0; i < dimension; i++)
    def.position[i] = corner[i] + brick[i] / 2;
  if (def.shape == NULL)
    pc_complain(g->node, "%s", error.text);
  else
    pc_generator_add(g, &def);
  pc_shape_release(def.shape);
}

// How many half bricks a layer has room for.
static int read_half_bricks(pc_generator *g, bool running)
{
  pc_node node = pc_get(g->node, "per_layer");
  double halves = 2 * pc_read_number(node);
  if (pc_failed(g->node) || halves > 2.0 * PC_GENERATOR_BODIES)
    return 2 * PC_GENERATOR_BODIES;
  if (halves != floor(halves) || (!running && fmod(halves, 2) != 0))
    pc_complain(node, running ? "'per_layer' is a whole number of bricks, or has half a brick more"
                              : "layers without shift have a whole number of bricks");
  return (int)halves;
}

// Running bond: every second layer is shifted by half a brick, and half bricks close the layers. A
// length of n bricks takes two of them in every second layer, one of n and a half takes one in
// every layer, at the end of the first and at the start of the next.
static void make_layers(pc_generator *g)
{
  int dimension = g->builder->dimension, up = dimension - 1;
  pc_node joint_node = pc_get(g->node, "joint"), bond_node = pc_get(g->node, "bond");
  double size[3] = {0}, origin[3] = {0};
  pc_read_vector(pc_get(g->node, "size"), dimension, dimension, size);
  pc_rigid_read_vector(g->builder, pc_get(g->node, "origin"), origin);
  int layers = pc_read_integer(pc_get(g->node, "layers"));
  double joint = pc_is_present(joint_node) ? pc_read_number(joint_node) : 0;
  bool running = !pc_is_present(bond_node) || pc_read_word(bond_node) == 0;
  int halves = read_half_bricks(g, running);
  if (!pc_failed(g->node) && (double)layers * (halves / 2 + 1) > PC_GENERATOR_BODIES)
    pc_complain(g->node, "a generator makes at most %d bodies", PC_GENERATOR_BODIES);
  double pitch = size[0] + joint, half = (size[0] - joint) / 2;
  if (!pc_failed(g->node) && running && half <= 0)
    pc_complain(joint_node, "the joint is longer than a brick");
  for (int k = 0; k < layers && !pc_failed(g->node); k++) {
    double corner[3] = {origin[0], origin[1], origin[2]};
    corner[up] += k * size[up];
    bool shifted = running && k % 2 == 1;
    if (shifted) {
      add_brick(g, size, half, corner);
      corner[0] += half + joint;
    }
    int left = halves - shifted;
    for (; left >= 2 && !pc_failed(g->node); left -= 2, corner[0] += pitch)
      add_brick(g, size, size[0], corner);
    if (left == 1 && !pc_failed(g->node))
      add_brick(g, size, half, corner);
  }
}

// --- the list -----------------------------------------------------------------------------------

static void read_generator(pc_rigid_builder *builder, pc_node node, pc_generator *g)
{
  // In the order of pc_table_generators.
  static void (*const makers[])(pc_generator * g) = {make_grid, make_random, make_layers,
                                                     pc_generator_fill};
  int word = pc_read_variant(&node, "a generator", "type");
  if (word < 0)
    return;
  pc_node name = pc_get(node, "name");
  *g = (pc_generator){.builder = builder, .node = node};
  read_common(g);
  if (pc_has_key(node, "shapes")) {
    read_drawn(g);
    read_choices(g);
  }
  int first = builder->bodies.count, index = builder->generators.count;
  if (!pc_failed(node) && !pc_grow(&builder->generated, &builder->generated_capacity, index + 1,
                                   sizeof *builder->generated))
    pc_complain(node, "out of memory");
  int added = pc_failed(node) ? 0 : pc_names_add(&builder->generators, g->name);
  if (added < 0)
    pc_complain(name, added == -1 ? "two generators are called '%s'" : "out of memory at '%s'",
                pc_node_text(name).text);
  if (!pc_failed(node)) {
    makers[word](g);
    builder->generated[index] = (pc_generated){first, builder->bodies.count - first};
  }
  for (int i = 0; i < g->choices; i++)
    pc_shape_release(g->choice[i].shared);
}

void pc_rigid_read_generators(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'generators'") : 0;
  pc_generator *g = count > 0 ? malloc(sizeof *g) : NULL;
  if (count > 0 && g == NULL)
    pc_complain(list, "out of memory");
  for (int i = 0; i < count && !pc_failed(list); i++) {
    g->choices = 0;
    read_generator(builder, pc_item(list, i), g);
  }
  for (int i = 0; i < count && !pc_failed(list); i++) { // where bodies are chosen, one name is one
    pc_node name = pc_get(pc_item(list, i), "name");
    if (pc_names_find(&builder->bodies, pc_read_name(name)) >= 0)
      pc_complain(name, "a body and a generator are called '%s'", pc_node_text(name).text);
  }
  free(g);
}
