// What acts on the bodies of a `kind: rigid` file and what looks at them: loads, springs, nets,
// sensors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "scene/rigid_file.h"

// --- choosing bodies ----------------------------------------------------------------------------

typedef struct selection {
  unsigned char *chosen; // by body
  int count;
  pc_body *bodies;
} selection;

// One entry: a body, a generator, `prefix*`, or {material: name}. `pushable` leaves out what does
// not move freely, and refuses it when it is called by its name.
static void choose(const pc_rigid_builder *builder, pc_node node, bool pushable, selection *s)
{
  int material = -1, found = -1;
  pc_generated made = {0, 0};
  const char *name = "";
  size_t length = 0;
  bool prefix = false;
  if (pc_is_mapping(node)) {
    if (!pc_read_keys(node, "a choice of bodies", "material!"))
      return;
    material = pc_rigid_read_material(builder, pc_get(node, "material"));
  } else {
    name = pc_read_name(node);
    length = strlen(name);
    prefix = length > 0 && name[length - 1] == '*';
    found = prefix ? -1 : pc_names_find(&builder->bodies, name);
    int generator = prefix || found >= 0 ? -1 : pc_names_find(&builder->generators, name);
    if (generator >= 0)
      made = builder->generated[generator];
  }
  if (pc_failed(node))
    return;
  int chosen = 0;
  for (int i = 0; i < builder->bodies.count; i++) {
    bool wanted =
        i == found || (i >= made.first && i < made.first + made.count) ||
        (prefix && strncmp(builder->bodies.names[i], name, length - 1) == 0) ||
        (material >= 0 && pc_body_get_material(builder->world, (pc_body){i + 1}) == material);
    if (wanted && pushable && builder->placed[i].kind != PC_FREE) {
      if (i == found)
        pc_complain(node, "'%s' is an obstacle: forces, springs and nets act on bodies",
                    pc_node_text(node).text);
      continue;
    }
    s->chosen[i] |= wanted;
    chosen += wanted;
  }
  if (chosen == 0 && pc_is_mapping(node))
    pc_complain(node, "no body is of this material");
  else if (chosen == 0)
    pc_complain(node, "no body%s is called '%s'", prefix ? "" : " or generator",
                pc_node_text(node).text);
}

// A list of choices, or one. Bodies come by their numbers, each once.
static selection read_selection(const pc_rigid_builder *builder, pc_node node, bool pushable)
{
  selection s = {0};
  int bodies = builder->bodies.count;
  s.chosen = calloc((size_t)bodies + 1, 1);
  s.bodies = calloc((size_t)bodies + 1, sizeof *s.bodies);
  if (s.chosen == NULL || s.bodies == NULL) {
    pc_complain(node, "out of memory");
    return s;
  }
  if (!pc_is_sequence(node))
    choose(builder, node, pushable, &s);
  int entries = pc_is_sequence(node) ? pc_read_list(node, "'bodies'") : 0;
  if (pc_is_sequence(node) && entries == 0)
    pc_complain(node, "the list of bodies is empty");
  for (int i = 0; i < entries && !pc_failed(node); i++)
    choose(builder, pc_item(node, i), pushable, &s);
  for (int i = 0; i < bodies; i++)
    if (s.chosen[i])
      s.bodies[s.count++].id = i + 1;
  return s;
}

static void free_selection(selection *s)
{
  free(s->chosen);
  free(s->bodies);
}

// --- loads --------------------------------------------------------------------------------------

void pc_rigid_read_forces(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'forces'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++) {
    pc_node node = pc_item(list, k);
    if (!pc_read_keys(node, "a force", "bodies! force torque signal"))
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
    selection s = read_selection(builder, pc_get(node, "bodies"), true);
    for (int i = 0; i < s.count && !pc_failed(node); i++)
      if (pc_world_add_load(builder->world, s.bodies[i], load,
                            pc_is_present(signal_node) ? &signal : NULL) != PC_OK)
        pc_complain(node, "%s", pc_world_error(builder->world));
    free_selection(&s);
    pc_rigid_free_signal(&signal);
  }
}

// --- springs and nets ---------------------------------------------------------------------------

// The world numbers springs and nets in the order in which they are made; so does the scene.
static void add_element(pc_rigid_builder *builder, pc_node node, int number, const char *name,
                        pc_body body)
{
  pc_scene_rigid *scene = builder->scene;
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
  scene->element[scene->elements++].body = body;
}

