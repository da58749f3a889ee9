// For tests that read records whose last write was torn in two: HDF5 keeps some memory when a table
// that it reads is damaged, and LeakSanitizer is told. To be included in one file of a test.
#ifndef PERCUSS_TESTS_TORN_H
#define PERCUSS_TESTS_TORN_H

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

#endif
