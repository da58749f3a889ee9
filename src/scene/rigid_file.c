// `kind: rigid` files -> a world ready to step. docs/scene-format.md explains the keys.
#include "scene/rigid_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "percuss/world_heat.h"
#include "scene/laws.h"
#include "scene/sweep.h"
#include "scene/views.h"

static const pc_key contact_keys[] = {
    {PC_KEY(pc_world_def, treatment), PC_A_WORD,
     .words = PC_WORDS({"velocity", PC_VELOCITY_LEVEL}, {"position", PC_POSITION_LEVEL},
                       {"penalty", PC_PENALTY}),
     .noun = "treatment of contact", .otherwise = "position",
     .meaning = "`velocity`: bodies in contact must not approach; `position`: bodies must not "
                "overlap at the end of a step; `penalty`: overlaps act as springs"},
    {PC_KEY(pc_world_def, accuracy), PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .left_out = "2e-4 of the diameter of the smallest moving body, or a residual of 1e-4; with "
                 "`solver: {tolerance}`, the residual only",
     .meaning = "accepted error of the contact conditions at the end of a step. Bodies at rest are "
                "solved more accurately, so that they do not creep"},
    {PC_KEY(pc_world_def, push_out), PC_A_NUMBER, .unit = "1/s", PC_NOT_NEGATIVE, .otherwise = "10",
     .meaning = "with `position`: rate at which overlaps are removed"},
    {PC_KEY(pc_world_def, rest_speed), PC_A_NUMBER, .unit = "m/s", PC_NOT_NEGATIVE,
     .left_out = "2 g × step", .meaning = "impacts slower than this do not rebound"},
    {"stiffness", PC_INTO(pc_world_def, penalty), PC_A_NUMBER, .unit = "N/m", PC_POSITIVE,
     .left_out = "required with `penalty`; not allowed otherwise",
     .meaning = "stiffness of overlaps"},
    {PC_KEY(pc_world_def, looks), PC_A_WORD,
     .words = PC_WORDS({"again", PC_LOOK_AGAIN}, {"once", PC_LOOK_ONCE},
                       {"all", PC_LOOK_UNTIL_NONE_IS_MISSING}),
     .noun = "way to look", .otherwise = "again",
     .meaning = "how often contacts are detected in a step, since a body that is hit may reach "
                "others: `once`; `again`: up to three times, and more often where obstacles "
                "require it; `all`: until no contact is missing"},
    {0}};
static const pc_mapping contact_table = {"contact", "'contact'", "How contacts are treated.",
                                         .keys = {contact_keys}};

static void read_contact(pc_node node, pc_world_def *def)
{
  if (!pc_bind(&node, &contact_table, def))
    return;
  pc_node looks = PC_NODE(node, pc_world_def, looks);
  pc_node accuracy = PC_NODE(node, pc_world_def, accuracy);
  pc_node push_out = PC_NODE(node, pc_world_def, push_out);
  pc_node stiffness = PC_NODE(node, pc_world_def, penalty);
  if (pc_is_present(looks) && def->treatment == PC_PENALTY)
    pc_complain(looks, "'looks' cannot be combined with 'treatment: penalty'");
  if (pc_is_present(accuracy) && def->treatment == PC_PENALTY)
    pc_complain(accuracy, "'accuracy' cannot be combined with 'treatment: penalty'");
  if (pc_is_present(push_out) && def->treatment != PC_POSITION_LEVEL)
    pc_complain(push_out, "'push_out' requires 'treatment: position'");
  if (pc_is_present(stiffness) != (def->treatment == PC_PENALTY))
    pc_complain(pc_at(stiffness, node),
                "'treatment: penalty' and 'stiffness' must be used together");
}

static const pc_key sleep_keys[] = {
    {"after", PC_INTO(pc_world_def, sleep_after), PC_A_NUMBER, true, .unit = "s", PC_POSITIVE,
     .meaning = "time for which all bodies of an island must be slow before they fall asleep"},
    {"speed", PC_INTO(pc_world_def, sleep_speed), PC_A_NUMBER, .unit = "m/s", PC_NOT_NEGATIVE,
     .left_out = "0.1 g × step", .meaning = "a body is slow if no point of it is faster than this"},
    {0}};
