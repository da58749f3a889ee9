#include "run/crowd_record.h"

#include <math.h>
#include <stdlib.h>

#include "percuss/crowd_measures.h"

bool pc_crowd_recorder_make(pc_crowd_recorder *r, const pc_scene *scene)
{
  int people = pc_crowd_people(scene->crowd);
  size_t n = (size_t)people + 1;
  *r = (pc_crowd_recorder){
      .seen = pc_crowd_inside(scene->crowd),
      .there = calloc(n, sizeof *r->there),
      .counted = calloc(n, sizeof *r->counted),
      .at_floor = calloc(n, sizeof *r->at_floor),
      .to_goal = calloc(n, sizeof *r->to_goal),
      .who = calloc(n, sizeof *r->who),
      .where = calloc(n, sizeof *r->where),
      .pushed = calloc(n, sizeof *r->pushed),
      .largest = calloc(n, sizeof *r->largest),
      .sum = calloc(n, sizeof *r->sum),
      .when = calloc(n, sizeof *r->when),
      .is_open = calloc((size_t)pc_crowd_doors(scene->crowd) + 1, sizeof *r->is_open)};
  if (r->there == NULL || r->counted == NULL || r->at_floor == NULL || r->to_goal == NULL ||
      r->who == NULL || r->where == NULL || r->pushed == NULL || r->largest == NULL ||
      r->sum == NULL || r->when == NULL || r->is_open == NULL)
    return false;
  for (int i = 0; i < people; i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    r->counted[i] = state.exit >= 0;
  }
  return true;
}

void pc_crowd_recorder_free(pc_crowd_recorder *r)
{
  free(r->there);
  free(r->counted);
  free(r->at_floor);
  free(r->to_goal);
  free(r->who);
  free(r->where);
  free(r->pushed);
  free(r->largest);
  free(r->sum);
  free(r->when);
  free(r->is_open);
  *r = (pc_crowd_recorder){0};
}

void pc_crowd_recorder_declare(pc_crowd_recorder *r, pc_record *record, const pc_scene *scene)
{
  int n = pc_crowd_people(scene->crowd);
  r->present =
      pc_record_add(record, "frames/present", PC_RECORD_BYTE, n, 1, "1: the person is there", NULL);
  r->floor =
      pc_record_add(record, "frames/floor", PC_RECORD_INT, n, 1, "line of floors/name", NULL);
  r->goal = pc_record_add(record, "frames/goal", PC_RECORD_INT, n, 1, "line of goals/name", NULL);
  r->push =
      pc_record_add(record, "frames/push", PC_RECORD_FLOAT, n, 1,
                    "sizes of the contact percussions on the person, summed, in the step that ends "
                    "at the frame",
                    "N s");
  r->push_largest = pc_record_add(record, "frames/push_largest", PC_RECORD_FLOAT, n, 1,
                                  "the largest such sum of any step so far", "N s");
  r->push_sum = pc_record_add(record, "frames/push_sum", PC_RECORD_FLOAT, n, 1,
                              "all of them so far, summed", "N s");
  const pc_lanes_def *lanes = &scene->people.lanes;
  r->lanes = lanes->width > 0 ? pc_record_add(record, "frames/lanes", PC_RECORD_DOUBLE, 1, 1,
                                              "order of lanes, 1: full; -1: nobody walks", NULL)
                              : -1;
  r->inside = pc_record_add(record, "steps/inside", PC_RECORD_INT, 1, 1,
                            "people not counted out at the end of the step", NULL);
  int doors = pc_crowd_doors(scene->crowd);
  r->doors = doors > 0 ? pc_record_add(record, "frames/door_open", PC_RECORD_BYTE, doors, 1,
                                       "1: the door is open", NULL)
                       : -1;
  static const char *const names[] = {"time", "person", "exit"};
  static const pc_record_type types[] = {PC_RECORD_DOUBLE, PC_RECORD_INT, PC_RECORD_INT};
  static const int widths[] = {1, 1, 1};
  r->exits = pc_record_ragged(record, "exits", 3, names, types, widths);
  if (r->exits < 0)
    return;
  pc_record_describe(record, "exits/offset", "first exit of each step", NULL);
  pc_record_describe(record, "exits/time", "when somebody was counted out", "s");
  pc_record_describe(record, "exits/person", "who, counted from 0", NULL);
  pc_record_describe(record, "exits/exit", "line of goals/name", NULL);
}

// The first failure stays in the record: the last call reports it.
pc_status pc_crowd_recorder_frame(pc_crowd_recorder *r, pc_record *record, const pc_scene *scene)
{
  int n = pc_crowd_people(scene->crowd);
  for (int i = 0; i < n; i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    r->there[i] = state.present;
    r->at_floor[i] = state.floor;
    r->to_goal[i] = state.goal;
    r->pushed[i] = state.present ? state.push : 0;
    r->largest[i] = state.push_largest;
    r->sum[i] = state.push_sum;
  }
  pc_record_append(record, r->present, r->there);
  pc_record_append(record, r->floor, r->at_floor);
  pc_record_append(record, r->goal, r->to_goal);
  pc_record_append(record, r->push_largest, r->largest);
  pc_record_append(record, r->push_sum, r->sum);
  for (int i = 0; i < pc_crowd_doors(scene->crowd); i++)
    r->is_open[i] = pc_crowd_door(scene->crowd, i).is_open;
  if (r->doors >= 0)
    pc_record_append(record, r->doors, r->is_open);
  if (r->lanes >= 0) {
    double order =
        pc_crowd_lanes(scene->crowd, scene->people.lanes.axis, scene->people.lanes.width);
    pc_record_append(record, r->lanes, &(double){isfinite(order) ? order : -1});
  }
  return pc_record_append(record, r->push, r->pushed);
}

pc_status pc_crowd_recorder_step(pc_crowd_recorder *r, pc_record *record, const pc_scene *scene)
{
  int people = pc_crowd_people(scene->crowd), rows = 0;
  int32_t inside = pc_crowd_inside(scene->crowd);
  for (int i = 0; i < people && inside != r->seen; i++) {
    pc_person_state state;
    if (r->counted[i])
      continue;
    pc_crowd_person(scene->crowd, i, &state);
    if (state.exit < 0)
      continue;
    r->counted[i] = 1;
    r->when[rows] = state.exit_time;
    r->who[rows] = i;
    r->where[rows++] = state.exit;
  }
  r->seen = inside;
  const void *data[] = {r->when, r->who, r->where};
  pc_record_append(record, r->inside, &inside);
  return pc_record_append_ragged(record, r->exits, rows, data);
}
