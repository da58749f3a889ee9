// Checks of files to be read or being written.
#ifndef PERCUSS_CORE_FILE_H
#define PERCUSS_CORE_FILE_H

#include <stdbool.h>

// Why a path must not be opened: a folder, or a FIFO or device, which might block or never end.
// NULL: a plain file, or opening it will give the error. Pipes from a shell (/dev/stdin, /dev/fd/N)
// are accepted.
const char *pc_file_unreadable(const char *path);

// Whether `path` is still the name of the open file. If not, errno is ESTALE, or the reason why it
// cannot be found out.
bool pc_file_is_named(int file, const char *path);
// strerror for a failed write, with a text for ESTALE.
const char *pc_file_reason(int error);

#endif
