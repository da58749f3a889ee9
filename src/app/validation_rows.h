// Rows of a validation that are shown after all of them are known, and how many there are of each
// kind.
#ifndef PERCUSS_APP_VALIDATION_ROWS_H
#define PERCUSS_APP_VALIDATION_ROWS_H

#include "core/array.h"
#include "percuss/validate.h"

typedef struct validation_rows {
  int count[PC_ROW_KINDS], failed[PC_ROW_KINDS];
  PC_ARRAY(pc_validation) kept;
  pc_arena texts; // of the kept rows
  bool out_of_memory;
} validation_rows;

void validation_rows_count(validation_rows *rows, const pc_validation *row);
// Keeps a copy: the strings of a row are valid until its sink returns.
void validation_rows_keep(validation_rows *rows, const pc_validation *row);
void validation_rows_free(validation_rows *rows);

// Rows of every kind, and failed ones.
int validation_rows_total(const validation_rows *rows);
int validation_rows_failed(const validation_rows *rows);
// Rows that pass.
int validation_rows_passed(const validation_rows *rows);

// "-" for a number that is not there.
typedef struct validation_number {
  char text[40];
} validation_number;
validation_number validation_number_of(double value);
validation_number validation_tolerance_of(const pc_validation *row);

// The kinds that are shown apart, in order, with what is said of them.
typedef struct validation_section {
  pc_row_kind kind;
  const char *title, *about;
} validation_section;
enum { VALIDATION_SECTIONS = 6 };
extern const validation_section validation_sections[VALIDATION_SECTIONS];
bool is_shown_apart(pc_row_kind kind);
// Whether a row is a varied one of the case with this prefix.
bool belongs_to_study(const pc_validation *row, const char *prefix);

// Writes the rows, all of them kept, as a Markdown page on stdout.
void validation_page_print(const validation_rows *rows);

#endif
