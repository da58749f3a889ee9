// Arrays of a record, read into an arena and checked. The first failure is kept: after it every
// call does nothing and gives NULL or 0.
#ifndef PERCUSS_RUN_TAKING_H
#define PERCUSS_RUN_TAKING_H

#include "core/memory.h"
#include "record/record.h"

typedef struct pc_taking {
  const char *path; // for messages
  pc_reading *reading;
  pc_arena *memory;
  pc_status status;
  pc_error *error;
} pc_taking;

void pc_take_fail(pc_taking *taking, const char *name, const char *why);
// An array of so many numbers a row; `rows` is checked, or taken if it is -1. Dimensions of 1 may
// be missing.
void *pc_take(pc_taking *taking, const char *name, pc_record_type as, long *rows, long columns);
// The rows of an array that is left out where it is empty.
void *pc_take_if_any(pc_taking *taking, const char *name, pc_record_type as, long rows,
                     long columns);
double pc_take_number(pc_taking *taking, const char *name);
char **pc_take_names(pc_taking *taking, const char *name, long *count);
// Indices from `low` to below `high`; starts that do not decrease, up to `rows`.
void pc_check_range(pc_taking *taking, const char *name, const int32_t *index, long count, long low,
                    long high);
void pc_check_starts(pc_taking *taking, const char *name, const int64_t *start, long count,
                     long rows);

#endif
