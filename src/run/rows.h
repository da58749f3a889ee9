// The rows that a frame or a step adds to a ragged group of the record.
#ifndef PERCUSS_RUN_ROWS_H
#define PERCUSS_RUN_ROWS_H

#include "core/memory.h"
#include "record/record.h"

enum { PC_ROWS_COLUMNS = 12 };

typedef struct pc_rows {
  int handle;  // of the group
  int columns; // 0: it is not recorded
  int capacity;
  const pc_record_item *column;
  void *at[PC_ROWS_COLUMNS]; // numbers of each column, as pc_record_append_ragged takes them
  pc_arena memory;
} pc_rows;

// Creates the group; `offset` describes its dataset `offset`, unless it is NULL. `column` must stay
// in place.
void pc_rows_declare(pc_rows *rows, pc_record *record, const char *name, int columns,
                     const pc_record_item *column, const char *offset);
// Makes room for so many rows and loses those that are there; false when memory is out.
bool pc_rows_reserve(pc_rows *rows, int count);
// The numbers of a column in a row: int32_t, uint8_t or double.
void *pc_rows_at(const pc_rows *rows, int column, int row);
pc_status pc_rows_append(const pc_rows *rows, pc_record *record, int count);
void pc_rows_free(pc_rows *rows);

#endif
