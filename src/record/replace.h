// A file that is always complete: written as PATH.tmp, flushed to the disk, renamed. If the content
// has not changed, only the time of the file is updated. An older PATH or PATH.tmp is replaced if
// it is of the same kind (own.h).
#ifndef PERCUSS_RECORD_REPLACE_H
#define PERCUSS_RECORD_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"
#include "record/own.h"

typedef struct pc_replace pc_replace;

// Checks that PATH and PATH.tmp may be written, as pc_own_check does. Nothing is changed.
pc_status pc_replace_check(const char *path, const pc_own *own, pc_error *error);
pc_replace *pc_replace_begin(const char *path, const pc_own *own, pc_error *error);
// Writes to the file. The first failure is kept and reported at the end.
void pc_replace_write(pc_replace *file, const void *data, size_t size);
void pc_replace_print(pc_replace *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Writes the shortest text that reads back as the same number, and the character after it.
void pc_replace_number(pc_replace *file, double value, char after);
// Writes a cell of a table, in quotation marks if it contains commas, quotation marks or the
// end of a line, or has blanks around it.
void pc_replace_text(pc_replace *file, const char *text);
// Writes text inside XML: escaped, with a question mark for every byte that is part of no
// character.
void pc_replace_xml(pc_replace *file, const char *text, size_t length);
// Renames the file. After a failure the old file stays and the new one is removed. Frees the
// handle.
pc_status pc_replace_end(pc_replace *file, pc_error *error);
// Leaves the old file as it is, or none, and frees the handle.
void pc_replace_discard(pc_replace *file);

#endif
