#include "pair_list.h"

#include <stdlib.h>

bool pair_list_add(pair_list *list, int a, int b)
{
  if (list->count == list->room) {
    int room = 2 * list->room + 64;
    void *larger = realloc(list->at, (size_t)room * sizeof *list->at);
    if (larger == NULL)
      return false;
    list->at = larger;
    list->room = room;
  }
  list->at[list->count][0] = a < b ? a : b;
  list->at[list->count++][1] = a < b ? b : a;
  return true;
}

static int compare_pairs(const void *a, const void *b)
{
  const int *one = a, *two = b;
  return one[0] != two[0] ? (one[0] > two[0]) - (one[0] < two[0])
                          : (one[1] > two[1]) - (one[1] < two[1]);
}

void pair_list_sort(pair_list *list)
{
  if (list->count > 0)
    qsort(list->at, (size_t)list->count, sizeof *list->at, compare_pairs);
}

void pair_list_free(pair_list *list)
{
  free(list->at);
  *list = (pair_list){0};
}
