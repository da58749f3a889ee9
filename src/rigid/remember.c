// Percussions remembered from step to step, by bodies and feature.
#include <string.h>

#include "core/error.h"
#include "core/prefetch.h"
#include "core/threads.h"
#include "rigid/contacts.h"

enum { AHEAD = 48 }; // contacts that are asked for

// Both lists are in the order of pairs.
void pc_contacts_remember(pc_world *world, int begin, int end)
{
  // At velocity level nothing of a contact changes within a step.
  bool settles = world->again && world->def.treatment == PC_VELOCITY_LEVEL;
  int m = begin < end
              ? pc_pair_find(world->contacts.memory.at, sizeof(pc_memory),
                             world->contacts.memory.count, world->contacts.list.at[begin].body)
              : 0;
  for (int t = begin; t < end; t++) {
    pc_touch *touch = &world->contacts.list.at[t];
    pc_prefetch(touch, AHEAD, sizeof *touch);
    pc_prefetch(world->contacts.memory.at, m + AHEAD, sizeof *world->contacts.memory.at);
    while (m < world->contacts.memory.count &&
           pc_pair_before(world->contacts.memory.at[m].body, touch->body))
      m++;
    for (int i = m; i < world->contacts.memory.count &&
                    world->contacts.memory.at[i].body[0] == touch->body[0] &&
                    world->contacts.memory.at[i].body[1] == touch->body[1];
         i++)
      if (world->contacts.memory.at[i].feature == touch->feature) {
        memcpy(touch->percussion, world->contacts.memory.at[i].percussion,
               sizeof touch->percussion);
        touch->interaction = settles ? PC_SETTLED : -1;
        break;
      }
  }
}

static void keep_some(void *context, int begin, int end, int worker)
{
  pc_world *world = context;
  for (int t = begin; t < end; t++) {
    pc_touch *touch = &world->contacts.list.at[t];
    pc_memory *memory = &world->contacts.memory.at[t];
    pc_prefetch(touch, AHEAD, sizeof *touch);
    pc_prefetch(memory, AHEAD, sizeof *memory);
    pc_problem_read(world, touch);
    *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
  }
}

pc_status pc_contacts_keep(pc_world *world)
{
  if (!pc_array_reserve(&world->contacts.memory, world->contacts.list.count))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->contacts.memory.count = world->contacts.list.count;
  pc_parallel(pc_world_threads(world), world->contacts.list.count, 300, keep_some, world);
  pc_problem_keep_moments(world);
  return PC_OK;
}

void pc_contacts_forget(pc_world *world)
{
  for (int t = 0; t < world->contacts.list.count; t++)
    memset(world->contacts.list.at[t].percussion, 0, sizeof world->contacts.list.at[t].percussion);
  world->contacts.memory.count = world->contacts.moment.count = 0;
}
