// Memory: arenas for what lives and dies together, and arrays that grow.
#ifndef PERCUSS_CORE_MEMORY_H
#define PERCUSS_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// An arena hands out zeroed, 64-byte aligned pieces and frees them all at once. After a failure
// every further call gives NULL and `failed` stays set, so that a caller may check once at the end.
typedef struct pc_arena {
  struct pc_chunk *chunk, *spare; // in use, the last one first; kept for later
  size_t least;                   // size of the next chunk, no less
  bool failed;
} pc_arena;

void *pc_arena_take(pc_arena *arena, size_t count, size_t size);
// The same without the zeros, for large pieces that are written whole.
void *pc_arena_take_raw(pc_arena *arena, size_t count, size_t size);
void pc_arena_free(pc_arena *arena);
// Takes all pieces back but keeps the memory: large chunks as they are, small ones become one.
void pc_arena_reset(pc_arena *arena);

// Makes room for `need` elements in a malloc'ed array; false (and the array as it was) when memory
// is out, or `need` is below 0: a count that has overflowed.
bool pc_grow(void *array, int *capacity, int need, size_t size);
// The same, with the array at the start of a line of memory.
bool pc_grow_aligned(void *array, int *capacity, int need, size_t size);
// The same of an array whose elements are of no use any more.
bool pc_grow_anew(void *array, int *capacity, int need, size_t size);

#endif
