// `kind: crowd` files -> a crowd ready to step. tables_crowd.c has the keys, docs/crowds.md
// explains them.
#include "scene/crowd_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "scene/laws.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

double (*pc_crowd_read_points(pc_node list, int least, int *count))[2]
{
  *count = pc_read_list(list, "a list of points");
  if (pc_failed(list))
    return NULL;
  if (*count < least) {
    pc_complain(list, "%d point%s given, at least %d are needed", *count,
                *count == 1 ? " is" : "s are", least);
    return NULL;
  }
  double(*points)[2] = calloc((size_t)*count + 1, sizeof *points); // room to close a wall
  if (points == NULL)
    pc_complain(list, "out of memory");
  for (int i = 0; i < *count && !pc_failed(list); i++)
    pc_read_vector(pc_item(list, i), 2, 2, points[i]);
  if (!pc_failed(list))
    return points;
  free(points);
  return NULL;
}

// --- messages -----------------------------------------------------------------------------------

// The name of the person of this number, as the scene calls them.
static void write_person(const pc_crowd_builder *b, int person, char *text, size_t size)
{
  const int *group = b->scene->people.group;
  int number = 1;
  for (int i = 0; i < person; i++)
    number += group[i] == group[person];
  snprintf(text, size, "'%.60s-%d'", b->groups.names[group[person]], number);
}

// What `word N` stands for in a message of the crowd; false: it stays.
static bool name_of(const pc_crowd_builder *b, const char *word, int n, char *text, size_t size)
{
  const pc_scene_people *people = &b->scene->people;
  if (strcmp(word, "floor ") == 0 && n < b->floors.count)
    snprintf(text, size, "floor '%.60s'", b->floors.names[n]);
  else if (strcmp(word, "goal ") == 0 && n < people->goals)
    snprintf(text, size, "'%.60s'", people->goal[n].name);
  else if (strcmp(word, "person ") == 0 && n < b->people)
    write_person(b, n, text, size);
  else
    return false;
  return true;
}

void pc_crowd_complain(pc_crowd_builder *builder, pc_node node, const char *what)
{
  static const char *const words[] = {" on floor ", "floor ", "goal ", "person "};
  const char *from = pc_crowd_error(builder->crowd);
  char text[400] = "";
  size_t used = 0;
  while (*from != 0 && used + 1 < sizeof text) {
    char name[80];
    int number, length = 0, k = 0;
    for (; k < 4; k++)
      if (strncmp(from, words[k], strlen(words[k])) == 0 &&
          sscanf(from + strlen(words[k]), "%d%n", &number, &length) == 1 && number >= 0)
        break;
    if (k == 0 && builder->floors.count == 1) { // there is no other
      from += strlen(words[0]) + (size_t)length;
    } else if (k > 0 && k < 4 && name_of(builder, words[k], number, name, sizeof name)) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s", name);
      from += strlen(words[k]) + (size_t)length;
    } else {
      text[used++] = *from++;
      text[used] = 0;
    }
    used = used < sizeof text ? used : sizeof text - 1;
  }
  pc_complain(node, "%s%s%s", what, *what ? ": " : "", text);
}

// --- how it is run ------------------------------------------------------------------------------

static void read_law(pc_node node, pc_law *law)
{
  if (pc_is_present(node) && pc_read_keys(&node, &pc_table_crowd_law))
    pc_read_contact_law(node, 2, law);
}

static void read_contact(pc_node node, pc_crowd_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_crowd_contact))
    return;
  static const pc_treatment known[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
  pc_node treatment = pc_get(node, "treatment"), order = pc_get(node, "order");
  pc_node stiffness = pc_get(node, "stiffness"), wall_law = pc_get(node, "wall_law");
  pc_node looks = pc_get(node, "looks");
  int word = pc_is_present(treatment) ? pc_read_word(treatment) : 0;
  def->treatment = known[word > 0 ? word : 0];
  def->first_order = def->treatment == PC_POSITION_LEVEL;
  if (pc_is_present(order)) {
    def->first_order = pc_read_word(order) == 1;
    if (def->first_order && def->treatment != PC_POSITION_LEVEL)
      pc_complain(order, "'order: first' goes with 'treatment: nsm1'");
  }
  if (pc_is_present(stiffness) && def->treatment != PC_PENALTY)
    pc_complain(stiffness, "'stiffness' goes with 'treatment: dem'");
  def->stiffness = pc_read_number_or(stiffness, def->stiffness);
  def->dissipative = pc_read_boolean_or(pc_get(node, "dissipative"), false);
  def->looks_again = pc_is_present(looks) && pc_read_word(looks) == 1;
  if (def->dissipative && def->treatment != PC_VELOCITY_LEVEL)
    pc_complain(pc_get(node, "dissipative"), "'dissipative' goes with 'treatment: nsm2'");
  if (def->looks_again && def->treatment != PC_VELOCITY_LEVEL)
    pc_complain(looks, "'looks: again' goes with 'treatment: nsm2'");
  if (def->treatment == PC_POSITION_LEVEL)
    def->law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  read_law(pc_get(node, "law"), &def->law);
  def->wall_law = def->law;
  read_law(wall_law, &def->wall_law);
}

