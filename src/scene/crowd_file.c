// `kind: crowd` files -> a crowd ready to step. docs/crowds.md explains the keys.
#include "scene/crowd_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/inspection.h"
#include "scene/laws.h"
#include "scene/sweep.h"
#include "scene/views.h"

static const pc_mapping law_table = {"crowd_law", "the law of a crowd",
                                     "Law of the contacts of people.", .keys = {pc_scene_law_keys}};

static void read_law(pc_node node, pc_law *law)
{
  pc_law_file file;
  if (pc_bind(&node, &law_table, &file))
    pc_read_contact_law(&file, 2, law);
}

typedef struct contact_file {
  pc_node law, wall_law;
} contact_file;
static const pc_key contact_keys[] = {
    {PC_KEY(pc_crowd_def, treatment), PC_A_WORD,
     .words =
         PC_WORDS({"nsm2", PC_VELOCITY_LEVEL}, {"nsm1", PC_POSITION_LEVEL}, {"dem", PC_PENALTY}),
     .noun = "treatment of contact", .otherwise = "nsm2",
     .meaning = "`nsm2`: impacts with a law, at velocity level; `nsm1`: no overlap at the end of a "
                "step; `dem`: overlaps act as springs"},
    {"order", PC_INTO(pc_crowd_def, first_order), PC_A_WORD,
     .words = PC_WORDS({"first", true}, {"second", false}), .noun = "order",
     .left_out = "`first` with `nsm1`, else `second`",
     .meaning =
         "`first`: no inertia, desired velocities act directly; `second`: they act as forces"},
    {PC_KEY(pc_crowd_def, stiffness), PC_A_NUMBER, .unit = "N/m", PC_POSITIVE,
     .left_out = "1.2e5 with `dem`; not allowed with other treatments",
     .meaning = "stiffness of overlaps"},
    {"looks", PC_INTO(pc_crowd_def, looks_again), PC_A_WORD,
     .words = PC_WORDS({"once", false}, {"again", true}), .noun = "way to look",
     .otherwise = "once",
     .meaning = "`again`, with `nsm2`: contacts that arise from impacts are detected in the same "
                "step. Jammed people then jostle, which adds energy and breaks arches"},
    {PC_KEY(pc_crowd_def, dissipative), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "with `nsm2`; true: contacts never add energy: people who separate and are pushed "
                "back by others may approach as fast as they separated. false: such contacts are "
                "stopped, which adds energy"},
    {PC_KEY(contact_file, law), PC_A_MAPPING, .mapping = &law_table,
     .left_out = "inelastic with `walking: {model: follow}` or `nsm1`, else quadratic with k: 1e5; "
                 "without friction",
     .meaning = "contact law between people"},
    {PC_KEY(contact_file, wall_law), PC_A_MAPPING, .mapping = &law_table, .left_out = "as `law`",
     .meaning = "contact law with walls and obstacles"},
    {0}};
static const pc_mapping contact_table = {"crowd_contact", "'contact' of a crowd",
                                         "How contacts are treated.", .keys = {contact_keys}};

static void read_contact(pc_node node, pc_crowd_def *def)
{
  contact_file file;
  if (!PC_BIND(&node, &contact_table, pc_crowd_def, def) ||
      !PC_BIND(&node, &contact_table, contact_file, &file))
    return;
  pc_node order = PC_NODE(node, pc_crowd_def, first_order);
  pc_node stiffness = PC_NODE(node, pc_crowd_def, stiffness);
  if (!pc_is_present(order))
    def->first_order = def->treatment == PC_POSITION_LEVEL;
  if (def->first_order && def->treatment != PC_POSITION_LEVEL)
    pc_complain(order, "'order: first' requires 'treatment: nsm1'");
  if (pc_is_present(stiffness) && def->treatment != PC_PENALTY)
    pc_complain(stiffness, "'stiffness' requires 'treatment: dem'");
  if (def->dissipative && def->treatment != PC_VELOCITY_LEVEL)
    pc_complain(PC_NODE(node, pc_crowd_def, dissipative),
                "'dissipative' requires 'treatment: nsm2'");
  if (def->looks_again && def->treatment != PC_VELOCITY_LEVEL)
    pc_complain(PC_NODE(node, pc_crowd_def, looks_again),
                "'looks: again' requires 'treatment: nsm2'");
  if (def->treatment == PC_POSITION_LEVEL)
    def->law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  read_law(file.law, &def->law);
  def->wall_law = def->law;
  read_law(file.wall_law, &def->wall_law);
}

