// The table of many runs, and statistics over each combination.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/statistics.h"
#include "record/units.h"
#include "run/runs.h"

#define SUMMARY_HEAD "quantity,unit,runs," // after the keys of the sweep
const pc_own pc_runs_table_own = {"a table of runs", {{"run,seed,", NULL}}};
const pc_own pc_runs_summary_own = {"a summary of runs", {{NULL, SUMMARY_HEAD "mean,deviation,"}}};

pc_status pc_runs_collect(pc_runs *runs, pc_runs_slot *member, pc_error *error)
{
  size_t size = (size_t)member->quantities + 1;
  member->field = calloc(size, sizeof *member->field);
  member->value = calloc(size, sizeof *member->value);
  bool whole = member->field != NULL && member->value != NULL;
  for (int i = 0; i < member->quantities && whole; i++) {
    const pc_quantity *q = &member->quantity[i];
    pc_runs_field like = {
        .unit = (char *)q->unit, .whole = q->whole, .sums = q->sums, .shown = q->shown};
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", q->group, *q->group ? "/" : "", q->name);
    member->field[i] = pc_runs_find_field(runs, name, &like, i);
    member->value[i] = q->value;
    member->count = i + 1;
    whole = member->field[i] >= 0;
  }
  if (!whole)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(member->quantity);
  member->quantity = NULL;
  atomic_store(&member->state, PC_RUN_FINISHED);
  return PC_OK;
}

static bool is_finished(const pc_runs *runs, int i)
{
  return atomic_load(&runs->member[i].state) == PC_RUN_FINISHED;
}

// In the order in which the runs have them, whichever was finished first.
static bool order_fields(pc_runs *runs)
{
  free(runs->order);
  runs->columns = 0;
  runs->order = calloc((size_t)runs->fields.count + 1, sizeof *runs->order);
  bool *seen = calloc((size_t)runs->fields.count + 1, sizeof *seen);
  for (int i = 0; i < pc_runs_total(runs) && runs->order != NULL && seen != NULL; i++)
    for (int k = 0; is_finished(runs, i) && k < runs->member[i].count; k++) {
      int field = runs->member[i].field[k];
      if (!seen[field])
        runs->order[runs->columns++] = field;
      seen[field] = true;
    }
  bool whole = runs->order != NULL && seen != NULL;
  free(seen);
  return whole;
}

static bool has_column(const pc_runs *runs, int column)
{
  return runs != NULL && column >= 0 && column < runs->columns;
}

int pc_runs_columns(const pc_runs *runs)
{
  if (runs == NULL)
    return 0;
  return runs->columns;
}

pc_runs_column pc_runs_column_of(const pc_runs *runs, int column)
{
  if (!has_column(runs, column))
    return (pc_runs_column){"", "", false, PC_SHOW_NOT};
  const pc_runs_field *field = &runs->fields.at[runs->order[column]];
  return (pc_runs_column){field->name, field->unit, field->whole, field->shown};
}

double pc_runs_value(const pc_runs *runs, int i, int column)
{
  if (!has_column(runs, column) || i < 0 || i >= pc_runs_total(runs))
    return NAN;
  const pc_runs_slot *member = &runs->member[i];
  int field = runs->order[column];
  if (!is_finished(runs, i))
    return NAN;
  if (column < member->count && member->field[column] == field)
    return member->value[column];
  for (int k = 0; k < member->count; k++)
    if (member->field[k] == field)
      return member->value[k];
  return NAN;
}

static pc_runs_statistics *cell(const pc_runs *runs, int combination, int column)
{
  return &runs->statistics[(size_t)combination * (size_t)runs->columns + (size_t)column];
}

pc_runs_statistics pc_runs_statistics_of(const pc_runs *runs, int combination, int column)
{
  bool known =
      has_column(runs, column) && combination >= 0 && combination < runs->scene->plan.combinations;
  if (!known || runs->statistics == NULL) // something failed before
    return (pc_runs_statistics){.mean = NAN,
                                .deviation = NAN,
                                .interval = NAN,
                                .median = NAN,
                                .least = NAN,
                                .most = NAN,
                                .pooled = NAN};
  return *cell(runs, combination, column);
}

