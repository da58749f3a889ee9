// A motion as bytes.
#include "continuum/motion_state.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "continuum/events.h"
#include "core/error.h"
#include "core/saved.h"

typedef struct header {
  uint64_t magic;
  int numbers, nodes, walls, events, alloy, bodies;
  pc_motion_tally now;
  pc_fe_alloy_account account;
} header;
static const uint64_t MAGIC = 0x32304e4f49544f4dull;

enum { ARRAYS = 10 };

// The arrays that follow the header.
typedef struct state_arrays {
  pc_saved_field event[PC_FE_EVENT_FIELDS];
  pc_saved_array array[ARRAYS];
} state_arrays;

static const pc_saved_field touch_fields[] = {
    PC_SAVED_INTEGERS(pc_fe_wall_state, closed, 0, INT_MAX),
    PC_SAVED_INTEGERS(pc_fe_wall_state, collisions, 0, INT_MAX / 2),
    PC_SAVED_INTEGERS(pc_fe_wall_state, fresh, 0, INT_MAX / 2),
    PC_SAVED_FINITE(pc_fe_wall_state, percussion),
    PC_SAVED_FINITE(pc_fe_wall_state, left),
};

static const pc_saved_field body_fields[] = {
    PC_SAVED_FINITE(pc_fe_body_state, place),
    PC_SAVED_BETWEEN(pc_fe_body_state, attitude, -1.001, 1.001),
    PC_SAVED_FINITE(pc_fe_body_state, velocity),
    PC_SAVED_FINITE(pc_fe_body_state, spin),
};

static void list_arrays(const pc_fe_motion *m, state_arrays *to)
{
  size_t numbers = (size_t)m->numbers, walls = (size_t)m->walls;
  size_t touches = walls + (size_t)m->given, marks = (size_t)m->mesh->nodes;
  size_t nodes = (size_t)m->alloy.nodes; // 0 without an alloy
  size_t met = m->meets > 0 ? m->first[m->meets] : 0;
  pc_fe_event_fields(m->walls + m->given, to->event);
  const pc_saved_array all[ARRAYS] = {
      {m->u, numbers, sizeof *m->u, &pc_saved_finite, 1},
      {m->v, numbers, sizeof *m->v, &pc_saved_finite, 1},
      {m->closed, walls * marks, 1, &pc_saved_flag, 1},
      {m->state, touches, sizeof *m->state, touch_fields, PC_COUNT(touch_fields)},
      {m->events.at, (size_t)m->events.count, sizeof *m->events.at, to->event, PC_FE_EVENT_FIELDS},
      {m->alloy.temperature, nodes, sizeof(double), &pc_saved_finite, 1},
      {m->alloy.fraction, nodes * PC_FE_FRACTIONS, sizeof(double), &pc_saved_finite, 1},
      {m->alloy.dilated, nodes, sizeof(double), &pc_saved_finite, 1},
      {m->place, (size_t)m->bodies, sizeof *m->place, body_fields, PC_COUNT(body_fields)},
      {m->met, met, 1, &pc_saved_flag, 1}};
  memcpy(to->array, all, sizeof all);
}

size_t pc_fe_motion_save(const pc_fe_motion *m, void *buffer, size_t size)
{
  state_arrays part;
  list_arrays(m, &part);
  size_t need = pc_saved_size(sizeof(header), part.array, ARRAYS);
  if (buffer == NULL || size < need)
    return need;
  header h;
  memset(&h, 0, sizeof h); // padding too: the bytes are compared
  h.magic = MAGIC;
  h.numbers = m->numbers;
  h.nodes = m->mesh->nodes;
  h.walls = m->walls;
  h.events = m->events.count;
  h.alloy = m->has_alloy;
  h.bodies = m->bodies;
  memcpy(&h.now, &m->now, sizeof h.now);
  memcpy(&h.account, &m->alloy.account, sizeof h.account);
  pc_saved_write(buffer, &h, sizeof h, part.array, ARRAYS);
  return need;
}

// Times are counted in the shortest steps, which must fit a long.
static bool is_header_sound(const pc_fe_motion *m, const header *h)
{
  const pc_saved_field fields[] = {
      PC_SAVED_FIELD(PC_SAVED_LONG, header, now.steps, long, 0, ldexp(1, 61 - m->halvings)),
      PC_SAVED_FIELD(PC_SAVED_LONG, header, now.part, long, 0, ldexp(1, m->halvings)),
      PC_SAVED_FIELD(PC_SAVED_LONG, header, now.pushed, long, 0, m->pushes),
      PC_SAVED_FINITE(header, now.rest),
      PC_SAVED_FINITE(header, now.strain),
      PC_SAVED_FINITE(header, now.account.start),
      PC_SAVED_INTEGERS(header, now.account.unsolved, 0, INT_MAX / 2),
      PC_SAVED_FLAGS(header, now.account.closed),
      PC_SAVED_INTEGERS(header, account.iterations, 0, INT_MAX / 2),
  };
  return pc_saved_is_sound(h, 1, sizeof *h, fields, PC_COUNT(fields));
}

pc_status pc_fe_motion_load(pc_fe_motion *m, const void *buffer, size_t size, pc_error *error)
{
  header h;
  if (size < sizeof h)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these %zu bytes are not a saved motion", size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != m->numbers || h.nodes != m->mesh->nodes ||
      h.walls != m->walls || h.events < 0 || h.alloy != m->has_alloy || h.bodies != m->bodies)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved motion belongs to another problem");
  const char *from = (const char *)buffer + sizeof h;
  state_arrays part;
  int before = m->events.count;
  m->events.count = h.events;
  list_arrays(m, &part);
  m->events.count = before;
  size_t need = pc_saved_size(sizeof h, part.array, ARRAYS);
  if (size != need)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved motion must have %zu bytes (got %zu)", need,
                   size);
  if (!is_header_sound(m, &h) || !pc_saved_can_read(from, part.array, ARRAYS))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the saved motion is damaged");
  if (!pc_array_reserve(&m->events, h.events))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", h.events);
  m->events.count = h.events;
  list_arrays(m, &part); // events may have moved
  memcpy(&m->now, &h.now, sizeof m->now);
  memcpy(&m->alloy.account, &h.account, sizeof h.account);
  pc_motion_set_large(m);
  pc_saved_read(from, part.array, ARRAYS);
  return PC_OK;
}
