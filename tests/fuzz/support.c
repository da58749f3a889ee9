#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

static char path[64];

static void forget(void)
{
  unlink(path);
}

const char *fuzz_file(const uint8_t *data, size_t size, const char *ending)
{
  if (path[0] == 0)
    atexit(forget);
  else
    unlink(path);
  snprintf(path, sizeof path, "/dev/shm/percuss-fuzz-%d%s", (int)getpid(), ending);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(2);
  }
  return path;
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
