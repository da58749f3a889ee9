// Bodies and obstacles of a `kind: rigid` file, and the motions of obstacles.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/small.h"
#include "geometry/shape.h"
#include "scene/rigid_file.h"
#include "scene/tables.h"

// --- small things -------------------------------------------------------------------------------

void pc_rigid_read_vector(const pc_rigid_builder *builder, pc_node node, double *vector)
{
  if (pc_is_present(node))
    pc_read_vector(node, builder->dimension, builder->dimension, vector);
}

void pc_rigid_read_spin(const pc_rigid_builder *builder, pc_node node, double *spin)
{
  if (!pc_is_present(node))
    return;
  if (builder->dimension == 3)
    pc_read_vector(node, 3, 3, spin);
  else
    spin[2] = pc_read_number(node);
}

void pc_rigid_read_axis(const pc_rigid_builder *builder, pc_node node, double *axis)
{
  if (!pc_is_present(node))
    return;
  axis[0] = axis[1] = axis[2] = 0;
  pc_rigid_read_vector(builder, node, axis);
  double length = pc_norm(3, axis);
  if (!pc_failed(node) && !(length > 1e-150))
    pc_complain(node, "a direction of length zero");
  for (int i = 0; i < 3 && !pc_failed(node); i++)
    axis[i] /= length;
}

// Left out, it is the first of the file.
int pc_rigid_read_material(const pc_rigid_builder *builder, pc_node node)
{
  if (!pc_is_present(node))
    return builder->materials.count > 1 ? 1 : 0;
  int found = pc_names_find(&builder->materials, pc_read_name(node));
  if (found < 0)
    pc_complain(node, "there is no material called '%s'", pc_node_text(node).text);
  return found;
}

pc_pose pc_rigid_pose(const pc_body_def *def)
{
  return pc_pose_of(def->position, def->orientation);
}

bool pc_rigid_add_body(pc_rigid_builder *builder, pc_node node, const char *name,
                       const pc_body_def *def)
{
  if (pc_failed(node))
    return false;
  int count = builder->bodies.count;
  if (!pc_grow(&builder->placed, &builder->placed_capacity, count + 1, sizeof *builder->placed)) {
    pc_complain(node, "out of memory");
    return false;
  }
  builder->placed[count] = (pc_placed){.node = node}; // also if the world refuses the body
  int added = pc_names_add(&builder->bodies, name);
  char shown[60];
  pc_text_clean(shown, sizeof shown, name, strlen(name));
  if (added < 0) {
    pc_complain(node, added == -1 ? "two bodies are called '%s'" : "out of memory at '%s'", shown);
    return false;
  }
  if (pc_body_create(builder->world, def).id != count + 1) {
    pc_complain(node, "body '%s': %s", shown, pc_world_error(builder->world));
    return false;
  }
  pc_placed *placed = builder->placed + count;
  *placed = (pc_placed){.shape = pc_shape_retain(def->shape),
                        .pose = pc_rigid_pose(def),
                        .kind = def->kind,
                        .group = def->group,
                        .node = node};
  pc_shape_bounds(placed->shape, &placed->pose, placed->box);
  return true;
}

// The name that the file gives, or `word` with the number of the body.
static const char *read_body_name(const pc_rigid_builder *builder, pc_node node, const char *word,
                                  char *buffer, size_t size)
{
  pc_node name = pc_get(node, "name");
  if (pc_is_present(name)) {
    const char *text = pc_read_name(name);
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '*')
      pc_complain(name,
                  "a name cannot end with '*': lists of bodies use that for all that begin so");
    return text;
  }
  snprintf(buffer, size, "%s-%d", word, builder->bodies.count + 1);
  return buffer;
}

static void read_place(pc_rigid_builder *builder, pc_node node, pc_body_def *def)
{
  def->shape = pc_rigid_read_shape(builder, pc_get(node, "shape"), NULL);
  def->material = pc_rigid_read_material(builder, pc_get(node, "material"));
  pc_rigid_read_vector(builder, pc_get(node, "position"), def->position);
  pc_rigid_read_orientation(builder, pc_get(node, "orientation"), def->orientation);
  pc_node group = pc_get(node, "group");
  if (pc_is_present(group))
    def->group = (uint32_t)pc_read_integer(group);
}

// --- bodies -------------------------------------------------------------------------------------

