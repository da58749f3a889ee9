// Events of a crowd: people enter, follow plans and take detours.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "crowd/crowd.h"

int pc_crowd_add_source(pc_crowd *crowd, const pc_source_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL || def->points == NULL)
    return pc_crowd_reject(crowd, "the points of a source must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 1 || !(def->rate >= 0))
    return pc_crowd_reject(crowd, "a source needs points and a rate of 0 or more");
  double(*point)[2] = pc_arena_copy(&crowd->arena, def->points, def->count, sizeof *point);
  pc_source *source = point != NULL ? pc_array_add(&crowd->sources) : NULL;
  if (source == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *source = (pc_source){.floor = def->floor,
                        .count = def->count,
                        .point = point,
                        .rate = def->rate,
                        .last = -INFINITY};
  return crowd->sources.count - 1;
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
  return pc_crowd_check(crowd, pc_world_set_present(crowd->world, pc_crowd_body(crowd, i), false));
}

static void draw_place(pc_random *random, const pc_source *source, double p[2])
{
  const double(*at)[2] = (const double(*)[2])source->point;
  double low[2], high[2];
  if (source->count <= 2) {
    double s = source->count == 2 ? pc_random_uniform(random, 0, 1) : 0;
    for (int k = 0; k < 2; k++)
      p[k] = at[0][k] + s * (at[source->count - 1][k] - at[0][k]);
    return;
  }
  pc_box_of_points(source->count, at, low, high);
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
    return pc_crowd_check(crowd, status);
  person->present = true;
  person->waits = false;
  person->entry_time = fmin(person->entry_time, time);
  crowd->there[i] = 1;
  crowd->waiting--;
  source->last = time;
  return pc_choice_begin(crowd, i);
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
      status = pc_room_sort(crowd, 2 * crowd->largest);
    sorted = true;
    if (status == PC_OK)
      status = let_in(crowd, i, time);
  }
  return status;
}

int pc_crowd_add_plan(pc_crowd *crowd, int count, const pc_stage *stages)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (stages == NULL)
    return pc_crowd_reject(crowd, "the stages of a plan must not be NULL");
  bool sound = count > 0;
  for (int i = 0; i < count && sound; i++)
    sound = stages[i].goal >= -1 && stages[i].goal < crowd->targets.count && stages[i].pause >= 0 &&
            !(stages[i].arrived &&
              (stages[i].goal < 0 || crowd->targets.at[stages[i].goal].kind != PC_TARGET_AREA));
  if (!sound) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                  "the stages of a plan need existing goals, and 'arrived' requires an area");
    return -1;
  }
  pc_stage *stage = pc_arena_copy(&crowd->arena, stages, count, sizeof *stage);
  pc_plan *plan = stage != NULL ? pc_array_add(&crowd->plans) : NULL;
  if (plan == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *plan = (pc_plan){stage, count};
  return crowd->plans.count - 1;
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
      pc_person_aim(crowd, i, stage->goal);
      status = pc_routes_find(crowd, person->goal);
    }
    pc_walker_set(crowd, i);
  }
  return status;
}

int pc_crowd_add_detour(pc_crowd *crowd, const pc_detour_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL || def->points == NULL || (def->where_count > 0 && def->where == NULL))
    return pc_crowd_reject(crowd, "the points of a detour must not be NULL");
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  if (def->count < 3 || def->least < 1 || def->from < 0 || def->from >= crowd->targets.count ||
      def->to < 0 || def->to >= crowd->targets.count || def->where_count < 0 ||
      (def->where_count > 0 && def->where_count < 3))
    return pc_crowd_reject(
        crowd, "a detour needs a zone of at least 3 points, a number of people and two goals");
  pc_arena *arena = &crowd->arena;
  const double(*zone)[2] = pc_arena_copy(arena, def->points, def->count, sizeof *zone);
  const double(*where)[2] = pc_arena_copy(arena, def->where, def->where_count, sizeof *where);
  pc_detour_def *own = arena->failed ? NULL : pc_array_add(&crowd->detours);
  if (own == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *own = *def;
  own->points = zone;
  own->where = where;
  return crowd->detours.count - 1;
}

// Whether a person may take a detour: outside its zone, and in the area that it is for.
static bool may_choose(const pc_crowd *crowd, int i, const pc_detour_def *def)
{
  return crowd->there[i] && !is_inside(crowd, i, def->floor, def->count, def->points) &&
         (def->where_count == 0 || is_inside(crowd, i, def->floor, def->where_count, def->where));
}

static pc_status take_detour(pc_crowd *crowd, int number)
{
  const pc_detour_def *def = &crowd->detours.at[number];
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
    pc_person_aim(crowd, i, full ? def->to : def->from);
    person->detour = full ? number + 1 : 0;
    pc_walker_set(crowd, i);
  }
  return status;
}

pc_status pc_events(pc_crowd *crowd)
{
  double time = pc_world_time(crowd->world);
  bool moved = false, looked = false;
  pc_status status = pc_doors_move(crowd, time, &moved);
  if (status == PC_OK)
    status = let_people_in(crowd, time);
  if (status == PC_OK)
    looked = pc_congestion_look(crowd, time);
  if (status == PC_OK)
    status = pc_lifts_go(crowd, time);
  moved |= pc_hazards_look(crowd, time);
  if (status == PC_OK && (moved || looked))
    status = pc_delays_renew(crowd);
  if (status == PC_OK)
    status = follow_plans(crowd, time);
  for (int i = 0; i < crowd->detours.count && status == PC_OK; i++)
    status = take_detour(crowd, i);
  if (status == PC_OK)
    status = pc_choice_look(crowd, time, moved);
  if (status == PC_OK)
    pc_company_look(crowd, time);
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
