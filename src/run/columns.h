// The columns of the table of a run: names, units and the places of their values.
#ifndef PERCUSS_RUN_COLUMNS_H
#define PERCUSS_RUN_COLUMNS_H

#include "core/array.h"
#include "record/record.h"

typedef struct pc_column {
  char name[240];
  const char *unit; // NULL: a number
  pc_record_type type;
  const void *value; // stays in place
} pc_column;

typedef struct pc_columns {
  PC_ARRAY(pc_column) list;
  bool failed; // memory was out
} pc_columns;

void pc_columns_add(pc_columns *columns, pc_record_type type, const void *value, const char *unit,
                    const char *name, ...) __attribute__((format(printf, 5, 6)));
double pc_column_value(const pc_column *column);

#endif
