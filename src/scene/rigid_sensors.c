// Sensors of a `kind: rigid` file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "percuss/balance.h"
#include "percuss/world_heat.h"
#include "scene/rigid_file.h"

typedef struct sensor_file {
  pc_node bodies, by;
  const char *name;
  pc_sensor sensor;
  double cutoff;
  bool mean;
} sensor_file;
static const pc_key sensor_keys[] = {
    {PC_KEY(sensor_file, name), PC_A_NAME, true,
     .meaning = "name; must not contain slashes, commas or quotation marks"},
    {"kind", PC_INTO(sensor_file, sensor.kind), PC_A_WORD, true,
     .words = PC_WORDS({"force", PC_SENSOR_FORCE}, {"acceleration", PC_SENSOR_ACCELERATION},
                       {"displacement", PC_SENSOR_DISPLACEMENT}, {"velocity", PC_SENSOR_VELOCITY},
                       {"temperature", PC_SENSOR_TEMPERATURE}, {"impulse", PC_SENSOR_IMPULSE},
                       {"dissipated", PC_SENSOR_DISSIPATED}, {"hits", PC_SENSOR_HITS}),
     .noun = "kind of sensor",
     .meaning = "quantity to record. Sum over the bodies: `force` (N). Mean over the bodies: "
                "`acceleration` (m/s²), `displacement` (m), `velocity` (m/s), `temperature` (K, "
                "one number; with `heat`). Totals since the start: `impulse` of the forces (N s), "
                "energy `dissipated` at the contacts (J, one number), number of `hits`, which are "
                "listed in RUN-hits.csv"},
    {PC_KEY(sensor_file, by), PC_CHOICES, .mapping = &pc_table_choice, .left_out = "everything",
     .meaning = "with `force`, `impulse`, `dissipated` and `hits`: count only contacts with these "
                "bodies or obstacles, selected like `bodies`"},
    {"axis", PC_INTO(sensor_file, sensor.axis), PC_NUMBERS, .left_out = "all three components",
     .meaning = "direction of the component to record"},
    {"from", PC_INTO(sensor_file, sensor.source), PC_A_WORD,
     .words = PC_WORDS({"all", PC_FORCE_ALL}, {"contacts", PC_FORCE_CONTACTS},
                       {"springs", PC_FORCE_SPRINGS}),
     .noun = "source of a force", .otherwise = "all",
     .meaning = "with `force` and `impulse`: which forces are summed"},
    {PC_KEY(sensor_file, cutoff), PC_A_NUMBER, .unit = "Hz", PC_POSITIVE, .left_out = "no filter",
     .meaning = "cut-off frequency of a low-pass filter, below 1/(2 step); adds the filtered "
                "signal NAME_filtered; not for totals since the start"},
    {"window", PC_INTO(sensor_file, sensor.window), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .otherwise = "0.02",
     .meaning =
         "with `force`, `acceleration` and `hits`: duration over which the value is averaged "
         "for its largest mean. A rigid contact has no duration, so choose that of an impact "
         "on your structure"},
    {PC_KEY(sensor_file, mean), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "with `force` and `acceleration`: adds the signal NAME_mean, the mean over the "
                "last `window`"},
    {"pause", PC_INTO(sensor_file, sensor.pause), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "0.01",
     .meaning = "with `hits` and `impulse`: contacts of the same two bodies separated by less than "
                "this time count as one hit"},
    {0}};
const pc_mapping pc_table_sensor = {"sensor", "a sensor",
                                    "A sensor: quantities recorded at every step.",
                                    .keys = {sensor_keys, pc_chosen_keys}};

// A signal of steps h has no frequency above 1 / (2 h).
static void check_cutoff(const pc_rigid_builder *builder, pc_node node, double cutoff)
{
  double highest = 0.5 / builder->scene->step;
  if (!pc_failed(node) && !(cutoff < highest))
    pc_complain(node,
                "'cutoff' of %g Hz must be below %g Hz, half the step frequency: use a step "
                "shorter than %.3g s",
                cutoff, highest, 0.5 / cutoff);
}

static pc_body *copy_bodies(const pc_chosen *s)
{
  pc_body *bodies = calloc((size_t)s->count + 1, sizeof *bodies);
  if (bodies != NULL && s->count > 0)
    memcpy(bodies, s->bodies, (size_t)s->count * sizeof *s->bodies);
  return bodies;
}

