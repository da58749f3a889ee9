// Passages: which pairs of bodies do not touch because one has pierced the other.
#include "rigid/pierced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pc_pierced_free(pc_pierced *pierced)
{
  pc_array_free(&pierced->list);
  pc_array_free(&pierced->overlaps);
}

void pc_pierced_begin_search(pc_pierced *pierced)
{
  if (pierced->list.count > 0)
    memset(pierced->overlaps.at, 0, (size_t)pierced->list.count);
}

static int compare(const void *a, const void *b)
{
  const int *one = a, *two = b; // both begin with their bodies
  return pc_pair_is_before(one, two) ? -1 : pc_pair_is_before(two, one);
}

void pc_pierced_reorder(pc_pierced *pierced, const int *to)
{
  for (int i = 0; i < pierced->list.count; i++) {
    pc_pierced_pair *passage = &pierced->list.at[i];
    int a = to[passage->body[0]], b = to[passage->body[1]];
    passage->body[0] = a < b ? a : b;
    passage->body[1] = a < b ? b : a;
  }
  if (pierced->list.count > 1)
    qsort(pierced->list.at, (size_t)pierced->list.count, sizeof *pierced->list.at, compare);
}

static int find(const pc_pierced *pierced, const int pair[2])
{
  const pc_pierced_pair *list = pierced->list.at;
  int count = pierced->list.count, at = pc_pair_find(list, sizeof *list, count, pair);
  return at < count && list[at].body[0] == pair[0] && list[at].body[1] == pair[1] ? at : -1;
}

bool pc_pierced_add(pc_pierced *pierced, const int pair[2], double gap)
{
  int count = pierced->list.count, known = find(pierced, pair);
  double width = gap > 0 ? gap : 0;
  if (known >= 0) {
    pc_pierced_pair *passage = &pierced->list.at[known];
    passage->width = fmax(passage->width, width);
    return true;
  }
  if (!pc_array_reserve(&pierced->list, count + 1) ||
      !pc_array_reserve(&pierced->overlaps, count + 1))
    return false;
  pc_pierced_pair *list = pierced->list.at;
  int at = pc_pair_find(list, sizeof *list, count, pair);
  memmove(list + at + 1, list + at, sizeof *list * (size_t)(count - at));
  list[at] = (pc_pierced_pair){.body = {pair[0], pair[1]}, .width = width};
  pierced->list.count = count + 1;
  return true;
}

bool pc_pierced_hold(pc_pierced *pierced, int a, int b, const pc_contact_point *found, int count)
{
  int at = find(pierced, (const int[2]){a, b});
  if (at < 0)
    return false;
  for (int c = 0; c < count; c++)
    if (found[c].gap <= 0) // a pair is looked at by one thread
      pierced->overlaps.at[at] = 1;
  return true;
}