// In space three principal moments along the axes of the shape; in the plane a number.
static void read_inertia(const pc_rigid_builder *builder, pc_node node, double *inertia)
{
  if (!pc_is_present(node))
    return;
  double moment[3] = {0};
  if (builder->dimension == 2) {
    inertia[8] = pc_read_number(node);
    return;
  }
  pc_read_vector(node, 3, 3, moment);
  for (int i = 0; i < 3 && !pc_failed(node); i++) {
    if (moment[i] > (moment[(i + 1) % 3] + moment[(i + 2) % 3]) * (1 + 1e-9))
      pc_complain(node,
                  "no rigid body has this inertia: one moment exceeds the sum of the other two");
    inertia[4 * i] = moment[i];
  }
}

static void read_body(pc_rigid_builder *builder, pc_node node)
{
  if (!pc_read_keys(&node, &pc_table_body))
    return;
  char buffer[40];
  const char *name = read_body_name(builder, node, "body", buffer, sizeof buffer);
  pc_body_def def = pc_body_def_default();
  read_place(builder, node, &def);
  pc_rigid_read_vector(builder, pc_get(node, "velocity"), def.velocity);
  pc_rigid_read_spin(builder, pc_get(node, "spin"), def.spin);
  pc_node mass = pc_get(node, "mass"), no_rotation = pc_get(node, "no_rotation");
  if (pc_is_present(mass))
    def.mass = pc_read_number(mass);
  read_inertia(builder, pc_get(node, "inertia"), def.inertia);
  def.no_rotation = pc_is_present(no_rotation) && pc_read_boolean(no_rotation);
  if (!pc_failed(node) && !pc_shape_has_volume(def.shape))
    pc_complain(pc_get(node, "shape"), "a %s has no volume: it can only be an obstacle",
                pc_shape_type_name(pc_shape_kind(def.shape)));
  pc_rigid_add_body(builder, node, name, &def);
  pc_shape_release(def.shape);
}

void pc_rigid_read_bodies(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'bodies'") : 0;
  for (int i = 0; i < count && !pc_failed(list); i++)
    read_body(builder, pc_item(list, i));
}

// --- motions ------------------------------------------------------------------------------------

static void read_sine(pc_node node, pc_signal *signal)
{
  if (!pc_read_keys(&node, &pc_table_sine))
    return;
  pc_node phase = pc_get(node, "phase");
  signal->kind = PC_SIGNAL_SINE;
  signal->amplitude = pc_read_number(pc_get(node, "amplitude"));
  signal->frequency = pc_read_number(pc_get(node, "frequency"));
  if (pc_is_present(phase))
    signal->phase = pc_read_number(phase);
}

static void read_table(pc_node node, pc_node of, pc_signal *signal)
{
  int count = pc_read_list(node, "'table'");
  if (!pc_failed(node) && count < 1)
    pc_complain(node, "a table needs at least one row [time, value]");
  double *numbers = calloc(2 * (size_t)count + 2, sizeof *numbers);
  if (numbers == NULL) {
    pc_complain(node, "out of memory");
    return;
  }
  double *times = numbers, *values = numbers + count, row[2];
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_read_vector(pc_item(node, i), 2, 2, row);
    times[i] = row[0];
    values[i] = row[1];
    if (i > 0 && !(times[i] > times[i - 1]))
      pc_complain(pc_item(node, i), "the times of a table increase: %g comes after %g", times[i],
                  times[i - 1]);
  }
  signal->kind = PC_SIGNAL_TABLE;
  signal->count = count;
  signal->times = times;
  signal->values = values;
  signal->of_speed = pc_is_present(of) && pc_read_word(of) == 1;
}

void pc_rigid_free_signal(pc_signal *signal)
{
  free((void *)signal->times); // one piece with the values
  *signal = (pc_signal){0};
}

static void read_signal_keys(pc_node node, pc_signal *signal)
{
  pc_node rate = pc_get(node, "rate"), sine = pc_get(node, "sine"), table = pc_get(node, "table");
  pc_node of = pc_get(node, "of");
  if (pc_is_present(rate) + pc_is_present(sine) + pc_is_present(table) != 1)
    pc_complain(node, "one of 'rate', 'sine' and 'table' is needed here");
  if (pc_is_present(of) && !pc_is_present(table))
    pc_complain(of, "'of' says what a table holds");
  if (pc_failed(node))
    return;
  if (pc_is_present(sine)) {
    read_sine(sine, signal);
  } else if (pc_is_present(table)) {
    read_table(table, of, signal);
  } else {
    signal->kind = PC_SIGNAL_RATE;
    signal->rate = pc_read_number(rate);
  }
}