// Adds a copy of the sensor under this name; `by` may be empty.
static void keep_sensor(pc_rigid_builder *builder, pc_node node, const pc_sensor *sensor,
                        const char *name, const pc_chosen *s, const pc_chosen *by)
{
  pc_scene *scene = builder->scene;
  pc_sensor copy = *sensor;
  copy.name = strdup(name);
  copy.count = s->count;
  copy.bodies = copy_bodies(s);
  copy.by_count = by->count;
  copy.by = copy_bodies(by);
  if (copy.name == NULL || copy.bodies == NULL || copy.by == NULL)
    pc_complain(node, "out of memory");
  if (pc_failed(node)) {
    free(copy.name);
    free(copy.bodies);
    free(copy.by);
    return;
  }
  scene->sensor[scene->sensors++] = copy;
}

#define NAME(field, ...) #field,
#define NAMES(field, total, ...) #field, #total,
// Columns of RUN.csv, which curves find by their names. (Those of vectors have a space.)
static const char *const of_every_run[] = {
    "time",     "step",
    "audit",    "drift",
    "closed",   "contacts",
    "islands",  "iterations",
    "residual", "contact_error",
    "accuracy", "velocity_error",
    "status",   "deepest",
    "asleep",   PC_BALANCE_ENERGIES(NAME) PC_BALANCE_LINES(NAME, NAMES) PC_BALANCE_HEAT(NAME)};

static void check_column(pc_node node, const char *name)
{
  for (int i = 0; i < PC_COUNT(of_every_run); i++)
    if (strcmp(name, of_every_run[i]) == 0)
      pc_complain(node, "'%s' is a column of the table of every run; give the sensor another name",
                  name);
}

// The columns of a sensor in the tables, where one of another name could have the same.
static void add_column(pc_node node, pc_names *columns, const char *column)
{
  int added = pc_failed(node) ? 0 : pc_names_add(columns, column);
  if (added == -1)
    pc_complain(
        node,
        "'%s' is also a column of a sensor without 'axis', whose columns end in x, y and z: "
        "choose another name",
        column);
  else if (added < 0)
    pc_complain(node, "out of memory at '%s'", column);
}

static void add_columns(pc_node node, pc_names *columns, const char *name, bool along)
{
  char column[220];
  if (along)
    add_column(node, columns, name);
  for (int i = 0; i < 3 && !along; i++) {
    snprintf(column, sizeof column, "%.200s %c", name, "xyz"[i]);
    add_column(node, columns, column);
  }
}

static bool is_one_number(pc_sensor_kind kind)
{
  return kind == PC_SENSOR_TEMPERATURE || kind == PC_SENSOR_DISSIPATED || kind == PC_SENSOR_HITS;
}

