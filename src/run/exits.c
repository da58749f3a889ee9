// Exit times of a crowd, and flows.
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "percuss/crowd_measures.h"
#include "percuss/run.h"
#include "record/replace.h"
#include "run/crowd_files.h"
#include "run/files.h"
#include "run/measure.h"

typedef struct leaving {
  double time;
  int person, exit;
} leaving;

static int by_time(const void *a, const void *b)
{
  const leaving *one = a, *two = b;
  if (one->time != two->time)
    return one->time < two->time ? -1 : 1;
  return (one->person > two->person) - (one->person < two->person);
}

// People who left by this goal, or by any (-1), in order of time; the caller frees the list.
static leaving *list_exits(const pc_scene *scene, int goal, int *count)
{
  int people = pc_crowd_people(scene->crowd);
  leaving *list = calloc((size_t)people + 1, sizeof *list);
  *count = 0;
  for (int i = 0; i < people && list != NULL; i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    if (state.exit >= 0 && (goal < 0 || state.exit == goal))
      list[(*count)++] = (leaving){state.exit_time, i, state.exit};
  }
  if (list != NULL)
    qsort(list, (size_t)*count, sizeof *list, by_time);
  return list;
}

pc_status pc_exit_times(const pc_scene *scene, int goal, double **times, int *count,
                        pc_error *error)
{
  leaving *list = list_exits(scene, goal, count);
  *times = calloc((size_t)*count + 1, sizeof **times);
  for (int i = 0; i < *count && list != NULL && *times != NULL; i++)
    (*times)[i] = list[i].time;
  bool whole = list != NULL && *times != NULL;
  free(list);
  if (whole)
    return PC_OK;
  free(*times);
  *times = NULL;
  *count = 0;
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

pc_status pc_run_exit(const pc_scene *scene, int goal, pc_exit_summary *summary, pc_error *error)
{
  if (scene == NULL || summary == NULL)
    return pc_fail_null(error, "the scene and the summary");
  if (scene->crowd == NULL || goal < -1 || goal >= scene->people.goals)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the scene has no crowd, or no goal %d", goal);
  *summary = (pc_exit_summary){.last = NAN,
                               .mean = NAN,
                               .flow = NAN,
                               .slope = NAN,
                               .trimmed = NAN,
                               .origin = NAN,
                               .between = NAN};
  int count;
  double *time, sum = 0;
  pc_status status = pc_exit_times(scene, goal, &time, &count, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < count; i++)
    sum += time[i];
  summary->out = count;
  if (count > 0) {
    summary->last = time[count - 1];
    summary->mean = sum / count;
  }
  pc_crowd_flow flow;
  if (count > 1 && time[count - 1] > time[0]) {
    int start[] = {0, count};
    status = pc_crowd_measure_flow(1, start, time, NULL, &flow, error);
    if (status == PC_OK) {
      summary->flow = flow.robust;
      summary->slope = flow.per_run;
      summary->origin = flow.origin;
      summary->between = flow.between;
      summary->trimmed = count > 7 ? flow.trimmed : NAN;
    }
  }
  free(time);
  return status;
}

pc_status pc_exits_write(const char *path, const pc_scene *scene, pc_error *error)
{
  const pc_scene_people *people = &scene->people;
  int count, first = pc_crowd_body(scene->crowd, 0).id - 1;
  leaving *list = list_exits(scene, -1, &count);
  if (list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_replace *file = pc_replace_begin(path, pc_run_exits.own, error);
  if (file == NULL) {
    free(list);
    return error->status;
  }
  pc_run_write_head(file, &pc_run_exits, scene);
  for (int i = 0; i < count; i++) {
    pc_person_state state;
    pc_person_def def = pc_crowd_person_def(scene->crowd, list[i].person);
    pc_crowd_person(scene->crowd, list[i].person, &state);
    pc_replace_text(file, scene->names[first + list[i].person]);
    pc_replace_print(file, ",");
    pc_replace_text(file, people->group_names[people->group[list[i].person]]);
    pc_replace_print(file, ",");
    pc_replace_text(file, people->goal[list[i].exit].name);
    pc_replace_print(file, ",");
    pc_replace_number(file, list[i].time, ',');
    pc_replace_text(file, people->floor_names[def.floor]);
    pc_replace_print(file, ",");
    pc_replace_number(file, def.position[0], ',');
    pc_replace_number(file, def.position[1], ',');
    pc_replace_number(file, state.push_largest, ',');
    pc_replace_number(file, state.entry_time, ',');
    pc_replace_number(file, state.load_largest, '\n');
  }
  free(list);
  return pc_replace_end(file, error);
}
