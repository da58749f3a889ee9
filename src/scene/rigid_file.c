// `kind: rigid` files -> a world ready to step. tables_rigid.c has the keys, docs/scene-format.md
// explains them.
#include "scene/rigid_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "percuss/world_heat.h"
#include "scene/laws.h"
#include "scene/tables.h"

// --- the world ----------------------------------------------------------------------------------

static void read_contact(pc_node node, pc_world_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_contact))
    return;
  pc_node treatment = pc_get(node, "treatment"), stiffness = pc_get(node, "stiffness");
  pc_node push_out = pc_get(node, "push_out"), rest = pc_get(node, "rest_speed");
  static const pc_treatment known[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
  if (pc_is_present(treatment)) {
    int word = pc_read_word(treatment);
    def->treatment = word >= 0 ? known[word] : def->treatment;
  }
  static const pc_looks ways[] = {PC_LOOK_AGAIN, PC_LOOK_ONCE, PC_LOOK_UNTIL_NONE_IS_MISSING};
  pc_node looks = pc_get(node, "looks");
  int way = pc_is_present(looks) ? pc_read_word(looks) : -1;
  def->looks = way >= 0 ? ways[way] : def->looks;
  if (way >= 0 && def->treatment == PC_PENALTY)
    pc_complain(looks, "'looks' does not go with 'treatment: penalty'");
  if (pc_is_present(push_out) && def->treatment != PC_POSITION_LEVEL)
    pc_complain(push_out, "'push_out' goes with 'treatment: position'");
  if (pc_is_present(stiffness) != (def->treatment == PC_PENALTY))
    pc_complain(pc_is_present(stiffness) ? stiffness : node,
                "'treatment: penalty' and 'stiffness' need each other");
  def->push_out = pc_read_number_or(push_out, def->push_out);
  def->rest_speed = pc_read_number_or(rest, def->rest_speed);
  def->penalty = pc_read_number_or(stiffness, def->penalty);
}

static void read_sleep(pc_node node, pc_world_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_sleep))
    return;
  if (def->treatment == PC_PENALTY)
    pc_complain(node, "nothing sleeps with 'treatment: penalty': overlaps store energy");
  def->sleep_after = pc_read_number(pc_get(node, "after"));
  def->sleep_speed = pc_read_number_or(pc_get(node, "speed"), def->sleep_speed);
}

static void read_solver(pc_node node, pc_world_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_solver))
    return;
  pc_node name = pc_get(node, "name"), iterations = pc_get(node, "max_iterations");
  pc_node threads = pc_get(node, "threads");
  int word = pc_is_present(name) ? pc_read_word(name) : -1;
  if (word >= 0)
    def->solver = pc_solver_names()[word];
  def->tolerance = pc_read_number_or(pc_get(node, "tolerance"), def->tolerance);
  if (pc_is_present(iterations))
    def->max_iterations = pc_read_integer(iterations);
  if (pc_is_present(threads))
    def->threads = pc_read_integer(threads);
}

static pc_world *read_world(pc_rigid_builder *builder, pc_node root)
{
  pc_world_def def = pc_world_def_default();
  pc_node dimension = pc_get(root, "dimension"), gravity = pc_get(root, "gravity");
  pc_node rotation = pc_get(root, "rotation");
  if (pc_is_present(dimension))
    def.dimension = pc_read_integer(dimension);
  builder->dimension = def.dimension;
  if (def.dimension == 2) {
    def.gravity[1] = def.gravity[2];
    def.gravity[2] = 0;
  }
  pc_rigid_read_vector(builder, gravity, def.gravity);
  if (!pc_failed(root) && !(pc_norm(3, def.gravity) <= 1e100))
    pc_complain(gravity, "gravity is too large: %g m/s2 at most", 1e100);
  if (pc_is_present(rotation))
    def.constant_spin = pc_read_word(rotation) == 1;
  read_contact(pc_get(root, "contact"), &def);
  read_sleep(pc_get(root, "sleep"), &def);
  read_solver(pc_get(root, "solver"), &def);
  if (pc_failed(root))
    return NULL;
  pc_world *world = pc_world_create(&def);
  if (world == NULL)
    pc_complain(root, "out of memory");
  return world;
}

