// The changing state of a world as bytes, and back.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "rigid/step.h"

// Of an element: what its net owes, its reserve, peak and part.
enum { OWED = 6 * sizeof(double) };

enum { WORLD_MAGIC = 0x5043573a };

typedef struct world_header {
  int magic, bodies, memories, elements, begun, changed;
  int ordered;      // bodies with a slot
  int sleep, rests; // whether bodies may sleep; contacts of sleeping bodies
  int moments;      // of rolling friction
  int absent;       // some bodies are not there
  int heat;         // bodies have temperatures
  uint64_t sum;     // of all bytes, with 0 in its place
  long step, base_count;
  double time, base_time, last_h, energy_start, energy_turnover, given, given_stored;
  pc_step_info info;
} world_header;

// What a saved state begins with.
static int magic_number(void)
{
  uint64_t layout = pc_balance_layout();
  return (int)((WORLD_MAGIC ^ layout ^ layout >> 32) & 0x7fffffff);
}

// FNV-1a, eight bytes at a time: damage is found, not malice.
static uint64_t sum_of(uint64_t sum, const char *bytes, size_t size)
{
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
    sum = (sum ^ word) * UINT64_C(0x100000001b3);
  }
  return sum;
}

static uint64_t sum_of_all(const char *bytes, size_t size)
{
  char header[sizeof(world_header)];
  memcpy(header, bytes, sizeof header);
  memset(header + offsetof(world_header, sum), 0, sizeof(uint64_t));
  uint64_t sum = sum_of(UINT64_C(0xcbf29ce484222325), header, sizeof header);
  return sum_of(sum, bytes + sizeof header, size - sizeof header);
}

// Of each body, where bodies may sleep.
typedef struct sleep_entry {
  int asleep, roused;
  double quiet, held[6];
} sleep_entry;

static size_t sleep_bytes(bool sleep, int bodies, int rests)
{
  return sleep ? sizeof(sleep_entry) * (size_t)bodies + sizeof(pc_contact_data) * (size_t)rests : 0;
}

static void save_sleep(const pc_world *world, char *to)
{
  for (int i = 0; i < world->bodies.count && pc_world_can_sleep(world);
       i++, to += sizeof(sleep_entry)) {
    sleep_entry entry = {0};
    if (i < world->sleep.known) {
      entry.asleep = world->bodies.asleep.at[i];
      entry.roused = world->sleep.roused.at[i];
      entry.quiet = world->sleep.quiet.at[i];
      memcpy(entry.held, world->sleep.held.at[i], sizeof entry.held);
    }
    memcpy(to, &entry, sizeof entry);
  }
  if (world->sleep.contacts.count > 0)
    memcpy(to, world->sleep.contacts.at,
           sizeof(pc_contact_data) * (size_t)world->sleep.contacts.count);
}

// Of each body in a world with heat.
enum { WARM = 2 * sizeof(double) };

static void save_heat(const pc_world *world, char *to)
{
  for (int i = 0; world->heat != NULL && i < world->bodies.count; i++) {
    const pc_body_heat *body = &world->heat->body.at[i];
    memcpy(to + WARM * (size_t)i, (const double[2]){body->start, body->heat}, WARM);
  }
}

static void load_heat(pc_world *world, const char *from)
{
  for (int i = 0; world->heat != NULL && i < world->bodies.count; i++) {
    double both[2];
    memcpy(both, from + WARM * (size_t)i, WARM);
    world->heat->body.at[i].start = both[0];
    world->heat->body.at[i].heat = both[1];
  }
}

static bool is_sound(const pc_world *world, const int body[2])
{
  return body[0] >= 0 && body[1] >= 0 && body[0] < world->bodies.count &&
         body[1] < world->bodies.count;
}

static pc_status load_sleep(pc_world *world, const char *from, int rests)
{
  world->bodies.sleepers = world->sleep.contacts.count = 0;
  world->sleep.potential_known = world->sleep.fresh = false;
  world->outlines.sleepers_h = 0;
  if (!pc_world_can_sleep(world))
    return PC_OK;
  if (!pc_sleep_reserve(&world->sleep, &world->bodies) ||
      !pc_array_reserve(&world->sleep.contacts, rests))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < world->bodies.count; i++, from += sizeof(sleep_entry)) {
    sleep_entry entry;
    memcpy(&entry, from, sizeof entry);
    bool sound = entry.asleep >= 0 && entry.asleep <= world->bodies.count;
    world->bodies.asleep.at[i] = sound ? entry.asleep : 0;
    world->sleep.quiet.at[i] = entry.quiet;
    memcpy(world->sleep.held.at[i], entry.held, sizeof entry.held);
    world->sleep.roused.at[i] = entry.roused != 0;
    world->bodies.sleepers += world->bodies.asleep.at[i] > 0;
  }
  if (rests > 0)
    memcpy(world->sleep.contacts.at, from, sizeof(pc_contact_data) * (size_t)rests);
  for (int i = 0; i < rests; i++) {
    world->sleep.contacts.at[i].interaction = -1;
    if (!is_sound(world, world->sleep.contacts.at[i].body))
      return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  }
  world->sleep.contacts.count = rests;
  return PC_OK;
}

