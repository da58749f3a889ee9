// Broad phase: overlapping entries, and the boxes at a place. See broad.c.
#include <string.h>

#include "geometry/broad_grid.h"

enum {
  SEARCH_GRAIN = 256, // the search for pairs is the most expensive part
  COARSE_GRAIN = 16,
};

static int population_of(const pc_broad *broad, int segment)
{
  return broad->segment[segment + 1] - broad->segment[segment];
}

static bool is_empty(const pc_broad *broad, int segment)
{
  return population_of(broad, segment) == 0;
}

// The cells of a level in which boxes may be that overlap this one.
static void cells_around(const pc_broad *broad, int level, const double box[6], uint32_t low[3],
                         uint32_t high[3])
{
  for (int axis = 0; axis < 3; axis++) {
    int of = broad->axis[axis];
    low[axis] = pc_cell_of(broad, level, of, box[of]) - 1;
    high[axis] = pc_cell_of(broad, level, of, box[3 + of]);
  }
}

static double rows_around(const uint32_t low[3], const uint32_t high[3])
{
  return (double)(high[1] - low[1] + 1) * (double)(high[2] - low[2] + 1);
}

// Whether the boxes of a coarser segment look for those of a finer one, because they are few and
// have few rows to look at.
static bool looks_down(const pc_broad *broad, int fine, int coarse)
{
  enum { FEWER = 8 };
  double most = population_of(broad, fine), rows = 0;
  if (FEWER * (double)population_of(broad, coarse) > most)
    return false;
  for (int e = broad->segment[coarse]; e < broad->segment[coarse + 1] && rows <= most; e++) {
    uint32_t low[3], high[3];
    cells_around(broad, fine / 2, broad->box[broad->entries.at[e].object], low, high);
    rows += rows_around(low, high);
  }
  return rows <= most;
}

// Fixed boxes are not tested against fixed ones; within a level the moving boxes search the fixed
// ones.
enum { MEETS_NOT, LOOKS_UP, LOOKS_DOWN };
static void choose_meetings(pc_broad *broad)
{
  broad->coarse = PC_GRID_SEGMENTS;
  for (int fine = 0; fine < PC_GRID_SEGMENTS; fine++)
    for (int coarse = fine + 1; coarse < PC_GRID_SEGMENTS && !is_empty(broad, fine); coarse++) {
      unsigned char *how = &broad->meets[fine][coarse];
      *how = MEETS_NOT;
      if (is_empty(broad, coarse) || (fine & coarse & 1) || ((fine & 1) && coarse / 2 == fine / 2))
        continue;
      *how = looks_down(broad, fine, coarse) ? LOOKS_DOWN : LOOKS_UP;
      if (*how == LOOKS_DOWN && coarse < broad->coarse)
        broad->coarse = coarse;
    }
}

static bool meets(const pc_broad *broad, int fine, int coarse, int how)
{
  return !is_empty(broad, fine) && !is_empty(broad, coarse) && broad->meets[fine][coarse] == how;
}

static inline uint64_t hash_row(uint64_t row, int segment)
{
  uint64_t h = (row ^ (uint64_t)segment << 57) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return h ^ h >> 32;
}

// Whether boxes of another segment look for those of this one.
static bool is_asked(const pc_broad *broad, int segment)
{
  for (int s = 0; s < segment; s++)
    if (meets(broad, s, segment, LOOKS_UP))
      return true;
  return false;
}

static int row_end(const pc_broad *broad, int e, int end)
{
  uint64_t row = broad->entries.at[e].row;
  while (e < end && broad->entries.at[e].row == row)
    e++;
  return e;
}

