// Groups whose members wait for each other: they start when the last is ready, walk at the pace of
// the slowest, and those ahead wait for those behind.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"

static const double EVERY = 0.25; // s, between looks at each other

static bool is_in(const pc_crowd *crowd, const pc_group_def *def, int i)
{
  const pc_person *person = &crowd->person[i];
  return crowd->there[i] && person->dose < crowd->def.dose &&
         person->goal == crowd->person[def->people[0]].goal;
}

// What is left of the way of a member, m at the speed on free ground.
static double way_left(const pc_crowd *crowd, int i)
{
  const pc_walker *walker = &crowd->walker[i];
  const pc_field *fields = pc_fields_of(&crowd->targets.at[walker->goal], walker->ability);
  double p[2] = {crowd->place[i][0] - crowd->floors.at[walker->floor].offset, crowd->place[i][1]};
  if (fields == NULL || fields[walker->floor].time == NULL)
    return INFINITY;
  return pc_field_time(&fields[walker->floor], p);
}

static void set_paces(pc_crowd *crowd, const pc_group_def *def)
{
  double slowest = INFINITY, most = -INFINITY, second = -INFINITY;
  int last = -1;
  for (int m = 0; m < def->count; m++) {
    int i = def->people[m];
    double left = is_in(crowd, def, i) ? way_left(crowd, i) : INFINITY;
    if (!isfinite(left))
      continue;
    slowest = fmin(slowest, crowd->person[i].def.speed * (1 - (double)crowd->person[i].smoke));
    if (left > most) {
      second = most;
      most = left;
      last = i;
    } else
      second = fmax(second, left);
  }
  for (int m = 0; m < def->count; m++) {
    int i = def->people[m];
    pc_person *person = &crowd->person[i];
    double left = is_in(crowd, def, i) ? way_left(crowd, i) : INFINITY, pace = 1;
    double own = person->def.speed * (1 - (double)person->smoke);
    bool behind = i == last && most - second > def->distance;
    if (isfinite(left) && own > 0 && !behind)
      pace = slowest / own * fmax(0, fmin(1, 2 - (most - left) / def->distance));
    person->company = (float)(1 - pace);
    pc_walker_set(crowd, i);
  }
}

static bool any_waits(const pc_crowd *crowd)
{
  bool any = false;
  for (int g = 0; g < crowd->groups.count && !any; g++)
    any = crowd->groups.at[g].kind == PC_GROUP_WAIT;
  return any;
}

void pc_company_look(pc_crowd *crowd, double time)
{
  if (!any_waits(crowd) || (crowd->paced > 0 && time < crowd->paced + EVERY - 1e-9))
    return;
  crowd->paced = time;
  for (int g = 0; g < crowd->groups.count; g++)
    if (crowd->groups.at[g].kind == PC_GROUP_WAIT)
      set_paces(crowd, &crowd->groups.at[g]);
}

// Nobody starts before all are ready.
void pc_company_gather(pc_crowd *crowd, const pc_group_def *def)
{
  double ready = 0;
  for (int m = 0; m < def->count; m++)
    ready = fmax(ready, crowd->person[def->people[m]].def.response);
  for (int m = 0; m < def->count; m++) {
    pc_person *person = &crowd->person[def->people[m]];
    person->resume = fmax(person->resume, ready);
    pc_walker_set(crowd, def->people[m]);
  }
}

size_t pc_company_save(const pc_crowd *crowd, char *to)
{
  if (!any_waits(crowd))
    return 0;
  if (to != NULL)
    memcpy(to, &crowd->paced, sizeof crowd->paced);
  return sizeof crowd->paced;
}

void pc_company_load(pc_crowd *crowd, const char *from)
{
  if (any_waits(crowd))
    memcpy(&crowd->paced, from, sizeof crowd->paced);
}
