// Where bodies of a `kind: rigid` file start and what is done to them later: tables of states, and
// events.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input_file.h"
#include "core/memory.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "percuss/world_heat.h"
#include "scene/paths.h"
#include "scene/rigid_file.h"

// In the order of the columns; tables of runs with heat have the last. The name of the body ends
// the line.
static const char *const columns[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                      "vx", "vy", "vz", "wx", "wy", "wz", "temperature"};
enum { NUMBERS = 13, WARM = 14 };

// How many numbers there are before the name; 0: the line is wrong.
static int read_heading(pc_input_file *source)
{
  int count = 0;
  bool right = pc_input_line(source);
  if (right)
    pc_input_separate(source, 0);
  const char *word = right ? pc_input_word(source) : NULL;
  for (; count < WARM && word != NULL && strcmp(word, columns[count]) == 0; count++)
    word = pc_input_word(source);
  right = right && count >= NUMBERS && word != NULL && strcmp(word, "name") == 0;
  if (right && pc_input_words(source) == 0)
    return count;
  pc_input_fail(source,
                "the first line must be the header x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name "
                "(optionally with temperature before name)");
  return 0;
}

// One body put to its place. The origin of its shape is what the table tells.
static bool read_row(pc_rigid_builder *builder, pc_input_file *source, int numbers,
                     unsigned char *seen)
{
  double value[WARM] = {0};
  int cells = pc_input_words(source);
  for (int c = 0; c < numbers; c++) {
    const char *word = pc_input_word(source);
    if (!pc_input_cell(source, false, value + c)) {
      pc_input_fail(source, "column '%s': expected a number, found '%.40s'", columns[c],
                    word != NULL ? word : "");
      return false;
    }
  }
  const char *name = pc_input_rest(source);
  int i = pc_names_find(&builder->bodies, name);
  if (i < 0 && cells > numbers + 1) { // more than a name with commas
    pc_input_fail_count(source, "cells", numbers + 1, cells);
    return false;
  }
  if (i < 0 || builder->placed.at[i].kind != PC_FREE || seen[i]) {
    pc_input_fail(source,
                  i < 0     ? "unknown body '%.60s'"
                  : seen[i] ? "'%.60s' is given twice"
                            : "'%.60s' is an obstacle: a start table can have bodies only",
                  name);
    return false;
  }
  seen[i] = 1;
  builder->placed.at[i].from_table = false;
  double turned = pc_norm(4, value + 3);
  if (!(fabs(turned - 1) < 1e-3)) {
    pc_input_fail(source, "a quaternion must have length 1 (got %g)", turned);
    return false;
  }
  if (builder->dimension == 2 && (value[2] != 0 || value[4] != 0 || value[5] != 0 ||
                                  value[9] != 0 || value[10] != 0 || value[11] != 0)) {
    pc_input_fail(source, "in the plane z, qx, qy, vz, wx and wy must be 0");
    return false;
  }
  if (numbers == WARM && !(value[WARM - 1] > 0)) {
    pc_input_fail(source, "the temperature must be positive (unit: K)");
    return false;
  }
  builder->placed.at[i].temperature = value[WARM - 1];
  pc_body_state state;
  memcpy(state.orientation, value + 3, sizeof state.orientation);
  memcpy(state.velocity, value + 7, sizeof state.velocity);
  memcpy(state.spin, value + 10, sizeof state.spin);
  memcpy(state.position, value, sizeof state.position);
  double arm[3];
  pc_body_get_arm(builder->world, (pc_body){i + 1}, state.orientation, arm);
  for (int k = 0; k < 3; k++)
    state.position[k] -= arm[k];
  pc_placed *placed = builder->placed.at + i;
  memcpy(placed->pose.position, value, sizeof placed->pose.position);
  pc_quaternion_matrix(state.orientation, placed->pose.rotation);
  pc_shape_bounds(placed->shape, &placed->pose, placed->box);
  if (pc_body_set(builder->world, (pc_body){i + 1}, &state) != PC_OK) {
    pc_input_fail(source, "%s", pc_world_error(builder->world));
    return false;
  }
  return true;
}

static void read_table(pc_rigid_builder *builder, pc_node node)
{
  char path[1024];
  pc_error reason = {.status = PC_OK};
  if (!pc_scene_find_file(node, path, sizeof path))
    return;
  unsigned char *seen = calloc((size_t)builder->bodies.count + 1, 1);
  pc_input_file source;
  int numbers = 0;
  if (seen == NULL)
    pc_fail(&reason, PC_ERROR_MEMORY, "out of memory");
  else if (pc_input_open(&source, path, &reason) == PC_OK) {
    numbers = read_heading(&source);
  }
  while (numbers > 0 && reason.status == PC_OK && pc_input_line(&source) &&
         read_row(builder, &source, numbers, seen))
    ;
  if (seen != NULL)
    pc_input_close(&source);
  free(seen);
  if (reason.status != PC_OK)
    pc_complain(node, "%s", reason.text);
}

