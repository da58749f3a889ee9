// Changes of sound data that an input asks for: bytes, and numbers at multiples of their sizes.
#ifndef PERCUSS_TESTS_FUZZ_EDITS_H
#define PERCUSS_TESTS_FUZZ_EDITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct saved_part {
  unsigned char *data;
  size_t size;
} saved_part;

// What the input is read from, to its end; behind it are zeros.
typedef struct tape {
  const uint8_t *at;
  size_t left;
} tape;

static inline unsigned take(tape *t, int bytes)
{
  unsigned value = 0;
  for (int i = 0; i < bytes; i++) {
    value |= (unsigned)(t->left > 0 ? *t->at : 0) << 8 * i;
    t->at += t->left > 0;
    t->left -= t->left > 0;
  }
  return value;
}

static inline void must(bool fine, const char *what, const char *why)
{
  if (fine)
    return;
  fprintf(stderr, "%s: %s\n", what, why);
  abort();
}

static inline double wild_number(unsigned which)
{
  static const double numbers[] = {0,     -0.0, NAN,   INFINITY, -INFINITY, 1,     -1,   0.5,
                                   1e300, 1e30, 1e-30, 1e-310,   -1e300,    1e154, 1e10, 1e5,
                                   2e9,   5e9,  1e18,  1e19,     -1e5,      1e-9,  3,    1e3};
  return numbers[which % (sizeof numbers / sizeof *numbers)];
}

static inline int wild_integer(unsigned which)
{
  static const int numbers[] = {
      0, -1, 1, 2, 3, INT32_MAX, INT32_MIN, INT32_MAX - 1, 1 << 30, 1 << 20, 1000, 65536, -2, 100};
  return numbers[which % (sizeof numbers / sizeof *numbers)];
}

// One change. Numbers stand at multiples of their sizes, from the beginning of the data.
static inline void change(saved_part *p, tape *t, unsigned kind)
{
  size_t at = take(t, 3);
  unsigned value = take(t, 1);
  double number = wild_number(value);
  int integer = wild_integer(value);
  if (kind == 7) { // another size
    size_t size = value % 4 == 0 ? at % (p->size + 1) : p->size + value;
    unsigned char *data = realloc(p->data, size + 1);
    must(data != NULL, "memory", "out of it");
    if (size > p->size)
      memset(data + p->size, (int)at & 255, size - p->size);
    p->data = data;
    p->size = size;
  }
  if (p->size < 8)
    return;
  size_t eight = p->size / 8, four = p->size / 4;
  unsigned char *of8 = p->data + 8 * (at % eight), *of4 = p->data + 4 * (at % four);
  switch (kind) {
  case 0:
    p->data[at % p->size] = (unsigned char)value;
    break;
  case 1:
    memcpy(of4, &integer, 4);
    break;
  case 2:
    memcpy(of8, &number, 8);
    break;
  case 3:
    for (int i = 0; i < 8; i++)
      of8[i] = (unsigned char)take(t, 1);
    break;
  case 4:
    memmove(of8, p->data + 8 * (take(t, 3) % eight), 8);
    break;
  case 5:
    memcpy(&integer, of4, 4);
    integer = (int)((unsigned)integer + value - 128);
    memcpy(of4, &integer, 4);
    break;
  case 6:
    memcpy(&number, of8, 8);
    number *= wild_number(value);
    memcpy(of8, &number, 8);
    break;
  default:
    break;
  }
}

#endif
