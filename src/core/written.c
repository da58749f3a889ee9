#define _GNU_SOURCE // fopencookie
#include "core/written.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(pc_written *written, size_t count)
{
  size_t wanted = written->size + count + 1;
  if (wanted <= written->room)
    return true;
  size_t room = wanted > 2 * written->room ? wanted : 2 * written->room;
  char *text = realloc(written->text, room);
  if (text == NULL)
    return false;
  written->text = text;
  written->room = room;
  return true;
}

static ssize_t take(void *cookie, const char *bytes, size_t count)
{
  pc_written *written = cookie;
  if (written->failed || !make_room(written, count)) {
    written->failed = true;
    errno = ENOMEM;
    return 0;
  }
  memcpy(written->text + written->size, bytes, count);
  written->size += count;
  written->text[written->size] = 0;
  return (ssize_t)count;
}

bool pc_written_begin(pc_written *written)
{
  *written = (pc_written){0};
  written->to = fopencookie(written, "w", (cookie_io_functions_t){.write = take});
  return written->to != NULL;
}

bool pc_written_flush(pc_written *written)
{
  if (written->to == NULL || fflush(written->to) != 0 || !make_room(written, 0))
    written->failed = true;
  if (written->failed)
    return false;
  written->text[written->size] = 0;
  return true;
}

char *pc_written_end(pc_written *written)
{
  bool whole = pc_written_flush(written);
  if (written->to != NULL && fclose(written->to) != 0)
    whole = false;
  written->to = NULL;
  char *text = whole ? written->text : NULL;
  if (!whole)
    free(written->text);
  written->text = NULL;
  return text;
}
