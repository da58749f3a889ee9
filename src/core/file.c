#include "core/file.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

static bool begins_with(const char *path, const char *start)
{
  return strncmp(path, start, strlen(start)) == 0;
}

const char *pc_file_unreadable(const char *path)
{
  struct stat there;
  if (stat(path, &there) != 0 || S_ISREG(there.st_mode))
    return NULL;
  if (S_ISDIR(there.st_mode))
    return "it is a folder, not a file";
  bool handed = strcmp(path, "/dev/stdin") == 0 || begins_with(path, "/dev/fd/") ||
                begins_with(path, "/proc/self/fd/");
  if (S_ISFIFO(there.st_mode))
    return handed ? NULL : "it is a FIFO, not a plain file";
  if (S_ISSOCK(there.st_mode))
    return "it is a socket, not a file";
  return handed ? NULL : "it is a device, not a file";
}

bool pc_file_is_named(int file, const char *path)
{
  struct stat own, named;
  if (fstat(file, &own) != 0)
    return false;
  if (stat(path, &named) != 0) {
    errno = errno == ENOENT || errno == ENOTDIR ? ESTALE : errno;
    return false;
  }
  bool same = own.st_dev == named.st_dev && own.st_ino == named.st_ino;
  errno = same ? errno : ESTALE;
  return same;
}

const char *pc_file_reason(int error)
{
  return error == ESTALE ? "removed or replaced while it was being written" : strerror(error);
}
