#include "record/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/plain.h"
#include "record/csv.h"

enum { BUFFER = 1 << 13 };

struct pc_replace {
  char *path, *temporary;
  const pc_own *own;
  FILE *old;                   // the existing file, while the new one is identical
  uint64_t same;               // bytes of it
  int file;                    // otherwise; -1: not yet
  int error;                   // errno of the first failure
  uint64_t length;             // of what was written to the new one
  char head[PC_OWN_MARK_SIZE]; // the first bytes of it; in the file the mark stands for them
  size_t waiting;              // bytes in the buffer
  char buffer[BUFFER];
};

static void release(pc_replace *file)
{
  free(file->path);
  free(file->temporary);
  free(file);
}

pc_status pc_replace_check(const char *path, const pc_own *own, pc_error *error)
{
  char temporary[4096];
  pc_status status = pc_own_check(path, own, PC_OWN_WHOLE, error);
  if (status != PC_OK ||
      snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
    return status;
  return pc_own_check(temporary, own, PC_OWN_UNDER_WAY, error);
}

static void write_out(pc_replace *file)
{
  if (file->error == 0 && file->waiting > 0 &&
      !pc_file_write(file->file, file->buffer, file->waiting))
    file->error = errno;
  file->waiting = 0;
}

static void put(pc_replace *file, const char *data, size_t size)
{
  while (size > 0 && file->error == 0) {
    size_t room = BUFFER - file->waiting, now = size < room ? size : room;
    memcpy(file->buffer + file->waiting, data, now);
    file->waiting += now;
    data += now;
    size -= now;
    if (file->waiting == BUFFER)
      write_out(file);
  }
}

static bool open_new(pc_replace *file)
{
  file->file = pc_own_create(file->temporary, file->own, PC_OWN_UNDER_WAY);
  if (file->file < 0)
    file->error = errno;
  else
    put(file, PC_OWN_MARK, PC_OWN_MARK_SIZE);
  return file->file >= 0;
}

pc_replace *pc_replace_begin(const char *path, const pc_own *own, pc_error *error)
{
  pc_replace *file = calloc(1, sizeof *file);
  size_t size = strlen(path) + 5;
  if (file != NULL) {
    file->own = own;
    file->file = -1;
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
  if (pc_own_check(path, own, PC_OWN_WHOLE, error) != PC_OK) {
    release(file);
    return NULL;
  }
  file->old = fopen(path, "rb");
  if (file->old == NULL && !open_new(file)) {
    pc_own_refuse(file->temporary, own, file->error, error);
    release(file);
    return NULL;
  }
  return file;
}

static void write_new(pc_replace *file, const char *data, size_t size)
{
  if (file->length < PC_OWN_MARK_SIZE) {
    size_t room = PC_OWN_MARK_SIZE - (size_t)file->length, now = size < room ? size : room;
    memcpy(file->head + file->length, data, now);
    file->length += now;
    data += now;
    size -= now;
  }
  file->length += size;
  put(file, data, size);
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
    size_t size = file->same < sizeof part ? (size_t)file->same : sizeof part;
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
  if (file->error == 0)
    write_new(file, data, size);
}

void pc_replace_print(pc_replace *file, const char *format, ...)
{
  char text[512], *longer = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = pc_print_list(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length >= (int)sizeof text && (longer = malloc((size_t)length + 1)) != NULL) {
    va_start(arguments, format);
    pc_print_list(longer, (size_t)length + 1, format, arguments);
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

// The file's own first bytes take the place of the mark.
static bool unmark(const pc_replace *file)
{
  size_t size = file->length < PC_OWN_MARK_SIZE ? (size_t)file->length : PC_OWN_MARK_SIZE;
  return pc_file_write_at(file->file, file->head, size, 0) &&
         (size == PC_OWN_MARK_SIZE || ftruncate(file->file, (off_t)size) == 0);
}

static void finish(pc_replace *file)
{
  if (file->old != NULL && fgetc(file->old) != EOF)
    part_ways(file);
  if (file->old != NULL) { // all the same: it only becomes younger
    fclose(file->old);
    (void)utimensat(AT_FDCWD, file->path, NULL, AT_SYMLINK_NOFOLLOW);
    return;
  }
  if (file->file < 0)
    return;
  write_out(file);
  if (file->error == 0 && (!unmark(file) || !pc_file_sync(file->file) ||
                           !pc_file_is_named(file->file, file->temporary)))
    file->error = errno;
  if (close(file->file) != 0 && errno != EINTR && file->error == 0)
    file->error = errno;
  if (file->error == 0 && rename(file->temporary, file->path) != 0)
    file->error = errno;
  if (file->error == 0)
    sync_folder(file->path);
  else if (file->error != ESTALE)
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
  size_t length = strlen(text);
  bool blank = length > 0 && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
  if (!blank && strpbrk(text, ",\"\r\n") == NULL) {
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
                       : c == '\r'  ? "&#13;"
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
  const char *where = file->file < 0 ? file->temporary : file->path; // could not be opened
  pc_status status = file->error == 0 ? PC_OK : pc_own_refuse(where, file->own, file->error, error);
  release(file);
  return status;
}

void pc_replace_discard(pc_replace *file)
{
  if (file->old != NULL)
    fclose(file->old);
  if (file->file >= 0) {
    if (pc_file_is_named(file->file, file->temporary))
      unlink(file->temporary);
    close(file->file);
  }
  release(file);
}
