// Arenas and arrays that grow.
#include "support.h"

#include <stdint.h>
#include <string.h>

#include "core/array.h"
#include "core/memory.h"

typedef struct piece {
  unsigned char *at, mark;
  size_t size;
} piece;

// Rounds of pieces of any size, some larger than the chunks that are kept from the round before:
// none touches another, all are aligned, and what is asked for as zeros is zeros.
static void pieces_do_not_touch(void **state)
{
  enum { PIECES = 60 };
  pc_random random = test_random("arena");
  pc_arena arena = {0};
  for (int round = test_count(30); round > 0; round--) {
    piece pieces[PIECES];
    int count = 1 + (int)pc_random_below(&random, PIECES);
    pc_arena_reset(&arena);
    for (int i = 0; i < count; i++) {
      size_t most = (size_t)1 << (4 + pc_random_below(&random, 20));
      pieces[i].size = 1 + (size_t)pc_random_below(&random, (int)most);
      pieces[i].mark = (unsigned char)(1 + i);
      bool raw = i % 2 == 0;
      pieces[i].at = raw ? pc_arena_take_raw(&arena, pieces[i].size, 1)
                         : pc_arena_take(&arena, pieces[i].size, 1);
      assert_non_null(pieces[i].at);
      assert_true((uintptr_t)pieces[i].at % 64 == 0);
      for (size_t k = 0; k < pieces[i].size && !raw; k++)
        assert_int_equal(pieces[i].at[k], 0);
      memset(pieces[i].at, pieces[i].mark, pieces[i].size);
    }
    for (int i = 0; i < count; i++)
      for (size_t k = 0; k < pieces[i].size; k++)
        if (pieces[i].at[k] != pieces[i].mark)
          fail_msg("piece %d of %d was written over", i, count);
  }
  pc_arena_free(&arena);
}

// Pieces that are taken back make room for others, and the arena remembers that they were there.
static void pieces_are_taken_back(void **state)
{
  const size_t size = (size_t)3 << 20;
  pc_arena arena = {0};
  for (int round = 0; round < 3; round++) {
    pc_arena_reset(&arena);
    assert_non_null(pc_arena_take_raw(&arena, size, 1));
    pc_arena_mark mark = pc_arena_mark_here(&arena);
    char *back = pc_arena_take_raw(&arena, 2 * size, 1);
    assert_non_null(back);
    pc_arena_take_back(&arena, mark);
    char *other = pc_arena_take(&arena, size, 1);
    assert_non_null(other);
    if (round > 0) {
      assert_ptr_equal(other, back);
      assert_true(arena.size >= 3 * size && arena.size < 5 * size);
    }
  }
  pc_arena_free(&arena);
}

// The first round takes what it needs piece by piece, the second all at once. A round that asks for
// no more in sum takes no new memory, and there is little more than was asked for.
static void large_memory_is_kept(void **state)
{
  enum { PIECES = 5, ROUNDS = 6 };
  const size_t size = (size_t)3 << 20;
  pc_arena arena = {0};
  void *first = NULL;
  for (int round = 0; round < ROUNDS; round++) {
    pc_arena_reset(&arena);
    int pieces = round % 2 == 0 ? PIECES : 2 * PIECES; // the same in sum
    for (int i = 0; i < pieces; i++) {
      void *at = pc_arena_take_raw(&arena, PIECES * size / (size_t)pieces, 1);
      assert_non_null(at);
      if (i == 0 && round > 1)
        assert_ptr_equal(at, first);
      if (i == 0)
        first = at;
    }
    assert_true(arena.size >= PIECES * size && arena.size < PIECES * size * 5 / 4);
  }
  pc_arena_free(&arena);
}

// A count that has overflowed is never room enough.
static void what_cannot_be_is_refused(void **state)
{
  int *array = NULL, capacity = 0;
  for (int round = 0; round < 2; round++) {
    int before = capacity;
    assert_false(pc_grow(&array, &capacity, INT32_MIN, sizeof *array));
    assert_false(pc_grow_aligned(&array, &capacity, -1, sizeof *array));
    assert_false(pc_grow_anew(&array, &capacity, INT32_MIN + 1, sizeof *array));
    assert_int_equal(capacity, before);
    assert_true(pc_grow(&array, &capacity, 100, sizeof *array));
  }
  free(array);
}

static void arrays_grow(void **state)
{
  int *kept = NULL, *anew = NULL, kept_capacity = 0, anew_capacity = 0;
  for (int n = 1; n < 3000000; n = 3 * n + 1) {
    assert_true(pc_grow(&kept, &kept_capacity, n, sizeof *kept));
    assert_true(pc_grow_anew(&anew, &anew_capacity, n, sizeof *anew));
    assert_true(kept_capacity >= n && anew_capacity >= n);
    for (int i = 0; i < n / 3; i++)
      assert_int_equal(kept[i], i);
    for (int i = 0; i < n; i++)
      kept[i] = anew[i] = i;
  }
  free(kept);
  free(anew);
}

// Elements keep their values and their order as the array grows, and new ones are zeroed.
static void elements_are_added(void **state)
{
  typedef struct pair {
    int first;
    double second;
  } pair;
  PC_ARRAY(pair) pairs = {0};
  for (int i = 0; i < 100000; i++) {
    pair *added = pc_array_add(&pairs);
    assert_non_null(added);
    assert_true(added == &pairs.at[i] && added->first == 0 && added->second == 0);
    *added = (pair){i, 0.5 * i};
  }
  assert_int_equal(pairs.count, 100000);
  assert_true(pc_array_reserve(&pairs, 300000) && pairs.capacity >= 300000);
  for (int i = 0; i < pairs.count; i++)
    assert_true(pairs.at[i].first == i && pairs.at[i].second == 0.5 * i);
  assert_false(pc_array_reserve(&pairs, -1));
  assert_true(pairs.count == 100000 && pairs.at[99999].first == 99999);
  pc_array_free(&pairs);
  assert_true(pairs.at == NULL && pairs.count == 0 && pairs.capacity == 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_do_not_touch),   cmocka_unit_test(large_memory_is_kept),
      cmocka_unit_test(pieces_are_taken_back), cmocka_unit_test(arrays_grow),
      cmocka_unit_test(elements_are_added),    cmocka_unit_test(what_cannot_be_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
