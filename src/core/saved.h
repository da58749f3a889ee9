// States as bytes: a header, then arrays one after the other. A checksum shows that bytes are those
// that were written, not who wrote them, so the values are checked before any of them is used: each
// array says what its elements hold.
#ifndef PERCUSS_CORE_SAVED_H
#define PERCUSS_CORE_SAVED_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum pc_saved_kind {
  PC_SAVED_DOUBLE, // finite
  PC_SAVED_INTEGER,
  PC_SAVED_LONG,
  PC_SAVED_BOOL, // a byte: 0 or 1
  PC_SAVED_CHARS // a text that ends within its bytes
} pc_saved_kind;

// Numbers inside an element that must lie between two bounds, both included. What no field names
// may have any value.
typedef struct pc_saved_field {
  pc_saved_kind kind;
  size_t offset, count; // of an element, in bytes; numbers
  double low, high;
} pc_saved_field;

// Counts of events are far below this; a sum of two of them still fits a long and a double.
#define PC_SAVED_MOST 4e15

#define PC_SAVED_FIELD(kind, type, member, number, low, high)                                      \
  {                                                                                                \
    kind, offsetof(type, member), sizeof(((type *)0)->member) / sizeof(number), low, high          \
  }
#define PC_SAVED_BETWEEN(type, member, low, high)                                                  \
  PC_SAVED_FIELD(PC_SAVED_DOUBLE, type, member, double, low, high)
#define PC_SAVED_FINITE(type, member) PC_SAVED_BETWEEN(type, member, -DBL_MAX, DBL_MAX)
#define PC_SAVED_POSITIVE(type, member) PC_SAVED_BETWEEN(type, member, 0, DBL_MAX)
#define PC_SAVED_INTEGERS(type, member, low, high)                                                 \
  PC_SAVED_FIELD(PC_SAVED_INTEGER, type, member, int, low, high)
#define PC_SAVED_COUNTS(type, member)                                                              \
  PC_SAVED_FIELD(PC_SAVED_LONG, type, member, long, 0, PC_SAVED_MOST)
#define PC_SAVED_FLAGS(type, member) PC_SAVED_FIELD(PC_SAVED_BOOL, type, member, char, 0, 1)
#define PC_SAVED_TEXT(type, member) PC_SAVED_FIELD(PC_SAVED_CHARS, type, member, char, 0, 0)

// Elements that are one number.
extern const pc_saved_field pc_saved_finite, pc_saved_positive, pc_saved_flag;

typedef struct pc_saved_array {
  void *at; // what is saved and loaded
  size_t count, size;
  const pc_saved_field *field;
  int fields;
} pc_saved_array;

// Whether `count` elements of `size` bytes hold what their fields say. They need no alignment.
bool pc_saved_is_sound(const void *bytes, size_t count, size_t size, const pc_saved_field *field,
                       int fields);

// The size of a state with a header of `header` bytes.
size_t pc_saved_size(size_t header, const pc_saved_array *array, int count);
// Writes the header and the arrays.
void pc_saved_write(char *to, const void *header, size_t size, const pc_saved_array *array,
                    int count);
// Checks arrays; `from` is where the header ends. Nothing is changed.
bool pc_saved_can_read(const char *from, const pc_saved_array *array, int count);
// Loads them.
void pc_saved_read(const char *from, const pc_saved_array *array, int count);

#endif
