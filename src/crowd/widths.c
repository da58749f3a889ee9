// Widths of people: routes avoid gaps that are too narrow for everybody, and people who are too
// wide for the gaps on their route are found.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"

pc_status pc_crowd_set_narrowest(pc_crowd *crowd, double width)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (crowd->finished || !(width >= 0) || !isfinite(width))
    return pc_crowd_fail(
        crowd, PC_ERROR_ARGUMENT,
        "the smallest width must be 0 or more and must be set before the building is finished");
  crowd->narrowest = width;
  return PC_OK;
}

static double width_of_line(const pc_crowd *crowd, int floor, const double (*line)[2], double at[2])
{
  return pc_gap_of_line(&crowd->floors.at[floor].plan, line[0], line[1], at);
}

// The narrowest place anywhere: people who are narrower fit everywhere.
static void find_tightest(pc_crowd *crowd)
{
  double least = INFINITY, at[2];
  for (int f = 0; f < crowd->floors.count; f++)
    for (int i = 0; i < crowd->floors.at[f].gaps.count; i++)
      least = fmin(least, crowd->floors.at[f].gaps.at[i].width);
  for (int i = 0; i < crowd->targets.count; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT)
      least = fmin(least, width_of_line(crowd, crowd->targets.at[i].floor,
                                        (const double(*)[2])crowd->targets.at[i].point, at));
  for (int i = 0; i < crowd->passages.count; i++)
    least = fmin(least, crowd->passages.at[i].width);
  crowd->tightest = least;
}

// Gaps of all floors that are narrower than so.
static pc_status list_gaps(pc_crowd *crowd, double width)
{
  pc_status status = PC_OK;
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++) {
    pc_floor *floor = &crowd->floors.at[f];
    status = pc_gaps_find(&floor->plan, width, &floor->gaps, &crowd->error);
  }
  crowd->gaps_below = status == PC_OK ? width : 0;
  find_tightest(crowd);
  return status;
}

static pc_status check_line(pc_crowd *crowd, const char *what, int floor, int goal,
                            const double line[2][2])
{
  double at[2], width = width_of_line(crowd, floor, line, at);
  if (crowd->inspected || width >= crowd->narrowest - 1e-9)
    return PC_OK;
  return pc_crowd_fail_about(
      crowd, floor, goal, -1,
      "%s from (%g, %g) to (%g, %g)" PC_ON_FLOOR
      " is only %.3g m wide at (%.4g, %.4g), but the narrowest person is %.3g m wide",
      what, line[0][0], line[0][1], line[1][0], line[1][1], width, at[0], at[1], crowd->narrowest);
}

pc_status pc_widths_close(pc_crowd *crowd)
{
  pc_status status = crowd->narrowest > 0 ? list_gaps(crowd, crowd->narrowest) : PC_OK;
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++) {
    pc_floor *floor = &crowd->floors.at[f];
    if (floor->gaps.count > 0)
      status = pc_gaps_close(&floor->plan, &floor->gaps, &floor->closed, &crowd->error);
  }
  for (int i = 0; i < crowd->targets.count && crowd->narrowest > 0 && status == PC_OK; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT)
      status = check_line(crowd, PC_THE_GOAL ": the exit", crowd->targets.at[i].floor, i,
                          (const double(*)[2])crowd->targets.at[i].point);
  for (int i = 0; i < 2 * crowd->passages.count && crowd->narrowest > 0 && status == PC_OK; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    status = check_line(crowd, "the line of stairs", passage->floor[i % 2], -1,
                        (const double(*)[2])passage->line[i % 2]);
  }
  return status;
}

// The widest gap that is closed, has the place on one side and a way to the goal on the other.
bool pc_widths_explain(pc_crowd *crowd, int goal, int number, const double place[2], pc_gap *gap)
{
  const pc_floor *floor = &crowd->floors.at[number];
  const pc_grid *grid = &floor->grid;
  if (crowd->targets.at[goal].field == NULL)
    return false;
  const pc_field *field = &crowd->targets.at[goal].field[number];
  unsigned char *seen = calloc((size_t)grid->columns * grid->rows + 1, 1);
  int from = pc_grid_node(grid, place);
  *gap = (pc_gap){.width = 0};
  if (floor->closed.walls > 0 && field->time != NULL && seen != NULL && from >= 0 &&
      pc_grid_flood(grid, from, NULL, seen)) {
    for (int i = 0; i < floor->gaps.count; i++) {
      const pc_gap *own = &floor->gaps.at[i];
      double across[2] = {-(own->line[3] - own->line[1]) / own->width,
                          (own->line[2] - own->line[0]) / own->width};
      int side[2];
      bool leads[2];
      for (int k = 0; k < 2; k++) {
        double off = (k == 0 ? 1.5 : -1.5) * grid->spacing;
        double p[2] = {0.5 * (own->line[0] + own->line[2]) + off * across[0],
                       0.5 * (own->line[1] + own->line[3]) + off * across[1]};
        side[k] = pc_grid_node(grid, p);
        leads[k] = isfinite(pc_field_time(field, p));
      }
      for (int k = 0; k < 2; k++)
        if (side[k] >= 0 && seen[side[k]] && leads[1 - k] && own->width > gap->width)
          *gap = *own;
    }
  }
  free(seen);
  return gap->width > 0;
}

