// Prefetching.
//
// Loops over arrays that fit in no cache wait for memory. Processors prefetch by themselves, but
// not across pages and not far enough ahead to hide hundreds of nanoseconds.
#ifndef PERCUSS_CORE_PREFETCH_H
#define PERCUSS_CORE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

// Prefetches element `place` of an array with elements of `size` bytes into the second-level cache.
// It need not exist, so no pointer is made to it.
static inline void pc_prefetch(const void *array, long place, size_t size)
{
  uintptr_t at = (uintptr_t)array + (uintptr_t)place * size;
  for (size_t i = 0; i < size; i += 64)
    __builtin_prefetch((const void *)(at + i), 0, 2);
}

#endif