static void read_social(pc_node node, pc_social *social)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_social))
    return;
  social->strength = pc_read_number(pc_get(node, "strength"));
  social->range = pc_read_number_or(pc_get(node, "range"), social->range);
  social->anisotropy = pc_read_number_or(pc_get(node, "anisotropy"), social->anisotropy);
  social->sideways = pc_read_boolean_or(pc_get(node, "sideways"), social->sideways);
}

static void read_turning(pc_node node, pc_crowd_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_turning))
    return;
  def->turns = true;
  def->turning.stiffness = pc_read_number_or(pc_get(node, "stiffness"), 0);
  def->turning.damping = pc_read_number_or(pc_get(node, "damping"), 1);
}

static void read_routes(pc_node node, pc_crowd_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_routes))
    return;
  def->spacing = pc_read_number_or(pc_get(node, "spacing"), def->spacing);
  def->inset = pc_read_number_or(pc_get(node, "inset"), def->inset);
  def->reluctance = pc_read_number_or(pc_get(node, "reluctance"), def->reluctance);
  def->clearance = pc_read_number_or(pc_get(node, "clearance"), def->clearance);
  def->congestion = pc_read_number_or(pc_get(node, "congestion"), def->congestion);
}

static void read_solver(pc_node node, pc_crowd_def *def)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_crowd_solver))
    return;
  pc_node iterations = pc_get(node, "max_iterations"), threads = pc_get(node, "threads");
  def->tolerance = pc_read_number_or(pc_get(node, "tolerance"), def->tolerance);
  if (pc_is_present(iterations))
    def->max_iterations = pc_read_integer(iterations);
  if (pc_is_present(threads))
    def->threads = pc_read_integer(threads);
}

static void read_maps(pc_node node, pc_maps_def *maps)
{
  if (!pc_is_present(node))
    return;
  if (!pc_is_mapping(node)) {
    if (!pc_read_boolean(node))
      maps->spacing = 0;
    return;
  }
  if (!pc_read_keys(&node, &pc_table_maps))
    return;
  maps->spacing = pc_read_number_or(pc_get(node, "spacing"), maps->spacing);
  maps->every = pc_read_number_or(pc_get(node, "every"), maps->every);
}

static void read_lanes(pc_node node, pc_lanes_def *lanes)
{
  if (!pc_is_present(node) || !pc_read_keys(&node, &pc_table_lanes))
    return;
  pc_node axis = pc_get(node, "axis");
  lanes->axis = pc_is_present(axis) && pc_read_word(axis) == 1;
  lanes->width = pc_read_number_or(pc_get(node, "width"), 0.5);
}

static void read_output(pc_scene *scene, pc_node node)
{
  scene->people.maps = (pc_maps_def){.spacing = 0.5, .every = 1};
  pc_scene_read_output(scene, &node, &pc_table_crowd_output, 0.1);
  if (!pc_is_present(node))
    return;
  scene->people.trajectories = pc_read_boolean_or(pc_get(node, "trajectories"), false);
  read_maps(pc_get(node, "maps"), &scene->people.maps);
  read_lanes(pc_get(node, "lanes"), &scene->people.lanes);
}

static pc_crowd *read_crowd(pc_crowd_builder *builder, pc_node root, uint64_t seed)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.seed = seed;
  read_contact(pc_get(root, "contact"), &def);
  builder->springs = def.treatment == PC_PENALTY;
  read_social(pc_get(root, "social"), &def.social);
  read_turning(pc_get(root, "turning"), &def);
  read_routes(pc_get(root, "routes"), &def);
  read_solver(pc_get(root, "solver"), &def);
  if (pc_failed(root))
    return NULL;
  pc_crowd *crowd = pc_crowd_create(&def);
  if (crowd == NULL)
    pc_complain(root, "out of memory");
  return crowd;
}