static void measure_column(const pc_runs *runs, int combination, int column, double *values)
{
  int each = runs->scene->plan.runs, count = 0;
  double sum = 0;
  for (int i = combination * each; i < (combination + 1) * each; i++)
    if (is_finished(runs, i)) {
      values[count] = pc_runs_value(runs, i, column);
      sum += isnan(values[count]) ? 0 : values[count];
      count++;
    }
  pc_statistics s = pc_statistics_of(count, values);
  *cell(runs, combination, column) =
      (pc_runs_statistics){.runs = s.count,
                           .missing = s.missing,
                           .mean = s.mean,
                           .deviation = s.deviation,
                           .interval = s.interval,
                           .median = s.median,
                           .least = s.least,
                           .most = s.most,
                           .pooled = runs->fields.at[runs->order[column]].sums ? sum : NAN};
}

static const pc_sample *find_sample(const pc_runs_slot *member, const char *group)
{
  for (int k = 0; k < member->samples; k++)
    if (strcmp(member->sample[k].group, group) == 0)
      return &member->sample[k];
  return NULL;
}

static void put_pooled(pc_runs *runs, int combination, const char *group, const pc_pooled *pooled)
{
  char name[160];
  snprintf(name, sizeof name, "%s/%s", group, pooled->name);
  for (int c = 0; c < runs->columns; c++)
    if (strcmp(runs->fields.at[runs->order[c]].name, name) == 0)
      cell(runs, combination, c)->pooled = pooled->value;
}

// The samples of one group, of all finished runs of a combination.
static pc_status pool_group(pc_runs *runs, int combination, const char *group, pc_error *error)
{
  int each = runs->scene->plan.runs, first = combination * each, count = 0, rows = 0;
  for (int i = first; i < first + each; i++) {
    const pc_sample *sample = is_finished(runs, i) ? find_sample(&runs->member[i], group) : NULL;
    rows += sample != NULL ? sample->count : 0;
  }
  int *start = calloc((size_t)each + 1, sizeof *start);
  double *values = calloc((size_t)rows + 1, sizeof *values);
  pc_pooled pooled[PC_POOLED];
  pc_status status =
      start != NULL && values != NULL ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = first; i < first + each && status == PC_OK; i++) {
    const pc_sample *sample = is_finished(runs, i) ? find_sample(&runs->member[i], group) : NULL;
    if (sample == NULL)
      continue;
    memcpy(values + start[count], sample->values, (size_t)sample->count * sizeof *values);
    start[count + 1] = start[count] + sample->count;
    count++;
  }
  if (status == PC_OK)
    status = pc_run_pool(count, start, values, pooled, error);
  for (int k = 0; k < PC_POOLED && status == PC_OK; k++)
    put_pooled(runs, combination, group, &pooled[k]);
  free(start);
  free(values);
  return status;
}

// The groups are those of the first run that is finished, and what others have besides.
static pc_status pool_all(pc_runs *runs, int combination, pc_error *error)
{
  int each = runs->scene->plan.runs, first = combination * each;
  pc_status status = PC_OK;
  for (int i = first; i < first + each && status == PC_OK; i++)
    for (int k = 0; is_finished(runs, i) && k < runs->member[i].samples; k++) {
      const char *group = runs->member[i].sample[k].group;
      bool done = false;
      for (int j = first; j < i && !done; j++)
        done = is_finished(runs, j) && find_sample(&runs->member[j], group) != NULL;
      if (!done && status == PC_OK)
        status = pool_group(runs, combination, group, error);
    }
  return status;
}

pc_status pc_runs_summarise(pc_runs *runs, pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  pc_status status = PC_OK;
  if (!order_fields(runs))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(runs->statistics);
  runs->statistics =
      calloc((size_t)plan->combinations * (size_t)runs->columns + 1, sizeof *runs->statistics);
  double *values = calloc((size_t)plan->runs + 1, sizeof *values);
  if (runs->statistics == NULL || values == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < plan->combinations && status == PC_OK; k++) {
    for (int c = 0; c < runs->columns; c++)
      measure_column(runs, k, c, values);
    status = pool_all(runs, k, error);
  }
  free(values);
  return status;
}

