#include "run/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"
#include "record/replace.h"

typedef enum field_type {
  FIELD_DOUBLE,
  FIELD_INT,
  FIELD_LONG,
  FIELD_BOOL,
  FIELD_STATUS
} field_type;

// The fields of a step, for HDF5 and CSV. Those of the clock differ from run to run: they are in a
// group of their own and not in the table.
typedef struct step_field {
  const char *name;
  field_type type;
  size_t offset;
  const char *unit, *description;
} step_field;

#define FIELD(name, type) "steps/" #name, type, offsetof(pc_step_info, name)
#define ENERGY(field, text) {FIELD(field, FIELD_DOUBLE), "J", text},
#define LINE(field, step, text) {FIELD(field, FIELD_DOUBLE), "J", text},
#define SUMMED(field, total, summary, step, run, source, text)                                     \
  LINE(field, step, text) ENERGY(total, "`" #field "` since the start")
#define CLOCK(name) "clock/" #name, FIELD_DOUBLE, offsetof(pc_step_info, name)
static const step_field step_fields[] = {
    {FIELD(time, FIELD_DOUBLE), "s", "time at the end of the step"},
    {FIELD(step, FIELD_LONG), "", "number of the step"},
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
    PC_BALANCE_ENERGIES(ENERGY) PC_BALANCE_LINES(LINE, SUMMED) //
    {CLOCK(detection_s), "s", "spent on finding contacts"},
    {CLOCK(solve_s), "s", "spent on solving"},
    {CLOCK(step_s), "s", "spent on the step"},
};
enum { FIELDS = sizeof step_fields / sizeof step_fields[0] };
_Static_assert((int)FIELDS <= (int)PC_STEP_FIELDS, "room for the handles of all fields");

// The order of columns and datasets is part of the format. Fields that are not named here follow in
// the order of the list above, but for the sum of `frozen`, which only the summary has.
#define AT(field) offsetof(pc_step_info, field)
// clang-format off
static const size_t format_order[] = {
    AT(time), AT(step), AT(kinetic_translation), AT(kinetic_rotation), AT(potential),
    AT(stored), AT(work_gravity), AT(work_forces), AT(work_elements), AT(work_prescribed),
    AT(dissipated), AT(correction), AT(unsigned_part), AT(separating), AT(stored_error),
    AT(given), AT(total_dissipated), AT(total_separating), AT(total_correction),
    AT(total_prescribed), AT(total_forces), AT(total_stored_error), AT(total_given), AT(audit),
    AT(drift), AT(closed), AT(contacts), AT(islands), AT(iterations), AT(residual), AT(status),
    AT(deepest), AT(asleep), AT(frozen),
};
// clang-format on

static bool is_clock(const step_field *field)
{
  return strncmp(field->name, "clock/", 6) == 0;
}

// Numbers of the fields that are recorded, in their order; gives how many.
static int order_fields(int order[PC_STEP_FIELDS])
{
  bool placed[FIELDS] = {false};
  int count = 0;
  for (size_t k = 0; k < sizeof format_order / sizeof *format_order; k++)
    for (int i = 0; i < FIELDS; i++)
      if (step_fields[i].offset == format_order[k]) {
        order[count++] = i;
        placed[i] = true;
      }
  for (int i = 0; i < FIELDS; i++)
    if (!placed[i] && step_fields[i].offset != AT(total_frozen))
      order[count++] = i;
  return count;
}

static const char *field_unit(const step_field *field, const pc_scene *scene)
{
  return strcmp(field->unit, "J") == 0 ? pc_energy_unit(scene) : field->unit;
}

static double field_value(const step_field *field, const pc_step_info *info)
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

// The record takes these fields from where they are, but for the status, which is smaller there.
_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4 && sizeof(long) == 8, "sizes in the record");
static pc_record_type stored_type(field_type type)
{
  return type == FIELD_DOUBLE ? PC_RECORD_DOUBLE
         : type == FIELD_INT  ? PC_RECORD_INT
         : type == FIELD_LONG ? PC_RECORD_LONG
                              : PC_RECORD_BYTE;
}

#define TABLE_HEAD "time [s],step," // of every kind of run

// Columns of the CSV file: the fields without the clock, then those of the kind.
static int table_columns(const pc_recorder *r)
{
  int columns = r->sim->kind->columns(r->sim, NULL);
  for (int i = 0; i < r->field_count; i++)
    columns += !is_clock(step_fields + r->order[i]);
  return columns;
}

