#define _DEFAULT_SOURCE // madvise
#include "core/memory.h"
#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, FIRST_CHUNK = 1 << 10, CHUNK = 1 << 16 };

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
    madvise(memory, bytes / PAGE * PAGE, MADV_HUGEPAGE); // the rest may never be used
#endif
  return memory;
}

// Large memory goes back to the system at once. The C library keeps blocks of up to 32 MB, and a
// world that grows would leave half a dozen smaller copies of each array behind.
void pc_release(void *memory, size_t bytes)
{
#ifdef MADV_DONTNEED
  const size_t small = (size_t)1 << 16; // no page that is not large is larger
  if (bytes >= LARGE && (uintptr_t)memory % PAGE == 0) {
    madvise(memory, bytes / small * small, MADV_DONTNEED);
#ifdef MADV_NOHUGEPAGE
    // The C library writes a few bytes into what is free, which would take a large page each.
    madvise(memory, bytes / PAGE * PAGE, MADV_NOHUGEPAGE);
#endif
  }
#endif
  free(memory);
}

// Moves the contents of large memory to a larger one. What was copied goes back to the system page
// by page, so that there are never two of a large array.
static void move_contents(void *to, void *from, size_t bytes)
{
  size_t moved = 0;
#ifdef MADV_DONTNEED
  for (; (uintptr_t)from % PAGE == 0 && bytes - moved >= PAGE; moved += PAGE) {
    memcpy((char *)to + moved, (char *)from + moved, PAGE);
    madvise((char *)from + moved, PAGE, MADV_DONTNEED);
  }
#endif
  memcpy((char *)to + moved, (char *)from + moved, bytes - moved);
}

struct pc_chunk {
  struct pc_chunk *next;
  size_t size, used;
};

// A chunk with room for so many bytes. The first one is as large as all of the last round, others
// are an eighth of the total; small at first, because a world may have a million shapes.
static struct pc_chunk *add_chunk(pc_arena *arena, size_t bytes)
{
  size_t header = round_up(sizeof(struct pc_chunk));
  size_t more = arena->chunk == NULL ? FIRST_CHUNK : 4 * arena->chunk->size;
  more = more > CHUNK ? CHUNK : more;
  more = more > arena->size / 8 ? more : arena->size / 8;
  size_t total = header + (bytes > more ? bytes : more);
  total = arena->chunk == NULL && total < arena->least ? arena->least : total;
  struct pc_chunk *chunk = allocate(total);
  if (chunk == NULL)
    return NULL;
  *chunk = (struct pc_chunk){.next = arena->chunk, .size = total, .used = header};
  arena->chunk = chunk;
  arena->size += total;
  return chunk;
}

static void *take(pc_arena *arena, size_t count, size_t size, size_t *taken)
{
  if (arena->failed || (size > 0 && count > (SIZE_MAX / 4) / size)) {
    arena->failed = true;
    return NULL;
  }
  size_t bytes = round_up(count * size > 0 ? count * size : 1);
  struct pc_chunk *chunk = arena->chunk;
  if (chunk == NULL || chunk->size - chunk->used < bytes) {
    chunk = add_chunk(arena, bytes);
    if (chunk == NULL) {
      arena->failed = true;
      return NULL;
    }
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

bool pc_arena_take_vectors(pc_arena *arena, int count, double **const vectors[])
{
  for (; *vectors != NULL; vectors++)
    **vectors = pc_arena_take(arena, (size_t)count, sizeof(double));
  return !arena->failed;
}

void *pc_arena_copy(pc_arena *arena, const void *from, size_t count, size_t size)
{
  void *to = from != NULL ? pc_arena_take_raw(arena, count, size) : NULL;
  if (to != NULL)
    memcpy(to, from, count * size);
  return to;
}

static size_t used_of(const pc_arena *arena)
{
  size_t used = 0;
  for (const struct pc_chunk *chunk = arena->chunk; chunk != NULL; chunk = chunk->next)
    used += chunk->used;
  return used > arena->most ? used : arena->most;
}

pc_arena_mark pc_arena_mark_here(const pc_arena *arena)
{
  return (pc_arena_mark){arena->chunk, arena->chunk != NULL ? arena->chunk->used : 0};
}

// Chunks that came since then stay until the arena is reset.
void pc_arena_take_back(pc_arena *arena, pc_arena_mark mark)
{
  if (arena->chunk != mark.chunk || mark.chunk == NULL)
    return;
  arena->most = used_of(arena);
  arena->chunk->used = mark.used;
}

void pc_arena_reset(pc_arena *arena)
{
  struct pc_chunk *chunk = arena->chunk;
  if (chunk != NULL && chunk->next == NULL && !arena->failed) {
    chunk->used = round_up(sizeof *chunk);
    arena->most = 0;
    return;
  }
  size_t used = used_of(arena);
  pc_arena_free(arena);
  arena->least = used + used / 8; // the next round may need a little more
}

void pc_arena_free(pc_arena *arena)
{
  for (struct pc_chunk *chunk = arena->chunk, *next; chunk != NULL; chunk = next) {
    next = chunk->next;
    pc_release(chunk, chunk->size);
  }
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
    move_contents(grown, *pointer, (size_t)*capacity * size);
  pc_release(*pointer, (size_t)*capacity * size);
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
  pc_release(*pointer, (size_t)*capacity * size);
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
