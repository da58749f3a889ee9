#include "run/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "percuss/crowd_measures.h"
#include "run/simulation.h"

static bool has_quantity(const pc_quantities *q, const char *name)
{
  for (int i = 0; i < q->list.count; i++)
    if (strcmp(q->list.at[i].name, name) == 0)
      return true;
  return false;
}

// Of the run: the order of these quantities is part of the format. Lines of the energy balance that
// are not among them follow.
static void add_run(pc_quantities *q, const pc_run_summary *s, const char *energy)
{
#define LINE(summary)                                                                              \
  {                                                                                                \
    .name = #summary, .unit = energy, .value = s->summary                                          \
  }
  const pc_quantity all[] = {
      {.name = "time", .unit = "s", .value = s->time},
      {.name = "steps", .value = (double)s->steps, .whole = true},
      {.name = "bodies", .value = s->bodies, .whole = true},
      {.name = "contacts_total", .value = (double)s->contacts_total, .whole = true},
      {.name = "contacts_largest", .value = s->contacts_largest, .whole = true},
      {.name = "steps_inaccurate", .value = (double)s->steps_inaccurate, .whole = true},
      {.name = "steps_open", .value = (double)s->steps_open, .whole = true},
      {.name = "steps_calmed", .value = (double)s->steps_calmed, .whole = true},
      {.name = "lost", .value = s->lost, .whole = true},
      {.name = "asleep", .value = s->asleep, .whole = true},
      {.name = "residual_largest", .value = s->residual_largest},
      {.name = "contact_error_largest", .unit = "m", .value = s->contact_error_largest},
      {.name = "velocity_error_largest", .unit = "m/s", .value = s->velocity_error_largest},
      {.name = "accuracy", .unit = "m", .value = s->accuracy},
      {.name = "audit_largest", .value = s->audit_largest},
      {.name = "deepest", .unit = "m", .value = s->deepest},
      LINE(kinetic_start),
      LINE(potential_start),
      LINE(stored_start),
      LINE(work_prescribed),
      LINE(work_forces),
      LINE(kinetic),
      LINE(potential),
      LINE(stored),
      LINE(dissipated),
      LINE(frozen),
      LINE(correction),
      {.name = "drift", .value = s->drift},
      {.name = "overlap_end", .unit = "m", .value = s->overlap_end},
      {.name = "overlap_relative", .value = s->overlap_relative},
      LINE(turnover),
      LINE(given_by_laws),
      LINE(separating),
      LINE(stored_error),
      LINE(given_by_events),
  };
  pc_quantities_add_all(q, PC_COUNT(all), all, PC_OF_RUN, "");
  for (int i = 0; i < PC_BALANCE_COUNT; i++) {
    const pc_quantity line = {
        .name = pc_balance[i].summary, .unit = energy, .value = pc_run_line(s, i)};
    if (line.name != NULL && !has_quantity(q, line.name))
      pc_quantities_add(q, &line, PC_OF_RUN, "");
  }
}

pc_status pc_run_measure(const pc_scene *scene, const pc_run_summary *summary, pc_quantity **list,
                         int *count, pc_error *error)
{
  if (list != NULL)
    *list = NULL;
  if (count != NULL)
    *count = 0;
  if (scene == NULL || summary == NULL || list == NULL || count == NULL)
    return pc_fail_null(error, "the scene, the summary, the list and its count");
  pc_quantities q = {0};
  const pc_simulation_kind *kind = pc_simulation_kind_of(scene);
  if (!kind->instant)
    add_run(&q, summary, pc_energy_unit(scene));
  pc_status status = kind->measure(scene, summary, &q, error);
  *list = q.list.at;
  *count = q.list.count;
  if (status == PC_OK && q.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return status;
}

pc_status pc_run_samples(const pc_scene *scene, pc_sample **list, int *count, pc_error *error)
{
  int goals = scene->crowd != NULL ? scene->people.goals : -1;
  *count = 0;
  *list = goals >= 0 ? calloc((size_t)goals + 1, sizeof **list) : NULL;
  if (goals >= 0 && *list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = PC_OK;
  for (int i = -1; i < goals && status == PC_OK; i++) {
    if (i >= 0 && scene->people.goal[i].kind != PC_GOAL_EXIT)
      continue;
    pc_sample *sample = *list + (*count)++;
    snprintf(sample->group, sizeof sample->group, "%.79s",
             i < 0 ? "all exits" : scene->people.goal[i].name);
    status = pc_exit_times(scene, i, &sample->values, &sample->count, error);
  }
  return status;
}

void pc_samples_free(pc_sample *list, int count)
{
  for (int i = 0; i < count; i++)
    free(list[i].values);
  free(list);
}

pc_status pc_run_pool(int runs, const int *start, const double *values, pc_pooled out[PC_POOLED],
                      pc_error *error)
{
  pc_crowd_flow flow;
  pc_status status = pc_crowd_measure_flow(runs, start, values, NULL, &flow, error);
  out[0] = (pc_pooled){"flow_slope", status == PC_OK ? flow.pooled : NAN};
  out[1] = (pc_pooled){"flow_origin", status == PC_OK ? flow.origin : NAN};
  return status;
}
