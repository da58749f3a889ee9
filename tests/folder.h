// A folder for the files of a test, made before it and gone after it:
//
//     return cmocka_run_group_tests(tests, make_folder, remove_folder);
#ifndef PERCUSS_TESTS_FOLDER_H
#define PERCUSS_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static char folder[] = "/tmp/percuss-test-XXXXXX";

static inline int make_folder(void **state)
{
  return mkdtemp(folder) == NULL;
}

static inline int remove_folder(void **state)
{
  char command[60];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}

// The path of a file in it; the last eight stay as they are.
static inline const char *in_folder(const char *name)
{
  static char path[8][200];
  static int next;
  next = (next + 1) % 8;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static inline void write_file(const char *name, const char *text)
{
  FILE *file = fopen(in_folder(name), "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

// What is in a file, zero at its end; freed by the caller.
static inline char *text_of(const char *path)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

#endif