static const pc_mapping sleep_table = {
    "sleep", "'sleep'", "When islands of resting bodies fall asleep.", .keys = {sleep_keys}};

static void read_sleep(pc_node node, pc_world_def *def)
{
  if (pc_bind(&node, &sleep_table, def) && def->treatment == PC_PENALTY)
    pc_complain(
        node, "'sleep' cannot be combined with 'treatment: penalty', where overlaps store energy");
}

#define SOLVER_WORD(symbol_, name_, meaning_) {name_, 0},
static const pc_key solver_keys[] = {
    {"name", PC_INTO(pc_world_def, solver), PC_A_WORD,
     .words = (const pc_word[]){PC_SOLVERS(SOLVER_WORD){NULL, 0}}, .noun = "solver",
     .otherwise = "auto", .meaning = "solver"},
    {PC_KEY(pc_world_def, tolerance), PC_A_NUMBER, PC_FROM(1e-15, 1),
     .left_out = "1e-4 for bodies at rest; `contact: {accuracy}` for others",
     .meaning = "tolerance on the residual of each step, relative to the free velocity"},
    {PC_KEY(pc_world_def, max_iterations), PC_AN_INTEGER, PC_FROM(0, 1e9), .otherwise = "1000",
     .meaning = "maximum number of sweeps over a large group of contacts in a step; 0: no limit"},
    {PC_KEY(pc_world_def, threads), PC_AN_INTEGER, PC_FROM(1, 1024), .otherwise = "1",
     .meaning =
         "number of threads; results do not depend on it. The option `--threads` overrides it"},
    {0}};
static const pc_mapping solver_table = {"solver", "'solver'", "Solver for the impacts of a step.",
                                        .keys = {solver_keys}};
typedef struct material_file {
  const char *name;
  double density, specific_heat;
} material_file;
static const pc_key material_keys[] = {
    {PC_KEY(material_file, name), PC_A_NAME, true,
     .meaning = "name; `default` (1000 kg/m³) always exists"},
    {PC_KEY(material_file, density), PC_A_NUMBER, true, .unit = "kg/m³, in the plane kg/m²",
     PC_POSITIVE, .meaning = "density"},
    {PC_KEY(material_file, specific_heat), PC_A_NUMBER, .unit = "J/(kg K)", PC_POSITIVE,
     .left_out = "as given in `heat`", .meaning = "heat capacity per mass, with `heat`"},
    {0}};
static const pc_mapping material_table = {"material", "a material", "A material.",
                                          .keys = {material_keys}};

static void read_materials(pc_rigid_builder *builder, pc_node list)
{
  if (pc_names_add(&builder->materials, "default") < 0) // the world has one already
    pc_complain(list, "out of memory");
  for (pc_entries e = pc_entries_of(list); pc_next(&e);) {
    material_file file = {.specific_heat = 0};
    if (!pc_bind(&e.node, &material_table, &file))
      return;
    int added = pc_names_add_at(&builder->materials, file.name,
                                PC_NODE(e.node, material_file, name), "materials");
    if (!pc_failed(list) && pc_world_add_material(builder->world, file.density) != added)
      pc_complain(e.node, "%s", pc_world_error(builder->world));
    pc_rigid_doubt_density(builder, PC_NODE(e.node, material_file, density), file.density);
    if (file.specific_heat == 0)
      continue;
    pc_node specific = PC_NODE(e.node, material_file, specific_heat);
    if (pc_world_heat(builder->world) == NULL)
      pc_complain(specific, "'specific_heat' requires 'heat' in the scene");
    if (!pc_failed(list) &&
        pc_world_set_specific_heat(builder->world, added, file.specific_heat) != PC_OK)
      pc_complain(specific, "%s", pc_world_error(builder->world));
  }
}

typedef struct law_file { // begins with what pc_scene_law_keys fill
  pc_law_file law;
  pc_node between;
} law_file;
static const pc_key between_keys[] = {{PC_KEY(law_file, between), PC_NAMES, true, .count = {2, 2},
                                       .meaning = "two materials, in any order"},
                                      {0}};
static const pc_mapping law_table = {"law", "a law", "The contact law of two materials.",
                                     .keys = {between_keys, pc_scene_law_keys}};
static const pc_mapping default_law_table = {
    "default_law", "'default_law'",
    "The contact law of all pairs of materials that are not listed in `laws`.",
    .keys = {pc_scene_law_keys}};

