// Generators of a `kind: rigid` file: many bodies from a few lines. Every draw comes from the seed,
// so that the same file gives the same bodies everywhere.
#include "scene/rigid_generators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/shape.h"

typedef struct grid_file {
  int counts[3];
  double spacing[3], origin[3], jitter;
  pc_node each_layer;
} grid_file;
static const pc_key grid_keys[] = {
    {PC_KEY(grid_file, counts), PC_INTEGERS, true, PC_FROM(1, 1e7),
     .meaning = "number of bodies along x, y, z"},
    {PC_KEY(grid_file, spacing), PC_A_NUMBER | PC_NUMBERS, true, .unit = "m", PC_NOT_NEGATIVE,
     .meaning = "spacing, or one for each axis"},
    {PC_KEY(grid_file, origin), PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
     .meaning = "position of the first body"},
    {PC_KEY(grid_file, jitter), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "random displacement of each body by up to ± jitter along each axis"},
    PC_EACH_LAYER_KEY(grid_file),
    {0}};
static const pc_mapping grid_table = {"grid", "a grid of bodies",
                                      "Bodies at the positions origin + spacing × (i, j, k).",
                                      .keys = {(const pc_key[]){PC_GENERATOR_TYPE("grid"), {0}},
                                               pc_generator_keys, grid_keys, pc_drawn_keys}};

static void make_grid(pc_generator *g)
{
  int dimension = g->builder->dimension;
  grid_file file = {.counts = {1, 1, 1}};
  PC_BIND(&g->node, &grid_table, grid_file, &file);
  const int *count = file.counts;
  if (!pc_failed(g->node) && (double)count[0] * count[1] * count[2] > PC_GENERATOR_BODIES)
    pc_complain(PC_NODE(g->node, grid_file, counts), "a generator can make at most %d bodies",
                PC_GENERATOR_BODIES);
  pc_each_layer each;
  pc_rigid_read_each_layer(g->builder, file.each_layer, &each);
  double middle[3];
  for (int i = 0; i < 3; i++)
    middle[i] = file.origin[i] + 0.5 * file.spacing[i] * (count[i] - 1);
  if (pc_failed(g->node))
    return;
  for (int z = 0; z < count[2]; z++)
    for (int y = 0; y < count[1]; y++)
      for (int x = 0; x < count[0] && !pc_failed(g->node); x++) {
        pc_body_def def = pc_body_def_default();
        def.shape = pc_generator_shape(g, &def.material);
        int index[3] = {x, y, z};
        for (int i = 0; i < dimension; i++) {
          def.position[i] = file.origin[i] + file.spacing[i] * index[i];
          if (file.jitter > 0)
            def.position[i] += pc_random_uniform(&g->random, -file.jitter, file.jitter);
        }
        pc_generator_orientation(g, def.orientation);
        pc_each_layer_place(&each, index[dimension - 1], middle, &def);
        if (def.shape != NULL)
          pc_generator_put(g, &def);
        pc_shape_release(def.shape);
      }
}

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

// 1 if it is free there, 0 if not, -1 when memory is out.
static int try_place(pc_places *places, const pc_body_def *def, double clearance)
{
  pc_pose pose = pc_rigid_pose(def);
  return pc_places_free(places, def->shape, &pose, clearance);
}

static int try_ground(pc_generator *g, pc_body_def *def, double clearance)
{
  pc_lowered lowered = pc_rigid_lower(g->builder, def, clearance);
  return lowered == PC_LOWERED ? 1 : lowered == PC_LOWERED_NO_MEMORY ? -1 : 0;
}

// Bodies that are put down come from a height: a box only has to be wide enough for them.
static pc_region region_above_ground(const pc_generator *g, const pc_region *r, double radius)
{
  pc_region above = *r;
  int up = g->builder->dimension - 1;
  double lacking = 2.001 * radius - (r->high[up] - r->low[up]);
  if (r->kind == PC_REGION_BOX && lacking > 0) {
    above.low[up] -= 0.5 * lacking;
    above.high[up] += 0.5 * lacking;
  }
  return above;
}

