// Broad phase by a hierarchy of sorted grids.
//
// Sizes of cells double from level to level. A box belongs to the finest level whose cells are as
// large as it is, and to one cell there: that of its low corner. The cell of a coordinate is a
// monotone function of it, so that boxes a and b of which b belongs to the level can only overlap
// if
//     cell(low a) - 1 <= cell(low b) <= cell(high a)        along every axis,
// whatever is rounded or clamped. Cells are kept as one array of entries sorted by level, z, y, x:
// the cells x - 1 .. x + 1 of a row are then neighbours in memory, and the rows ahead of a box are
// reached by pointers that only move forward. Here z is the longest side of the scene, so that what
// is near in memory is near in space, and x the shortest that has some cells. Boxes of finer levels
// find the rows of coarser ones by a hash table; where there are few of the latter, these look for
// the rows of the finer ones. Boxes that move and boxes that are fixed are kept apart, so that
// fixed ones are never tried against each other. A few very large boxes are tried against all.
#include "geometry/broad.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads.h"

enum {
  LEVELS = 64,
  SEGMENTS = 2 * LEVELS, // of each level the boxes that move, then those that are fixed
  BINS = 16,             // of the mantissa of a size, to choose the sizes of cells
  EXPONENTS = 2200,      // of a size, from -BIAS on
  BIAS = 1100,
  DIGIT_BITS = 11,
  DIGITS = 1 << DIGIT_BITS,
  MAX_PIECES = 64,
  SAMPLE = 64,
  FEW = 4,        // so many boxes alone in the coarsest level are tried against all,
  MAX_LARGE = 16, // but not more than this in sum, if they are finite
  GRAIN = 1024,
  SEARCH_GRAIN = 256, // looking for pairs is the dearest part
  COARSE_GRAIN = 16,
  SMALL = 48, // so few are tried each against each
};

// Cells are counted from the middle of the scene to 2^31 on both sides; what is beyond is put in
// the last one.
static const double LAST_CELL = 2147483640.0;

typedef struct entry {
  uint64_t row; // z, y
  uint32_t x;
  int object;
} entry;

typedef struct row_slot {
  uint64_t row;
  int segment; // -1: free
  int begin, end;
} row_slot;

typedef struct pair_list {
  int (*at)[2];
  int count, capacity;
  long tests; // of two boxes
  bool failed;
} pair_list;

// What is counted of a piece of the objects or of the entries, each piece by one thread.
typedef struct piece {
  int bin[BINS], exponents[EXPONENTS]; // boxes by mantissa and exponent of their size
  double top[BINS];                    // largest mantissa
  int population[LEVELS];
  int segment[SEGMENTS];
  int entries, larges;      // how many, then where the next goes
  uint32_t low[3], high[3]; // cells
  int digit[DIGITS];        // how many, then where the next goes
} piece;

typedef enum digit_kind { DIGIT_X, DIGIT_Y, DIGIT_Z, DIGIT_SEGMENT } digit_kind;

struct pc_broad {
  // Of the current call.
  int threads, pieces;
  int coarsest; // level
  digit_kind digit;
  uint32_t digit_low;
  int digit_shift;
  int count;
  const double (*box)[6];
  const unsigned char *fixed;
  int entry_count, large_count;
  int axis[3];                             // of the box: x, y, z of the cells
  double middle[3], per_cell[LEVELS];      // of the box; 1 / size of a cell
  int segment[SEGMENTS + 1];               // first entry of each segment
  unsigned char meets[SEGMENTS][SEGMENTS]; // finer, coarser: how they do
  int coarse;                              // first segment that looks for finer ones

  // Kept between calls for their memory only.
  entry *entries, *sorted;
  double (*sorted_box)[6]; // low x, -high x, low y, ...: one comparison is enough for both ends
  signed char *level;      // of each object; LARGE or NOWHERE
  int *large;
  int entry_capacity, sorted_capacity, box_capacity, level_capacity, large_capacity;
  row_slot *slots;
  int slot_capacity, slot_count; // count: a power of two, or 0 if no row is looked for
  pair_list *found;              // one per worker
  int found_capacity;
  int *row;  // first pair of each object
  int *next; // per dealer: where its next pair of each object goes
  int row_capacity, next_capacity;
  int (*pairs)[2];
  int pair_capacity;
  piece *piece;
  int piece_capacity;
};

enum { LARGE = -1, NOWHERE = -2 };

pc_broad *pc_broad_create(void)
{
  return calloc(1, sizeof(pc_broad));
}

void pc_broad_destroy(pc_broad *broad)
{
  if (broad == NULL)
    return;
  for (int w = 0; w < broad->found_capacity; w++)
    free(broad->found[w].at);
  free(broad->found);
  free(broad->entries);
  free(broad->sorted);
  free(broad->sorted_box);
  free(broad->level);
  free(broad->large);
  free(broad->slots);
  free(broad->row);
  free(broad->next);
  free(broad->pairs);
  free(broad->piece);
  free(broad);
}

