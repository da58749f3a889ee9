// The registry of published results: recomputes them and compares.
#ifndef PERCUSS_VALIDATE_H
#define PERCUSS_VALIDATE_H

#include <stdbool.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// What a row is. Only the first three kinds can pass.
typedef enum pc_row_kind {
  PC_ROW_PUBLISHED,  // compared with a number that the source prints
  PC_ROW_DERIVED,    // compared with an independent result, named in the note
  PC_ROW_PROPERTY,   // number of violations of a claim; the expected number is 0
  PC_ROW_FITTED,     // inputs were chosen for agreement with the source
  PC_ROW_INPUT,      // a datum that the scene takes from the source
  PC_ROW_SELF_CHECK, // what the program reports about its run, or a run compared with itself
  PC_ROW_MISSED,     // a criterion that is known not to hold
  PC_ROW_UNTESTABLE, // a statement that does not follow from the text; the note says why
  PC_ROW_VARIED,     // of a study: the result with the input that `changed` names
  PC_ROW_KINDS
} pc_row_kind;

// PC_NOT_COUNTED: the row is as its kind says and does not count as a pass. A missed row whose
// criterion holds fails; its declaration must be updated.
typedef enum pc_verdict { PC_FAIL, PC_PASS, PC_NOT_COUNTED } pc_verdict;

// `published` is NAN where the source prints no number; `expected` is what `computed` was compared
// with, and NAN for a row that cannot be tested or is varied. `tolerance` is absolute, in `unit`;
// of a varied row it is half the 95 % interval of `computed`, 0 for a single run.
typedef struct pc_validation {
  const char *id; // area.case.quantity
  pc_row_kind kind;
  const char *source; // document and section
  const char *quantity;
  const char *changed; // of a varied row; "" otherwise
  double published;
  double expected;
  double computed;
  const char *unit;
  double tolerance;
  pc_verdict verdict;
  const char *note;
} pc_validation;

// The word for a kind: "published", "derived", "property", "fitted", "input",
// "self-check", "missed", "untestable", "varied".
const char *pc_row_kind_name(pc_row_kind kind);

typedef void pc_validation_sink(const pc_validation *row, void *context);

// Passes to the sink every row whose id is one of `ids` or begins with one of them and a dot (count
// 0: all rows). `quick` skips the slow cases. The strings of a row are valid until the sink
// returns. PC_ERROR_INPUT: an id matches no row; the error names it.
pc_status pc_validate(const char *const *ids, int count, bool quick, pc_validation_sink *sink,
                      void *context, pc_error *error);
// The prefix that all ids of case number i share, from 0; NULL after the last case.
const char *pc_validation_case(int i);
// The finding of a study: why a missed result differs from the source. NULL for other cases.
const char *pc_validation_study(int i);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
