// Exits chosen by expected time: the time to walk there, or the time until those who come before
// are through, whichever is longer.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 256, BINS = 512 };
static const double BIN = 1;      // s of arrival; people who arrive after the last bin are in it
static const double FLOW = 1.9;   // people per second and metre: what doors are measured to pass
static const double KEEPS = 1;    // s, and
static const double PART = 0.1;   // of the time expected, that another exit must be faster
static const double LEAST = 0.05; // m/s: people as slow as that take the exit that is nearest

// The people who arrive at an exit, in bins of time, and when the last of a bin is through.
typedef struct arrivals {
  int count[BINS];
  double through[BINS];
  double each;  // s that one person takes; 0: no queue
  double width; // m; people who are wider do not fit
} arrivals;

// A person who chooses.
typedef struct chooser {
  int person, first;    // of `time` of the look: the times to the members of the choice
  double own;           // time to the one chosen
  bool is_new, follows; // has no exit yet; goes where another one goes
  bool stands;          // does not walk yet
} chooser;

struct pc_choosing {
  double last;     // time of the last look
  arrivals *exits; // per target
  PC_ARRAY(chooser) people;
  PC_ARRAY(double) time;
};

pc_status pc_choice_make(pc_crowd *crowd)
{
  if (!(crowd->def.choosing > 0))
    return PC_OK;
  pc_choosing *choosing = pc_arena_take(&crowd->arena, 1, sizeof *choosing);
  if (choosing == NULL)
    return pc_crowd_out_of_memory(crowd);
  *choosing = (pc_choosing){.last = -INFINITY};
  choosing->exits =
      pc_arena_take(&crowd->arena, (size_t)crowd->targets.count + 1, sizeof *choosing->exits);
  if (choosing->exits == NULL)
    return pc_crowd_out_of_memory(crowd);
  for (int i = 0; i < crowd->targets.count; i++) {
    const pc_target *target = &crowd->targets.at[i];
    if (target->kind != PC_TARGET_EXIT)
      continue;
    const double *a = target->point[0], *b = target->point[1];
    choosing->exits[i].width = pc_hypot(b[0] - a[0], b[1] - a[1]);
    choosing->exits[i].each = 1 / (FLOW * choosing->exits[i].width);
  }
  crowd->choosing = choosing;
  return PC_OK;
}

void pc_choice_free(pc_crowd *crowd)
{
  if (crowd->choosing == NULL)
    return;
  pc_array_free(&crowd->choosing->people);
  pc_array_free(&crowd->choosing->time);
}

static int bin_of(double time)
{
  return time < BIN * (BINS - 1) ? (int)(time / BIN) : BINS - 1;
}

// Those who arrive wait for each other (Lindley), from a bin on.
static void let_through(arrivals *exit, int from)
{
  double time = from > 0 ? exit->through[from - 1] : 0;
  for (int b = from; b < BINS; b++) {
    time = (exit->count[b] > 0 ? fmax(time, BIN * b) : time) + exit->count[b] * exit->each;
    exit->through[b] = time;
  }
}

// When somebody who arrives at a time is through; one of those counted, if `counted`.
static double expect(const arrivals *exit, double time, bool counted)
{
  if (!isfinite(time))
    return time;
  int bin = bin_of(time);
  double before = bin > 0 ? exit->through[bin - 1] : 0;
  return fmax(time, before + 0.5 * (exit->count[bin] - counted) * exit->each);
}

// Infinite if no way leads there, or none that has room or is known.
static double walking_time(const pc_crowd *crowd, int person, int goal, bool known)
{
  const pc_walker *walker = &crowd->walker[person];
  const pc_person *own = &crowd->person[person];
  double speed = own->def.speed * (1 - (double)own->smoke); // also of those who wait for others
  const arrivals *exit = &crowd->choosing->exits[goal];
  if (!known || (exit->each > 0 && exit->width < 2 * own->def.radius))
    return INFINITY;
  const pc_field *field = &pc_fields_of(&crowd->targets.at[goal], walker->ability)[walker->floor];
  double p[2] = {crowd->place[person][0] - crowd->floors.at[walker->floor].offset,
                 crowd->place[person][1]};
  return field->time != NULL ? pc_field_time(field, p) / fmax(speed, LEAST) : INFINITY;
}

static bool is_choice(const pc_crowd *crowd, int goal)
{
  return crowd->targets.at[goal].kind == PC_TARGET_CHOICE;
}

