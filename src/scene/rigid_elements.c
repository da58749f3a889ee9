// What acts on the bodies of a `kind: rigid` file: loads, springs, strings and nets.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "percuss/world_heat.h"
#include "scene/rigid_file.h"

typedef struct force_file {
  pc_node bodies, signal;
  double force[3], torque[3];
} force_file;
static const pc_key force_keys[] = {{PC_KEY(force_file, force), PC_NUMBERS, .unit = "N",
                                     .left_out = "0", .meaning = "force at the centre of mass"},
                                    {PC_KEY(force_file, torque), PC_A_SPIN, .unit = "N m",
                                     .left_out = "0", .meaning = "torque about the centre of mass"},
                                    {PC_KEY(force_file, signal), PC_A_MAPPING,
                                     .mapping = &pc_table_signal, .left_out = "1",
                                     .meaning = "time-dependent factor"},
                                    {0}};
const pc_mapping pc_table_force = {"force", "a force",
                                   "A load on each of the bodies, with `force`, `torque` or both.",
                                   .keys = {pc_chosen_keys, force_keys}};

void pc_rigid_read_force(pc_rigid_builder *builder, pc_node node, int number)
{
  force_file file = {0};
  if (!pc_bind(&node, &pc_table_force, &file))
    return;
  if (!PC_GIVEN(node, force_file, force) && !PC_GIVEN(node, force_file, torque))
    pc_complain(node, "a force needs 'force', 'torque' or both");
  double load[6];
  memcpy(load, file.force, sizeof file.force);
  memcpy(load + 3, file.torque, sizeof file.torque);
  pc_signal signal = {0};
  bool varies = pc_is_present(file.signal);
  if (varies)
    pc_rigid_read_signal(file.signal, &signal);
  pc_chosen s = pc_rigid_choose(builder, file.bodies, true);
  for (int i = 0; i < s.count && !pc_failed(node); i++)
    if (pc_world_add_load(builder->world, s.bodies[i], load, varies ? &signal : NULL) != PC_OK)
      pc_complain(node, "%s", pc_world_error(builder->world));
  pc_chosen_free(&s);
  pc_rigid_free_signal(&signal);
}

// The world numbers springs, strings and nets in the order in which they are made; so does the
// scene.
static pc_scene_element *add_element(pc_rigid_builder *builder, pc_node node, int number,
                                     const char *name, pc_scene_element_kind kind, pc_body body,
                                     pc_body other)
{
  pc_scene *scene = builder->scene;
  if (number < 0) {
    pc_complain(node, "%s", pc_world_error(builder->world));
    return NULL;
  }
  pc_scene_element *element = pc_array_add_element(&scene->element, &scene->elements,
                                                   &builder->element_capacity, sizeof *element);
  if (element != NULL)
    *element = (pc_scene_element){.name = strdup(name), .kind = kind, .body = body, .other = other};
  if (element == NULL || element->name == NULL)
    pc_complain(node, "out of memory");
  return element;
}

// The name that the file gives, or the word with a number, from 1.
static void name_element(const char *given, const char *word, int number, char name[200])
{
  if (given != NULL)
    snprintf(name, 200, "%s", given);
  else
    snprintf(name, 200, "%s-%d", word, number + 1);
}

typedef struct spring_file {
  pc_node bodies, points;
  const char *name;
  double normal[3], stiffness;
} spring_file;
static const pc_key spring_keys[] = {
    {PC_KEY(spring_file, name), PC_A_NAME, .left_out = "`spring-N`", .meaning = "name"},
    {PC_KEY(spring_file, points), PC_POINTS, .unit = "m", .otherwise = "[[0, 0, 0]]",
     .meaning = "attachment points, in the axes of the shape; one spring at each point"},
    {PC_KEY(spring_file, normal), PC_NUMBERS, true, .meaning = "direction of the force"},
    {PC_KEY(spring_file, stiffness), PC_A_NUMBER, true, .unit = "N/m", PC_POSITIVE,
     .meaning = "stiffness"},
    {0}};
