// The changing state of a world as bytes, and back.
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "rigid/step.h"

enum { WORLD_MAGIC = 0x5043573a };

typedef struct world_header {
  int magic, bodies, memories, elements, begun, changed;
  int ordered;      // bodies with a slot
  int sleep, rests; // whether bodies may sleep; contacts of sleeping bodies
  int moments;      // of rolling friction
  int passages;     // pairs of bodies on their way through each other
  int absent;       // some bodies are not there
  int heat;         // bodies have temperatures
  uint64_t sum;     // of all bytes, with 0 in its place
  pc_clock clock;
  double energy_start, energy_turnover, given, given_stored;
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

// The parts of a state one after the other: counted, written or read.
typedef struct archive {
  char *to;         // or NULL
  const char *from; // or NULL
  size_t at;
} archive;

static void pass(archive *bytes, void *data, int count, size_t size)
{
  size *= (size_t)count;
  if (bytes->to != NULL && size > 0)
    memcpy(bytes->to + bytes->at, data, size);
  if (bytes->from != NULL && size > 0)
    memcpy(data, bytes->from + bytes->at, size);
  bytes->at += size;
}

// Of each body, where bodies may sleep.
typedef struct sleep_entry {
  int asleep, roused;
  double quiet, held[6];
} sleep_entry;

static void pass_sleep(archive *bytes, pc_world *world, int rests)
{
  pc_sleep *sleep = &world->sleep;
  for (int i = 0; i < world->bodies.count; i++) {
    sleep_entry entry = {0};
    if (i < sleep->known) {
      entry =
          (sleep_entry){world->bodies.asleep.at[i], sleep->roused.at[i], sleep->quiet.at[i], {0}};
      memcpy(entry.held, sleep->held.at[i], sizeof entry.held);
    }
    pass(bytes, &entry, 1, sizeof entry);
    if (bytes->from == NULL)
      continue;
    bool sound = entry.asleep >= 0 && entry.asleep <= world->bodies.count;
    world->bodies.asleep.at[i] = sound ? entry.asleep : 0;
    sleep->roused.at[i] = entry.roused != 0;
    sleep->quiet.at[i] = entry.quiet;
    memcpy(sleep->held.at[i], entry.held, sizeof entry.held);
  }
  pass(bytes, sleep->contacts.at, rests, sizeof *sleep->contacts.at);
}

// What is remembered of contacts, from where it is.
static void pass_memories(archive *bytes, pc_contact_set *contacts, int count)
{
  if (bytes->to == NULL || !contacts->answered) {
    pass(bytes, contacts->memory.at, count, sizeof *contacts->memory.at);
    return;
  }
  for (int t = 0; t < count; t++) {
    pc_memory memory = pc_memory_of(&contacts->list.at[t]);
    pass(bytes, &memory, 1, sizeof memory);
  }
}

// Everything behind the header, which has the counts. Only reading changes the world.
static void pass_parts(archive *bytes, pc_world *world, const world_header *header)
{
  pc_body_store *bodies = &world->bodies;
  pass(bytes, bodies->state.at, header->bodies, sizeof *bodies->state.at);
  pass_memories(bytes, &world->contacts, header->memories);
  pass(bytes, world->contacts.moment.at, header->moments, sizeof *world->contacts.moment.at);
  pass(bytes, world->pierced.list.at, header->passages, sizeof *world->pierced.list.at);
  for (int i = 0; i < header->bodies && header->heat; i++) {
    pass(bytes, &world->heat->body.at[i].start, 1, sizeof(double));
    pass(bytes, &world->heat->body.at[i].heat, 1, sizeof(double));
  }
  for (int e = 0; e < header->elements; e++) {
    pc_force_element *element = &world->elements.list.at[e];
    pass(bytes, element->owed, 1, sizeof element->owed);
    pass(bytes, &element->reserve, 1, sizeof element->reserve);
    pass(bytes, &element->peak, 1, sizeof element->peak);
    pass(bytes, &element->part, 1, sizeof element->part);
  }
  if (header->sleep)
    pass_sleep(bytes, world, header->rests);
  pass(bytes, bodies->number.at, header->ordered, sizeof *bodies->number.at);
  for (int i = 0; i < header->bodies && header->absent; i++) {
    unsigned char absent = bodies->solid.at[i].absent;
    pass(bytes, &absent, 1, 1);
    bodies->solid.at[i].absent = absent != 0;
  }
}

static world_header describe(const pc_world *world)
{
  world_header header;
  memset(&header, 0, sizeof header); // padding too: the bytes are compared
  header.magic = magic_number();
  header.bodies = world->bodies.count;
  header.memories =
      world->contacts.answered ? world->contacts.list.count : world->contacts.memory.count;
  header.moments = world->contacts.moment.count;
  header.passages = world->pierced.list.count;
  header.elements = world->elements.list.count;
  header.ordered = world->bodies.ordered;
  for (int i = 0; i < world->bodies.count && !header.absent; i++)
    header.absent = world->bodies.solid.at[i].absent;
  header.heat = world->heat != NULL;
  header.sleep = pc_world_can_sleep(world);
  header.rests = world->sleep.contacts.count;
  header.begun = world->balance.begun;
  header.changed = world->balance.changed;
  header.given = world->balance.given;
  header.given_stored = world->balance.given_stored;
  header.clock = world->clock;
  header.energy_start = world->balance.energy_start;
  header.energy_turnover = world->balance.energy_turnover;
  header.info = world->info;
  header.info.box_tests = 0; // what searching costs depends on what is known, which is not saved
  header.info.detection_s = header.info.solve_s = header.info.step_s = 0; // nor is any clock
  header.info.stating_s = header.info.audit_s = 0;
  return header;
}

size_t pc_world_save(const pc_world *world, void *buffer, size_t size)
{
  const world_header header = describe(world);
  archive bytes = {.at = sizeof header};
  pass_parts(&bytes, (pc_world *)world, &header);
  size_t need = bytes.at;
  if (buffer == NULL || size < need)
    return need;
  bytes = (archive){.to = buffer, .at = sizeof header};
  memcpy(bytes.to, &header, sizeof header);
  pass_parts(&bytes, (pc_world *)world, &header);
  uint64_t sum = sum_of_all(bytes.to, need);
  memcpy(bytes.to + offsetof(world_header, sum), &sum, sizeof sum);
  return need;
}

static bool is_sound(const pc_world *world, const int body[2])
{
  return body[0] >= 0 && body[1] >= 0 && body[0] < world->bodies.count &&
         body[1] < world->bodies.count;
}

// Bodies in the order they had; false if it is none.
static pc_status load_order(pc_world *world, const char *from, int ordered)
{
  int n = world->bodies.count;
  pc_arena arena = {0};
  int *id = pc_arena_take(&arena, (size_t)n, sizeof *id);
  bool *seen = pc_arena_take(&arena, (size_t)n, sizeof *seen);
  pc_status status = arena.failed ? pc_world_out_of_memory(world) : PC_OK;
  for (int i = 0; i < n && status == PC_OK; i++) {
    id[i] = i;
    if (i < ordered)
      memcpy(&id[i], from + sizeof(int) * (size_t)i, sizeof(int));
    if (id[i] < 0 || id[i] >= n || seen[id[i]])
      status = pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
    else
      seen[id[i]] = true;
  }
  if (status == PC_OK && (ordered > 0 || world->bodies.ordered > 0))
    status = pc_order_apply(world, id);
  if (status == PC_OK)
    world->bodies.ordered = ordered;
  pc_arena_free(&arena);
  return status;
}

// Room for what is read, and what is not saved.
static bool make_room(pc_world *world, const world_header *header)
{
  world->sleep.potential_known = world->sleep.fresh = false;
  world->outlines.sleepers_h = 0;
  pc_contacts_drop_memory(&world->contacts);
  return pc_array_reserve(&world->contacts.memory, header->memories) &&
         pc_array_reserve(&world->contacts.moment, header->moments) &&
         pc_array_reserve(&world->pierced.list, header->passages) &&
         pc_array_reserve(&world->pierced.overlaps, header->passages) &&
         (!header->sleep || (pc_sleep_reserve(&world->sleep, &world->bodies) &&
                             pc_array_reserve(&world->sleep.contacts, header->rests)));
}

pc_status pc_world_load(pc_world *world, const void *buffer, size_t size)
{
  world_header header;
  pc_body_store *bodies = &world->bodies;
  archive counted = {.at = sizeof header}, bytes = {.from = buffer, .at = sizeof header};
  world->unchanged_h = 0;
  if (size < sizeof header)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is too short");
  memcpy(&header, buffer, sizeof header);
  bool own = header.magic == magic_number() && header.bodies == bodies->count &&
             header.memories >= 0 && header.moments >= 0 && header.passages >= 0 &&
             header.elements == world->elements.list.count && header.rests >= 0 &&
             header.ordered >= 0 && header.ordered <= header.bodies &&
             header.sleep == pc_world_can_sleep(world) && header.heat == (world->heat != NULL);
  if (own)
    pass_parts(&counted, world, &header);
  if (!own || size != counted.at)
    return pc_fail(&world->error, PC_ERROR_INPUT,
                   "the saved state is of another world or of another version of Percuss");
  if (header.sum != sum_of_all(buffer, size))
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  // The order comes first: what belongs to bodies is read into their slots.
  size_t order = sizeof(int) * (size_t)header.ordered + (header.absent ? (size_t)bodies->count : 0);
  pc_status status = load_order(world, bytes.from + size - order, header.ordered);
  if (status != PC_OK)
    return status;
  if (!make_room(world, &header))
    return pc_world_out_of_memory(world);
  for (int i = 0; i < bodies->count; i++)
    bodies->solid.at[i].absent = false;
  pass_parts(&bytes, world, &header);
  bool sound = true;
  for (int i = 0; i < header.memories; i++)
    sound = sound && is_sound(world, world->contacts.memory.at[i].body);
  for (int i = 0; i < header.passages; i++)
    sound = sound && is_sound(world, world->pierced.list.at[i].body);
  world->pierced.list.count = sound ? header.passages : 0;
  bodies->sleepers = 0;
  for (int i = 0; i < bodies->count && header.sleep; i++)
    bodies->sleepers += bodies->asleep.at[i] > 0;
  world->sleep.contacts.count = header.sleep ? header.rests : 0;
  for (int i = 0; i < world->sleep.contacts.count; i++) {
    world->sleep.contacts.at[i].interaction = -1;
    sound = sound && is_sound(world, world->sleep.contacts.at[i].body);
  }
  world->contacts.memory.count = sound ? header.memories : 0;
  world->contacts.moment.count = header.moments;
  if (!sound)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  world->elements.reserved = world->elements.list.count;
  world->contacts.list.count = world->contacts.first.count = 0;
  world->systems.act.count = world->systems.kept = 0;
  world->balance = (pc_energy_balance){.begun = header.begun != 0,
                                       .changed = header.changed != 0,
                                       .given = header.given,
                                       .given_stored = header.given_stored,
                                       .energy_start = header.energy_start,
                                       .energy_turnover = header.energy_turnover};
  world->clock = header.clock;
  world->info = header.info;
  world->error = (pc_error){0};
  return PC_OK;
}
