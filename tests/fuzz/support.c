#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

typedef struct bytes {
  const uint8_t *data;
  size_t size;
} bytes;

static const char *own_name; // NULL: fopen is as ever
static bytes own, others;

const char *fuzz_whole_file(const char *name, const uint8_t *data, size_t size)
{
  own_name = name;
  own = (bytes){data, size};
  others = (bytes){0};
  return name;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
  fuzz_whole_file(name, data, size);
  const uint8_t *end = size > 0 ? memchr(data, '\f', size) : NULL;
  if (end != NULL) {
    own.size = (size_t)(end - data);
    others = (bytes){end + 1, size - own.size - 1};
  }
  return name;
}

// The linker sends all calls of fopen here (--wrap=fopen), also those of libFuzzer, which writes.
FILE *__real_fopen(const char *name, const char *mode);
FILE *__wrap_fopen(const char *name, const char *mode);

FILE *__wrap_fopen(const char *name, const char *mode)
{
  if (own_name == NULL || mode[0] != 'r')
    return __real_fopen(name, mode);
  const bytes *file = strcmp(name, own_name) == 0 ? &own : &others;
  if (file->data != NULL)
    return fmemopen((void *)(uintptr_t)file->data, file->size, "r");
  errno = ENOENT;
  return NULL;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  if (text == NULL)
    exit(2);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = 0;
  return text;
}

static char path[64];

static void forget(void)
{
  unlink(path);
}

const char *fuzz_real_file(const uint8_t *data, size_t size)
{
  static int file = -1;
  if (file < 0) {
    snprintf(path, sizeof path, "/dev/shm/percuss-fuzz-%d", (int)getpid());
    file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    atexit(forget);
  }
  if (file < 0 || pwrite(file, data, size, 0) != (ssize_t)size ||
      ftruncate(file, (off_t)size) != 0) {
    perror(path);
    exit(2);
  }
  return path;
}