// Bodies in scenes touch and separate: a bilateral law would glue them together.
static void read_law(pc_rigid_builder *builder, pc_node node, const pc_law_file *file, pc_law *law)
{
  const pc_node parts[] = {file->normal, file->tangential};
  for (int i = 0; i < 2; i++)
    if (strcmp(pc_read_string(pc_get(parts[i], "kind")), "bilateral") == 0)
      pc_complain(
          node, "a bilateral law cannot be used in a scene, because contacts must be able to open");
  pc_read_contact_law(file, builder->dimension, law);
  if (!pc_failed(node) && law->tangential.rolling > 0 &&
      pc_world_definition(builder->world)->treatment == PC_PENALTY)
    pc_complain(node, "rolling friction cannot be combined with 'treatment: penalty'");
}

// Law number `i` of the list; `pairs` has the materials of the laws before it.
static void read_pair_law(pc_rigid_builder *builder, pc_node node, int (*pairs)[2], int i)
{
  pc_law law;
  law_file file;
  if (!pc_bind(&node, &law_table, &file))
    return;
  if (pc_read_list(file.between, "'between'") != 2)
    pc_complain(file.between, "a law needs two materials");
  int a = pc_rigid_read_material(builder, pc_item(file.between, 0));
  int b = pc_rigid_read_material(builder, pc_item(file.between, 1));
  pairs[i][0] = a < b ? a : b;
  pairs[i][1] = a < b ? b : a;
  for (int k = 0; k < i; k++)
    if (pairs[k][0] == pairs[i][0] && pairs[k][1] == pairs[i][1])
      pc_complain(node, "there are two laws for '%s' and '%s'",
                  pc_node_text(pc_item(file.between, 0)).text,
                  pc_node_text(pc_item(file.between, 1)).text);
  read_law(builder, node, &file.law, &law);
  if (!pc_failed(node) && pc_world_set_law(builder->world, a, b, &law) != PC_OK)
    pc_complain(node, "%s", pc_world_error(builder->world));
}

static void read_laws(pc_rigid_builder *builder, pc_node general, pc_node list)
{
  pc_law law;
  pc_law_file file;
  if (pc_bind(&general, &default_law_table, &file)) {
    read_law(builder, general, &file, &law);
    if (!pc_failed(general) && pc_world_set_default_law(builder->world, &law) != PC_OK)
      pc_complain(general, "%s", pc_world_error(builder->world));
  }
  pc_entries e = pc_entries_of(list);
  int(*pairs)[2] = pc_allocate(list, e.count, sizeof *pairs);
  while (pc_next(&e))
    read_pair_law(builder, e.node, pairs, e.index);
  free(pairs);
}

typedef struct deposit_file {
  pc_node bodies;
} deposit_file;
static const pc_key deposit_keys[] = {
    {PC_KEY(deposit_file, bodies), PC_CHOICES, .mapping = &pc_table_choice,
     .left_out = "all bodies",
     .meaning = "bodies that count: names of bodies or generators, `stone-*`, choices, or a list "
                "of them"},
    {PC_KEY(pc_deposit_def, spacing), PC_A_NUMBER, true, .unit = "m", PC_POSITIVE,
     .meaning = "cell size of the map"},
    {PC_KEY(pc_deposit_def, thinnest), PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .left_out = "spacing / 10", .meaning = "thinner layers do not count as deposit"},
    {PC_KEY(pc_deposit_def, rest_speed), PC_A_NUMBER, .unit = "m/s", PC_POSITIVE,
     .otherwise = "0.1", .meaning = "faster bodies count as moving"},
    {0}};
static const pc_mapping deposit_table = {
    "deposit", "'deposit'", "Measures and maps the deposit at the end of the run; in space only.",
    .keys = {deposit_keys}};

