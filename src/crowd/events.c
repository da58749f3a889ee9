// Events of a crowd: doors open and close, people enter, follow plans and take detours.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "crowd/crowd.h"

void pc_events_free(pc_crowd *crowd)
{
  for (int i = 0; i < crowd->sources.count; i++)
    free(crowd->sources.at[i].point);
  for (int i = 0; i < crowd->plans.count; i++)
    free(crowd->plans.at[i].stage);
  for (int i = 0; i < crowd->doors.count; i++)
    free(crowd->doors.at[i].point);
  for (int i = 0; i < crowd->detours.count; i++) {
    free(crowd->detours.at[i].zone);
    free(crowd->detours.at[i].where);
  }
  free(crowd->sources.at);
  free(crowd->plans.at);
  free(crowd->doors.at);
  free(crowd->detours.at);
}

int pc_crowd_add_door(pc_crowd *crowd, const pc_door_def *def)
{
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 2 || !isfinite(def->opens) || !isfinite(def->closes)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a door has at least 2 points and times");
    return -1;
  }
  pc_door door = {.floor = def->floor,
                  .count = def->count,
                  .point = pc_copy_points(def->count, def->points),
                  .opens = def->opens,
                  .closes = def->closes};
  if (door.point == NULL || !pc_array_reserve(&crowd->doors, crowd->doors.count + 1)) {
    free(door.point);
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  crowd->doors.at[crowd->doors.count] = door;
  return crowd->doors.count++;
}

int pc_crowd_doors(const pc_crowd *crowd)
{
  return crowd->doors.count;
}

pc_door_state pc_crowd_door(const pc_crowd *crowd, int number)
{
  const pc_door *door = &crowd->doors.at[number];
  return (pc_door_state){.floor = door->floor,
                         .first = door->first,
                         .bodies = door->bodies,
                         .opens = door->opens,
                         .closes = door->closes,
                         .is_open = door->bodies > 0 &&
                                    !pc_body_is_present(crowd->world, (pc_body){door->first + 1})};
}

static double door_distance(const pc_door *door, const double p[2])
{
  double least = INFINITY;
  for (int i = 0; i + 1 < door->count; i++)
    least = fmin(least, pc_distance_to_line(p, door->point[i], door->point[i + 1]));
  return least;
}

double pc_doors_distance(const pc_crowd *crowd, int floor, const double p[2])
{
  double least = INFINITY;
  for (int i = 0; i < crowd->doors.count; i++)
    if (crowd->doors.at[i].floor == floor && !crowd->doors.at[i].is_open)
      least = fmin(least, door_distance(&crowd->doors.at[i], p));
  return least;
}

static pc_status set_door(pc_crowd *crowd, pc_door *door, bool is_open)
{
  for (int b = 0; b < door->bodies; b++) {
    pc_status status = pc_world_set_present(crowd->world, (pc_body){door->first + b + 1}, !is_open);
    if (status != PC_OK)
      return pc_crowd_fail(crowd, status, "%s", pc_world_error(crowd->world));
  }
  door->is_open = is_open;
  return PC_OK;
}

static bool is_time(const pc_door *door, double time)
{
  return time >= door->opens && !(door->closes > door->opens && time >= door->closes);
}

pc_status pc_doors_build(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->doors.count && status == PC_OK; i++) {
    pc_door *door = &crowd->doors.at[i];
    door->first = crowd->walls;
    status = pc_build_wall(crowd, crowd->floors.at[door->floor].offset, door->count,
                           (const double(*)[2])door->point, false);
    door->bodies = crowd->walls - door->first;
    if (status == PC_OK && is_time(door, 0))
      status = set_door(crowd, door, true);
  }
  return status;
}

static bool is_in_doorway(const pc_crowd *crowd, const pc_door *door)
{
  for (int i = 0; i < crowd->people; i++) {
    const pc_person *person = &crowd->person[i];
    double p[2] = {crowd->place[i][0] - crowd->floors.at[door->floor].offset, crowd->place[i][1]};
    if (crowd->there[i] && person->floor == door->floor &&
        door_distance(door, p) < person->def.radius)
      return true;
  }
  return false;
}

static pc_status move_doors(pc_crowd *crowd, double time)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->doors.count && status == PC_OK; i++) {
    pc_door *door = &crowd->doors.at[i];
    bool shall = is_time(door, time);
    // Loaded states may differ from what is noted here.
    door->is_open =
        door->bodies > 0 && !pc_body_is_present(crowd->world, (pc_body){door->first + 1});
    if (shall != door->is_open && (shall || !is_in_doorway(crowd, door)))
      status = set_door(crowd, door, shall);
  }
  return status;
}

int pc_crowd_add_source(pc_crowd *crowd, const pc_source_def *def)
{
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 1 || !(def->rate >= 0)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a source has points and a rate that is not negative");
    return -1;
  }
  pc_source source = {.floor = def->floor,
                      .count = def->count,
                      .point = pc_copy_points(def->count, def->points),
                      .rate = def->rate,
                      .last = -INFINITY};
  if (source.point == NULL || !pc_array_reserve(&crowd->sources, crowd->sources.count + 1)) {
    free(source.point);
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  crowd->sources.at[crowd->sources.count] = source;
  return crowd->sources.count++;
}

