// Tables of numbers as text: a line of names with units, then lines of numbers. Each number is the
// shortest text that reads back as the same double.
#ifndef PERCUSS_RECORD_CSV_H
#define PERCUSS_RECORD_CSV_H

#include <stdint.h>

#include "core/plain.h"
#include "percuss/status.h"
#include "record/own.h"

typedef struct pc_csv pc_csv;

// Creates a table. An older one of the same kind is replaced, unless another process is writing it.
// If the file is no longer under its name, a sync and closing return PC_ERROR_IO.
//
// `units` may be NULL, and so may one of them: time [s],bodies
pc_csv *pc_csv_create(const char *path, const pc_own *own, int columns, const char *const *names,
                      const char *const *units, pc_error *error);

// The state of a table for a checkpoint: its length in bytes, including those not flushed yet, and
// its checksum.
typedef struct pc_csv_mark {
  long length;
  uint64_t sum;
} pc_csv_mark;
pc_csv_mark pc_csv_marked(const pc_csv *table);
// PC_ERROR_INPUT if there is no table that begins with the marked bytes.
pc_status pc_csv_check(const char *path, pc_csv_mark mark, pc_error *error);
// Opens a table and continues after the mark.
pc_csv *pc_csv_resume(const char *path, int columns, pc_csv_mark mark, pc_error *error);
pc_status pc_csv_append(pc_csv *table, const double *row, pc_error *error);
pc_status pc_csv_flush(pc_csv *table, pc_error *error);
pc_status pc_csv_sync(pc_csv *table, pc_error *error); // flushes to the disk
// Closes and frees the table, also after a failure.
pc_status pc_csv_close(pc_csv *table, pc_error *error);

// csv_read.c: columns of such a table by their names; `unit` is filled in, ""
// without one. Value c of row i is (*values)[i * count + c]; the caller frees them.
enum { PC_CSV_COLUMNS = 16, PC_CSV_UNIT = 40 };
typedef struct pc_csv_column {
  const char *name;
  char unit[PC_CSV_UNIT];
} pc_csv_column;
pc_status pc_csv_read(const char *path, int count, pc_csv_column *column, double **values,
                      long *rows, pc_error *error);

// Writes the shortest text that reads back as the same number, or nan, inf, -inf.
enum { PC_CSV_NUMBER = PC_EXACT_TEXT };
int pc_csv_number(double value, char text[PC_CSV_NUMBER]);

#endif
