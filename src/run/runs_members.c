// The members of many runs and the fields of their table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "run/runs.h"

int pc_runs_total(const pc_runs *runs)
{
  return runs->scene->plan.members;
}

static uint64_t seed_of(const pc_runs *runs, int i)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  uint64_t seed = runs->scene->seed;
  for (int k = 0; k < plan->sweeps; k++)
    if (strcmp(plan->sweep[k].key, "seed") == 0)
      seed =
          strtoull(plan->sweep[k].values[pc_scene_plan_value(plan, i / plan->runs, k)], NULL, 10);
  return seed + (uint64_t)(i % plan->runs);
}

pc_member_state pc_runs_member_state(const pc_runs_slot *member)
{
  int state = atomic_load(&member->state);
  return state == PC_RUN_FINISHED ? PC_MEMBER_FINISHED
         : state == PC_RUN_FAILED ? PC_MEMBER_FAILED
                                  : PC_MEMBER_WAITING;
}

char *pc_runs_record_name(const pc_runs *runs, int i)
{
  int digits = pc_runs_total(runs) > 9999 ? 7 : 4;
  size_t size = strlen(runs->stem) + 16;
  char *name = malloc(size);
  if (name != NULL)
    snprintf(name, size, "%s-%0*d.h5", runs->stem, digits, i + 1);
  return name;
}

pc_member pc_runs_member(const pc_runs *runs, int i)
{
  if (runs == NULL || i < 0 || i >= pc_runs_total(runs))
    return (pc_member){0};
  pc_member_state state = pc_runs_member_state(&runs->member[i]);
  return (pc_member){.number = i + 1,
                     .combination = i / runs->scene->plan.runs,
                     .seed = seed_of(runs, i),
                     .state = state,
                     .hash = state == PC_MEMBER_FINISHED ? runs->member[i].hash : 0,
                     .error = state != PC_MEMBER_FAILED       ? NULL
                              : runs->member[i].error != NULL ? runs->member[i].error
                                                              : "out of memory"};
}

int pc_runs_find_field(pc_runs *runs, const char *name, const pc_runs_field *like, int hint)
{
  if (hint < runs->fields.count && strcmp(runs->fields.at[hint].name, name) == 0)
    return hint;
  for (int i = 0; i < runs->fields.count; i++)
    if (strcmp(runs->fields.at[i].name, name) == 0)
      return i;
  if (!pc_array_reserve(&runs->fields, runs->fields.count + 1))
    return -1;
  pc_runs_field field = *like;
  field.name = strdup(name);
  field.unit = strdup(like->unit != NULL ? like->unit : "");
  if (field.name == NULL || field.unit == NULL) {
    free(field.name);
    free(field.unit);
    return -1;
  }
  runs->fields.at[runs->fields.count] = field;
  return runs->fields.count++;
}
