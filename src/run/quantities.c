#include "run/quantities.h"

#include <stdio.h>
#include <string.h>

void pc_quantities_add(pc_quantities *q, const pc_quantity *one, pc_quantity_of of,
                       const char *group)
{
  pc_quantity *place = pc_array_add(&q->list);
  q->failed = q->failed || place == NULL;
  if (place == NULL)
    return;
  *place = *one;
  place->of = of;
  snprintf(place->group, sizeof place->group, "%.79s", group);
}

void pc_quantities_add_all(pc_quantities *q, int count, const pc_quantity *list, pc_quantity_of of,
                           const char *group)
{
  for (int i = 0; i < count; i++)
    pc_quantities_add(q, &list[i], of, group);
}

void pc_quantities_show(pc_quantities *q, const char *name)
{
  for (int i = 0; i < q->list.count; i++)
    if (q->list.at[i].of == PC_OF_RUN && strcmp(q->list.at[i].name, name) == 0)
      q->list.at[i].shown = PC_SHOW_MEAN;
}
