#include "run/tallies.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/saved.h"
#include "core/small.h"

static size_t flags_of(const pc_scene *scene)
{
  return (size_t)scene->bodies + 1;
}

bool pc_tallies_begin(pc_tallies *tallies, pc_arena *arena, const pc_scene *scene)
{
  *tallies = (pc_tallies){.scene = scene};
  for (int k = 0; k < scene->sensors; k++)
    tallies->count += scene->sensor[k].kind == PC_SENSOR_HITS;
  if (tallies->count == 0)
    return true;
  size_t numbers = (size_t)tallies->count * sizeof *tallies->tally;
  tallies->bytes = numbers + (size_t)tallies->count * flags_of(scene);
  tallies->tally =
      pc_arena_take(arena, tallies->bytes / sizeof *tallies->tally + 1, sizeof *tallies->tally);
  tallies->hit = (unsigned char *)tallies->tally + numbers;
  return tallies->tally != NULL;
}

// The number of a sensor among those of hits.
static int place_of(const pc_tallies *tallies, int sensor)
{
  int place = 0;
  for (int k = 0; k < sensor; k++)
    place += tallies->scene->sensor[k].kind == PC_SENSOR_HITS;
  return place;
}

const pc_tally *pc_tally_of(const pc_tallies *tallies, int sensor)
{
  return &tallies->tally[place_of(tallies, sensor)];
}

// The body that strikes is the one that is not of the sensor. An obstacle strikes nothing.
static pc_strike strike_of(const pc_tallies *tallies, const pc_hit *hit, double value)
{
  const pc_world *world = tallies->scene->world;
  bool other = pc_body_get_mass(world, (pc_body){hit->by}) > 0 ||
               !(pc_body_get_mass(world, (pc_body){hit->body}) > 0);
  pc_body body = {other ? hit->by : hit->body};
  pc_strike strike = {.value = value,
                      .time = hit->begin,
                      .mass = pc_body_get_mass(world, body),
                      .duration = hit->open ? 0 : hit->end - hit->begin,
                      .body = body};
  for (int i = 0; i < 3; i++)
    strike.point[i] = hit->places[i] / hit->sizes;
  return strike;
}

static void keep_larger(pc_strike *largest, pc_strike strike)
{
  if (largest->body.id != 0 && !(strike.value > largest->value))
    return;
  largest->value = strike.value; // the bytes between members, which are saved, stay 0
  largest->time = strike.time;
  largest->mass = strike.mass;
  largest->duration = strike.duration;
  memcpy(largest->point, strike.point, sizeof largest->point);
  largest->body = strike.body;
}

static void add_begun(pc_tallies *tallies, const pc_hit *hit)
{
  int place = place_of(tallies, hit->sensor);
  pc_tally *tally = &tallies->tally[place];
  pc_strike strike = strike_of(tallies, hit, 0);
  strike.value = hit->kinetic[strike.body.id == hit->by];
  unsigned char *hits = &tallies->hit[(size_t)place * flags_of(tallies->scene)];
  tally->struck += !hits[strike.body.id];
  hits[strike.body.id] = 1;
  keep_larger(&tally->energy, strike);
}

void pc_tallies_step(pc_tallies *tallies, const pc_hits *hits, double begin)
{
  for (int i = 0; i < hits->open.count; i++)
    if (hits->open.at[i].begin == begin)
      add_begun(tallies, &hits->open.at[i]);
  for (int i = 0; i < hits->over.count; i++) {
    const pc_hit *hit = &hits->over.at[i];
    keep_larger(&tallies->tally[place_of(tallies, hit->sensor)].impulse,
                strike_of(tallies, hit, sqrt(pc_dot3(hit->impulse, hit->impulse))));
  }
}

bool pc_tallies_are_sound(const pc_tallies *tallies, const void *data, size_t size)
{
  int bodies = tallies->scene->bodies;
  size_t numbers = (size_t)tallies->count * sizeof *tallies->tally;
  const pc_saved_field fields[] = {
      PC_SAVED_INTEGERS(pc_tally, struck, 0, bodies),
      PC_SAVED_POSITIVE(pc_tally, energy.value),
      PC_SAVED_POSITIVE(pc_tally, energy.time),
      PC_SAVED_POSITIVE(pc_tally, energy.mass),
      PC_SAVED_POSITIVE(pc_tally, energy.duration),
      PC_SAVED_FINITE(pc_tally, energy.point),
      PC_SAVED_INTEGERS(pc_tally, energy.body.id, 0, bodies),
      PC_SAVED_POSITIVE(pc_tally, impulse.value),
      PC_SAVED_POSITIVE(pc_tally, impulse.time),
      PC_SAVED_POSITIVE(pc_tally, impulse.mass),
      PC_SAVED_POSITIVE(pc_tally, impulse.duration),
      PC_SAVED_FINITE(pc_tally, impulse.point),
      PC_SAVED_INTEGERS(pc_tally, impulse.body.id, 0, bodies),
  };
  return size == tallies->bytes &&
         (size == 0 ||
          (pc_saved_is_sound(data, (size_t)tallies->count, sizeof *tallies->tally, fields,
                             PC_COUNT(fields)) &&
           pc_saved_is_sound((const char *)data + numbers, size - numbers, 1, &pc_saved_flag, 1)));
}
