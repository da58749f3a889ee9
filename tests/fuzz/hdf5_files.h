// What targets that read HDF5 files have in common. HDF5 itself, when a file is damaged, asks for
// any amount of memory, is told that there is none, and forgets small pieces: neither can be mended
// here. What the readers open they must close.
#ifndef PERCUSS_TESTS_FUZZ_HDF5_FILES_H
#define PERCUSS_TESTS_FUZZ_HDF5_FILES_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "allocator_may_return_null=1:max_allocation_size_mb=1024";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libhdf5\n";
}

// HDF5 keeps what it frees for itself, without limit: half a megabyte for each file that it opens
// is slow to get.
static inline void fuzz_keep_memory(void)
{
  static bool done;
  if (!done)
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
  done = true;
}

static inline void fuzz_all_closed(void)
{
  if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0)
    return;
  fprintf(stderr, "something of the file is still open\n");
  abort();
}

#endif
