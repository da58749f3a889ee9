#include "run/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/xdmf.h"

// --- names --------------------------------------------------------------------------------------

// `output` without `.h5`, and `end` instead.
static char *beside(const char *output, size_t length, const char *end)
{
  char *name = malloc(length + strlen(end) + 1);
  if (name != NULL) {
    memcpy(name, output, length);
    strcpy(name + length, end);
  }
  return name;
}

bool pc_run_files_name(pc_run_files *files, const char *output)
{
  size_t whole = strlen(output), stem = whole;
  if (stem > 3 && strcmp(output + stem - 3, ".h5") == 0)
    stem -= 3;
  files->record = beside(output, whole, "");
  files->csv = beside(output, stem, ".csv");
  files->xdmf = beside(output, stem, ".xdmf");
  files->end = beside(output, stem, "-end.csv");
  files->checkpoint = beside(output, whole, ".checkpoint");
  files->deposit = beside(output, stem, "-deposit.asc");
  files->outline = beside(output, stem, "-outline.csv");
  files->exits = beside(output, stem, "-exits.csv");
  files->maps = beside(output, stem, "-maps.csv");
  files->trajectories = beside(output, stem, "-trajectories.txt");
  return files->record != NULL && files->csv != NULL && files->xdmf != NULL && files->end != NULL &&
         files->checkpoint != NULL && files->deposit != NULL && files->outline != NULL &&
         files->exits != NULL && files->maps != NULL && files->trajectories != NULL;
}

void pc_run_files_free(pc_run_files *files)
{
  free(files->record);
  free(files->csv);
  free(files->xdmf);
  free(files->end);
  free(files->checkpoint);
  free(files->deposit);
  free(files->outline);
  free(files->exits);
  free(files->maps);
  free(files->trajectories);
  *files = (pc_run_files){0};
}

// --- the account of a step ----------------------------------------------------------------------

typedef enum field_type {
  FIELD_DOUBLE,
  FIELD_INT,
  FIELD_LONG,
  FIELD_BOOL,
  FIELD_STATUS
} field_type;

