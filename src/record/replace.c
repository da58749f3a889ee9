#include "record/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

struct pc_replace {
  char *path, *temporary;
  FILE *file;
  int error; // errno of the first failure
};

static void release(pc_replace *file)
{
  free(file->path);
  free(file->temporary);
  free(file);
}

static pc_status check_free(const char *path, bool in_place, pc_error *error)
{
  struct stat there;
  int reason = 0;
  if (stat(path, &there) != 0)
    reason = errno == ENOENT ? 0 : errno;
  else if (S_ISDIR(there.st_mode))
    reason = EISDIR;
  else if (in_place && access(path, W_OK) != 0)
    reason = errno;
  return reason == 0 ? PC_OK : pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(reason));
}

pc_status pc_replace_check(const char *path, bool in_place, pc_error *error)
{
  char temporary[4096];
  pc_status status = check_free(path, in_place, error);
  if (in_place || status != PC_OK ||
      snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
    return status;
  return check_free(temporary, false, error);
}

pc_replace *pc_replace_begin(const char *path, pc_error *error)
{
  pc_replace *file = calloc(1, sizeof *file);
  size_t size = strlen(path) + 5;
  if (file != NULL) {
    file->path = strdup(path);
    file->temporary = malloc(size);
  }
  if (file == NULL || file->path == NULL || file->temporary == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    if (file != NULL)
      release(file);
    return NULL;
  }
  snprintf(file->temporary, size, "%s.tmp", path);
  file->file = fopen(file->temporary, "wb");
  if (file->file == NULL) {
    pc_fail(error, PC_ERROR_IO, "%s: %s", file->temporary, strerror(errno));
    release(file);
    return NULL;
  }
  return file;
}

void pc_replace_write(pc_replace *file, const void *data, size_t size)
{
  errno = 0;
  if (file->error == 0 && size > 0 && fwrite(data, 1, size, file->file) != size)
    file->error = errno != 0 ? errno : EIO;
}

void pc_replace_print(pc_replace *file, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  errno = 0;
  if (file->error == 0 && vfprintf(file->file, format, arguments) < 0)
    file->error = errno != 0 ? errno : EIO;
  va_end(arguments);
}

// The new name is on the disk when its folder is. What cannot be flushed is not held against it.
static void sync_folder(char *path)
{
  char *slash = strrchr(path, '/');
  char end = slash != NULL ? slash[1] : 0;
  if (slash != NULL)
    slash[1] = 0; // "folder/"
  int folder = open(slash != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (slash != NULL)
    slash[1] = end;
  if (folder >= 0) {
    (void)fsync(folder);
    close(folder);
  }
}

static void finish(pc_replace *file)
{
  if (file->error == 0 && fflush(file->file) != 0)
    file->error = errno;
  if (file->error == 0 && fsync(fileno(file->file)) != 0 && errno != EINVAL && errno != ENOTSUP)
    file->error = errno;
  if (fclose(file->file) != 0 && file->error == 0)
    file->error = errno;
  if (file->error == 0 && rename(file->temporary, file->path) != 0)
    file->error = errno;
  if (file->error == 0)
    sync_folder(file->path);
  else
    unlink(file->temporary);
}

void pc_replace_text(pc_replace *file, const char *text)
{
  if (strpbrk(text, ",\"\n") == NULL) {
    pc_replace_print(file, "%s", text);
    return;
  }
  pc_replace_print(file, "\"");
  for (; *text != 0; text++)
    pc_replace_print(file, *text == '"' ? "\"\"" : "%c", *text);
  pc_replace_print(file, "\"");
}

pc_status pc_replace_end(pc_replace *file, pc_error *error)
{
  finish(file);
  pc_status status = file->error == 0
                         ? PC_OK
                         : pc_fail(error, PC_ERROR_IO, "%s: %s", file->path, strerror(file->error));
  release(file);
  return status;
}
