// For tests that read records whose last write was torn in two: HDF5 keeps some memory when a table
// that it reads is damaged. LeakSanitizer is told, and HDF5 does not try to give it back at exit,
// which it cannot and complains about. To be included in one file of a test.
#ifndef PERCUSS_TESTS_TORN_H
#define PERCUSS_TESTS_TORN_H

#include <hdf5.h>

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

__attribute__((constructor)) static void leave_hdf5_open(void)
{
  H5dont_atexit();
}

#endif
