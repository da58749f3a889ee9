// Lifts: cars that carry people between floors. People wait before the doors, and get in one after
// the other; a car has a capacity, a speed, doors that take time, and answers calls.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/saved.h"
#include "crowd/crowd.h"

static const double FRONT = 0.35; // m before the doors: where routes lead to
static const double NEAR = 2;     // m from there: people call the car, and get in
static const double STAND = 0.4;  // m from there: people stand and wait
static const double LOOKS = 0.5;  // s, between looks of a car that rests at people who wait

enum { RESTS, RIDES, OPENS, OPEN, CLOSES, PHASES };

pc_lift_def pc_lift_def_default(void)
{
  return (pc_lift_def){
      .capacity = 8, .speed = 1, .doors = 3, .transfer = 1, .dwell = 3, .wait = -1};
}

static double ride_time(const pc_lift *lift, int from, int to)
{
  double way = fabs(lift->landing[to].height - lift->landing[from].height);
  double v = lift->def.speed, a = lift->def.acceleration;
  if (!(a > 0))
    return way / v;
  return way * a >= v * v ? way / v + v / a : 2 * sqrt(way / a);
}

static pc_status set_landing(pc_crowd *crowd, const pc_landing_def *def, pc_landing *own)
{
  pc_status status = pc_check_floor(crowd, def->floor);
  const double *a = def->line[0], *b = def->line[1];
  double width = pc_hypot(b[0] - a[0], b[1] - a[1]);
  if (status == PC_OK && (!(width > 0) || !isfinite(width) || !isfinite(def->height)))
    status = pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                           "the doors of a lift need two different points and a height");
  *own = (pc_landing){.floor = def->floor, .height = def->height};
  memcpy(own->line, def->line, sizeof own->line);
  for (int k = 0; k < 2; k++)
    own->along[k] = (b[k] - a[k]) / width;
  own->out[0] = own->along[1];
  own->out[1] = -own->along[0];
  for (int e = 0; e < 2; e++)
    for (int k = 0; k < 2; k++) // its middle half
      own->front[e][k] =
          a[k] + (e == 0 ? 0.25 : 0.75) * width * own->along[k] + FRONT * own->out[k];
  return status;
}

static pc_status check(pc_crowd *crowd, const pc_lift_def *def)
{
  bool sound = def->landings >= 2 && def->landing != NULL && def->capacity >= 1 && def->speed > 0 &&
               def->acceleration >= 0 && def->doors >= 0 && def->transfer > 0 && def->dwell >= 0 &&
               def->start >= 0 && def->start < def->landings &&
               isfinite(def->speed + def->acceleration + def->doors + def->transfer + def->dwell +
                        def->wait);
  for (int i = 0; i < def->landings && sound; i++)
    for (int k = 0; k < i && sound; k++)
      sound = def->landing[i].floor != def->landing[k].floor;
  return sound ? PC_OK
               : pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                               "a lift needs at least two stops, on different floors, a capacity, "
                               "and positive speed and transfer time");
}

int pc_crowd_add_lift(pc_crowd *crowd, const pc_lift_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL)
    return pc_crowd_reject(crowd, "the definition of a lift must not be NULL");
  if (check(crowd, def) != PC_OK)
    return -1;
  pc_lift own = {.def = *def, .now = {.at = def->start, .to = def->start}};
  own.def.landing = NULL;
  own.landing = pc_arena_take(&crowd->arena, (size_t)def->landings, sizeof *own.landing);
  if (own.landing == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < def->landings; i++) {
    if (set_landing(crowd, &def->landing[i], &own.landing[i]) != PC_OK)
      return -1;
    low = fmin(low, def->landing[i].height);
    high = fmax(high, def->landing[i].height);
  }
  if (def->wait < 0) // half a round trip with one stop at either end
    own.def.wait = (high - low) / def->speed + 2 * def->doors + def->dwell;
  pc_lift *lift = pc_array_add(&crowd->lifts);
  if (lift == NULL)
    return pc_crowd_out_of_memory(crowd), -1;
  *lift = own;
  return crowd->lifts.count - 1;
}

pc_lift_state pc_crowd_lift(const pc_crowd *crowd, int number)
{
  if (crowd == NULL || number < 0 || number >= crowd->lifts.count)
    return (pc_lift_state){0};
  const pc_lift *lift = &crowd->lifts.at[number];
  return (pc_lift_state){.at = lift->now.at,
                         .to = lift->now.to,
                         .riders = lift->now.riders,
                         .carried = lift->now.carried,
                         .is_open = lift->now.phase == OPEN,
                         .moves = lift->now.phase == RIDES};
}

int pc_crowd_lifts(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->lifts.count;
}