// One list for HDF5 and CSV. Fields of the clock, which differ from run to run, are in a group of
// their own and not in the table.
#define FIELD(name, type) "steps/" #name, type, offsetof(pc_step_info, name)
#define CLOCK(name) "clock/" #name, FIELD_DOUBLE, offsetof(pc_step_info, name)
static const struct step_field {
  const char *name;
  field_type type;
  size_t offset;
  const char *unit, *description;
} step_fields[] = {
    {FIELD(time, FIELD_DOUBLE), "s", "time at the end of the step"},
    {FIELD(step, FIELD_LONG), "", "number of the step"},
    {FIELD(kinetic_translation, FIELD_DOUBLE), "J", "kinetic energy of the centres of mass"},
    {FIELD(kinetic_rotation, FIELD_DOUBLE), "J", "kinetic energy of the spins"},
    {FIELD(potential, FIELD_DOUBLE), "J", "energy in the field of gravity"},
    {FIELD(stored, FIELD_DOUBLE), "J", "energy stored in springs and nets"},
    {FIELD(work_gravity, FIELD_DOUBLE), "J", "work of gravity in the step"},
    {FIELD(work_forces, FIELD_DOUBLE), "J", "work of forces and loads in the step"},
    {FIELD(work_elements, FIELD_DOUBLE), "J", "work of springs and nets in the step"},
    {FIELD(work_prescribed, FIELD_DOUBLE), "J", "work of prescribed motions in the step"},
    {FIELD(dissipated, FIELD_DOUBLE), "J", "taken by contacts in the step"},
    {FIELD(correction, FIELD_DOUBLE), "J", "energy given by pushing overlaps out"},
    {FIELD(unsigned_part, FIELD_DOUBLE), "J", "of it by laws that have no sign of their own"},
    {FIELD(separating, FIELD_DOUBLE), "J", "of that by contacts that were opening and were closed"},
    {FIELD(stored_error, FIELD_DOUBLE), "J", "stored energy that the work does not explain"},
    {FIELD(given, FIELD_DOUBLE), "J", "energy given by events before the step"},
    {FIELD(total_dissipated, FIELD_DOUBLE), "J", "dissipated since the start"},
    {FIELD(total_separating, FIELD_DOUBLE), "J", "separating since the start"},
    {FIELD(total_correction, FIELD_DOUBLE), "J", "correction since the start"},
    {FIELD(total_prescribed, FIELD_DOUBLE), "J", "work of prescribed motions since the start"},
    {FIELD(total_forces, FIELD_DOUBLE), "J", "work of forces since the start"},
    {FIELD(total_stored_error, FIELD_DOUBLE), "J", "stored_error since the start"},
    {FIELD(total_given, FIELD_DOUBLE), "J", "given since the start"},
    {FIELD(audit, FIELD_DOUBLE), "", "error of the energy balance of the step, relative"},
    {FIELD(drift, FIELD_DOUBLE), "", "error of the energy balance since the start, relative"},
    {FIELD(closed, FIELD_BOOL), "", "1: balances at round-off and no wrong sign"},
    {FIELD(contacts, FIELD_INT), "", "contacts of the step"},
    {FIELD(islands, FIELD_INT), "", "groups of bodies that touch"},
    {FIELD(iterations, FIELD_INT), "", "iterations of the solver"},
    {FIELD(residual, FIELD_DOUBLE), "", "residual of the solver, relative"},
    {FIELD(status, FIELD_STATUS), "", "0 solved, 1 inaccurate, 2 failed"},
    {FIELD(deepest, FIELD_DOUBLE), "m", "largest overlap at the middle of the step"},
    {FIELD(asleep, FIELD_INT), "", "bodies that sleep at the end of the step"},
    {FIELD(frozen, FIELD_DOUBLE), "J", "of dissipated: taken from bodies that fell asleep"},
    {CLOCK(detection_s), "s", "spent on finding contacts"},
    {CLOCK(solve_s), "s", "spent on solving"},
    {CLOCK(step_s), "s", "spent on the step"},
};
enum { FIELDS = sizeof step_fields / sizeof step_fields[0] };
_Static_assert((int)FIELDS <= (int)PC_STEP_FIELDS, "room for the handles of all fields");

static bool is_clock(const struct step_field *field)
{
  return strncmp(field->name, "clock/", 6) == 0;
}

static double field_value(const struct step_field *field, const pc_step_info *info)
{
  const char *at = (const char *)info + field->offset;
  switch (field->type) {
  case FIELD_INT:
    return *(const int *)at;
  case FIELD_LONG:
    return (double)*(const long *)at;
  case FIELD_BOOL:
    return *(const bool *)at;
  case FIELD_STATUS:
    return *(const pc_solve_status *)at;
  default:
    return *(const double *)at;
  }
}

static pc_record_type stored_type(field_type type)
{
  return type == FIELD_DOUBLE ? PC_RECORD_DOUBLE
         : type == FIELD_INT  ? PC_RECORD_INT
         : type == FIELD_LONG ? PC_RECORD_LONG
                              : PC_RECORD_BYTE;
}

static pc_status append_number(pc_record *record, int series, pc_record_type type, double value)
{
  int32_t whole = type == PC_RECORD_INT ? (int32_t)value : 0;
  int64_t wide = type == PC_RECORD_LONG ? (int64_t)value : 0;
  uint8_t byte = type == PC_RECORD_BYTE ? (uint8_t)value : 0;
  return pc_record_append(record, series,
                          type == PC_RECORD_INT    ? (const void *)&whole
                          : type == PC_RECORD_LONG ? (const void *)&wide
                          : type == PC_RECORD_BYTE ? (const void *)&byte
                                                   : (const void *)&value);
}

// --- the table ----------------------------------------------------------------------------------

// Columns of the CSV file: the fields without the clock, then who is inside of a crowd, then the
// sensors.
static int table_columns(const pc_scene *scene)
{
  int columns = scene->crowd != NULL;
  for (int i = 0; i < FIELDS; i++)
    columns += !is_clock(step_fields + i);
  for (int i = 0; i < scene->sensors; i++)
    columns += pc_sensor_width(scene->sensor + i);
  return columns;
}