static bool index_rows(pc_broad *broad)
{
  int rows = 0;
  broad->slot_count = 0;
  for (int s = 0; s < PC_GRID_SEGMENTS; s++)
    if (is_asked(broad, s))
      for (int e = broad->segment[s]; e < broad->segment[s + 1]; rows++)
        e = row_end(broad, e, broad->segment[s + 1]);
  if (rows == 0)
    return true;
  int size = 16;
  while (size < 2 * (int64_t)rows && size < 1 << 30)
    size *= 2;
  if (!pc_array_reserve(&broad->slots, size))
    return false;
  broad->slot_count = size;
  for (int k = 0; k < size; k++)
    broad->slots.at[k].segment = -1;
  for (int s = 0; s < PC_GRID_SEGMENTS; s++) {
    if (!is_asked(broad, s))
      continue;
    for (int e = broad->segment[s], next; e < broad->segment[s + 1]; e = next) {
      next = row_end(broad, e, broad->segment[s + 1]);
      uint64_t k = hash_row(broad->entries.at[e].row, s);
      while (broad->slots.at[k & (uint64_t)(size - 1)].segment >= 0)
        k++;
      broad->slots.at[k & (uint64_t)(size - 1)] =
          (pc_row_slot){broad->entries.at[e].row, s, e, next};
    }
  }
  return true;
}

static const pc_row_slot *find_row(const pc_broad *broad, uint64_t row, int segment)
{
  uint64_t mask = (uint64_t)(broad->slot_count - 1);
  for (uint64_t k = hash_row(row, segment);; k++) {
    const pc_row_slot *slot = &broad->slots.at[k & mask];
    if (slot->segment < 0)
      return NULL;
    if (slot->row == row && slot->segment == segment)
      return slot;
  }
}

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline two load_two(const double *from)
{
  two out;
  memcpy(&out, from, sizeof out);
  return out;
}

// Entry e against entries begin .. end.
static inline void try_each(const pc_broad *broad, int e, int begin, int end, pc_pair_list *found)
{
  if (begin >= end || !pc_pair_list_room(found, end - begin))
    return;
  const double *box = broad->sorted_box.at[e];
  // low of the other <= high, -high of the other <= -low
  two x = {-box[1], -box[0]}, y = {-box[3], -box[2]}, z = {-box[5], -box[4]};
  int object = broad->entries.at[e].object;
  for (int f = begin; f < end; f++) {
    const double *other = broad->sorted_box.at[f];
    two_masks in = (load_two(other) <= x) & (load_two(other + 2) <= y) & (load_two(other + 4) <= z);
    pc_pair_list_put(found, object, broad->entries.at[f].object, in[0] & in[1] & 1);
  }
}

// The same without entries of the same group.
static void try_others(const pc_broad *broad, int e, int begin, int end, pc_pair_list *found)
{
  int object = broad->entries.at[e].object;
  for (int f = begin, next; f < end; f = next) {
    for (next = f;
         next < end && !pc_broad_are_one_group(broad, object, broad->entries.at[next].object);)
      next = broad->alike.at[next] < end ? broad->alike.at[next] : end;
    try_each(broad, e, f, next, found);
    next = next < end ? broad->alike.at[next] : end;
  }
}

static inline void try_run(const pc_broad *broad, int e, int begin, int end, pc_pair_list *found)
{
  if (broad->group == NULL)
    try_each(broad, e, begin, end, found);
  else
    try_others(broad, e, begin, end, found);
}

static inline bool before(const pc_grid_entry *e, uint64_t row, uint32_t x)
{
  return e->row < row || (e->row == row && e->x < x);
}

static int first_not_before(const pc_broad *broad, int begin, int end, uint64_t row, uint32_t x)
{
  while (begin < end) {
    int half = begin + (end - begin) / 2;
    if (before(&broad->entries.at[half], row, x))
      begin = half + 1;
    else
      end = half;
  }
  return begin;
}