static void read_materials(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'materials'") : 0;
  if (pc_names_add(&builder->materials, "default") < 0) // the world has one already
    pc_complain(list, "out of memory");
  for (int i = 0; i < count && !pc_failed(list); i++) {
    pc_node node = pc_item(list, i);
    if (!pc_read_keys(&node, &pc_table_material))
      return;
    pc_node name = pc_get(node, "name");
    double density = pc_read_number(pc_get(node, "density"));
    int added = pc_names_add(&builder->materials, pc_read_name(name));
    if (added < 0)
      pc_complain(name, added == -1 ? "two materials are called '%s'" : "out of memory at '%s'",
                  pc_node_text(name).text);
    if (!pc_failed(node) && pc_world_add_material(builder->world, density) != added)
      pc_complain(node, "%s", pc_world_error(builder->world));
    pc_node specific = pc_get(node, "specific_heat");
    if (!pc_is_present(specific))
      continue;
    double heat = pc_read_number(specific);
    if (pc_world_heat(builder->world) == NULL)
      pc_complain(specific, "'specific_heat' needs 'heat' in the scene");
    if (!pc_failed(node) && pc_world_set_specific_heat(builder->world, added, heat) != PC_OK)
      pc_complain(specific, "%s", pc_world_error(builder->world));
  }
}

// Contacts in scenes are what bodies do; bilateral laws would glue them.
static void read_law(pc_rigid_builder *builder, pc_node node, pc_law *law)
{
  static const char *const parts[] = {"normal", "tangential"};
  for (int i = 0; i < 2; i++) {
    pc_node kind = pc_get(pc_get(node, parts[i]), "kind");
    if (pc_is_present(kind) && strcmp(pc_read_string(kind), "bilateral") == 0)
      pc_complain(node, "bodies that touch can part: a bilateral law is not for scenes");
  }
  pc_read_contact_law(node, builder->dimension, PC_ON_AFTER, law);
  if (!pc_failed(node) && law->tangential.rolling > 0 &&
      pc_world_definition(builder->world)->treatment == PC_PENALTY)
    pc_complain(node, "rolling friction does not go with 'treatment: penalty'");
}

// Law number `i` of the list; the pairs of those before it have one already.
static void read_pair_law(pc_rigid_builder *builder, pc_node node, int (*pairs)[2], int i)
{
  pc_law law;
  if (!pc_read_keys(&node, &pc_table_law))
    return;
  pc_node between = pc_get(node, "between");
  if (pc_read_list(between, "'between'") != 2)
    pc_complain(between, "a law is between two materials");
  int a = pc_rigid_read_material(builder, pc_item(between, 0));
  int b = pc_rigid_read_material(builder, pc_item(between, 1));
  pairs[i][0] = a < b ? a : b;
  pairs[i][1] = a < b ? b : a;
  for (int k = 0; k < i; k++)
    if (pairs[k][0] == pairs[i][0] && pairs[k][1] == pairs[i][1])
      pc_complain(node, "two laws are between '%s' and '%s'",
                  pc_node_text(pc_item(between, 0)).text, pc_node_text(pc_item(between, 1)).text);
  read_law(builder, node, &law);
  if (!pc_failed(node) && pc_world_set_law(builder->world, a, b, &law) != PC_OK)
    pc_complain(node, "%s", pc_world_error(builder->world));
}

static void read_laws(pc_rigid_builder *builder, pc_node root)
{
  pc_node general = pc_get(root, "default_law"), list = pc_get(root, "laws");
  pc_law law;
  if (pc_is_present(general) && pc_read_keys(&general, &pc_table_default_law)) {
    read_law(builder, general, &law);
    if (!pc_failed(general) && pc_world_set_default_law(builder->world, &law) != PC_OK)
      pc_complain(general, "%s", pc_world_error(builder->world));
  }
  int count = pc_is_present(list) ? pc_read_list(list, "'laws'") : 0;
  int(*pairs)[2] = count > 0 ? calloc((size_t)count, sizeof *pairs) : NULL;
  if (count > 0 && pairs == NULL)
    pc_complain(list, "out of memory");
  for (int i = 0; i < count && !pc_failed(list); i++)
    read_pair_law(builder, pc_item(list, i), pairs, i);
  free(pairs);
}

// --- recording ----------------------------------------------------------------------------------

