// Reads columns of a table that pc_csv_create has made.
#include <stdio.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/plain.h"
#include "record/csv.h"

// Finds the place of every column in the head.
static pc_status find_columns(pc_input_file *source, int count, const pc_csv_column *column,
                              int *place)
{
  const char *cell;
  for (int c = 0; c < count; c++)
    place[c] = -1;
  for (int at = 0; (cell = pc_input_word(source)) != NULL; at++)
    for (int c = 0; c < count; c++)
      if (place[c] < 0 && pc_csv_is_name(cell, column[c].name))
        place[c] = at;
  for (int c = 0; c < count; c++)
    if (place[c] < 0)
      return pc_input_fail_whole(source, "the table has no column '%s'", column[c].name);
  return PC_OK;
}

// The numbers of a row at these places; some may not be finite.
static pc_status read_row(pc_input_file *source, int count, const int *place, double *value)
{
  int found = 0;
  const char *cell;
  for (int at = 0; (cell = pc_input_word(source)) != NULL; at++)
    for (int c = 0; c < count; c++)
      if (place[c] == at) {
        char *end = NULL;
        bool number = pc_input_cell(source, false, &value[c]);
        if (!number)
          value[c] = pc_read_double(cell, &end);
        found += number || end != cell;
      }
  return found == count ? PC_OK : pc_input_fail(source, "a number is missing");
}

static pc_status read_rows(pc_input_file *source, int count, pc_csv_column *column, double **values,
                           long *rows)
{
  int place[PC_CSV_COLUMNS];
  PC_ARRAY(double) list = {0};
  if (!pc_input_line(source))
    return pc_input_fail_whole(source, "the file is empty");
  pc_input_separate(source, 0);
  pc_status status = find_columns(source, count, column, place);
  while (status == PC_OK && pc_input_line(source)) {
    if (!pc_array_reserve(&list, list.count + count))
      status = pc_input_out_of_memory(source);
    else
      status = read_row(source, count, place, list.at + list.count);
    list.count += count;
  }
  if (status != PC_OK) {
    pc_array_free(&list);
    return status;
  }
  *values = list.at;
  *rows = list.count / count;
  return PC_OK;
}

pc_status pc_csv_read(const char *path, int count, pc_csv_column *column, double **values,
                      long *rows, pc_error *error)
{
  *values = NULL;
  *rows = 0;
  if (count < 1 || count > PC_CSV_COLUMNS)
    return pc_fail(error, PC_ERROR_ARGUMENT, "1 to %d columns can be read at once", PC_CSV_COLUMNS);
  pc_input_file source;
  pc_status status = pc_input_open(&source, path, error);
  if (status == PC_OK)
    status = read_rows(&source, count, column, values, rows);
  pc_input_close(&source);
  return status;
}