// The one whose exit a person takes, or -1.
static int leader_of(const pc_crowd *crowd, int person)
{
  int leader = pc_leader_of(crowd, person);
  bool leads = leader != person && crowd->there[leader] && crowd->person[leader].chosen > 0 &&
               crowd->person[leader].goal == crowd->person[person].goal;
  return leads ? leader : -1;
}

static pc_status find_people(pc_crowd *crowd, double time)
{
  pc_choosing *choosing = crowd->choosing;
  pc_status status = PC_OK;
  choosing->people.count = choosing->time.count = 0;
  for (int i = 0; i < crowd->people && status == PC_OK; i++) {
    const pc_person *person = &crowd->person[i];
    const pc_target *target = &crowd->targets.at[person->goal];
    bool stands = time < crowd->walker[i].from;
    if (!crowd->there[i] || target->kind == PC_TARGET_AREA || (stands && person->chosen > 0))
      continue;
    int members = is_choice(crowd, person->goal) ? target->members : 1, n = choosing->people.count;
    if (!pc_array_reserve(&choosing->people, n + 1) ||
        !pc_array_reserve(&choosing->time, choosing->time.count + members))
      return pc_crowd_out_of_memory(crowd);
    choosing->people.at[n] = (chooser){.person = i,
                                       .first = choosing->time.count,
                                       .is_new = person->chosen == 0,
                                       .follows = leader_of(crowd, i) >= 0,
                                       .stands = stands};
    choosing->people.count++;
    choosing->time.count += members;
    for (int k = 0; k < members && status == PC_OK; k++)
      status =
          pc_routes_find(crowd, is_choice(crowd, person->goal) ? target->member[k] : person->goal);
  }
  return status;
}

static int member_of(const pc_crowd *crowd, const pc_person *person, int k)
{
  return is_choice(crowd, person->goal) ? crowd->targets.at[person->goal].member[k] : person->goal;
}

static int members_of(const pc_crowd *crowd, const pc_person *person)
{
  return is_choice(crowd, person->goal) ? crowd->targets.at[person->goal].members : 1;
}

static bool is_known(const pc_person *person, int k)
{
  return person->unknown == 0 || person->goal != person->def.goal || !(person->unknown >> k & 1);
}

// The times of a person to all exits that may be taken; somebody who has none takes the nearest.
static void measure_one(pc_crowd *crowd, chooser *own)
{
  pc_person *person = &crowd->person[own->person];
  double *time = crowd->choosing->time.at + own->first;
  int nearest = -1;
  if (person->unknown != 0 && person->goal == person->def.goal)
    pc_sight_look(crowd, own->person);
  own->own = INFINITY;
  for (int k = 0; k < members_of(crowd, person); k++) {
    int goal = member_of(crowd, person, k);
    bool known = is_known(person, k);
    time[k] = walking_time(crowd, own->person, goal, known);
    if (known && (nearest < 0 || time[k] < time[nearest]))
      nearest = k;
    if (person->chosen == goal + 1)
      own->own = time[k];
  }
  if (!own->is_new || !is_choice(crowd, person->goal)) {
    own->own = own->is_new ? time[0] : own->own;
    return;
  }
  person->chosen = member_of(crowd, person, nearest) + 1;
  own->own = time[nearest];
}

static void measure(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  for (int n = begin; n < end; n++)
    measure_one(crowd, &crowd->choosing->people.at[n]);
}

// Those who arrive last choose first: for them a queue is longest.
static int compare(const void *a, const void *b)
{
  const chooser *one = a, *two = b;
  if (one->own != two->own)
    return one->own < two->own ? 1 : -1;
  return (one->person > two->person) - (one->person < two->person);
}

static void add(pc_crowd *crowd, int goal, double time, int number)
{
  arrivals *exit = &crowd->choosing->exits[goal];
  if (isfinite(time))
    exit->count[bin_of(time)] += number;
}

