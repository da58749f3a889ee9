// The list of contacts of a pair.
#include "geometry/narrow_pair.h"

void pc_pair_add(pc_pair *pair, pc_vec point, pc_vec normal, double gap, uint64_t feature)
{
  if (!(gap <= pair->margin))
    return;
  pc_contact_list *list = pair->list;
  if (list->count == list->capacity && !pc_array_reserve(list, list->count + 1)) {
    pair->failed = true;
    return;
  }
  pc_contact_point *contact = &list->at[list->count++];
  pc_vec_store(pc_add(pair->origin, point), contact->point);
  pc_vec_store(pair->swapped ? pc_scale(-1, normal) : normal, contact->normal);
  contact->gap = gap;
  contact->feature = pair->key << 40 | feature;
}

static void swap_candidates(pc_candidate *a, pc_candidate *b)
{
  pc_candidate t = *a;
  *a = *b;
  *b = t;
}

// Four points carry a flat contact: the deepest, the farthest from it, and on each side of the line
// through these the one that spans the largest triangle. Among equals the first stays, so that a
// resting body keeps its points.
int pc_reduce_candidates(int count, pc_candidate *touch, pc_vec normal, double size)
{
  if (count <= PC_PAIR_POINTS)
    return count;
  double slack = 1e-6 * size, most = 0;
  int best = 0;
  for (int i = 1; i < count; i++)
    if (touch[i].gap < touch[best].gap - slack)
      best = i;
  swap_candidates(&touch[0], &touch[best]);
  best = 1;
  for (int i = 1; i < count; i++) {
    pc_vec d = pc_sub(touch[i].point, touch[0].point);
    double far = pc_dot(d, d);
    if (far > most * (1 + 1e-6) + slack * slack)
      most = far, best = i;
  }
  swap_candidates(&touch[1], &touch[best]);
  int taken = 2;
  for (int turn = 0; turn < 2; turn++) {
    pc_vec side = pc_times(normal, pc_sub(touch[turn ^ 1].point, touch[turn].point));
    best = -1, most = slack * slack;
    for (int i = taken; i < count; i++) {
      double area = pc_dot(side, pc_sub(touch[i].point, touch[0].point));
      if (area > most * (1 + 1e-6))
        most = area, best = i;
    }
    if (best >= 0)
      swap_candidates(&touch[taken++], &touch[best]);
  }
  return taken;
}

void pc_pair_add_spread(pc_pair *pair, int count, pc_candidate *touch, pc_vec normal)
{
  int near = 0;
  for (int i = 0; i < count; i++)
    if (touch[i].gap <= pair->margin)
      touch[near++] = touch[i];
  count = pc_reduce_candidates(near, touch, normal, pair->size);
  for (int i = 0; i < count; i++)
    pc_pair_add(pair, touch[i].point, normal, touch[i].gap, touch[i].feature);
}