static pc_csv *make_table(const pc_recorder *r, pc_error *error)
{
  const pc_simulation *sim = r->sim;
  int columns = table_columns(r), own_count = sim->kind->columns(sim, NULL), c = 0;
  const char **names = calloc((size_t)columns, sizeof *names);
  const char **units = calloc((size_t)columns, sizeof *units);
  pc_column *own = calloc((size_t)own_count + 1, sizeof *own);
  pc_csv *table = NULL;
  if (names == NULL || units == NULL || own == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    for (int i = 0; i < r->field_count; i++) {
      const step_field *field = step_fields + r->order[i];
      if (is_clock(field))
        continue;
      names[c] = strchr(field->name, '/') + 1;
      units[c++] = *field->unit ? field_unit(field, sim->scene) : NULL;
    }
    sim->kind->columns(sim, own);
    for (int i = 0; i < own_count; i++) {
      names[c] = own[i].name;
      units[c++] = own[i].unit;
    }
    table = pc_csv_create(sim->files.csv, columns, names, units, error);
  }
  free(names);
  free(units);
  free(own);
  return table;
}

pc_status pc_record_scene(pc_record *record, const pc_scene *scene)
{
  const pc_simulation_kind *kind = pc_simulation_kind_of(scene);
  const struct {
    const char *name, *text;
  } texts[] = {{"kind", kind->name},
               {"scene/text", scene->text},
               {"scene/base", scene->base_text},
               {"scene/changes", scene->changes},
               {"scene/file", pc_path_name(scene->path)},
               {"scene/title", scene->title != NULL ? scene->title : ""},
               {"scene/program", "percuss " PC_VERSION}};
  pc_status status = PC_OK;
  for (size_t i = 0; i < sizeof texts / sizeof *texts && status == PC_OK; i++)
    if (texts[i].text != NULL)
      status = pc_record_text(record, texts[i].name, texts[i].text);
  pc_record_put(record, &status, "scene/step", PC_RECORD_DOUBLE, 1, 1, &scene->step, "time step",
                "s");
  return status == PC_OK ? kind->describe(record, scene) : status;
}

static pc_status declare(pc_recorder *r)
{
  pc_simulation *sim = r->sim;
  pc_record *record = sim->record;
  pc_status status = pc_record_scene(record, sim->scene);
  if (status != PC_OK)
    return status;
  const pc_record_item frames[] = {
      {"frames/time", PC_RECORD_DOUBLE, 1, 1, &sim->summary->time, "time", "s"},
      {"frames/step", PC_RECORD_LONG, 1, 1, &r->step, "steps before the frame", NULL}};
  pc_record_declare(record, PC_RECORD_FRAMES, PC_COUNT(frames), frames);
  for (int i = 0; i < r->field_count; i++) {
    const step_field *field = step_fields + r->order[i];
    const void *place = (const char *)sim->kind->info(sim) + field->offset;
    const pc_record_item item = {field->name,
                                 stored_type(field->type),
                                 1,
                                 1,
                                 field->type == FIELD_STATUS ? &r->status : place,
                                 field->description,
                                 field_unit(field, sim->scene)};
    pc_record_declare(record, PC_RECORD_STEPS, 1, &item);
  }
  const pc_record_item clock = {"clock/record_s",
                                PC_RECORD_DOUBLE,
                                1,
                                1,
                                &r->record_s,
                                "spent on recording, since the step before",
                                "s"};
  pc_record_declare(record, PC_RECORD_STEPS, 1, &clock);
  return sim->kind->declare(sim);
}

static pc_status record_failure(const pc_recorder *r, pc_status status, pc_error *error)
{
  if (status == PC_OK)
    return PC_OK;
  const char *text = pc_record_error(r->sim->record);
  return pc_fail(error, status, "%s", *text ? text : "out of memory");
}

// An existing record is replaced only if all other files can be replaced too. The name of the table
// may belong to another file.
static pc_status check_files(const pc_simulation *sim, pc_error *error)
{
  const char *file[PC_RUN_FILES];
  int count = pc_run_files_list(&sim->files, sim->scene, file);
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    if (file[i] != NULL)
      status = pc_replace_check(file[i], i == PC_RUN_TABLE, error);
  if (status == PC_OK && file[PC_RUN_TABLE] != NULL)
    status = pc_csv_check_head(file[PC_RUN_TABLE], TABLE_HEAD, error);
  return status;
}

