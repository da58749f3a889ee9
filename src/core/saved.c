#include "core/saved.h"

#include <string.h>

const pc_saved_field pc_saved_finite = {PC_SAVED_DOUBLE, 0, 1, -DBL_MAX, DBL_MAX};
const pc_saved_field pc_saved_positive = {PC_SAVED_DOUBLE, 0, 1, 0, DBL_MAX};
const pc_saved_field pc_saved_flag = {PC_SAVED_BOOL, 0, 1, 0, 1};

static const size_t size_of[] = {[PC_SAVED_DOUBLE] = sizeof(double),
                                 [PC_SAVED_INTEGER] = sizeof(int),
                                 [PC_SAVED_LONG] = sizeof(long),
                                 [PC_SAVED_BOOL] = 1};

// A number of a kind; long ones may be rounded, but not across PC_SAVED_MOST.
static double number_at(pc_saved_kind kind, const char *bytes)
{
  double real;
  int integer;
  long big;
  switch (kind) {
  case PC_SAVED_DOUBLE:
    memcpy(&real, bytes, sizeof real);
    return real;
  case PC_SAVED_INTEGER:
    memcpy(&integer, bytes, sizeof integer);
    return integer;
  case PC_SAVED_LONG:
    memcpy(&big, bytes, sizeof big);
    return (double)big;
  default:
    return (unsigned char)*bytes;
  }
}

static bool is_field_sound(const char *element, const pc_saved_field *field)
{
  const char *at = element + field->offset;
  if (field->kind == PC_SAVED_CHARS)
    return memchr(at, 0, field->count) != NULL;
  for (size_t i = 0; i < field->count; i++) {
    double number = number_at(field->kind, at + i * size_of[field->kind]);
    if (!(number >= field->low && number <= field->high)) // also of what is not a number
      return false;
  }
  return true;
}

bool pc_saved_is_sound(const void *bytes, size_t count, size_t size, const pc_saved_field *field,
                       int fields)
{
  const char *element = bytes;
  for (size_t i = 0; i < count; i++, element += size)
    for (int k = 0; k < fields; k++)
      if (!is_field_sound(element, &field[k]))
        return false;
  return true;
}

size_t pc_saved_size(size_t header, const pc_saved_array *array, int count)
{
  for (int i = 0; i < count; i++)
    header += array[i].count * array[i].size;
  return header;
}

void pc_saved_write(char *to, const void *header, size_t size, const pc_saved_array *array,
                    int count)
{
  if (size > 0)
    memcpy(to, header, size);
  to += size;
  for (int i = 0; i < count; to += array[i].count * array[i].size, i++)
    if (array[i].count > 0)
      memcpy(to, array[i].at, array[i].count * array[i].size);
}

bool pc_saved_can_read(const char *from, const pc_saved_array *array, int count)
{
  for (int i = 0; i < count; from += array[i].count * array[i].size, i++)
    if (array[i].count > 0 &&
        !pc_saved_is_sound(from, array[i].count, array[i].size, array[i].field, array[i].fields))
      return false;
  return true;
}

void pc_saved_read(const char *from, const pc_saved_array *array, int count)
{
  for (int i = 0; i < count; from += array[i].count * array[i].size, i++)
    if (array[i].count > 0)
      memcpy(array[i].at, from, array[i].count * array[i].size);
}
