// Percussions remembered from step to step, by bodies and feature.
#include <string.h>

#include "core/prefetch.h"
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
  contacts->memory.count = contacts->moment.count = 0;
}
