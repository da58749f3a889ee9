// Files and their names: checks before and while they are used, and transfers of whole blocks.
#ifndef PERCUSS_CORE_FILE_H
#define PERCUSS_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Why a path must not be opened: a folder, or a FIFO or device, which might block or never end.
// NULL: a plain file, or opening it will give the error. Pipes from a shell (/dev/stdin, /dev/fd/N)
// are accepted.
const char *pc_file_unreadable(const char *path);

// Opens a file to write to it, with these flags of open(2). Follows no link, opens nothing but a
// regular file, and none that has other names (hard links), because what they name would change
// too. Never waits. -1: errno says why not, and pc_file_reason has the text.
int pc_file_open(const char *path, int flags);
// 0 if nothing or a regular file is at this path, otherwise an error number: a link is not
// followed.
int pc_file_obstacle(const char *path);

// Whether `path` is still the name of the open file. If not, errno is ESTALE, or the reason why it
// cannot be found out.
bool pc_file_is_named(int file, const char *path);
// strerror for a failed write, with texts for the errors of the functions above.
const char *pc_file_reason(int error);

// Transfers all bytes, also after interruptions and in several parts. False: errno says why.
bool pc_file_write(int file, const void *data, size_t size);
bool pc_file_write_at(int file, const void *data, size_t size, uint64_t address);
bool pc_file_read_at(int file, void *data, size_t size, uint64_t address);
// Waits until what was written is on the disk. File systems that cannot tell are no failure.
bool pc_file_sync(int file);

const char *pc_path_name(const char *path); // without the folders
bool pc_path_has_ending(const char *path, const char *ending);
size_t pc_path_stem(const char *path,
                    const char *ending); // length without the ending, if it has it

#endif
