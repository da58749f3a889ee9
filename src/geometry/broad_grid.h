// The inside of pc_broad, shared by the files of the broad phase.
#ifndef PERCUSS_GEOMETRY_BROAD_GRID_H
#define PERCUSS_GEOMETRY_BROAD_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "core/array.h"
#include "core/threads.h"
#include "geometry/broad.h"

enum {
  PC_GRID_LEVELS = 64,
  PC_GRID_SEGMENTS = 128,   // of each level the boxes that move, then those that are fixed
  PC_SIZE_BINS = 16,        // of the mantissa of a size, to choose the sizes of cells
  PC_SIZE_EXPONENTS = 2200, // of a size, from -PC_SIZE_BIAS on
  PC_SIZE_BIAS = 1100,
  PC_DIGIT_BITS = 11, // of a key, in one pass of the sort
  PC_DIGITS = 1 << PC_DIGIT_BITS,
  PC_BROAD_GRAIN = 1024,
  PC_BROAD_SMALL = 48, // up to so many boxes all pairs are tested
};
_Static_assert(PC_GRID_SEGMENTS == 2 * PC_GRID_LEVELS, "two of each level");

// In place of the level of a box: tested against all boxes; overlaps nothing.
enum { PC_BOX_LARGE = -1, PC_BOX_NOWHERE = -2 };

typedef struct pc_grid_entry {
  uint64_t row; // z, y
  uint32_t x;
  int object;
} pc_grid_entry;

typedef struct pc_row_slot {
  uint64_t row;
  int segment; // -1: free
  int begin, end;
} pc_row_slot;

typedef struct pc_pair_list {
  int (*at)[2];
  int count, capacity;
  int most;   // that it may have
  long tests; // of two boxes
  bool failed, full;
} pc_pair_list;

// Counts of one piece of the objects or of the entries; each piece is processed by one thread.
typedef struct pc_broad_piece {
  int bin[PC_SIZE_BINS];            // boxes by the mantissa of their size
  int exponents[PC_SIZE_EXPONENTS]; // and by its exponent
  double top[PC_SIZE_BINS];         // largest mantissa
  int population[PC_GRID_LEVELS];
  int segment[PC_GRID_SEGMENTS];
  int entries, larges;      // how many, then where the next goes
  uint32_t low[3], high[3]; // cells
  int digit[PC_DIGITS];     // how many, then where the next goes
} pc_broad_piece;

typedef enum pc_digit_kind {
  PC_DIGIT_GROUP,
  PC_DIGIT_X,
  PC_DIGIT_Y,
  PC_DIGIT_Z,
  PC_DIGIT_SEGMENT
} pc_digit_kind;

typedef PC_ARRAY(pc_grid_entry) pc_grid_entries;
// Low x, -high x, low y, ...: the same comparison serves both ends.
typedef double pc_sorted_box[6];
typedef int pc_index_pair[2];

struct pc_broad {
  // Of the current call.
  int threads, pieces;
  int coarsest; // level
  pc_digit_kind digit;
  uint32_t digit_low;
  int digit_shift;
  int count;
  const double (*box)[6];
  const unsigned char *fixed;
  const uint32_t *group; // NULL: all are 0
  int entry_count, large_count;
  int axis[3];                                             // of the box: x, y, z of the cells
  double middle[3], per_cell[PC_GRID_LEVELS];              // of the box; 1 / size of a cell
  int segment[PC_GRID_SEGMENTS + 1];                       // first entry of each segment
  unsigned char meets[PC_GRID_SEGMENTS][PC_GRID_SEGMENTS]; // finer, coarser: how they are searched
  int coarse;                                              // first segment that searches finer ones

  // Kept between calls for their memory only.
  pc_grid_entries entries, sorted;
  PC_ARRAY(pc_sorted_box) sorted_box;
  PC_ARRAY(int) alike;         // with groups: where the entries of the same cell and group end
  PC_ARRAY(signed char) level; // of each object; PC_BOX_LARGE or PC_BOX_NOWHERE
  PC_ARRAY(int) large;         // first those that move
  int large_moving;
  PC_ARRAY(pc_row_slot) slots;
  int slot_count;               // a power of two, or 0 if no row is searched
  PC_ARRAY(pc_pair_list) found; // one per worker
  PC_ARRAY(int) row;            // first pair of each object
  PC_ARRAY(int) next;           // per dealer: where its next pair of each object goes
  PC_ARRAY(pc_index_pair) pairs;
  PC_ARRAY(pc_broad_piece) piece;
};