long pc_broad_tests(const pc_broad *broad)
{
  long sum = 0;
  for (int w = 0; w < broad->found_capacity; w++)
    sum += broad->found[w].tests;
  return sum;
}

static inline bool overlap(const double a[6], const double b[6])
{
  return (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4]) & (a[2] <= b[5]) &
         (b[2] <= a[5]);
}

// Boxes turned inside out and those with a NaN overlap nothing.
static inline bool valid(const double b[6])
{
  return (b[0] <= b[3]) & (b[1] <= b[4]) & (b[2] <= b[5]);
}

static inline double largest_side(const double b[6])
{
  return fmax(fmax(b[3] - b[0], b[4] - b[1]), b[5] - b[2]);
}

static bool is_fixed(const pc_broad *broad, int i)
{
  return broad->fixed != NULL && broad->fixed[i] != 0;
}

static bool is_there(const pc_broad *broad, int i)
{
  return valid(broad->box[i]) && (broad->fixed == NULL || broad->fixed[i] != PC_BOX_ABSENT);
}

static inline bool room(pair_list *list, int more)
{
  list->tests += more;
  if (more <= list->capacity - list->count)
    return true;
  if (list->failed || more > INT32_MAX - list->count ||
      !pc_grow(&list->at, &list->capacity, list->count + more, sizeof *list->at))
    list->failed = true;
  return !list->failed;
}

// Room must have been made.
static inline void put(pair_list *list, int i, int j, bool wanted)
{
  list->at[list->count][0] = i < j ? i : j;
  list->at[list->count][1] = i < j ? j : i;
  list->count += wanted;
}

// Cells. The axis is that of the box.

static inline uint32_t cell_of(const pc_broad *broad, int level, int axis, double x)
{
  double scaled = (x - broad->middle[axis]) * broad->per_cell[level];
  scaled = scaled < -LAST_CELL ? -LAST_CELL : scaled > LAST_CELL ? LAST_CELL : scaled;
  int64_t cell = (int64_t)scaled;
  cell -= (double)cell > scaled;
  return (uint32_t)(cell + (INT64_C(1) << 31)); // never 0, never the last: room for neighbours
}

static int compare_doubles(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The middle of the scene and how far it reaches, without the few that flew away.
static double find_middle(pc_broad *broad, double reach[3])
{
  double spread = 0;
  for (int axis = 0; axis < 3; axis++) {
    double sample[SAMPLE];
    int n = 0;
    for (int s = 0; s < SAMPLE; s++) {
      int i = (int)((int64_t)broad->count * s / SAMPLE);
      double x = broad->box[i][axis];
      if (isfinite(x))
        sample[n++] = x;
    }
    broad->middle[axis] = reach[axis] = 0;
    if (n == 0)
      continue;
    qsort(sample, (size_t)n, sizeof *sample, compare_doubles);
    broad->middle[axis] = sample[n / 2];
    reach[axis] = sample[n - 1 - n / 32] - sample[n / 32];
    spread = fmax(spread, reach[axis]);
  }
  return fmin(spread, 0x1p1000);
}

// Along the longest side last; where the shortest is hardly a cell, the one between them first.
static void choose_axes(pc_broad *broad, const double reach[3], double cell)
{
  int *axis = broad->axis;
  for (int i = 0; i < 3; i++) {
    int at = i;
    for (; at > 0 && reach[axis[at - 1]] > reach[i]; at--)
      axis[at] = axis[at - 1];
    axis[at] = i;
  }
  if (reach[axis[0]] < 4 * cell) {
    int flat = axis[0];
    axis[0] = axis[1];
    axis[1] = flat;
  }
}

// Work on pieces, by number; answers do not depend on how many there are.
static void do_pieces(pc_broad *broad, pc_work *work)
{
  pc_parallel(broad->threads, broad->pieces, 1, work, broad);
}

static inline int piece_begin(const pc_broad *broad, int count, int p)
{
  return (int)((int64_t)count * p / broad->pieces);
}

static void measure_sizes(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    piece *own = &broad->piece[p];
    memset(own->bin, 0, sizeof own->bin);
    memset(own->exponents, 0, sizeof own->exponents);
    memset(own->top, 0, sizeof own->top);
    int last = piece_begin(broad, broad->count, p + 1);
    for (int i = piece_begin(broad, broad->count, p); i < last; i++) {
      double side = is_there(broad, i) ? largest_side(broad->box[i]) : 0;
      if (!(side > 0 && isfinite(side)))
        continue;
      int exponent;
      double mantissa = frexp(side, &exponent); // 0.5 .. 1
      int b = (int)((mantissa - 0.5) * (2 * BINS));
      own->bin[b]++;
      own->top[b] = mantissa > own->top[b] ? mantissa : own->top[b];
      own->exponents[exponent + BIAS]++;
    }
  }
}

