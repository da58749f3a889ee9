// Names of the columns of tables.
#include <string.h>

#include "record/csv.h"

size_t pc_csv_name_length(const char *name)
{
  const char *unit = strstr(name, " [");
  size_t length = strlen(name);
  return unit != NULL && name[length - 1] == ']' ? (size_t)(unit - name) : length;
}

// What a program may take for the end of a name, for an operator or for a comment.
static bool is_awkward(char c)
{
  return (unsigned char)c <= ' ' || strchr("[](){},;\"'`#|", c) != NULL;
}

const char *pc_csv_name(const char *name, char text[PC_CSV_NAME])
{
  size_t length = pc_csv_name_length(name), count = 0;
  for (size_t i = 0; i < length && count + 1 < PC_CSV_NAME; i++)
    if (!is_awkward(name[i]))
      text[count++] = name[i];
    else if (count > 0 && text[count - 1] != '_')
      text[count++] = '_';
  while (count > 1 && text[count - 1] == '_' && is_awkward(name[length - 1]))
    count--;
  text[count] = 0;
  return text;
}

bool pc_csv_is_name(const char *a, const char *b)
{
  char one[PC_CSV_NAME], other[PC_CSV_NAME];
  return strcmp(pc_csv_name(a, one), pc_csv_name(b, other)) == 0;
}
