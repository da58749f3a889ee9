// Memory: arenas for allocations with one lifetime, and growing arrays.
#ifndef PERCUSS_CORE_MEMORY_H
#define PERCUSS_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// An arena hands out zeroed, 64-byte aligned pieces and frees them all at once. After a failure
// every further call gives NULL and `failed` stays set, so that a caller may check once at the end.
typedef struct pc_arena {
  struct pc_chunk *chunk; // the newest first
  size_t size;            // of all chunks
  size_t least;           // minimum size of the first chunk
  size_t most;            // used before pieces were taken back
  bool failed;
} pc_arena;

void *pc_arena_take(pc_arena *arena, size_t count, size_t size);
// The same without zeroing, for large pieces that are overwritten entirely.
void *pc_arena_take_raw(pc_arena *arena, size_t count, size_t size);
// Takes `count` zeroed numbers for each of the vectors, a list that ends with NULL; false after a
// failure.
bool pc_arena_take_vectors(pc_arena *arena, int count, double **const vectors[]);
// A copy of `count` elements; NULL if `from` is NULL.
void *pc_arena_copy(pc_arena *arena, const void *from, size_t count, size_t size);
void pc_arena_free(pc_arena *arena);
// Takes back what was taken since a mark was made.
typedef struct pc_arena_mark {
  struct pc_chunk *chunk;
  size_t used;
} pc_arena_mark;
pc_arena_mark pc_arena_mark_here(const pc_arena *arena);
void pc_arena_take_back(pc_arena *arena, pc_arena_mark mark);
// Takes all pieces back but keeps the memory, in one chunk: the next round of pieces that are no
// larger in sum fills it, whatever their sizes and order.
void pc_arena_reset(pc_arena *arena);

// Frees memory of so many bytes, and gives it back to the system if it is large.
void pc_release(void *memory, size_t bytes);
// Arrays of this size or larger, in bytes, are freed after use: allocating them again costs less.
#define PC_MUCH ((size_t)8 << 20)

// Makes room for `need` elements in a malloc'ed array; false (and the array as it was) when memory
// is out, or `need` is below 0: a count that has overflowed.
bool pc_grow(void *array, int *capacity, int need, size_t size);
// The same, with the array aligned to a cache line.
bool pc_grow_aligned(void *array, int *capacity, int need, size_t size);
// The same, without keeping the contents.
bool pc_grow_anew(void *array, int *capacity, int need, size_t size);

#endif