// Sizes of cells: base 2^k, with the base that makes cells fit the boxes best. What is looked for
// is least when the volume of a box's cell over that of the box is, in the mean.
static void choose_cells(pc_broad *broad)
{
  int bin[BINS] = {0}, exponents[EXPONENTS] = {0}, usual = 0;
  double top[BINS] = {0};
  do_pieces(broad, measure_sizes);
  for (int p = 0; p < broad->pieces; p++) {
    const piece *own = &broad->piece[p];
    for (int b = 0; b < BINS; b++) {
      bin[b] += own->bin[b];
      top[b] = fmax(top[b], own->top[b]);
    }
    for (int e = 0; e < EXPONENTS; e++)
      exponents[e] += own->exponents[e];
  }
  for (int e = 1; e < EXPONENTS; e++)
    if (exponents[e] > exponents[usual])
      usual = e;

  double least = INFINITY, base = 1;
  for (int k = 0; k < BINS; k++) {
    double cost = 0;
    for (int b = 0; b < BINS && bin[k] > 0; b++)
      if (bin[b] > 0)
        cost += bin[b] * pow(top[k] * (top[b] > top[k] ? 2 : 1) / top[b], 3);
    if (bin[k] > 0 && cost < least) {
      least = cost;
      base = top[k];
    }
  }
  double reach[3], spread = find_middle(broad, reach);
  if (isinf(least))
    base = spread > 0 ? spread : 1; // points only
  else
    base = fmin(ldexp(base, usual - BIAS), 0x1p1000) * (1 + 1e-9); // so that rounding lifts nobody
  choose_axes(broad, reach, base);
  // The finest level: points need no cells finer than these.
  double finest = fmax(fmax(ldexp(base, -20), ldexp(spread, -30)), 0x1p-960);
  int steps = (int)ceil(log2(finest) - log2(base));
  for (int level = 0; level < LEVELS; level++)
    broad->per_cell[level] = fmax(1 / ldexp(base, steps + level), DBL_MIN);
}

static int level_of(const pc_broad *broad, const double box[6])
{
  double side = largest_side(box);
  if (!isfinite(side))
    return LARGE;
  double cells = side * broad->per_cell[0];
  int level = 0;
  if (!(cells < 0x1p64))
    return LARGE;
  if (cells > 1) {
    double mantissa = frexp(cells, &level);
    level -= mantissa == 0.5;
  }
  // Rounding may have put the ends of a box two cells apart: go up until they are not.
  for (; level < LEVELS; level++) {
    bool fits = true;
    for (int axis = 0; axis < 3 && fits; axis++)
      fits = cell_of(broad, level, axis, box[3 + axis]) <=
             cell_of(broad, level, axis, box[axis]) + UINT32_C(1);
    if (fits)
      return level;
  }
  return LARGE;
}

static void find_levels(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    piece *own = &broad->piece[p];
    memset(own->population, 0, sizeof own->population);
    int last = piece_begin(broad, broad->count, p + 1);
    for (int i = piece_begin(broad, broad->count, p); i < last; i++) {
      int level = is_there(broad, i) ? level_of(broad, broad->box[i]) : NOWHERE;
      broad->level[i] = (signed char)level;
      if (level >= 0)
        own->population[level]++;
    }
  }
}

static void count_entries(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    piece *own = &broad->piece[p];
    memset(own->segment, 0, sizeof own->segment);
    own->entries = own->larges = 0;
    int last = piece_begin(broad, broad->count, p + 1);
    for (int i = piece_begin(broad, broad->count, p); i < last; i++) {
      if (broad->level[i] > broad->coarsest)
        broad->level[i] = LARGE;
      own->larges += broad->level[i] == LARGE;
      if (broad->level[i] < 0)
        continue;
      own->entries++;
      own->segment[2 * broad->level[i] + is_fixed(broad, i)]++;
    }
  }
}

// The coarsest levels, while they have next to no boxes, join the large ones.
static void find_large(pc_broad *broad)
{
  int population[LEVELS] = {0}, more = 0, coarsest = LEVELS - 1;
  for (int p = 0; p < broad->pieces; p++)
    for (int level = 0; level < LEVELS; level++)
      population[level] += broad->piece[p].population[level];
  for (; coarsest > 0; coarsest--) {
    if (population[coarsest] > FEW || more + population[coarsest] > MAX_LARGE)
      break;
    more += population[coarsest];
  }
  broad->coarsest = coarsest;
  do_pieces(broad, count_entries);
  broad->large_count = broad->entry_count = 0;
  memset(broad->segment, 0, sizeof broad->segment);
  for (int p = 0; p < broad->pieces; p++) {
    piece *own = &broad->piece[p];
    int entries = own->entries, larges = own->larges;
    own->entries = broad->entry_count;
    own->larges = broad->large_count;
    broad->entry_count += entries;
    broad->large_count += larges;
    for (int k = 0; k < SEGMENTS; k++)
      broad->segment[k + 1] += own->segment[k];
  }
  for (int k = 0; k < SEGMENTS; k++)
    broad->segment[k + 1] += broad->segment[k];
}

