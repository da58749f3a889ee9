#include "record/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"

enum { LOOKED = 1 << 16, TRIES = 100 };

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// Whether the text begins so, or is cut within it.
static bool begins_with(const char *text, size_t size, const char *begins)
{
  size_t at = 0;
  for (; *begins != 0 && at < size; begins++) {
    if (*begins == *PC_OWN_DIGITS) {
      if (!is_digit(text[at]))
        return false;
      while (at < size && is_digit(text[at]))
        at++;
    } else if (*begins != *PC_OWN_ANY && *begins != text[at]) {
      return false;
    } else {
      at++;
    }
  }
  return true;
}

static bool has_text(const char *text, size_t size, const char *wanted)
{
  size_t length = strlen(wanted);
  for (size_t at = 0; at + length <= size; at++)
    if (memcmp(text + at, wanted, length) == 0)
      return true;
  return false;
}

static bool is_of_kind(const pc_own *own, const char *text, size_t size)
{
  for (int i = 0; i < PC_OWN_SIGNS; i++) {
    const char *begins = own->sign[i].begins, *has = own->sign[i].has;
    if ((begins != NULL || has != NULL) && (begins == NULL || begins_with(text, size, begins)) &&
        (has == NULL || has_text(text, size, has) || (begins != NULL && size <= strlen(begins))))
      return true;
  }
  return false;
}

// The second half of the mark is enough: a kill may tear the write that puts the file's own first
// bytes in its place.
static bool is_marked(const char *text, size_t size)
{
  size_t half = PC_OWN_MARK_SIZE / 2;
  if (size < PC_OWN_MARK_SIZE)
    return memcmp(text, PC_OWN_MARK, size) == 0;
  return memcmp(text + half, &PC_OWN_MARK[half], PC_OWN_MARK_SIZE - half) == 0;
}

// 0: the path is free; -1: it has a file of the kind; otherwise an error number, EEXIST where it is
// another's. `busy` is set if somebody is writing it.
static int look(const char *path, const pc_own *own, pc_own_state state, bool *busy)
{
  int why = pc_file_obstacle(path);
  *busy = false;
  if (why != 0)
    return why;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT ? 0 : errno;
  struct stat there;
  char *text = NULL;
  if (fstat(file, &there) != 0) {
    why = errno;
  } else {
    size_t size = there.st_size < LOOKED ? (size_t)there.st_size : LOOKED;
    text = malloc(size + 1);
    if (text == NULL || !pc_file_read_at(file, text, size, 0))
      why = text == NULL ? ENOMEM : errno;
    else if (size == 0 || is_of_kind(own, text, size) ||
             (state == PC_OWN_UNDER_WAY && is_marked(text, size)))
      why = -1;
    else
      why = EEXIST;
  }
  *busy = pc_lock_is_written(file);
  free(text);
  close(file);
  return why;
}

pc_status pc_own_refuse(const char *path, const pc_own *own, int why, pc_error *error)
{
  if (why == EEXIST)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s exists and is not %s; move it, or choose another output", path, own->what);
  if (why == EBUSY)
    return pc_lock_refuse(path, error);
  if (why == ENOMEM)
    return pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
  return pc_fail(error, PC_ERROR_IO, "%s: %s", path, pc_file_reason(why));
}

pc_status pc_own_check(const char *path, const pc_own *own, pc_own_state state, pc_error *error)
{
  bool busy;
  int why = look(path, own, state, &busy);
  return why <= 0 ? PC_OK : pc_own_refuse(path, own, why, error);
}

int pc_own_create(const char *path, const pc_own *own, pc_own_state state)
{
  for (int i = 0; i < TRIES; i++) {
    bool busy;
    int why = look(path, own, state, &busy);
    if (why > 0 || busy) {
      errno = why > 0 && why != EEXIST ? why : busy ? EBUSY : why;
      return -1;
    }
    if (why < 0 && unlink(path) != 0 && errno != ENOENT)
      return -1;
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST)
      return -1;
    // Another process may have taken it for an old one before it was locked.
    if (file >= 0 && !pc_lock_is_taken(file, true) && pc_file_is_named(file, path))
      return file;
    if (file >= 0)
      close(file);
  }
  errno = EBUSY;
  return -1;
}

void pc_own_remove(const char *path, const pc_own *own)
{
  bool busy;
  if (look(path, own, PC_OWN_UNDER_WAY, &busy) < 0 && !busy)
    unlink(path);
}