// Waits at a source from now on.
pc_status pc_source_queue(pc_crowd *crowd, int i, int source, double due)
{
  pc_person *person = &crowd->person[i];
  person->waits = true;
  person->source = source;
  person->due = due;
  person->present = false;
  crowd->there[i] = 0;
  crowd->waiting++;
  pc_status status = pc_world_set_present(crowd->world, pc_crowd_body(crowd, i), false);
  return status == PC_OK ? PC_OK : pc_crowd_fail(crowd, status, "%s", pc_world_error(crowd->world));
}

static void draw_place(pc_random *random, const pc_source *source, double p[2])
{
  const double(*at)[2] = (const double(*)[2])source->point;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  if (source->count <= 2) {
    double s = source->count == 2 ? pc_random_uniform(random, 0, 1) : 0;
    for (int k = 0; k < 2; k++)
      p[k] = at[0][k] + s * (at[source->count - 1][k] - at[0][k]);
    return;
  }
  for (int i = 0; i < source->count; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], at[i][k]);
      high[k] = fmax(high[k], at[i][k]);
    }
  for (int tries = 0; tries < 1000; tries++) {
    for (int k = 0; k < 2; k++)
      p[k] = pc_random_uniform(random, low[k], high[k]);
    if (pc_is_inside(source->count, at, p))
      return;
  }
}

// Lets a person in, if a place with room is found in some tries.
static pc_status let_in(pc_crowd *crowd, int i, double time)
{
  enum { TRIES = 10 };
  pc_person *person = &crowd->person[i];
  pc_source *source = &crowd->sources.at[person->source];
  const pc_layout *plan = &crowd->floors.at[source->floor].plan;
  double radius = person->def.radius, p[2];
  bool found = false;
  for (int tries = 0; tries < TRIES && !found; tries++) {
    draw_place(&crowd->random, source, p);
    found = pc_layout_allows(plan, p) && pc_layout_distance(plan, p, radius) >= radius &&
            pc_doors_distance(crowd, source->floor, p) >= radius &&
            pc_room_has(crowd, source->floor, p, radius, i);
  }
  if (!found)
    return PC_OK;
  pc_status status = pc_room_move(crowd, i, source->floor, p, crowd->velocity[i], 0);
  if (status == PC_OK)
    status = pc_world_set_present(crowd->world, pc_crowd_body(crowd, i), true);
  if (status != PC_OK)
    return pc_crowd_fail(crowd, status, "%s", pc_world_error(crowd->world));
  person->present = true;
  person->waits = false;
  person->entry_time = fmin(person->entry_time, time);
  crowd->there[i] = 1;
  crowd->waiting--;
  source->last = time;
  return PC_OK;
}

static pc_status let_people_in(pc_crowd *crowd, double time)
{
  pc_status status = PC_OK;
  bool sorted = false;
  for (int i = 0; i < crowd->people && crowd->waiting > 0 && status == PC_OK; i++) {
    const pc_person *person = &crowd->person[i];
    if (!person->waits || time < person->due - 1e-9)
      continue;
    const pc_source *source = &crowd->sources.at[person->source];
    if (source->rate > 0 && time < source->last + 1 / source->rate - 1e-9)
      continue;
    if (!sorted)
      status = pc_room_sort(crowd);
    sorted = true;
    if (status == PC_OK)
      status = let_in(crowd, i, time);
  }
  return status;
}

int pc_crowd_add_plan(pc_crowd *crowd, int count, const pc_stage *stages)
{
  bool sound = count > 0;
  for (int i = 0; i < count && sound; i++)
    sound = stages[i].goal >= -1 && stages[i].goal < crowd->targets.count && stages[i].pause >= 0 &&
            !(stages[i].arrived &&
              (stages[i].goal < 0 || crowd->targets.at[stages[i].goal].kind != PC_TARGET_AREA));
  if (!sound) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                  "a plan has stages with goals that exist; one arrives at areas only");
    return -1;
  }
  pc_plan plan = {calloc((size_t)count, sizeof *plan.stage), count};
  if (plan.stage == NULL || !pc_array_reserve(&crowd->plans, crowd->plans.count + 1)) {
    free(plan.stage);
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  memcpy(plan.stage, stages, (size_t)count * sizeof *plan.stage);
  crowd->plans.at[crowd->plans.count] = plan;
  return crowd->plans.count++;
}

static bool is_inside(const pc_crowd *crowd, int i, int floor, int count, const double (*area)[2])
{
  double p[2] = {crowd->place[i][0] - crowd->floors.at[floor].offset, crowd->place[i][1]};
  return crowd->there[i] && crowd->person[i].floor == floor && pc_is_inside(count, area, p);
}