static pc_csv *make_table(const pc_recorder *recorder, pc_error *error)
{
  const pc_scene *scene = recorder->scene;
  int columns = table_columns(scene), c = 0;
  const char **names = calloc((size_t)columns, sizeof *names);
  const char **units = calloc((size_t)columns, sizeof *units);
  char(*own)[240] = calloc(3 * (size_t)scene->sensors + 1, sizeof *own);
  pc_csv *table = NULL;
  if (names == NULL || units == NULL || own == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    for (int i = 0; i < FIELDS; i++)
      if (!is_clock(step_fields + i)) {
        names[c] = strchr(step_fields[i].name, '/') + 1;
        units[c++] = *step_fields[i].unit ? step_fields[i].unit : NULL;
      }
    if (scene->crowd != NULL)
      names[c++] = "inside";
    for (int k = 0; k < scene->sensors; k++)
      for (int i = 0; i < pc_sensor_width(scene->sensor + k); i++) {
        snprintf(own[3 * k + i], sizeof own[0], scene->sensor[k].along ? "%s" : "%s %c",
                 scene->sensor[k].name, "xyz"[i]);
        names[c] = own[3 * k + i];
        units[c++] = pc_sensor_unit(scene->sensor + k);
      }
    table = pc_csv_create(recorder->files->csv, columns, names, units, error);
  }
  free(names);
  free(units);
  free(own);
  return table;
}

// --- what grows ---------------------------------------------------------------------------------

static int series(pc_record *record, const char *name, pc_record_type type, int rows, int columns,
                  const char *description, const char *unit)
{
  int handle = pc_record_series(record, name, type, rows, columns);
  if (handle >= 0)
    pc_record_describe(record, name, description, *unit ? unit : NULL);
  return handle;
}

static const char *const contact_names[PC_CONTACT_COLUMNS] = {"bodies", "point",      "normal",
                                                              "gap",    "percussion", "dissipated"};
static const pc_record_type contact_types[PC_CONTACT_COLUMNS] = {PC_RECORD_INT,   PC_RECORD_FLOAT,
                                                                 PC_RECORD_FLOAT, PC_RECORD_FLOAT,
                                                                 PC_RECORD_FLOAT, PC_RECORD_FLOAT};
static const int contact_widths[PC_CONTACT_COLUMNS] = {2, 3, 3, 1, 3, 1};

static void declare_contacts(pc_recorder *r)
{
  static const struct {
    const char *name, *description, *unit;
  } meaning[] = {
      {"contacts/bodies", "the two bodies, counted from 0", NULL},
      {"contacts/point", "where, at the middle of the step", "m"},
      {"contacts/normal", "from the second body to the first", NULL},
      {"contacts/gap", "negative: overlap", "m"},
      {"contacts/percussion", "on the first body, in the step that ends at the frame", "N s"},
      {"contacts/dissipated", "in that step", "J"},
  };
  r->contacts = pc_record_ragged(r->record, "contacts", PC_CONTACT_COLUMNS, contact_names,
                                 contact_types, contact_widths);
  for (size_t i = 0; i < sizeof meaning / sizeof *meaning && r->contacts >= 0; i++)
    pc_record_describe(r->record, meaning[i].name, meaning[i].description, meaning[i].unit);
}

