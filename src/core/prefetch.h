// Asking for memory ahead of its time.
//
// Loops over arrays that no cache holds wait for them: processors look ahead by themselves, but not
// beyond a page of memory, and not far enough for what takes them hundreds of nanoseconds.
#ifndef PERCUSS_CORE_PREFETCH_H
#define PERCUSS_CORE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

// Element `place` of an array with elements of `size` bytes, into the second cache: a line for
// every 64 bytes of it. It need not exist, so no pointer is made to it.
static inline void pc_prefetch(const void *array, long place, size_t size)
{
  uintptr_t at = (uintptr_t)array + (uintptr_t)place * size;
  for (size_t i = 0; i < size; i += 64)
    __builtin_prefetch((const void *)(at + i), 0, 2);
}

#endif