// The box around all obstacles that end somewhere.
static bool find_ground_box(const pc_rigid_builder *builder, double box[6])
{
  for (int k = 0; k < 3; k++)
    box[k] = INFINITY, box[3 + k] = -INFINITY;
  for (int i = 0; i < builder->placed.count; i++) {
    const pc_placed *placed = &builder->placed.at[i];
    for (int k = 0; k < 3 && placed->kind != PC_FREE; k++) {
      box[k] = fmin(box[k], placed->box[k]);
      box[3 + k] = fmax(box[3 + k], placed->box[3 + k]);
    }
  }
  return isfinite(box[0]) && isfinite(box[1]) && isfinite(box[3]) && isfinite(box[4]);
}

static bool is_above_ground(const pc_rigid_builder *builder, const pc_region *r)
{
  double box[6];
  bool over = true, ends = find_ground_box(builder, box);
  for (int k = 0; k < builder->dimension - 1 && ends; k++)
    over = over && r->low[k] <= box[3 + k] && r->high[k] >= box[k];
  return over;
}

static void complain_of_ground(const pc_generator *g, const pc_region *r)
{
  double box[6];
  find_ground_box(g->builder, box);
  pc_complain(g->node,
              "no ground is below the region: it reaches from (%.8g, %.8g) to (%.8g, %.8g), the "
              "obstacles from (%.8g, %.8g) to (%.8g, %.8g)",
              r->low[0], r->low[1], r->high[0], r->high[1], box[0], box[1], box[3], box[4]);
}

static void place_all(pc_generator *g, const pc_region *inside_of, drawn_shape *drawn, int count,
                      double clearance, pc_node inside)
{
  pc_rigid_builder *builder = g->builder;
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, pc_shape_radius(drawn[i].shape));
  pc_region above = region_above_ground(g, inside_of, largest);
  const pc_region *r = g->on_ground ? &above : inside_of;
  pc_places *places =
      g->on_ground ? NULL : pc_places_create(builder, largest + clearance, r->low, r->high);
  if (places == NULL && !g->on_ground)
    pc_complain(g->node, "out of memory");
  enum { TRIES = 2000 };
  for (int i = 0; i < count && !pc_failed(g->node); i++) {
    pc_body_def def = pc_body_def_default();
    def.shape = drawn[i].shape;
    def.material = drawn[i].material;
    double radius = pc_shape_radius(def.shape);
    if (!pc_region_has_room(r, radius)) {
      pc_complain(inside, "a body of radius %.3g m does not fit in the region (lengths are in m)",
                  radius);
      break;
    }
    int fits = 0;
    for (int attempt = 0; attempt < TRIES && fits == 0; attempt++) {
      pc_generator_orientation(g, def.orientation);
      draw_position(g, r, radius, def.position);
      fits = g->on_ground ? try_ground(g, &def, clearance) : try_place(places, &def, clearance);
    }
    if (fits < 0)
      pc_complain(g->node, "out of memory");
    else if (fits == 0 && i == 0 && g->on_ground && !is_above_ground(builder, r))
      complain_of_ground(g, r);
    else if (fits == 0)
      pc_complain(g->node,
                  "only %d of %d bodies %s (%d random positions were tried for the next one): "
                  "enlarge the region or reduce the count",
                  i, count, g->on_ground ? "find ground and room" : "fit", TRIES);
    else if (pc_generator_add(g, &def) && places != NULL &&
             !pc_places_take(places, builder->bodies.count - 1))
      pc_complain(g->node, "out of memory");
  }
  pc_places_destroy(places);
}

// Large bodies are placed first: small ones find room between them.
static int larger_first(const void *a, const void *b)
{
  const drawn_shape *p = a, *q = b;
  double x = pc_shape_radius(p->shape), y = pc_shape_radius(q->shape);
  return x != y ? (x < y) - (x > y) : p->order - q->order;
}

// Adds the bodies without a position, which a table gives them later.
static void leave_all(pc_generator *g, const drawn_shape *drawn, int count)
{
  for (int i = 0; i < count && !pc_failed(g->node); i++) {
    pc_body_def def = pc_body_def_default();
    def.shape = drawn[i].shape;
    def.material = drawn[i].material;
    if (pc_generator_add(g, &def))
      g->builder->placed.at[g->builder->bodies.count - 1].from_table = true;
  }
}