// Entries, and the list of large ones.

static void fill_entries(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    piece *own = &broad->piece[p];
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0, 0, 0};
    int last = piece_begin(broad, broad->count, p + 1);
    for (int i = piece_begin(broad, broad->count, p); i < last; i++) {
      int level = broad->level[i];
      if (level == LARGE)
        broad->large[own->larges++] = i;
      if (level < 0)
        continue;
      uint32_t cell[3];
      for (int axis = 0; axis < 3; axis++) {
        cell[axis] = cell_of(broad, level, broad->axis[axis], broad->box[i][broad->axis[axis]]);
        low[axis] = cell[axis] < low[axis] ? cell[axis] : low[axis];
        high[axis] = cell[axis] > high[axis] ? cell[axis] : high[axis];
      }
      broad->entries[own->entries++] = (entry){(uint64_t)cell[2] << 32 | cell[1], cell[0], i};
    }
    memcpy(own->low, low, sizeof low);
    memcpy(own->high, high, sizeof high);
  }
}

static inline uint32_t sort_key(const pc_broad *broad, const entry *e, digit_kind kind)
{
  switch (kind) {
  case DIGIT_X:
    return e->x;
  case DIGIT_Y:
    return (uint32_t)e->row;
  case DIGIT_Z:
    return (uint32_t)(e->row >> 32);
  default:
    return (uint32_t)(2 * broad->level[e->object] + is_fixed(broad, e->object));
  }
}

static inline int digit_of(const pc_broad *broad, const entry *e, digit_kind kind)
{
  return (int)((sort_key(broad, e, kind) - broad->digit_low) >> broad->digit_shift & (DIGITS - 1));
}

static inline void count_kind(const pc_broad *broad, int begin, int end, digit_kind kind,
                              int *digit)
{
  for (int e = begin; e < end; e++)
    digit[digit_of(broad, &broad->entries[e], kind)]++;
}

static inline void scatter_kind(const pc_broad *broad, int begin, int end, digit_kind kind,
                                int *digit)
{
  for (int e = begin; e < end; e++)
    broad->sorted[digit[digit_of(broad, &broad->entries[e], kind)]++] = broad->entries[e];
}

static void count_digits(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    int first = piece_begin(broad, broad->entry_count, p);
    int last = piece_begin(broad, broad->entry_count, p + 1), *digit = broad->piece[p].digit;
    memset(digit, 0, sizeof broad->piece[p].digit);
    switch (broad->digit) { // each with a loop of its own
    case DIGIT_X:
      count_kind(broad, first, last, DIGIT_X, digit);
      break;
    case DIGIT_Y:
      count_kind(broad, first, last, DIGIT_Y, digit);
      break;
    case DIGIT_Z:
      count_kind(broad, first, last, DIGIT_Z, digit);
      break;
    case DIGIT_SEGMENT:
      count_kind(broad, first, last, DIGIT_SEGMENT, digit);
      break;
    }
  }
}

static void scatter(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int p = begin; p < end; p++) {
    int first = piece_begin(broad, broad->entry_count, p);
    int last = piece_begin(broad, broad->entry_count, p + 1), *digit = broad->piece[p].digit;
    switch (broad->digit) {
    case DIGIT_X:
      scatter_kind(broad, first, last, DIGIT_X, digit);
      break;
    case DIGIT_Y:
      scatter_kind(broad, first, last, DIGIT_Y, digit);
      break;
    case DIGIT_Z:
      scatter_kind(broad, first, last, DIGIT_Z, digit);
      break;
    case DIGIT_SEGMENT:
      scatter_kind(broad, first, last, DIGIT_SEGMENT, digit);
      break;
    }
  }
}

// One stable pass over some bits of one key; swaps the two arrays. Of a digit the entries of one
// piece come after those of the pieces before.
static void sort_pass(pc_broad *broad)
{
  int at = 0;
  do_pieces(broad, count_digits);
  for (int d = 0; d < DIGITS; d++)
    for (int p = 0; p < broad->pieces; p++) {
      int count = broad->piece[p].digit[d];
      broad->piece[p].digit[d] = at;
      at += count;
    }
  do_pieces(broad, scatter);
  entry *swap = broad->entries;
  int capacity = broad->entry_capacity;
  broad->entries = broad->sorted;
  broad->entry_capacity = broad->sorted_capacity;
  broad->sorted = swap;
  broad->sorted_capacity = capacity;
}

static void sort_by(pc_broad *broad, digit_kind kind, uint32_t low, uint32_t high)
{
  broad->digit = kind;
  broad->digit_low = low;
  for (int shift = 0; shift < 32 && high > low && (high - low) >> shift > 0; shift += DIGIT_BITS) {
    broad->digit_shift = shift;
    sort_pass(broad);
  }
}