// --- names of bodies ----------------------------------------------------------------------------

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
  for (int i = 0; i < people->floors; i++)
    free(people->floor_names[i]);
  for (int i = 0; i < people->groups; i++)
    free(people->group_names[i]);
  for (int i = 0; i < people->goals; i++) {
    free(people->goal[i].name);
    free(people->goal[i].point);
  }
  free(people->floor_names);
  free(people->group_names);
  free(people->goal);
  free(people->group);
  free(people->tight);
  *people = (pc_scene_people){0};
}

// --- the file -----------------------------------------------------------------------------------

// Goals that are a choice of several must be known before ways are found.
static int (*read_goals(pc_crowd_builder *builder, pc_node list))[2]
{
  int count = pc_read_list(list, "'people'");
  int(*goals)[2] = calloc((size_t)count + 1, sizeof *goals);
  if (goals == NULL)
    pc_complain(list, "out of memory");
  for (int i = 0; i < count && !pc_failed(list); i++) {
    pc_node group = pc_item(list, i);
    if (!pc_read_keys(&group, &pc_table_group))
      break;
    pc_node to = pc_get(group, "to"), stages = pc_get(group, "stages");
    if (pc_is_present(to) == pc_is_present(stages))
      pc_complain(group, "a group has either 'to' or 'stages'");
    goals[i][0] = pc_is_present(to) ? pc_crowd_read_goal(builder, to) : 0;
    goals[i][1] = pc_is_present(stages) ? pc_crowd_read_plan(builder, stages) : -1;
  }
  if (!pc_failed(list) && count == 0)
    pc_complain(list, "there is nobody in the crowd");
  return goals;
}

static void finish_building(pc_crowd_builder *builder, pc_node root)
{
  int goal;
  if (pc_failed(root) || pc_crowd_finish(builder->crowd) == PC_OK)
    return;
  bool of_goal = sscanf(pc_crowd_error(builder->crowd), "goal %d:", &goal) == 1 && goal >= 0 &&
                 goal < builder->scene->people.goals;
  pc_crowd_complain(builder, of_goal ? builder->goal_node[goal] : pc_get(root, "floors"), "");
}

static void read_file(pc_crowd_builder *builder, pc_node root)
{
  pc_scene *scene = builder->scene;
  if (!pc_scene_read_head(scene, &root, PC_KIND_CROWD, &pc_table_crowd, pc_crowd_times))
    return;
  pc_node until = pc_get(root, "until"), people = pc_get(root, "people");
  scene->people.until_empty = !pc_is_present(until) || pc_read_word(until) == 1;
  pc_random_seed(&builder->random, scene->seed);
  builder->crowd = scene->crowd = read_crowd(builder, root, scene->seed);
  read_output(scene, pc_get(root, "output"));
  if (pc_failed(root))
    return;
  scene->world = pc_crowd_world(scene->crowd);
  pc_crowd_read_floors(builder, pc_get(root, "floors"));
  pc_crowd_read_stairs(builder, pc_get(root, "stairs"));
  pc_crowd_read_doors(builder, pc_get(root, "doors"));
  pc_crowd_read_sources(builder, pc_get(root, "sources"));
  pc_crowd_read_exits(builder, pc_get(root, "exits"));
  pc_crowd_read_areas(builder, pc_get(root, "areas"));
  pc_crowd_read_detours(builder, pc_get(root, "detours"));
  int(*goals)[2] = pc_failed(root) ? NULL : read_goals(builder, people);
  if (!pc_failed(root))
    pc_crowd_check_narrowest(builder, people);
  finish_building(builder, root);
  if (!pc_failed(root))
    pc_crowd_read_people(builder, people, (const int(*)[2])goals, pc_get(root, "step"));
  if (!pc_failed(root))
    pc_crowd_check_widths(builder, people);
  free(goals);
}

void pc_crowd_read_file(pc_scene *scene, pc_node root)
{
  pc_crowd_builder builder = {.scene = scene};
  read_file(&builder, root);
  scene->people.floor_names = pc_names_take(&builder.floors, &scene->people.floors);
  scene->people.group_names = pc_names_take(&builder.groups, &scene->people.groups);
  if (!pc_failed(root))
    name_bodies(&builder, root);
  pc_names_free(&builder.goals);
  pc_names_free(&builder.sources);
  free(builder.goal_node);
  free(builder.bounds);
}
