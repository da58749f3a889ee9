#define _DEFAULT_SOURCE // madvise
#include "core/memory.h"
#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 10, CHUNK = 1 << 16 };

struct pc_chunk {
  struct pc_chunk *next;
  size_t size, used;
};

static size_t round_up(size_t n)
{
  return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Large allocations use large pages, where the system has them: a step goes over some dozen arrays
// at a time, and looking up their small pages takes longer than reading them.
static const size_t PAGE = (size_t)1 << 21, LARGE = (size_t)1 << 20;

static void *allocate(size_t bytes)
{
  if (bytes < LARGE || bytes > SIZE_MAX - PAGE)
    return aligned_alloc(ALIGNMENT, round_up(bytes));
  size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
  void *memory = aligned_alloc(PAGE, whole);
#ifdef MADV_HUGEPAGE
  if (memory != NULL)
    madvise(memory, whole, MADV_HUGEPAGE);
#endif
  return memory;
}

// Takes a chunk with room for so many bytes out of those that are kept; NULL: there is none.
static struct pc_chunk *take_spare(pc_arena *arena, size_t bytes)
{
  for (struct pc_chunk **at = &arena->spare; *at != NULL; at = &(*at)->next) {
    struct pc_chunk *chunk = *at;
    if (chunk->size - chunk->used >= bytes) {
      *at = chunk->next;
      return chunk;
    }
  }
  return NULL;
}

static void *take(pc_arena *arena, size_t count, size_t size, size_t *taken)
{
  if (arena->failed || (size > 0 && count > (SIZE_MAX / 4) / size)) {
    arena->failed = true;
    return NULL;
  }
  size_t bytes = round_up(count * size + 1);
  size_t header = round_up(sizeof(struct pc_chunk));
  struct pc_chunk *chunk = arena->chunk;
  if (chunk == NULL || chunk->size - chunk->used < bytes) {
    // Small at first: a world may have a million shapes.
    size_t more = chunk == NULL ? FIRST_CHUNK : 4 * chunk->size;
    more = more > CHUNK ? CHUNK : more;
    size_t total = header + (bytes > more ? bytes : more);
    total = total > arena->least ? total : arena->least;
    chunk = take_spare(arena, bytes);
    if (chunk == NULL && (chunk = allocate(total)) != NULL) {
      chunk->size = total;
      chunk->used = header;
    }
    if (chunk == NULL) {
      arena->failed = true;
      return NULL;
    }
    chunk->next = arena->chunk;
    arena->chunk = chunk;
  }
  void *piece = (char *)chunk + chunk->used;
  chunk->used += bytes;
  *taken = bytes;
  return piece;
}

void *pc_arena_take(pc_arena *arena, size_t count, size_t size)
{
  size_t bytes;
  void *piece = take(arena, count, size, &bytes);
  if (piece != NULL)
    memset(piece, 0, bytes);
  return piece;
}

void *pc_arena_take_raw(pc_arena *arena, size_t count, size_t size)
{
  size_t bytes;
  return take(arena, count, size, &bytes);
}

void *pc_arena_copy(pc_arena *arena, const void *from, int count, size_t size)
{
  void *to = from != NULL ? pc_arena_take_raw(arena, (size_t)count, size) : NULL;
  if (to != NULL)
    memcpy(to, from, (size_t)count * size);
  return to;
}

void pc_arena_reset(pc_arena *arena)
{
  struct pc_chunk *chunk = arena->chunk;
  if (chunk != NULL && chunk->next == NULL && !arena->failed) {
    chunk->used = round_up(sizeof *chunk);
    return;
  }
  size_t total = 0;
  for (; chunk != NULL; chunk = chunk->next)
    total += chunk->size;
  for (chunk = arena->spare; chunk != NULL; chunk = chunk->next)
    total += chunk->size;
  if (total < LARGE || arena->failed) {
    pc_arena_free(arena);
    arena->least = total + total / 4; // the next time may need a little more
    return;
  }
  // New pages cost more than what they are used for: they are kept, the first ones first.
  arena->least = total / 4;
  for (struct pc_chunk *next; (chunk = arena->chunk) != NULL; arena->chunk = next) {
    next = chunk->next;
    chunk->used = round_up(sizeof *chunk);
    chunk->next = arena->spare;
    arena->spare = chunk;
  }
}

static void free_chunks(struct pc_chunk *chunk)
{
  for (struct pc_chunk *next; chunk != NULL; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
}

void pc_arena_free(pc_arena *arena)
{
  free_chunks(arena->chunk);
  free_chunks(arena->spare);
  *arena = (pc_arena){0};
}

// Never when the need is below 0.
static bool is_enough(int capacity, int need)
{
  return (unsigned)need <= (unsigned)capacity;
}

static int doubled(int capacity, int need)
{
  int wanted = capacity < 8 ? 8 : capacity;
  while (wanted < need)
    wanted = wanted > INT32_MAX / 2 ? need : wanted * 2;
  return wanted;
}

bool pc_grow_aligned(void *array, int *capacity, int need, size_t size)
{
  if (is_enough(*capacity, need))
    return true;
  if (need < 0)
    return false;
  int wanted = doubled(*capacity, need);
  void **pointer = array;
  void *grown = allocate((size_t)wanted * size);
  if (grown == NULL)
    return false;
  if (*capacity > 0)
    memcpy(grown, *pointer, (size_t)*capacity * size);
  free(*pointer);
  *pointer = grown;
  *capacity = wanted;
  return true;
}

bool pc_grow_anew(void *array, int *capacity, int need, size_t size)
{
  if (is_enough(*capacity, need))
    return true;
  if (need < 0)
    return false;
  int wanted = doubled(*capacity, need);
  void **pointer = array;
  free(*pointer);
  *pointer = allocate((size_t)wanted * size);
  *capacity = *pointer != NULL ? wanted : 0;
  return *pointer != NULL;
}

bool pc_grow(void *array, int *capacity, int need, size_t size)
{
  if (is_enough(*capacity, need))
    return true;
  if (need < 0)
    return false;
  int wanted = doubled(*capacity, need);
  if ((size_t)wanted * size >= LARGE)
    return pc_grow_aligned(array, capacity, need, size);
  void **pointer = array;
  void *grown = realloc(*pointer, (size_t)wanted * size);
  if (grown == NULL)
    return false;
  *pointer = grown;
  *capacity = wanted;
  return true;
}

void *pc_array_add_element(void *at, int *count, int *capacity, size_t size)
{
  if (!pc_grow(at, capacity, *count + 1, size))
    return NULL;
  char *element = *(char **)at + (size_t)*count * size;
  *count += 1;
  return memset(element, 0, size);
}
