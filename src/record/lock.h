// File locks. They belong to an open file and end with the process.
#ifndef PERCUSS_RECORD_LOCK_H
#define PERCUSS_RECORD_LOCK_H

#include <stdbool.h>

#include "percuss/status.h"

// Takes the lock, for one writer or many readers. True if another process has it. File systems
// without locks report no holder.
bool pc_lock_is_taken(int file, bool for_writing);
// Whether another process is writing the file.
bool pc_lock_is_written(int file);
// PC_ERROR_IO if another process is writing the file of this name.
pc_status pc_lock_check_free(const char *path, pc_error *error);
pc_status pc_lock_refuse(const char *path, pc_error *error); // fills that error

// A lock for a set of files: a lock file with a name of its own that exists while the lock is held.
// -1 if the folder cannot be written; PC_ERROR_IO if another process holds it.
pc_status pc_lock_hold(const char *path, int *file, pc_error *error);
// PC_ERROR_IO if the lock file was removed or replaced: another process may hold the lock.
pc_status pc_lock_check(const char *path, int file, pc_error *error);
void pc_lock_release(const char *path, int file);

#endif
