#include "crowd/spots.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/array.h"
#include "core/elementary.h"

static const double CELL = 0.5;

typedef struct spot {
  double centre[2], radius;
  int number, floor, next;
} spot;

// Lists of cells, by a hash of the cell.
struct pc_spots {
  PC_ARRAY(spot) spots;
  int *first;
  int lists; // a power of two
  double largest;
};

pc_spots *pc_spots_create(void)
{
  return calloc(1, sizeof(pc_spots));
}

void pc_spots_destroy(pc_spots *spots)
{
  if (spots == NULL)
    return;
  pc_array_free(&spots->spots);
  free(spots->first);
  free(spots);
}

static int list_of(const pc_spots *spots, int floor, double column, double row)
{
  uint64_t hash = (uint64_t)(int64_t)column * UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ (uint64_t)(int64_t)row) * UINT64_C(0xc2b2ae3d27d4eb4f);
  hash = (hash ^ (uint64_t)floor) * UINT64_C(0x165667b19e3779f9);
  return (int)((hash >> 32) & (uint64_t)(spots->lists - 1));
}

static void enter(pc_spots *spots, int i)
{
  spot *own = &spots->spots.at[i];
  int list = list_of(spots, own->floor, floor(own->centre[0] / CELL), floor(own->centre[1] / CELL));
  own->next = spots->first[list];
  spots->first[list] = i;
}

bool pc_spots_take(pc_spots *spots, int number, int floor, const double centre[2], double radius)
{
  spot *own = pc_array_add(&spots->spots);
  if (own == NULL)
    return false;
  *own =
      (spot){.centre = {centre[0], centre[1]}, .radius = radius, .number = number, .floor = floor};
  spots->largest = fmax(spots->largest, radius);
  int count = spots->spots.count;
  if (count <= spots->lists) {
    enter(spots, count - 1);
    return true;
  }
  int lists = spots->lists > 0 ? 4 * spots->lists : 64;
  int *first = realloc(spots->first, (size_t)lists * sizeof *first);
  if (first == NULL) {
    spots->spots.count--;
    return false;
  }
  spots->first = first;
  spots->lists = lists;
  for (int k = 0; k < lists; k++)
    first[k] = -1;
  for (int k = 0; k < count; k++)
    enter(spots, k);
  return true;
}

int pc_spots_find(const pc_spots *spots, int floor_number, const double centre[2], double radius)
{
  double reach = radius + spots->largest, low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = floor((centre[k] - reach) / CELL);
    high[k] = floor((centre[k] + reach) / CELL);
  }
  for (double row = low[1]; row <= high[1] && spots->lists > 0; row++)
    for (double column = low[0]; column <= high[0]; column++)
      for (int i = spots->first[list_of(spots, floor_number, column, row)]; i >= 0;
           i = spots->spots.at[i].next) {
        const spot *s = &spots->spots.at[i];
        if (s->floor == floor_number &&
            pc_hypot(s->centre[0] - centre[0], s->centre[1] - centre[1]) < s->radius + radius)
          return s->number;
      }
  return -1;
}
