// Broad phase: sizes of cells, the level and the cell of each box. See broad.c.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/sort.h"
#include "geometry/broad_grid.h"

enum {
  SAMPLE = 64,
  FEW = 4,        // so many boxes alone in the coarsest level are tested against all,
  MAX_LARGE = 16, // but not more than this in sum, if they are finite
};

static inline double largest_side(const double b[6])
{
  return fmax(fmax(b[3] - b[0], b[4] - b[1]), b[5] - b[2]);
}

// The middle of the scene and its extent, without outliers.
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
    qsort(sample, (size_t)n, sizeof *sample, pc_compare_doubles);
    broad->middle[axis] = sample[n / 2];
    reach[axis] = sample[n - 1 - n / 32] - sample[n / 32];
    spread = fmax(spread, reach[axis]);
  }
  return fmin(spread, 0x1p1000);
}

// Sorts the axes by extent. If the shortest extent is only a few cells, the middle one comes first.
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

static void measure_sizes(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  memset(own->bin, 0, sizeof own->bin);
  memset(own->exponents, 0, sizeof own->exponents);
  memset(own->top, 0, sizeof own->top);
  for (int i = begin; i < end; i++) {
    double side = pc_broad_is_there(broad, i) ? largest_side(broad->box[i]) : 0;
    if (!(side > 0 && isfinite(side)))
      continue;
    int exponent;
    double mantissa = frexp(side, &exponent); // 0.5 .. 1
    int b = (int)((mantissa - 0.5) * (2 * PC_SIZE_BINS));
    own->bin[b]++;
    own->top[b] = mantissa > own->top[b] ? mantissa : own->top[b];
    own->exponents[exponent + PC_SIZE_BIAS]++;
  }
}

// Sizes of cells: base 2^k, with the base that makes cells fit the boxes best. The search is
// cheapest when the mean ratio of the volume of a cell to that of its box is smallest.
static void choose_cells(pc_broad *broad)
{
  int bin[PC_SIZE_BINS] = {0}, exponents[PC_SIZE_EXPONENTS] = {0}, usual = 0;
  double top[PC_SIZE_BINS] = {0};
  pc_broad_do_pieces(broad, broad->count, measure_sizes);
  for (int p = 0; p < broad->pieces; p++) {
    const pc_broad_piece *own = &broad->piece.at[p];
    for (int b = 0; b < PC_SIZE_BINS; b++) {
      bin[b] += own->bin[b];
      top[b] = fmax(top[b], own->top[b]);
    }
    for (int e = 0; e < PC_SIZE_EXPONENTS; e++)
      exponents[e] += own->exponents[e];
  }
  for (int e = 1; e < PC_SIZE_EXPONENTS; e++)
    if (exponents[e] > exponents[usual])
      usual = e;

  double least = INFINITY, base = 1;
  for (int k = 0; k < PC_SIZE_BINS; k++) {
    double cost = 0;
    for (int b = 0; b < PC_SIZE_BINS && bin[k] > 0; b++)
      if (bin[b] > 0)
        cost += bin[b] * pc_pow(top[k] * (top[b] > top[k] ? 2 : 1) / top[b], 3);
    if (bin[k] > 0 && cost < least) {
      least = cost;
      base = top[k];
    }
  }
  double reach[3], spread = find_middle(broad, reach);
  if (isinf(least))
    base = spread > 0 ? spread : 1; // points only
  else
    base = fmin(ldexp(base, usual - PC_SIZE_BIAS), 0x1p1000) *
           (1 + 1e-9); // so that rounding moves no box to a coarser level
  choose_axes(broad, reach, base);
  // The finest level: points need no cells finer than these.
  double finest = fmax(fmax(ldexp(base, -20), ldexp(spread, -30)), 0x1p-960);
  int steps = (int)ceil(pc_log2(finest) - pc_log2(base));
  for (int level = 0; level < PC_GRID_LEVELS; level++)
    broad->per_cell[level] = fmax(1 / ldexp(base, steps + level), DBL_MIN);
}