static void sort_entries(pc_broad *broad)
{
  for (int axis = 0; axis < 3; axis++) {
    uint32_t low = UINT32_MAX, high = 0;
    for (int p = 0; p < broad->pieces; p++) {
      const piece *own = &broad->piece[p];
      low = own->low[axis] < low ? own->low[axis] : low;
      high = own->high[axis] > high ? own->high[axis] : high;
    }
    sort_by(broad, axis == 0 ? DIGIT_X : axis == 1 ? DIGIT_Y : DIGIT_Z, low, high);
  }
  uint32_t low = 0, high = SEGMENTS - 1;
  while (low < high && broad->segment[low + 1] == 0)
    low++;
  while (high > low && broad->segment[high] == broad->entry_count)
    high--;
  sort_by(broad, DIGIT_SEGMENT, low, high);
}

static void copy_boxes(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  for (int e = begin; e < end; e++)
    for (int axis = 0; axis < 3; axis++) {
      broad->sorted_box[e][2 * axis] = broad->box[broad->entries[e].object][axis];
      broad->sorted_box[e][2 * axis + 1] = -broad->box[broad->entries[e].object][3 + axis];
    }
}

// Rows by hash.

static inline uint64_t hash_row(uint64_t row, int segment)
{
  uint64_t h = (row ^ (uint64_t)segment << 57) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return h ^ h >> 32;
}

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
    low[axis] = cell_of(broad, level, of, box[of]) - 1;
    high[axis] = cell_of(broad, level, of, box[3 + of]);
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
    cells_around(broad, fine / 2, broad->box[broad->entries[e].object], low, high);
    rows += rows_around(low, high);
  }
  return rows <= most;
}