pc_status pc_lifts_check(pc_crowd *crowd)
{
  for (int i = 0; i < crowd->lifts.count; i++)
    for (int s = 0; s < crowd->lifts.at[i].def.landings; s++) {
      const pc_landing *landing = &crowd->lifts.at[i].landing[s];
      double middle[2];
      for (int k = 0; k < 2; k++)
        middle[k] = 0.5 * (landing->front[0][k] + landing->front[1][k]);
      if (!pc_layout_allows(&crowd->floors.at[landing->floor].plan, middle))
        return pc_crowd_fail_about(
            crowd, landing->floor, -1, -1,
            "nobody can stand before the doors of the lift from (%g, %g) to (%g, %g)" PC_ON_FLOOR
            ": list its points from left to right, as seen by those who get in",
            landing->line[0][0], landing->line[0][1], landing->line[1][0], landing->line[1][1]);
    }
  return PC_OK;
}

// The time from the doors of a stop to the goal, by the best of the other stops.
double pc_lift_after(const pc_crowd *crowd, const pc_field *fields, const pc_lift *lift, int from,
                     int *best)
{
  double least = INFINITY;
  *best = -1;
  for (int s = 0; s < lift->def.landings; s++) {
    const pc_landing *landing = &lift->landing[s];
    double p[2];
    if (s == from || fields[landing->floor].time == NULL)
      continue;
    for (int k = 0; k < 2; k++)
      p[k] = 0.5 * (landing->front[0][k] + landing->front[1][k]);
    double after = lift->def.wait + ride_time(lift, from, s) + 2 * lift->def.doors +
                   2 * lift->def.transfer + pc_field_time(&fields[landing->floor], p);
    if (after < least) {
      least = after;
      *best = s;
    }
  }
  return least;
}

// How far a person is from the doors of a stop, if the way leads there and in: then `to` is where
// the person wants to get out. Else infinite.
static double waits_at(const pc_crowd *crowd, const pc_lift *lift, int stop, int i, double reach,
                       int *to)
{
  const pc_landing *landing = &lift->landing[stop];
  const pc_walker *walker = &crowd->walker[i];
  double p[2] = {crowd->place[i][0] - crowd->floors.at[landing->floor].offset, crowd->place[i][1]};
  double near[2];
  if (walker->floor != landing->floor || !(walker->ability & PC_LIFTS))
    return INFINITY;
  pc_nearest_on_line(p, landing->front[0], landing->front[1], near);
  double away = pc_hypot(near[0] - p[0], near[1] - p[1]);
  const pc_field *fields = pc_fields_of(&crowd->targets.at[walker->goal], walker->ability);
  if (!(away <= reach) || fields == NULL || fields[landing->floor].time == NULL ||
      pc_layout_bars(&crowd->floors.at[landing->floor].plan, p, near))
    return INFINITY;
  double after = pc_lift_after(crowd, fields, lift, stop, to);
  double time = pc_field_time(&fields[landing->floor], p); // less by another way
  return *to >= 0 && time >= after + 0.9 * away - 0.1 ? away : INFINITY;
}

bool pc_lifts_stand(const pc_crowd *crowd, int person)
{
  bool stands = false;
  int to;
  for (int i = 0; i < crowd->lifts.count && !stands; i++)
    for (int s = 0; s < crowd->lifts.at[i].def.landings && !stands; s++)
      stands = isfinite(waits_at(crowd, &crowd->lifts.at[i], s, person, STAND, &to));
  return stands;
}

static bool is_there(const pc_crowd *crowd, int i, double time)
{
  return crowd->there[i] && time >= crowd->walker[i].from;
}

// The next to get in at a stop, or -1; those who stand nearest come first.
static int next_in(const pc_crowd *crowd, const pc_lift *lift, int stop, double time, int *to)
{
  int next = -1, where;
  double least = INFINITY;
  for (int i = 0; i < crowd->people; i++) {
    if (!is_there(crowd, i, time))
      continue;
    double away = waits_at(crowd, lift, stop, i, NEAR, &where);
    if (away < least) {
      least = away;
      next = i;
      *to = where;
    }
  }
  return next;
}

static bool rides(const pc_crowd *crowd, int i, int lift)
{
  return crowd->person[i].rides && crowd->person[i].source == lift;
}

// What a stop means to a car: riders get out, or people call it, to go up or down.
typedef struct stop_calls {
  bool out, up, down;
} stop_calls;

