#include "run/quantities.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"

void pc_quantities_add(pc_quantities *q, const pc_quantity *one, pc_quantity_of of,
                       const char *group)
{
  if (!pc_grow(&q->item, &q->capacity, q->count + 1, sizeof *q->item)) {
    q->failed = true;
    return;
  }
  pc_quantity *place = &q->item[q->count++];
  *place = *one;
  place->of = of;
  snprintf(place->group, sizeof place->group, "%.79s", group);
}

void pc_quantities_show(pc_quantities *q, const char *name)
{
  for (int i = 0; i < q->count; i++)
    if (q->item[i].of == PC_OF_RUN && strcmp(q->item[i].name, name) == 0)
      q->item[i].shown = PC_SHOW_MEAN;
}
