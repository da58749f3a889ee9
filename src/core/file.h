// What is in the place of a file, to be read or being written.
#ifndef PERCUSS_CORE_FILE_H
#define PERCUSS_CORE_FILE_H

#include <stdbool.h>

// Why it is not to be opened: a folder, or a FIFO or device, which might never answer or never end.
// NULL: a plain file, or one that opening has to say more about. Pipes that a shell hands over
// (/dev/stdin, /dev/fd/N) are as good as files.
const char *pc_file_unreadable(const char *path);

// Whether `path` is still the name of the open file. If not, errno is ESTALE, or says why nobody
// can tell.
bool pc_file_is_named(int file, const char *path);
// strerror of what failed while a file was written, with words for ESTALE.
const char *pc_file_reason(int error);

#endif
