#include "run/rows.h"

#include <stdio.h>

static size_t number_size(const pc_record_item *column)
{
  return column->type == PC_RECORD_INT    ? sizeof(int32_t)
         : column->type == PC_RECORD_LONG ? sizeof(int64_t)
         : column->type == PC_RECORD_BYTE ? sizeof(uint8_t)
                                          : sizeof(double);
}

void pc_rows_declare(pc_rows *rows, pc_record *record, const char *name, int columns,
                     const pc_record_item *column, const char *offset)
{
  rows->columns = columns;
  rows->column = column;
  rows->handle = pc_record_ragged(record, name, columns, column);
  char dataset[80];
  snprintf(dataset, sizeof dataset, "%s/offset", name);
  if (rows->handle >= 0 && offset != NULL)
    pc_record_describe(record, dataset, offset, NULL);
}

bool pc_rows_reserve(pc_rows *rows, int count)
{
  if (count <= rows->capacity)
    return true;
  rows->capacity = 0;
  pc_arena_free(&rows->memory);
  int capacity = count + count / 2 + 16;
  for (int c = 0; c < rows->columns; c++)
    rows->at[c] =
        pc_arena_take_raw(&rows->memory, (size_t)capacity * (size_t)rows->column[c].columns,
                          number_size(&rows->column[c]));
  if (!rows->memory.failed)
    rows->capacity = capacity;
  return !rows->memory.failed;
}

void *pc_rows_at(const pc_rows *rows, int column, int row)
{
  const pc_record_item *item = &rows->column[column];
  return (char *)rows->at[column] + (size_t)row * (size_t)item->columns * number_size(item);
}

pc_status pc_rows_append(const pc_rows *rows, pc_record *record, int count)
{
  return pc_record_append_ragged(record, rows->handle, count, (const void *const *)rows->at);
}

void pc_rows_free(pc_rows *rows)
{
  pc_arena_free(&rows->memory);
}
