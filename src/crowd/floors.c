// The parts of a building before it is finished: floors, walls, goals, zones.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"

int pc_crowd_add_floor(pc_crowd *crowd)
{
  if (crowd->finished) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the building is finished: nothing can be added");
    return -1;
  }
  if (!pc_array_reserve(&crowd->floors, crowd->floors.count + 1)) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  crowd->floors.at[crowd->floors.count] = (pc_floor){0};
  return crowd->floors.count++;
}

pc_status pc_check_floor(pc_crowd *crowd, int floor)
{
  if (crowd->finished)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "the building is finished: nothing can be added");
  if (floor < 0 || floor >= crowd->floors.count)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "there is no floor %d", floor);
  return PC_OK;
}

pc_status pc_crowd_add_wall(pc_crowd *crowd, int floor, pc_wall_kind kind, int count,
                            const double (*points)[2])
{
  static const pc_outline_kind outline[] = {PC_LINE_WALL, PC_AREA_SOLID, PC_AREA_WALKABLE};
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK ? status
                         : pc_layout_add(&crowd->floors.at[floor].plan, outline[kind], count,
                                         points, &crowd->error);
}

pc_status pc_crowd_add_pillar(pc_crowd *crowd, int floor, const double centre[2], double radius)
{
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK
             ? status
             : pc_layout_add_disc(&crowd->floors.at[floor].plan, centre, radius, &crowd->error);
}

double (*pc_copy_points(int count, const double (*points)[2]))[2]
{
  double(*copy)[2] = calloc((size_t)count + 1, sizeof *copy);
  if (copy != NULL && count > 0)
    memcpy(copy, points, (size_t)count * sizeof *copy);
  return copy;
}

// A target with these points (may be none) at the end of the list; NULL if it failed.
static pc_target *add_target(pc_crowd *crowd, pc_target_kind kind, int floor, int count,
                             const double (*points)[2])
{
  if (!pc_array_reserve(&crowd->targets, crowd->targets.count + 1)) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  pc_target *target = &crowd->targets.at[crowd->targets.count];
  *target = (pc_target){.kind = kind, .floor = floor, .count = count};
  target->point = pc_copy_points(count, points);
  if (target->point == NULL) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      target->middle[k] += points[i][k] / count;
  crowd->targets.count++;
  return target;
}

int pc_crowd_add_exit(pc_crowd *crowd, const pc_exit_def *def)
{
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  const double *a = def->line[0], *b = def->line[1];
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  if (def->reenters && (def->source < 0 || def->source >= crowd->sources.count)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "there is no source %d", def->source);
    return -1;
  }
  if (!(length > 0) || !isfinite(length)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "an exit is a line between two different points");
    return -1;
  }
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
  if (pc_check_floor(crowd, floor) != PC_OK)
    return -1;
  if (count < 3) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "an area needs at least 3 points");
    return -1;
  }
  return add_target(crowd, PC_TARGET_AREA, floor, count, points) != NULL ? crowd->targets.count - 1
                                                                         : -1;
}

int pc_crowd_add_choice(pc_crowd *crowd, int count, const int *goals)
{
  for (int i = 0; i < count; i++)
    if (goals[i] < 0 || goals[i] >= crowd->targets.count ||
        crowd->targets.at[goals[i]].kind == PC_TARGET_CHOICE) {
      pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a choice is between exits and areas");
      return -1;
    }
  if (count < 1 || crowd->finished) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a choice is made before the building is finished");
    return -1;
  }
  pc_target *target = add_target(crowd, PC_TARGET_CHOICE, -1, 0, NULL);
  int *member = target != NULL ? calloc((size_t)count, sizeof *member) : NULL;
  if (member == NULL) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  memcpy(member, goals, (size_t)count * sizeof *member);
  target->member = member;
  target->members = count;
  return crowd->targets.count - 1;
}

pc_status pc_crowd_add_slow_zone(pc_crowd *crowd, int floor, int count, const double (*points)[2],
                                 double speed)
{
  enum { MOST = 255 };
  pc_status status = pc_check_floor(crowd, floor);
  if (status != PC_OK)
    return status;
  pc_floor *own = &crowd->floors.at[floor];
  if (count < 3 || !(speed >= 0) || own->zones.count >= MOST)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "a slow zone has at least 3 points and a speed; a floor has %d at most",
                         MOST);
  pc_zone zone = {.point = pc_copy_points(count, points), .count = count, .speed = speed};
  if (zone.point == NULL || !pc_array_reserve(&own->zones, own->zones.count + 1)) {
    free(zone.point);
    return pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
  }
  own->zones.at[own->zones.count++] = zone;
  return PC_OK;
}
