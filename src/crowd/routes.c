// Routes: fields of goals, computed when they are first needed.
#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

// Where routes lead to: an exit without its ends.
static pc_goal goal_of(const pc_crowd *crowd, pc_target *target)
{
  pc_goal goal = {.count = target->count,
                  .point = (const double(*)[2])target->point,
                  .area = target->kind == PC_TARGET_AREA};
  if (target->kind != PC_TARGET_EXIT)
    return goal;
  const double *a = target->point[0], *b = target->point[1];
  double part = fmin(0.5, crowd->def.clearance / pc_hypot(b[0] - a[0], b[1] - a[1]));
  for (int k = 0; k < 2; k++) {
    target->passage[0][k] = a[k] + part * (b[k] - a[k]);
    target->passage[1][k] = b[k] + part * (a[k] - b[k]);
  }
  goal.point = (const double(*)[2])target->passage;
  return goal;
}

// Goals of a floor, with room for pieces of the lines of stairs.
typedef struct goal_list {
  pc_goal *at;
  double (*point)[2];
  int count, points;
} goal_list;

enum { PIECES = 8 };            // of a line of stairs
static const double OVER = 0.2; // s for crossing a line, so that no route leads back over it

// Stairs that leave a floor are goals, with the remaining time behind them.
static void add_stairs(const pc_crowd *crowd, const pc_field *fields, int ability, int f,
                       goal_list *list)
{
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    int end = i % 2, other = passage->floor[1 - end];
    if (passage->floor[end] != f || (end == 1 && !passage->both_ways) ||
        (ability & PC_NO_STAIRS && !passage->ramp) || fields[other].time == NULL)
      continue;
    double part = fmin(0.5, crowd->def.clearance / passage->width), sign = end == 0 ? 1 : -1;
    for (int k = 0; k < PIECES; k++) {
      double s[2], beyond[2], after;
      for (int e = 0; e < 2; e++) {
        s[e] = passage->width * (part + (1 - 2 * part) * (k + e) / PIECES);
        for (int x = 0; x < 2; x++)
          list->point[list->points + e][x] =
              passage->line[end][0][x] + s[e] * passage->along[end][x];
      }
      for (int x = 0; x < 2; x++)
        beyond[x] = passage->line[1 - end][0][x] +
                    0.5 * (s[0] + s[1]) * passage->along[1 - end][x] +
                    0.01 * sign * passage->forward[1 - end][x];
      after = OVER + pc_field_time(&fields[other], beyond);
      if (!isfinite(after))
        continue;
      list->at[list->count++] = (pc_goal){
          .count = 2, .point = (const double(*)[2])list->point + list->points, .after = after};
      list->points += 2;
    }
  }
}

// So are the doors of lifts.
static void add_lifts(const pc_crowd *crowd, const pc_field *fields, int f, goal_list *list)
{
  for (int i = 0; i < crowd->lifts.count; i++)
    for (int s = 0; s < crowd->lifts.at[i].def.landings; s++) {
      const pc_landing *landing = &crowd->lifts.at[i].landing[s];
      int best;
      double after = landing->floor == f
                         ? pc_lift_after(crowd, fields, &crowd->lifts.at[i], s, &best)
                         : INFINITY;
      if (isfinite(after))
        list->at[list->count++] =
            (pc_goal){.count = 2, .point = (const double(*)[2])landing->front, .after = after};
    }
}

static bool has_changed(const pc_field *field, const goal_list *list)
{
  if (field->time == NULL || field->goals != list->count)
    return list->count > 0;
  for (int i = 0; i < list->count; i++)
    if (fabs(field->goal[i].after - list->at[i].after) > 1e-9)
      return true;
  return false;
}