void pc_rigid_read_signal(pc_node node, pc_signal *signal)
{
  *signal = (pc_signal){0};
  if (pc_read_keys(&node, &pc_table_signal))
    read_signal_keys(node, signal);
}

static void read_motion(pc_rigid_builder *builder, pc_node node, pc_motion *motion)
{
  if (!pc_read_keys(&node, &pc_table_motion))
    return;
  pc_node translation = pc_get(node, "translation"), rotation = pc_get(node, "rotation");
  if (!pc_is_present(translation) && !pc_is_present(rotation))
    pc_complain(node, "a motion has a 'translation', a 'rotation' or both");
  bool space = builder->dimension == 3;
  if (pc_is_present(translation) &&
      pc_read_keys(&translation, space ? &pc_table_translation : &pc_table_translation_plane))
    for (int i = 0; i < builder->dimension; i++) {
      pc_node along = pc_get(translation, (const char *[]){"x", "y", "z"}[i]);
      if (pc_is_present(along))
        pc_rigid_read_signal(along, motion->translation + i);
    }
  if (!pc_is_present(rotation))
    return;
  if (!pc_read_keys(&rotation, space ? &pc_table_rotation : &pc_table_rotation_plane))
    return;
  read_signal_keys(rotation, &motion->rotation);
  motion->axis[2] = 1;
  if (space)
    pc_rigid_read_axis(builder, pc_get(rotation, "axis"), motion->axis);
  pc_rigid_read_vector(builder, pc_get(rotation, "centre"), motion->centre);
}

static void free_motion(pc_motion *motion)
{
  for (int i = 0; i < 3; i++)
    pc_rigid_free_signal(motion->translation + i);
  pc_rigid_free_signal(&motion->rotation);
}

// --- obstacles ----------------------------------------------------------------------------------

static void read_guide(pc_rigid_builder *builder, pc_node node, pc_body_def *def)
{
  if (!pc_read_keys(&node, &pc_table_guided))
    return;
  pc_node load = pc_get(node, "load"), mass = pc_get(node, "mass");
  def->kind = PC_GUIDED;
  pc_rigid_read_axis(builder, pc_get(node, "axis"), def->guide);
  if (pc_is_present(load))
    def->load = pc_read_number(load);
  if (pc_is_present(mass))
    def->mass = pc_read_number(mass);
  else if (!pc_failed(node) && !pc_shape_has_volume(def->shape))
    pc_complain(node, "a guided %s has no volume and needs a 'mass'",
                pc_shape_type_name(pc_shape_kind(def->shape)));
  pc_node velocity = pc_get(node, "velocity"); // along the axis
  double speed = pc_is_present(velocity) ? pc_read_number(velocity) : 0;
  for (int i = 0; i < 3; i++)
    def->velocity[i] = speed * def->guide[i];
}

static void read_obstacle(pc_rigid_builder *builder, pc_node node)
{
  if (!pc_read_keys(&node, &pc_table_obstacle))
    return;
  char buffer[40];
  const char *name = read_body_name(builder, node, "obstacle", buffer, sizeof buffer);
  pc_body_def def = pc_body_def_default();
  def.kind = PC_FIXED;
  read_place(builder, node, &def);
  pc_node motion = pc_get(node, "motion"), guided = pc_get(node, "guided");
  if (pc_is_present(motion) && pc_is_present(guided))
    pc_complain(guided, "an obstacle is moved ('motion') or pushed ('guided'), not both");
  if (pc_is_present(motion)) {
    def.kind = PC_DRIVEN;
    read_motion(builder, motion, &def.motion);
  }
  if (pc_is_present(guided))
    read_guide(builder, guided, &def);
  pc_rigid_add_body(builder, node, name, &def);
  free_motion(&def.motion);
  pc_shape_release(def.shape);
}

void pc_rigid_read_obstacles(pc_rigid_builder *builder, pc_node list)
{
  int count = pc_is_present(list) ? pc_read_list(list, "'obstacles'") : 0;
  for (int i = 0; i < count && !pc_failed(list); i++)
    read_obstacle(builder, pc_item(list, i));
}
