// Reads columns of a table that pc_csv_create has made.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/plain.h"
#include "record/csv.h"

// Ends the first cell of a line at its comma and gives the rest; NULL: there is none.
static char *cut_cell(char *line)
{
  char *comma = strchr(line, ',');
  if (comma != NULL)
    *comma++ = 0;
  return comma;
}

// Finds the place of every column in the head, which is cut at its commas.
static pc_status find_columns(char *head, int count, const pc_csv_column *column, int *place,
                              const char *path, pc_error *error)
{
  for (int c = 0; c < count; c++)
    place[c] = -1;
  for (int at = 0; head != NULL; at++) {
    const char *cell = head;
    head = cut_cell(head);
    for (int c = 0; c < count; c++)
      if (place[c] < 0 && pc_csv_is_name(cell, column[c].name))
        place[c] = at;
  }
  for (int c = 0; c < count; c++)
    if (place[c] < 0)
      return pc_fail(error, PC_ERROR_INPUT, "%s has no column '%s'", path, column[c].name);
  return PC_OK;
}

// The numbers of a row at these places; false if it has fewer cells.
static bool read_row(char *line, int count, const int *place, double *value)
{
  int found = 0;
  for (int at = 0; line != NULL; at++) {
    const char *cell = line;
    line = cut_cell(line);
    for (int c = 0; c < count; c++)
      if (place[c] == at) {
        value[c] = pc_read_double(cell, NULL);
        found++;
      }
  }
  return found == count;
}

typedef PC_ARRAY(double) numbers;

static pc_status read_rows(FILE *file, const char *path, int count, pc_csv_column *column,
                           numbers *values, pc_error *error)
{
  int place[PC_CSV_COLUMNS];
  char *line = NULL;
  size_t room = 0;
  pc_status status = PC_OK;
  bool head = true;
  while (status == PC_OK && getline(&line, &room, file) >= 0) {
    line[strcspn(line, "\n")] = 0;
    if (head)
      status = find_columns(line, count, column, place, path, error);
    else if (!pc_array_reserve(values, values->count + count))
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    else if (read_row(line, count, place, values->at + values->count))
      values->count += count;
    else
      status = pc_fail(error, PC_ERROR_INPUT, "%s has a row with too few numbers", path);
    head = false;
  }
  free(line);
  if (status == PC_OK && ferror(file))
    return pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  return status == PC_OK && head ? pc_fail(error, PC_ERROR_INPUT, "%s is empty", path) : status;
}

pc_status pc_csv_read(const char *path, int count, pc_csv_column *column, double **values,
                      long *rows, pc_error *error)
{
  *values = NULL;
  *rows = 0;
  if (count < 1 || count > PC_CSV_COLUMNS)
    return pc_fail(error, PC_ERROR_ARGUMENT, "1 to %d columns are read at once", PC_CSV_COLUMNS);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  numbers list = {0};
  pc_status status = read_rows(file, path, count, column, &list, error);
  fclose(file);
  if (status != PC_OK) {
    pc_array_free(&list);
    return status;
  }
  *values = list.at;
  *rows = list.count / count;
  return PC_OK;
}