// Whether some body is not there: then every body has a byte, after the order of bodies.
static bool any_absent(const pc_world *world)
{
  for (int i = 0; i < world->bodies.count; i++)
    if (world->bodies.solid.at[i].absent)
      return true;
  return false;
}

size_t pc_world_save(const pc_world *world, void *buffer, size_t size)
{
  size_t states = sizeof(pc_body_state) * (size_t)world->bodies.count;
  size_t memories = sizeof(pc_memory) * (size_t)world->contacts.memory.count;
  size_t owed = OWED * (size_t)world->elements.list.count;
  size_t moments = sizeof(pc_moment) * (size_t)world->contacts.moment.count;
  size_t rest =
      sleep_bytes(pc_world_can_sleep(world), world->bodies.count, world->sleep.contacts.count);
  size_t there = any_absent(world) ? (size_t)world->bodies.count : 0;
  size_t order = sizeof(int) * (size_t)world->bodies.ordered + there;
  size_t warm = world->heat != NULL ? WARM * (size_t)world->bodies.count : 0;
  size_t need = sizeof(world_header) + states + memories + moments + warm + owed + rest + order;
  if (buffer == NULL || size < need)
    return need;
  world_header header;
  memset(&header, 0, sizeof header); // padding too: the bytes are compared
  header.magic = magic_number();
  header.bodies = world->bodies.count;
  header.memories = world->contacts.memory.count;
  header.moments = world->contacts.moment.count;
  header.elements = world->elements.list.count;
  header.ordered = world->bodies.ordered;
  header.absent = there > 0;
  header.heat = world->heat != NULL;
  header.sleep = pc_world_can_sleep(world);
  header.rests = world->sleep.contacts.count;
  header.begun = world->balance.begun;
  header.changed = world->balance.changed;
  header.given = world->balance.given;
  header.given_stored = world->balance.given_stored;
  header.step = world->clock.step;
  header.base_count = world->clock.base_count;
  header.time = world->clock.time;
  header.base_time = world->clock.base_time;
  header.last_h = world->clock.last_h;
  header.energy_start = world->balance.energy_start;
  header.energy_turnover = world->balance.energy_turnover;
  header.info = world->info;
  header.info.box_tests = 0; // what searching costs depends on what is known, which is not saved
  header.info.detection_s = header.info.solve_s = header.info.step_s = 0; // nor is any clock
  header.info.stating_s = header.info.audit_s = 0;
  char *to = buffer;
  memcpy(to, &header, sizeof header);
  if (states > 0)
    memcpy(to + sizeof header, world->bodies.state.at, states);
  if (memories > 0)
    memcpy(to + sizeof header + states, world->contacts.memory.at, memories);
  if (moments > 0)
    memcpy(to + sizeof header + states + memories, world->contacts.moment.at, moments);
  for (int e = 0; e < world->elements.list.count; e++) {
    const pc_force_element *element = &world->elements.list.at[e];
    const double own[] = {element->owed[0], element->owed[1], element->owed[2],
                          element->reserve, element->peak,    element->part};
    memcpy(to + need - order - rest - owed + OWED * (size_t)e, own, OWED);
  }
  save_heat(world, to + need - order - rest - owed - warm);
  save_sleep(world, to + need - order - rest);
  if (order > there)
    memcpy(to + need - order, world->bodies.number.at, order - there);
  for (size_t i = 0; i < there; i++)
    to[need - there + i] = world->bodies.solid.at[i].absent;
  uint64_t sum = sum_of_all(to, need);
  memcpy(to + offsetof(world_header, sum), &sum, sizeof sum);
  return need;
}

