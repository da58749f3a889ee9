// Adds people, and checks their place, their goal and the walls around them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "crowd/crowd.h"

// People are looked for in squares of half a metre, whose numbers must be exact and not too many.
static const double FARTHEST = 1e9, LARGEST = 100; // m

pc_person_def pc_person_def_default(void)
{
  return (pc_person_def){.radius = 0.225,
                         .mass = 80,
                         .speed = 1.34,
                         .stairs_speed = 0.5,
                         .relaxation = 0.5,
                         .plan = -1,
                         .source = -1};
}

bool pc_people_may_stand(const pc_crowd *crowd, const pc_person_def *def)
{
  const pc_layout *plan = &crowd->floors.at[def->floor].plan;
  return pc_layout_allows(plan, def->position) &&
         pc_layout_distance(plan, def->position, 2 * def->radius) >= def->radius &&
         pc_doors_distance(crowd, def->floor, def->position) >= def->radius &&
         pc_spots_find(crowd->spots, def->floor, def->position, def->radius) < 0;
}

// Whether a person can be at a place, and why not.
static pc_status check_place(pc_crowd *crowd, const pc_person_def *def)
{
  const pc_floor *floor = &crowd->floors.at[def->floor];
  const double *p = def->position;
  if (!pc_layout_allows(&floor->plan, p))
    return pc_crowd_fail_about(
        crowd, def->floor, -1, -1, "(%g, %g)" PC_ON_FLOOR " is %s", p[0], p[1],
        pc_layout_bounds(&floor->plan, p) ? "in an obstacle" : "outside the walkable area");
  double room = pc_layout_distance(&floor->plan, p, 2 * def->radius);
  if (room < def->radius)
    return pc_crowd_fail_about(crowd, def->floor, -1, -1,
                               "at (%g, %g)" PC_ON_FLOOR
                               " a wall is only %.3g m away, too close for a person of radius %g m",
                               p[0], p[1], room, def->radius);
  if (pc_doors_distance(crowd, def->floor, p) < def->radius)
    return pc_crowd_fail_about(crowd, def->floor, -1, -1,
                               "at (%g, %g)" PC_ON_FLOOR " there is a closed door", p[0], p[1]);
  int other = pc_spots_find(crowd->spots, def->floor, p, def->radius);
  if (other >= 0)
    return pc_crowd_fail_about(crowd, def->floor, -1, other,
                               "at (%g, %g)" PC_ON_FLOOR " stands " PC_THE_PERSON, p[0], p[1]);
  return PC_OK;
}

static bool has_way(pc_crowd *crowd, const pc_person_def *def)
{
  const double *p = def->position;
  double out[2];
  int ability = pc_ability(def);
  if (isfinite(pc_routes_time(crowd, def->goal, ability, def->floor, p)) ||
      (pc_passages_out(crowd, def->floor, p, out) &&
       isfinite(pc_routes_time(crowd, def->goal, ability, def->floor, out))))
    return true;
  pc_gap gap;
  if (pc_widths_explain(crowd, def->goal, def->floor, p, &gap))
    pc_crowd_fail_about(crowd, def->floor, def->goal, -1,
                        "no way from (%.4g, %.4g)" PC_ON_FLOOR " to " PC_THE_GOAL
                        " has room for anybody, %.3g m wide: the widest gap is %.3g m, between "
                        "(%.4g, %.4g) and (%.4g, %.4g)",
                        p[0], p[1], crowd->narrowest, gap.width, gap.line[0], gap.line[1],
                        gap.line[2], gap.line[3]);
  else
    pc_crowd_fail_about(crowd, def->floor, def->goal, -1,
                        "there is no way from (%g, %g)" PC_ON_FLOOR " to " PC_THE_GOAL "%s", p[0],
                        p[1], def->no_stairs ? ", for somebody who takes no stairs" : "");
  return false;
}

// The walls around the place must be closed.
static pc_status check_walls(pc_crowd *crowd, const pc_person_def *def)
{
  pc_floor *floor = &crowd->floors.at[def->floor];
  const double *p = def->position, *gap = floor->leak;
  if (!pc_leads_out(floor, p))
    return PC_OK;
  return pc_crowd_fail_about(crowd, def->floor, -1, -1,
                             "the walls around (%g, %g)" PC_ON_FLOOR
                             " are not closed: one can walk out at about (%.2f, %.2f), where there "
                             "is no exit",
                             p[0], p[1], gap[0], gap[1]);
}

