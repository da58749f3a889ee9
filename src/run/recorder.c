#include "run/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"
#include "record/replace.h"
#include "run/meaning.h"
#include "run/program.h"
#include "run/time_curves.h"

// The fields of a step, for HDF5 and CSV. Those of the clock differ from run to run: they are in a
// group of their own and not in the table.
typedef struct step_field {
  const char *name;
  pc_record_type type;
  size_t offset;
  const char *unit, *description;
} step_field;

#define FIELD(name, type) "steps/" #name, type, offsetof(pc_step_info, name)
#define ENERGY(field, text) {FIELD(field, PC_RECORD_DOUBLE), "J", text},
#define LINE(field, step, text) {FIELD(field, PC_RECORD_DOUBLE), "J", text},
#define SUMMED(field, total, summary, step, run, source, text)                                     \
  LINE(field, step, text) ENERGY(total, "`" #field "` since the start")
#define CLOCK(name) "clock/" #name, PC_RECORD_DOUBLE, offsetof(pc_step_info, name)
static const step_field step_fields[] = {
    {FIELD(time, PC_RECORD_DOUBLE), "s", "time at the end of the step"},
    {FIELD(step, PC_RECORD_LONG), "", "number of the step"},
    {FIELD(audit, PC_RECORD_DOUBLE), "", "relative error of the energy balance of the step"},
    {FIELD(drift, PC_RECORD_DOUBLE), "", "relative error of the energy balance since the start"},
    {FIELD(closed, PC_RECORD_BYTE), "",
     "1: the energy balance closes to round-off and no contact has the wrong sign"},
    {FIELD(contacts, PC_RECORD_INT), "", "number of contacts in the step"},
    {FIELD(islands, PC_RECORD_INT), "", "number of islands (connected groups of bodies)"},
    {FIELD(iterations, PC_RECORD_INT), "", "number of solver iterations"},
    {FIELD(residual, PC_RECORD_DOUBLE), "", "relative residual of the solver"},
    {FIELD(contact_error, PC_RECORD_DOUBLE), "m",
     "largest error of the contact conditions at the end of the step"},
    {FIELD(accuracy, PC_RECORD_DOUBLE), "m",
     "accepted error of the contact conditions; 0: the tolerance decides"},
    {FIELD(velocity_error, PC_RECORD_DOUBLE), "m/s",
     "estimated error of the velocities: root mean square, weighted by mass"},
    {FIELD(status, PC_RECORD_BYTE), "", "0 solved, 1 inaccurate, 2 failed"},
    {FIELD(deepest, PC_RECORD_DOUBLE), "m", "largest overlap at the middle of the step"},
    {FIELD(asleep, PC_RECORD_INT), "", "number of sleeping bodies at the end of the step"},
    PC_BALANCE_ENERGIES(ENERGY) PC_BALANCE_LINES(LINE, SUMMED) //
    {CLOCK(detection_s), "s", "wall-clock time of contact detection"},
    {CLOCK(solve_s), "s", "wall-clock time of the solver"},
    {CLOCK(step_s), "s", "wall-clock time of the step"},
};
enum { FIELDS = sizeof step_fields / sizeof step_fields[0] };

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
static int order_fields(int order[FIELDS])
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

// The record and the table take these fields from where they are, but for the status, which is an
// enum there.
_Static_assert(sizeof(bool) == 1 && sizeof(int) == 4 && sizeof(long) == 8, "sizes in the record");
static const void *field_place(const pc_recorder *r, const step_field *field)
{
  const void *place = (const char *)r->sim->kind->info(r->sim) + field->offset;
  return field->offset == AT(status) ? &r->status : place;
}

// Columns of the CSV file: the fields without the clock, then those of the kind.
static bool list_columns(pc_recorder *r)
{
  const pc_simulation *sim = r->sim;
  int order[FIELDS], count = order_fields(order);
  for (int i = 0; i < count; i++) {
    const step_field *field = step_fields + order[i];
    const char *unit = *field->unit ? field_unit(field, sim->scene) : NULL;
    if (!is_clock(field))
      pc_columns_add(&r->columns, field->type, field_place(r, field), unit, "%s",
                     strchr(field->name, '/') + 1);
  }
  sim->kind->columns(sim, &r->columns);
  r->row = calloc((size_t)r->columns.list.count + 1, sizeof *r->row);
  return !r->columns.failed && r->row != NULL;
}

static void free_columns(pc_recorder *r)
{
  free(r->row);
  pc_array_free(&r->columns.list);
}

pc_status pc_recorder_check_curves(pc_scene *scene, pc_error *error)
{
  pc_run_summary summary = {0};
  pc_run_options options = {0};
  pc_simulation sim = {.kind = pc_simulation_kind_of(scene),
                       .scene = scene,
                       .options = &options,
                       .summary = &summary};
  pc_recorder r = {.sim = &sim};
  pc_status status = sim.kind->begin(&sim, error);
  if (status == PC_OK)
    status = list_columns(&r) ? pc_time_curves_check(scene, &r.columns, error)
                              : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free_columns(&r);
  sim.kind->free(&sim);
  return status;
}

pc_status pc_recorder_units(pc_simulation *sim, pc_error *error)
{
  pc_recorder r = {.sim = sim};
  pc_status status = list_columns(&r)
                         ? pc_run_write_units(&sim->files, &r.columns, sim->scene, error)
                         : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free_columns(&r);
  return status;
}

static pc_csv *make_table(const pc_recorder *r, pc_error *error)
{
  int columns = r->columns.list.count;
  const char **names = calloc((size_t)columns, sizeof *names);
  if (names == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  for (int i = 0; i < columns; i++)
    names[i] = r->columns.list.at[i].name;
  pc_csv *table = pc_csv_create(r->sim->files.csv, &pc_run_table, columns, names, error);
  free(names);
  return table;
}

// The texts of a record about its scene; NULL: there is none of that name.
enum { SCENE_TEXTS = 10 };
typedef struct scene_texts {
  char program[PC_RUN_PROGRAM], hash[20];
  struct {
    const char *name, *text;
  } at[SCENE_TEXTS];
} scene_texts;

static void list_texts(const pc_scene *scene, scene_texts *t)
{
  pc_run_program(t->program);
  snprintf(t->hash, sizeof t->hash, "%016" PRIx64, pc_hash_scene(scene));
  const scene_texts all = {
      .at = {{"kind", pc_simulation_kind_of(scene)->name},
             {"scene/text", scene->text},
             {"scene/base", scene->base_text},
             {"scene/changes", scene->changes},
             {"scene/views", scene->views},
             {"scene/file", pc_path_name(scene->path)},
             {"scene/hash", t->hash},
             {"scene/title", scene->title != NULL ? scene->title : ""},
             {"scene/program", "percuss " PC_VERSION},
             {"scene/defaults", strstr(t->program, ", defaults ") + strlen(", defaults ")}}};
  memcpy(t->at, all.at, sizeof t->at);
}

bool pc_record_has_scene(pc_reading *reading, const pc_scene *scene)
{
  scene_texts t;
  bool same = true;
  list_texts(scene, &t);
  for (int i = 0; i < SCENE_TEXTS && same; i++) {
    char *text =
        pc_reading_has(reading, t.at[i].name) ? pc_reading_text(reading, t.at[i].name, NULL) : NULL;
    same = text == NULL || t.at[i].text == NULL ? text == t.at[i].text
                                                : strcmp(text, t.at[i].text) == 0;
    free(text);
  }
  return same;
}

pc_status pc_record_scene(pc_record *record, const pc_scene *scene)
{
  const pc_simulation_kind *kind = pc_simulation_kind_of(scene);
  int64_t seed = (int64_t)scene->seed;
  scene_texts t;
  list_texts(scene, &t);
  pc_status status = PC_OK;
  for (int i = 0; i < SCENE_TEXTS && status == PC_OK; i++)
    status = pc_record_text(record, t.at[i].name, t.at[i].text);
  pc_record_put(record, &status, "scene/step", PC_RECORD_DOUBLE, 1, 1, &scene->step, "time step",
                "s");
  pc_record_put(record, &status, "scene/seed", PC_RECORD_LONG, 1, 1, &seed,
                "of all random numbers of this run", NULL);
  return status == PC_OK && kind->describe != NULL ? kind->describe(record, scene) : status;
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
      {"frames/step", PC_RECORD_LONG, 1, 1, &r->step, "number of steps before the frame", NULL}};
  pc_record_declare(record, PC_RECORD_FRAMES, PC_COUNT(frames), frames);
  int order[FIELDS], count = order_fields(order);
  for (int i = 0; i < count; i++) {
    const step_field *field = step_fields + order[i];
    const pc_record_item item = {field->name,
                                 field->type,
                                 1,
                                 1,
                                 field_place(r, field),
                                 field->description,
                                 field_unit(field, sim->scene)};
    pc_record_declare(record, PC_RECORD_STEPS, 1, &item);
  }
  // The end may change with `--resume`, so it belongs to the group that equal runs need not share.
  const pc_record_item clock[] = {{"clock/record_s", PC_RECORD_DOUBLE, 1, 1, &r->record_s,
                                   "wall-clock time of recording since the previous step", "s"},
                                  {"clock/planned_end", PC_RECORD_DOUBLE, 1, 1,
                                   &sim->scene->duration,
                                   "planned end of the run in simulated time", "s"}};
  pc_record_declare(record, PC_RECORD_STEPS, PC_COUNT(clock), clock);
  return sim->kind->declare(sim);
}

static pc_status record_failure(const pc_recorder *r, pc_status status, pc_error *error)
{
  if (status == PC_OK)
    return PC_OK;
  const char *text = pc_record_error(r->sim->record);
  return pc_fail(error, status, "%s", *text ? text : "out of memory");
}

// An existing record is replaced only if all other files can be replaced too. Any of the names may
// belong to another file.
static pc_status check_files(const pc_simulation *sim, pc_error *error)
{
  pc_run_file_of file[PC_RUN_FILES];
  int count = pc_run_files_list(&sim->files, sim->scene, file);
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    status = pc_replace_check(file[i].path, file[i].own, error);
  return status;
}

pc_status pc_recorder_start(pc_recorder *r, pc_simulation *sim, const pc_record_mark *mark,
                            pc_error *error)
{
  const pc_run_files *files = &sim->files;
  *r = (pc_recorder){.sim = sim};
  if (!list_columns(r)) {
    free_columns(r);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  pc_error reason = {.status = PC_OK};
  pc_time_curves_check(sim->scene, &r->columns, &reason);
  if (reason.status == PC_OK && sim->scene->csv) // before the record is touched
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
    free_columns(r);
    return pc_fail(error, reason.status, "%s", reason.text);
  }
  pc_status status = record_failure(r, declare(r), &reason);
  if (status == PC_OK)
    status = record_failure(r, pc_record_start(sim->record), &reason);
  if (status == PC_OK && mark == NULL)
    pc_own_remove(files->checkpoint, &pc_checkpoint_own); // of the file that is replaced now
  if (status == PC_OK && sim->scene->csv) {
    r->csv = mark != NULL ? pc_csv_resume(files->csv, r->columns.list.count, mark->table, &reason)
                          : make_table(r, &reason);
    status = reason.status;
    if (status == PC_OK)
      status = pc_run_write_units(files, &r->columns, sim->scene, &reason);
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
  free_columns(r);
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
  r->status = (uint8_t)sim->kind->info(sim)->status;
  r->record_s = record_s;
  pc_status status = sim->kind->row != NULL ? sim->kind->row(sim) : PC_OK;
  if (status == PC_OK)
    status = pc_record_append_all(sim->record, PC_RECORD_STEPS);
  if (status != PC_OK || r->csv == NULL)
    return record_failure(r, status, error);
  for (int i = 0; i < r->columns.list.count; i++)
    r->row[i] = pc_column_value(&r->columns.list.at[i]);
  return pc_csv_append(r->csv, r->row, error);
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