static stop_calls calls_of(const pc_crowd *crowd, int number, int stop, double time)
{
  const pc_lift *lift = &crowd->lifts.at[number];
  stop_calls calls = {false, false, false};
  int to;
  for (int i = 0; i < crowd->people; i++) {
    calls.out |= rides(crowd, i, number) && crowd->person[i].floor == lift->landing[stop].floor;
    if (!is_there(crowd, i, time) || !isfinite(waits_at(crowd, lift, stop, i, NEAR, &to)))
      continue;
    bool up = lift->landing[to].height > lift->landing[stop].height;
    calls.up |= up;
    calls.down |= !up;
  }
  return calls;
}

// Where a car goes next; -1: nobody wants it. With riders it goes on in its direction as long as
// somebody gets out there or, if there is room, waits to go the same way.
static int next_stop(pc_crowd *crowd, int number, double time)
{
  pc_lift *lift = &crowd->lifts.at[number];
  const pc_landing *at = lift->landing;
  int own = lift->now.at, best = -1;
  bool full = lift->now.riders >= lift->def.capacity;
  for (int turn = 0; turn < 2 && best < 0 && lift->now.riders > 0; turn++) {
    if (turn > 0 || lift->now.direction == 0)
      lift->now.direction = lift->now.direction > 0 ? -1 : 1;
    for (int s = 0; s < lift->def.landings; s++) {
      double way = lift->now.direction * (at[s].height - at[own].height);
      if (s == own || !(way >= 0) || (best >= 0 && way >= fabs(at[best].height - at[own].height)))
        continue;
      stop_calls calls = calls_of(crowd, number, s, time);
      if (calls.out || (!full && (lift->now.direction > 0 ? calls.up : calls.down)))
        best = s;
    }
  }
  if (lift->now.riders > 0)
    return best;
  lift->now.direction = 0;
  double most = -INFINITY;
  for (int s = 0; s < lift->def.landings; s++) {
    stop_calls calls = calls_of(crowd, number, s, time);
    double rank = lift->def.highest ? at[s].height : -fabs(at[s].height - at[own].height);
    if ((calls.up || calls.down) && rank > most) {
      most = rank;
      best = s;
    }
  }
  return best;
}

// Lets a rider out, if there is room before the doors.
static bool let_out(pc_crowd *crowd, pc_lift *lift, int i, pc_status *status)
{
  enum { PLACES = 5, ROWS = 3 };
  static const double along[PLACES] = {0.5, 0.25, 0.75, 0.1, 0.9};
  const pc_landing *landing = &lift->landing[lift->now.at];
  pc_person *person = &crowd->person[i];
  const pc_layout *plan = &crowd->floors.at[landing->floor].plan;
  double radius = person->def.radius, p[2], still[2] = {0, 0};
  for (int n = 0; n < PLACES * ROWS; n++) {
    for (int k = 0; k < 2; k++)
      p[k] = landing->line[0][k] + along[n % PLACES] * (landing->line[1][k] - landing->line[0][k]) +
             (radius + 0.05 + 0.45 * (n / PLACES)) * landing->out[k];
    if (!pc_layout_allows(plan, p) || pc_layout_distance(plan, p, radius) < radius ||
        pc_doors_distance(crowd, landing->floor, p) < radius ||
        !pc_room_has(crowd, landing->floor, p, radius, i))
      continue;
    person->rides = false;
    person->source = person->def.source;
    person->present = true;
    crowd->there[i] = 1;
    *status = pc_room_move(crowd, i, landing->floor, p, still, 0);
    if (*status == PC_OK)
      *status =
          pc_crowd_check(crowd, pc_world_set_present(crowd->world, pc_crowd_body(crowd, i), true));
    lift->now.riders--;
    return true;
  }
  return false;
}

// Somebody gets out, or in; false: nobody can.
static bool transfer(pc_crowd *crowd, int number, double time, pc_status *status)
{
  pc_lift *lift = &crowd->lifts.at[number];
  int floor = lift->landing[lift->now.at].floor, to = -1;
  bool sorted = false;
  for (int i = 0; i < crowd->people && *status == PC_OK; i++) {
    if (!rides(crowd, i, number) || crowd->person[i].floor != floor)
      continue;
    if (!sorted)
      *status = pc_room_sort(crowd, 2 * crowd->largest);
    sorted = true;
    if (*status == PC_OK && let_out(crowd, lift, i, status))
      return true;
  }
  if (*status != PC_OK || lift->now.riders >= lift->def.capacity)
    return false;
  int in = next_in(crowd, lift, lift->now.at, time, &to);
  if (in < 0)
    return false;
  pc_person *person = &crowd->person[in];
  person->rides = true;
  person->source = number;
  person->present = false;
  person->floor = lift->landing[to].floor;
  crowd->there[in] = 0;
  pc_walker_set(crowd, in);
  lift->now.riders++;
  lift->now.carried++;
  *status =
      pc_crowd_check(crowd, pc_world_set_present(crowd->world, pc_crowd_body(crowd, in), false));
  return true;
}