// Entries begin .. end of one segment against those of the same segment behind them: the rest of
// the own row, and the rows ahead.
static void sweep(const pc_broad *broad, int segment, int begin, int end, pc_pair_list *found)
{
  static const uint64_t ahead[4] = {1, (UINT64_C(1) << 32) - 1, UINT64_C(1) << 32,
                                    (UINT64_C(1) << 32) + 1};
  const pc_grid_entry *entries = broad->entries.at;
  int last = broad->segment[segment + 1], from[4], to[4], own = begin;
  for (int r = 0; r < 4; r++)
    from[r] = to[r] = first_not_before(broad, broad->segment[segment], last,
                                       entries[begin].row + ahead[r], entries[begin].x - 1);
  for (int e = begin; e < end; e++) {
    uint64_t row = entries[e].row;
    uint32_t x = entries[e].x;
    while (own < last && before(&entries[own], row, x + 2))
      own++;
    try_run(broad, e, e + 1, own, found);
    for (int r = 0; r < 4; r++) {
      while (from[r] < last && before(&entries[from[r]], row + ahead[r], x - 1))
        from[r]++;
      to[r] = to[r] < from[r] ? from[r] : to[r];
      while (to[r] < last && before(&entries[to[r]], row + ahead[r], x + 2))
        to[r]++;
      try_run(broad, e, from[r], to[r], found);
    }
  }
}

// Entries begin .. end of any segment against all of another one, as coarse or coarser.
static void look_up(const pc_broad *broad, int other, int begin, int end, pc_pair_list *found)
{
  int level = other / 2;
  for (int e = begin; e < end; e++) {
    uint32_t low[3], high[3];
    cells_around(broad, level, broad->box[broad->entries.at[e].object], low, high);
    for (uint64_t z = low[2]; z <= high[2]; z++)
      for (uint64_t y = low[1]; y <= high[1]; y++) {
        uint64_t row = z << 32 | y;
        const pc_row_slot *slot = find_row(broad, row, other);
        if (slot == NULL)
          continue;
        int from = first_not_before(broad, slot->begin, slot->end, row, low[0]), to = from;
        while (to < slot->end && broad->entries.at[to].x <= high[0])
          to++;
        try_run(broad, e, from, to, found);
      }
  }
}

static void find_pairs(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pc_pair_list own = broad->found.at[worker], *found = &own; // not next to those of other workers
  for (int s = 0; s < PC_GRID_SEGMENTS; s++) {
    int first = begin > broad->segment[s] ? begin : broad->segment[s];
    int last = end < broad->segment[s + 1] ? end : broad->segment[s + 1];
    if (first >= last)
      continue;
    if (!(s & 1))
      sweep(broad, s, first, last, found);
    for (int other = s + 1; other < PC_GRID_SEGMENTS; other++)
      if (meets(broad, s, other, LOOKS_UP))
        look_up(broad, other, first, last, found);
  }
  broad->found.at[worker] = own;
}

// The entries from begin on, of a sorted list, that are in the cells low .. high of a row; gives
// the first one and where they end.
static int find_run(const pc_broad *broad, int begin, int end, uint64_t row, uint32_t low,
                    uint32_t high, int *run_end)
{
  int from = first_not_before(broad, begin, end, row, low), to = from;
  while (to < end && broad->entries.at[to].row == row && broad->entries.at[to].x <= high)
    to++;
  *run_end = to;
  return from;
}

// Entry e against those of a finer segment.
static void look_down(const pc_broad *broad, int fine, int e, pc_pair_list *found)
{
  int begin = broad->segment[fine], end = broad->segment[fine + 1];
  uint32_t low[3], high[3];
  cells_around(broad, fine / 2, broad->box[broad->entries.at[e].object], low, high);
  for (uint64_t z = low[2]; z <= high[2]; z++)
    for (uint64_t y = low[1]; y <= high[1]; y++) {
      int to, from = find_run(broad, begin, end, z << 32 | y, low[0], high[0], &to);
      try_run(broad, e, from, to, found);
      begin = to;
    }
}

