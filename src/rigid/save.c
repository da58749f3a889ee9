// The changing state of a world as bytes, and back.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "core/saved.h"
#include "rigid/contact_law.h"
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
  int plane;        // the world has dimension 2
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

void pc_world_seal(void *state, size_t size)
{
  uint64_t sum = sum_of_all(state, size);
  memcpy((char *)state + offsetof(world_header, sum), &sum, sizeof sum);
}

size_t pc_world_sealed(void)
{
  return sizeof(world_header);
}

// The parts of a state one after the other: counted, written, checked or read.
typedef struct archive {
  char *to;            // or NULL
  const char *from;    // or NULL
  const char *checked; // or NULL
  bool wrong;          // what was checked cannot be
  size_t at;
} archive;

static void pass(archive *bytes, void *data, int count, size_t size, const pc_saved_field *field,
                 int fields)
{
  size_t whole = size * (size_t)count;
  if (bytes->to != NULL && whole > 0)
    memcpy(bytes->to + bytes->at, data, whole);
  if (bytes->from != NULL && whole > 0)
    memcpy(data, bytes->from + bytes->at, whole);
  if (bytes->checked != NULL && !bytes->wrong)
    bytes->wrong =
        !pc_saved_is_sound(bytes->checked + bytes->at, (size_t)count, size, field, fields);
  bytes->at += whole;
}

static void pass_numbers(archive *bytes, double *numbers, int count)
{
  pass(bytes, numbers, count, sizeof *numbers, &pc_saved_finite, 1);
}

// Of each body, where bodies may sleep.
typedef struct sleep_entry {
  int asleep, roused;
  double quiet, held[6];
} sleep_entry;

static void pass_sleep(archive *bytes, pc_world *world, int rests)
{
  pc_sleep *sleep = &world->sleep;
  int bodies = world->bodies.count, laws = PC_LAW_VARIANTS * (world->materials.pair.count + 1);
  const pc_saved_field entry_fields[] = {PC_SAVED_INTEGERS(sleep_entry, asleep, 0, bodies),
                                         PC_SAVED_INTEGERS(sleep_entry, roused, 0, 1),
                                         PC_SAVED_POSITIVE(sleep_entry, quiet),
                                         PC_SAVED_FINITE(sleep_entry, held)};
  for (int i = 0; i < bodies; i++) {
    sleep_entry entry = {0};
    if (i < sleep->known) {
      entry =
          (sleep_entry){world->bodies.asleep.at[i], sleep->roused.at[i], sleep->quiet.at[i], {0}};
      memcpy(entry.held, sleep->held.at[i], sizeof entry.held);
    }
    pass(bytes, &entry, 1, sizeof entry, entry_fields, PC_COUNT(entry_fields));
    if (bytes->from == NULL)
      continue;
    world->bodies.asleep.at[i] = entry.asleep;
    sleep->roused.at[i] = entry.roused != 0;
    sleep->quiet.at[i] = entry.quiet;
    memcpy(sleep->held.at[i], entry.held, sizeof entry.held);
  }
  const pc_saved_field rest_fields[] = {PC_SAVED_INTEGERS(pc_contact_data, body, 0, bodies - 1),
                                        PC_SAVED_FINITE(pc_contact_data, point),
                                        PC_SAVED_BETWEEN(pc_contact_data, normal, -1.001, 1.001),
                                        PC_SAVED_FINITE(pc_contact_data, gap),
                                        PC_SAVED_FINITE(pc_contact_data, percussion),
                                        PC_SAVED_INTEGERS(pc_contact_data, law, -1, laws - 1)};
  pass(bytes, sleep->contacts.at, rests, sizeof *sleep->contacts.at, rest_fields,
       PC_COUNT(rest_fields));
}

// What is remembered of contacts, from where it is.
static void pass_memories(archive *bytes, pc_contact_set *contacts, int count, int bodies)
{
  const pc_saved_field fields[] = {PC_SAVED_INTEGERS(pc_memory, body, 0, bodies - 1),
                                   PC_SAVED_FINITE(pc_memory, percussion)};
  if (bytes->to == NULL || !contacts->answered) {
    pass(bytes, contacts->memory.at, count, sizeof *contacts->memory.at, fields, PC_COUNT(fields));
    return;
  }
  for (int t = 0; t < count; t++) {
    pc_memory memory = pc_memory_of(&contacts->list.at[t]);
    pass(bytes, &memory, 1, sizeof memory, fields, PC_COUNT(fields));
  }
}

static void pass_elements(archive *bytes, pc_elements *elements, int count)
{
  for (int e = 0; e < count; e++) {
    pc_force_element *element = &elements->list.at[e];
    pass_numbers(bytes, element->owed, PC_COUNT(element->owed));
    pass_numbers(bytes, &element->reserve, 1);
    pass_numbers(bytes, &element->peak, 1);
    pass_numbers(bytes, &element->wrong, 1);
    if (element->part == NULL)
      continue;
    pass_numbers(bytes, element->part, PC_NET_FACES * element->count);
    pass_numbers(bytes, element->going, PC_COUNT(element->going));
  }
}

