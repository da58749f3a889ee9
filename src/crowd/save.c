// The changing state of a crowd as bytes, and back; and queries for recording.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "core/saved.h"
#include "crowd/crowd.h"

enum { CROWD_MAGIC = 0x50434331 };

typedef struct crowd_header {
  int magic, people, floors, targets, sources, inside;
  int person; // bytes of one: another version has another
  double load_span;
} crowd_header;

// A person has no pointers: it is saved as it is.
typedef struct person_entry {
  pc_person person;
  double wish[2], push;
  pc_pushed pushed;
  pc_pressing pressing;
  int there;
} person_entry;

// Between some members of a person there are bytes that mean nothing, and have what was there by
// chance: an assignment copies them. They are saved as 0, for the bytes are compared. So are the
// flags of the definition that follow `straight`, which stay as they are in the crowd.
#define GAP(type, member, next)                                                                    \
  {                                                                                                \
    offsetof(type, member) + sizeof((type){0}.member), offsetof(type, next)                        \
  }

static void close_gaps(pc_person *person)
{
  static const size_t defined[][2] = {GAP(pc_person_def, straight, plan),
                                      GAP(pc_person_def, source, arrival)};
  for (size_t i = 0; i < sizeof defined / sizeof *defined; i++)
    memset((char *)&person->def + defined[i][0], 0, defined[i][1] - defined[i][0]);
}

size_t pc_crowd_save(const pc_crowd *crowd, void *buffer, size_t size)
{
  if (crowd == NULL || pc_world_save(crowd->world, NULL, 0) == 0)
    return 0;
  size_t people = sizeof(crowd_header) + (size_t)crowd->people * sizeof(person_entry);
  size_t crowding = people + pc_events_save(crowd, NULL);
  size_t choosing = crowding + pc_congestion_save(crowd, NULL);
  size_t exposed = choosing + pc_choice_save(crowd, NULL);
  size_t lifts = exposed + pc_hazards_save(crowd, NULL);
  size_t company = lifts + pc_lifts_save(crowd, NULL);
  size_t own = company + pc_company_save(crowd, NULL);
  size_t need = own + pc_world_save(crowd->world, NULL, 0);
  if (buffer == NULL || size < need)
    return need;
  char *to = buffer;
  crowd_header header;
  memset(&header, 0, sizeof header); // padding too: the bytes are compared
  header.magic = CROWD_MAGIC;
  header.people = crowd->people;
  header.floors = crowd->floors.count;
  header.targets = crowd->targets.count;
  header.sources = crowd->sources.count;
  header.inside = crowd->inside;
  header.person = sizeof(person_entry);
  header.load_span = crowd->load_span;
  memcpy(to, &header, sizeof header);
  for (int i = 0; i < crowd->people; i++) {
    person_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.person = crowd->person[i];
    close_gaps(&entry.person);
    memcpy(entry.wish, crowd->wish[i], sizeof entry.wish);
    entry.push = crowd->push[i];
    entry.pushed = crowd->pushed[i];
    entry.pressing = crowd->pressing[i];
    entry.there = crowd->there[i];
    memcpy(to + sizeof header + (size_t)i * sizeof entry, &entry, sizeof entry);
  }
  pc_events_save(crowd, to + people);
  pc_congestion_save(crowd, to + crowding);
  pc_choice_save(crowd, to + choosing);
  pc_hazards_save(crowd, to + exposed);
  pc_lifts_save(crowd, to + lifts);
  pc_company_save(crowd, to + company);
  pc_world_save(crowd->world, to + own, need - own);
  return need;
}

// What a person may be in this crowd, apart from what does not change. The goal that one left by is
// -1 for those inside.
static bool can_be(const pc_crowd *crowd, const void *entry)
{
  int targets = crowd->targets.count, lifts = crowd->lifts.count;
  int sources = crowd->sources.count > lifts ? crowd->sources.count : lifts;
  const pc_saved_field fields[] = {
      PC_SAVED_INTEGERS(person_entry, person.floor, 0, crowd->floors.count - 1),
      PC_SAVED_INTEGERS(person_entry, person.goal, 0, targets - 1),
      PC_SAVED_INTEGERS(person_entry, person.exit, -1, targets - 1),
      PC_SAVED_INTEGERS(person_entry, person.source, -1, sources),
      PC_SAVED_INTEGERS(person_entry, person.stage, 0, INT_MAX),
      PC_SAVED_INTEGERS(person_entry, person.laps, 0, INT_MAX / 2),
      PC_SAVED_INTEGERS(person_entry, person.detour, 0, crowd->detours.count),
      PC_SAVED_INTEGERS(person_entry, person.chosen, 0, targets),
      PC_SAVED_FLAGS(person_entry, person.stands),
      PC_SAVED_FLAGS(person_entry, person.present),
      PC_SAVED_FLAGS(person_entry, person.waits),
      PC_SAVED_FLAGS(person_entry, person.rides),
      PC_SAVED_FLAGS(person_entry, person.def.straight),
      PC_SAVED_FINITE(person_entry, person.facing),
      PC_SAVED_POSITIVE(person_entry, person.dose),
      PC_SAVED_FINITE(person_entry, wish),
      PC_SAVED_POSITIVE(person_entry, push),
      PC_SAVED_POSITIVE(person_entry, pushed.largest),
      PC_SAVED_POSITIVE(person_entry, pushed.sum),
      PC_SAVED_POSITIVE(person_entry, pressing),
      PC_SAVED_INTEGERS(person_entry, there, 0, 1),
  };
  return pc_saved_is_sound(entry, 1, sizeof(person_entry), fields, PC_COUNT(fields));
}