static void declare(pc_recorder *r)
{
  const pc_scene *scene = r->scene;
  pc_record *record = r->record;
  int n = scene->bodies;
  r->time = series(record, "frames/time", PC_RECORD_DOUBLE, 1, 1, "time", "s");
  r->step = series(record, "frames/step", PC_RECORD_LONG, 1, 1, "steps before the frame", "");
  r->position =
      series(record, "frames/position", PC_RECORD_DOUBLE, n, 3, "of the centres of mass", "m");
  r->orientation =
      series(record, "frames/orientation", PC_RECORD_DOUBLE, n, 4, "quaternions w, x, y, z", "");
  r->velocity =
      series(record, "frames/velocity", PC_RECORD_DOUBLE, n, 3, "of the centres of mass", "m/s");
  r->spin = series(record, "frames/spin", PC_RECORD_DOUBLE, n, 3, "in world axes", "rad/s");
  r->contacts = -1;
  if (scene->record_contacts)
    declare_contacts(r);
  for (int i = 0; i < FIELDS; i++)
    r->fields[i] = series(record, step_fields[i].name, stored_type(step_fields[i].type), 1, 1,
                          step_fields[i].description, step_fields[i].unit);
  r->record_clock = series(record, "clock/record_s", PC_RECORD_DOUBLE, 1, 1,
                           "spent on recording, since the step before", "s");
  if (scene->crowd != NULL)
    pc_crowd_recorder_declare(&r->crowd, record, scene);
  if (r->maps != NULL)
    pc_crowd_maps_declare(r->maps, record);
  r->element_force = r->element_energy = -1;
  if (scene->elements > 0) {
    r->element_force = series(record, "elements/force", PC_RECORD_DOUBLE, scene->elements, 3,
                              "of each spring and net, on its bodies, at each step", "N");
    r->element_energy = series(record, "elements/energy", PC_RECORD_DOUBLE, scene->elements, 1,
                               "stored in it, at each step", "J");
  }
  for (int i = 0; i < scene->sensors; i++) {
    static const char *const what[] = {"sum of the contact and spring forces on the bodies",
                                       "mean acceleration of the bodies over the step",
                                       "mean displacement of the bodies since the start",
                                       "mean velocity of the bodies"};
    char name[240];
    snprintf(name, sizeof name, "sensors/%s", scene->sensor[i].name);
    r->sensors[i] = series(record, name, PC_RECORD_DOUBLE, 1, pc_sensor_width(scene->sensor + i),
                           what[scene->sensor[i].kind], pc_sensor_unit(scene->sensor + i));
  }
}

// --- start and end ------------------------------------------------------------------------------

static pc_status record_failure(const pc_recorder *r, pc_status status, pc_error *error)
{
  if (status == PC_OK)
    return PC_OK;
  const char *text = pc_record_error(r->record);
  return pc_fail(error, status, "%s", *text ? text : "out of memory");
}

static void free_memory(pc_recorder *r)
{
  for (int c = 0; c < PC_CONTACT_COLUMNS; c++)
    free(r->contact[c]);
  pc_crowd_recorder_free(&r->crowd);
  free(r->sensors);
  free(r->row);
  free(r->state);
  *r = (pc_recorder){0};
}

