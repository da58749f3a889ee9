// A flow as bytes.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "continuum/events.h"
#include "continuum/flow_state.h"
#include "core/error.h"
#include "core/saved.h"

typedef struct header {
  uint64_t magic;
  int numbers, spines, bodies, contacts, events, none;
  pc_flow_tally tally;
} header;
static const uint64_t MAGIC = 0x3130574f4c46ull;

enum { ARRAYS = 11 };

// The arrays that follow the header.
typedef struct state_arrays {
  pc_saved_field event[PC_FE_EVENT_FIELDS];
  pc_saved_array array[ARRAYS];
} state_arrays;

static const pc_saved_field touch_fields[] = {
    PC_SAVED_INTEGERS(pc_fe_flow_touch, closed, 0, INT_MAX),
    PC_SAVED_INTEGERS(pc_fe_flow_touch, collisions, 0, INT_MAX / 2),
    PC_SAVED_INTEGERS(pc_fe_flow_touch, fresh, 0, INT_MAX / 2),
    PC_SAVED_FINITE(pc_fe_flow_touch, percussion),
    PC_SAVED_FINITE(pc_fe_flow_touch, left),
};

static void list_arrays(const pc_fe_flow *f, state_arrays *to)
{
  size_t numbers = (size_t)f->numbers, spines = (size_t)f->spines;
  size_t bodies = (size_t)f->def.bodies, nodes = (size_t)f->mesh.nodes;
  size_t contacts = (size_t)f->def.contacts;
  pc_fe_event_fields(f->def.contacts, to->event);
  const pc_saved_array all[ARRAYS] = {
      {f->now.u, numbers, sizeof(double), &pc_saved_finite, 1},
      {f->rate, numbers, sizeof(double), &pc_saved_finite, 1},
      {f->now.height, spines, sizeof(double), &pc_saved_finite, 1},
      {f->climb, spines, sizeof(double), &pc_saved_finite, 1},
      {f->x0, 3 * nodes, sizeof(double), &pc_saved_finite, 1},
      {f->now.place, 3 * bodies, sizeof(double), &pc_saved_finite, 1},
      {f->now.body, PC_FE_BODY * bodies, sizeof(double), &pc_saved_finite, 1},
      {f->pressure, nodes, sizeof(double), &pc_saved_finite, 1},
      {f->closed, contacts * nodes, 1, &pc_saved_flag, 1},
      {f->touch, contacts, sizeof *f->touch, touch_fields, PC_COUNT(touch_fields)},
      {f->events.at, (size_t)f->events.count, sizeof *f->events.at, to->event, PC_FE_EVENT_FIELDS}};
  memcpy(to->array, all, sizeof all);
}

size_t pc_fe_flow_save(const pc_fe_flow *f, void *buffer, size_t size)
{
  state_arrays part;
  list_arrays(f, &part);
  size_t need = pc_saved_size(sizeof(header), part.array, ARRAYS);
  if (buffer == NULL || size < need)
    return need;
  header h;
  memset(&h, 0, sizeof h); // padding too: the bytes are compared
  h.magic = MAGIC;
  h.numbers = f->numbers;
  h.spines = f->spines;
  h.bodies = f->def.bodies;
  h.contacts = f->def.contacts;
  h.events = f->events.count;
  memcpy(&h.tally, &f->tally, sizeof h.tally);
  pc_saved_write(buffer, &h, sizeof h, part.array, ARRAYS);
  return need;
}

static bool is_header_sound(const pc_fe_flow *f, const header *h)
{
  const pc_saved_field fields[] = {
      PC_SAVED_FIELD(PC_SAVED_LONG, header, tally.steps, long, 0, ldexp(1, 61 - f->def.halvings)),
      PC_SAVED_FIELD(PC_SAVED_LONG, header, tally.part, long, 0, ldexp(1, f->def.halvings)),
      PC_SAVED_FINITE(header, tally.rest),
      PC_SAVED_FINITE(header, tally.courant),
      PC_SAVED_INTEGERS(header, tally.iterations, 0, INT_MAX / 2),
      PC_SAVED_FINITE(header, tally.account.start),
      PC_SAVED_INTEGERS(header, tally.account.unsolved, 0, INT_MAX / 2),
      PC_SAVED_FLAGS(header, tally.account.closed),
  };
  return pc_saved_is_sound(h, 1, sizeof *h, fields, PC_COUNT(fields));
}

pc_status pc_fe_flow_load(pc_fe_flow *f, const void *buffer, size_t size, pc_error *error)
{
  header h;
  if (size < sizeof h)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these %zu bytes are not a saved flow", size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != f->numbers || h.spines != f->spines ||
      h.bodies != f->def.bodies || h.contacts != f->def.contacts || h.events < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved flow belongs to another problem");
  const char *from = (const char *)buffer + sizeof h;
  state_arrays part;
  int before = f->events.count;
  f->events.count = h.events;
  list_arrays(f, &part);
  f->events.count = before;
  size_t need = pc_saved_size(sizeof h, part.array, ARRAYS);
  if (size != need)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved flow must have %zu bytes (got %zu)", need,
                   size);
  if (!is_header_sound(f, &h) || !pc_saved_can_read(from, part.array, ARRAYS))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved flow is damaged");
  if (!pc_array_reserve(&f->events, h.events))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", h.events);
  f->events.count = h.events;
  list_arrays(f, &part); // events may have moved
  memcpy(&f->tally, &h.tally, sizeof f->tally);
  pc_saved_read(from, part.array, ARRAYS);
  pc_flow_keep_contacts(f);
  return PC_OK;
}
