// Tables of numbers as text: a line of names with units, then lines of numbers, each the shortest
// that reads back as the same double.
#ifndef PERCUSS_RECORD_CSV_H
#define PERCUSS_RECORD_CSV_H

#include <stdint.h>

#include "percuss/status.h"

typedef struct pc_csv pc_csv;

// A table that another is writing is refused. From a sync and at the end its writer hears, as
// PC_ERROR_IO, that it is not under its name any more.
//
// `units` may be NULL, and so may one of them: time [s],bodies
pc_csv *pc_csv_create(const char *path, int columns, const char *const *names,
                      const char *const *units, pc_error *error);
// PC_ERROR_INPUT if a file of that name is there and is another table, or none: it begins with
// something else than `head`. One that is cut short in its head is no other.
pc_status pc_csv_check_head(const char *path, const char *head, pc_error *error);
// A table so far, to be kept in a checkpoint: bytes, with those that are not flushed, and their
// sum.
typedef struct pc_csv_mark {
  long length;
  uint64_t sum;
} pc_csv_mark;
pc_csv_mark pc_csv_marked(const pc_csv *table);
// PC_ERROR_INPUT if there is no table that begins with what was marked.
pc_status pc_csv_check(const char *path, pc_csv_mark mark, pc_error *error);
// Goes on with a table after the mark.
pc_csv *pc_csv_resume(const char *path, int columns, pc_csv_mark mark, pc_error *error);
pc_status pc_csv_append(pc_csv *table, const double *row, pc_error *error);
pc_status pc_csv_flush(pc_csv *table, pc_error *error);
pc_status pc_csv_sync(pc_csv *table, pc_error *error); // a flush that outlives a power cut
// Frees the table also when it fails.
pc_status pc_csv_close(pc_csv *table, pc_error *error);

// The shortest text that reads back as the same number; nan, inf and -inf for what is none.
enum { PC_CSV_NUMBER = 32 };
int pc_csv_number(double value, char text[PC_CSV_NUMBER]);

#endif
