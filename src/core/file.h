// What is in the place of a file to be read.
#ifndef PERCUSS_CORE_FILE_H
#define PERCUSS_CORE_FILE_H

// Why it is not to be opened: a folder, or a FIFO or device, which might never answer or never end.
// NULL: a plain file, or one that opening has to say more about. Pipes that a shell hands over
// (/dev/stdin, /dev/fd/N) are as good as files.
const char *pc_file_unreadable(const char *path);

#endif