typedef struct random_file {
  int count;
  pc_node inside;
  double clearance;
  bool from_table;
} random_file;
static const pc_key random_keys[] = {
    {PC_KEY(random_file, count), PC_AN_INTEGER, true, PC_FROM(1, 1e7),
     .meaning = "number of bodies"},
    {PC_KEY(random_file, inside), PC_A_MAPPING, .variants = pc_table_regions,
     .left_out = "required without `from_table`",
     .meaning = "region that contains the bounding spheres of all bodies, with `on: ground` before "
                "they are lowered"},
    {PC_KEY(random_file, clearance), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "minimum distance to other bodies; with `on: ground` not to obstacles"},
    {PC_KEY(random_file, from_table), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: take the positions from a table of `start`"},
    {0}};
static const pc_mapping random_table = {"random", "a random generator",
                                        "Bodies at random positions, without overlaps.",
                                        .keys = {(const pc_key[]){PC_GENERATOR_TYPE("random"), {0}},
                                                 pc_generator_keys, random_keys, pc_drawn_keys}};

static void make_random(pc_generator *g)
{
  pc_region r;
  random_file file = {.count = 1};
  PC_BIND(&g->node, &random_table, random_file, &file);
  if (file.from_table && g->on_ground)
    pc_complain(PC_NODE(g->node, pc_generator, on_ground),
                "a table says where these bodies are: 'on: ground' is for others");
  if (file.from_table == pc_is_present(file.inside))
    pc_complain(g->node, "random bodies need either 'inside' or 'from_table: true'");
  if (!file.from_table)
    pc_rigid_read_region(g->builder, file.inside, &r);
  if (pc_failed(g->node))
    return;
  int count = file.count;
  drawn_shape *drawn = pc_allocate(g->node, count, sizeof *drawn);
  int have = 0;
  for (; have < count && !pc_failed(g->node); have++) {
    drawn[have].order = have;
    drawn[have].shape = pc_generator_shape(g, &drawn[have].material);
  }
  if (!pc_failed(g->node)) {
    qsort(drawn, (size_t)count, sizeof *drawn, larger_first);
    if (file.from_table)
      leave_all(g, drawn, count);
    else
      place_all(g, &r, drawn, count, file.clearance, file.inside);
  }
  for (int i = 0; i < have; i++)
    pc_shape_release(drawn[i].shape);
  free(drawn);
}

typedef struct layers_file {
  double size[3], origin[3], per_layer, joint;
  int layers;
  bool running;
  pc_node each_layer;
} layers_file;
static const pc_key layers_keys[] = {
    {PC_KEY(layers_file, size), PC_NUMBERS, true, .unit = "m", PC_POSITIVE,
     .meaning = "length, width and height of a brick; in the plane length and height"},
    {PC_KEY(layers_file, layers), PC_AN_INTEGER, true, PC_FROM(1, 1e7),
     .meaning = "number of layers"},
    {PC_KEY(layers_file, per_layer), PC_A_NUMBER, true, .range = {.kind = PC_AT_LEAST, .low = 1},
     .meaning = "bricks per layer; a running bond allows half a brick more"},
    {PC_KEY(layers_file, origin), PC_NUMBERS, .unit = "m", .otherwise = "[0, 0, 0]",
     .meaning = "low corner"},
    {PC_KEY(layers_file, joint), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "gap between bricks along x"},
    {"bond", PC_INTO(layers_file, running), PC_A_WORD,
     .words = PC_WORDS({"running", true}, {"stack", false}), .noun = "bond", .otherwise = "running",
     .meaning = "`running`: every second layer is shifted by half a brick; `stack`: none is"},
    PC_EACH_LAYER_KEY(layers_file),
    {0}};
static const pc_mapping layers_table = {
    "layers", "layers of bricks", "A wall of bricks along x.",
    .keys = {(const pc_key[]){PC_GENERATOR_TYPE("layers"), {0}}, pc_generator_keys, layers_keys}};

// A layer of bricks: how it lies, and the low corner of its next brick.
typedef struct brick_layer {
  const pc_each_layer *each;
  int number;
  double middle[3], corner[3];
} brick_layer;

// A brick of this length.
static void add_brick(pc_generator *g, const double *size, double length, const brick_layer *layer)
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
  def.material = pc_rigid_read_material(g->builder, g->file.material);
  for (int i = 0; i < dimension; i++)
    def.position[i] = layer->corner[i] + brick[i] / 2;
  pc_each_layer_place(layer->each, layer->number, layer->middle, &def);
  if (def.shape == NULL)
    pc_complain(g->node, "%s", error.text);
  else
    pc_generator_put(g, &def);
  pc_shape_release(def.shape);
}

