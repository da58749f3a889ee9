// What people know and see: exits that they do not know are taken once they, or a sign to them,
// come into sight.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

static const double LIT = 8.0 / 3; // signs that are lit are seen through so much more smoke (Jin)

enum { MOST = 64 }; // exits of a choice of which only some are known

int pc_crowd_add_sign(pc_crowd *crowd, const pc_sign_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL)
    return pc_crowd_reject(crowd, "the definition of a sign must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->goal < 0 || def->goal >= crowd->targets.count || !isfinite(def->place[0]) ||
      !isfinite(def->place[1]))
    return pc_crowd_reject(crowd, "a sign needs a place and an existing goal");
  pc_sign_def *own = pc_array_add(&crowd->signs);
  if (own == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *own = *def;
  return crowd->signs.count - 1;
}

pc_status pc_crowd_set_known(pc_crowd *crowd, int number, int count, const int *goals)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (number < 0 || number >= crowd->people || goals == NULL || count < 1)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a person must know at least one goal");
  pc_person *person = &crowd->person[number];
  const pc_target *target = &crowd->targets.at[person->def.goal];
  if (target->kind != PC_TARGET_CHOICE || target->members > MOST || crowd->choosing == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "what is known needs a choice of at most %d goals, and a crowd whose "
                         "people choose",
                         MOST);
  uint64_t unknown = target->members < MOST ? ((uint64_t)1 << target->members) - 1 : UINT64_MAX;
  bool reached = person->def.source >= 0;
  for (int i = 0; i < count; i++) {
    int k = 0;
    while (k < target->members && target->member[k] != goals[i])
      k++;
    if (k == target->members)
      return pc_crowd_fail_about(crowd, -1, goals[i], -1,
                                 PC_THE_GOAL " is not among those to choose from");
    unknown &= ~((uint64_t)1 << k);
    reached |= isfinite(pc_routes_time(crowd, goals[i], pc_ability(&person->def), person->floor,
                                       person->def.position));
  }
  if (!reached)
    return pc_crowd_fail_about(crowd, person->floor, goals[0], -1,
                               "there is no way from (%g, %g)" PC_ON_FLOOR " to " PC_THE_GOAL,
                               person->def.position[0], person->def.position[1]);
  person->unknown = unknown;
  pc_person_aim(crowd, number, person->goal);
  return PC_OK;
}

static bool door_bars(const pc_crowd *crowd, int floor, const double p[2], const double q[2])
{
  for (int i = 0; i < crowd->doors.count; i++) {
    const pc_door *door = &crowd->doors.at[i];
    if (door->floor != floor || door->is_open)
      continue;
    for (int k = 0; k + 1 < door->count; k++) {
      double line[4];
      memcpy(line, door->point[k], sizeof line);
      if (pc_lines_meet(p, q, line))
        return true;
    }
  }
  return false;
}

// Whether a place can be seen from another, up to just before it: exits have doors.
static bool sees(const pc_crowd *crowd, int floor, const double p[2], const double at[2],
                 double depth)
{
  const double before = 0.01; // m
  double away = pc_hypot(at[0] - p[0], at[1] - p[1]), q[2];
  if (away > crowd->def.sight)
    return false;
  for (int k = 0; k < 2; k++)
    q[k] = at[k] + fmin(1, before / away) * (p[k] - at[k]);
  return away <= before ||
         (!pc_layout_bars(&crowd->floors.at[floor].plan, p, q) && !door_bars(crowd, floor, p, q) &&
          !(pc_hazards_depth(crowd, floor, p, q, pc_world_time(crowd->world)) > depth));
}

static bool sees_goal(const pc_crowd *crowd, int floor, const double p[2], int goal)
{
  enum { PARTS = 4 };
  const pc_target *target = &crowd->targets.at[goal];
  double depth = crowd->def.contrast;
  bool any = target->floor == floor && target->kind == PC_TARGET_AREA &&
             sees(crowd, floor, p, target->middle, depth);
  for (int i = 1; i < PARTS && target->floor == floor && target->kind == PC_TARGET_EXIT && !any;
       i++) {
    double at[2];
    for (int k = 0; k < 2; k++)
      at[k] = target->point[0][k] + (target->point[1][k] - target->point[0][k]) * i / PARTS;
    any = sees(crowd, floor, p, at, depth);
  }
  for (int i = 0; i < crowd->signs.count && !any; i++) {
    const pc_sign_def *sign = &crowd->signs.at[i];
    any = sign->floor == floor && sign->goal == goal &&
          sees(crowd, floor, p, sign->place, sign->lit ? LIT * depth : depth);
  }
  return any;
}

void pc_sight_look(pc_crowd *crowd, int number)
{
  pc_person *person = &crowd->person[number];
  const pc_target *target = &crowd->targets.at[person->def.goal];
  double p[2] = {crowd->place[number][0] - crowd->floors.at[person->floor].offset,
                 crowd->place[number][1]};
  for (int k = 0; k < target->members && person->unknown != 0; k++)
    if (person->unknown >> k & 1 && sees_goal(crowd, person->floor, p, target->member[k]))
      person->unknown &= ~((uint64_t)1 << k);
}