// Fixed boxes do not meet fixed ones; of one level those that move look for the fixed ones.
enum { MEETS_NOT, LOOKS_UP, LOOKS_DOWN };
static void choose_meetings(pc_broad *broad)
{
  broad->coarse = SEGMENTS;
  for (int fine = 0; fine < SEGMENTS; fine++)
    for (int coarse = fine + 1; coarse < SEGMENTS && !is_empty(broad, fine); coarse++) {
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
  uint64_t row = broad->entries[e].row;
  while (e < end && broad->entries[e].row == row)
    e++;
  return e;
}

static bool index_rows(pc_broad *broad)
{
  int rows = 0;
  broad->slot_count = 0;
  for (int s = 0; s < SEGMENTS; s++)
    if (is_asked(broad, s))
      for (int e = broad->segment[s]; e < broad->segment[s + 1]; rows++)
        e = row_end(broad, e, broad->segment[s + 1]);
  if (rows == 0)
    return true;
  int size = 16;
  while (size < 2 * (int64_t)rows && size < 1 << 30)
    size *= 2;
  if (!pc_grow(&broad->slots, &broad->slot_capacity, size, sizeof *broad->slots))
    return false;
  broad->slot_count = size;
  for (int k = 0; k < size; k++)
    broad->slots[k].segment = -1;
  for (int s = 0; s < SEGMENTS; s++) {
    if (!is_asked(broad, s))
      continue;
    for (int e = broad->segment[s], next; e < broad->segment[s + 1]; e = next) {
      next = row_end(broad, e, broad->segment[s + 1]);
      uint64_t k = hash_row(broad->entries[e].row, s);
      while (broad->slots[k & (uint64_t)(size - 1)].segment >= 0)
        k++;
      broad->slots[k & (uint64_t)(size - 1)] = (row_slot){broad->entries[e].row, s, e, next};
    }
  }
  return true;
}

static const row_slot *find_row(const pc_broad *broad, uint64_t row, int segment)
{
  uint64_t mask = (uint64_t)(broad->slot_count - 1);
  for (uint64_t k = hash_row(row, segment);; k++) {
    const row_slot *slot = &broad->slots[k & mask];
    if (slot->segment < 0)
      return NULL;
    if (slot->row == row && slot->segment == segment)
      return slot;
  }
}

// Pairs.

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline two load_two(const double *from)
{
  two out;
  memcpy(&out, from, sizeof out);
  return out;
}

// Entry e against entries begin .. end.
static inline void try_run(const pc_broad *broad, int e, int begin, int end, pair_list *found)
{
  if (begin >= end || !room(found, end - begin))
    return;
  const double *box = broad->sorted_box[e];
  // low of the other <= high, -high of the other <= -low
  two x = {-box[1], -box[0]}, y = {-box[3], -box[2]}, z = {-box[5], -box[4]};
  int object = broad->entries[e].object;
  for (int f = begin; f < end; f++) {
    const double *other = broad->sorted_box[f];
    two_masks in = (load_two(other) <= x) & (load_two(other + 2) <= y) & (load_two(other + 4) <= z);
    put(found, object, broad->entries[f].object, in[0] & in[1] & 1);
  }
}

static inline bool before(const entry *e, uint64_t row, uint32_t x)
{
  return e->row < row || (e->row == row && e->x < x);
}

static int first_not_before(const pc_broad *broad, int begin, int end, uint64_t row, uint32_t x)
{
  while (begin < end) {
    int half = begin + (end - begin) / 2;
    if (before(&broad->entries[half], row, x))
      begin = half + 1;
    else
      end = half;
  }
  return begin;
}

// Entries begin .. end of one segment against those of the same segment behind them: the rest of
// the own row, and the rows ahead.
static void sweep(const pc_broad *broad, int segment, int begin, int end, pair_list *found)
{
  static const uint64_t ahead[4] = {1, (UINT64_C(1) << 32) - 1, UINT64_C(1) << 32,
                                    (UINT64_C(1) << 32) + 1};
  const entry *entries = broad->entries;
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
static void look_up(const pc_broad *broad, int other, int begin, int end, pair_list *found)
{
  int level = other / 2;
  for (int e = begin; e < end; e++) {
    uint32_t low[3], high[3];
    cells_around(broad, level, broad->box[broad->entries[e].object], low, high);
    for (uint64_t z = low[2]; z <= high[2]; z++)
      for (uint64_t y = low[1]; y <= high[1]; y++) {
        uint64_t row = z << 32 | y;
        const row_slot *slot = find_row(broad, row, other);
        if (slot == NULL)
          continue;
        int from = first_not_before(broad, slot->begin, slot->end, row, low[0]), to = from;
        while (to < slot->end && broad->entries[to].x <= high[0])
          to++;
        try_run(broad, e, from, to, found);
      }
  }
}

static void find_pairs(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pair_list own = broad->found[worker], *found = &own; // not next to those of other workers
  for (int s = 0; s < SEGMENTS; s++) {
    int first = begin > broad->segment[s] ? begin : broad->segment[s];
    int last = end < broad->segment[s + 1] ? end : broad->segment[s + 1];
    if (first >= last)
      continue;
    if (!(s & 1))
      sweep(broad, s, first, last, found);
    for (int other = s + 1; other < SEGMENTS; other++)
      if (meets(broad, s, other, LOOKS_UP))
        look_up(broad, other, first, last, found);
  }
  broad->found[worker] = own;
}

// Entry e against those of a finer segment.
static void look_down(const pc_broad *broad, int fine, int e, pair_list *found)
{
  int begin = broad->segment[fine], end = broad->segment[fine + 1];
  uint32_t low[3], high[3];
  cells_around(broad, fine / 2, broad->box[broad->entries[e].object], low, high);
  for (uint64_t z = low[2]; z <= high[2]; z++)
    for (uint64_t y = low[1]; y <= high[1]; y++) {
      uint64_t row = z << 32 | y;
      int from = first_not_before(broad, begin, end, row, low[0]), to = from;
      while (to < end && broad->entries[to].row == row && broad->entries[to].x <= high[0])
        to++;
      try_run(broad, e, from, to, found);
      begin = to;
    }
}

// Entries from the first coarse one on: begin .. end.
static void find_finer(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pair_list own = broad->found[worker], *found = &own;
  int offset = broad->segment[broad->coarse];
  for (int coarse = broad->coarse; coarse < SEGMENTS; coarse++) {
    int first = begin + offset, last = end + offset;
    first = first > broad->segment[coarse] ? first : broad->segment[coarse];
    last = last < broad->segment[coarse + 1] ? last : broad->segment[coarse + 1];
    for (int fine = 0; fine < coarse && first < last; fine++)
      for (int e = first; e < last && meets(broad, fine, coarse, LOOKS_DOWN); e++)
        look_down(broad, fine, e, found);
  }
  broad->found[worker] = own;
}

// Objects begin .. end against the large ones.
static void find_large_pairs(void *context, int begin, int end, int worker)
{
  pc_broad *broad = context;
  pair_list own = broad->found[worker], *found = &own;
  for (int i = begin; i < end; i++) {
    if (broad->level[i] == NOWHERE || !room(found, broad->large_count))
      continue;
    bool large = broad->level[i] == LARGE, fixed = is_fixed(broad, i);
    for (int k = 0; k < broad->large_count; k++) {
      int j = broad->large[k];
      put(found, i, j,
          !(large && j <= i) && !(fixed && is_fixed(broad, j)) &&
              overlap(broad->box[i], broad->box[j]));
    }
  }
  broad->found[worker] = own;
}

// The order of the answer: pairs are dealt out by i, then each row is sorted by j.

static int compare_second(const void *a, const void *b)
{
  int x = ((const int *)a)[1], y = ((const int *)b)[1];
  return (x > y) - (x < y);
}

static void sort_rows(void *context, int begin, int end, int worker)
{
  enum { SHORT = 32 };
  pc_broad *broad = context;
  for (int i = begin; i < end; i++) {
    int(*pair)[2] = broad->pairs + broad->row[i];
    int n = broad->row[i + 1] - broad->row[i], sorted = 1;
    while (sorted < n && pair[sorted - 1][1] < pair[sorted][1])
      sorted++;
    if (sorted >= n)
      continue;
    if (n > SHORT) {
      qsort(pair, (size_t)n, sizeof *pair, compare_second);
      continue;
    }
    for (int k = sorted; k < n; k++) {
      int j = pair[k][1], at = k;
      for (; at > 0 && pair[at - 1][1] > j; at--)
        pair[at][1] = pair[at - 1][1];
      pair[at][1] = j;
    }
  }
}

// Dealers deal out the lists of some workers each, to places of their own.
enum { DEALERS = 8 };

typedef struct deal {
  pc_broad *broad;
  int workers, dealers;
} deal;

static void count_pairs(void *context, int begin, int end, int worker)
{
  const deal *d = context;
  for (int i = begin; i < end; i++) {
    int *next = d->broad->next + (size_t)d->broad->count * (size_t)i;
    memset(next, 0, (size_t)d->broad->count * sizeof *next);
    for (int w = d->workers * i / d->dealers; w < d->workers * (i + 1) / d->dealers; w++)
      for (int p = 0; p < d->broad->found[w].count; p++)
        next[d->broad->found[w].at[p][0]]++;
  }
}

static void deal_pairs(void *context, int begin, int end, int worker)
{
  const deal *d = context;
  for (int i = begin; i < end; i++) {
    int *next = d->broad->next + (size_t)d->broad->count * (size_t)i;
    for (int w = d->workers * i / d->dealers; w < d->workers * (i + 1) / d->dealers; w++)
      for (int p = 0; p < d->broad->found[w].count; p++) {
        const int *pair = d->broad->found[w].at[p];
        memcpy(d->broad->pairs[next[pair[0]]++], pair, sizeof *d->broad->pairs);
      }
  }
}

static pc_status collect(pc_broad *broad, int threads, const int (**pairs)[2], int *pair_count)
{
  int64_t total = 0;
  for (int w = 0; w < threads; w++) {
    if (broad->found[w].failed)
      return PC_ERROR_MEMORY;
    total += broad->found[w].count;
  }
  deal d = {broad, threads, threads < DEALERS ? threads : DEALERS};
  if (total >= INT32_MAX || broad->count >= (INT32_MAX - 2) / DEALERS ||
      !pc_grow(&broad->pairs, &broad->pair_capacity, (int)total + 1, sizeof *broad->pairs) ||
      !pc_grow(&broad->row, &broad->row_capacity, broad->count + 1, sizeof *broad->row) ||
      !pc_grow(&broad->next, &broad->next_capacity, broad->count * d.dealers, sizeof *broad->next))
    return PC_ERROR_MEMORY;
  int grain = broad->count < GRAIN ? d.dealers : 1;
  pc_parallel(threads, d.dealers, grain, count_pairs, &d);
  int at = 0;
  for (int i = 0; i < broad->count; i++) {
    broad->row[i] = at;
    for (int k = 0; k < d.dealers; k++) {
      int *next = &broad->next[(size_t)broad->count * (size_t)k + (size_t)i], found = *next;
      *next = at;
      at += found;
    }
  }
  broad->row[broad->count] = at;
  pc_parallel(threads, d.dealers, grain, deal_pairs, &d);
  pc_parallel(threads, broad->count, GRAIN, sort_rows, broad);
  *pairs = (const int(*)[2])broad->pairs;
  *pair_count = (int)total;
  return PC_OK;
}

static bool reserve(pc_broad *broad, int threads)
{
  int count = broad->count, known = broad->found_capacity;
  if (!pc_grow(&broad->found, &broad->found_capacity, threads, sizeof *broad->found))
    return false;
  for (int w = known; w < broad->found_capacity; w++)
    broad->found[w] = (pair_list){0};
  for (int w = 0; w < threads; w++) {
    broad->found[w].count = 0;
    broad->found[w].tests = 0;
    broad->found[w].failed = false;
  }
  broad->threads = threads;
  broad->pieces = threads < count / GRAIN ? threads : count / GRAIN;
  broad->pieces = broad->pieces < 1 ? 1 : broad->pieces < MAX_PIECES ? broad->pieces : MAX_PIECES;
  // Both lists of entries take part in the sort and change places.
  return pc_grow(&broad->entries, &broad->entry_capacity, count, sizeof *broad->entries) &&
         pc_grow(&broad->sorted, &broad->sorted_capacity, count, sizeof *broad->sorted) &&
         pc_grow(&broad->sorted_box, &broad->box_capacity, count, sizeof *broad->sorted_box) &&
         pc_grow(&broad->piece, &broad->piece_capacity, broad->pieces, sizeof *broad->piece) &&
         pc_grow(&broad->level, &broad->level_capacity, count, sizeof *broad->level) &&
         pc_grow(&broad->large, &broad->large_capacity, count, sizeof *broad->large);
}

// Each against each, in the order of the answer.
static pc_status try_all(pc_broad *broad, const int (**pairs)[2], int *pair_count)
{
  pair_list *found = &broad->found[0];
  int there[SMALL], fixed[SMALL];
  for (int i = 0; i < broad->count; i++) {
    fixed[i] = is_fixed(broad, i);
    there[i] = is_there(broad, i);
  }
  for (int i = 0; i < broad->count; i++) {
    if (!there[i] || !room(found, broad->count - 1 - i))
      continue;
    for (int j = i + 1; j < broad->count; j++)
      put(found, i, j,
          there[j] && !(fixed[i] && fixed[j]) && overlap(broad->box[i], broad->box[j]));
  }
  *pairs = (const int(*)[2])found->at;
  *pair_count = found->count;
  return found->failed ? PC_ERROR_MEMORY : PC_OK;
}

pc_status pc_broad_pairs(pc_broad *broad, int threads, int count, const double (*box)[6],
                         const unsigned char *fixed, const int (**pairs)[2], int *pair_count)
{
  *pairs = NULL;
  *pair_count = 0;
  if (count <= 0)
    return PC_OK;
  threads = threads < 1 ? 1 : threads;
  broad->count = count;
  broad->box = box;
  broad->fixed = fixed;
  if (!reserve(broad, threads))
    return PC_ERROR_MEMORY;
  if (count <= SMALL)
    return try_all(broad, pairs, pair_count);
  choose_cells(broad);
  do_pieces(broad, find_levels);
  find_large(broad);
  do_pieces(broad, fill_entries);
  sort_entries(broad);
  pc_parallel(threads, broad->entry_count, GRAIN, copy_boxes, broad);
  choose_meetings(broad);
  if (!index_rows(broad))
    return PC_ERROR_MEMORY;
  pc_parallel(threads, broad->entry_count, SEARCH_GRAIN, find_pairs, broad);
  if (broad->coarse < SEGMENTS)
    pc_parallel(threads, broad->entry_count - broad->segment[broad->coarse], COARSE_GRAIN,
                find_finer, broad);
  if (broad->large_count > 0)
    pc_parallel(threads, count, GRAIN, find_large_pairs, broad);
  return collect(broad, threads, pairs, pair_count);
}

static bool add_run(const pc_broad *broad, int begin, int end, pc_box_list *found)
{
  if (begin >= end)
    return true;
  if (!pc_grow(&found->at, &found->capacity, found->count + (end - begin), sizeof *found->at))
    return false;
  for (int e = begin; e < end; e++)
    found->at[found->count++] = broad->entries[e].object;
  return true;
}

// The entries of a segment in the cells that a box may meet.
static bool add_around(const pc_broad *broad, int segment, const double box[6], pc_box_list *found)
{
  enum { MANY_ROWS = 64 }; // then all of them are taken
  int level = segment / 2, begin = broad->segment[segment], end = broad->segment[segment + 1];
  uint32_t low[3], high[3];
  cells_around(broad, level, box, low, high);
  if (rows_around(low, high) > MANY_ROWS)
    return add_run(broad, begin, end, found);
  bool done = true;
  for (uint64_t z = low[2]; z <= high[2] && done; z++)
    for (uint64_t y = low[1]; y <= high[1] && done; y++) {
      uint64_t row = z << 32 | y;
      int from = first_not_before(broad, begin, end, row, low[0]), to = from;
      while (to < end && broad->entries[to].row == row && broad->entries[to].x <= high[0])
        to++;
      done = add_run(broad, from, to, found);
    }
  return done;
}

bool pc_broad_around(const pc_broad *broad, const double box[6], pc_box_list *found)
{
  found->count = 0;
  if (broad->count <= SMALL || !valid(box) ||
      !pc_grow(&found->at, &found->capacity, broad->large_count + 1, sizeof *found->at))
    return false;
  for (int k = 0; k < broad->large_count; k++)
    found->at[found->count++] = broad->large[k];
  bool done = true;
  for (int s = 0; s < SEGMENTS && done; s++)
    if (!is_empty(broad, s))
      done = add_around(broad, s, box, found);
  return done;
}

pc_status pc_broad_pairs_brute(pc_broad *broad, int count, const double (*box)[6],
                               const unsigned char *fixed, const int (**pairs)[2], int *pair_count)
{
  *pairs = NULL;
  *pair_count = 0;
  if (count <= 0)
    return PC_OK;
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      if (!valid(box[i]) || !valid(box[j]) || !overlap(box[i], box[j]))
        continue;
      if (fixed != NULL &&
          ((fixed[i] && fixed[j]) || fixed[i] == PC_BOX_ABSENT || fixed[j] == PC_BOX_ABSENT))
        continue;
      if (n == INT32_MAX - 1 ||
          !pc_grow(&broad->pairs, &broad->pair_capacity, n + 1, sizeof *broad->pairs))
        return PC_ERROR_MEMORY;
      broad->pairs[n][0] = i;
      broad->pairs[n++][1] = j;
    }
  *pairs = (const int(*)[2])broad->pairs;
  *pair_count = n;
  return PC_OK;
}
