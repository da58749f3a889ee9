// A file that is always whole: written beside as PATH.tmp, flushed to the disk, renamed.
#ifndef PERCUSS_RECORD_REPLACE_H
#define PERCUSS_RECORD_REPLACE_H

#include <stddef.h>

#include "percuss/status.h"

typedef struct pc_replace pc_replace;

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
