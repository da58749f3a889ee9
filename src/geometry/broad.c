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
#include <stdlib.h>

#include "geometry/broad_grid.h"

enum { MAX_PIECES = 64 };

pc_broad *pc_broad_create(void)
{
  return calloc(1, sizeof(pc_broad));
}

void pc_broad_destroy(pc_broad *broad)
{
  if (broad == NULL)
    return;
  for (int w = 0; w < broad->found.capacity; w++)
    free(broad->found.at[w].at);
  free(broad->found.at);
  free(broad->entries.at);
  free(broad->sorted.at);
  free(broad->sorted_box.at);
  free(broad->alike.at);
  free(broad->level.at);
  free(broad->large.at);
  free(broad->slots.at);
  free(broad->row.at);
  free(broad->next.at);
  free(broad->pairs.at);
  free(broad->piece.at);
  free(broad);
}

long pc_broad_tests(const pc_broad *broad)
{
  long sum = 0;
  for (int w = 0; w < broad->found.capacity; w++)
    sum += broad->found.at[w].tests;
  return sum;
}

static bool reserve(pc_broad *broad, int threads, int most)
{
  int count = broad->count, known = broad->found.capacity;
  if (!pc_array_reserve(&broad->found, threads))
    return false;
  for (int w = known; w < broad->found.capacity; w++)
    broad->found.at[w] = (pc_pair_list){0};
  for (int w = 0; w < threads; w++) {
    broad->found.at[w].count = 0;
    broad->found.at[w].tests = 0;
    broad->found.at[w].failed = broad->found.at[w].full = false;
    broad->found.at[w].most = most;
  }
  broad->threads = threads;
  broad->pieces = threads < count / PC_BROAD_GRAIN ? threads : count / PC_BROAD_GRAIN;
  broad->pieces = broad->pieces < 1 ? 1 : broad->pieces < MAX_PIECES ? broad->pieces : MAX_PIECES;
  // Both lists of entries take part in the sort and change places.
  return pc_array_reserve(&broad->entries, count) && pc_array_reserve(&broad->sorted, count) &&
         pc_array_reserve(&broad->sorted_box, count) &&
         pc_array_reserve(&broad->piece, broad->pieces) && pc_array_reserve(&broad->level, count) &&
         pc_array_reserve(&broad->large, count);
}

// Tests all pairs, in the order of the answer.
static pc_status try_all(pc_broad *broad, const int (**pairs)[2], int *pair_count)
{
  pc_pair_list *found = &broad->found.at[0];
  int there[PC_BROAD_SMALL], fixed[PC_BROAD_SMALL];
  for (int i = 0; i < broad->count; i++) {
    fixed[i] = pc_broad_is_fixed(broad, i);
    there[i] = pc_broad_is_there(broad, i);
  }
  for (int i = 0; i < broad->count; i++) {
    if (!there[i] || !pc_pair_list_room(found, broad->count - 1 - i))
      continue;
    for (int j = i + 1; j < broad->count; j++)
      pc_pair_list_put(found, i, j,
                       there[j] && !(fixed[i] && fixed[j]) &&
                           !pc_broad_are_one_group(broad, i, j) &&
                           pc_boxes_overlap(broad->box[i], broad->box[j]));
  }
  *pairs = (const int(*)[2])found->at;
  *pair_count = found->count;
  return found->failed ? PC_ERROR_MEMORY : PC_OK;
}

// Most worlds have none, and need not look at them box by box.
static bool has_groups(const pc_boxes *boxes)
{
  for (int i = 0; i < boxes->count && boxes->group != NULL; i++)
    if (boxes->group[i] != 0)
      return true;
  return false;
}

// What pc_broad_around does not need.
static void shed(pc_broad *broad)
{
  pc_array_shed(&broad->sorted);
  pc_array_shed(&broad->sorted_box);
  pc_array_shed(&broad->row);
  pc_array_shed(&broad->next);
  for (int w = 0; w < broad->found.capacity; w++)
    pc_array_shed(&broad->found.at[w]);
}

pc_status pc_broad_pairs(pc_broad *broad, int threads, const pc_boxes *boxes,
                         const int (**pairs)[2], int *pair_count)
{
  int count = boxes->count;
  int most = boxes->most > 0 && boxes->most < INT32_MAX ? (int)boxes->most : INT32_MAX - 1;
  *pairs = NULL;
  *pair_count = 0;
  if (count <= 0)
    return PC_OK;
  threads = threads < 1 ? 1 : threads;
  broad->count = count;
  broad->box = boxes->box;
  broad->fixed = boxes->fixed;
  broad->group = has_groups(boxes) ? boxes->group : NULL;
  if (!reserve(broad, threads, most))
    return PC_ERROR_MEMORY;
  if (count <= PC_BROAD_SMALL)
    return try_all(broad, pairs, pair_count);
  pc_broad_fill(broad);
  pc_status status = pc_broad_sort(broad) && pc_broad_search(broad)
                         ? pc_broad_collect(broad, most, pairs, pair_count)
                         : PC_ERROR_MEMORY;
  shed(broad);
  return status;
}
