// Filling a pc_error in one line.
#ifndef PERCUSS_CORE_ERROR_H
#define PERCUSS_CORE_ERROR_H

#include "percuss/status.h"

// Writes status and text, if error is not NULL, and returns status: `return pc_fail(error,
// PC_ERROR_INPUT, "...", x);`
pc_status pc_fail(pc_error *error, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Refuses NULL where the caller has to pass something: `what` says what is missing.
pc_status pc_fail_null(pc_error *error, const char *what);

#endif