// Inverted boxes and boxes with a NaN overlap nothing.
static inline bool pc_box_is_valid(const double b[6])
{
  return (b[0] <= b[3]) & (b[1] <= b[4]) & (b[2] <= b[5]);
}

static inline bool pc_broad_is_fixed(const pc_broad *broad, int i)
{
  return broad->fixed != NULL && broad->fixed[i] != 0;
}

static inline uint32_t pc_broad_group(const pc_broad *broad, int i)
{
  return broad->group != NULL ? broad->group[i] : 0;
}

static inline bool pc_broad_are_one_group(const pc_broad *broad, int i, int j)
{
  return broad->group != NULL && broad->group[i] != 0 && broad->group[i] == broad->group[j];
}

static inline bool pc_broad_is_there(const pc_broad *broad, int i)
{
  return pc_box_is_valid(broad->box[i]) &&
         (broad->fixed == NULL || broad->fixed[i] != PC_BOX_ABSENT);
}

// Work on begin .. end of the objects or entries, which are one piece. Results do not depend on how
// many pieces there are.
typedef void pc_piece_work(pc_broad *broad, pc_broad_piece *own, int begin, int end);
typedef struct pc_piece_job {
  pc_broad *broad;
  pc_piece_work *work;
  int count;
} pc_piece_job;

static inline void pc_broad_do_range(void *context, int first, int last, int worker)
{
  const pc_piece_job *job = context;
  int64_t count = job->count, pieces = job->broad->pieces;
  for (int p = first; p < last; p++)
    job->work(job->broad, &job->broad->piece.at[p], (int)(count * p / pieces),
              (int)(count * (p + 1) / pieces));
}

static inline void pc_broad_do_pieces(pc_broad *broad, int count, pc_piece_work *work)
{
  pc_piece_job job = {broad, work, count};
  pc_parallel(broad->threads, broad->pieces, 1, pc_broad_do_range, &job);
}

static inline bool pc_pair_list_room(pc_pair_list *list, int more)
{
  list->tests += more;
  list->full = list->full || list->count > list->most;
  if (list->full)
    return false;
  if (more <= list->capacity - list->count)
    return true;
  if (list->failed || more > INT32_MAX - list->count || !pc_array_reserve(list, list->count + more))
    list->failed = true;
  return !list->failed;
}

// Adds a pair; room must have been made before.
static inline void pc_pair_list_put(pc_pair_list *list, int i, int j, bool wanted)
{
  list->at[list->count][0] = i < j ? i : j;
  list->at[list->count][1] = i < j ? j : i;
  list->count += wanted;
}

// Cells are counted from the middle of the scene to 2^31 on both sides; positions beyond belong to
// the last cell. The axis is that of the box.
static inline uint32_t pc_cell_of(const pc_broad *broad, int level, int axis, double x)
{
  const double last = 2147483640.0;
  double scaled = (x - broad->middle[axis]) * broad->per_cell[level];
  scaled = scaled < -last ? -last : scaled > last ? last : scaled;
  int64_t cell = (int64_t)scaled;
  cell -= (double)cell > scaled;
  return (uint32_t)(cell + (INT64_C(1) << 31)); // never 0, never the last: room for neighbours
}

// broad_cells.c
// Chooses the sizes of cells and puts every box in one, or among the large ones.
void pc_broad_fill(pc_broad *broad);

// broad_sort.c
// Sorts entries by segment, z, y, x, group, and copies their boxes in that order. False when memory
// is out.
bool pc_broad_sort(pc_broad *broad);

// broad_search.c
//
// Finds the overlapping pairs, in one list per worker; false when memory is out.
bool pc_broad_search(pc_broad *broad);

// broad_order.c
// The pairs of all workers in order, at most so many. PC_OK or an error of pc_broad_pairs.
pc_status pc_broad_collect(pc_broad *broad, int most, const int (**pairs)[2], int *pair_count);

#endif
