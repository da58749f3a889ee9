// What acts on the bodies of a `kind: rigid` file and what looks at them: loads, springs, strings,
// nets, sensors.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "percuss/world_heat.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

// --- loads --------------------------------------------------------------------------------------

void pc_rigid_read_forces(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'forces'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++) {
    pc_node node = pc_item(list, k);
    if (!pc_read_keys(&node, &pc_table_force))
      return;
    pc_node force = pc_get(node, "force"), torque = pc_get(node, "torque");
    pc_node signal_node = pc_get(node, "signal");
    if (!pc_is_present(force) && !pc_is_present(torque))
      pc_complain(node, "a force needs 'force', 'torque' or both");
    double load[6] = {0};
    pc_signal signal = {0};
    pc_rigid_read_vector(builder, force, load);
    pc_rigid_read_spin(builder, torque, load + 3);
    if (pc_is_present(signal_node))
      pc_rigid_read_signal(signal_node, &signal);
    pc_selection s = pc_rigid_read_selection(builder, pc_get(node, "bodies"), true);
    for (int i = 0; i < s.count && !pc_failed(node); i++)
      if (pc_world_add_load(builder->world, s.bodies[i], load,
                            pc_is_present(signal_node) ? &signal : NULL) != PC_OK)
        pc_complain(node, "%s", pc_world_error(builder->world));
    pc_selection_free(&s);
    pc_rigid_free_signal(&signal);
  }
}

// --- springs, strings and nets
// ---------------------------------------------------------------------------

// The world numbers springs, strings and nets in the order in which they are made; so does the
// scene.
static void add_element(pc_rigid_builder *builder, pc_node node, int number, const char *name,
                        pc_body body, pc_body other)
{
  pc_scene *scene = builder->scene;
  if (number < 0) {
    pc_complain(node, "%s", pc_world_error(builder->world));
    return;
  }
  if (!pc_grow(&scene->element, &builder->element_capacity, scene->elements + 1,
               sizeof *scene->element) ||
      (scene->element[scene->elements].name = strdup(name)) == NULL) {
    pc_complain(node, "out of memory");
    return;
  }
  scene->element[scene->elements].other = other;
  scene->element[scene->elements++].body = body;
}

// Springs are made at points in the axes of the bodies: the same line serves many bodies.
static void read_spring(pc_rigid_builder *builder, pc_node node, int k)
{
  if (!pc_read_keys(&node, &pc_table_spring))
    return;
  pc_node name_node = pc_get(node, "name"), points = pc_get(node, "points");
  char name[200], numbered[240];
  snprintf(name, sizeof name, "spring-%d", k + 1);
  if (pc_is_present(name_node))
    snprintf(name, sizeof name, "%s", pc_read_name(name_node));
  double normal[3] = {0};
  pc_rigid_read_axis(builder, pc_get(node, "normal"), normal);
  double stiffness = pc_read_number(pc_get(node, "stiffness"));
  int count = pc_is_present(points) ? pc_read_list(points, "'points'") : 1;
  if (count == 0)
    pc_complain(points, "the list of points is empty");
  pc_selection s = pc_rigid_read_selection(builder, pc_get(node, "bodies"), true);
  int made = 0;
  for (int i = 0; i < s.count; i++)
    for (int p = 0; p < count && !pc_failed(node); p++) {
      double local[3] = {0}, point[3];
      if (pc_is_present(points))
        pc_rigid_read_vector(builder, pc_item(points, p), local);
      pc_to_world(&builder->placed[s.bodies[i].id - 1].pose, local, point);
      snprintf(numbered, sizeof numbered, s.count * count > 1 ? "%s-%d" : "%s", name, ++made);
      if (!pc_failed(node))
        add_element(builder, node,
                    pc_world_add_spring(builder->world, s.bodies[i], point, normal, stiffness),
                    numbered, s.bodies[i], (pc_body){0});
    }
  pc_selection_free(&s);
}

void pc_rigid_read_springs(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'springs'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_spring(builder, pc_item(list, k), k);
}