// Entries from the first coarse one on: begin .. end.
static void find_finer(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pc_pair_list own = broad->found.at[worker], *found = &own;
  int offset = broad->segment[broad->coarse];
  for (int coarse = broad->coarse; coarse < PC_GRID_SEGMENTS; coarse++) {
    int first = begin + offset, last = end + offset;
    first = first > broad->segment[coarse] ? first : broad->segment[coarse];
    last = last < broad->segment[coarse + 1] ? last : broad->segment[coarse + 1];
    for (int fine = 0; fine < coarse && first < last; fine++)
      for (int e = first; e < last && meets(broad, fine, coarse, LOOKS_DOWN); e++)
        look_down(broad, fine, e, found);
  }
  broad->found.at[worker] = own;
}

// Objects begin .. end against the large ones.
static void find_large_pairs(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pc_pair_list own = broad->found.at[worker], *found = &own;
  for (int i = begin; i < end; i++) {
    bool large = broad->level.at[i] == PC_BOX_LARGE;
    int count = pc_broad_is_fixed(broad, i) ? broad->large_moving : broad->large_count;
    if (broad->level.at[i] == PC_BOX_NOWHERE || !pc_pair_list_room(found, count))
      continue;
    for (int k = 0; k < count; k++) {
      int j = broad->large.at[k];
      pc_pair_list_put(found, i, j,
                       !(large && j <= i) && !pc_broad_are_one_group(broad, i, j) &&
                           pc_boxes_overlap(broad->box[i], broad->box[j]));
    }
  }
  broad->found.at[worker] = own;
}

bool pc_broad_search(pc_broad *broad)
{
  choose_meetings(broad);
  if (!index_rows(broad))
    return false;
  pc_parallel(broad->threads, broad->entry_count, SEARCH_GRAIN, find_pairs, broad);
  if (broad->coarse < PC_GRID_SEGMENTS)
    pc_parallel(broad->threads, broad->entry_count - broad->segment[broad->coarse], COARSE_GRAIN,
                find_finer, broad);
  if (broad->large_count > 0)
    pc_parallel(broad->threads, broad->count, PC_BROAD_GRAIN, find_large_pairs, broad);
  return true;
}

static bool add_run(const pc_broad *broad, int begin, int end, uint32_t group, pc_box_list *found)
{
  for (int e = begin, next; e < end; e = next) {
    next = broad->group != NULL && broad->alike.at[e] < end ? broad->alike.at[e] : end;
    if (group != 0 && pc_broad_group(broad, broad->entries.at[e].object) == group)
      continue;
    if (!pc_array_reserve(found, found->count + (next - e)))
      return false;
    for (int k = e; k < next; k++)
      found->at[found->count++] = broad->entries.at[k].object;
  }
  return true;
}

// The entries of a segment in the cells that a box may meet.
static bool add_around(const pc_broad *broad, int segment, const double box[6], uint32_t group,
                       pc_box_list *found)
{
  enum { MANY_ROWS = 64 }; // then all of them are taken
  int level = segment / 2, begin = broad->segment[segment], end = broad->segment[segment + 1];
  uint32_t low[3], high[3];
  cells_around(broad, level, box, low, high);
  if (rows_around(low, high) > MANY_ROWS)
    return add_run(broad, begin, end, group, found);
  bool done = true;
  for (uint64_t z = low[2]; z <= high[2] && done; z++)
    for (uint64_t y = low[1]; y <= high[1] && done; y++) {
      int to, from = find_run(broad, begin, end, z << 32 | y, low[0], high[0], &to);
      done = add_run(broad, from, to, group, found);
    }
  return done;
}

bool pc_broad_around(const pc_broad *broad, const double box[6], uint32_t group, pc_box_list *found)
{
  found->count = 0;
  if (broad->count <= PC_BROAD_SMALL || !pc_box_is_valid(box) ||
      !pc_array_reserve(found, broad->large_count + 1))
    return false;
  for (int k = 0; k < broad->large_count; k++)
    found->at[found->count++] = broad->large.at[k];
  bool done = true;
  for (int s = 0; s < PC_GRID_SEGMENTS && done; s++)
    if (!is_empty(broad, s))
      done = add_around(broad, s, box, group, found);
  return done;
}
