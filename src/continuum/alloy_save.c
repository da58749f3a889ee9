// An alloy in time as bytes.
#include <stdint.h>
#include <string.h>

#include "continuum/alloy_state.h"
#include "core/error.h"

typedef struct header {
  uint64_t magic;
  int numbers, nodes;
  pc_alloy_tally now;
} header;
static const uint64_t MAGIC = 0x3130594f4c4c4150ull;

typedef struct piece {
  void *at;
  size_t bytes;
} piece;

static size_t list_pieces(const pc_fe_alloy *a, piece part[5])
{
  size_t vector = (size_t)a->numbers * sizeof(double), nodes = (size_t)a->def.mesh->nodes;
  part[0] = (piece){a->u, vector};
  part[1] = (piece){a->v, vector};
  part[2] = (piece){a->temperature, nodes * sizeof(double)};
  part[3] = (piece){a->fraction, nodes * sizeof *a->fraction};
  part[4] = (piece){a->dilated, nodes * sizeof(double)};
  size_t need = sizeof(header);
  for (int i = 0; i < 5; i++)
    need += part[i].bytes;
  return need;
}

size_t pc_fe_alloy_save(const pc_fe_alloy *a, void *buffer, size_t size)
{
  piece part[5];
  size_t need = list_pieces(a, part);
  if (buffer == NULL || size < need)
    return need;
  header h;
  memset(&h, 0, sizeof h); // padding too: the bytes are compared
  h.magic = MAGIC;
  h.numbers = a->numbers;
  h.nodes = a->def.mesh->nodes;
  memcpy(&h.now, &a->now, sizeof h.now);
  char *to = buffer;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (int i = 0; i < 5; to += part[i++].bytes)
    memcpy(to, part[i].at, part[i].bytes);
  return need;
}

pc_status pc_fe_alloy_load(pc_fe_alloy *a, const void *buffer, size_t size, pc_error *error)
{
  piece part[5];
  header h;
  size_t need = list_pieces(a, part);
  if (size != need)
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time has %zu bytes, not %zu", need, size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != a->numbers || h.nodes != a->def.mesh->nodes)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these bytes are of another alloy");
  memcpy(&a->now, &h.now, sizeof a->now);
  const char *from = (const char *)buffer + sizeof h;
  for (int i = 0; i < 5; from += part[i++].bytes)
    memcpy(part[i].at, from, part[i].bytes);
  return PC_OK;
}
