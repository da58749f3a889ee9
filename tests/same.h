// Are two files the same? `why` says what is not.
#ifndef PERCUSS_TESTS_SAME_H
#define PERCUSS_TESTS_SAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

enum { SAME_WHY = 300 };

static inline bool same_bytes(const char *one, const char *two, char why[SAME_WHY])
{
  FILE *a = fopen(one, "rb"), *b = fopen(two, "rb");
  bool same = a != NULL && b != NULL;
  for (char x[4096], y[4096]; same;) {
    size_t m = fread(x, 1, sizeof x, a), n = fread(y, 1, sizeof y, b);
    same = m == n && memcmp(x, y, m) == 0;
    if (m == 0)
      break;
  }
  if (!same)
    snprintf(why, SAME_WHY, "%.120s and %.120s: %s", one, two,
             a == NULL || b == NULL ? "one is missing" : "other bytes");
  if (a != NULL)
    fclose(a);
  if (b != NULL)
    fclose(b);
  return same;
}

static inline size_t same_size_of(pc_record_type type)
{
  return type == PC_RECORD_DOUBLE || type == PC_RECORD_LONG ? 8 : type == PC_RECORD_BYTE ? 1 : 4;
}

static inline bool same_text(pc_reading *a, pc_reading *b, const char *name)
{
  pc_error error;
  char *x = pc_reading_text(a, name, &error), *y = pc_reading_text(b, name, &error);
  bool same = x != NULL && y != NULL && strcmp(x, y) == 0;
  free(x);
  free(y);
  return same;
}

static inline bool same_dataset(pc_reading *a, pc_reading *b, const char *name)
{
  long size[4] = {0}, other[4] = {0}, numbers = 1;
  pc_record_type type, its_type;
  pc_error error;
  int rank = pc_reading_size(a, name, size);
  if (rank != pc_reading_size(b, name, other) || memcmp(size, other, sizeof size) != 0)
    return false;
  if (rank == 0)
    return same_text(a, b, name);
  for (int i = 0; i < rank; i++)
    numbers *= size[i];
  if (pc_reading_type(a, name, &type, &error) != PC_OK ||
      pc_reading_type(b, name, &its_type, &error) != PC_OK || type != its_type)
    return false;
  size_t bytes = (size_t)numbers * same_size_of(type);
  void *x = malloc(bytes + 1), *y = malloc(bytes + 1);
  bool same =
      x != NULL && y != NULL && pc_reading_rows(a, name, 0, size[0], type, x, &error) == PC_OK &&
      pc_reading_rows(b, name, 0, size[0], type, y, &error) == PC_OK && memcmp(x, y, bytes) == 0;
  free(x);
  free(y);
  return same;
}

// Records of runs, every dataset byte for byte, but for the clock. How many there are; -1: not the
// same. With `ordered` they also come in the same order.
static inline int same_datasets(const char *one, const char *two, bool ordered, char why[SAME_WHY])
{
  pc_error error = {.text = ""};
  int compared = -1;
  pc_reading *a = pc_reading_open(one, &error);
  pc_reading *b = a != NULL ? pc_reading_open(two, &error) : NULL;
  if (a == NULL || b == NULL) {
    snprintf(why, SAME_WHY, "%.250s", error.text);
  } else if (pc_reading_count(a) != pc_reading_count(b)) {
    snprintf(why, SAME_WHY, "%d datasets and %d", pc_reading_count(a), pc_reading_count(b));
  } else {
    compared = 0;
    for (int k = 0; k < pc_reading_count(a) && compared >= 0; k++) {
      const char *name = pc_reading_name(a, k);
      if (strncmp(name, "clock/", 6) == 0)
        continue;
      compared++;
      bool there = ordered ? strcmp(name, pc_reading_name(b, k)) == 0 : pc_reading_has(b, name);
      if (there && same_dataset(a, b, name))
        continue;
      snprintf(why, SAME_WHY, "%.120s differs in %.120s", name, two);
      compared = -1;
    }
  }
  pc_reading_close(a);
  pc_reading_close(b);
  return compared;
}

static inline int same_runs(const char *one, const char *two, char why[SAME_WHY])
{
  return same_datasets(one, two, true, why);
}

// The number that a record gets when it is made, and keeps when its run goes on; false: there is
// none.
static inline bool identity_of(const char *path, int64_t *identity)
{
  pc_reading *reading = pc_reading_open(path, NULL);
  bool known = reading != NULL && pc_reading_rows(reading, "clock/identity", 0, 1, PC_RECORD_LONG,
                                                  identity, NULL) == PC_OK;
  pc_reading_close(reading);
  return known;
}

#endif
