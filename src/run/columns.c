#include "run/columns.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/plain.h"

void pc_columns_add(pc_columns *columns, pc_record_type type, const void *value, const char *unit,
                    const char *name, ...)
{
  pc_column *column = pc_array_add(&columns->list);
  columns->failed = columns->failed || column == NULL;
  if (column == NULL)
    return;
  *column = (pc_column){.unit = unit, .type = type, .value = value};
  va_list arguments;
  va_start(arguments, name);
  pc_print_list(column->name, sizeof column->name, name, arguments);
  va_end(arguments);
}

double pc_column_value(const pc_column *column)
{
  switch (column->type) {
  case PC_RECORD_INT:
    return *(const int32_t *)column->value;
  case PC_RECORD_LONG:
    return (double)*(const int64_t *)column->value;
  case PC_RECORD_BYTE:
    return *(const uint8_t *)column->value;
  default:
    return *(const double *)column->value;
  }
}
