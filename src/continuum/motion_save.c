// A motion as bytes.
#include "continuum/motion_state.h"

#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

typedef struct motion_header {
  uint64_t magic;
  int numbers, nodes, walls, events;
  pc_motion_tally now;
} motion_header;
static const uint64_t MAGIC = 0x31304e4f49544f4dull;

typedef struct piece {
  void *at;
  size_t bytes;
} piece;

static int list_pieces(const pc_fe_motion *m, piece piece_[5])
{
  size_t vector = (size_t)m->numbers * sizeof *m->u;
  piece_[0] = (piece){m->u, vector};
  piece_[1] = (piece){m->v, vector};
  piece_[2] = (piece){m->closed, (size_t)m->walls * (size_t)m->mesh->nodes};
  piece_[3] = (piece){m->state, (size_t)m->walls * sizeof *m->state};
  piece_[4] = (piece){m->event, (size_t)m->events * sizeof *m->event};
  return 5;
}

size_t pc_fe_motion_save(const pc_fe_motion *m, void *buffer, size_t size)
{
  motion_header header;
  memset(&header, 0, sizeof header); // padding too: the bytes are compared
  piece part[5];
  int parts = list_pieces(m, part);
  size_t need = sizeof header;
  for (int i = 0; i < parts; i++)
    need += part[i].bytes;
  if (buffer == NULL || size < need)
    return need;
  header.magic = MAGIC;
  header.numbers = m->numbers;
  header.nodes = m->mesh->nodes;
  header.walls = m->walls;
  header.events = m->events;
  memcpy(&header.now, &m->now, sizeof header.now);
  char *to = buffer;
  memcpy(to, &header, sizeof header);
  to += sizeof header;
  for (int i = 0; i < parts; i++) {
    if (part[i].bytes > 0)
      memcpy(to, part[i].at, part[i].bytes);
    to += part[i].bytes;
  }
  return need;
}

pc_status pc_fe_motion_load(pc_fe_motion *m, const void *buffer, size_t size, pc_error *error)
{
  motion_header header;
  if (size < sizeof header)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these %zu bytes are no motion", size);
  memcpy(&header, buffer, sizeof header);
  if (header.magic != MAGIC || header.numbers != m->numbers || header.nodes != m->mesh->nodes ||
      header.walls != m->walls || header.events < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these bytes are of another motion");
  if (!pc_grow(&m->event, &m->event_room, header.events, sizeof *m->event))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", header.events);
  int before = m->events;
  m->events = header.events;
  piece part[5];
  int parts = list_pieces(m, part);
  size_t need = sizeof header;
  for (int i = 0; i < parts; i++)
    need += part[i].bytes;
  if (size != need) {
    m->events = before;
    return pc_fail(error, PC_ERROR_ARGUMENT, "a motion has %zu bytes, not %zu", need, size);
  }
  memcpy(&m->now, &header.now, sizeof m->now);
  const char *from = (const char *)buffer + sizeof header;
  for (int i = 0; i < parts; i++) {
    if (part[i].bytes > 0)
      memcpy(part[i].at, from, part[i].bytes);
    from += part[i].bytes;
  }
  return PC_OK;
}
