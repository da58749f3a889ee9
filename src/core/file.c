#define _XOPEN_SOURCE 700 // pread
#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int obstacle_of(const struct stat *there)
{
  return S_ISREG(there->st_mode)   ? 0
         : S_ISDIR(there->st_mode) ? EISDIR
         : S_ISLNK(there->st_mode) ? ELOOP
                                   : ENODEV;
}

int pc_file_obstacle(const char *path)
{
  struct stat there;
  if (lstat(path, &there) != 0)
    return errno == ENOENT ? 0 : errno;
  return obstacle_of(&there);
}

// What is there is looked at first, because opening a device may do something.
int pc_file_open(const char *path, int flags)
{
  struct stat there;
  int why = pc_file_obstacle(path);
  int file = why == 0 ? open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666) : -1;
  if (why == 0 && file < 0)
    why = errno;
  else if (why == 0 && fstat(file, &there) != 0)
    why = errno;
  else if (why == 0)
    why = there.st_nlink > 1 ? EMLINK : obstacle_of(&there);
  if (why == 0)
    return file;
  if (file >= 0)
    close(file);
  errno = why;
  return -1;
}

bool pc_file_is_named(int file, const char *path)
{
  struct stat own, named;
  if (fstat(file, &own) != 0)
    return false;
  if (lstat(path, &named) != 0) {
    errno = errno == ENOENT || errno == ENOTDIR ? ESTALE : errno;
    return false;
  }
  bool same = own.st_dev == named.st_dev && own.st_ino == named.st_ino;
  errno = same ? errno : ESTALE;
  return same;
}

const char *pc_file_reason(int error)
{
  return error == ESTALE   ? "removed or replaced while it was being written"
         : error == ELOOP  ? "it is a symbolic link"
         : error == EMLINK ? "it has another hard link, whose file would change too"
         : error == ENODEV ? "not a regular file"
                           : strerror(error);
}

typedef enum transfer { WRITE, WRITE_AT, READ_AT } transfer;

static bool transfer_all(transfer how, int file, char *data, size_t size, uint64_t address)
{
  while (size > 0) {
    ssize_t count = how == WRITE      ? write(file, data, size)
                    : how == WRITE_AT ? pwrite(file, data, size, (off_t)address)
                                      : pread(file, data, size, (off_t)address);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    if (count == 0) {
      errno = how == READ_AT ? EIO : ENOSPC;
      return false;
    }
    data += count;
    address += (uint64_t)count;
    size -= (size_t)count;
  }
  return true;
}

bool pc_file_write(int file, const void *data, size_t size)
{
  return transfer_all(WRITE, file, (char *)(uintptr_t)data, size, 0);
}

bool pc_file_write_at(int file, const void *data, size_t size, uint64_t address)
{
  return transfer_all(WRITE_AT, file, (char *)(uintptr_t)data, size, address);
}

bool pc_file_read_at(int file, void *data, size_t size, uint64_t address)
{
  return transfer_all(READ_AT, file, data, size, address);
}

bool pc_file_sync(int file)
{
  return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP;
}

const char *pc_path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

size_t pc_path_stem(const char *path, const char *ending)
{
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcmp(path + length - end, ending) == 0 ? length - end : length;
}

bool pc_path_has_ending(const char *path, const char *ending)
{
  return pc_path_stem(path, ending) < strlen(path);
}
