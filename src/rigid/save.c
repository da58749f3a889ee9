// The changing state of a world as bytes, and back.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "rigid/world.h"

// Of an element: what its net owes.
enum { OWED = 3 * sizeof(double) };

enum { WORLD_MAGIC = 0x50435734 };

typedef struct world_header {
  int magic, bodies, memories, elements, accounted, changed;
  uint64_t sum; // of all bytes, with 0 in its place
  long step, base_count;
  double time, base_time, last_h, energy_start, energy_turnover, given;
  pc_step_info info;
} world_header;

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

// Of the moments of rolling friction that go with the memories.
static size_t moments_size(const pc_world *world, int memories)
{
  return pc_problem_rolls(world) ? sizeof *world->moment * (size_t)memories : 0;
}

size_t pc_world_save(const pc_world *world, void *buffer, size_t size)
{
  size_t states = sizeof(pc_body_state) * (size_t)world->bodies;
  size_t memories = sizeof(pc_memory) * (size_t)world->memories;
  size_t owed = OWED * (size_t)world->elements;
  size_t moments = moments_size(world, world->memories);
  size_t need = sizeof(world_header) + states + memories + moments + owed;
  if (buffer == NULL || size < need)
    return need;
  world_header header;
  memset(&header, 0, sizeof header); // padding too: the bytes are compared
  header.magic = WORLD_MAGIC;
  header.bodies = world->bodies;
  header.memories = world->memories;
  header.elements = world->elements;
  header.accounted = world->accounted;
  header.changed = world->changed;
  header.given = world->given;
  header.step = world->step;
  header.base_count = world->base_count;
  header.time = world->time;
  header.base_time = world->base_time;
  header.last_h = world->last_h;
  header.energy_start = world->energy_start;
  header.energy_turnover = world->energy_turnover;
  header.info = world->info;
  char *to = buffer;
  memcpy(to, &header, sizeof header);
  if (states > 0)
    memcpy(to + sizeof header, world->state, states);
  if (memories > 0)
    memcpy(to + sizeof header + states, world->memory, memories);
  memset(to + sizeof header + states + memories, 0, moments);
  if (moments > 0 && world->moments == world->memories)
    memcpy(to + sizeof header + states + memories, world->moment, moments);
  for (int e = 0; e < world->elements; e++)
    memcpy(to + need - owed + OWED * (size_t)e, world->element[e].owed, OWED);
  uint64_t sum = sum_of_all(to, need);
  memcpy(to + offsetof(world_header, sum), &sum, sizeof sum);
  return need;
}

pc_status pc_world_load(pc_world *world, const void *buffer, size_t size)
{
  world_header header;
  const char *from = buffer;
  size_t states = sizeof(pc_body_state) * (size_t)world->bodies;
  if (size < sizeof header)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is too short");
  memcpy(&header, from, sizeof header);
  size_t owed = OWED * (size_t)world->elements;
  size_t moments = header.memories < 0 ? 0 : moments_size(world, header.memories);
  if (header.magic != WORLD_MAGIC || header.bodies != world->bodies || header.memories < 0 ||
      header.elements != world->elements ||
      size != sizeof header + states + sizeof(pc_memory) * (size_t)header.memories + moments + owed)
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is of another world");
  if (header.sum != sum_of_all(from, size))
    return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  if (!pc_grow(&world->memory, &world->memory_capacity, header.memories, sizeof(pc_memory)) ||
      (moments > 0 &&
       !pc_grow(&world->moment, &world->moment_capacity, header.memories, sizeof *world->moment)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  if (states > 0)
    memcpy(world->state, from + sizeof header, states);
  if (header.memories > 0)
    memcpy(world->memory, from + sizeof header + states,
           sizeof(pc_memory) * (size_t)header.memories);
  for (int i = 0; i < header.memories; i++) {
    const int *body = world->memory[i].body;
    if (body[0] < 0 || body[1] < 0 || body[0] >= world->bodies || body[1] >= world->bodies)
      return pc_fail(&world->error, PC_ERROR_INPUT, "the saved state is damaged");
  }
  for (int e = 0; e < world->elements; e++)
    memcpy(world->element[e].owed, from + size - owed + OWED * (size_t)e, OWED);
  if (moments > 0)
    memcpy(world->moment, from + size - owed - moments, moments);
  world->moments = moments > 0 ? header.memories : 0;
  world->memories = header.memories;
  world->touches = 0;
  world->accounted = header.accounted != 0;
  world->changed = header.changed != 0;
  world->given = header.given;
  world->step = header.step;
  world->base_count = header.base_count;
  world->time = header.time;
  world->base_time = header.base_time;
  world->last_h = header.last_h;
  world->energy_start = header.energy_start;
  world->energy_turnover = header.energy_turnover;
  world->info = header.info;
  world->error = (pc_error){0};
  return PC_OK;
}