// The points are those of the shapes as they stand at the start.
static void read_string(pc_rigid_builder *builder, pc_node node, int k)
{
  if (!pc_read_keys(&node, &pc_table_string))
    return;
  pc_node name_node = pc_get(node, "name"), names = pc_get(node, "bodies");
  pc_node points = pc_get(node, "points"), length_node = pc_get(node, "length");
  char name[200];
  snprintf(name, sizeof name, "string-%d", k + 1);
  if (pc_is_present(name_node))
    snprintf(name, sizeof name, "%s", pc_read_name(name_node));
  if (pc_read_list(names, "'bodies'") != 2)
    pc_complain(names, "a string joins two bodies");
  if (pc_is_present(points) && pc_read_list(points, "'points'") != 2)
    pc_complain(points, "a string has two points, one on each of its bodies");
  pc_body body[2] = {{0}};
  double point[2][3], apart = 0;
  for (int b = 0; b < 2 && !pc_failed(node); b++) {
    double local[3] = {0};
    int found = pc_names_find(&builder->bodies, pc_read_name(pc_item(names, b)));
    if (found < 0) {
      pc_complain(pc_item(names, b), "there is no body called '%s'",
                  pc_node_text(pc_item(names, b)).text);
      return;
    }
    body[b].id = found + 1;
    if (pc_is_present(points))
      pc_rigid_read_vector(builder, pc_item(points, b), local);
    pc_to_world(&builder->placed[found].pose, local, point[b]);
  }
  if (pc_failed(node))
    return;
  for (int i = 0; i < 3; i++)
    apart += (point[0][i] - point[1][i]) * (point[0][i] - point[1][i]);
  double length = pc_read_number_or(length_node, sqrt(apart));
  double stiffness = pc_read_number(pc_get(node, "stiffness"));
  double damping = pc_read_number_or(pc_get(node, "damping"), 0);
  bool held = pc_body_get_mass(builder->world, body[0]) == 0; // by an obstacle, at its first end
  if (!pc_failed(node))
    add_element(builder, node,
                pc_world_add_string(builder->world, body, (const double(*)[3])point, length,
                                    stiffness, damping),
                name, body[held], body[!held]);
}

void pc_rigid_read_strings(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'strings'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_string(builder, pc_item(list, k), k);
}

void pc_rigid_read_nets(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'nets'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++) {
    pc_node node = pc_item(list, k);
    if (!pc_read_keys(&node, &pc_table_net))
      return;
    pc_node name_node = pc_get(node, "name"), low_node = pc_get(node, "low");
    char name[200];
    snprintf(name, sizeof name, "net-%d", k + 1);
    if (pc_is_present(name_node))
      snprintf(name, sizeof name, "%s", pc_read_name(name_node));
    double low[3] = {0}, high[3] = {0};
    pc_rigid_read_vector(builder, low_node, low);
    pc_rigid_read_vector(builder, pc_get(node, "high"), high);
    for (int i = 0; i < builder->dimension; i++)
      if (!(high[i] > low[i]))
        pc_complain(low_node, "the box of the net ends before it starts");
    double stiffness = pc_read_number(pc_get(node, "stiffness"));
    pc_node moving = pc_get(node, "moves");
    bool moves = pc_is_present(moving) && pc_read_boolean(moving);
    pc_selection s = pc_rigid_read_selection(builder, pc_get(node, "bodies"), true);
    if (!pc_failed(node))
      add_element(builder, node,
                  pc_world_add_net(builder->world, low, high, stiffness, moves, s.count, s.bodies),
                  name, (pc_body){0}, (pc_body){0});
    pc_selection_free(&s);
  }
}

// --- sensors ------------------------------------------------------------------------------------

static void read_source(pc_node node, pc_sensor *sensor)
{
  if (!pc_is_present(node))
    return;
  if (sensor->kind != PC_SENSOR_FORCE)
    pc_complain(node, "'from' says what a force is summed from");
  int word = pc_read_word(node);
  sensor->source = word < 0 ? PC_FORCE_ALL : (pc_force_source)word;
}

// A signal of steps h has no frequency above 1 / (2 h).
static double read_cutoff(const pc_rigid_builder *builder, pc_node node)
{
  if (!pc_is_present(node))
    return 0;
  double cutoff = pc_read_number(node), highest = 0.5 / builder->scene->step;
  if (!pc_failed(node) && !(cutoff < highest))
    pc_complain(node,
                "a cut-off of %g Hz is not below %g Hz, half the frequency of the steps: it needs "
                "a step shorter than %.3g s",
                cutoff, highest, 0.5 / cutoff);
  return cutoff;
}

