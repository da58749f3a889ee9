// Tables of numbers as text: a line of names, then lines of numbers. Each number is the shortest
// text that reads back as the same double. Names are free of blanks and brackets, and there is no
// line of units, so that other programs read a table without options; the units of all tables of a
// run are in a table of their own.
#ifndef PERCUSS_RECORD_CSV_H
#define PERCUSS_RECORD_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plain.h"
#include "percuss/status.h"
#include "record/own.h"

typedef struct pc_csv pc_csv;

// Creates a table. An older one of the same kind is replaced, unless another process is writing it.
// If the file is no longer under its name, a sync and closing return PC_ERROR_IO.
pc_csv *pc_csv_create(const char *path, const pc_own *own, int columns, const char *const *names,
                      pc_error *error);

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

// csv_names.c. The name of a column in the table: "fence force" and "k [kg]" are fence_force and k.
enum { PC_CSV_NAME = 240 };
const char *pc_csv_name(const char *name, char text[PC_CSV_NAME]);
// Whether two names are one in a table.
bool pc_csv_is_name(const char *a, const char *b);
// Its length without the unit: that of "k".
size_t pc_csv_name_length(const char *name);

// csv_read.c: columns of such a table by their names. Value c of row i is (*values)[i * count + c];
// the caller frees them. `unit` is left as it is.
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