// After all bodies are made.
static void read_deposit(pc_rigid_builder *builder, pc_node node)
{
  pc_deposit_def *deposit = &builder->scene->deposit;
  deposit_file file = {0};
  if (!pc_is_present(node))
    return;
  PC_BIND(&node, &deposit_table, pc_deposit_def, deposit);
  PC_BIND(&node, &deposit_table, deposit_file, &file);
  if (builder->dimension != 3)
    pc_complain(node, "'deposit' requires a scene in space, not in the plane");
  if (!PC_GIVEN(node, pc_deposit_def, thinnest))
    deposit->thinnest = deposit->spacing / 10;
  if (!pc_is_present(file.bodies))
    return;
  pc_chosen chosen = pc_rigid_choose(builder, file.bodies, true);
  if (!pc_failed(node) && chosen.count == 0)
    pc_complain(file.bodies, "a deposit is made of bodies, and these are obstacles");
  deposit->count = chosen.count;
  deposit->bodies = chosen.bodies;
  chosen.bodies = NULL;
  pc_chosen_free(&chosen);
}

typedef struct output_file {
  pc_node bounds, deposit;
} output_file;
static const pc_key output_keys[] = {
    {"every", PC_INTO(pc_scene, frame_every), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "0.02, or the step if that is longer",
     .meaning = "time between frames, rounded to whole steps; at least one step"},
    {"contacts", PC_INTO(pc_scene, record_contacts), PC_A_BOOLEAN, .otherwise = "true",
     .meaning = "true: record the contacts of each frame"},
    PC_CSV_KEY("true: write RUN.csv with the energy balance and the sensors, one line per step"),
    PC_XDMF_KEY,
    {"end", PC_INTO(pc_scene, end_table), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: write RUN-end.csv with the final states, a table from which another scene "
                "can `start`"},
    PC_CHECKPOINT_KEY,
    {PC_KEY(output_file, bounds), PC_POINTS, .unit = "m", .left_out = "infinite",
     .meaning = "`[low corner, high corner]`: bodies outside this box are counted as lost"},
    {"lost", PC_INTO(pc_scene, removes_lost), PC_A_WORD, .with = "bounds",
     .words = PC_WORDS({"kept", false}, {"removed", true}), .noun = "treatment of lost bodies",
     .otherwise = "kept",
     .meaning =
         "`removed`: a body outside `bounds` leaves the run and stays where it left, unless a "
         "spring, string or net holds it; the energy that it takes along is energy given"},
    {PC_KEY(output_file, deposit), PC_A_MAPPING, .mapping = &deposit_table,
     .left_out = "not measured", .meaning = "measurement of the deposit"},
    {0}};
static const pc_mapping output_table = {"output", "'output'", "What is recorded, and how often.",
                                        .keys = {output_keys}};

// Leaves the deposit for later, and gives it.
static pc_node read_output(pc_rigid_builder *builder, pc_node node)
{
  pc_scene *scene = builder->scene;
  output_file file = {0};
  pc_scene_read_output(scene, &node, &output_table, 0.02);
  PC_BIND(&node, &output_table, output_file, &file);
  if (pc_is_present(file.bounds) &&
      !pc_rigid_read_box(builder, file.bounds, "'bounds' must be [low corner, high corner]",
                         scene->bounds, scene->bounds + 3))
    pc_complain(file.bounds, "the low corner of 'bounds' must be below the high corner");
  return file.deposit;
}

