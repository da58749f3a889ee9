// What happens at the contacts of a continuum in time.
#ifndef PERCUSS_CONTINUUM_EVENTS_H
#define PERCUSS_CONTINUUM_EVENTS_H

#include <stdbool.h>

#include "core/saved.h"

// A collision, nodes that came to rest, or a contact with a body or another solid from its
// beginning to its end.
typedef struct pc_fe_event {
  double time;
  int contact;          // of a motion: the wall or, behind the walls, the meeting
  int nodes;            // that approached; they were open before
  bool collision;       // else they came to rest
  bool fresh;           // nothing touched there before
  double speed;         // the largest of approach, m/s
  double percussion[2]; // normal and tangential, on the solids or the water, N s/m; in space the
                        // sum of the nodes' tangential sizes
  double lost;          // energy, of the whole collision, J/m; of a body 0
} pc_fe_event;

// What the fields of a saved event hold, for this many contacts.
enum { PC_FE_EVENT_FIELDS = 6 };
void pc_fe_event_fields(int contacts, pc_saved_field field[PC_FE_EVENT_FIELDS]);

#endif
