#include "run/sensors.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/saved.h"
#include "core/small.h"
#include "percuss/world_heat.h"
#include "run/filter.h"

const char *pc_sensor_unit(const pc_sensor *sensor)
{
  static const char *const units[] = {"N", "m/s^2", "m", "m/s", "K", "N s", "J", NULL};
  return units[sensor->kind];
}

bool pc_sensor_is_total(const pc_sensor *sensor)
{
  return sensor->kind == PC_SENSOR_IMPULSE || sensor->kind == PC_SENSOR_DISSIPATED ||
         sensor->kind == PC_SENSOR_HITS;
}

bool pc_sensor_has_peaks(const pc_sensor *sensor)
{
  return !sensor->is_mean &&
         (sensor->kind == PC_SENSOR_FORCE || sensor->kind == PC_SENSOR_ACCELERATION ||
          sensor->kind == PC_SENSOR_HITS);
}

// The time over which the value or the force of a sensor is averaged; 0: it is not.
static double window_of(const pc_sensor *sensor)
{
  const double end = 1; // s, of what presses at the end
  return sensor->is_mean || pc_sensor_has_peaks(sensor) ? sensor->window
         : sensor->kind == PC_SENSOR_IMPULSE            ? end
                                                        : 0;
}

int pc_sensor_width(const pc_sensor *sensor)
{
  return sensor->along ? 1 : 3;
}

// The sides of a sensor a body is on: its `bodies`, and its `by`, which is everything if it is left
// out. The null body, to which springs are fixed, is number 0.
enum pc_sensor_side { OF_BODIES = 1, OF_BY = 2 };

// Whether the first body is one of the sensor and the other one of those it is pushed by, and the
// other way round.
typedef struct facing {
  bool first, second;
} facing;

