#include "run/crowd_record.h"

#include <math.h>

#include "core/array.h"
#include "crowd/crowd.h"
#include "percuss/crowd_measures.h"

bool pc_crowd_recorder_make(pc_crowd_recorder *r, const pc_scene *scene)
{
  int people = pc_crowd_people(scene->crowd);
  size_t n = (size_t)people + 1, doors = (size_t)pc_crowd_doors(scene->crowd) + 1;
  *r = (pc_crowd_recorder){.seen = pc_crowd_inside(scene->crowd)};
  r->present = pc_arena_take(&r->memory, n, sizeof *r->present);
  r->counted = pc_arena_take(&r->memory, n, sizeof *r->counted);
  r->floor = pc_arena_take(&r->memory, n, sizeof *r->floor);
  r->goal = pc_arena_take(&r->memory, n, sizeof *r->goal);
  r->push = pc_arena_take(&r->memory, n, sizeof *r->push);
  r->push_largest = pc_arena_take(&r->memory, n, sizeof *r->push_largest);
  r->push_sum = pc_arena_take(&r->memory, n, sizeof *r->push_sum);
  r->load_largest = pc_arena_take(&r->memory, n, sizeof *r->load_largest);
  r->door_open = pc_arena_take(&r->memory, doors, sizeof *r->door_open);
  if (r->memory.failed)
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
  pc_arena_free(&r->memory);
  pc_rows_free(&r->exits);
}

void pc_crowd_recorder_declare(pc_crowd_recorder *r, pc_record *record, const pc_scene *scene)
{
  int n = pc_crowd_people(scene->crowd), doors = pc_crowd_doors(scene->crowd);
  const pc_record_item frames[] = {
      {"frames/present", PC_RECORD_BYTE, n, 1, r->present, "1: the person is in the building",
       NULL},
      {"frames/floor", PC_RECORD_INT, n, 1, r->floor, "row of floors/name", NULL},
      {"frames/goal", PC_RECORD_INT, n, 1, r->goal, "row of goals/name", NULL},
      {"frames/push", PC_RECORD_FLOAT, n, 1, r->push,
       "sum of the magnitudes of the contact impulses on the person in the step that ends at the "
       "frame",
       "N s"},
      {"frames/push_largest", PC_RECORD_FLOAT, n, 1, r->push_largest,
       "largest such sum of all steps so far", "N s"},
      {"frames/push_sum", PC_RECORD_FLOAT, n, 1, r->push_sum, "total of these sums so far", "N s"},
      {"frames/load_largest", PC_RECORD_FLOAT, n, 1, r->load_largest,
       "largest load so far: what presses the person from one side, as a mean over loads/window",
       "N"},
      {"frames/lanes", PC_RECORD_DOUBLE, scene->people.lanes.width > 0 ? 1 : PC_RECORD_NONE, 1,
       &r->lanes, "order of lanes, 1: full; -1: nobody walks", NULL},
  };
  const pc_record_item inside = {
      "steps/inside",
      PC_RECORD_INT,
      1,
      1,
      &r->seen,
      "people in the building at the end of the step (not yet counted as out)",
      NULL};
  const pc_record_item open = {"frames/door_open",
                               PC_RECORD_BYTE,
                               doors > 0 ? doors : PC_RECORD_NONE,
                               1,
                               r->door_open,
                               "1: the door is open",
                               NULL};
  static const pc_record_item exits[] = {
      {"time", PC_RECORD_DOUBLE, 1, 1, NULL, "time at which a person was counted as out", "s"},
      {"person", PC_RECORD_INT, 1, 1, NULL, "the person, counted from 0", NULL},
      {"exit", PC_RECORD_INT, 1, 1, NULL, "row of goals/name", NULL},
  };
  double window = pc_crowd_load_window(scene->crowd);
  const pc_record_item loads = {
      "loads/window", PC_RECORD_DOUBLE, 1, 1, &window, "time over which loads are means", "s"};
  pc_record_put_all(record, 1, &loads);
  pc_record_declare(record, PC_RECORD_FRAMES, PC_COUNT(frames), frames);
  const pc_record_item overcome = {"steps/incapacitated",
                                   PC_RECORD_INT,
                                   scene->crowd->hazards.count > 0 ? 1 : PC_RECORD_NONE,
                                   1,
                                   &r->overcome,
                                   "people incapacitated by smoke and gases",
                                   NULL};
  pc_record_declare(record, PC_RECORD_STEPS, 1, &inside);
  pc_record_declare(record, PC_RECORD_STEPS, 1, &overcome);
  pc_record_declare(record, PC_RECORD_FRAMES, 1, &open);
  pc_rows_declare(&r->exits, record, "exits", PC_COUNT(exits), exits, "first row of each step");
}

void pc_crowd_recorder_frame(pc_crowd_recorder *r, const pc_scene *scene)
{
  const pc_lanes_def *lanes = &scene->people.lanes;
  for (int i = 0; i < pc_crowd_people(scene->crowd); i++) {
    pc_person_state state;
    pc_crowd_person(scene->crowd, i, &state);
    r->present[i] = state.present;
    r->floor[i] = state.floor;
    r->goal[i] = state.goal;
    r->push[i] = state.present ? state.push : 0;
    r->push_largest[i] = state.push_largest;
    r->push_sum[i] = state.push_sum;
    r->load_largest[i] = state.load_largest;
  }
  for (int i = 0; i < pc_crowd_doors(scene->crowd); i++)
    r->door_open[i] = pc_crowd_door(scene->crowd, i).is_open;
  double order = lanes->width > 0 ? pc_crowd_lanes(scene->crowd, lanes->axis, lanes->width) : NAN;
  r->lanes = isfinite(order) ? order : -1;
}

pc_status pc_crowd_recorder_step(pc_crowd_recorder *r, pc_record *record, const pc_scene *scene)
{
  int people = pc_crowd_people(scene->crowd), rows = 0;
  int32_t inside = pc_crowd_inside(scene->crowd);
  if (inside != r->seen && !pc_rows_reserve(&r->exits, people))
    return PC_ERROR_MEMORY;
  for (int i = 0; i < people && inside != r->seen; i++) {
    pc_person_state state;
    if (r->counted[i])
      continue;
    pc_crowd_person(scene->crowd, i, &state);
    if (state.exit < 0)
      continue;
    r->counted[i] = 1;
    *(double *)pc_rows_at(&r->exits, 0, rows) = state.exit_time;
    *(int32_t *)pc_rows_at(&r->exits, 1, rows) = i;
    *(int32_t *)pc_rows_at(&r->exits, 2, rows++) = state.exit;
  }
  r->seen = inside;
  r->overcome = pc_crowd_incapacitated(scene->crowd);
  return pc_rows_append(&r->exits, record, rows);
}
