// The registry of published results: recomputes them and compares.
#ifndef PERCUSS_VALIDATE_H
#define PERCUSS_VALIDATE_H

#include <stdbool.h>

#include "percuss/status.h"

typedef enum pc_verdict { PC_FAIL, PC_PASS, PC_UNTESTABLE } pc_verdict;

// `published` is NAN where only a derived value or a property is tested. `tolerance` is absolute,
// in `unit`.
typedef struct pc_validation {
  const char *id;     // area.case.quantity
  const char *source; // document and section
  const char *quantity;
  double published;
  double computed;
  const char *unit;
  double tolerance;
  pc_verdict verdict;
  const char *note;
} pc_validation;

typedef void pc_validation_sink(const pc_validation *row, void *context);

// Runs every case whose rows start with one of the given prefixes (none: all). `quick` leaves the
// slow ones out. Strings of a row live until the sink returns.
pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error);

#endif
