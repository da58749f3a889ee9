// Forces that keep groups together, as proposed by other authors, for comparison with held hands.
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

pc_group_def pc_group_def_default(pc_group_kind kind)
{
  return (pc_group_def){.kind = kind,
                        .gaze = 4,
                        .attraction = 3,
                        .repulsion = 1,
                        .spacing = 0.8,
                        .distance = kind == PC_GROUP_WAIT ? 2 : 0.7,
                        .rate = 0.15};
}

int pc_crowd_add_group(pc_crowd *crowd, const pc_group_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL || def->people == NULL)
    return pc_crowd_reject(crowd, "the people of a group must not be NULL");
  if ((unsigned)def->kind > PC_GROUP_WAIT)
    return pc_crowd_reject(crowd, "unknown kind of group");
  if (def->kind == PC_GROUP_WAIT && !(def->distance > 0))
    return pc_crowd_reject(crowd, "the distance of a group must be positive");
  bool sound = def->count > 1;
  for (int i = 0; i < def->count && sound; i++)
    sound = def->people[i] >= 0 && def->people[i] < crowd->people &&
            crowd->person[def->people[i]].group < 0;
  if (!sound)
    return pc_crowd_reject(crowd,
                           "a group needs at least two people, who must not be in another group");
  const int *people = pc_arena_copy(&crowd->arena, def->people, def->count, sizeof *people);
  pc_group_def *group = people != NULL ? pc_array_add(&crowd->groups) : NULL;
  if (group == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *group = *def;
  group->people = people;
  for (int i = 0; i < def->count; i++) {
    crowd->person[people[i]].group = crowd->groups.count - 1;
    crowd->leader[people[i]] = pc_leader_of(crowd, people[0]);
    pc_walker_set(crowd, people[i]);
  }
  if (def->kind == PC_GROUP_WAIT)
    pc_company_gather(crowd, group);
  return crowd->groups.count - 1;
}

// Whether another of the group is there, on the same floor.
static bool is_with(const pc_crowd *crowd, int i, int j)
{
  return j != i && crowd->there[j] && crowd->person[j].floor == crowd->person[i].floor;
}

static void push_moussaid(const pc_crowd *crowd, const pc_group_def *def, int i, double a[2])
{
  const double right = 1.57079632679489661923;
  const double *p = crowd->place[i], *v = crowd->velocity[i];
  double middle[2] = {0, 0};
  int others = 0;
  for (int m = 0; m < def->count; m++) {
    int j = def->people[m];
    if (!is_with(crowd, i, j))
      continue;
    double d[2] = {crowd->place[j][0] - p[0], crowd->place[j][1] - p[1]};
    double away = pc_hypot(d[0], d[1]);
    others++;
    for (int k = 0; k < 2; k++) {
      middle[k] += d[k];
      if (away > 0 && away < def->spacing)
        a[k] -= def->repulsion * d[k] / away;
    }
  }
  double away = pc_hypot(middle[0], middle[1]) / others, size = pc_hypot(v[0], v[1]);
  if (others == 0 || !(away > 0))
    return;
  double cosine = (v[0] * middle[0] + v[1] * middle[1]) / (size * away * others);
  double alpha = size > 0 ? fmax(0, pc_acos(fmin(1, fmax(-1, cosine))) - right) : 0;
  for (int k = 0; k < 2; k++) {
    a[k] -= def->gaze * alpha * v[k];
    if (away > 0.5 * others) // (n - 1) / 2 for a group of n
      a[k] += def->attraction * middle[k] / (away * others);
  }
}

static void push_singh(const pc_crowd *crowd, const pc_group_def *def, int i, double a[2])
{
  int leader = def->people[0], place = 0;
  const double *v = crowd->velocity[leader];
  double speed = pc_hypot(v[0], v[1]);
  while (place < def->count && def->people[place] != i)
    place++;
  if (!is_with(crowd, i, leader) || !(speed > 0))
    return;
  // To the left, to the right, farther left...
  double side = (place % 2 == 1 ? 1 : -1) * def->distance * ((place + 1) / 2);
  double to[2] = {crowd->place[leader][0] - side * v[1] / speed,
                  crowd->place[leader][1] + side * v[0] / speed};
  for (int k = 0; k < 2; k++)
    a[k] += def->rate * (to[k] - crowd->place[i][k]) / crowd->person[i].def.relaxation;
}

void pc_group_push(const pc_crowd *crowd, int i, double force[6])
{
  const pc_person *person = &crowd->person[i];
  const pc_group_def *def = &crowd->groups.at[person->group];
  double a[2] = {0, 0};
  if (def->kind == PC_GROUP_MOUSSAID)
    push_moussaid(crowd, def, i, a);
  else if (def->kind == PC_GROUP_SINGH)
    push_singh(crowd, def, i, a);
  for (int k = 0; k < 2; k++)
    force[k] += person->def.mass * a[k];
}
