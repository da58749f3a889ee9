#include "run/variants.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "run/files.h"

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

static const char *keep(pc_variant *v, const char *text)
{
  return text != NULL ? pc_arena_copy(&v->memory, text, strlen(text) + 1, 1) : NULL;
}

static pc_variant *add(pc_variants *all, pc_error *error)
{
  pc_variant *v = pc_array_add(all);
  if (v == NULL)
    out_of_memory(error);
  return v;
}

static int ascending(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

// What follows from the runs.
static pc_status complete(pc_variant *v, pc_error *error)
{
  v->evacuation = pc_arena_take(&v->memory, (size_t)v->runs + 1, sizeof *v->evacuation);
  if (v->memory.failed)
    return out_of_memory(error);
  for (int i = 0; i < v->runs; i++) {
    pc_variant_run *run = &v->run[i];
    run->evacuation = run->inside > 0      ? INFINITY
                      : run->all.count > 0 ? run->all.time[run->all.count - 1]
                                           : 0;
    v->evacuation[i] = run->evacuation;
    v->complete += isfinite(run->evacuation);
  }
  qsort(v->evacuation, (size_t)v->runs, sizeof *v->evacuation, ascending);
  return PC_OK;
}

// A text of the record, in the memory of the variant; NULL: there is none.
static const char *take_text(pc_variant *v, pc_reading *reading, const char *name)
{
  char *text = pc_reading_has(reading, name) ? pc_reading_text(reading, name, NULL) : NULL;
  const char *kept = keep(v, text);
  free(text);
  return kept;
}

static void list_record_exits(pc_variant *v)
{
  const pc_recorded_crowd *c = &v->crowd;
  pc_variant_run *run = v->run;
  double *all = pc_arena_take(&v->memory, (size_t)c->exits + 1, sizeof *all);
  double *sorted = pc_arena_take(&v->memory, (size_t)c->exits + 1, sizeof *sorted);
  v->exit = pc_arena_take(&v->memory, (size_t)c->goals + 1, sizeof *v->exit);
  run->exit = pc_arena_take(&v->memory, (size_t)c->goals + 1, sizeof *run->exit);
  if (v->memory.failed)
    return;
  for (int i = 0; i < c->exits; i++)
    all[i] = c->exit[i].time;
  run->all = (pc_left){c->exits, all};
  for (int g = 0; g < c->goals; g++) {
    pc_left *left = &run->exit[v->exits];
    if (c->goal[g].kind != PC_GOAL_EXIT)
      continue;
    v->exit[v->exits++] = c->goal[g].name;
    left->time = sorted;
    for (int i = 0; i < c->exits; i++)
      if (c->exit[i].goal == g)
        sorted[left->count++] = c->exit[i].time;
    sorted += left->count;
  }
}

static pc_status read_detail(pc_variant *v, const char *path, pc_error *error)
{
  pc_status status = pc_recorded_crowd_open(path, &v->crowd, error);
  v->detailed = status == PC_OK;
  v->record = keep(v, path);
  return status;
}

static pc_status read_record(pc_variant *v, const char *path, pc_error *error)
{
  pc_status status = read_detail(v, path, error);
  if (status != PC_OK)
    return status;
  pc_reading *reading = v->crowd.bodies.reading;
  const char *hash = take_text(v, reading, "scene/hash");
  int64_t seed = 0;
  v->title = take_text(v, reading, "scene/title");
  v->file = take_text(v, reading, "scene/file");
  v->program = take_text(v, reading, "scene/program");
  v->text = take_text(v, reading, "scene/text");
  v->base = take_text(v, reading, "scene/base");
  v->changes = take_text(v, reading, "scene/changes");
  v->name = keep(v, pc_path_name(path));
  v->run = pc_arena_take(&v->memory, 1, sizeof *v->run);
  snprintf(v->hash, sizeof v->hash, "%s", hash != NULL ? hash : "");
  if (pc_reading_has(reading, "scene/seed")) {
    status = pc_reading_rows(reading, "scene/seed", 0, 1, PC_RECORD_LONG, &seed, error);
    v->seeded = status == PC_OK;
  }
  if (!v->memory.failed)
    list_record_exits(v);
  if (v->memory.failed)
    return out_of_memory(error);
  v->planned = v->runs = 1;
  v->run->number = 1;
  v->run->seed = (uint64_t)seed;
  v->run->people = v->crowd.people;
  v->run->inside = v->crowd.people > v->crowd.exits ? v->crowd.people - v->crowd.exits : 0;
  v->run->density = v->run->pressure = v->run->load = v->run->load_window = NAN;
  long steps = pc_reading_frames(reading, "steps");
  int32_t overcome = 0;
  if (status == PC_OK && steps > 0 && pc_reading_has(reading, "steps/incapacitated"))
    status = pc_reading_rows(reading, "steps/incapacitated", steps - 1, 1, PC_RECORD_INT, &overcome,
                             error);
  v->run->overcome = overcome;
  return status == PC_OK ? complete(v, error) : status;
}

pc_status pc_variants_add_record(pc_variants *all, const char *path, pc_error *error)
{
  pc_variant *v = add(all, error);
  return v != NULL ? read_record(v, path, error) : PC_ERROR_MEMORY;
}

static pc_left copy_sample(pc_variant *v, const pc_sample *sample)
{
  return (pc_left){sample->count, pc_arena_copy(&v->memory, sample->values, (size_t)sample->count,
                                                sizeof *sample->values)};
}

// A measured quantity of a member; NAN: none.
static double value_of(const pc_runs *runs, const pc_runs_slot *member, const char *name)
{
  for (int k = 0; k < member->count; k++)
    if (strcmp(runs->fields.at[member->field[k]].name, name) == 0)
      return member->value[k];
  return NAN;
}

static void copy_member(pc_variant *v, const pc_runs_file *file, int i)
{
  const pc_runs_slot *member = &file->runs->member[i];
  pc_variant_run *run = &v->run[v->runs];
  double people = value_of(file->runs, member, "people");
  double inside = value_of(file->runs, member, "inside");
  double overcome = value_of(file->runs, member, "incapacitated");
  *run = (pc_variant_run){.number = i + 1,
                          .seed = file->seed[i],
                          .people = isfinite(people) ? (int)people : 0,
                          .inside = isfinite(inside) ? (int)inside : 0,
                          .overcome = isfinite(overcome) ? (int)overcome : 0,
                          .density = value_of(file->runs, member, "density_largest"),
                          .pressure = value_of(file->runs, member, "pressure_largest"),
                          .load = value_of(file->runs, member, "load_largest"),
                          .load_window = value_of(file->runs, member, "load_window")};
  int exits = member->samples - 1; // the first is of all exits
  run->exit = pc_arena_take(&v->memory, (size_t)member->samples + 1, sizeof *run->exit);
  if (v->exit == NULL)
    v->exit = pc_arena_take(&v->memory, (size_t)member->samples + 1, sizeof *v->exit);
  if (v->memory.failed || exits < 0)
    return;
  run->all = copy_sample(v, &member->sample[0]);
  for (int k = 0; k < exits && (v->runs == 0 || k < v->exits); k++) {
    run->exit[k] = copy_sample(v, &member->sample[k + 1]);
    if (v->runs == 0)
      v->exit[v->exits++] = keep(v, member->sample[k + 1].group);
  }
  v->runs++;
}

// The record of the first run of these, if it was kept and is of the same scene.
static pc_status find_detail(pc_variant *v, const pc_runs_file *file, int first, const char *stem,
                             pc_error *error)
{
  size_t size = strlen(stem) + 20;
  char *name = malloc(size);
  if (name == NULL)
    return out_of_memory(error);
  snprintf(name, size, "%s-%0*d.h5", stem, file->plan.plan.members > 9999 ? 7 : 4, first + 1);
  pc_status status = PC_OK;
  if (access(name, R_OK) == 0)
    status = read_detail(v, name, error);
  free(name);
  if (!v->detailed || status != PC_OK)
    return status;
  char *hash = pc_reading_text(v->crowd.bodies.reading, "scene/hash", NULL);
  if (hash == NULL || strcmp(hash, v->hash) != 0) {
    pc_recorded_crowd_free(&v->crowd);
    v->detailed = false;
  }
  free(hash);
  return PC_OK;
}

static pc_status read_combination(pc_variant *v, const pc_runs_file *file, int combination,
                                  const char *stem, pc_error *error)
{
  const pc_scene_plan *plan = &file->plan.plan;
  int first = combination * plan->runs;
  v->title = keep(v, file->title);
  v->file = keep(v, file->file);
  v->program = keep(v, file->program);
  v->text = keep(v, file->text);
  v->name = keep(v, plan->combinations > 1 ? file->label[combination] : pc_path_name(stem));
  v->run = pc_arena_take(&v->memory, (size_t)plan->runs + 1, sizeof *v->run);
  v->planned = plan->runs;
  v->seeded = true;
  snprintf(v->hash, sizeof v->hash, "%016" PRIx64, file->hash);
  for (int i = first; i < first + plan->runs && !v->memory.failed; i++)
    if (pc_runs_member_state(&file->runs->member[i]) == PC_MEMBER_FINISHED)
      copy_member(v, file, i);
  if (v->memory.failed)
    return out_of_memory(error);
  pc_status status = find_detail(v, file, first, stem, error);
  return status == PC_OK ? complete(v, error) : status;
}

pc_status pc_variants_add_runs(pc_variants *all, const char *checkpoint, pc_error *error)
{
  static const char ending[] = "-runs.checkpoint";
  pc_runs_file file;
  char *stem = strdup(checkpoint);
  pc_status status = stem != NULL ? pc_runs_open(checkpoint, &file, error) : out_of_memory(error);
  if (stem == NULL)
    return status;
  stem[pc_path_stem(checkpoint, ending)] = 0;
  if (status == PC_OK && strcmp(file.kind, "crowd") != 0)
    status = pc_fail(error, PC_ERROR_INPUT, "%s: not the runs of a crowd", checkpoint);
  for (int c = 0; status == PC_OK && c < file.plan.plan.combinations; c++) {
    pc_variant *v = add(all, error);
    status = v != NULL ? read_combination(v, &file, c, stem, error) : PC_ERROR_MEMORY;
    if (status == PC_OK && v->runs == 0)
      status = pc_fail(error, PC_ERROR_INPUT, "%s: no run has finished", checkpoint);
  }
  pc_runs_file_free(&file);
  free(stem);
  return status;
}

void pc_variants_free(pc_variants *all)
{
  for (int i = 0; i < all->count; i++) {
    pc_recorded_crowd_free(&all->at[i].crowd);
    pc_arena_free(&all->at[i].memory);
  }
  pc_array_free(all);
}

pc_status pc_variant_statistics(const pc_variant *v, pc_variant_value *value, int which,
                                pc_statistics *statistics, pc_error *error)
{
  double *list = calloc((size_t)v->runs + 1, sizeof *list);
  if (list == NULL)
    return out_of_memory(error);
  for (int i = 0; i < v->runs; i++) {
    double number = value(&v->run[i], which);
    list[i] = isfinite(number) ? number : NAN;
  }
  *statistics = pc_statistics_of(v->runs, list);
  free(list);
  return PC_OK;
}

pc_bounded pc_variant_quantile(const pc_variant *v, double p)
{
  int low, high;
  pc_quantile_interval(v->runs, p, &low, &high);
  return (pc_bounded){.value = pc_quantile(v->runs, v->evacuation, p),
                      .low = low >= 0 ? v->evacuation[low] : NAN,
                      .high = high < v->runs ? v->evacuation[high] : INFINITY};
}