// Solves the field of a floor again if the times behind its stairs have changed.
static pc_status solve_floor(pc_crowd *crowd, pc_target *target, pc_field *fields, int ability,
                             int f, goal_list *list, bool *changed)
{
  pc_field *field = &fields[f];
  pc_status status = PC_OK;
  list->count = list->points = 0;
  if (target->kind != PC_TARGET_CHOICE && target->floor == f)
    list->at[list->count++] = goal_of(crowd, target);
  for (int i = 0; i < target->members; i++)
    if (crowd->targets.at[target->member[i]].floor == f)
      list->at[list->count++] = goal_of(crowd, &crowd->targets.at[target->member[i]]);
  add_stairs(crowd, fields, ability, f, list);
  if (ability & PC_LIFTS)
    add_lifts(crowd, fields, f, list);
  if (!has_changed(field, list))
    return PC_OK;
  *changed = true;
  if (field->time == NULL)
    status = pc_field_make(field, &crowd->floors.at[f].grid, &crowd->error);
  return status == PC_OK ? pc_field_solve(field, list->count, list->at, &crowd->error) : status;
}

static pc_field **fields_at(pc_target *target, int ability)
{
  return ability == 0 ? &target->field : &target->special[ability - 1];
}

static void forget(const pc_crowd *crowd, pc_field **fields)
{
  for (int f = 0; f < crowd->floors.count && *fields != NULL; f++)
    pc_field_free(&(*fields)[f]);
  free(*fields);
  *fields = NULL;
}

void pc_routes_forget(pc_crowd *crowd, pc_target *target)
{
  for (int ability = 0; ability < PC_ABILITIES; ability++)
    forget(crowd, fields_at(target, ability));
}

static int count_stops(const pc_crowd *crowd)
{
  int stops = 0;
  for (int i = 0; i < crowd->lifts.count; i++)
    stops += crowd->lifts.at[i].def.landings;
  return stops;
}

// Floor by floor until nothing changes: times only become shorter, and every flight of stairs and
// every ride adds time.
static pc_status find_fields(pc_crowd *crowd, pc_target *target, int ability)
{
  pc_field **fields = fields_at(target, ability);
  int ways = crowd->passages.count + count_stops(crowd);
  size_t most = (size_t)target->members + 1 + 2 * PIECES * (size_t)ways;
  goal_list list = {.at = calloc(most, sizeof *list.at),
                    .point = calloc(2 * most, sizeof *list.point)};
  pc_status status = PC_OK;
  bool changed = true;
  *fields = calloc((size_t)crowd->floors.count, sizeof **fields);
  if (list.at == NULL || list.point == NULL || *fields == NULL)
    status = pc_crowd_out_of_memory(crowd);
  for (int round = 0; round < 2 * ways + 2 && changed && status == PC_OK; round++) {
    changed = false;
    for (int f = 0; f < crowd->floors.count && status == PC_OK; f++)
      status = solve_floor(crowd, target, *fields, ability, f, &list, &changed);
  }
  free(list.at);
  free(list.point);
  if (status != PC_OK)
    forget(crowd, fields); // half of a route is none
  return status;
}

pc_status pc_routes_find(pc_crowd *crowd, int number)
{
  pc_target *target = &crowd->targets.at[number];
  pc_status status = PC_OK;
  for (int ability = 0; ability < PC_ABILITIES && status == PC_OK; ability++)
    if ((ability == 0 || crowd->able[ability]) && *fields_at(target, ability) == NULL)
      status = find_fields(crowd, target, ability);
  return status;
}

pc_status pc_routes_renew(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->targets.count && status == PC_OK; i++) {
    if (crowd->targets.at[i].field == NULL)
      continue;
    pc_routes_forget(crowd, &crowd->targets.at[i]);
    status = pc_routes_find(crowd, i);
  }
  return status;
}

double pc_routes_time(pc_crowd *crowd, int goal, int ability, int floor, const double place[2])
{
  if (pc_routes_find(crowd, goal) != PC_OK)
    return INFINITY;
  const pc_field *fields = pc_fields_of(&crowd->targets.at[goal], ability);
  return fields[floor].time != NULL ? pc_field_time(&fields[floor], place) : INFINITY;
}

double pc_crowd_route(pc_crowd *crowd, int goal, int floor, const double place[2])
{
  if (pc_crowd_admit(crowd) != PC_OK || place == NULL)
    return INFINITY;
  if (!crowd->finished || goal < 0 || goal >= crowd->targets.count || floor < 0 ||
      floor >= crowd->floors.count)
    return INFINITY;
  return pc_routes_time(crowd, goal, 0, floor, place);
}
