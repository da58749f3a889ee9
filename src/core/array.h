// A growable array: the pointer, how many elements are in use, and how many fit. The element type
// is kept, so `loads.at[i]` is typed and a debugger shows it. A zeroed struct is an empty array.
//
//   typedef PC_ARRAY(pc_load) pc_load_array;
//   pc_load *load = pc_array_add(&loads);        // a zeroed element at the end, or NULL
//   if (!pc_array_reserve(&loads, need)) ...     // room for `need` elements, contents kept
//   pc_array_free(&loads);
#ifndef PERCUSS_CORE_ARRAY_H
#define PERCUSS_CORE_ARRAY_H

#include <stdlib.h>

#include "core/memory.h"

#define PC_ARRAY(type)                                                                             \
  struct {                                                                                         \
    type *at;                                                                                      \
    int count, capacity;                                                                           \
  }

// Each of these gives false, with the array as it was, when memory is out or `need` has overflowed.
// `reserve` keeps the contents, `reserve_aligned` also starts at a cache line, and
// `reserve_scratch` loses the contents, which saves the copy.
#define pc_array_reserve(array, need)                                                              \
  pc_grow(&(array)->at, &(array)->capacity, need, sizeof *(array)->at)
#define pc_array_reserve_aligned(array, need)                                                      \
  pc_grow_aligned(&(array)->at, &(array)->capacity, need, sizeof *(array)->at)
#define pc_array_reserve_scratch(array, need)                                                      \
  pc_grow_anew(&(array)->at, &(array)->capacity, need, sizeof *(array)->at)

// A new zeroed element at the end, or NULL when memory is out.
#define pc_array_add(array)                                                                        \
  pc_array_add_element(&(array)->at, &(array)->count, &(array)->capacity, sizeof *(array)->at)
void *pc_array_add_element(void *at, int *count, int *capacity, size_t size);

// Gives the memory back and leaves an empty array.
#define pc_array_free(array)                                                                       \
  (pc_release((array)->at, (size_t)(array)->capacity * sizeof *(array)->at), (array)->at = NULL,   \
   (array)->count = (array)->capacity = 0, (void)0)
// The same for scratch that is not needed for a while, if it is much.
#define pc_array_shed(array)                                                                       \
  ((size_t)(array)->capacity * sizeof *(array)->at >= PC_MUCH ? pc_array_free(array) : (void)0)

// The number of elements of a fixed array.
#define PC_COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

#endif