void pc_rigid_read_start(pc_rigid_builder *builder, pc_node node)
{
  int count = !pc_is_present(node) ? 0 : pc_is_sequence(node) ? pc_read_list(node, "'start'") : 1;
  for (int i = 0; i < count && !pc_failed(node); i++)
    read_table(builder, pc_is_sequence(node) ? pc_item(node, i) : node);
  for (int i = 0; i < builder->bodies.count; i++)
    if (builder->placed.at[i].from_table)
      pc_complain(builder->placed.at[i].node, "no table of 'start' has a row for '%.60s'",
                  builder->bodies.names[i]);
}

typedef struct event_file {
  pc_node bodies, orientation;
  pc_scene_event event;
} event_file;
static const pc_key event_keys[] = {
    {"time", PC_INTO(event_file, event.time), PC_A_NUMBER, true, .unit = "s", PC_POSITIVE,
     .meaning = "time; the event takes place before the step that starts at this time"},
    {"position", PC_INTO(event_file, event.state.position), PC_NUMBERS, .unit = "m",
     .left_out = "unchanged",
     .meaning = "new position of the shape's origin; only for a single body"},
    {PC_KEY(event_file, orientation), PC_NUMBERS | PC_A_MAPPING, .count = {4, 4},
     .variants = pc_table_orientations, .left_out = "unchanged", .meaning = "new orientation"},
    {"velocity", PC_INTO(event_file, event.state.velocity), PC_NUMBERS, .unit = "m/s",
     .left_out = "unchanged", .meaning = "new velocity"},
    {"spin", PC_INTO(event_file, event.state.spin), PC_A_SPIN, .unit = "rad/s",
     .left_out = "unchanged", .meaning = "new spin"},
    {"temperature", PC_INTO(event_file, event.temperature), PC_A_NUMBER, .unit = "K", PC_POSITIVE,
     .left_out = "unchanged", .meaning = "new temperature, with `heat`"},
    {0}};
const pc_mapping pc_table_event = {
    "event", "an event",
    "A change of bodies during the run. Events must be listed in order of time.",
    .keys = {pc_chosen_keys, event_keys}};

// The same limit as for bodies at the start.
static void check_size(pc_node node, const double *vector)
{
  if (!pc_failed(node) && !(pc_norm(3, vector) < 1e100))
    pc_complain(node, "position, spin and velocity must be below 1e100");
}

static void read_event(pc_rigid_builder *builder, pc_node node, pc_scene_event *to)
{
  event_file file = {.event = {.state = {.orientation = {1}}}};
  pc_scene_event *event = &file.event;
  if (!pc_bind(&node, &pc_table_event, &file))
    return;
  pc_node position = PC_NODE(node, event_file, event.state.position);
  pc_node velocity = PC_NODE(node, event_file, event.state.velocity);
  pc_node spin = PC_NODE(node, event_file, event.state.spin);
  event->placed = pc_is_present(position);
  event->turned = pc_is_present(file.orientation);
  event->thrown = pc_is_present(velocity);
  event->spun = pc_is_present(spin);
  pc_rigid_read_orientation(builder->dimension, file.orientation, event->state.orientation);
  check_size(position, event->state.position);
  check_size(velocity, event->state.velocity);
  check_size(spin, event->state.spin);
  if (event->temperature > 0 && pc_world_heat(builder->world) == NULL)
    pc_complain(PC_NODE(node, event_file, event.temperature),
                "'temperature' requires 'heat' in the scene");
  if (!event->placed && !event->turned && !event->thrown && !event->spun &&
      !(event->temperature > 0))
    pc_complain(node,
                "an event needs 'position', 'orientation', 'velocity', 'spin' or 'temperature'");
  pc_chosen chosen = pc_rigid_choose(builder, file.bodies, true);
  if (!pc_failed(node) && event->placed && chosen.count > 1)
    pc_complain(position, "'position' is for a single body, but the event has %d bodies",
                chosen.count);
  event->count = chosen.count;
  event->bodies = chosen.bodies;
  free(chosen.chosen);
  *to = *event;
}

void pc_rigid_read_events(pc_rigid_builder *builder, pc_node list)
{
  pc_scene *scene = builder->scene;
  pc_entries e = pc_entries_of(list);
  scene->event = pc_allocate(builder->root, e.count, sizeof *scene->event);
  while (pc_next(&e))
    read_event(builder, e.node, scene->event + scene->events++);
  for (int i = 1; i < scene->events && !pc_failed(list); i++)
    if (scene->event[i].time < scene->event[i - 1].time)
      pc_complain(pc_item(list, i), "events must be listed in order of time");
}