static void read_deposit(pc_rigid_builder *builder, pc_node node)
{
  pc_deposit_def *deposit = &builder->scene->deposit;
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_deposit))
    return;
  if (builder->dimension != 3)
    pc_complain(node, "a deposit is measured in space, not in the plane");
  deposit->spacing = pc_read_number(pc_get(node, "spacing"));
  deposit->thinnest = pc_read_number_or(pc_get(node, "thinnest"), deposit->spacing / 10);
  deposit->rest_speed = pc_read_number_or(pc_get(node, "rest_speed"), 0.1);
}

static void read_output(pc_rigid_builder *builder, pc_node node)
{
  pc_scene *scene = builder->scene;
  if (!pc_scene_read_output(scene, &node, &pc_table_output, 0.02))
    return;
  pc_node bounds = pc_get(node, "bounds");
  read_deposit(builder, pc_get(node, "deposit"));
  scene->end_table = pc_read_boolean_or(pc_get(node, "end"), false);
  if (!pc_is_present(bounds))
    return;
  if (pc_read_list(bounds, "'bounds'") != 2)
    pc_complain(bounds, "bounds are [low corner, high corner]");
  pc_rigid_read_vector(builder, pc_item(bounds, 0), scene->bounds);
  pc_rigid_read_vector(builder, pc_item(bounds, 1), scene->bounds + 3);
  for (int i = 0; i < builder->dimension; i++)
    if (!(scene->bounds[3 + i] > scene->bounds[i]))
      pc_complain(bounds, "the bounds end before they start");
}

// --- the file -----------------------------------------------------------------------------------

// A body, or an obstacle that is pushed: fixed and driven ones alone leave nothing to compute.
static bool something_moves(const pc_rigid_builder *builder)
{
  for (int i = 0; i < builder->bodies.count; i++)
    if (builder->placed[i].kind == PC_FREE || builder->placed[i].kind == PC_GUIDED)
      return true;
  return false;
}

static void read_file(pc_rigid_builder *builder, pc_node root)
{
  pc_scene *scene = builder->scene;
  if (!pc_scene_read_head(scene, &root, PC_KIND_RIGID))
    return;
  pc_node overlaps = pc_get(root, "overlaps");
  builder->world = scene->world = read_world(builder, root);
  if (pc_failed(root))
    return;
  pc_rigid_read_heat(builder, pc_get(root, "heat"));
  read_output(builder, pc_get(root, "output"));
  read_materials(builder, pc_get(root, "materials"));
  read_laws(builder, root);
  pc_rigid_read_shapes(builder, pc_get(root, "shapes"));
  pc_rigid_read_obstacles(builder, pc_get(root, "obstacles"));
  pc_rigid_read_bodies(builder, pc_get(root, "bodies"));
  pc_rigid_read_generators(builder, pc_get(root, "generators"));
  if (!pc_failed(root) && !something_moves(builder))
    pc_complain(root, "the scene has no bodies: it needs 'bodies' or 'generators'");
  pc_rigid_read_start(builder, pc_get(root, "start"));
  pc_rigid_read_warm(builder, pc_get(root, "heat"));
  bool allowed = pc_is_present(overlaps) && pc_read_word(overlaps) == 1;
  if (!pc_failed(root) && !allowed)
    pc_rigid_check_overlaps(builder);
  pc_rigid_read_forces(builder, pc_get(root, "forces"));
  pc_rigid_read_springs(builder, pc_get(root, "springs"));
  pc_rigid_read_strings(builder, pc_get(root, "strings"));
  pc_rigid_read_nets(builder, pc_get(root, "nets"));
  pc_rigid_read_sensors(builder, pc_get(root, "sensors"));
  pc_rigid_read_events(builder, pc_get(root, "events"));
}

void pc_rigid_read_file(pc_scene *scene, pc_node root)
{
  pc_rigid_builder builder = {.scene = scene};
  read_file(&builder, root);
  for (int i = 0; i < builder.shapes.count; i++)
    pc_shape_release(builder.shape[i]);
  for (int i = 0; i < builder.bodies.count; i++)
    pc_shape_release(builder.placed[i].shape);
  scene->names = pc_names_take(&builder.bodies, &scene->bodies);
  scene->material_names = pc_names_take(&builder.materials, &scene->materials);
  pc_names_free(&builder.shapes);
  pc_names_free(&builder.generators);
  free(builder.shape);
  free(builder.shape_node);
  free(builder.generated);
  free(builder.placed);
}
