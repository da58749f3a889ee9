#include "scene/knots.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static int64_t square_of(const pc_knots *knots, int axis, double x)
{
  return (int64_t)floor((x - knots->low[axis]) / (2 * knots->reach));
}

static int place_of(const pc_knots *knots, int64_t x, int64_t y)
{
  uint64_t mixed = ((uint64_t)x * 0x9e3779b97f4a7c15u) ^ ((uint64_t)y * 0xc2b2ae3d27d4eb4fu);
  return (int)((mixed ^ mixed >> 29) & (uint64_t)(knots->places - 1));
}

static void enter(pc_knots *knots, int i)
{
  pc_knot *point = &knots->list.at[i];
  int *place = &knots->table[place_of(knots, square_of(knots, 0, point->at[0]),
                                      square_of(knots, 1, point->at[1]))];
  point->next = *place;
  *place = i;
}

static bool enlarge_table(pc_knots *knots)
{
  int places = knots->places > 0 ? 4 * knots->places : 64;
  int *table = malloc((size_t)places * sizeof *table);
  if (table == NULL)
    return false;
  free(knots->table);
  knots->table = table;
  knots->places = places;
  for (int i = 0; i < places; i++)
    table[i] = -1;
  for (int i = 0; i < knots->list.count; i++)
    enter(knots, i);
  return true;
}

// The first point within `reach`, or INT_MAX.
static int find_point(const pc_knots *knots, double x, double y)
{
  int64_t column = square_of(knots, 0, x), row = square_of(knots, 1, y);
  int best = INT_MAX;
  for (int64_t p = column - 1; p <= column + 1; p++)
    for (int64_t q = row - 1; q <= row + 1; q++)
      for (int i = knots->table[place_of(knots, p, q)]; i >= 0; i = knots->list.at[i].next)
        if (i < best && fabs(knots->list.at[i].at[0] - x) <= knots->reach &&
            fabs(knots->list.at[i].at[1] - y) <= knots->reach)
          best = i;
  return best;
}

int pc_knots_add(pc_knots *knots, double x, double y)
{
  if (knots->list.count >= knots->places && !enlarge_table(knots))
    return -1;
  int found = find_point(knots, x, y);
  if (found < knots->list.count)
    return found;
  pc_knot *added = pc_array_add(&knots->list);
  if (added == NULL)
    return -1;
  *added = (pc_knot){.at = {x, y}, .first = -1};
  enter(knots, knots->list.count - 1);
  return knots->list.count - 1;
}

void pc_knots_free(pc_knots *knots)
{
  pc_array_free(&knots->list);
  free(knots->table);
}