static const pc_saved_field state_fields[] = {
    PC_SAVED_FINITE(pc_body_state, position),
    PC_SAVED_BETWEEN(pc_body_state, orientation, -1.001, 1.001),
    PC_SAVED_FINITE(pc_body_state, velocity),
    PC_SAVED_FINITE(pc_body_state, spin),
};

// Everything behind the header, which has the counts. Only reading changes the world.
static void pass_parts(archive *bytes, pc_world *world, const world_header *header)
{
  pc_body_store *bodies = &world->bodies;
  const pc_saved_field moment_fields[] = {PC_SAVED_INTEGERS(pc_moment, body, 0, bodies->count - 1),
                                          PC_SAVED_FINITE(pc_moment, moment)};
  const pc_saved_field passage_fields[] = {
      PC_SAVED_INTEGERS(pc_pierced_pair, body, 0, bodies->count - 1),
      PC_SAVED_POSITIVE(pc_pierced_pair, width)};
  pass(bytes, bodies->state.at, header->bodies, sizeof *bodies->state.at, state_fields,
       PC_COUNT(state_fields));
  pass_memories(bytes, &world->contacts, header->memories, bodies->count);
  pass(bytes, world->contacts.moment.at, header->moments, sizeof *world->contacts.moment.at,
       moment_fields, PC_COUNT(moment_fields));
  pass(bytes, world->pierced.list.at, header->passages, sizeof *world->pierced.list.at,
       passage_fields, PC_COUNT(passage_fields));
  for (int i = 0; i < header->bodies && header->heat; i++) {
    pass(bytes, &world->heat->body.at[i].start, 1, sizeof(double), &pc_saved_positive, 1);
    pass_numbers(bytes, &world->heat->body.at[i].heat, 1);
  }
  pass_elements(bytes, &world->elements, header->elements);
  if (header->sleep)
    pass_sleep(bytes, world, header->rests);
  pass(bytes, bodies->number.at, header->ordered, sizeof *bodies->number.at, NULL, 0);
  for (int i = 0; i < header->bodies && header->absent; i++) {
    unsigned char absent = bodies->solid.at[i].absent;
    pass(bytes, &absent, 1, 1, &pc_saved_flag, 1);
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
  header.plane = world->def.dimension == 2;
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
  if (world == NULL || world->stepping)
    return 0;
  const world_header header = describe(world);
  archive bytes = {.at = sizeof header};
  pass_parts(&bytes, (pc_world *)world, &header);
  size_t need = bytes.at;
  if (buffer == NULL || size < need)
    return need;
  bytes = (archive){.to = buffer, .at = sizeof header};
  memcpy(bytes.to, &header, sizeof header);
  pass_parts(&bytes, (pc_world *)world, &header);
  pc_world_seal(bytes.to, need);
  return need;
}

// Whether the bytes behind the header give each body one slot. `id` gets the numbers - 1 of the
// bodies in their order, `seen` is scratch.
static bool read_order(const char *from, int ordered, int bodies, int *id, bool *seen)
{
  for (int i = 0; i < bodies; i++) {
    id[i] = i;
    if (i < ordered)
      memcpy(&id[i], from + sizeof(int) * (size_t)i, sizeof(int));
    if (id[i] < 0 || id[i] >= bodies || seen[id[i]])
      return false;
    seen[id[i]] = true;
  }
  return true;
}

static pc_status damaged(pc_world *world)
{
  return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
}

// Puts bodies in the order they had.
static pc_status load_order(pc_world *world, const char *from, int ordered)
{
  int n = world->bodies.count;
  pc_arena arena = {0};
  int *id = pc_arena_take(&arena, (size_t)n, sizeof *id);
  bool *seen = pc_arena_take(&arena, (size_t)n, sizeof *seen);
  pc_status status = arena.failed ? pc_world_out_of_memory(world) : PC_OK;
  if (status == PC_OK && !read_order(from, ordered, n, id, seen))
    status = damaged(world);
  if (status == PC_OK && (ordered > 0 || world->bodies.ordered > 0))
    status = pc_order_apply(world, id);
  if (status == PC_OK)
    world->bodies.ordered = ordered;
  pc_arena_free(&arena);
  return status;
}

// Whether a clock can go on, and the totals of the energy balance with it.
static bool is_header_sound(const world_header *header)
{
  static const pc_saved_field fields[] = {
      PC_SAVED_INTEGERS(world_header, begun, 0, 1),
      PC_SAVED_INTEGERS(world_header, changed, 0, 1),
      PC_SAVED_INTEGERS(world_header, absent, 0, 1),
      PC_SAVED_COUNTS(world_header, clock.step),
      PC_SAVED_COUNTS(world_header, clock.base_count),
      PC_SAVED_FINITE(world_header, clock.time),
      PC_SAVED_FINITE(world_header, clock.base_time),
      PC_SAVED_POSITIVE(world_header, clock.last_h),
      PC_SAVED_FINITE(world_header, energy_start),
      PC_SAVED_FINITE(world_header, energy_turnover),
      PC_SAVED_FINITE(world_header, given),
      PC_SAVED_FINITE(world_header, given_stored),
      PC_SAVED_COUNTS(world_header, info.step),
      PC_SAVED_INTEGERS(world_header, info.contacts, 0, INT_MAX),
      PC_SAVED_INTEGERS(world_header, info.status, PC_SOLVED, PC_FAILED),
      PC_SAVED_FLAGS(world_header, info.closed),
  };
  return pc_saved_is_sound(header, 1, sizeof *header, fields, PC_COUNT(fields));
}

// Attitudes are unit quaternions.
static bool are_bodies_sound(const pc_world *world, const char *from)
{
  for (int i = 0; i < world->bodies.count; i++, from += sizeof(pc_body_state)) {
    pc_body_state state;
    memcpy(&state, from, sizeof state);
    if (fabs(pc_norm(4, state.orientation) - 1) > 1e-6)
      return false;
  }
  return true;
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

static bool is_of(const pc_world *world, const world_header *header)
{
  return header->bodies == world->bodies.count && header->memories >= 0 && header->moments >= 0 &&
         header->passages >= 0 && header->elements == world->elements.list.count &&
         header->rests >= 0 && header->ordered >= 0 && header->ordered <= header->bodies &&
         header->sleep == pc_world_can_sleep(world) && header->heat == (world->heat != NULL);
}

// Compares a state with the world, without changing anything.
static pc_status check_state(pc_world *world, const world_header *header, const char *from,
                             size_t size)
{
  archive counted = {.at = sizeof *header}, checked = {.checked = from, .at = sizeof *header};
  bool known = header->magic == magic_number(), plane = world->def.dimension == 2;
  if (known && header->plane != plane)
    return pc_fail(&world->error, PC_ERROR_INPUT,
                   "the saved state belongs to a world %s, but this world is %s",
                   plane ? "in space" : "in the plane", plane ? "in the plane" : "in space");
  bool own = known && is_of(world, header);
  if (own)
    pass_parts(&counted, world, header);
  if (!own || size != counted.at)
    return pc_fail(&world->error, PC_ERROR_INPUT,
                   "the saved state belongs to another world or another version of Percuss");
  if (header->sum != sum_of_all(from, size) || !is_header_sound(header))
    return damaged(world);
  pass_parts(&checked, world, header);
  return checked.wrong || !are_bodies_sound(world, from + sizeof *header) ? damaged(world) : PC_OK;
}

// What follows from the parts that were read.
static void settle(pc_world *world, const world_header *header)
{
  pc_body_store *bodies = &world->bodies;
  world->pierced.list.count = header->passages;
  bodies->sleepers = 0;
  for (int i = 0; i < bodies->count && header->sleep; i++)
    bodies->sleepers += bodies->asleep.at[i] > 0;
  world->sleep.contacts.count = header->sleep ? header->rests : 0;
  for (int i = 0; i < world->sleep.contacts.count; i++)
    world->sleep.contacts.at[i].interaction = -1;
  world->contacts.memory.count = header->memories;
  world->contacts.moment.count = header->moments;
  world->elements.reserved = world->elements.list.count;
  world->contacts.list.count = world->contacts.first.count = 0;
  world->systems.act.count = world->systems.kept = 0;
  world->balance = (pc_energy_balance){.begun = header->begun != 0,
                                       .changed = header->changed != 0,
                                       .given = header->given,
                                       .given_stored = header->given_stored,
                                       .energy_start = header->energy_start,
                                       .energy_turnover = header->energy_turnover};
  world->clock = header->clock;
  world->info = header->info;
  world->error = (pc_error){0};
}

pc_status pc_world_load(pc_world *world, const void *buffer, size_t size)
{
  world_header header;
  archive bytes = {.from = buffer, .at = sizeof header};
  if (pc_world_admit(world) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (buffer == NULL)
    return pc_fail_null(&world->error, "the saved state");
  pc_body_store *bodies = &world->bodies;
  world->unchanged_h = 0;
  if (size < sizeof header)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is too short");
  memcpy(&header, buffer, sizeof header);
  pc_status status = check_state(world, &header, buffer, size);
  // The order comes first: what belongs to bodies is read into their slots.
  size_t order = sizeof(int) * (size_t)header.ordered + (header.absent ? (size_t)bodies->count : 0);
  if (status == PC_OK)
    status = load_order(world, bytes.from + size - order, header.ordered);
  if (status != PC_OK)
    return status;
  if (!make_room(world, &header))
    return pc_world_out_of_memory(world);
  for (int i = 0; i < bodies->count; i++)
    bodies->solid.at[i].absent = false;
  pass_parts(&bytes, world, &header);
  settle(world, &header);
  return PC_OK;
}