static int level_of(const pc_broad *broad, const double box[6])
{
  double side = largest_side(box);
  if (!isfinite(side))
    return PC_BOX_LARGE;
  double cells = side * broad->per_cell[0];
  int level = 0;
  if (!(cells < 0x1p64))
    return PC_BOX_LARGE;
  if (cells > 1) {
    double mantissa = frexp(cells, &level);
    level -= mantissa == 0.5;
  }
  // Rounding may have put the ends of a box two cells apart: go up until they are not.
  for (; level < PC_GRID_LEVELS; level++) {
    bool fits = true;
    for (int axis = 0; axis < 3 && fits; axis++)
      fits = pc_cell_of(broad, level, axis, box[3 + axis]) <=
             pc_cell_of(broad, level, axis, box[axis]) + UINT32_C(1);
    if (fits)
      return level;
  }
  return PC_BOX_LARGE;
}

static void find_levels(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  memset(own->population, 0, sizeof own->population);
  for (int i = begin; i < end; i++) {
    int level = pc_broad_is_there(broad, i) ? level_of(broad, broad->box[i]) : PC_BOX_NOWHERE;
    broad->level.at[i] = (signed char)level;
    if (level >= 0)
      own->population[level]++;
  }
}

static void count_entries(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  memset(own->segment, 0, sizeof own->segment);
  own->entries = own->larges = 0;
  for (int i = begin; i < end; i++) {
    if (broad->level.at[i] > broad->coarsest)
      broad->level.at[i] = PC_BOX_LARGE;
    own->larges += broad->level.at[i] == PC_BOX_LARGE;
    if (broad->level.at[i] < 0)
      continue;
    own->entries++;
    own->segment[2 * broad->level.at[i] + pc_broad_is_fixed(broad, i)]++;
  }
}

// Boxes of the coarsest levels count as large while these levels are almost empty.
static void find_large(pc_broad *broad)
{
  int population[PC_GRID_LEVELS] = {0}, more = 0, coarsest = PC_GRID_LEVELS - 1;
  for (int p = 0; p < broad->pieces; p++)
    for (int level = 0; level < PC_GRID_LEVELS; level++)
      population[level] += broad->piece.at[p].population[level];
  for (; coarsest > 0; coarsest--) {
    if (population[coarsest] > FEW || more + population[coarsest] > MAX_LARGE)
      break;
    more += population[coarsest];
  }
  broad->coarsest = coarsest;
  pc_broad_do_pieces(broad, broad->count, count_entries);
  broad->large_count = broad->entry_count = 0;
  memset(broad->segment, 0, sizeof broad->segment);
  for (int p = 0; p < broad->pieces; p++) {
    pc_broad_piece *own = &broad->piece.at[p];
    int entries = own->entries, larges = own->larges;
    own->entries = broad->entry_count;
    own->larges = broad->large_count;
    broad->entry_count += entries;
    broad->large_count += larges;
    for (int k = 0; k < PC_GRID_SEGMENTS; k++)
      broad->segment[k + 1] += own->segment[k];
  }
  for (int k = 0; k < PC_GRID_SEGMENTS; k++)
    broad->segment[k + 1] += broad->segment[k];
}

static void fill_entries(pc_broad *broad, pc_broad_piece *own, int begin, int end)
{
  uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0, 0, 0};
  for (int i = begin; i < end; i++) {
    int level = broad->level.at[i];
    if (level == PC_BOX_LARGE)
      broad->large.at[own->larges++] = i;
    if (level < 0)
      continue;
    uint32_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
      cell[axis] = pc_cell_of(broad, level, broad->axis[axis], broad->box[i][broad->axis[axis]]);
      low[axis] = cell[axis] < low[axis] ? cell[axis] : low[axis];
      high[axis] = cell[axis] > high[axis] ? cell[axis] : high[axis];
    }
    broad->entries.at[own->entries++] =
        (pc_grid_entry){(uint64_t)cell[2] << 32 | cell[1], cell[0], i};
  }
  memcpy(own->low, low, sizeof low);
  memcpy(own->high, high, sizeof high);
}

// Fixed ones, which are not tested against each other, come last.
static void sort_large(pc_broad *broad)
{
  int *large = broad->large.at, moving = 0;
  for (int k = 0; k < broad->large_count; k++)
    if (!pc_broad_is_fixed(broad, large[k])) {
      int other = large[moving];
      large[moving++] = large[k];
      large[k] = other;
    }
  broad->large_moving = moving;
}

void pc_broad_fill(pc_broad *broad)
{
  choose_cells(broad);
  pc_broad_do_pieces(broad, broad->count, find_levels);
  find_large(broad);
  pc_broad_do_pieces(broad, broad->count, fill_entries);
  sort_large(broad);
}
