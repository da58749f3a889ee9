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
#include "core/file.h"
#include "record/csv.h"

struct pc_replace {
  char *path, *temporary;
  FILE *old;   // what is there already, as long as the new one is the same
  size_t same; // bytes of it
  FILE *file;  // otherwise
  int error;   // errno of the first failure
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
  else if (!S_ISREG(there.st_mode))
    return pc_fail(error, PC_ERROR_IO, "%s: not a regular file", path);
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

static FILE *open_old(const char *path)
{
  struct stat there;
  return stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "rb") : NULL;
}

static bool open_new(pc_replace *file)
{
  file->file = fopen(file->temporary, "wb");
  if (file->file == NULL)
    file->error = errno;
  return file->file != NULL;
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
  if (check_free(path, false, error) != PC_OK) { // renaming would replace a device
    release(file);
    return NULL;
  }
  file->old = open_old(path);
  if (file->old == NULL && !open_new(file)) {
    pc_fail(error, PC_ERROR_IO, "%s: %s", file->temporary, strerror(file->error));
    release(file);
    return NULL;
  }
  return file;
}

static void write_new(pc_replace *file, const void *data, size_t size)
{
  errno = 0;
  if (file->error == 0 && size > 0 && fwrite(data, 1, size, file->file) != size)
    file->error = errno != 0 ? errno : EIO;
}

// Does the old one go on with these bytes?
static bool goes_on(FILE *old, const void *data, size_t size)
{
  char there[4096];
  for (const char *at = data; size > 0;) {
    size_t part = size < sizeof there ? size : sizeof there;
    if (fread(there, 1, part, old) != part || memcmp(there, at, part) != 0)
      return false;
    at += part;
    size -= part;
  }
  return true;
}

// From here on they differ: what was the same so far is the beginning of the new one.
static void part_ways(pc_replace *file)
{
  char part[4096];
  rewind(file->old);
  if (!open_new(file))
    file->same = 0;
  while (file->same > 0 && file->error == 0) {
    size_t size = file->same < sizeof part ? file->same : sizeof part;
    if (fread(part, 1, size, file->old) != size)
      file->error = EIO;
    write_new(file, part, size);
    file->same -= size;
  }
  fclose(file->old);
  file->old = NULL;
}

void pc_replace_write(pc_replace *file, const void *data, size_t size)
{
  if (file->old != NULL && goes_on(file->old, data, size)) {
    file->same += size;
    return;
  }
  if (file->old != NULL)
    part_ways(file);
  write_new(file, data, size);
}

void pc_replace_print(pc_replace *file, const char *format, ...)
{
  char text[512], *longer = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof text && (longer = malloc((size_t)length + 1)) != NULL) {
    va_start(arguments, format);
    vsnprintf(longer, (size_t)length + 1, format, arguments);
    va_end(arguments);
  }
  if (length < (int)sizeof text || longer != NULL)
    pc_replace_write(file, longer != NULL ? longer : text, (size_t)(length > 0 ? length : 0));
  else if (file->error == 0)
    file->error = ENOMEM;
  free(longer);
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
  if (file->old != NULL && fgetc(file->old) != EOF)
    part_ways(file);
  if (file->old != NULL) { // all the same: it only becomes younger
    fclose(file->old);
    (void)utimensat(AT_FDCWD, file->path, NULL, 0);
    return;
  }
  if (file->file == NULL)
    return;
  if (file->error == 0 && fflush(file->file) != 0)
    file->error = errno;
  if (file->error == 0 && !pc_file_sync(fileno(file->file)))
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

void pc_replace_number(pc_replace *file, double value, char after)
{
  char text[PC_CSV_NUMBER + 1];
  int length = pc_csv_number(value, text);
  text[length++] = after;
  pc_replace_write(file, text, (size_t)length);
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

// Bytes of the character at `s`, 0 if XML does not allow it.
static size_t xml_character(const unsigned char *s, size_t left)
{
  if (*s < 0x80)
    return *s >= 0x20 && *s != 0x7f;
  size_t count = *s >= 0xf0 && *s < 0xf5 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
  if (*s >= 0xf5 || count > left)
    return 0;
  for (size_t k = 1; k < count; k++)
    if ((s[k] & 0xc0) != 0x80)
      return 0;
  bool overlong = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
  bool surrogate = *s == 0xed && s[1] >= 0xa0, beyond = *s == 0xf4 && s[1] >= 0x90;
  bool none = *s == 0xef && s[1] == 0xbf && s[2] >= 0xbe; // U+FFFE, U+FFFF
  return overlong || surrogate || beyond || none ? 0 : count;
}

void pc_replace_xml(pc_replace *file, const char *text, size_t length)
{
  for (size_t k = 0, count; k<length; k += count> 0 ? count : 1) {
    count = xml_character((const unsigned char *)text + k, length - k);
    char c = text[k];
    const char *safe = c == '\t'    ? "&#9;"
                       : c == '\n'  ? "&#10;"
                       : count == 0 ? "?"
                       : c == '&'   ? "&amp;"
                       : c == '<'   ? "&lt;"
                       : c == '>'   ? "&gt;"
                       : c == '"'   ? "&quot;"
                                    : NULL;
    pc_replace_write(file, safe != NULL ? safe : text + k, safe != NULL ? strlen(safe) : count);
  }
}

pc_status pc_replace_end(pc_replace *file, pc_error *error)
{
  finish(file);
  const char *where = file->file == NULL ? file->temporary : file->path; // could not be opened
  pc_status status = file->error == 0
                         ? PC_OK
                         : pc_fail(error, PC_ERROR_IO, "%s: %s", where, strerror(file->error));
  release(file);
  return status;
}

void pc_replace_discard(pc_replace *file)
{
  if (file->old != NULL)
    fclose(file->old);
  if (file->file != NULL) {
    fclose(file->file);
    unlink(file->temporary);
  }
  release(file);
}