typedef struct walk {
  int floor;
  double place[2];
  pc_tight tight;
} walk;

static void note(walk *own, double width, double x, double y)
{
  if (width < own->tight.width)
    own->tight = (pc_tight){width, own->floor, {x, y}};
}

static void note_gaps(const pc_floor *floor, walk *own, const double next[2])
{
  for (int i = 0; i < floor->gaps.count; i++) {
    const double *line = floor->gaps.at[i].line;
    if (floor->gaps.at[i].width < own->tight.width && pc_lines_meet(own->place, next, line))
      note(own, floor->gaps.at[i].width, 0.5 * (line[0] + line[2]), 0.5 * (line[1] + line[3]));
  }
}

// Over the line of stairs, if that is on the way.
static bool go_over(const pc_crowd *crowd, const pc_target *target, walk *own, const double next[2])
{
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    int end = i % 2, other = passage->floor[1 - end];
    double line[4], sign = end == 0 ? 1 : -1, along = 0;
    memcpy(line, passage->line[end], sizeof line);
    if (passage->floor[end] != own->floor || (end == 1 && !passage->both_ways) ||
        target->field[other].time == NULL || !pc_lines_meet(own->place, next, line))
      continue;
    note(own, passage->width, 0.5 * (line[0] + line[2]), 0.5 * (line[1] + line[3]));
    for (int k = 0; k < 2; k++)
      along += (next[k] - line[k]) * passage->along[end][k];
    for (int k = 0; k < 2; k++)
      own->place[k] = passage->line[1 - end][0][k] + along * passage->along[1 - end][k] +
                      0.05 * sign * passage->forward[1 - end][k];
    own->floor = other;
    return true;
  }
  return false;
}

// The exit that a walk ends at.
static void note_exit(const pc_crowd *crowd, const pc_target *target, walk *own)
{
  const pc_target *nearest = target->kind == PC_TARGET_EXIT ? target : NULL;
  double least = INFINITY, at[2];
  for (int i = 0; i < target->members; i++) {
    const pc_target *member = &crowd->targets.at[target->member[i]];
    double away = pc_distance_to_line(own->place, member->point[0], member->point[1]);
    if (member->kind == PC_TARGET_EXIT && member->floor == own->floor && away < least) {
      nearest = member;
      least = away;
    }
  }
  if (nearest == NULL || nearest->floor != own->floor)
    return;
  double width =
      pc_gap_of_line(&crowd->floors.at[own->floor].plan, nearest->point[0], nearest->point[1], at);
  note(own, width, at[0], at[1]);
}

pc_tight pc_crowd_tightest(pc_crowd *crowd, int goal, int floor, const double place[2],
                           double width, double most)
{
  if (pc_crowd_admit(crowd) != PC_OK || place == NULL)
    return (pc_tight){.width = INFINITY};
  walk own = {.floor = floor, .place = {place[0], place[1]}, .tight = {.width = INFINITY}};
  if (width > crowd->gaps_below && list_gaps(crowd, fmax(width, most)) != PC_OK)
    return own.tight;
  if (crowd->tightest >= width || !isfinite(pc_crowd_route(crowd, goal, floor, place)))
    return own.tight;
  const pc_target *target = &crowd->targets.at[goal];
  own.tight.width = width;
  double least = pc_crowd_route(crowd, goal, floor, place), walked = 0;
  while (walked < 2 * least + 1) { // slow places count more than their length
    const pc_field *field = &target->field[own.floor];
    double way[2], next[2], left = pc_field_time(field, own.place);
    double step = 0.5 * crowd->floors.at[own.floor].grid.spacing;
    if (!(left > step) || !pc_field_way(field, own.place, way))
      break;
    walked += step;
    for (int k = 0; k < 2; k++)
      next[k] = own.place[k] + step * way[k];
    note_gaps(&crowd->floors.at[own.floor], &own, next);
    if (go_over(crowd, target, &own, next))
      continue;
    memcpy(own.place, next, sizeof next);
  }
  note_exit(crowd, target, &own);
  if (!(own.tight.width < width))
    own.tight.width = INFINITY;
  return own.tight;
}
