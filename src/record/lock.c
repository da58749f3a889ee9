#define _GNU_SOURCE // locks that belong to the open file and not to the process
#include "record/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"

#ifdef F_OFD_SETLK
enum { TAKE = F_OFD_SETLK, ASK = F_OFD_GETLK };
#else
enum { TAKE = F_SETLK, ASK = F_GETLK };
#endif

// One byte far behind all data, so that HDF5's own locks (of other readers) are not concerned.
static struct flock lock_of(bool for_writing)
{
  return (struct flock){.l_type = for_writing ? F_WRLCK : F_RDLCK,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)1 << 60,
                        .l_len = 1};
}

bool pc_lock_is_taken(int file, bool for_writing)
{
  struct flock lock = lock_of(for_writing);
  return fcntl(file, TAKE, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
}

bool pc_lock_is_written(int file)
{
  struct flock lock = lock_of(false);
  return fcntl(file, ASK, &lock) == 0 && lock.l_type == F_WRLCK;
}

pc_status pc_lock_refuse(const char *path, pc_error *error)
{
  return pc_fail(error, PC_ERROR_IO, "%s: another run is writing this file", path);
}

pc_status pc_lock_check_free(const char *path, pc_error *error)
{
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool taken = file >= 0 && pc_lock_is_taken(file, false);
  if (file >= 0)
    close(file);
  return taken ? pc_lock_refuse(path, error) : PC_OK;
}

pc_status pc_lock_hold(const char *path, int *file, pc_error *error)
{
  enum { TRIES = 100 };
  *file = -1;
  for (int i = 0; i < TRIES; i++) {
    int own = pc_file_open(path, O_RDWR | O_CREAT);
    struct stat there;
    if (own < 0)
      return errno == EACCES || errno == EROFS || errno == EPERM
                 ? PC_OK
                 : pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(errno));
    if (fstat(own, &there) == 0 && there.st_size > 0) {
      close(own);
      return pc_fail(
          error, PC_ERROR_INPUT,
          "%s exists and is not a lock file of Percuss; move it, or choose another output", path);
    }
    bool taken = pc_lock_is_taken(own, true);
    // One that its last holder has just removed is not the one that others find under the name.
    if (!taken && pc_file_is_named(own, path)) {
      *file = own;
      return PC_OK;
    }
    close(own);
    if (taken)
      break;
  }
  return pc_fail(error, PC_ERROR_IO,
                 "%s is locked: another program is writing runs of this name, or "
                 "ending; wait for it",
                 path);
}

pc_status pc_lock_check(const char *path, int file, pc_error *error)
{
  return file < 0 || pc_file_is_named(file, path)
             ? PC_OK
             : pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(errno));
}

void pc_lock_release(const char *path, int file)
{
  if (file < 0)
    return;
  if (pc_file_is_named(file, path))
    unlink(path); // while it is held
  close(file);
}
