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

// Gives the sink every row whose id is one of `ids` or begins with one of them and a dot (count 0:
// all rows). `quick` leaves the slow cases out. Strings of a row live until the sink returns.
// PC_ERROR_INPUT names an id that matches no row.
pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error);
// With what the ids of case number i begin, or NULL behind the last one.
const char *pc_validation_case(int i);

#endif