// How many half bricks a layer has room for.
static int count_half_bricks(pc_generator *g, double bricks, bool running)
{
  double halves = 2 * bricks;
  if (pc_failed(g->node) || halves > 2.0 * PC_GENERATOR_BODIES)
    return 2 * PC_GENERATOR_BODIES;
  if (halves != floor(halves) || (!running && fmod(halves, 2) != 0))
    pc_complain(
        PC_NODE(g->node, layers_file, per_layer),
        running ? "'per_layer' must be a whole number of bricks, or a whole number plus one half"
                : "'per_layer' must be a whole number of bricks with 'bond: stack'");
  return (int)halves;
}

// Running bond: every second layer is shifted by half a brick, and half bricks close the layers. A
// length of n bricks takes two of them in every second layer, one of n and a half takes one in
// every layer, at the end of the first and at the start of the next.
static void make_layers(pc_generator *g)
{
  int up = g->builder->dimension - 1;
  layers_file file = {.layers = 0};
  PC_BIND(&g->node, &layers_table, layers_file, &file);
  const double *size = file.size, *origin = file.origin;
  double joint = file.joint;
  bool running = file.running;
  int layers = file.layers, halves = count_half_bricks(g, file.per_layer, running);
  if (!pc_failed(g->node) && (double)layers * (halves / 2 + 1) > PC_GENERATOR_BODIES)
    pc_complain(g->node, "a generator can make at most %d bodies", PC_GENERATOR_BODIES);
  double pitch = size[0] + joint, half = (size[0] - joint) / 2;
  if (!pc_failed(g->node) && running && half <= 0)
    pc_complain(PC_NODE(g->node, layers_file, joint), "the joint must be shorter than a brick");
  pc_each_layer each;
  pc_rigid_read_each_layer(g->builder, file.each_layer, &each);
  brick_layer layer = {.each = &each};
  for (int i = 0; i < up; i++)
    layer.middle[i] = origin[i] + 0.5 * (i == 0 ? halves * 0.5 * pitch - joint : size[i]);
  for (int k = 0; k < layers && !pc_failed(g->node); k++) {
    bool shifted = running && k % 2 == 1;
    memcpy(layer.corner, origin, sizeof layer.corner);
    layer.corner[up] += k * size[up];
    layer.number = k;
    if (shifted) {
      add_brick(g, size, half, &layer);
      layer.corner[0] += half + joint;
    }
    int left = halves - shifted;
    for (; left >= 2 && !pc_failed(g->node); left -= 2, layer.corner[0] += pitch)
      add_brick(g, size, size[0], &layer);
    if (left == 1 && !pc_failed(g->node))
      add_brick(g, size, half, &layer);
  }
}

const pc_mapping *const pc_table_generators[] = {&grid_table, &random_table, &layers_table,
                                                 &pc_table_fill, NULL};

static void read_generator(pc_rigid_builder *builder, pc_node node, pc_generator *g)
{
  // In the order of pc_table_generators.
  static void (*const makers[])(pc_generator * g) = {make_grid, make_random, make_layers,
                                                     pc_generator_fill};
  int word = pc_read_variant(&node, "a generator", "type");
  if (word < 0)
    return;
  *g = (pc_generator){.builder = builder, .node = node};
  pc_generator_read(g);
  int first = builder->bodies.count;
  pc_generated *made = pc_failed(node) ? NULL : pc_array_add(&builder->generated);
  if (made == NULL)
    pc_complain(node, "out of memory");
  pc_names_add_at(&builder->generators, g->name, PC_NODE(node, pc_generator, name), "generators");
  if (!pc_failed(node)) {
    makers[word](g);
    *made = (pc_generated){first, builder->bodies.count - first};
  }
  for (int i = 0; i < g->choices; i++)
    pc_shape_release(g->choice[i].shared);
}

void pc_rigid_read_generators(pc_rigid_builder *builder, pc_node list)
{
  pc_generator *g = malloc(sizeof *g); // too large for the stack
  if (g == NULL)
    pc_complain(builder->root, "out of memory");
  for (pc_entries e = pc_entries_of(list); pc_next(&e);) {
    g->choices = 0;
    read_generator(builder, e.node, g);
  }
  for (pc_entries e = pc_entries_of(list);
       pc_next(&e);) { // where bodies are chosen, one name is one
    pc_node name = pc_get(e.node, "name");
    if (pc_names_find(&builder->bodies, pc_read_name(name)) >= 0)
      pc_complain(name, "a body and a generator are named '%s'; names must be unique",
                  pc_node_text(name).text);
  }
  free(g);
}
