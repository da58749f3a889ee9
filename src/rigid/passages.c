// Passages: which pairs of bodies do not touch because one has pierced the other.
#include "rigid/passages.h"

#include <stdlib.h>
#include <string.h>

void pc_passages_free(pc_passages *passages)
{
  pc_array_free(&passages->list);
  pc_array_free(&passages->overlaps);
}

void pc_passages_begin_search(pc_passages *passages)
{
  if (passages->list.count > 0)
    memset(passages->overlaps.at, 0, (size_t)passages->list.count);
}

static int compare(const void *a, const void *b)
{
  const int *one = a, *two = b; // both begin with their bodies
  return pc_pair_is_before(one, two) ? -1 : pc_pair_is_before(two, one);
}

void pc_passages_reorder(pc_passages *passages, const int *to)
{
  for (int i = 0; i < passages->list.count; i++) {
    pc_passage *passage = &passages->list.at[i];
    int a = to[passage->body[0]], b = to[passage->body[1]];
    passage->body[0] = a < b ? a : b;
    passage->body[1] = a < b ? b : a;
    for (int k = 0; k < 3 && b < a; k++)
      passage->normal[k] = -passage->normal[k];
  }
  if (passages->list.count > 1)
    qsort(passages->list.at, (size_t)passages->list.count, sizeof *passages->list.at, compare);
}

static int find(const pc_passages *passages, const int pair[2])
{
  const pc_passage *list = passages->list.at;
  int count = passages->list.count, at = pc_pair_find(list, sizeof *list, count, pair);
  return at < count && list[at].body[0] == pair[0] && list[at].body[1] == pair[1] ? at : -1;
}

bool pc_passages_add(pc_passages *passages, const pc_passage *passage)
{
  int count = passages->list.count;
  if (find(passages, passage->body) >= 0)
    return true;
  if (!pc_array_reserve(&passages->list, count + 1) ||
      !pc_array_reserve(&passages->overlaps, count + 1))
    return false;
  pc_passage *list = passages->list.at;
  int at = pc_pair_find(list, sizeof *list, count, passage->body);
  memmove(list + at + 1, list + at, sizeof *list * (size_t)(count - at));
  list[at] = *passage;
  passages->list.count = count + 1;
  return true;
}

bool pc_passages_hold(pc_passages *passages, int a, int b, const pc_contact_point *found, int count)
{
  int at = find(passages, (const int[2]){a, b});
  if (at < 0)
    return false;
  for (int c = 0; c < count; c++)
    if (found[c].gap <= 0) // a pair is looked at by one thread
      passages->overlaps.at[at] = 1;
  return true;
}