static const pc_key social_keys[] = {
    {PC_KEY(pc_social, strength), PC_A_NUMBER, true, .unit = "N", PC_NOT_NEGATIVE,
     .meaning = "A, strength of the force"},
    {PC_KEY(pc_social, range), PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "0.08",
     .meaning = "B: the force is A exp(−gap/B), for overlaps up to 3 B"},
    {PC_KEY(pc_social, anisotropy), PC_A_NUMBER, PC_FROM(0, 1), .otherwise = "0",
     .meaning = "Λ: weight of people behind, relative to people in front"},
    {PC_KEY(pc_social, sideways), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: give all neighbours the weight of those at the side"},
    {0}};
static const pc_mapping social_table = {
    "social", "'social'", "Social force that keeps people at a distance from each other (Helbing).",
    .keys = {social_keys}};
static const pc_key walking_keys[] = {
    {PC_KEY(pc_walking, model), PC_A_WORD,
     .words = PC_WORDS({"follow", PC_WALK_FOLLOW}, {"direct", PC_WALK_DIRECT}), .noun = "model",
     .left_out = "`follow`, or `direct` in a scene with `social`",
     .meaning = "`follow`: people walk as fast as the people ahead allow, and around them; "
                "calibrated on measured speeds and flows. `direct`: they want their own speed at "
                "any density, as in Pécol's thesis"},
    {PC_KEY(pc_walking, densest), PC_A_NUMBER, .unit = "1/m²", PC_POSITIVE, .otherwise = "5.4",
     .meaning = "density at which nobody walks on"},
    {PC_KEY(pc_walking, rate), PC_A_NUMBER, .unit = "1/(m s)", PC_POSITIVE, .otherwise = "2.563",
     .meaning = "κ: the speed at density ρ is v₀ (1 − exp(−κ/v₀ (1/ρ − 1/densest)))"},
    {PC_KEY(pc_walking, anticipation), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE, .otherwise = "3",
     .meaning = "people ahead count where they will be after this time, at their relative speed"},
    {PC_KEY(pc_walking, headway), PC_A_NUMBER, .unit = "s", PC_POSITIVE, .otherwise = "0.06",
     .meaning = "time gap that is kept from a person in the way"},
    {0}};
static const pc_mapping walking_table = {"walking", "'walking'",
                                         "How people walk among others; `model: direct` uses no "
                                         "other key.",
                                         .keys = {walking_keys}};
static const pc_key turning_keys[] = {
    {"stiffness", PC_INTO(pc_crowd_def, turning.stiffness), PC_A_NUMBER, .unit = "N m",
     PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "stiffness k of the torque towards the desired walking direction"},
    {"damping", PC_INTO(pc_crowd_def, turning.damping), PC_A_NUMBER, PC_NOT_NEGATIVE,
     .otherwise = "1", .meaning = "damping ratio ζ of that torque"},
    {0}};
static const pc_mapping turning_table = {
    "turning", "'turning'", "People have an orientation and can turn.", .keys = {turning_keys}};
static const pc_key routes_keys[] = {
    {PC_KEY(pc_crowd_def, spacing), PC_A_NUMBER, .unit = "m", PC_POSITIVE,
     .left_out = "an eighth of the narrowest exit, at most 0.1", .meaning = "grid spacing"},
    {PC_KEY(pc_crowd_def, inset), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "0.1",
     .meaning = "distance that routes keep from walls where space permits"},
    {PC_KEY(pc_crowd_def, reluctance), PC_A_NUMBER, .range = {.kind = PC_AT_LEAST, .low = 1},
     .otherwise = "20", .meaning = "cost factor of routes closer to walls"},
    {PC_KEY(pc_crowd_def, clearance), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE,
     .otherwise = "0.25",
     .meaning = "distance that routes keep from the ends of exits; narrow exits are crossed in the "
                "middle"},
    {PC_KEY(pc_crowd_def, congestion), PC_A_NUMBER, .unit = "s",
     .range = {.kind = PC_AT_LEAST, .low = 0.05},
     .left_out = "never: people take the route that is fastest in an empty building",
     .meaning = "time between updates of routes: people take the route that is fastest at the "
                "current densities, with the speed–density relation of Weidmann"},
    {"choose", PC_INTO(pc_crowd_def, choosing), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .left_out = "1 with `walking: {model: follow}` and without `congestion`, else 0",
     .meaning = "time between looks at exits: people with several exits take the one by which they "
                "expect to be out first, given who is nearer to it. 0: they take the nearest"},
    {PC_KEY(pc_crowd_def, sight), PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "30",
     .meaning = "how far people see exits that they do not know, and signs to them"},
    {0}};
static const pc_mapping routes_table = {"routes", "'routes'",
                                        "Computation of routes, by fast marching on a grid.",
                                        .keys = {routes_keys}};
static const pc_key smoke_keys[] = {
    {PC_KEY(pc_crowd_def, avoidance), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE, .otherwise = "3",
     .meaning = "routes through smoke of extinction K count 1 + avoidance K times, besides the "
                "lower speed"},
    {PC_KEY(pc_crowd_def, contrast), PC_A_NUMBER, PC_POSITIVE, .otherwise = "3",
     .meaning = "C: exits and signs are seen over C/K; 3 if they reflect light (Jin). Signs that "
                "are `lit` are seen over 8/3 of that"},
    {PC_KEY(pc_crowd_def, dose), PC_A_NUMBER, PC_POSITIVE, .otherwise = "1",
     .meaning = "fractional effective dose at which people are incapacitated: they stay where they "
                "are"},
    {0}};
static const pc_mapping smoke_table = {
    "smoke", "'smoke'", "What smoke and gases of `hazards` do to people.", .keys = {smoke_keys}};
static const pc_key solver_keys[] = {
    {PC_KEY(pc_crowd_def, tolerance), PC_A_NUMBER, PC_FROM(1e-15, 1), .otherwise = "1e-5",
     .meaning = "tolerance on the residual of each step, relative to the free velocity"},
    {PC_KEY(pc_crowd_def, max_iterations), PC_AN_INTEGER, PC_FROM(0, 1e9), .otherwise = "0",
     .meaning = "maximum number of sweeps over a large group of contacts in a step; 0: no limit"},
    {PC_KEY(pc_crowd_def, threads), PC_AN_INTEGER, PC_FROM(1, 1024), .otherwise = "1",
     .meaning =
         "number of threads; results do not depend on it. The option `--threads` overrides it"},
    {0}};
static const pc_mapping solver_table = {"crowd_solver", "'solver' of a crowd",
                                        "Solver for the impacts of a step.", .keys = {solver_keys}};
static const pc_key maps_keys[] = {{PC_KEY(pc_maps_def, spacing), PC_A_NUMBER, .unit = "m",
                                    PC_POSITIVE, .otherwise = "0.5", .meaning = "cell size"},
                                   {PC_KEY(pc_maps_def, every), PC_A_NUMBER, .unit = "s",
                                    PC_POSITIVE, .otherwise = "1",
                                    .meaning = "averaging interval, rounded to whole steps"},
                                   {0}};
static const pc_mapping maps_table = {
    "maps", "'maps' of a crowd",
    "Density, speed and pressure on square cells of every floor, averaged over time intervals.",
    .keys = {maps_keys}};
static const pc_key lanes_keys[] = {
    {PC_KEY(pc_lanes_def, axis), PC_A_WORD, .words = PC_WORDS({"x", 0}, {"y", 1}), .noun = "axis",
     .otherwise = "x", .meaning = "axis along which people walk in both directions"},
    {PC_KEY(pc_lanes_def, width), PC_A_NUMBER, .unit = "m", PC_POSITIVE, .otherwise = "0.5",
     .meaning = "width of the strips in which walking directions are compared"},
    {0}};
static const pc_mapping lanes_table = {
    "lanes", "'lanes' of a crowd", "Measure of lane formation: the lane order, from about 0 to 1.",
    .keys = {lanes_keys}};
typedef struct output_file {
  pc_node maps, lanes;
} output_file;
static const pc_key output_keys[] = {
    {"every", PC_INTO(pc_scene, frame_every), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "0.1, or the step if that is longer",
     .meaning = "time between frames, rounded to whole steps; at least one step"},
    {"contacts", PC_INTO(pc_scene, record_contacts), PC_A_BOOLEAN, .otherwise = "true",
     .meaning = "true: record the contacts of each frame"},
    PC_CSV_KEY("true: write RUN.csv with the energy balance and the number of people inside at "
               "each step, RUN-exits.csv with every person who left, and RUN-maps.csv with maps "
               "averaged over the run"),
    PC_XDMF_KEY,
    {"trajectories", PC_INTO(pc_scene, people.trajectories), PC_A_BOOLEAN, .otherwise = "false",
     .meaning =
         "true: write RUN-trajectories.txt with positions in each frame, and RUN-geometry.wkt with "
         "what can be walked on, for PedPy and JuPedSim"},
    {PC_KEY(output_file, maps), PC_A_BOOLEAN | PC_A_MAPPING, .mapping = &maps_table,
     .otherwise = "true", .meaning = "maps of density, speed and pressure"},
    {PC_KEY(output_file, lanes), PC_A_MAPPING, .mapping = &lanes_table, .left_out = "not measured",
     .meaning = "measure lane order in each frame"},
    {PC_KEY(pc_crowd_def, load_window), PC_A_NUMBER, .unit = "s", PC_POSITIVE, .otherwise = "1",
     .meaning = "loads on people are means over this time, rounded to whole steps"},
    PC_CHECKPOINT_KEY,
    {0}};
static const pc_mapping output_table = {"crowd_output", "'output' of a crowd",
                                        "What is recorded, and how often.", .keys = {output_keys}};

static void read_output(pc_scene *scene, pc_node node)
{
  output_file file = {0};
  pc_scene_read_output(scene, &node, &output_table, 0.1);
  PC_BIND(&node, &output_table, output_file, &file);
  pc_node given = file.maps, absent = {.document = node.document};
  bool wanted = !pc_is_present(given) || pc_is_mapping(given) || pc_read_boolean(given);
  pc_bind(pc_is_mapping(given) ? &given : &absent, &maps_table, &scene->people.maps);
  if (!wanted)
    scene->people.maps.spacing = 0;
  if (pc_is_present(file.lanes))
    pc_bind(&file.lanes, &lanes_table, &scene->people.lanes);
}

static const pc_key head_keys[] = {
    PC_KIND_KEY("crowd"), PC_BASE_KEY, PC_TITLE_KEY, PC_SOURCE_KEY, {0}};
typedef struct crowd_file {
  bool until_empty;
  pc_node contact, walking, social, turning, routes, solver, floors, stairs, doors, sources,
      detours, exits, signs, hazards, smoke, lifts;
  pc_node areas, people, output, views;
} crowd_file;
static const pc_key crowd_keys[] = {
    {"until", PC_INTO(crowd_file, until_empty), PC_A_WORD,
     .words = PC_WORDS({"empty", true}, {"duration", false}), .noun = "end of the run",
     .otherwise = "empty",
     .meaning = "when the run ends: `empty` when everybody has left, or `duration` after the full "
                "duration"},
    PC_SEED_KEY("seed of all random draws"),
    {PC_KEY(crowd_file, contact), PC_A_MAPPING, .mapping = &contact_table, .otherwise = "{}",
     .meaning = "treatment of contacts"},
    {PC_KEY(crowd_file, walking), PC_A_MAPPING, .mapping = &walking_table, .otherwise = "{}",
     .meaning = "how people walk among others"},
    {PC_KEY(crowd_file, social), PC_A_MAPPING, .mapping = &social_table, .left_out = "none",
     .meaning = "social force"},
    {PC_KEY(crowd_file, turning), PC_A_MAPPING, .mapping = &turning_table,
     .left_out = "people do not turn", .meaning = "orientation of people"},
    {PC_KEY(crowd_file, routes), PC_A_MAPPING, .mapping = &routes_table, .otherwise = "{}",
     .meaning = "computation of routes"},
    {PC_KEY(crowd_file, solver), PC_A_MAPPING, .mapping = &solver_table, .otherwise = "{}",
     .meaning = "impact solver"},
    {PC_KEY(crowd_file, floors), PC_A_LIST, true, .mapping = &pc_table_floor,
     .meaning = "floors of the building"},
    {PC_KEY(crowd_file, stairs), PC_A_LIST, .mapping = &pc_table_stairs, .otherwise = "[]",
     .meaning = "stairs between floors"},
    {PC_KEY(crowd_file, lifts), PC_A_LIST, .mapping = &pc_table_lift, .otherwise = "[]",
     .meaning = "lifts"},
    {PC_KEY(crowd_file, doors), PC_A_LIST, .mapping = &pc_table_door, .otherwise = "[]",
     .meaning = "doors that open and close"},
    {PC_KEY(crowd_file, sources), PC_A_LIST, .mapping = &pc_table_source, .otherwise = "[]",
     .meaning = "sources where people enter"},
    {PC_KEY(crowd_file, detours), PC_A_LIST, .mapping = &pc_table_detour, .otherwise = "[]",
     .meaning = "conditions on which people change their goal"},
    {PC_KEY(crowd_file, exits), PC_A_LIST, .mapping = &pc_table_exit, .otherwise = "[]",
     .meaning = "places where people leave"},
    {PC_KEY(crowd_file, areas), PC_A_LIST, .mapping = &pc_table_area, .otherwise = "[]",
     .meaning = "areas that people walk to"},
    {PC_KEY(crowd_file, signs), PC_A_LIST, .mapping = &pc_table_sign, .otherwise = "[]",
     .meaning = "signs to exits, for people who do not know them"},
    {PC_KEY(crowd_file, hazards), PC_A_LIST, .mapping = &pc_table_hazard, .otherwise = "[]",
     .meaning = "smoke and gases, as fields"},
    {PC_KEY(crowd_file, smoke), PC_A_MAPPING, .mapping = &smoke_table, .otherwise = "{}",
     .meaning = "what smoke and gases do to people"},
    {PC_KEY(crowd_file, people), PC_A_LIST, true, .mapping = &pc_table_group,
     .meaning = "groups of people"},
    {PC_KEY(crowd_file, output), PC_A_MAPPING, .mapping = &output_table, .otherwise = "{}",
     .meaning = "what is recorded, and how often"},
    PC_VIEWS_KEY(crowd_file, &pc_table_crowd_view),
    {0}};
const pc_mapping pc_table_crowd = {
    "crowd", "a crowd scene", "Pedestrians in a building, for `percuss run`.",
    .keys = {head_keys, pc_keys_of_times, crowd_keys, pc_keys_of_runs}};

static const double LOOKS = 1; // s, between looks at exits

static pc_crowd *make_crowd(pc_crowd_builder *builder, crowd_file *file, pc_node root)
{
  pc_walking walking = pc_walking_default();
  // With a social force, people keep their distances already.
  walking.model = pc_is_present(file->social) ? PC_WALK_DIRECT : PC_WALK_FOLLOW;
  pc_bind(&file->walking, &walking_table, &walking);
  // The models of the book keep its law of contacts.
  pc_crowd_def def =
      walking.model == PC_WALK_FOLLOW ? pc_crowd_def_calibrated() : pc_crowd_def_default();
  def.walking = walking;
  def.seed = builder->scene->seed;
  def.turns = pc_is_present(file->turning);
  read_contact(file->contact, &def);
  pc_bind(&file->social, &social_table, &def.social);
  pc_bind(&file->turning, &turning_table, &def);
  pc_bind(&file->routes, &routes_table, &def);
  if (!PC_GIVEN(file->routes, pc_crowd_def, choosing))
    def.choosing = def.walking.model == PC_WALK_FOLLOW && !(def.congestion > 0) ? LOOKS : 0;
  pc_bind(&file->smoke, &smoke_table, &def);
  pc_bind(&file->solver, &solver_table, &def);
  PC_BIND(&file->output, &output_table, pc_crowd_def, &def);
  builder->springs = def.treatment == PC_PENALTY;
  if (pc_failed(root))
    return NULL;
  pc_crowd *crowd = pc_crowd_create(&def);
  if (crowd == NULL)
    pc_complain(root, "out of memory");
  return crowd;
}

static char *print_name(const char *name, int number)
{
  size_t size = strlen(name) + 16;
  char *text = malloc(size);
  if (text != NULL)
    snprintf(text, size, "%s-%d", name, number);
  return text;
}

// Walls come first; people are numbered in their groups.
static void name_bodies(pc_crowd_builder *builder, pc_node root)
{
  pc_scene *scene = builder->scene;
  const pc_scene_people *people = &scene->people;
  int bodies = pc_world_bodies(scene->world), walls = bodies - builder->people;
  int *number = calloc((size_t)people->groups + 1, sizeof *number);
  scene->names = calloc((size_t)bodies + 1, sizeof *scene->names);
  scene->material_names = calloc(2, sizeof *scene->material_names);
  bool failed = number == NULL || scene->names == NULL || scene->material_names == NULL;
  for (int i = 0; i < bodies && !failed; i++) {
    int group = i < walls ? 0 : people->group[i - walls];
    scene->names[i] = i < walls ? print_name("wall", i + 1)
                                : print_name(people->group_names[group], ++number[group]);
    failed = scene->names[i] == NULL;
    scene->bodies += !failed;
  }
  for (int i = 0; i < 2 && !failed; i++) {
    scene->material_names[i] = strdup(i == 0 ? "people" : "walls");
    failed = scene->material_names[i] == NULL;
    scene->materials += !failed;
  }
  free(number);
  if (failed)
    pc_complain(root, "out of memory");
}

void pc_scene_people_free(pc_scene_people *people)
{
  pc_names_release(people->floor_names, people->floors);
  pc_names_release(people->group_names, people->groups);
  for (int i = 0; i < people->goals; i++) {
    free(people->goal[i].name);
    free(people->goal[i].point);
  }
  for (int i = 0; i < people->walls; i++)
    free(people->wall[i].point);
  for (int i = 0; i < people->doors; i++)
    free(people->door[i].point);
  free(people->wall);
  free(people->door);
  free(people->goal);
  free(people->group);
  free(people->tight);
  *people = (pc_scene_people){0};
}

// The crowd needs all goals, also choices of several, before it computes routes.
static int (*read_goals(pc_crowd_builder *builder, pc_node list))[2]
{
  pc_entries e = pc_entries_of(list);
  int(*goals)[2] = pc_allocate(list, e.count, sizeof *goals);
  while (pc_next(&e))
    pc_crowd_read_group_goal(builder, e.node, goals[e.index]);
  if (!pc_failed(list) && e.count == 0)
    pc_complain(list, "the crowd has no people; add 'people'");
  return goals;
}

static void finish_building(pc_crowd_builder *builder, pc_node floors)
{
  if (pc_failed(floors) || (builder->building ? pc_inspection_finish(builder->crowd)
                                              : pc_crowd_finish(builder->crowd)) == PC_OK)
    return;
  int goal = pc_crowd_error_subject(builder->crowd).id[PC_CROWD_GOAL];
  pc_crowd_complain(builder, goal >= 0 ? builder->goal_node.at[goal] : floors, "");
}

static void read_each(pc_crowd_builder *builder, pc_node list, pc_crowd_reader *read)
{
  for (pc_entries e = pc_entries_of(list); pc_next(&e);)
    read(builder, e.node, e.index);
}

static void read_file(pc_crowd_builder *builder, pc_node root)
{
  pc_scene *scene = builder->scene;
  crowd_file file = {.until_empty = true};
  if (!pc_scene_read_head(scene, &root, PC_KIND_CROWD, &pc_table_crowd))
    return;
  PC_BIND(&root, &pc_table_crowd, crowd_file, &file);
  builder->views = file.views;
  scene->people.until_empty = file.until_empty;
  pc_random_seed(&builder->random, scene->seed);
  builder->crowd = scene->crowd = make_crowd(builder, &file, root);
  read_output(scene, file.output);
  if (pc_failed(root))
    return;
  scene->world = pc_crowd_world(scene->crowd);
  pc_crowd_read_floors(builder, file.floors);
  read_each(builder, file.stairs, pc_crowd_read_stairs);
  read_each(builder, file.lifts, pc_crowd_read_lift);
  read_each(builder, file.doors, pc_crowd_read_door);
  read_each(builder, file.sources, pc_crowd_read_source);
  read_each(builder, file.exits, pc_crowd_read_exit);
  read_each(builder, file.areas, pc_crowd_read_area);
  read_each(builder, file.detours, pc_crowd_read_detour);
  read_each(builder, file.signs, pc_crowd_read_sign);
  read_each(builder, file.hazards, pc_crowd_read_hazard);
  int(*goals)[2] = pc_failed(root) ? NULL : read_goals(builder, file.people);
  if (!pc_failed(root))
    pc_crowd_check_narrowest(builder, file.people);
  finish_building(builder, file.floors);
  if (!pc_failed(root) && !builder->building)
    pc_crowd_read_people(builder, file.people, (const int(*)[2])goals,
                         PC_NODE(root, pc_scene, step));
  if (!pc_failed(root) && !builder->building)
    pc_crowd_check_widths(builder, file.people);
  free(goals);
}

// A person or a group; walls are named too.
static bool is_known(const void *context, const char *name)
{
  const pc_crowd_builder *builder = context;
  const pc_scene *scene = builder->scene;
  return pc_views_has_name(scene->people.groups, scene->people.group_names, name) ||
         pc_views_has_name(builder->people, scene->names + scene->bodies - builder->people, name);
}

static void read_scene(pc_scene *scene, pc_node root, bool building)
{
  pc_crowd_builder builder = {.scene = scene, .building = building};
  read_file(&builder, root);
  scene->people.floor_names = pc_names_take(&builder.floors, &scene->people.floors);
  scene->people.group_names = pc_names_take(&builder.groups, &scene->people.groups);
  if (!pc_failed(root))
    name_bodies(&builder, root);
  if (!building)
    pc_scene_read_views(scene, builder.views, &pc_table_crowd_view, true, is_known, &builder);
  pc_names_free(&builder.goals);
  pc_names_free(&builder.sources);
  pc_array_free(&builder.goal_node);
  pc_array_free(&builder.bounds);
}

void pc_crowd_read_file(pc_scene *scene, pc_node root)
{
  read_scene(scene, root, false);
}

void pc_crowd_read_building(pc_scene *scene, pc_node root)
{
  read_scene(scene, root, true);
}