static facing face(const pc_sensors *sensors, int k, const pc_body bodies[2])
{
  int one = sensors->member[k][bodies[0].id], two = sensors->member[k][bodies[1].id];
  return (facing){(one & OF_BODIES) && (two & OF_BY), (two & OF_BODIES) && (one & OF_BY)};
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

static void mark_sides(pc_sensors *sensors, int k)
{
  const pc_sensor *sensor = sensors->scene->sensor + k;
  size_t bodies = (size_t)sensors->scene->bodies + 1;
  unsigned char *member = sensors->member[k] = pc_arena_take(&sensors->arena, bodies, 1);
  if (member == NULL)
    return;
  if (sensor->by_count == 0)
    memset(member, OF_BY, bodies);
  for (int b = 0; b < sensor->by_count; b++)
    member[sensor->by[b].id] = OF_BY;
  for (int b = 0; b < sensor->count; b++)
    member[sensor->bodies[b].id] |= OF_BODIES;
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
  sensors->total = pc_arena_take(&sensors->arena, count, sizeof *sensors->total);
  sensors->push = pc_arena_take(&sensors->arena, count, sizeof *sensors->push);
  sensors->kinetic =
      pc_arena_take(&sensors->arena, (size_t)scene->bodies + 1, sizeof *sensors->kinetic);
  sensors->peak = pc_arena_take(&sensors->arena, count, sizeof *sensors->peak);
  double *windows = pc_arena_take(&sensors->arena, count, sizeof *windows);
  int peaks = 0;
  for (int k = 0; !sensors->arena.failed && k < scene->sensors; k++) {
    double window = window_of(scene->sensor + k);
    sensors->peak[k] = window > 0 ? peaks : -1;
    windows[peaks] = window;
    peaks += window > 0;
  }
  if (!sensors->arena.failed)
    pc_peaks_begin(&sensors->peaks, &sensors->arena, peaks, windows, scene->step);
  pc_tallies_begin(&sensors->tallies, &sensors->arena, scene);
  for (int k = 0; !sensors->arena.failed && k < scene->sensors; k++) {
    double velocity[3];
    mean_state(sensors, k, sensors->start[k], velocity);
    mark_sides(sensors, k);
  }
  return sensors->arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
}

void pc_sensors_free(pc_sensors *sensors)
{
  pc_hits_free(&sensors->hits);
  pc_hits_free(&sensors->loads);
  pc_arena_free(&sensors->arena);
  *sensors = (pc_sensors){0};
}

void pc_sensors_before(pc_sensors *sensors)
{
  const pc_world *world = sensors->scene->world;
  double position[3];
  sensors->begun = pc_world_time(world);
  for (int id = 1; sensors->tallies.count > 0 && id <= sensors->scene->bodies; id++)
    sensors->kinetic[id] = pc_body_get_kinetic(world, (pc_body){id});
  for (int k = 0; k < sensors->scene->sensors; k++)
    if (sensors->scene->sensor[k].kind == PC_SENSOR_ACCELERATION)
      mean_state(sensors, k, position, sensors->before[k]);
}

// Adds a force, or the impulse of a step, to what a sensor says of the step or since the start.
// Between two of its bodies it cancels.
static void add_push(pc_sensors *sensors, int k, facing sides, const double force[3],
                     const double impulse[3])
{
  int sign = sides.first - sides.second;
  bool total = sensors->scene->sensor[k].kind == PC_SENSOR_IMPULSE;
  double *sum = total ? sensors->total[k] : sensors->value[k];
  for (int i = 0; i < 3; i++) {
    sum[i] += sign * (total ? impulse[i] : force[i]);
    sensors->push[k][i] += sign * force[i];
  }
}

static bool sums(const pc_sensor *sensor, pc_force_source source)
{
  return (sensor->kind == PC_SENSOR_FORCE || sensor->kind == PC_SENSOR_IMPULSE) &&
         (sensor->source == PC_FORCE_ALL || sensor->source == source);
}

// Hits of two bodies that are on both sides are counted once, on the body that was made first.
static bool add_hit(pc_sensors *sensors, pc_hits *hits, int k, facing sides,
                    const pc_contact *contact)
{
  const pc_body *bodies = contact->bodies;
  bool first = sides.first && sides.second ? bodies[0].id < bodies[1].id : sides.first;
  return pc_hits_add(hits, k, bodies[!first], bodies[first], contact, sensors->kinetic);
}

// `largest`: of the impulses of the step. False when memory is out.
static bool sum_contact(pc_sensors *sensors, int c, double h, double *largest)
{
  const pc_scene *scene = sensors->scene;
  pc_body bodies[2];
  double percussion[3], force[3];
  pc_contact contact = {.gap = 0};
  pc_world_contact_push(scene->world, c, bodies, percussion);
  *largest = fmax(*largest, sqrt(pc_dot3(percussion, percussion)));
  for (int i = 0; i < 3; i++)
    force[i] = percussion[i] / h;
  for (int k = 0; k < scene->sensors; k++) {
    pc_sensor_kind kind = scene->sensor[k].kind;
    facing f = face(sensors, k, bodies);
    if (!f.first && !f.second)
      continue;
    bool pushes = sums(scene->sensor + k, PC_FORCE_CONTACTS);
    bool loads = pushes && kind == PC_SENSOR_IMPULSE && f.first != f.second;
    if (pushes)
      add_push(sensors, k, f, force, percussion);
    if (kind != PC_SENSOR_DISSIPATED && kind != PC_SENSOR_HITS && !loads)
      continue;
    if (contact.bodies[0].id == 0) // it is not read yet
      pc_world_contact(scene->world, c, &contact);
    if (kind == PC_SENSOR_DISSIPATED)
      sensors->total[k][0] += contact.dissipated;
    else if (!add_hit(sensors, loads ? &sensors->loads : &sensors->hits, k, f, &contact))
      return false;
    for (int i = 0; i < 3 && kind == PC_SENSOR_HITS; i++)
      sensors->push[k][i] += (f.first - f.second) * force[i];
  }
  return true;
}

static void sum_element(pc_sensors *sensors, int e, double h)
{
  const pc_scene *scene = sensors->scene;
  const pc_body bodies[] = {scene->element[e].body, scene->element[e].other};
  double force[3], impulse[3], energy;
  pc_world_element_force(scene->world, e, force, &energy);
  for (int i = 0; i < 3; i++)
    impulse[i] = force[i] * h;
  for (int k = 0; k < scene->sensors; k++)
    if (sums(scene->sensor + k, PC_FORCE_SPRINGS))
      add_push(sensors, k, face(sensors, k, bodies), force, impulse);
}

// False when memory is out.
static bool sum_exchanges(pc_sensors *sensors, double h)
{
  const pc_scene *scene = sensors->scene;
  int contacts = pc_world_contacts(scene->world);
  double largest = 0;
  for (int c = 0; c < contacts; c++)
    if (!sum_contact(sensors, c, h, &largest))
      return false;
  for (int e = 0; e < scene->elements; e++)
    sum_element(sensors, e, h);
  double begun = sensors->begun, end = pc_world_time(scene->world);
  if (!pc_hits_step(&sensors->loads, scene, begun, end, largest, NULL) ||
      !pc_hits_step(&sensors->hits, scene, begun, end, largest, sensors->total))
    return false;
  pc_tallies_step(&sensors->tallies, &sensors->hits, begun);
  return true;
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

// Component by component, or along the axis of the sensor.
static void put_along(const pc_sensor *sensor, double vector[3])
{
  if (sensor->along)
    vector[0] = pc_dot3(vector, sensor->axis);
}

static void tell_hits(const pc_sensors *sensors, int k, pc_sensor *sensor)
{
  const pc_tally *tally = pc_tally_of(&sensors->tallies, k);
  sensor->struck = tally->struck;
  sensor->hardest = tally->energy;
  sensor->strongest = tally->impulse;
}

static void tell_open(const pc_sensors *sensors, int k, pc_sensor *sensor)
{
  const pc_hit_list *open =
      sensor->kind == PC_SENSOR_HITS ? &sensors->hits.open : &sensors->loads.open;
  double time = pc_world_time(sensors->scene->world), part = fmin(time, 1);
  sensor->open = 0;
  memset(sensor->open_total, 0, sizeof sensor->open_total);
  memset(sensor->end_force, 0, sizeof sensor->end_force);
  for (int i = 0; i < open->count; i++) {
    double recent[3];
    if (open->at[i].sensor != k)
      continue;
    sensor->open++;
    pc_hit_recent(&open->at[i], time, recent);
    for (int c = 0; c < 3; c++) {
      sensor->open_total[c] += open->at[i].impulse[c];
      sensor->end_force[c] += recent[c] / part;
    }
  }
  pc_peaks_last_range(&sensors->peaks, sensors->peak[k], sensor->along ? sensor->axis : NULL,
                      sensor->end_range);
  put_along(sensor, sensor->open_total);
  put_along(sensor, sensor->end_force);
}

void pc_sensors_tell(const pc_sensors *sensors, pc_scene *scene)
{
  for (int k = 0; k < scene->sensors && sensors->memory != NULL; k++) {
    const pc_sensor_memory *memory = sensors->memory + k;
    const double *total = sensors->total[k];
    pc_sensor *sensor = scene->sensor + k;
    for (int i = 0; i < 3; i++) {
      sensor->low[i] = memory->steps > 0 ? memory->low[i] : NAN;
      sensor->high[i] = memory->steps > 0 ? memory->high[i] : NAN;
      sensor->mean[i] = memory->steps > 0 ? memory->sum[i] / (double)memory->steps : NAN;
      sensor->total[i] = total[i];
    }
    if (sensors->peak[k] >= 0) {
      const pc_peak *peak = sensors->peaks.peak + sensors->peak[k];
      sensor->peak = peak->mean;
      sensor->peak_step = peak->step;
    }
    put_along(sensor, sensor->total);
    if (sensor->kind == PC_SENSOR_HITS)
      tell_hits(sensors, k, sensor);
    if (sensor->kind == PC_SENSOR_HITS || sensor->kind == PC_SENSOR_IMPULSE)
      tell_open(sensors, k, sensor);
  }
}

// The value of a sensor that needs no contacts; of others where their sums begin.
static void measure(pc_sensors *sensors, int k, double h)
{
  double position[3], velocity[3], *value = sensors->value[k];
  pc_sensor_kind kind = sensors->scene->sensor[k].kind;
  for (int i = 0; i < 3; i++)
    value[i] = sensors->push[k][i] = 0;
  if (kind == PC_SENSOR_TEMPERATURE)
    value[0] = mean_temperature(sensors, k);
  if (kind != PC_SENSOR_ACCELERATION && kind != PC_SENSOR_VELOCITY &&
      kind != PC_SENSOR_DISPLACEMENT)
    return;
  mean_state(sensors, k, position, velocity);
  for (int i = 0; i < 3; i++)
    value[i] = kind == PC_SENSOR_ACCELERATION ? (velocity[i] - sensors->before[k][i]) / h
               : kind == PC_SENSOR_VELOCITY   ? velocity[i]
                                              : position[i] - sensors->start[k][i];
}

// Turns the sums of a sensor into its numbers.
static void finish_value(pc_sensors *sensors, int k, double h)
{
  const pc_sensor *sensor = sensors->scene->sensor + k;
  double *value = sensors->value[k];
  if (pc_sensor_is_total(sensor))
    memcpy(value, sensors->total[k], sizeof sensors->total[k]);
  if (sensor->along)
    value[0] = value[0] * sensor->axis[0] + value[1] * sensor->axis[1] + value[2] * sensor->axis[2];
  if (sensor->cutoff > 0) {
    pc_butterworth filter = pc_butterworth_design(sensor->cutoff, h);
    for (int i = 0; i < pc_sensor_width(sensor); i++)
      value[i] = pc_butterworth_next(&filter, sensors->memory[k].filter + 2 * i, value[i]);
  }
  if (sensors->peak[k] >= 0 && pc_sensor_is_total(sensor))
    pc_peaks_add(&sensors->peaks, sensors->peak[k], sensors->push[k], 3);
  else if (sensors->peak[k] >= 0)
    pc_peaks_add(&sensors->peaks, sensors->peak[k], value, pc_sensor_width(sensor));
  if (sensor->is_mean)
    pc_peaks_moving_mean(&sensors->peaks, sensors->peak[k], value);
  remember(sensors->memory + k, value);
}

pc_status pc_sensors_after(pc_sensors *sensors, double h, pc_error *error)
{
  const pc_scene *scene = sensors->scene;
  bool exchanges = false;
  for (int k = 0; k < scene->sensors; k++) {
    measure(sensors, k, h);
    exchanges = exchanges || scene->sensor[k].kind == PC_SENSOR_FORCE ||
                pc_sensor_is_total(scene->sensor + k);
  }
  if (exchanges && !sum_exchanges(sensors, h))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_peaks_step(&sensors->peaks);
  for (int k = 0; k < scene->sensors; k++)
    finish_value(sensors, k, h);
  return PC_OK;
}

static bool has_totals(const pc_scene *scene)
{
  for (int k = 0; k < scene->sensors; k++)
    if (pc_sensor_is_total(scene->sensor + k))
      return true;
  return false;
}

// Totals come first, then hits, as many as there is room for.
static size_t totals_size(const pc_sensors *sensors)
{
  return (size_t)sensors->scene->sensors * sizeof *sensors->total;
}

// Whether numbers of hits can be some.
static bool are_counts(const double (*total)[3], const pc_scene *scene)
{
  for (int k = 0; k < scene->sensors; k++)
    if (scene->sensor[k].kind == PC_SENSOR_HITS &&
        !(total[k][0] >= 0 && total[k][0] <= PC_SAVED_MOST))
      return false;
  return true;
}

size_t pc_sensors_save_totals(const pc_sensors *sensors, void *buffer)
{
  const pc_hit_list *open = &sensors->hits.open;
  size_t totals = totals_size(sensors), hits = (size_t)open->count * sizeof *open->at;
  if (!has_totals(sensors->scene))
    return 0;
  if (buffer != NULL)
    memcpy(buffer, sensors->total, totals);
  if (buffer != NULL && hits > 0)
    memcpy((char *)buffer + totals, open->at, hits);
  return totals + hits;
}

pc_status pc_sensors_load_totals(pc_sensors *sensors, const void *data, size_t size,
                                 pc_error *error)
{
  pc_hit_list *open = &sensors->hits.open;
  size_t totals = has_totals(sensors->scene) ? totals_size(sensors) : 0;
  if (totals == 0 && size == 0)
    return PC_OK;
  const char *hits = (const char *)data + totals;
  if (totals == 0 || size < totals || (size - totals) % sizeof *open->at != 0)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  size_t count = (size - totals) / sizeof *open->at;
  if (!pc_saved_is_sound(data, totals / sizeof(double), sizeof(double), &pc_saved_finite, 1) ||
      count > INT_MAX || !are_counts(data, sensors->scene) ||
      !pc_hits_are_sound(hits, count, sensors->scene, PC_SENSOR_HITS))
    return pc_fail(error, PC_ERROR_INPUT, "the totals of the sensors are damaged");
  if (!pc_array_reserve(open, (int)count))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  memcpy(sensors->total, data, totals);
  if (count > 0)
    memcpy(open->at, hits, count * sizeof *open->at);
  open->count = (int)count;
  return PC_OK;
}

// Tallies come first, then hits, as many as there is room for.
size_t pc_sensors_save_tallies(const pc_sensors *sensors, void *buffer)
{
  const pc_hit_list *open = &sensors->loads.open;
  size_t tallies = sensors->tallies.bytes, hits = (size_t)open->count * sizeof *open->at;
  if (buffer != NULL && tallies > 0)
    memcpy(buffer, sensors->tallies.tally, tallies);
  if (buffer != NULL && hits > 0)
    memcpy((char *)buffer + tallies, open->at, hits);
  return tallies + hits;
}

pc_status pc_sensors_load_tallies(pc_sensors *sensors, const void *data, size_t size,
                                  pc_error *error)
{
  pc_hit_list *open = &sensors->loads.open;
  size_t tallies = sensors->tallies.bytes;
  if (size < tallies || (size - tallies) % sizeof *open->at != 0)
    return pc_fail(error, PC_ERROR_INPUT, "written by another version");
  size_t count = (size - tallies) / sizeof *open->at;
  const char *hits = (const char *)data + tallies;
  if (!pc_tallies_are_sound(&sensors->tallies, data, tallies) || count > INT_MAX ||
      !pc_hits_are_sound(hits, count, sensors->scene, PC_SENSOR_IMPULSE))
    return pc_fail(error, PC_ERROR_INPUT, "the tallies of the sensors are damaged");
  if (!pc_array_reserve(open, (int)count))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (tallies > 0)
    memcpy(sensors->tallies.tally, data, tallies);
  if (count > 0)
    memcpy(open->at, hits, count * sizeof *open->at);
  open->count = (int)count;
  return PC_OK;
}

size_t pc_sensors_save_peaks(const pc_sensors *sensors, void *buffer)
{
  size_t size = sensors->peaks.bytes;
  if (buffer != NULL && size > 0)
    memcpy(buffer, sensors->peaks.steps, size);
  return size;
}

pc_status pc_sensors_load_peaks(pc_sensors *sensors, const void *data, size_t size, pc_error *error)
{
  if (!pc_peaks_are_sound(&sensors->peaks, data, size))
    return pc_fail(error, PC_ERROR_INPUT, "the peaks of the sensors are damaged");
  if (size > 0)
    memcpy(sensors->peaks.steps, data, size);
  return PC_OK;
}
