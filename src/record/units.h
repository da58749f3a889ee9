// The heads of tables, and the table of the units of their columns, RUN-units.csv: a line for every
// column of every table. Heads are given with units: "time [s],bodies".
#ifndef PERCUSS_RECORD_UNITS_H
#define PERCUSS_RECORD_UNITS_H

#include "record/csv.h"
#include "record/replace.h"

// Writes the line of names of a table.
void pc_csv_write_head(pc_replace *file, const char *head);

extern const pc_own pc_units_own;
pc_replace *pc_units_begin(const char *path, pc_error *error);
void pc_units_add(pc_replace *file, const char *table, const char *column, const char *unit);
void pc_units_add_head(pc_replace *file, const char *table, const char *head);
// Fills in the units of columns, "" where the file or the column is not there.
pc_status pc_units_read(const char *path, const char *table, int count, pc_csv_column *column,
                        pc_error *error);

#endif
