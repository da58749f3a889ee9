// A state as bytes: a header, then arrays one after the other.
#ifndef PERCUSS_CONTINUUM_SAVED_H
#define PERCUSS_CONTINUUM_SAVED_H

#include <string.h>

typedef struct pc_saved_array {
  void *at;
  size_t bytes;
} pc_saved_array;

static inline size_t pc_saved_size(size_t header, const pc_saved_array *array, int count)
{
  for (int i = 0; i < count; i++)
    header += array[i].bytes;
  return header;
}

static inline void pc_saved_write(char *to, const void *header, size_t size,
                                  const pc_saved_array *array, int count)
{
  memcpy(to, header, size);
  to += size;
  for (int i = 0; i < count; to += array[i++].bytes)
    if (array[i].bytes > 0)
      memcpy(to, array[i].at, array[i].bytes);
}

// The arrays; `from` is where the header ends.
static inline void pc_saved_read(const char *from, const pc_saved_array *array, int count)
{
  for (int i = 0; i < count; from += array[i++].bytes)
    if (array[i].bytes > 0)
      memcpy(array[i].at, from, array[i].bytes);
}

#endif
