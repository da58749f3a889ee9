#include "percuss/crowd_measures.h"

#include <math.h>
#include <stdlib.h>

#include "crowd/crowd.h"

typedef struct walker {
  double across;
  int way; // 1 or -1
} walker;

static int by_place(const void *a, const void *b)
{
  double one = ((const walker *)a)->across, two = ((const walker *)b)->across;
  return (one > two) - (one < two);
}

// Sum over people; sorts them, so that a strip is a run of the list.
static double sum_of_orders(int count, walker *list, double width)
{
  int low = 0, high = 0, sum = 0;
  double order = 0, half = 0.5 * width;
  qsort(list, (size_t)count, sizeof *list, by_place);
  for (int i = 0; i < count; i++) {
    while (high < count && (high <= i || list[high].across - list[i].across < half))
      sum += list[high++].way;
    while (low < i && !(list[i].across - list[low].across < half))
      sum -= list[low++].way;
    double share = (double)sum / (high - low);
    order += share * share;
  }
  return order;
}

double pc_crowd_lane_order(int count, const double *across, const unsigned char *ahead,
                           double width)
{
  if (count < 1 || across == NULL || ahead == NULL)
    return NAN;
  walker *list = calloc((size_t)count + 1, sizeof *list);
  for (int i = 0; i < count && list != NULL; i++)
    list[i] = (walker){across[i], ahead[i] ? 1 : -1};
  double order = list != NULL && count > 0 ? sum_of_orders(count, list, width) / count : NAN;
  free(list);
  return order;
}

double pc_crowd_lanes(const pc_crowd *crowd, int axis, double width)
{
  if (crowd == NULL || (axis != 0 && axis != 1))
    return NAN;
  walker *list = calloc((size_t)crowd->people + 1, sizeof *list);
  double order = 0;
  int people = 0;
  for (int f = 0; f < crowd->floors.count && list != NULL; f++) {
    int count = 0;
    for (int i = 0; i < crowd->people; i++) {
      double wish = crowd->wish[i][axis];
      if (!crowd->there[i] || crowd->person[i].floor != f || wish == 0)
        continue;
      double place = crowd->place[i][1 - axis] - (axis == 1 ? crowd->floors.at[f].offset : 0);
      list[count++] = (walker){place, wish > 0 ? 1 : -1};
    }
    order += sum_of_orders(count, list, width);
    people += count;
  }
  free(list);
  return people > 0 ? order / people : NAN;
}