// Nothing where there is no number.
static void print_number(pc_replace *file, double value)
{
  char text[PC_CSV_NUMBER] = "";
  if (!isnan(value))
    pc_csv_number(value, text);
  pc_replace_print(file, ",%s", text);
}

static void print_sweep_keys(pc_replace *file, const pc_scene_plan *plan)
{
  for (int k = 0; k < plan->sweeps; k++) {
    char name[PC_CSV_NAME];
    pc_replace_print(file, "%s,", pc_csv_name(plan->sweep[k].label, name));
  }
}

static void print_sweep_values(pc_replace *file, const pc_scene_plan *plan, int combination)
{
  for (int k = 0; k < plan->sweeps; k++) {
    pc_replace_text(file, plan->sweep[k].values[pc_scene_plan_value(plan, combination, k)]);
    pc_replace_print(file, ",");
  }
}

static void print_member(pc_replace *file, const pc_runs *runs, int i)
{
  static const char *const words[] = {"waiting", "finished", "failed"};
  pc_member member = pc_runs_member(runs, i);
  pc_replace_print(file, "%d,%llu,", member.number, (unsigned long long)member.seed);
  print_sweep_values(file, &runs->scene->plan, member.combination);
  pc_replace_print(file, "%s", words[member.state]);
  for (int c = 0; c < runs->columns; c++)
    print_number(file, pc_runs_value(runs, i, c));
  pc_replace_print(file, "\n");
}

pc_status pc_runs_write_table(pc_runs *runs, pc_error *error)
{
  if (!order_fields(runs))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_replace *file = pc_replace_begin(runs->table, &pc_runs_table_own, error);
  if (file == NULL)
    return error->status;
  pc_replace_print(file, "run,seed,");
  print_sweep_keys(file, &runs->scene->plan);
  pc_replace_print(file, "status");
  for (int c = 0; c < runs->columns; c++) {
    char name[PC_CSV_NAME];
    pc_replace_print(file, ",%s", pc_csv_name(runs->fields.at[runs->order[c]].name, name));
  }
  pc_replace_print(file, "\n");
  for (int i = 0; i < pc_runs_total(runs); i++)
    if (pc_runs_member(runs, i).state != PC_MEMBER_WAITING)
      print_member(file, runs, i);
  return pc_replace_end(file, error);
}

pc_status pc_runs_write_units(const pc_runs *runs, pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  pc_replace *file = pc_units_begin(runs->units, error);
  if (file == NULL)
    return error->status;
  pc_units_add_head(file, "runs", "run,seed");
  for (int k = 0; k < plan->sweeps; k++)
    pc_units_add_head(file, "runs", plan->sweep[k].label);
  pc_units_add(file, "runs", "status", "");
  for (int c = 0; c < runs->columns; c++) {
    const pc_runs_field *field = &runs->fields.at[runs->order[c]];
    pc_units_add(file, "runs", field->name, field->unit);
  }
  return pc_replace_end(file, error);
}

pc_status pc_runs_write_summary(const pc_runs *runs, pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  pc_replace *file = pc_replace_begin(runs->summary, &pc_runs_summary_own, error);
  if (file == NULL)
    return error->status;
  print_sweep_keys(file, plan);
  pc_replace_print(file, SUMMARY_HEAD "mean,deviation,interval_95,median,min,max,missing,pooled\n");
  for (int k = 0; k < plan->combinations; k++)
    for (int c = 0; c < runs->columns; c++) {
      const pc_runs_field *field = &runs->fields.at[runs->order[c]];
      pc_runs_statistics s = pc_runs_statistics_of(runs, k, c);
      char name[PC_CSV_NAME];
      const double numbers[] = {s.mean,  s.deviation, s.interval,        s.median,
                                s.least, s.most,      (double)s.missing, s.pooled};
      print_sweep_values(file, plan, k);
      pc_replace_print(file, "%s,", pc_csv_name(field->name, name));
      pc_replace_text(file, field->unit);
      pc_replace_print(file, ",%d", s.runs);
      for (int n = 0; n < 8; n++)
        print_number(file, numbers[n]);
      pc_replace_print(file, "\n");
    }
  return pc_replace_end(file, error);
}
