// The registry of published results: recomputes them and compares.
#ifndef PERCUSS_VALIDATE_H
#define PERCUSS_VALIDATE_H

#include <stdbool.h>

#include "percuss/status.h"

typedef enum pc_verdict { PC_FAIL, PC_PASS, PC_UNTESTABLE } pc_verdict;

// `published` is NAN where only a derived value or a property is tested; `expected` is what
// `computed` was compared with, whether published or derived, and NAN where nothing could be.
// `tolerance` is absolute, in `unit`. A property row computes a number of violations, expected 0.
typedef struct pc_validation {
  const char *id;     // area.case.quantity
  const char *source; // document and section
  const char *quantity;
  double published;
  double expected;
  double computed;
  const char *unit;
  double tolerance;
  pc_verdict verdict;
  const char *note;
} pc_validation;

typedef void pc_validation_sink(const pc_validation *row, void *context);

// Passes to the sink every row whose id is one of `ids` or begins with one of them and a dot (count
// 0: all rows). `quick` skips the slow cases. The strings of a row are valid until the sink
// returns. PC_ERROR_INPUT: an id matches no row; the error names it.
pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error);
// The prefix that all ids of case number i share, from 0; NULL after the last case.
const char *pc_validation_case(int i);

#endif
