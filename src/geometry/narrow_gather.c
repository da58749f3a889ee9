#include "geometry/narrow_gather.h"

static bool same(const pc_gathered *item, const pc_candidate *touch, pc_vec normal, double size)
{
  pc_vec d = pc_sub(item->touch.point, touch->point), e = pc_sub(item->normal, normal);
  return pc_dot(d, d) <= 1e-6 * size * size && pc_dot(e, e) <= 1e-6;
}

void pc_gather_add(pc_gather *gather, const pc_candidate *touch, pc_vec normal)
{
  double equal = 1e-9 * gather->size;
  for (int i = 0; i < gather->count; i++) {
    pc_gathered *item = &gather->item[i];
    if (!same(item, touch, normal, gather->size))
      continue;
    double less = item->touch.gap - touch->gap;
    if (less > equal || (less >= -equal && touch->feature < item->touch.feature))
      *item = (pc_gathered){*touch, normal};
    return;
  }
  if (gather->count == PC_GATHER_ROOM)
    pc_gather_reduce(gather, PC_GATHER_ROOM / 2);
  gather->item[gather->count++] = (pc_gathered){*touch, normal};
}

void pc_gather_reduce(pc_gather *gather, int keep)
{
  if (gather->count <= keep)
    return;
  double near[PC_GATHER_ROOM], size = gather->size;
  int best = 0;
  for (int i = 0; i < gather->count; i++) {
    near[i] = INFINITY;
    if (gather->item[i].touch.gap < gather->item[best].touch.gap - 1e-9 * size)
      best = i;
  }
  for (int taken = 0; taken < keep; taken++) {
    for (int i = taken; taken > 0 && i < gather->count; i++)
      if (i == taken || near[i] > near[best])
        best = i;
    pc_gathered item = gather->item[best];
    gather->item[best] = gather->item[taken];
    gather->item[taken] = item;
    near[best] = near[taken];
    for (int i = taken + 1; i < gather->count; i++) {
      pc_vec d = pc_sub(gather->item[i].touch.point, item.touch.point);
      pc_vec e = pc_sub(gather->item[i].normal, item.normal);
      near[i] = fmin(near[i], pc_dot(d, d) + size * size * pc_dot(e, e));
    }
  }
  gather->count = keep;
}
