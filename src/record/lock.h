// Locks that belong to an open file and end with the process, however it ends.
#ifndef PERCUSS_RECORD_LOCK_H
#define PERCUSS_RECORD_LOCK_H

#include <stdbool.h>

#include "percuss/status.h"

// Takes the lock, for one writer or for many readers; true if another has it. Where there are no
// locks nobody has.
bool pc_lock_is_taken(int file, bool for_writing);
// Asks without taking it: is somebody writing?
bool pc_lock_is_written(int file);
// PC_ERROR_IO if another is writing the file of this name now.
pc_status pc_lock_check_free(const char *path, pc_error *error);
pc_status pc_lock_refuse(const char *path, pc_error *error); // says that it is so

// A lock for what is more than one file, under a name of its own: a file that is there as long as
// it is held. -1 if there is none, because the folder cannot be written; PC_ERROR_IO if another
// holds it.
pc_status pc_lock_hold(const char *path, int *file, pc_error *error);
// PC_ERROR_IO if the file was removed or replaced: others may hold the name now.
pc_status pc_lock_check(const char *path, int file, pc_error *error);
void pc_lock_release(const char *path, int file);

#endif