pc_status pc_recorder_start(pc_recorder *r, pc_simulation *sim, const pc_record_mark *mark,
                            pc_error *error)
{
  const pc_run_files *files = &sim->files;
  *r = (pc_recorder){.sim = sim};
  r->field_count = order_fields(r->order);
  r->row = calloc((size_t)table_columns(r), sizeof *r->row);
  if (r->row == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_error reason = {.status = PC_OK};
  if (sim->scene->csv) // before the record is touched
    pc_lock_check_free(files->csv, &reason);
  if (reason.status == PC_OK && mark == NULL)
    check_files(sim, &reason);
  else if (reason.status == PC_OK && sim->scene->csv)
    pc_csv_check(files->csv, mark->table, &reason);
  bool bad = reason.status != PC_OK;
  sim->record = bad            ? NULL
                : mark != NULL ? pc_record_resume(files->record, mark->count, mark->marks, &reason)
                               : pc_record_create(files->record, &reason);
  if (sim->record == NULL) {
    free(r->row);
    return pc_fail(error, reason.status, "%s", reason.text);
  }
  pc_status status = record_failure(r, declare(r), &reason);
  if (status == PC_OK)
    status = record_failure(r, pc_record_start(sim->record), &reason);
  if (status == PC_OK && mark == NULL)
    unlink(files->checkpoint); // it belonged to the file that is replaced now
  if (status == PC_OK && sim->scene->csv) {
    r->csv = mark != NULL ? pc_csv_resume(files->csv, table_columns(r), mark->table, &reason)
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

pc_status pc_recorder_checkpointed(pc_recorder *r, pc_error *error)
{
  return record_failure(r, pc_record_checkpointed(r->sim->record), error);
}

pc_status pc_recorder_close(pc_recorder *r, int complete, pc_error *error)
{
  pc_error reason = {.status = PC_OK}, table = {.status = PC_OK};
  pc_csv_close(r->csv, &table);
  if (table.status != PC_OK)
    complete = 0;
  pc_record_close(r->sim->record, complete, &reason);
  r->sim->record = NULL;
  free(r->row);
  *r = (pc_recorder){0};
  if (reason.status == PC_OK)
    reason = table;
  return reason.status == PC_OK ? PC_OK : pc_fail(error, reason.status, "%s", reason.text);
}

pc_status pc_recorder_frame(pc_recorder *r, pc_error *error)
{
  pc_simulation *sim = r->sim;
  r->step = sim->summary->steps;
  r->frames++;
  pc_status status = sim->kind->frame(sim);
  if (status == PC_OK)
    status = pc_record_append_all(sim->record, PC_RECORD_FRAMES);
  return record_failure(r, status, error);
}

pc_status pc_recorder_step(pc_recorder *r, double record_s, pc_error *error)
{
  pc_simulation *sim = r->sim;
  const pc_step_info *info = sim->kind->info(sim);
  int c = 0;
  for (int i = 0; i < r->field_count; i++) {
    const step_field *field = step_fields + r->order[i];
    if (!is_clock(field))
      r->row[c++] = field_value(field, info);
  }
  r->status = (uint8_t)info->status;
  r->record_s = record_s;
  pc_status status = sim->kind->row != NULL ? sim->kind->row(sim) : PC_OK;
  if (status == PC_OK)
    status = pc_record_append_all(sim->record, PC_RECORD_STEPS);
  if (status != PC_OK)
    return record_failure(r, status, error);
  sim->kind->cells(sim, r->row + c);
  return r->csv != NULL ? pc_csv_append(r->csv, r->row, error) : PC_OK;
}

pc_status pc_recorder_xdmf(const pc_simulation *sim, long frames, pc_error *error)
{
  double *times = calloc((size_t)frames + 1, sizeof *times);
  if (times == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (long i = 0; i < frames; i++)
    times[i] = (double)(i * sim->frame_steps) * sim->scene->step;
  pc_xdmf xdmf = {.data = pc_path_name(sim->files.record), .frames = frames, .times = times};
  sim->kind->xdmf(sim, &xdmf);
  pc_status status = pc_xdmf_write(sim->files.xdmf, &xdmf, error);
  free(times);
  return status;
}

pc_status pc_recorder_flush(pc_recorder *r, bool sync, pc_error *error)
{
  pc_record *record = r->sim->record;
  pc_status status = sync ? pc_record_sync(record) : pc_record_flush(record);
  if (status != PC_OK)
    return record_failure(r, status, error);
  if (r->csv != NULL)
    status = sync ? pc_csv_sync(r->csv, error) : pc_csv_flush(r->csv, error);
  if (status != PC_OK)
    return status;
  return sync && r->sim->scene->xdmf ? pc_recorder_xdmf(r->sim, r->frames, error) : PC_OK;
}
