// Asking for memory ahead of its time.
//
// Loops over arrays that no cache holds wait for them: processors look ahead by themselves, but not
// beyond a page of memory, and not far enough for what takes them hundreds of nanoseconds.
#ifndef PERCUSS_CORE_PREFETCH_H
#define PERCUSS_CORE_PREFETCH_H

#include <stddef.h>

// The lines of `bytes` from `at`, into the second cache. They need not exist.
static inline void pc_prefetch(const void *at, size_t bytes)
{
  for (size_t i = 0; i < bytes; i += 64)
    __builtin_prefetch((const char *)at + i, 0, 2);
}

#endif
