// A motion as bytes.
#include "continuum/motion_state.h"

#include <stdint.h>
#include <string.h>

#include "continuum/saved.h"
#include "core/error.h"

typedef struct header {
  uint64_t magic;
  int numbers, nodes, walls, events, alloy, bodies;
  pc_motion_tally now;
  pc_fe_alloy_account account;
} header;
static const uint64_t MAGIC = 0x32304e4f49544f4dull;

enum { ARRAYS = 10 };

// The arrays that follow the header, and the size of all together.
static size_t list_arrays(const pc_fe_motion *m, pc_saved_array list[ARRAYS])
{
  size_t vector = (size_t)m->numbers * sizeof *m->u, walls = (size_t)m->walls;
  size_t given = (size_t)m->given, marks = (size_t)m->mesh->nodes;
  size_t nodes = (size_t)m->alloy.nodes; // 0 without an alloy
  const pc_saved_array all[ARRAYS] = {
      {m->u, vector},
      {m->v, vector},
      {m->closed, walls * marks},
      {m->state, (walls + given) * sizeof *m->state},
      {m->events.at, (size_t)m->events.count * sizeof *m->events.at},
      {m->alloy.temperature, nodes * sizeof *m->alloy.temperature},
      {m->alloy.fraction, nodes * sizeof *m->alloy.fraction},
      {m->alloy.dilated, nodes * sizeof *m->alloy.dilated},
      {m->place, (size_t)m->bodies * sizeof *m->place},
      {m->met, m->meets > 0 ? m->first[m->meets] : 0}};
  memcpy(list, all, sizeof all);
  return pc_saved_size(sizeof(header), list, ARRAYS);
}

size_t pc_fe_motion_save(const pc_fe_motion *m, void *buffer, size_t size)
{
  pc_saved_array part[ARRAYS];
  size_t need = list_arrays(m, part);
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
  pc_saved_write(buffer, &h, sizeof h, part, ARRAYS);
  return need;
}

pc_status pc_fe_motion_load(pc_fe_motion *m, const void *buffer, size_t size, pc_error *error)
{
  header h;
  if (size < sizeof h)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these %zu bytes are no motion", size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != m->numbers || h.nodes != m->mesh->nodes ||
      h.walls != m->walls || h.events < 0 || h.alloy != m->has_alloy || h.bodies != m->bodies)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these bytes are of another motion");
  if (!pc_array_reserve(&m->events, h.events))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", h.events);
  int before = m->events.count;
  m->events.count = h.events;
  pc_saved_array part[ARRAYS];
  size_t need = list_arrays(m, part);
  if (size != need) {
    m->events.count = before;
    return pc_fail(error, PC_ERROR_ARGUMENT, "a motion has %zu bytes, not %zu", need, size);
  }
  memcpy(&m->now, &h.now, sizeof m->now);
  memcpy(&m->alloy.account, &h.account, sizeof h.account);
  pc_motion_set_large(m);
  pc_saved_read((const char *)buffer + sizeof h, part, ARRAYS);
  return PC_OK;
}