// Bodies in the order they had; false if it is none.
static pc_status load_order(pc_world *world, const char *from, int ordered)
{
  int n = world->bodies.count;
  int *id = malloc(sizeof(int) * (size_t)(n + 1));
  char *seen = calloc((size_t)n + 1, 1);
  pc_status status = PC_OK;
  if (id == NULL || seen == NULL)
    status = pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < n && status == PC_OK; i++) {
    id[i] = i;
    if (i < ordered)
      memcpy(&id[i], from + sizeof(int) * (size_t)i, sizeof(int));
    if (id[i] < 0 || id[i] >= n || seen[id[i]])
      status = pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
    else
      seen[id[i]] = 1;
  }
  if (status == PC_OK && (ordered > 0 || world->bodies.ordered > 0))
    status = pc_order_apply(world, id);
  if (status == PC_OK)
    world->bodies.ordered = ordered;
  free(id);
  free(seen);
  return status;
}

pc_status pc_world_load(pc_world *world, const void *buffer, size_t size)
{
  world_header header;
  const char *from = buffer;
  size_t states = sizeof(pc_body_state) * (size_t)world->bodies.count;
  if (size < sizeof header)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is too short");
  memcpy(&header, from, sizeof header);
  size_t owed = OWED * (size_t)world->elements.list.count;
  size_t moments = header.moments < 0 ? 0 : sizeof(pc_moment) * (size_t)header.moments;
  size_t rest = sleep_bytes(header.sleep != 0, header.bodies, header.rests);
  size_t there = header.absent ? (size_t)world->bodies.count : 0;
  size_t order = sizeof(int) * (size_t)header.ordered + there;
  size_t warm = header.heat ? WARM * (size_t)world->bodies.count : 0;
  if (header.magic != magic_number() || header.bodies != world->bodies.count ||
      header.memories < 0 || header.moments < 0 || header.elements != world->elements.list.count ||
      header.rests < 0 || header.ordered < 0 || header.ordered > header.bodies ||
      header.sleep != pc_world_can_sleep(world) || header.heat != (world->heat != NULL) ||
      size != sizeof header + states + sizeof(pc_memory) * (size_t)header.memories + moments +
                  warm + owed + rest + order)
    return pc_fail(&world->error, PC_ERROR_INPUT,
                   "the saved state is of another world or of another version of Percuss");
  if (header.sum != sum_of_all(from, size))
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  pc_status placed = load_order(world, from + size - order, header.ordered);
  if (placed != PC_OK)
    return placed;
  for (int i = 0; i < world->bodies.count; i++)
    world->bodies.solid.at[i].absent = there > 0 && from[size - there + (size_t)i] != 0;
  if (!pc_array_reserve(&world->contacts.memory, header.memories) ||
      (moments > 0 && !pc_array_reserve(&world->contacts.moment, header.moments)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  if (states > 0)
    memcpy(world->bodies.state.at, from + sizeof header, states);
  if (header.memories > 0)
    memcpy(world->contacts.memory.at, from + sizeof header + states,
           sizeof(pc_memory) * (size_t)header.memories);
  for (int i = 0; i < header.memories; i++)
    if (!is_sound(world, world->contacts.memory.at[i].body))
      return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  pc_status status = load_sleep(world, from + size - order - rest, header.rests);
  if (status != PC_OK)
    return status;
  for (int e = 0; e < world->elements.list.count; e++) {
    double own[6];
    memcpy(own, from + size - order - rest - owed + OWED * (size_t)e, OWED);
    memcpy(world->elements.list.at[e].owed, own, sizeof world->elements.list.at[e].owed);
    world->elements.list.at[e].reserve = own[3];
    world->elements.list.at[e].peak = own[4];
    world->elements.list.at[e].part = own[5];
  }
  world->elements.reserved = world->elements.list.count;
  load_heat(world, from + size - order - rest - owed - warm);
  if (moments > 0)
    memcpy(world->contacts.moment.at, from + size - order - rest - owed - warm - moments, moments);
  world->contacts.moment.count = header.moments;
  world->contacts.memory.count = header.memories;
  world->contacts.list.count = world->contacts.first.count = 0;
  world->balance.begun = header.begun != 0;
  world->balance.changed = header.changed != 0;
  world->balance.given = header.given;
  world->balance.given_stored = header.given_stored;
  world->clock.step = header.step;
  world->clock.base_count = header.base_count;
  world->clock.time = header.time;
  world->clock.base_time = header.base_time;
  world->clock.last_h = header.last_h;
  world->balance.energy_start = header.energy_start;
  world->balance.energy_turnover = header.energy_turnover;
  world->info = header.info;
  world->error = (pc_error){0};
  return PC_OK;
}