// Keys that say something with some kinds alone.
static void check_kind(const pc_rigid_builder *builder, pc_node node, const sensor_file *file)
{
  pc_sensor_kind kind = file->sensor.kind;
  bool pushed = kind == PC_SENSOR_FORCE || kind == PC_SENSOR_IMPULSE;
  bool exchanges = pushed || kind == PC_SENSOR_DISSIPATED || kind == PC_SENSOR_HITS;
  pc_node axis = PC_NODE(node, sensor_file, sensor.axis),
          cutoff = PC_NODE(node, sensor_file, cutoff);
  if (is_one_number(kind) && pc_is_present(axis))
    pc_complain(axis, "%s no 'axis': remove it",
                kind == PC_SENSOR_TEMPERATURE  ? "a temperature has"
                : kind == PC_SENSOR_DISSIPATED ? "dissipated energy has"
                                               : "a number of hits has");
  if (kind == PC_SENSOR_TEMPERATURE && pc_world_heat(builder->world) == NULL)
    pc_complain(PC_NODE(node, sensor_file, sensor.kind),
                "a temperature sensor requires 'heat' in the scene");
  if (!pushed && PC_GIVEN(node, sensor_file, sensor.source))
    pc_complain(PC_NODE(node, sensor_file, sensor.source),
                "'from' requires 'kind: force' or 'kind: impulse'");
  if (!exchanges && PC_GIVEN(node, sensor_file, by))
    pc_complain(file->by, "'by' requires 'kind: force', 'impulse', 'dissipated' or 'hits'");
  if (kind != PC_SENSOR_HITS && kind != PC_SENSOR_IMPULSE &&
      PC_GIVEN(node, sensor_file, sensor.pause))
    pc_complain(PC_NODE(node, sensor_file, sensor.pause),
                "'pause' requires 'kind: hits' or 'kind: impulse'");
  if (kind != PC_SENSOR_FORCE && kind != PC_SENSOR_ACCELERATION && kind != PC_SENSOR_HITS &&
      PC_GIVEN(node, sensor_file, sensor.window))
    pc_complain(PC_NODE(node, sensor_file, sensor.window),
                "'window' requires 'kind: force', 'acceleration' or 'hits'");
  else if (PC_GIVEN(node, sensor_file, sensor.window) &&
           file->sensor.window > builder->scene->duration)
    pc_warn(PC_NODE(node, sensor_file, sensor.window),
            "a 'window' of %g s is longer than the run of %g s; it is in seconds",
            file->sensor.window, builder->scene->duration);
  if (kind != PC_SENSOR_FORCE && kind != PC_SENSOR_ACCELERATION && file->mean)
    pc_complain(PC_NODE(node, sensor_file, mean),
                "'mean' requires 'kind: force' or 'acceleration'");
  if (exchanges && kind != PC_SENSOR_FORCE && pc_is_present(cutoff))
    pc_complain(cutoff, "'cutoff' cannot be used for totals since the start");
}

static void read_sensor(pc_rigid_builder *builder, pc_node node, pc_names *names, pc_names *columns)
{
  sensor_file file = {.name = NULL};
  if (!pc_bind(&node, &pc_table_sensor, &file))
    return;
  pc_node name_node = PC_NODE(node, sensor_file, name);
  pc_node axis = PC_NODE(node, sensor_file, sensor.axis);
  const char *name = pc_read_label(name_node);
  pc_sensor *sensor = &file.sensor;
  sensor->along = pc_is_present(axis);
  if (strpbrk(name, "/,\"") != NULL)
    pc_complain(name_node, "the name of a sensor must not contain '/', ',' or '\"'");
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
    pc_complain(name_node, "the sensor name '%s' is reserved; choose another", name);
  pc_names_add_at(names, name, name_node, "sensors");
  check_column(name_node, name);
  check_kind(builder, node, &file);
  if (is_one_number(sensor->kind)) {
    sensor->along = true;
    sensor->axis[0] = 1;
  }
  add_columns(name_node, columns, name, sensor->along);
  if (pc_is_present(axis))
    pc_rigid_make_unit(axis, sensor->axis);
  check_cutoff(builder, PC_NODE(node, sensor_file, cutoff), file.cutoff);
  pc_chosen s = pc_rigid_choose(builder, file.bodies, false), by = {.count = 0};
  if (pc_is_present(file.by))
    by = pc_rigid_choose(builder, file.by, false);
  keep_sensor(builder, node, sensor, name, &s, &by);
  for (int made = 0; made < 2; made++) { // what is made of the signal
    if (made == 0 ? !(file.cutoff > 0) : !file.mean)
      continue;
    char own[220];
    pc_sensor signal = *sensor;
    snprintf(own, sizeof own, "%.200s_%s", name, made == 0 ? "filtered" : "mean");
    signal.cutoff = made == 0 ? file.cutoff : 0;
    signal.is_mean = made == 1;
    pc_names_add_at(names, own, name_node, "sensors");
    add_columns(name_node, columns, own, sensor->along);
    keep_sensor(builder, node, &signal, own, &s, &by);
  }
  pc_chosen_free(&s);
  pc_chosen_free(&by);
}

void pc_rigid_read_sensors(pc_rigid_builder *builder, pc_node list)
{
  pc_names names = {0}, columns = {0};
  pc_entries e = pc_entries_of(list);
  builder->scene->sensor = pc_allocate(builder->root, 3 * e.count, sizeof *builder->scene->sensor);
  while (pc_next(&e))
    read_sensor(builder, e.node, &names, &columns);
  pc_names_free(&names);
  pc_names_free(&columns);
}
