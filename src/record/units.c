// The heads of tables, and the table of the units of their columns.
#include "record/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

// The files of many runs have the table `runs` first, an export the table `bodies`.
#define HEAD "table,column,unit\n"
const pc_own pc_units_own = {
    "a table of units",
    {{HEAD "run,time,s\n", NULL}, {HEAD "runs,run,\n", NULL}, {HEAD "bodies,frame,\n", NULL}}};

// The next column of a head, with its unit, and what follows; NULL after the last.
static const char *next_column(const char *head, char column[PC_CSV_NAME])
{
  size_t length = strcspn(head, ",");
  if (*head == 0)
    return NULL;
  snprintf(column, PC_CSV_NAME, "%.*s", (int)length, head);
  return head + length + (head[length] == ',');
}

void pc_csv_write_head(pc_replace *file, const char *head)
{
  char column[PC_CSV_NAME], name[PC_CSV_NAME];
  bool first = true;
  while ((head = next_column(head, column)) != NULL) {
    pc_replace_print(file, first ? "%s" : ",%s", pc_csv_name(column, name));
    first = false;
  }
  pc_replace_print(file, "\n");
}

pc_replace *pc_units_begin(const char *path, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, &pc_units_own, error);
  if (file != NULL)
    pc_replace_print(file, HEAD);
  return file;
}

void pc_units_add(pc_replace *file, const char *table, const char *column, const char *unit)
{
  char name[PC_CSV_NAME];
  pc_replace_print(file, "%s,%s,%s\n", table, pc_csv_name(column, name), unit != NULL ? unit : "");
}

void pc_units_add_head(pc_replace *file, const char *table, const char *head)
{
  char column[PC_CSV_NAME], unit[PC_CSV_NAME];
  while ((head = next_column(head, column)) != NULL) {
    size_t length = pc_csv_name_length(column), whole = strlen(column);
    int bytes = length < whole ? (int)(whole - length - 3) : 0; // of " [unit]"
    snprintf(unit, sizeof unit, "%.*s", bytes, column + length + (bytes > 0 ? 2 : 0));
    pc_units_add(file, table, column, unit);
  }
}

// A line of the table of units: table,column,unit.
static void take_unit(char *line, const char *table, int count, pc_csv_column *column)
{
  char *rest = NULL, *own = strtok_r(line, ",", &rest), *name = strtok_r(NULL, ",", &rest);
  if (name == NULL || strcmp(own, table) != 0)
    return;
  for (int c = 0; c < count; c++)
    if (pc_csv_is_name(name, column[c].name))
      snprintf(column[c].unit, PC_CSV_UNIT, "%s", rest != NULL ? rest : "");
}

pc_status pc_units_read(const char *path, const char *table, int count, pc_csv_column *column,
                        pc_error *error)
{
  for (int c = 0; c < count; c++)
    *column[c].unit = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL && errno == ENOENT)
    return PC_OK;
  char *line = NULL;
  size_t room = 0;
  while (file != NULL && getline(&line, &room, file) >= 0) {
    line[strcspn(line, "\n")] = 0;
    take_unit(line, table, count, column);
  }
  bool failed = file == NULL || ferror(file);
  int why = errno;
  free(line);
  if (file != NULL)
    fclose(file);
  return failed ? pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(why)) : PC_OK;
}