static void choose(pc_crowd *crowd, const chooser *own)
{
  pc_person *person = &crowd->person[own->person];
  const double *time = crowd->choosing->time.at + own->first;
  int now = person->chosen - 1, best = now;
  double least = expect(&crowd->choosing->exits[now], own->own, true), until = own->own;
  if (!own->is_new)
    least -= fmax(KEEPS, PART * least);
  for (int k = 0; k < members_of(crowd, person); k++) {
    int goal = member_of(crowd, person, k);
    double expected = expect(&crowd->choosing->exits[goal], time[k], false);
    if (goal != now && expected < least) { // never one that is not known
      best = goal;
      least = expected;
      until = time[k];
    }
  }
  if (best == now)
    return;
  person->chosen = best + 1;
  add(crowd, now, own->own, -1);
  add(crowd, best, until, 1);
  if (isfinite(own->own))
    let_through(&crowd->choosing->exits[now], bin_of(own->own));
  let_through(&crowd->choosing->exits[best], bin_of(until));
}

pc_status pc_choice_look(pc_crowd *crowd, double time, bool changed)
{
  pc_choosing *choosing = crowd->choosing;
  if (choosing == NULL || (!changed && time < choosing->last + crowd->def.choosing - 1e-9))
    return PC_OK;
  choosing->last = time;
  pc_status status = find_people(crowd, time);
  if (status != PC_OK)
    return status;
  chooser *people = choosing->people.at;
  int count = choosing->people.count;
  pc_parallel(crowd->def.threads > 1 ? crowd->def.threads : 1, count, GRAIN, measure, crowd);
  for (int i = 0; i < crowd->targets.count; i++)
    memset(choosing->exits[i].count, 0, sizeof choosing->exits[i].count);
  for (int n = 0; n < count; n++) {
    const pc_person *person = &crowd->person[people[n].person];
    if (!people[n].stands)
      add(crowd, pc_heading(person), people[n].own, 1);
  }
  for (int i = 0; i < crowd->targets.count; i++)
    let_through(&choosing->exits[i], 0);
  if (count > 0)
    qsort(people, (size_t)count, sizeof *people, compare);
  for (int n = 0; n < count; n++)
    if (is_choice(crowd, crowd->person[people[n].person].goal) && !people[n].follows &&
        !people[n].stands)
      choose(crowd, &people[n]);
  for (int n = 0; n < count; n++) {
    int i = people[n].person, leader = leader_of(crowd, i);
    if (leader >= 0)
      crowd->person[i].chosen = crowd->person[leader].chosen;
    pc_walker_set(crowd, i);
  }
  return PC_OK;
}

pc_status pc_choice_begin(pc_crowd *crowd, int number)
{
  pc_choosing *choosing = crowd->choosing;
  pc_person *person = &crowd->person[number];
  pc_status status = PC_OK;
  if (choosing == NULL || person->unknown == 0 || !is_choice(crowd, person->goal))
    return PC_OK;
  int members = members_of(crowd, person);
  for (int k = 0; k < members && status == PC_OK; k++)
    status = pc_routes_find(crowd, member_of(crowd, person, k));
  if (status == PC_OK && !pc_array_reserve(&choosing->time, members))
    status = pc_crowd_out_of_memory(crowd);
  if (status != PC_OK)
    return status;
  person->chosen = 0;
  measure_one(crowd, &(chooser){.person = number, .is_new = true});
  pc_walker_set(crowd, number);
  return PC_OK;
}

size_t pc_choice_save(const pc_crowd *crowd, char *to)
{
  if (crowd->choosing == NULL)
    return 0;
  if (to != NULL)
    memcpy(to, &crowd->choosing->last, sizeof crowd->choosing->last);
  return sizeof crowd->choosing->last;
}

bool pc_choice_is_sound(const pc_crowd *crowd, const pc_person *person)
{
  const pc_target *own = &crowd->targets.at[person->def.goal];
  const pc_target *target = &crowd->targets.at[person->goal];
  uint64_t all = own->members < 64 ? ((uint64_t)1 << own->members) - 1 : UINT64_MAX;
  bool has = false;
  if (person->unknown != 0 && (crowd->choosing == NULL || own->members > 64 ||
                               (person->unknown & ~all) != 0 || person->unknown == all))
    return false;
  if (person->chosen == 0)
    return true;
  for (int k = 0; k < target->members; k++)
    has |= target->member[k] == person->chosen - 1;
  return crowd->choosing != NULL && has;
}

pc_status pc_choice_load(pc_crowd *crowd, const char *from)
{
  pc_status status = PC_OK;
  if (crowd->choosing == NULL)
    return PC_OK;
  memcpy(&crowd->choosing->last, from, sizeof crowd->choosing->last);
  for (int i = 0; i < crowd->people && status == PC_OK; i++)
    status = pc_routes_find(crowd, pc_heading(&crowd->person[i]));
  return status;
}