static bool has_ended(const pc_crowd *crowd, int i, const pc_stage *stage, double time)
{
  if (stage->until <= 0 && !stage->arrived)
    return false;
  if (time < stage->until - 1e-9)
    return false;
  if (!stage->arrived)
    return true;
  const pc_target *target = &crowd->targets.at[stage->goal];
  return is_inside(crowd, i, target->floor, target->count, (const double(*)[2])target->point);
}

static pc_status follow_plans(pc_crowd *crowd, double time)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->people && crowd->plans.count > 0 && status == PC_OK; i++) {
    pc_person *person = &crowd->person[i];
    if (person->def.plan < 0 || !crowd->there[i])
      continue;
    const pc_plan *plan = &crowd->plans.at[person->def.plan];
    const pc_stage *stage = &plan->stage[person->stage];
    if (person->stage + 1 >= plan->count || !has_ended(crowd, i, stage, time))
      continue;
    person->resume = time + stage->pause;
    stage = &plan->stage[++person->stage];
    person->stands = stage->goal < 0;
    if (!person->stands) {
      person->goal = stage->goal;
      status = pc_routes_find(crowd, person->goal);
    }
    pc_walker_set(crowd, i);
  }
  return status;
}

int pc_crowd_add_detour(pc_crowd *crowd, const pc_detour_def *def)
{
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 3 || def->least < 1 || def->from < 0 || def->from >= crowd->targets.count ||
      def->to < 0 || def->to >= crowd->targets.count ||
      (def->where_count > 0 && def->where_count < 3)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                  "a detour has a zone of 3 or more points, a number of people and two goals");
    return -1;
  }
  pc_detour detour = {.def = *def};
  detour.zone = pc_copy_points(def->count, def->points);
  detour.where = pc_copy_points(def->where_count, def->where);
  if (detour.zone == NULL || detour.where == NULL ||
      !pc_array_reserve(&crowd->detours, crowd->detours.count + 1)) {
    free(detour.zone);
    free(detour.where);
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  detour.def.points = (const double(*)[2])detour.zone;
  detour.def.where = (const double(*)[2])detour.where;
  crowd->detours.at[crowd->detours.count] = detour;
  return crowd->detours.count++;
}

// Whether a person may take a detour: outside its zone, and in the area that it is for.
static bool may_choose(const pc_crowd *crowd, int i, const pc_detour_def *def)
{
  return crowd->there[i] && !is_inside(crowd, i, def->floor, def->count, def->points) &&
         (def->where_count == 0 || is_inside(crowd, i, def->floor, def->where_count, def->where));
}

static pc_status take_detour(pc_crowd *crowd, int number)
{
  const pc_detour_def *def = &crowd->detours.at[number].def;
  int inside = 0;
  for (int i = 0; i < crowd->people; i++)
    inside += is_inside(crowd, i, def->floor, def->count, def->points);
  bool full = inside >= def->least;
  if (!full && def->holds)
    return PC_OK;
  pc_status status = full ? pc_routes_find(crowd, def->to) : PC_OK;
  for (int i = 0; i < crowd->people && status == PC_OK; i++) {
    pc_person *person = &crowd->person[i];
    bool goes =
        full ? person->goal == def->from : person->detour == number + 1 && person->goal == def->to;
    if (!goes || !may_choose(crowd, i, def))
      continue;
    person->goal = full ? def->to : def->from;
    person->detour = full ? number + 1 : 0;
    pc_walker_set(crowd, i);
  }
  return status;
}

pc_status pc_events(pc_crowd *crowd)
{
  double time = pc_world_time(crowd->world);
  pc_status status = move_doors(crowd, time);
  if (status == PC_OK)
    status = let_people_in(crowd, time);
  if (status == PC_OK)
    status = pc_congestion_look(crowd, time);
  if (status == PC_OK)
    status = follow_plans(crowd, time);
  for (int i = 0; i < crowd->detours.count && status == PC_OK; i++)
    status = take_detour(crowd, i);
  return status;
}

size_t pc_events_save(const pc_crowd *crowd, char *to)
{
  size_t random = sizeof crowd->random, last = sizeof(double);
  if (to != NULL) {
    memcpy(to, &crowd->random, random);
    for (int i = 0; i < crowd->sources.count; i++)
      memcpy(to + random + last * (size_t)i, &crowd->sources.at[i].last, last);
  }
  return random + last * (size_t)crowd->sources.count;
}

pc_status pc_events_load(pc_crowd *crowd, const char *from)
{
  size_t random = sizeof crowd->random, last = sizeof(double);
  pc_status status = PC_OK;
  memcpy(&crowd->random, from, random);
  for (int i = 0; i < crowd->sources.count; i++)
    memcpy(&crowd->sources.at[i].last, from + random + last * (size_t)i, last);
  crowd->waiting = 0;
  for (int i = 0; i < crowd->people && status == PC_OK; i++) {
    crowd->waiting += crowd->person[i].waits;
    status = pc_routes_find(crowd, crowd->person[i].goal);
  }
  return status;
}
