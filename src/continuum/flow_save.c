// A flow as bytes.
#include <stdint.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/error.h"

typedef struct header {
  uint64_t magic;
  int numbers, spines, bodies, contacts, events, none;
  pc_flow_tally tally;
} header;
static const uint64_t MAGIC = 0x3130574f4c46ull;

typedef struct piece {
  void *at;
  size_t bytes;
} piece;
enum { PIECES = 11 };

// The arrays that follow the header, and the size of all together.
static size_t list_pieces(const pc_fe_flow *f, piece list[PIECES])
{
  size_t vector = (size_t)f->numbers * sizeof(double), heights = (size_t)f->spines * sizeof(double);
  size_t bodies = (size_t)f->def.bodies, nodes = (size_t)f->mesh.nodes;
  size_t contacts = (size_t)f->def.contacts;
  const piece all[PIECES] = {{f->now.u, vector},
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
  size_t size = sizeof(header);
  for (int i = 0; i < PIECES; i++)
    size += list[i].bytes;
  return size;
}

size_t pc_fe_flow_save(const pc_fe_flow *f, void *buffer, size_t size)
{
  piece part[PIECES];
  size_t need = list_pieces(f, part);
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
  char *to = buffer;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (int i = 0; i < PIECES; to += part[i++].bytes)
    if (part[i].bytes > 0)
      memcpy(to, part[i].at, part[i].bytes);
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
  piece part[PIECES];
  size_t need = list_pieces(f, part);
  if (size != need) {
    f->events.count = before;
    return pc_fail(error, PC_ERROR_ARGUMENT, "a flow has %zu bytes, not %zu", need, size);
  }
  memcpy(&f->tally, &h.tally, sizeof f->tally);
  const char *from = (const char *)buffer + sizeof h;
  for (int i = 0; i < PIECES; from += part[i++].bytes)
    if (part[i].bytes > 0)
      memcpy(part[i].at, from, part[i].bytes);
  return PC_OK;
}
