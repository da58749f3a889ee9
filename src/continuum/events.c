#include "continuum/events.h"

#include <limits.h>
#include <string.h>

void pc_fe_event_fields(int contacts, pc_saved_field field[PC_FE_EVENT_FIELDS])
{
  const pc_saved_field all[PC_FE_EVENT_FIELDS] = {
      PC_SAVED_FINITE(pc_fe_event, time),
      PC_SAVED_INTEGERS(pc_fe_event, contact, 0, contacts - 1),
      PC_SAVED_INTEGERS(pc_fe_event, nodes, 0, INT_MAX),
      PC_SAVED_FLAGS(pc_fe_event, collision),
      PC_SAVED_FLAGS(pc_fe_event, fresh),
      PC_SAVED_FINITE(pc_fe_event, percussion),
  };
  memcpy(field, all, sizeof all);
}
