// The parts of a building before it is finished: floors, walls, goals, zones.
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

int pc_crowd_add_floor(pc_crowd *crowd)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (crowd->finished)
    return pc_crowd_reject(crowd, "the building is finished; nothing can be added to it");
  if (pc_array_add(&crowd->floors) == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  return crowd->floors.count - 1;
}

pc_status pc_check_floor(pc_crowd *crowd, int floor)
{
  if (crowd->finished)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "the building is finished; nothing can be added to it");
  if (floor < 0 || floor >= crowd->floors.count)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "unknown floor %d", floor);
  return PC_OK;
}

pc_status pc_crowd_add_wall(pc_crowd *crowd, int floor, pc_wall_kind kind, int count,
                            const double (*points)[2])
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if ((unsigned)kind > PC_WALL_OUTLINE)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "unknown kind of wall");
  if (points == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the points of a wall must not be NULL");
  static const pc_outline_kind outline[] = {PC_LINE_WALL, PC_AREA_SOLID, PC_AREA_WALKABLE};
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK ? status
                         : pc_layout_add(&crowd->floors.at[floor].plan, outline[kind], count,
                                         points, &crowd->error);
}

pc_status pc_crowd_add_pillar(pc_crowd *crowd, int floor, const double centre[2], double radius)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (centre == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the centre of a pillar must not be NULL");
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK
             ? status
             : pc_layout_add_disc(&crowd->floors.at[floor].plan, centre, radius, &crowd->error);
}

// A target with these points (may be none) at the end of the list; NULL if it failed.
static pc_target *add_target(pc_crowd *crowd, pc_target_kind kind, int floor, int count,
                             const double (*points)[2])
{
  double(*point)[2] = pc_arena_copy(&crowd->arena, points, count, sizeof *point);
  pc_target *target = crowd->arena.failed ? NULL : pc_array_add(&crowd->targets);
  if (target == NULL) {
    pc_crowd_out_of_memory(crowd);
    return NULL;
  }
  *target = (pc_target){.kind = kind, .floor = floor, .count = count, .point = point};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      target->middle[k] += points[i][k] / count;
  return target;
}

int pc_crowd_add_exit(pc_crowd *crowd, const pc_exit_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL)
    return pc_crowd_reject(crowd, "the definition of an exit must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  const double *a = def->line[0], *b = def->line[1];
  double length = pc_hypot(b[0] - a[0], b[1] - a[1]);
  if (def->reenters && (def->source < 0 || def->source >= crowd->sources.count))
    return pc_crowd_reject(crowd, "unknown source %d", def->source);
  if (!(length > 0) || !isfinite(length))
    return pc_crowd_reject(crowd, "an exit needs two different points");
  pc_target *target = add_target(crowd, PC_TARGET_EXIT, def->floor, 2, def->line);
  if (target == NULL)
    return -1;
  target->at_front = def->at_front;
  target->reenters = def->reenters;
  target->source = def->source;
  return crowd->targets.count - 1;
}

int pc_crowd_add_area(pc_crowd *crowd, int floor, int count, const double (*points)[2])
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (points == NULL)
    return pc_crowd_reject(crowd, "the points of an area must not be NULL");
  if (pc_check_floor(crowd, floor) != PC_OK)
    return -1;
  if (count < 3)
    return pc_crowd_reject(crowd, "an area needs at least 3 points");
  pc_target *target = add_target(crowd, PC_TARGET_AREA, floor, count, points);
  return target != NULL ? crowd->targets.count - 1 : -1;
}

int pc_crowd_add_choice(pc_crowd *crowd, int count, const int *goals)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (goals == NULL)
    return pc_crowd_reject(crowd, "the goals of a choice must not be NULL");
  for (int i = 0; i < count; i++)
    if (goals[i] < 0 || goals[i] >= crowd->targets.count ||
        crowd->targets.at[goals[i]].kind == PC_TARGET_CHOICE)
      return pc_crowd_reject(crowd, "a choice must be between exits and areas");
  if (count < 1 || crowd->finished)
    return pc_crowd_reject(crowd, "add choices before the building is finished");
  int *member = pc_arena_copy(&crowd->arena, goals, count, sizeof *member);
  pc_target *target = add_target(crowd, PC_TARGET_CHOICE, -1, 0, NULL);
  if (target == NULL)
    return -1;
  target->member = member;
  target->members = count;
  return crowd->targets.count - 1;
}

pc_status pc_crowd_add_slow_zone(pc_crowd *crowd, int floor, int count, const double (*points)[2],
                                 double speed)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (points == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the points of a slow zone must not be NULL");
  enum { MOST = 255 };
  pc_status status = pc_check_floor(crowd, floor);
  if (status != PC_OK)
    return status;
  pc_floor *own = &crowd->floors.at[floor];
  if (count < 3 || !(speed >= 0) || own->zones.count >= MOST)
    return pc_crowd_fail(
        crowd, PC_ERROR_ARGUMENT,
        "a slow zone needs at least 3 points and a speed, and a floor can have at most %d zones",
        MOST);
  double(*point)[2] = pc_arena_copy(&crowd->arena, points, count, sizeof *point);
  pc_zone *zone = point != NULL ? pc_array_add(&own->zones) : NULL;
  if (zone == NULL)
    return pc_crowd_out_of_memory(crowd);
  *zone = (pc_zone){.point = point, .count = count, .speed = speed};
  return PC_OK;
}