static bool is_sound(const pc_crowd *crowd, int i, const char *bytes)
{
  if (!can_be(crowd, bytes))
    return false;
  pc_person person, own = crowd->person[i];
  memcpy(&person, bytes + offsetof(person_entry, person), sizeof person);
  close_gaps(&person);
  close_gaps(&own);
  int plan = own.def.plan, last = plan >= 0 ? crowd->plans.at[plan].count - 1 : 0;
  return memcmp(&person.def, &own.def, sizeof own.def) == 0 && person.group == own.group &&
         person.stage <= last && person.smoke >= 0 && person.smoke < 1 && person.company >= 0 &&
         person.company <= 1 && pc_choice_is_sound(crowd, &person) &&
         pc_lifts_may_carry(crowd, &person) &&
         (!person.waits ||
          (person.source >= 0 && person.source < crowd->sources.count && !person.present));
}

static pc_status check_state(pc_crowd *crowd, const crowd_header *header, const char *people)
{
  if (header->magic != CROWD_MAGIC || header->people != crowd->people ||
      header->floors != crowd->floors.count || header->targets != crowd->targets.count ||
      header->sources != crowd->sources.count || header->person != (int)sizeof(person_entry))
    return pc_crowd_fail(crowd, PC_ERROR_INPUT, "the saved state belongs to another crowd");
  bool sound = header->inside >= 0 && header->inside <= crowd->people && header->load_span >= 0 &&
               header->load_span <= crowd->def.load_window;
  for (int i = 0; i < crowd->people && sound; i++)
    sound = is_sound(crowd, i, people + (size_t)i * sizeof(person_entry));
  return sound ? PC_OK : pc_crowd_fail(crowd, PC_ERROR_INPUT, "the saved state is damaged");
}

// Times of last looks: anything but no number.
static bool are_times(const char *from, size_t size)
{
  bool sound = true;
  for (size_t at = 0; at + sizeof(double) <= size; at += sizeof(double)) {
    double time;
    memcpy(&time, from + at, sizeof time);
    sound = sound && !isnan(time);
  }
  return sound;
}

pc_status pc_crowd_load(pc_crowd *crowd, const void *buffer, size_t size)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (buffer == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the saved state must not be NULL");
  crowd_header header;
  const char *from = buffer;
  size_t people = sizeof header + (size_t)crowd->people * sizeof(person_entry);
  size_t crowding = people + pc_events_save(crowd, NULL);
  size_t choosing = crowding + pc_congestion_save(crowd, NULL);
  size_t exposed = choosing + pc_choice_save(crowd, NULL);
  size_t lifts = exposed + pc_hazards_save(crowd, NULL);
  size_t company = lifts + pc_lifts_save(crowd, NULL);
  size_t own = company + pc_company_save(crowd, NULL);
  if (size < own)
    return pc_crowd_fail(crowd, PC_ERROR_INPUT, "the saved state is too short");
  memcpy(&header, from, sizeof header);
  pc_status status = check_state(crowd, &header, from + sizeof header);
  if (status == PC_OK &&
      (!pc_congestion_is_sound(crowd, from + crowding) ||
       !pc_lifts_are_sound(crowd, from + lifts) || !are_times(from + choosing, lifts - choosing) ||
       !are_times(from + company, own - company)))
    status = pc_crowd_fail(crowd, PC_ERROR_INPUT, "the saved state is damaged");
  if (status != PC_OK)
    return status;
  status = pc_world_load(crowd->world, from + own, size - own);
  if (status != PC_OK)
    return pc_crowd_check(crowd, status);
  for (int i = 0; i < crowd->people; i++) {
    person_entry entry;
    memcpy(&entry, from + sizeof header + (size_t)i * sizeof entry, sizeof entry);
    entry.person.def = crowd->person[i].def;
    crowd->person[i] = entry.person;
    pc_walker_set(crowd, i);
    memcpy(crowd->wish[i], entry.wish, sizeof entry.wish);
    crowd->push[i] = entry.push;
    crowd->pushed[i] = entry.pushed;
    crowd->pressing[i] = entry.pressing;
    crowd->there[i] = entry.there != 0;
  }
  crowd->inside = header.inside;
  crowd->load_span = header.load_span;
  crowd->is_read = false;
  pc_doors_note(crowd);
  pc_congestion_load(crowd, from + crowding);
  pc_hazards_load(crowd, from + exposed);
  pc_lifts_load(crowd, from + lifts);
  pc_company_load(crowd, from + company);
  status = pc_delays_renew(crowd);
  if (status == PC_OK)
    status = pc_events_load(crowd, from + people);
  return status == PC_OK ? pc_choice_load(crowd, from + choosing) : status;
}

int pc_crowd_floors(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->floors.count;
}

double pc_crowd_floor_offset(const pc_crowd *crowd, int floor)
{
  if (crowd == NULL || floor < 0 || floor >= crowd->floors.count)
    return 0;
  return crowd->floors.at[floor].offset;
}

pc_person_def pc_crowd_person_def(const pc_crowd *crowd, int person)
{
  if (crowd == NULL || person < 0 || person >= crowd->people)
    return pc_person_def_default();
  return crowd->person[person].def;
}

void pc_crowd_set_threads(pc_crowd *crowd, int threads)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return;
  crowd->def.threads = threads;
  pc_world_set_threads(crowd->world, threads);
}
