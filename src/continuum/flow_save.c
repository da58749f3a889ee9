// A flow as bytes.
#include <stdint.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "continuum/saved.h"
#include "core/error.h"

typedef struct header {
  uint64_t magic;
  int numbers, spines, bodies, contacts, events, none;
  pc_flow_tally tally;
} header;
static const uint64_t MAGIC = 0x3130574f4c46ull;

enum { ARRAYS = 11 };

// The arrays that follow the header, and the size of all together.
static size_t list_arrays(const pc_fe_flow *f, pc_saved_array list[ARRAYS])
{
  size_t vector = (size_t)f->numbers * sizeof(double), heights = (size_t)f->spines * sizeof(double);
  size_t bodies = (size_t)f->def.bodies, nodes = (size_t)f->mesh.nodes;
  size_t contacts = (size_t)f->def.contacts;
  const pc_saved_array all[ARRAYS] = {
      {f->now.u, vector},
      {f->rate, vector},
      {f->now.height, heights},
      {f->climb, heights},
      {f->x0, nodes * sizeof *f->x0},
      {f->now.place, bodies * sizeof *f->now.place},
      {f->now.body, bodies * sizeof *f->now.body},
      {f->pressure, nodes * sizeof *f->pressure},
      {f->closed, contacts * nodes},
      {f->touch, contacts * sizeof *f->touch},
      {f->events.at, (size_t)f->events.count * sizeof *f->events.at}};
  memcpy(list, all, sizeof all);
  return pc_saved_size(sizeof(header), list, ARRAYS);
}

size_t pc_fe_flow_save(const pc_fe_flow *f, void *buffer, size_t size)
{
  pc_saved_array part[ARRAYS];
  size_t need = list_arrays(f, part);
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
  pc_saved_write(buffer, &h, sizeof h, part, ARRAYS);
  return need;
}

pc_status pc_fe_flow_load(pc_fe_flow *f, const void *buffer, size_t size, pc_error *error)
{
  header h;
  if (size < sizeof h)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these %zu bytes are no flow", size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != f->numbers || h.spines != f->spines ||
      h.bodies != f->def.bodies || h.contacts != f->def.contacts || h.events < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these bytes are of another flow");
  if (!pc_array_reserve(&f->events, h.events))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", h.events);
  int before = f->events.count;
  f->events.count = h.events;
  pc_saved_array part[ARRAYS];
  size_t need = list_arrays(f, part);
  if (size != need) {
    f->events.count = before;
    return pc_fail(error, PC_ERROR_ARGUMENT, "a flow has %zu bytes, not %zu", need, size);
  }
  memcpy(&f->tally, &h.tally, sizeof f->tally);
  pc_saved_read((const char *)buffer + sizeof h, part, ARRAYS);
  pc_flow_keep_contacts(f);
  return PC_OK;
}