const pc_mapping pc_table_spring = {
    "spring", "a spring",
    "A spring that can push but not pull. Its force is proportional to the displacement of its "
    "point against the normal.",
    .keys = {spring_keys, pc_chosen_keys}};

// Springs are made at points in the axes of the bodies: the same line serves many bodies.
void pc_rigid_read_spring(pc_rigid_builder *builder, pc_node node, int number)
{
  spring_file file = {.name = NULL};
  if (!pc_bind(&node, &pc_table_spring, &file))
    return;
  char name[200], numbered[240];
  name_element(file.name, "spring", number, name);
  pc_rigid_make_unit(PC_NODE(node, spring_file, normal), file.normal);
  int count = pc_is_present(file.points) ? pc_read_list(file.points, "'points'") : 1;
  if (count == 0)
    pc_complain(file.points, "the list of points is empty");
  pc_chosen s = pc_rigid_choose(builder, file.bodies, true);
  int made = 0;
  for (int i = 0; i < s.count; i++)
    for (int p = 0; p < count && !pc_failed(node); p++) {
      double local[3] = {0}, point[3];
      if (pc_is_present(file.points))
        pc_rigid_read_vector(builder, pc_item(file.points, p), local);
      pc_to_world(&builder->placed.at[s.bodies[i].id - 1].pose, local, point);
      snprintf(numbered, sizeof numbered, s.count > 1 || count > 1 ? "%s-%d" : "%s", name, ++made);
      if (pc_failed(node))
        continue;
      int spring =
          pc_world_add_spring(builder->world, s.bodies[i], point, file.normal, file.stiffness);
      pc_scene_element *element =
          add_element(builder, node, spring, numbered, PC_SCENE_SPRING, s.bodies[i], (pc_body){0});
      if (element != NULL) {
        memcpy(element->points[0], local, sizeof local);
        memcpy(element->points[1], file.normal, sizeof file.normal);
      }
    }
  pc_chosen_free(&s);
}

typedef struct string_file {
  pc_node bodies, points;
  const char *name;
  double length, stiffness, damping, exchange;
} string_file;
static const pc_key string_keys[] = {
    {PC_KEY(string_file, name), PC_A_NAME, .left_out = "`string-N`", .meaning = "name"},
    {PC_KEY(string_file, bodies), PC_NAMES, true, .count = {2, 2},
     .meaning = "the two ends: two bodies, or a body and an obstacle at rest"},
    {PC_KEY(string_file, points), PC_POINTS, .unit = "m", .otherwise = "[[0, 0, 0], [0, 0, 0]]",
     .meaning = "attachment points on the first and the second, in the axes of their shapes"},
    {PC_KEY(string_file, length), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE,
     .left_out = "initial distance of the points",
     .meaning = "length below which the string is slack"},
    {PC_KEY(string_file, stiffness), PC_A_NUMBER, true, .unit = "N/m", PC_POSITIVE,
     .meaning = "force per elongation"},
    {PC_KEY(string_file, damping), PC_A_NUMBER, .unit = "N s/m", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "force per elongation rate while the string is taut"},
    {PC_KEY(string_file, exchange), PC_A_NUMBER, .unit = "W/K²", PC_NOT_NEGATIVE, .otherwise = "0",
     .meaning = "heat conduction coefficient λ, with `heat`: the string, taut or slack, conducts λ "
                "T₁ T₂ / (T₁ + T₂) per kelvin of temperature difference between its bodies"},
    {0}};
const pc_mapping pc_table_string = {
    "string", "a string",
    "An elastic string that pulls two bodies together when they are farther apart than its length.",
    .keys = {string_keys}};

