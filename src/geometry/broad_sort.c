// Broad phase: sorts entries by segment, z, y, x with a radix sort. Pieces are counted and
// scattered in parallel.
#include <string.h>

#include "geometry/broad_grid.h"

static inline uint32_t sort_key(const pc_broad *broad, const pc_grid_entry *e, pc_digit_kind kind)
{
  switch (kind) {
  case PC_DIGIT_GROUP:
    return pc_broad_group(broad, e->object);
  case PC_DIGIT_X:
    return e->x;
  case PC_DIGIT_Y:
    return (uint32_t)e->row;
  case PC_DIGIT_Z:
    return (uint32_t)(e->row >> 32);
  default:
    return (uint32_t)(2 * broad->level.at[e->object] + pc_broad_is_fixed(broad, e->object));
  }
}

static inline int digit_of(const pc_broad *broad, const pc_grid_entry *e, pc_digit_kind kind)
{
  return (int)((sort_key(broad, e, kind) - broad->digit_low) >> broad->digit_shift &
               (PC_DIGITS - 1));
}

// Counts the digits of some entries, or puts the entries where their digits belong.
static inline void go_over(const pc_broad *broad, int begin, int end, pc_digit_kind kind,
                           bool moves, int *digit)
{
  for (int e = begin; e < end; e++) {
    int *at = &digit[digit_of(broad, &broad->entries.at[e], kind)];
    if (moves)
      broad->sorted.at[*at] = broad->entries.at[e];
    ++*at;
  }
}

// Each kind of key gets a loop of its own.
static inline void go_over_piece(const pc_broad *broad, int begin, int end, bool moves, int *digit)
{
  switch (broad->digit) {
  case PC_DIGIT_GROUP:
    go_over(broad, begin, end, PC_DIGIT_GROUP, moves, digit);
    break;
  case PC_DIGIT_X:
    go_over(broad, begin, end, PC_DIGIT_X, moves, digit);
    break;
  case PC_DIGIT_Y:
    go_over(broad, begin, end, PC_DIGIT_Y, moves, digit);
    break;
  case PC_DIGIT_Z:
    go_over(broad, begin, end, PC_DIGIT_Z, moves, digit);
    break;
  case PC_DIGIT_SEGMENT:
    go_over(broad, begin, end, PC_DIGIT_SEGMENT, moves, digit);
    break;
  }
}

static void count_digits(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  memset(own->digit, 0, sizeof own->digit);
  go_over_piece(broad, begin, end, false, own->digit);
}

static void scatter(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  go_over_piece(broad, begin, end, true, own->digit);
}

// One stable pass over some bits of one key; swaps the two arrays. Of a digit the entries of one
// piece come after those of the pieces before.
static void sort_pass(pc_broad *broad)
{
  int at = 0;
  pc_broad_do_pieces(broad, broad->entry_count, count_digits);
  for (int d = 0; d < PC_DIGITS; d++)
    for (int p = 0; p < broad->pieces; p++) {
      int count = broad->piece.at[p].digit[d];
      broad->piece.at[p].digit[d] = at;
      at += count;
    }
  pc_broad_do_pieces(broad, broad->entry_count, scatter);
  pc_grid_entries swap = broad->entries;
  broad->entries = broad->sorted;
  broad->sorted = swap;
}

static void sort_by(pc_broad *broad, pc_digit_kind kind, uint32_t low, uint32_t high)
{
  broad->digit = kind;
  broad->digit_low = low;
  for (int shift = 0; shift < 32 && high > low && (high - low) >> shift > 0;
       shift += PC_DIGIT_BITS) {
    broad->digit_shift = shift;
    sort_pass(broad);
  }
}

static void sort_by_group(pc_broad *broad)
{
  uint32_t low = UINT32_MAX, high = 0;
  for (int e = 0; e < broad->entry_count; e++) {
    uint32_t group = broad->group[broad->entries.at[e].object];
    low = group < low ? group : low;
    high = group > high ? group : high;
  }
  sort_by(broad, PC_DIGIT_GROUP, low, high);
}

static void sort_entries(pc_broad *broad)
{
  if (broad->group != NULL)
    sort_by_group(broad);
  for (int axis = 0; axis < 3; axis++) {
    uint32_t low = UINT32_MAX, high = 0;
    for (int p = 0; p < broad->pieces; p++) {
      const pc_broad_piece *own = &broad->piece.at[p];
      low = own->low[axis] < low ? own->low[axis] : low;
      high = own->high[axis] > high ? own->high[axis] : high;
    }
    sort_by(broad, axis == 0 ? PC_DIGIT_X : axis == 1 ? PC_DIGIT_Y : PC_DIGIT_Z, low, high);
  }
  uint32_t low = 0, high = PC_GRID_SEGMENTS - 1;
  while (low < high && broad->segment[low + 1] == 0)
    low++;
  while (high > low && broad->segment[high] == broad->entry_count)
    high--;
  sort_by(broad, PC_DIGIT_SEGMENT, low, high);
}

static void copy_boxes(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int e = begin; e < end; e++)
    for (int axis = 0; axis < 3; axis++) {
      broad->sorted_box.at[e][2 * axis] = broad->box[broad->entries.at[e].object][axis];
      broad->sorted_box.at[e][2 * axis + 1] = -broad->box[broad->entries.at[e].object][3 + axis];
    }
}

// Boxes of one group that are in one place are passed over together.
static bool find_alike(pc_broad *broad)
{
  const pc_grid_entry *entries = broad->entries.at;
  if (!pc_array_reserve(&broad->alike, broad->entry_count))
    return false;
  for (int s = 0; s < PC_GRID_SEGMENTS; s++)
    for (int e = broad->segment[s + 1] - 1; e >= broad->segment[s]; e--) {
      bool joined = e + 1 < broad->segment[s + 1] && entries[e].row == entries[e + 1].row &&
                    entries[e].x == entries[e + 1].x &&
                    pc_broad_are_one_group(broad, entries[e].object, entries[e + 1].object);
      broad->alike.at[e] = joined ? broad->alike.at[e + 1] : e + 1;
    }
  return true;
}

bool pc_broad_sort(pc_broad *broad)
{
  sort_entries(broad);
  if (broad->group != NULL && !find_alike(broad))
    return false;
  pc_parallel(broad->threads, broad->entry_count, PC_BROAD_GRAIN, copy_boxes, broad);
  return true;
}
