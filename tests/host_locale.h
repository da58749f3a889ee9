// The locale that a test runs in, PERCUSS_TEST_LOCALE: the library meets it, the test itself does
// not. What tests write and read has a decimal point, so the functions of the C library that follow
// the locale are others here.
#ifndef PERCUSS_TESTS_HOST_LOCALE_H
#define PERCUSS_TESTS_HOST_LOCALE_H

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/plain.h"

// Set before main, as by a host program.
__attribute__((constructor)) static void set_test_locale(void)
{
  const char *name = getenv("PERCUSS_TEST_LOCALE");
  if (name == NULL || setlocale(LC_ALL, name) != NULL)
    return;
  fprintf(stderr, "there is no locale %s in LOCPATH\n", name);
  exit(1);
}

__attribute__((format(printf, 2, 3))) static inline int test_print(FILE *file, const char *format,
                                                                   ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = pc_print_list(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = malloc((size_t)length + 1);
  if (text == NULL)
    abort();
  va_start(arguments, format);
  pc_print_list(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  int result = fputs(text, file) < 0 ? -1 : length;
  free(text);
  return result;
}

__attribute__((format(scanf, 2, 3))) static inline int test_scan(const char *text,
                                                                 const char *format, ...)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  uselocale(before);
  freelocale(plain);
  return count;
}

__attribute__((format(scanf, 2, 3))) static inline int test_scan_file(FILE *file,
                                                                      const char *format, ...)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
  va_list arguments;
  va_start(arguments, format);
  int count = vfscanf(file, format, arguments);
  va_end(arguments);
  uselocale(before);
  freelocale(plain);
  return count;
}

#undef snprintf
#undef vsnprintf
#undef fprintf
#undef sscanf
#undef fscanf
#undef strtod
#undef atof
#define snprintf(...) pc_print(__VA_ARGS__)
#define vsnprintf(...) pc_print_list(__VA_ARGS__)
#define fprintf(...) test_print(__VA_ARGS__)
#define sscanf(...) test_scan(__VA_ARGS__)
#define fscanf(...) test_scan_file(__VA_ARGS__)
#define strtod(...) pc_read_double(__VA_ARGS__)
#define atof(text) pc_read_double(text, NULL)

#endif