static const pc_key head_keys[] = {
    PC_KIND_KEY("rigid"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
typedef struct rigid_file {
  pc_world_def def;
  bool overlaps; // are allowed
  pc_node contact, sleep, solver, heat, materials, laws, default_law, shapes, bodies, generators;
  pc_node obstacles, start, events, forces, springs, strings, nets, systems, sensors, output, views;
} rigid_file;
static const pc_key rigid_keys[] = {
    {"dimension", PC_INTO(rigid_file, def.dimension), PC_AN_INTEGER, PC_FROM(2, 3),
     .otherwise = "3", .meaning = "3: space; 2: the plane of x and y"},
    {"gravity", PC_INTO(rigid_file, def.gravity), PC_NUMBERS, .unit = "m/s²",
     .otherwise = "[0, 0, -9.81]", .meaning = "gravity; the default in the plane is [0, -9.81]"},
    PC_SEED_KEY("seed of generators without a seed of their own"),
    {PC_KEY(rigid_file, contact), PC_A_MAPPING, .mapping = &contact_table, .otherwise = "{}",
     .meaning = "treatment of contacts"},
    {PC_KEY(rigid_file, sleep), PC_A_MAPPING, .mapping = &sleep_table,
     .left_out = "bodies never sleep",
     .meaning = "sleeping: bodies at rest are not computed until something touches them"},
    {PC_KEY(rigid_file, heat), PC_A_MAPPING, .mapping = &pc_table_heat,
     .left_out = "no temperatures", .meaning = "temperatures of bodies"},
    {"rotation", PC_INTO(rigid_file, def.constant_spin), PC_A_WORD,
     .words = PC_WORDS({"exact", false}, {"constant", true}), .noun = "rotation",
     .otherwise = "exact",
     .meaning =
         "rotation between impacts: `exact` torque-free rotation, or `constant` angular velocity"},
    {PC_KEY(rigid_file, solver), PC_A_MAPPING, .mapping = &solver_table, .otherwise = "{}",
     .meaning = "impact solver"},
    {PC_KEY(rigid_file, materials), PC_A_LIST, .mapping = &material_table, .otherwise = "[]",
     .meaning = "materials; `default` always exists"},
    {PC_KEY(rigid_file, laws), PC_A_LIST, .mapping = &law_table, .otherwise = "[]",
     .meaning = "contact laws of pairs of materials"},
    {PC_KEY(rigid_file, default_law), PC_A_MAPPING, .mapping = &default_law_table,
     .otherwise = "{normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.5}}",
     .meaning = "contact law of all other pairs of materials"},
    {PC_KEY(rigid_file, shapes), PC_A_LIST, .variants = pc_table_shapes, .otherwise = "[]",
     .meaning = "named shapes, to be used by several bodies"},
    {PC_KEY(rigid_file, bodies), PC_A_LIST, .mapping = &pc_table_body, .otherwise = "[]",
     .meaning = "bodies that move freely"},
    {PC_KEY(rigid_file, generators), PC_A_LIST, .variants = pc_table_generators, .otherwise = "[]",
     .meaning = "generators of many bodies"},
    {PC_KEY(rigid_file, obstacles), PC_A_LIST, .mapping = &pc_table_obstacle, .otherwise = "[]",
     .meaning = "obstacles: fixed, moved or guided"},
    {PC_KEY(rigid_file, start), PC_A_FILE | PC_FILES,
     .meaning = "table of initial states, or a list of tables"},
    {PC_KEY(rigid_file, events), PC_A_LIST, .mapping = &pc_table_event, .otherwise = "[]",
     .meaning = "changes of bodies during the run"},
    {PC_KEY(rigid_file, forces), PC_A_LIST, .mapping = &pc_table_force, .otherwise = "[]",
     .meaning = "loads on bodies, in addition to gravity"},
    {PC_KEY(rigid_file, springs), PC_A_LIST, .mapping = &pc_table_spring, .otherwise = "[]",
     .meaning = "springs that push bodies"},
    {PC_KEY(rigid_file, strings), PC_A_LIST, .mapping = &pc_table_string, .otherwise = "[]",
     .meaning = "elastic strings between bodies"},
    {PC_KEY(rigid_file, nets), PC_A_LIST, .mapping = &pc_table_net, .otherwise = "[]",
     .meaning = "elastic boxes that keep bodies inside"},
    {PC_KEY(rigid_file, systems), PC_A_LIST, .mapping = &pc_table_system, .otherwise = "[]",
     .meaning = "bodies that interact at a distance in collisions"},
    {PC_KEY(rigid_file, sensors), PC_A_LIST, .mapping = &pc_table_sensor, .otherwise = "[]",
     .meaning = "quantities recorded at every step"},
    {PC_KEY(rigid_file, output), PC_A_MAPPING, .mapping = &output_table, .otherwise = "{}",
     .meaning = "what is recorded, and how often"},
    {PC_KEY(rigid_file, overlaps), PC_A_WORD,
     .words = PC_WORDS({"forbidden", false}, {"allowed", true}), .noun = "treatment of overlaps",
     .otherwise = "forbidden", .meaning = "whether bodies may overlap initially"},
    PC_VIEWS_KEY(rigid_file, &pc_table_rigid_view),
    {0}};
const pc_mapping pc_table_rigid = {
    "rigid", "a rigid scene",
    "Rigid bodies in motion, for `percuss run`. At least one body or guided obstacle is required.",
    .keys = {head_keys, pc_keys_of_times, rigid_keys, pc_keys_of_runs}};

static pc_world *make_world(rigid_file *file, pc_node root)
{
  pc_world_def *def = &file->def;
  if (!pc_failed(root) && !(pc_norm(3, def->gravity) <= 1e100))
    pc_complain(PC_NODE(root, rigid_file, def.gravity),
                "'gravity' is too large: at most %g m/s^2 is allowed", 1e100);
  read_contact(file->contact, def);
  read_sleep(file->sleep, def);
  pc_bind(&file->solver, &solver_table, def);
  if (pc_failed(root))
    return NULL;
  pc_world *world = pc_world_create(def);
  if (world == NULL)
    pc_complain(root, "out of memory");
  return world;
}

// Whether there is a body or a guided obstacle: with fixed and driven ones alone there is nothing
// to compute.
static bool something_moves(const pc_rigid_builder *builder)
{
  for (int i = 0; i < builder->bodies.count; i++)
    if (builder->placed.at[i].kind == PC_FREE || builder->placed.at[i].kind == PC_GUIDED)
      return true;
  return false;
}

static bool is_known(const void *context, const char *name)
{
  const pc_rigid_builder *builder = context;
  return pc_views_has_name(builder->bodies.count, builder->bodies.names, name) ||
         pc_views_has_name(builder->generators.count, builder->generators.names, name);
}

static void read_each(pc_rigid_builder *builder, pc_node list, pc_rigid_reader *read)
{
  for (pc_entries e = pc_entries_of(list); pc_next_apart(&e);)
    read(builder, e.node, e.index);
}

static void read_file(pc_rigid_builder *builder, pc_node root)
{
  pc_scene *scene = builder->scene;
  rigid_file file = {.def = pc_world_def_default()};
  if (!pc_scene_read_head(scene, &root, PC_KIND_RIGID, &pc_table_rigid))
    return;
  PC_BIND(&root, &pc_table_rigid, rigid_file, &file);
  builder->dimension = file.def.dimension;
  builder->world = scene->world = make_world(&file, root);
  if (pc_failed(root))
    return;
  pc_rigid_read_heat(builder, file.heat);
  pc_node deposit = read_output(builder, file.output);
  read_materials(builder, file.materials);
  read_laws(builder, file.default_law, file.laws);
  read_each(builder, file.shapes, pc_rigid_read_named_shape);
  read_each(builder, file.obstacles, pc_rigid_read_obstacle);
  read_each(builder, file.bodies, pc_rigid_read_body);
  pc_rigid_read_generators(builder, file.generators);
  if (!pc_failed(root) && !something_moves(builder))
    pc_complain(root, "the scene has no bodies: add 'bodies' or 'generators'");
  pc_rigid_read_start(builder, file.start);
  pc_rigid_read_warm(builder, file.heat);
  if (!pc_failed(root) && !file.overlaps)
    pc_rigid_check_overlaps(builder);
  read_each(builder, file.forces, pc_rigid_read_force);
  read_each(builder, file.springs, pc_rigid_read_spring);
  read_each(builder, file.strings, pc_rigid_read_string);
  read_each(builder, file.nets, pc_rigid_read_net);
  read_each(builder, file.systems, pc_rigid_read_system);
  pc_rigid_read_sensors(builder, file.sensors);
  read_deposit(builder, deposit);
  pc_rigid_read_events(builder, file.events);
  pc_scene_read_views(scene, file.views, &pc_table_rigid_view, false, is_known, builder);
  pc_rigid_doubt(builder);
}

void pc_rigid_read_file(pc_scene *scene, pc_node root)
{
  pc_rigid_builder builder = {.scene = scene, .root = root};
  read_file(&builder, root);
  for (int i = 0; i < builder.shape.count; i++)
    pc_shape_release(builder.shape.at[i].shape);
  for (int i = 0; i < builder.placed.count; i++)
    pc_shape_release(builder.placed.at[i].shape);
  scene->names = pc_names_take(&builder.bodies, &scene->bodies);
  scene->material_names = pc_names_take(&builder.materials, &scene->materials);
  pc_rigid_free_ground(&builder);
  pc_names_free(&builder.shapes);
  pc_names_free(&builder.generators);
  pc_array_free(&builder.shape);
  pc_array_free(&builder.generated);
  pc_array_free(&builder.placed);
}
