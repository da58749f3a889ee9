#include "run/taking.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { MOST = 1 << 28 }; // rows of an array of what does not grow

void pc_take_fail(pc_taking *s, const char *name, const char *why)
{
  if (s->status == PC_OK)
    s->status =
        pc_fail(s->error, PC_ERROR_INPUT, "%s: %s%s%s", s->path, name, *name ? ": " : "", why);
}

void *pc_take(pc_taking *s, const char *name, pc_record_type as, long *rows, long columns)
{
  static const size_t sizes[] = {8, 4, 4, 8, 1};
  long size[4] = {0}, numbers = 1;
  if (s->status != PC_OK)
    return NULL;
  int rank = pc_reading_size(s->reading, name, size);
  for (int i = 0; i < rank; i++)
    numbers = size[i] <= MOST && numbers <= MOST ? numbers * size[i] : LONG_MAX;
  if (rank < 1 || rank > 2 || numbers > MOST || numbers % columns != 0 ||
      (*rows >= 0 && numbers != *rows * columns)) {
    pc_take_fail(s, name, rank == 0 ? "missing" : "wrong size");
    return NULL;
  }
  *rows = numbers / columns;
  void *data = pc_arena_take(s->memory, (size_t)numbers + 1, sizes[as]);
  if (data == NULL)
    s->status = pc_fail(s->error, PC_ERROR_MEMORY, "out of memory");
  else
    s->status = pc_reading_rows(s->reading, name, 0, size[0], as, data, s->error);
  return s->status == PC_OK ? data : NULL;
}

double pc_take_number(pc_taking *s, const char *name)
{
  const double *data = pc_take(s, name, PC_RECORD_DOUBLE, &(long){1}, 1);
  return data != NULL ? *data : 0;
}

char **pc_take_names(pc_taking *s, const char *name, long *count)
{
  if (s->status != PC_OK)
    return NULL;
  char *text = pc_reading_text(s->reading, name, s->error);
  if (text == NULL) {
    s->status = s->error->status;
    return NULL;
  }
  long lines = 0;
  size_t size = strlen(text) + 1;
  for (const char *at = text; *at != 0; at++)
    lines += *at == '\n';
  char *own = pc_arena_take(s->memory, size, 1);
  char **names = pc_arena_take(s->memory, (size_t)lines + 1, sizeof *names);
  if (own == NULL || names == NULL)
    s->status = pc_fail(s->error, PC_ERROR_MEMORY, "out of memory");
  else if (*count >= 0 && *count != lines)
    pc_take_fail(s, name, "the number of names differs from the number of rows");
  else
    memcpy(own, text, size);
  free(text);
  *count = lines;
  for (long i = 0; i < lines && s->status == PC_OK; i++) {
    names[i] = own;
    own = strchr(own, '\n');
    *own++ = 0;
  }
  return names;
}

void pc_check_range(pc_taking *s, const char *name, const int32_t *index, long count, long low,
                    long high)
{
  for (long i = 0; i < count && s->status == PC_OK; i++)
    if (index[i] < low || index[i] >= high)
      pc_take_fail(s, name, "an index is out of range");
}

void pc_check_starts(pc_taking *s, const char *name, const int64_t *start, long count, long rows)
{
  for (long i = 0; i < count && s->status == PC_OK; i++)
    if (start[i] < 0 || start[i + 1] < start[i] || start[i + 1] > rows)
      pc_take_fail(s, name, "must be increasing");
}

void *pc_take_if_any(pc_taking *s, const char *name, pc_record_type as, long rows, long columns)
{
  return rows > 0 ? pc_take(s, name, as, &rows, columns) : NULL;
}
