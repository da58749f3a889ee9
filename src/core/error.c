#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/plain.h"

pc_status pc_fail(pc_error *error, pc_status status, const char *format, ...)
{
  if (error != NULL) {
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    pc_print_list(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return status;
}

pc_status pc_fail_null(pc_error *error, const char *what)
{
  return pc_fail(error, PC_ERROR_ARGUMENT, "%s must not be NULL", what);
}
