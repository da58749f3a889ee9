// Percussions remembered from step to step, by bodies and feature.
#include <string.h>

#include "core/prefetch.h"
#include "core/threads.h"
#include "rigid/contact_set.h"
#include "rigid/pairs.h"

static inline bool is_of(const pc_memory *memory, const pc_contact_data *contact)
{
  return memory->body[0] == contact->body[0] && memory->body[1] == contact->body[1];
}

// Both lists are in the order of pairs. Where nothing has changed, the next contact has the next
// memory.
void pc_contacts_remember(pc_contact_set *contacts, int begin, int end, bool settles)
{
  enum { AHEAD = 48 }; // contacts that are asked for
  const pc_memory *memory = contacts->memory.at;
  int memories = contacts->memory.count, m = 0, next = 0;
  if (begin < end)
    m = next = pc_pair_find(memory, sizeof *memory, memories, contacts->list.at[begin].body);
  for (int t = begin; t < end; t++) {
    pc_contact_data *contact = &contacts->list.at[t];
    pc_prefetch(contact, AHEAD, sizeof *contact);
    pc_prefetch(memory, next + AHEAD, sizeof *memory);
    if (next >= memories || memory[next].feature != contact->feature ||
        !is_of(&memory[next], contact)) {
      while (m < memories && pc_pair_is_before(memory[m].body, contact->body))
        m++;
      next = m;
      while (next < memories && is_of(&memory[next], contact) &&
             memory[next].feature != contact->feature)
        next++;
      if (next >= memories || !is_of(&memory[next], contact)) {
        next = m;
        continue;
      }
    }
    memcpy(contact->percussion, memory[next].percussion, sizeof contact->percussion);
    contact->interaction = settles ? PC_SETTLED : -1;
    next++;
  }
}

void pc_contacts_forget(pc_contact_set *contacts)
{
  for (int t = 0; t < contacts->list.count; t++)
    memset(contacts->list.at[t].percussion, 0, sizeof contacts->list.at[t].percussion);
  pc_contacts_drop_memory(contacts);
  contacts->moment.count = 0;
}

void pc_contacts_drop_memory(pc_contact_set *contacts)
{
  if (contacts->memory_lent) {
    contacts->memory.at = NULL;
    contacts->memory.capacity = 0;
  }
  contacts->memory_lent = contacts->answered = false;
  contacts->memory.count = 0;
  pc_array_shed(&contacts->memory);
}

static void memorise_range(void *context, int begin, int end, int worker)
{
  enum { AHEAD = 48 };
  pc_contact_set *contacts = context;
  for (int t = begin; t < end; t++) {
    pc_prefetch(contacts->list.at, t + AHEAD, sizeof *contacts->list.at);
    contacts->memory.at[t] = pc_memory_of(&contacts->list.at[t]);
  }
}

bool pc_contacts_memorise(pc_contact_set *contacts, pc_arena *arena, int threads)
{
  enum { GRAIN = 500 };
  if (!contacts->answered) {
    bool kept = !contacts->memory_lent || pc_contacts_own_memory(contacts);
    pc_arena_reset(arena);
    return kept;
  }
  int count = contacts->list.count;
  pc_contacts_drop_memory(contacts);
  pc_array_free(&contacts->memory);
  pc_arena_reset(arena);
  contacts->memory.at = pc_arena_take_raw(arena, (size_t)count, sizeof *contacts->memory.at);
  if (contacts->memory.at == NULL)
    return false;
  contacts->memory.count = contacts->memory.capacity = count;
  contacts->memory_lent = true;
  pc_parallel(threads, count, GRAIN, memorise_range, contacts);
  return true;
}

bool pc_contacts_own_memory(pc_contact_set *contacts)
{
  if (!contacts->answered && !contacts->memory_lent)
    return true;
  pc_contact_set own = {.list = contacts->list};
  int count = contacts->answered ? contacts->list.count : contacts->memory.count;
  if (!pc_array_reserve(&own.memory, count))
    return false;
  if (contacts->answered)
    memorise_range(&own, 0, count, 0);
  else if (count > 0)
    memcpy(own.memory.at, contacts->memory.at, sizeof *own.memory.at * (size_t)count);
  pc_contacts_drop_memory(contacts);
  pc_array_free(&contacts->memory);
  contacts->memory.at = own.memory.at;
  contacts->memory.capacity = own.memory.capacity;
  contacts->memory.count = count;
  return true;
}