// Springs are made at points in the axes of the bodies: the same line serves many bodies.
static void read_spring(pc_rigid_builder *builder, pc_node node, int k)
{
  if (!pc_read_keys(node, "a spring", "name bodies! points normal! stiffness!"))
    return;
  pc_node name_node = pc_get(node, "name"), points = pc_get(node, "points");
  char name[200], numbered[240];
  snprintf(name, sizeof name, "spring-%d", k + 1);
  if (pc_is_present(name_node))
    snprintf(name, sizeof name, "%s", pc_read_name(name_node));
  double normal[3] = {0};
  pc_rigid_read_axis(builder, pc_get(node, "normal"), normal);
  double stiffness = pc_read_number(pc_get(node, "stiffness"), pc_above(0));
  int count = pc_is_present(points) ? pc_read_list(points, "'points'") : 1;
  if (count == 0)
    pc_complain(points, "the list of points is empty");
  selection s = read_selection(builder, pc_get(node, "bodies"), true);
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
                    numbered, s.bodies[i]);
    }
  free_selection(&s);
}

void pc_rigid_read_springs(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'springs'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_spring(builder, pc_item(list, k), k);
}

void pc_rigid_read_nets(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'nets'") : 0;
  for (int k = 0; k < count && !pc_failed(list); k++) {
    pc_node node = pc_item(list, k);
    if (!pc_read_keys(node, "a net", "name low! high! stiffness! bodies!"))
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
    double stiffness = pc_read_number(pc_get(node, "stiffness"), pc_above(0));
    selection s = read_selection(builder, pc_get(node, "bodies"), true);
    if (!pc_failed(node))
      add_element(builder, node,
                  pc_world_add_net(builder->world, low, high, stiffness, s.count, s.bodies), name,
                  (pc_body){0});
    free_selection(&s);
  }
}

// --- sensors ------------------------------------------------------------------------------------

static void read_sensor(pc_rigid_builder *builder, pc_node node, pc_names *names)
{
  if (!pc_read_keys(node, "a sensor", "name! kind! bodies! axis"))
    return;
  pc_scene_rigid *scene = builder->scene;
  pc_node name_node = pc_get(node, "name"), axis = pc_get(node, "axis");
  const char *name = pc_read_name(name_node);
  pc_sensor sensor = {.along = pc_is_present(axis)};
  if (strpbrk(name, "/,\"") != NULL)
    pc_complain(name_node, "the name of a sensor has no '/', ',' or '\"'");
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    pc_complain(name_node, "a sensor cannot be called '%s'", name);
  int added = pc_failed(node) ? 0 : pc_names_add(names, name);
  if (added < 0)
    pc_complain(name_node, added == -1 ? "two sensors are called '%s'" : "out of memory at '%s'",
                pc_node_text(name_node).text);
  int kind = pc_read_word(pc_get(node, "kind"), "kind of sensor",
                          "force acceleration displacement velocity");
  sensor.kind = kind < 0 ? PC_SENSOR_FORCE : (pc_sensor_kind)kind;
  pc_rigid_read_axis(builder, axis, sensor.axis);
  selection s = read_selection(builder, pc_get(node, "bodies"), false);
  sensor.name = strdup(name);
  sensor.count = s.count;
  sensor.bodies = calloc((size_t)s.count + 1, sizeof *sensor.bodies);
  if (sensor.name == NULL || sensor.bodies == NULL)
    pc_complain(node, "out of memory");
  if (pc_failed(node)) {
    free(sensor.name);
    free(sensor.bodies);
  } else {
    memcpy(sensor.bodies, s.bodies, (size_t)s.count * sizeof *s.bodies);
    scene->sensor[scene->sensors++] = sensor;
  }
  free_selection(&s);
}

void pc_rigid_read_sensors(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'sensors'") : 0;
  if (count == 0)
    return;
  pc_names names = {0};
  builder->scene->sensor = calloc((size_t)count, sizeof *builder->scene->sensor);
  if (builder->scene->sensor == NULL)
    pc_complain(list, "out of memory");
  for (int k = 0; k < count && !pc_failed(list); k++)
    read_sensor(builder, pc_item(list, k), &names);
  pc_names_free(&names);
}
