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
static void add_stairs(const pc_crowd *crowd, const pc_target *target, int f, goal_list *list)
{
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    int end = i % 2, other = passage->floor[1 - end];
    if (passage->floor[end] != f || (end == 1 && !passage->both_ways) ||
        target->field[other].time == NULL)
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
      after = OVER + pc_field_time(&target->field[other], beyond);
      if (!isfinite(after))
        continue;
      list->at[list->count++] = (pc_goal){
          .count = 2, .point = (const double(*)[2])list->point + list->points, .after = after};
      list->points += 2;
    }
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
static pc_status solve_floor(pc_crowd *crowd, pc_target *target, int f, goal_list *list,
                             bool *changed)
{
  pc_field *field = &target->field[f];
  pc_status status = PC_OK;
  list->count = list->points = 0;
  if (target->kind != PC_TARGET_CHOICE && target->floor == f)
    list->at[list->count++] = goal_of(crowd, target);
  for (int i = 0; i < target->members; i++)
    if (crowd->targets.at[target->member[i]].floor == f)
      list->at[list->count++] = goal_of(crowd, &crowd->targets.at[target->member[i]]);
  add_stairs(crowd, target, f, list);
  if (!has_changed(field, list))
    return PC_OK;
  *changed = true;
  if (field->time == NULL)
    status = pc_field_make(field, &crowd->floors.at[f].grid, &crowd->error);
  return status == PC_OK ? pc_field_solve(field, list->count, list->at, &crowd->error) : status;
}

void pc_routes_forget(pc_crowd *crowd, pc_target *target)
{
  for (int f = 0; f < crowd->floors.count && target->field != NULL; f++)
    pc_field_free(&target->field[f]);
  free(target->field);
  target->field = NULL;
}

// Floor by floor until nothing changes: times only become shorter, and every flight of stairs adds
// time.
pc_status pc_routes_find(pc_crowd *crowd, int number)
{
  pc_target *target = &crowd->targets.at[number];
  if (target->field != NULL)
    return PC_OK;
  size_t most = (size_t)target->members + 1 + 2 * PIECES * (size_t)crowd->passages.count;
  goal_list list = {.at = calloc(most, sizeof *list.at),
                    .point = calloc(2 * most, sizeof *list.point)};
  pc_status status = PC_OK;
  bool changed = true;
  target->field = calloc((size_t)crowd->floors.count, sizeof *target->field);
  if (list.at == NULL || list.point == NULL || target->field == NULL)
    status = pc_crowd_out_of_memory(crowd);
  for (int round = 0; round < 2 * crowd->passages.count + 2 && changed && status == PC_OK;
       round++) {
    changed = false;
    for (int f = 0; f < crowd->floors.count && status == PC_OK; f++)
      status = solve_floor(crowd, target, f, &list, &changed);
  }
  free(list.at);
  free(list.point);
  if (status != PC_OK)
    pc_routes_forget(crowd, target); // half of a route is none
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

double pc_crowd_route(pc_crowd *crowd, int goal, int floor, const double place[2])
{
  if (pc_crowd_admit(crowd) != PC_OK || place == NULL)
    return INFINITY;
  if (!crowd->finished || goal < 0 || goal >= crowd->targets.count || floor < 0 ||
      floor >= crowd->floors.count || pc_routes_find(crowd, goal) != PC_OK ||
      crowd->targets.at[goal].field[floor].time == NULL)
    return INFINITY;
  return pc_field_time(&crowd->targets.at[goal].field[floor], place);
}