static pc_status check_person(pc_crowd *crowd, const pc_person_def *def)
{
  if (!crowd->finished)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "finish the building before adding people");
  if (def->floor < 0 || def->floor >= crowd->floors.count)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "unknown floor %d", def->floor);
  if (def->goal < 0 || def->goal >= crowd->targets.count)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "unknown goal %d", def->goal);
  const double *p = def->position, *v = def->velocity;
  if (!(fabs(p[0]) < FARTHEST && fabs(p[1]) < FARTHEST) || !isfinite(v[0]) || !isfinite(v[1]) ||
      !isfinite(def->orientation) || !isfinite(def->spin) || !(def->radius < LARGEST))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "position, velocity, orientation and spin of a person must be finite, the "
                         "position within %g m and the radius below %g m",
                         FARTHEST, LARGEST);
  if (!(def->radius > 0) || !(def->mass > 0) || !(def->speed >= 0) || !(def->relaxation > 0) ||
      !(def->response >= 0) || !(def->stairs_speed >= 0))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "radius, mass and relaxation of a person must be positive, speeds and "
                         "response must not be negative");
  if (crowd->passages.count > 0 && !(def->radius < 0.9 * PC_POCKET_DEPTH))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "people who may take stairs need a radius below %g m (got %g)",
                         0.9 * PC_POCKET_DEPTH, def->radius);
  if (def->plan < -1 || def->plan >= crowd->plans.count || def->source < -1 ||
      def->source >= crowd->sources.count || !(def->arrival >= 0))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "invalid plan %d, source %d or arrival %g of a person", def->plan,
                         def->source, def->arrival);
  pc_status status = PC_OK;
  crowd->able[pc_ability(def)] = true;
  for (int i = 0; def->plan >= 0 && i < crowd->plans.at[def->plan].count && status == PC_OK; i++)
    if (crowd->plans.at[def->plan].stage[i].goal >= 0)
      status = pc_routes_find(crowd, crowd->plans.at[def->plan].stage[i].goal);
  if (status == PC_OK && def->source < 0)
    status = check_place(crowd, def);
  return status;
}

// The arrays that have an element for each person, besides `person`.
static const struct {
  size_t array, size; // where the crowd has its pointer; of an element
} each[] = {
#define EACH(array, count)                                                                         \
  {                                                                                                \
    offsetof(pc_crowd, array), (count) * sizeof *((pc_crowd *)NULL)->array                         \
  }
    EACH(walker, 1), EACH(place, 1), EACH(velocity, 1), EACH(before, 1),
    EACH(wish, 1),   EACH(push, 1),  EACH(pushed, 1),   EACH(angle, 1),
    EACH(spin, 1),   EACH(near, 1),  EACH(ground, 1),   EACH(there, 1),
    EACH(seen, 1),   EACH(moved, 2), EACH(leader, 1),   EACH(pressing, 1),
#undef EACH
};
enum { ARRAYS = sizeof each / sizeof *each };

void pc_people_free(pc_crowd *crowd)
{
  free(crowd->person);
  for (int i = 0; i < ARRAYS; i++)
    free(*(void **)((char *)crowd + each[i].array));
}

// Makes room for n people in all arrays.
static bool make_room(pc_crowd *crowd, int n)
{
  int capacity = crowd->person_capacity;
  if (!pc_grow_aligned(&crowd->person, &capacity, n, sizeof *crowd->person))
    return false;
  for (int i = 0; i < ARRAYS; i++) {
    capacity = crowd->person_capacity;
    if (!pc_grow((char *)crowd + each[i].array, &capacity, n, each[i].size))
      return false;
  }
  crowd->person_capacity = capacity;
  return true;
}

// Completes place and goal of a person from the plan and the source.
static pc_person_def complete(const pc_crowd *crowd, const pc_person_def *def)
{
  pc_person_def own = *def;
  if (def->source >= 0 && def->source < crowd->sources.count) {
    const pc_source *source = &crowd->sources.at[def->source];
    own.floor = source->floor;
    own.position[0] = own.position[1] = 0;
    for (int i = 0; i < source->count; i++)
      for (int k = 0; k < 2; k++)
        own.position[k] += source->point[i][k] / source->count;
  }
  for (int i = 0;
       def->plan >= 0 && def->plan < crowd->plans.count && i < crowd->plans.at[def->plan].count;
       i++)
    if (crowd->plans.at[def->plan].stage[i].goal >= 0) {
      own.goal = crowd->plans.at[def->plan].stage[i].goal;
      break;
    }
  return own;
}

// 0, or why a person who is complete cannot be added.
static int check_all(pc_crowd *crowd, const pc_person_def *def)
{
  if (check_person(crowd, def) != PC_OK || pc_routes_find(crowd, def->goal) != PC_OK)
    return -1;
  if (!has_way(crowd, def))
    return PC_NO_WAY;
  return check_walls(crowd, def) == PC_OK ? 0 : PC_OPEN_WALLS;
}

