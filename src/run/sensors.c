#include "run/sensors.h"

#include <math.h>

#include "core/error.h"
#include "percuss/world_heat.h"
#include "run/filter.h"

const char *pc_sensor_unit(const pc_sensor *sensor)
{
  static const char *const units[] = {"N", "m/s^2", "m", "m/s", "K"};
  return units[sensor->kind];
}

int pc_sensor_width(const pc_sensor *sensor)
{
  return sensor->along ? 1 : 3;
}

// Means over the bodies, weighted equally: a sensor is a set of instruments.
static void mean_state(const pc_sensors *sensors, int k, double *position, double *velocity)
{
  const pc_sensor *sensor = sensors->scene->sensor + k;
  for (int i = 0; i < 3; i++)
    position[i] = velocity[i] = 0;
  for (int b = 0; b < sensor->count; b++) {
    pc_body_state state;
    pc_body_get(sensors->scene->world, sensor->bodies[b], &state);
    for (int i = 0; i < 3; i++) {
      position[i] += state.position[i] / sensor->count;
      velocity[i] += state.velocity[i] / sensor->count;
    }
  }
}

static double mean_temperature(const pc_sensors *sensors, int k)
{
  const pc_sensor *sensor = sensors->scene->sensor + k;
  double sum = 0;
  for (int b = 0; b < sensor->count; b++)
    sum += pc_body_get_temperature(sensors->scene->world, sensor->bodies[b]) / sensor->count;
  return sum;
}

pc_status pc_sensors_create(pc_sensors *sensors, const pc_scene *scene, pc_error *error)
{
  size_t count = (size_t)scene->sensors + 1;
  *sensors = (pc_sensors){.scene = scene};
  sensors->member = pc_arena_take(&sensors->arena, count, sizeof *sensors->member);
  sensors->start = pc_arena_take(&sensors->arena, count, sizeof *sensors->start);
  sensors->before = pc_arena_take(&sensors->arena, count, sizeof *sensors->before);
  sensors->value = pc_arena_take(&sensors->arena, count, sizeof *sensors->value);
  sensors->memory = pc_arena_take(&sensors->arena, count, sizeof *sensors->memory);
  for (int k = 0; !sensors->arena.failed && k < scene->sensors; k++) {
    double velocity[3];
    mean_state(sensors, k, sensors->start[k], velocity);
    sensors->member[k] = pc_arena_take(&sensors->arena, (size_t)scene->bodies + 1, 1);
    for (int b = 0; sensors->member[k] != NULL && b < scene->sensor[k].count; b++)
      sensors->member[k][scene->sensor[k].bodies[b].id] = 1;
  }
  return sensors->arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
}

void pc_sensors_free(pc_sensors *sensors)
{
  pc_arena_free(&sensors->arena);
  *sensors = (pc_sensors){0};
}

void pc_sensors_before(pc_sensors *sensors)
{
  double position[3];
  for (int k = 0; k < sensors->scene->sensors; k++)
    if (sensors->scene->sensor[k].kind == PC_SENSOR_ACCELERATION)
      mean_state(sensors, k, position, sensors->before[k]);
}

static bool sums(const pc_sensor *sensor, pc_force_source source)
{
  return sensor->kind == PC_SENSOR_FORCE &&
         (sensor->source == PC_FORCE_ALL || sensor->source == source);
}

// Contacts between two of its bodies cancel.
static void sum_forces(pc_sensors *sensors, double h)
{
  const pc_scene *scene = sensors->scene;
  int contacts = pc_world_contacts(scene->world);
  for (int c = 0; c < contacts; c++) {
    pc_body bodies[2];
    double percussion[3];
    pc_world_contact_push(scene->world, c, bodies, percussion);
    for (int k = 0; k < scene->sensors; k++) {
      if (!sums(scene->sensor + k, PC_FORCE_CONTACTS))
        continue;
      int sign = sensors->member[k][bodies[0].id] - sensors->member[k][bodies[1].id];
      for (int i = 0; i < 3; i++)
        sensors->value[k][i] += sign * percussion[i] / h;
    }
  }
  for (int e = 0; e < scene->elements; e++) {
    double force[3], energy;
    pc_world_element_force(scene->world, e, force, &energy);
    for (int k = 0; k < scene->sensors; k++) {
      if (!sums(scene->sensor + k, PC_FORCE_SPRINGS))
        continue;
      // The null body is never a member.
      int sign = sensors->member[k][scene->element[e].body.id] -
                 sensors->member[k][scene->element[e].other.id];
      for (int i = 0; i < 3; i++)
        sensors->value[k][i] += sign * force[i];
    }
  }
}

static void remember(pc_sensor_memory *memory, const double value[3])
{
  for (int i = 0; i < 3; i++) {
    memory->low[i] = memory->steps == 0 ? value[i] : fmin(memory->low[i], value[i]);
    memory->high[i] = memory->steps == 0 ? value[i] : fmax(memory->high[i], value[i]);
    memory->sum[i] += value[i];
  }
  memory->steps++;
}

void pc_sensors_tell(const pc_sensors *sensors, pc_scene *scene)
{
  for (int k = 0; k < scene->sensors && sensors->memory != NULL; k++) {
    const pc_sensor_memory *memory = sensors->memory + k;
    pc_sensor *sensor = scene->sensor + k;
    for (int i = 0; i < 3; i++) {
      sensor->low[i] = memory->steps > 0 ? memory->low[i] : NAN;
      sensor->high[i] = memory->steps > 0 ? memory->high[i] : NAN;
      sensor->mean[i] = memory->steps > 0 ? memory->sum[i] / (double)memory->steps : NAN;
    }
  }
}

void pc_sensors_after(pc_sensors *sensors, double h)
{
  const pc_scene *scene = sensors->scene;
  bool forces = false;
  for (int k = 0; k < scene->sensors; k++) {
    double position[3], velocity[3], *value = sensors->value[k];
    pc_sensor_kind kind = scene->sensor[k].kind;
    forces = forces || kind == PC_SENSOR_FORCE;
    if (kind == PC_SENSOR_TEMPERATURE) {
      value[0] = mean_temperature(sensors, k);
      value[1] = value[2] = 0;
      continue;
    }
    if (kind != PC_SENSOR_FORCE)
      mean_state(sensors, k, position, velocity);
    for (int i = 0; i < 3; i++)
      value[i] = kind == PC_SENSOR_FORCE          ? 0
                 : kind == PC_SENSOR_ACCELERATION ? (velocity[i] - sensors->before[k][i]) / h
                 : kind == PC_SENSOR_VELOCITY     ? velocity[i]
                                                  : position[i] - sensors->start[k][i];
  }
  if (forces)
    sum_forces(sensors, h);
  for (int k = 0; k < scene->sensors; k++) {
    const double *axis = scene->sensor[k].axis;
    double *value = sensors->value[k];
    if (scene->sensor[k].along)
      value[0] = value[0] * axis[0] + value[1] * axis[1] + value[2] * axis[2];
    if (scene->sensor[k].cutoff > 0) {
      pc_butterworth filter = pc_butterworth_design(scene->sensor[k].cutoff, h);
      for (int i = 0; i < pc_sensor_width(scene->sensor + k); i++)
        value[i] = pc_butterworth_next(&filter, sensors->memory[k].filter + 2 * i, value[i]);
    }
    remember(sensors->memory + k, value);
  }
}
