// A file that is always whole: written beside as PATH.tmp, flushed to the disk, renamed. Where what
// is there is the same already, nothing is written; it only becomes younger.
#ifndef PERCUSS_RECORD_REPLACE_H
#define PERCUSS_RECORD_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

typedef struct pc_replace pc_replace;

// Whether something is in the way of PATH and PATH.tmp, or, of a file that is written in place,
// it may not be written. PC_ERROR_IO; nothing is changed.
pc_status pc_replace_check(const char *path, bool in_place, pc_error *error);
pc_replace *pc_replace_begin(const char *path, pc_error *error);
// The first failure is kept and reported at the end.
void pc_replace_write(pc_replace *file, const void *data, size_t size);
void pc_replace_print(pc_replace *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// A cell of a table: in quotation marks where commas or quotation marks are in it.
void pc_replace_text(pc_replace *file, const char *text);
// Puts it in place; after a failure the old file stays and the new one goes. Frees the handle.
pc_status pc_replace_end(pc_replace *file, pc_error *error);

#endif