int pc_people_check(pc_crowd *crowd, const pc_person_def *given)
{
  const pc_person_def def = complete(crowd, given);
  return check_all(crowd, &def);
}

int pc_crowd_add_person(pc_crowd *crowd, const pc_person_def *given)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (given == NULL)
    return pc_crowd_reject(crowd, "the definition of a person must not be NULL");
  pc_person_def completed = complete(crowd, given), *def = &completed;
  int checked = check_all(crowd, def);
  if (checked < 0)
    return checked;
  int n = crowd->people;
  pc_body_def body = pc_body_def_default();
  body.shape = pc_shape_disc(def->radius, &crowd->error);
  if (body.shape == NULL)
    return -1;
  body.mass = def->mass;
  body.no_rotation = !crowd->def.turns;
  body.position[0] = def->position[0] + crowd->floors.at[def->floor].offset;
  body.position[1] = def->position[1];
  memcpy(body.velocity, def->velocity, sizeof def->velocity);
  if (crowd->def.turns) {
    body.orientation[0] = pc_cos(0.5 * def->orientation);
    body.orientation[3] = pc_sin(0.5 * def->orientation);
    body.spin[2] = def->spin;
  }
  bool room =
      make_room(crowd, n + 1) &&
      (def->source >= 0 || pc_spots_take(crowd->spots, n, def->floor, def->position, def->radius));
  pc_body made = room ? pc_body_create(crowd->world, &body) : (pc_body){0};
  pc_shape_release(body.shape);
  if (made.id == 0)
    return pc_crowd_out_of_memory(crowd), -1;
  crowd->person[n] =
      (pc_person){.def = *def, .floor = def->floor, .goal = def->goal, .exit = -1, .present = true};
  crowd->leader[n] = n;
  crowd->wish[n][0] = crowd->wish[n][1] = crowd->push[n] = 0;
  crowd->pushed[n] = (pc_pushed){0, 0};
  crowd->pressing[n] = (pc_pressing){.last = 0};
  crowd->there[n] = 1;
  crowd->people++;
  crowd->inside++;
  crowd->person[n].facing = def->orientation;
  crowd->person[n].group = -1;
  crowd->largest = fmax(crowd->largest, def->radius);
  crowd->person[n].stands = def->plan >= 0 && crowd->plans.at[def->plan].stage[0].goal < 0;
  pc_walker_set(crowd, n);
  for (int k = 0; k < 2; k++) {
    crowd->place[n][k] = body.position[k];
    crowd->velocity[n][k] = def->velocity[k];
  }
  crowd->person[n].entry_time = def->source >= 0 ? INFINITY : 0;
  if (def->source >= 0 && pc_source_queue(crowd, n, def->source, def->arrival) != PC_OK)
    return -1;
  return n;
}

// From now on, the first of all who are joined leads.
static void lead(pc_crowd *crowd, int one, int other)
{
  int first = pc_leader_of(crowd, one), second = pc_leader_of(crowd, other);
  crowd->leader[first > second ? first : second] = first > second ? second : first;
}

int pc_crowd_add_hands(pc_crowd *crowd, int one, int other, double stiffness)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  int person[2] = {one, other};
  pc_body body[2];
  pc_body_state state[2];
  double point[2][3], least = INFINITY;
  if (one < 0 || other < 0 || one >= crowd->people || other >= crowd->people || one == other)
    return pc_crowd_reject(crowd, "a bond of hands needs two different people (got %d and %d)", one,
                           other);
  for (int i = 0; i < 2; i++) {
    body[i] = pc_crowd_body(crowd, person[i]);
    pc_body_get(crowd->world, body[i], &state[i]);
    memcpy(point[i], state[i].position, sizeof point[i]);
  }
  for (int pair = 0; pair < 4 && crowd->def.turns; pair++) { // left and right shoulders
    double shoulder[2][3] = {0}, away;
    for (int i = 0; i < 2; i++) {
      double angle = 2 * pc_atan2(state[i].orientation[3], state[i].orientation[0]);
      double arm = (pair >> i & 1 ? 1 : -1) * crowd->person[person[i]].def.radius;
      shoulder[i][0] = state[i].position[0] - arm * pc_sin(angle);
      shoulder[i][1] = state[i].position[1] + arm * pc_cos(angle);
    }
    away = pc_hypot(shoulder[0][0] - shoulder[1][0], shoulder[0][1] - shoulder[1][1]);
    if (away < least) {
      least = away;
      memcpy(point, shoulder, sizeof point);
    }
  }
  int bond = pc_world_add_bond(crowd->world, body, (const double(*)[3])point, stiffness);
  if (bond < 0)
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "%s", pc_world_error(crowd->world));
  else
    lead(crowd, one, other);
  return bond;
}