static void begin(pc_lift *lift, int phase, double time, double lasts)
{
  lift->now.phase = phase;
  lift->now.until = time + lasts;
}

// One phase after the other, each from when the last one ended.
static pc_status go_on(pc_crowd *crowd, int number, double time)
{
  pc_lift *lift = &crowd->lifts.at[number];
  pc_status status = PC_OK;
  double ended = lift->now.until;
  switch (lift->now.phase) {
  case RESTS:
    begin(lift, RESTS, time, LOOKS);
    // falls through
  case CLOSES: {
    int next = next_stop(crowd, number, time);
    double from = lift->now.phase == CLOSES ? ended : time;
    if (next < 0) {
      begin(lift, RESTS, time, LOOKS);
      break;
    }
    lift->now.to = next;
    if (next == lift->now.at)
      begin(lift, OPENS, from, lift->def.doors);
    else
      begin(lift, RIDES, from, ride_time(lift, lift->now.at, next));
    break;
  }
  case RIDES:
    lift->now.at = lift->now.to;
    begin(lift, OPENS, ended, lift->def.doors);
    break;
  case OPENS:
    begin(lift, OPEN, ended, 0);
    lift->now.closes = ended + lift->def.dwell;
    break;
  default:
    if (transfer(crowd, number, time, &status)) {
      begin(lift, OPEN, ended, lift->def.transfer);
      lift->now.closes =
          lift->now.until + (lift->now.riders < lift->def.capacity ? lift->def.dwell : 0);
    } else if (time >= lift->now.closes - 1e-9)
      begin(lift, CLOSES, fmax(ended, lift->now.closes), lift->def.doors);
    else // somebody may come
      begin(lift, OPEN, fmax(time, ended), fmin(LOOKS, lift->now.closes - time));
  }
  return status;
}

pc_status pc_lifts_go(pc_crowd *crowd, double time)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->lifts.count && status == PC_OK; i++)
    for (int n = 0; n < PHASES && time >= crowd->lifts.at[i].now.until - 1e-9 && status == PC_OK;
         n++)
      status = go_on(crowd, i, time);
  return status;
}

size_t pc_lifts_save(const pc_crowd *crowd, char *to)
{
  size_t size = sizeof(pc_lift_motion);
  for (int i = 0; i < crowd->lifts.count && to != NULL; i++)
    memcpy(to + size * (size_t)i, &crowd->lifts.at[i].now, size);
  return size * (size_t)crowd->lifts.count;
}

bool pc_lifts_are_sound(const pc_crowd *crowd, const char *from)
{
  bool sound = true;
  for (int i = 0; i < crowd->lifts.count && sound; i++) {
    int last = crowd->lifts.at[i].def.landings - 1;
    const pc_saved_field fields[] = {
        PC_SAVED_FINITE(pc_lift_motion, until),
        PC_SAVED_FINITE(pc_lift_motion, closes),
        PC_SAVED_INTEGERS(pc_lift_motion, phase, 0, PHASES - 1),
        PC_SAVED_INTEGERS(pc_lift_motion, at, 0, last),
        PC_SAVED_INTEGERS(pc_lift_motion, to, 0, last),
        PC_SAVED_INTEGERS(pc_lift_motion, direction, -1, 1),
        PC_SAVED_INTEGERS(pc_lift_motion, riders, 0, crowd->people),
        PC_SAVED_INTEGERS(pc_lift_motion, carried, 0, 2e9),
    };
    sound = pc_saved_is_sound(from + sizeof(pc_lift_motion) * (size_t)i, 1, sizeof(pc_lift_motion),
                              fields, PC_COUNT(fields));
  }
  return sound;
}

bool pc_lifts_may_carry(const pc_crowd *crowd, const pc_person *person)
{
  bool stops = false;
  if (!person->rides)
    return true;
  if (person->present || person->waits || person->source < 0 ||
      person->source >= crowd->lifts.count)
    return false;
  const pc_lift *lift = &crowd->lifts.at[person->source];
  for (int s = 0; s < lift->def.landings; s++)
    stops |= lift->landing[s].floor == person->floor;
  return stops;
}

void pc_lifts_load(pc_crowd *crowd, const char *from)
{
  for (int i = 0; i < crowd->lifts.count; i++) {
    pc_lift *lift = &crowd->lifts.at[i];
    memcpy(&lift->now, from + sizeof lift->now * (size_t)i, sizeof lift->now);
    lift->now.riders = 0;
    for (int k = 0; k < crowd->people; k++)
      lift->now.riders += rides(crowd, k, i);
  }
}