// The points are those of the shapes as they stand at the start.
void pc_rigid_read_string(pc_rigid_builder *builder, pc_node node, int number)
{
  string_file file = {.length = -1};
  if (!pc_bind(&node, &pc_table_string, &file))
    return;
  char name[200];
  name_element(file.name, "string", number, name);
  if (pc_read_list(file.bodies, "'bodies'") != 2)
    pc_complain(file.bodies, "a string must join two different bodies");
  if (pc_is_present(file.points) && pc_read_list(file.points, "'points'") != 2)
    pc_complain(file.points, "a string needs two points, one on each body");
  pc_body body[2] = {{0}};
  double point[2][3], local[2][3] = {{0}}, apart = 0;
  for (int b = 0; b < 2 && !pc_failed(node); b++) {
    pc_node one = pc_item(file.bodies, b);
    int found = pc_names_find(&builder->bodies, pc_read_name(one));
    if (found < 0) {
      pc_complain(one, "unknown body '%s'", pc_node_text(one).text);
      return;
    }
    body[b].id = found + 1;
    if (pc_is_present(file.points))
      pc_rigid_read_vector(builder, pc_item(file.points, b), local[b]);
    pc_to_world(&builder->placed.at[found].pose, local[b], point[b]);
  }
  if (pc_failed(node))
    return;
  for (int i = 0; i < 3; i++)
    apart += (point[0][i] - point[1][i]) * (point[0][i] - point[1][i]);
  double length = file.length >= 0 ? file.length : sqrt(apart);
  bool held = pc_body_get_mass(builder->world, body[0]) == 0; // by an obstacle, at its first end
  int string = pc_world_add_string(builder->world, body, (const double(*)[3])point, length,
                                   file.stiffness, file.damping);
  pc_scene_element *element =
      add_element(builder, node, string, name, PC_SCENE_STRING, body[held], body[!held]);
  for (int b = 0; b < 2 && element != NULL; b++)
    memcpy(element->points[b], local[b != held], sizeof local[b]);
  if (element == NULL || file.exchange == 0)
    return;
  pc_node exchange = PC_NODE(node, string_file, exchange);
  if (pc_world_heat(builder->world) == NULL)
    pc_complain(exchange, "'exchange' requires 'heat' in the scene");
  else if (pc_world_set_string_exchange(builder->world, string, file.exchange) != PC_OK)
    pc_complain(exchange, "%s", pc_world_error(builder->world));
}

typedef struct net_file {
  pc_node bodies;
  const char *name;
  double low[3], high[3], stiffness;
  bool moves;
} net_file;
static const pc_key net_keys[] = {
    {PC_KEY(net_file, name), PC_A_NAME, .left_out = "`net-N`", .meaning = "name"},
    {PC_KEY(net_file, low), PC_NUMBERS, true, .unit = "m", .meaning = "low corner of the box"},
    {PC_KEY(net_file, high), PC_NUMBERS, true, .unit = "m", .meaning = "high corner of the box"},
    {PC_KEY(net_file, stiffness), PC_A_NUMBER, true, .unit = "N/m³", PC_POSITIVE,
     .meaning = "force per volume of the body beyond a face"},
    {PC_KEY(net_file, moves), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: the box moves with the centre of mass of its bodies"},
    {0}};
const pc_mapping pc_table_net = {
    "net", "a net", "An elastic box that pushes back the parts of bodies beyond its faces.",
    .keys = {net_keys, pc_chosen_keys}};

void pc_rigid_read_net(pc_rigid_builder *builder, pc_node node, int number)
{
  net_file file = {.name = NULL};
  if (!pc_bind(&node, &pc_table_net, &file))
    return;
  char name[200];
  name_element(file.name, "net", number, name);
  for (int i = 0; i < builder->dimension; i++)
    if (!(file.high[i] > file.low[i]))
      pc_complain(PC_NODE(node, net_file, low),
                  "the low corner of the net must be below its high corner");
  pc_chosen s = pc_rigid_choose(builder, file.bodies, true);
  pc_scene_element *element = NULL;
  if (!pc_failed(node)) {
    int net = pc_world_add_net(builder->world, file.low, file.high, file.stiffness, file.moves,
                               s.count, s.bodies);
    element = add_element(builder, node, net, name, file.moves ? PC_SCENE_MOVING_NET : PC_SCENE_NET,
                          (pc_body){0}, (pc_body){0});
  }
  if (element != NULL) {
    memcpy(element->points[0], file.low, sizeof file.low);
    memcpy(element->points[1], file.high, sizeof file.high);
    element->held_count = s.count;
    element->held = s.bodies; // the element has them now
    s.bodies = NULL;
  }
  pc_chosen_free(&s);
}