pc_status pc_recorder_start(pc_recorder *r, const pc_scene *scene, const pc_run_files *files,
                            pc_crowd_maps *maps, long frame_steps, const pc_record_mark *mark,
                            pc_error *error)
{
  *r = (pc_recorder){.scene = scene, .files = files, .maps = maps, .frame_steps = frame_steps};
  r->sensors = calloc((size_t)scene->sensors + 1, sizeof *r->sensors);
  r->row = calloc((size_t)table_columns(scene), sizeof *r->row);
  r->state = calloc(13 * (size_t)scene->bodies + 1, sizeof *r->state);
  bool made = scene->crowd == NULL || pc_crowd_recorder_make(&r->crowd, scene);
  if (r->sensors == NULL || r->row == NULL || r->state == NULL || !made) {
    free_memory(r);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  pc_error reason = {.status = PC_OK};
  r->record = mark != NULL ? pc_record_resume(files->record, mark->count, mark->lengths, &reason)
                           : pc_record_create(files->record, &reason);
  if (r->record == NULL) {
    free_memory(r);
    return pc_fail(error, reason.status, "%s", reason.text);
  }
  pc_status status = record_failure(r, pc_record_scene(r->record, scene), &reason);
  if (status == PC_OK) {
    declare(r);
    if (mark == NULL)
      remove(files->checkpoint); // it belongs to the file that is replaced now
    status = record_failure(r, pc_record_start(r->record), &reason);
  }
  if (status == PC_OK && scene->csv) {
    r->csv = mark != NULL
                 ? pc_csv_resume(files->csv, table_columns(scene), mark->csv_bytes, &reason)
                 : make_table(r, &reason);
    status = reason.status;
  }
  r->frames = mark != NULL ? mark->frames : 0;
  if (status != PC_OK) {
    pc_recorder_close(r, 0, NULL);
    return pc_fail(error, reason.status, "%s", reason.text);
  }
  return PC_OK;
}

pc_status pc_recorder_close(pc_recorder *r, int complete, pc_error *error)
{
  pc_error reason = {.status = PC_OK}, table = {.status = PC_OK};
  pc_csv_close(r->csv, &table);
  if (table.status != PC_OK)
    complete = 0;
  pc_record_close(r->record, complete, &reason);
  free_memory(r);
  if (reason.status == PC_OK)
    reason = table;
  return reason.status == PC_OK ? PC_OK : pc_fail(error, reason.status, "%s", reason.text);
}

// --- frames -------------------------------------------------------------------------------------

static bool grow_contacts(pc_recorder *r, int need)
{
  if (need <= r->contact_capacity)
    return true;
  int capacity = need + need / 2 + 64;
  for (int c = 0; c < PC_CONTACT_COLUMNS; c++) {
    size_t number = contact_types[c] == PC_RECORD_INT ? sizeof(int32_t) : sizeof(double);
    void *larger = realloc(r->contact[c], (size_t)capacity * (size_t)contact_widths[c] * number);
    if (larger == NULL)
      return false;
    r->contact[c] = larger;
  }
  r->contact_capacity = capacity;
  return true;
}

static pc_status append_contacts(pc_recorder *r)
{
  int count = pc_world_contacts(r->scene->world);
  if (!grow_contacts(r, count))
    return PC_ERROR_MEMORY;
  for (int k = 0; k < count; k++) {
    pc_contact contact;
    pc_world_contact(r->scene->world, k, &contact);
    int32_t *body = (int32_t *)r->contact[0] + 2 * k;
    body[0] = contact.bodies[0].id - 1;
    body[1] = contact.bodies[1].id - 1;
    memcpy((double *)r->contact[1] + 3 * k, contact.point, sizeof contact.point);
    memcpy((double *)r->contact[2] + 3 * k, contact.normal, sizeof contact.normal);
    ((double *)r->contact[3])[k] = contact.gap;
    memcpy((double *)r->contact[4] + 3 * k, contact.percussion, sizeof contact.percussion);
    ((double *)r->contact[5])[k] = contact.dissipated;
  }
  return pc_record_append_ragged(r->record, r->contacts, count, (const void *const *)r->contact);
}

pc_status pc_recorder_frame(pc_recorder *r, long step, pc_error *error)
{
  size_t n = (size_t)r->scene->bodies;
  double *position = r->state, *velocity = position + 3 * n, *spin = velocity + 3 * n;
  double *orientation = spin + 3 * n;
  for (size_t i = 0; i < n; i++) {
    pc_body_state state;
    pc_body_get(r->scene->world, (pc_body){(int)i + 1}, &state);
    memcpy(position + 3 * i, state.position, sizeof state.position);
    memcpy(velocity + 3 * i, state.velocity, sizeof state.velocity);
    memcpy(spin + 3 * i, state.spin, sizeof state.spin);
    memcpy(orientation + 4 * i, state.orientation, sizeof state.orientation);
  }
  // The first failure stays in the record: the last call reports it.
  append_number(r->record, r->time, PC_RECORD_DOUBLE, pc_world_time(r->scene->world));
  append_number(r->record, r->step, PC_RECORD_LONG, (double)step);
  pc_record_append(r->record, r->position, position);
  pc_record_append(r->record, r->orientation, orientation);
  pc_record_append(r->record, r->velocity, velocity);
  pc_status status = pc_record_append(r->record, r->spin, spin);
  if (status == PC_OK && r->contacts >= 0)
    status = append_contacts(r);
  if (status == PC_OK && r->scene->crowd != NULL)
    status = pc_crowd_recorder_frame(&r->crowd, r->record, r->scene);
  r->frames++;
  return record_failure(r, status, error);
}

// --- steps --------------------------------------------------------------------------------------

static pc_status append_elements(pc_recorder *r)
{
  const pc_scene *scene = r->scene;
  double *force = calloc(4 * (size_t)scene->elements, sizeof *force);
  if (force == NULL)
    return PC_ERROR_MEMORY;
  double *energy = force + 3 * (size_t)scene->elements;
  for (int i = 0; i < scene->elements; i++)
    pc_world_element_force(scene->world, i, force + 3 * i, energy + i);
  pc_record_append(r->record, r->element_force, force);
  pc_status status = pc_record_append(r->record, r->element_energy, energy);
  free(force);
  return status;
}

pc_status pc_recorder_step(pc_recorder *r, const pc_sensors *sensors, double record_s,
                           pc_error *error)
{
  const pc_scene *scene = r->scene;
  const pc_step_info *info = pc_world_info(scene->world);
  int c = 0;
  for (int i = 0; i < FIELDS; i++) {
    double value = field_value(step_fields + i, info);
    append_number(r->record, r->fields[i], stored_type(step_fields[i].type), value);
    if (!is_clock(step_fields + i))
      r->row[c++] = value;
  }
  if (scene->crowd != NULL) {
    r->row[c++] = pc_crowd_inside(scene->crowd);
    pc_crowd_recorder_step(&r->crowd, r->record, scene);
  }
  for (int k = 0; k < scene->sensors; k++) {
    pc_record_append(r->record, r->sensors[k], sensors->value[k]);
    for (int i = 0; i < pc_sensor_width(scene->sensor + k); i++)
      r->row[c++] = sensors->value[k][i];
  }
  pc_status status = append_number(r->record, r->record_clock, PC_RECORD_DOUBLE, record_s);
  if (status == PC_OK && r->element_force >= 0)
    status = append_elements(r);
  if (status != PC_OK)
    return record_failure(r, status, error);
  return r->csv != NULL ? pc_csv_append(r->csv, r->row, error) : PC_OK;
}

// --- for others to read -------------------------------------------------------------------------

static pc_status write_xdmf(pc_recorder *r, pc_error *error)
{
  static const pc_xdmf_array attributes[] = {
      {"velocity", "frames/velocity", PC_RECORD_DOUBLE, 3, false},
      {"spin", "frames/spin", PC_RECORD_DOUBLE, 3, false},
      {"mass", "bodies/mass", PC_RECORD_DOUBLE, 1, true},
      {"material", "bodies/material", PC_RECORD_INT, 1, true},
      {"kind", "bodies/kind", PC_RECORD_BYTE, 1, true},
      {"radius", "bodies/radius", PC_RECORD_DOUBLE, 1, true},
  };
  double *times = calloc((size_t)r->frames + 1, sizeof *times);
  if (times == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (long i = 0; i < r->frames; i++)
    times[i] = (double)(i * r->frame_steps) * r->scene->step;
  const char *slash = strrchr(r->files->record, '/');
  pc_xdmf description = {.data = slash != NULL ? slash + 1 : r->files->record,
                         .points = r->scene->bodies,
                         .frames = r->frames,
                         .times = times,
                         .position = {"position", "frames/position", PC_RECORD_DOUBLE, 3, false},
                         .index = "bodies/index",
                         .attribute_count = sizeof attributes / sizeof *attributes,
                         .attributes = attributes};
  pc_status status = pc_xdmf_write(r->files->xdmf, &description, error);
  free(times);
  return status;
}

pc_status pc_recorder_flush(pc_recorder *r, bool sync, pc_error *error)
{
  pc_status status = sync ? pc_record_sync(r->record) : pc_record_flush(r->record);
  if (status != PC_OK)
    return record_failure(r, status, error);
  if (r->csv != NULL && (status = pc_csv_flush(r->csv, error)) != PC_OK)
    return status;
  return sync && r->scene->xdmf ? write_xdmf(r, error) : PC_OK;
}