// Adds a copy of the sensor under this name.
static void keep_sensor(pc_rigid_builder *builder, pc_node node, const pc_sensor *sensor,
                        const char *name, const pc_selection *s)
{
  pc_scene *scene = builder->scene;
  pc_sensor copy = *sensor;
  copy.name = strdup(name);
  copy.count = s->count;
  copy.bodies = calloc((size_t)s->count + 1, sizeof *copy.bodies);
  if (copy.name == NULL || copy.bodies == NULL)
    pc_complain(node, "out of memory");
  if (pc_failed(node)) {
    free(copy.name);
    free(copy.bodies);
    return;
  }
  memcpy(copy.bodies, s->bodies, (size_t)s->count * sizeof *s->bodies);
  scene->sensor[scene->sensors++] = copy;
}

static void add_sensor_name(pc_node node, pc_names *names, const char *name)
{
  int added = pc_failed(node) ? 0 : pc_names_add(names, name);
  if (added < 0)
    pc_complain(node, added == -1 ? "two sensors are called '%.100s'" : "out of memory at '%.100s'",
                pc_text_path(name).text);
}

// Its columns in the tables, where a sensor of another name could have the same.
static void add_column_names(pc_node node, pc_names *names, const char *name, bool along)
{
  char column[220];
  for (int i = 0; i < 3 && !along; i++) {
    snprintf(column, sizeof column, "%.200s %c", name, "xyz"[i]);
    add_sensor_name(node, names, column);
  }
}

static void read_sensor(pc_rigid_builder *builder, pc_node node, pc_names *names)
{
  if (!pc_read_keys(&node, &pc_table_sensor))
    return;
  pc_node name_node = pc_get(node, "name"), axis = pc_get(node, "axis");
  const char *name = pc_read_label(name_node);
  pc_sensor sensor = {.along = pc_is_present(axis)};
  if (strpbrk(name, "/,\"") != NULL)
    pc_complain(name_node, "the name of a sensor has no '/', ',' or '\"'");
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    pc_complain(name_node, "a sensor cannot be called '%s'", name);
  add_sensor_name(name_node, names, name);
  int kind = pc_read_word(pc_get(node, "kind"));
  sensor.kind = kind < 0 ? PC_SENSOR_FORCE : (pc_sensor_kind)kind;
  if (sensor.kind == PC_SENSOR_TEMPERATURE) {
    if (pc_is_present(axis))
      pc_complain(axis, "a temperature has no 'axis'");
    if (pc_world_heat(builder->world) == NULL)
      pc_complain(pc_get(node, "kind"), "a sensor of temperature needs 'heat' in the scene");
    sensor.along = true;
    sensor.axis[0] = 1;
  }
  add_column_names(name_node, names, name, sensor.along);
  pc_rigid_read_axis(builder, axis, sensor.axis);
  read_source(pc_get(node, "from"), &sensor);
  double cutoff = read_cutoff(builder, pc_get(node, "cutoff"));
  pc_selection s = pc_rigid_read_selection(builder, pc_get(node, "bodies"), false);
  keep_sensor(builder, node, &sensor, name, &s);
  if (cutoff > 0) { // the signal as it is, and filtered
    char filtered[220];
    snprintf(filtered, sizeof filtered, "%.200s_filtered", name);
    sensor.cutoff = cutoff;
    add_sensor_name(name_node, names, filtered);
    add_column_names(name_node, names, filtered, sensor.along);
    keep_sensor(builder, node, &sensor, filtered, &s);
  }
  pc_selection_free(&s);
}

void pc_rigid_read_sensors(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'sensors'") : 0;
  if (count == 0)
    return;
  pc_names names = {0};
  builder->scene->sensor = calloc(2 * (size_t)count, sizeof *builder->scene->sensor);
  if (builder->scene->sensor == NULL)
    pc_complain(list, "out of memory");
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_sensor(builder, pc_item(list, k), &names);
  pc_names_free(&names);
}
