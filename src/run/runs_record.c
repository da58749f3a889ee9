// The record of a sweep of collisions, for the viewer: what RUN-summary.csv says, as arrays. Other
// members have records of their own.
#include <math.h>
#include <stdlib.h>

#include "core/array.h"
#include "core/error.h"
#include "record/record.h"
#include "run/recorder.h"
#include "run/runs.h"

// The values of all keys, one key after the other.
typedef struct value_list {
  int total;
  int32_t *count;
  double *number;
  char **text, **label;
} value_list;

static value_list list_values(const pc_scene_plan *plan, pc_arena *memory)
{
  value_list list = {0};
  for (int k = 0; k < plan->sweeps; k++)
    list.total += plan->sweep[k].count;
  list.count = pc_arena_take(memory, (size_t)plan->sweeps + 1, sizeof *list.count);
  list.label = pc_arena_take(memory, (size_t)plan->sweeps + 1, sizeof *list.label);
  list.number = pc_arena_take(memory, (size_t)list.total + 1, sizeof *list.number);
  list.text = pc_arena_take(memory, (size_t)list.total + 1, sizeof *list.text);
  for (int k = 0, at = 0; k < plan->sweeps && !memory->failed; k++) {
    list.count[k] = plan->sweep[k].count;
    list.label[k] = plan->sweep[k].label;
    for (int i = 0; i < plan->sweep[k].count; i++, at++) {
      list.number[at] = pc_scene_sweep_number(&plan->sweep[k], i);
      list.text[at] = plan->sweep[k].values[i];
    }
  }
  return list;
}

// Means over the runs of each combination, a row each; names and units of the columns.
typedef struct mean_list {
  double *mean;
  char **name, **unit;
} mean_list;

static mean_list list_means(const pc_runs *runs, pc_arena *memory)
{
  int rows = runs->scene->plan.combinations, columns = pc_runs_columns(runs);
  mean_list list = {
      .mean = pc_arena_take(memory, (size_t)rows * (size_t)columns + 1, sizeof *list.mean),
      .name = pc_arena_take(memory, (size_t)columns + 1, sizeof *list.name),
      .unit = pc_arena_take(memory, (size_t)columns + 1, sizeof *list.unit)};
  for (int c = 0; c < columns && !memory->failed; c++) {
    const pc_runs_field *field = &runs->fields.at[runs->order[c]];
    list.name[c] = field->name;
    list.unit[c] = field->unit;
    for (int k = 0; k < rows; k++)
      list.mean[(size_t)k * (size_t)columns + (size_t)c] = pc_runs_statistics_of(runs, k, c).mean;
  }
  return list;
}

static pc_status describe(pc_record *record, const pc_runs *runs, const value_list *values,
                          const mean_list *means)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  static const double instant = 0;
  const pc_record_item items[] = {
      {"sweep/count", PC_RECORD_INT, plan->sweeps, 1, values->count, "number of values of each key",
       NULL},
      {"sweep/number", PC_RECORD_DOUBLE, values->total, 1, values->number,
       "values of all keys, concatenated; NaN if the value is not a number", NULL},
      {"quantities/mean", PC_RECORD_DOUBLE, plan->combinations, pc_runs_columns(runs), means->mean,
       "row of each combination; the first key changes slowest", NULL},
  };
  const pc_record_item frame = {
      "frames/time", PC_RECORD_DOUBLE, 1, 1, &instant, "a single collision takes no time", "s"};
  pc_status status = pc_record_scene(record, runs->scene);
  if (status == PC_OK)
    status = pc_record_put_all(record, PC_COUNT(items), items);
  if (status == PC_OK)
    status = pc_record_names(record, "sweep/label", plan->sweeps, values->label);
  if (status == PC_OK)
    status = pc_record_names(record, "sweep/text", values->total, values->text);
  if (status == PC_OK)
    status = pc_record_names(record, "quantities/name", pc_runs_columns(runs), means->name);
  if (status == PC_OK)
    status = pc_record_names(record, "quantities/unit", pc_runs_columns(runs), means->unit);
  if (status == PC_OK)
    status = pc_record_declare(record, PC_RECORD_FRAMES, 1, &frame);
  if (status == PC_OK)
    status = pc_record_start(record);
  return status == PC_OK ? pc_record_append_all(record, PC_RECORD_FRAMES) : status;
}

pc_status pc_runs_write_record(const pc_runs *runs, pc_error *error)
{
  pc_arena memory = {0};
  value_list values = list_values(&runs->scene->plan, &memory);
  mean_list means = list_means(runs, &memory);
  pc_record *record = memory.failed ? NULL : pc_record_create(runs->record, error);
  pc_status status = memory.failed    ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                     : record == NULL ? error->status
                                      : describe(record, runs, &values, &means);
  if (record != NULL) {
    pc_status closed = pc_record_close(record, status == PC_OK ? 1 : 0, error);
    status = status == PC_OK ? closed : status;
  }
  pc_arena_free(&memory);
  return status;
}
