#include "impact/pack_subset.h"

#include <string.h>

bool pc_subset_create(pc_pack_subset *subset, const pc_packs *all, pc_arena *arena)
{
  pc_packs *part = &subset->part;
  subset->all = all;
  *part = *all;
  // Every run may end with idle lanes.
  subset->room = all->packs / 3 + PC_STOREYS * all->runs + all->packs - all->rest;
  size_t lanes = (size_t)subset->room * PC_LANES, size = pc_pack_number(all);
  part->packs = subset->room;
  part->pair = pc_arena_take_raw(arena, 2 * lanes, sizeof(int));
  part->field = pc_arena_take_raw(arena, lanes * (size_t)all->fields, size);
  part->test = pc_arena_take_raw(arena, lanes * (size_t)all->tests, size);
  part->r = pc_arena_take_raw(arena, lanes * (size_t)all->numbers, size);
  part->run = pc_arena_take_raw(arena, (size_t)all->runs, sizeof(pc_pack_run));
  subset->from = pc_arena_take_raw(arena, lanes, sizeof(int));
  subset->marked = pc_arena_take_raw(arena, (size_t)all->lines, 1);
  return !arena->failed;
}

static void mark(pc_pack_subset *subset, const void *line, const void *r, double above)
{
  const pc_packs *all = subset->all;
  memset(subset->marked, 0, (size_t)all->lines);
  for (int p = 0; p < all->packs; p++) {
    pc_map_size size;
    all->kernels->residual(all, line, r, p, p + 1, &size);
    for (int l = 0; l < 2 * PC_LANES && size.largest > above * above; l++)
      subset->marked[all->pair[2L * PC_LANES * p + l]] = 1;
  }
  subset->marked[0] = 0;
}

#define COPY_LANE(number, to, from)                                                                \
  for (int i = 0; i < count; i++)                                                                  \
  ((number *)(to))[to_at + i * PC_LANES] = ((const number *)(from))[from_at + i * PC_LANES]

// `count` numbers of a lane.
static void copy_lane(bool single, int count, void *to, int to_place, const void *from,
                      int from_place)
{
  long to_at = (long)count * PC_LANES * (to_place / PC_LANES) + to_place % PC_LANES;
  long from_at = (long)count * PC_LANES * (from_place / PC_LANES) + from_place % PC_LANES;
  if (single)
    COPY_LANE(float, to, from);
  else
    COPY_LANE(double, to, from);
}

static void copy_place(pc_pack_subset *subset, int to, int from, const void *r)
{
  const pc_packs *all = subset->all;
  pc_packs *part = &subset->part;
  for (int side = 0; side < 2; side++)
    part->pair[(2L * (to / PC_LANES) + side) * PC_LANES + to % PC_LANES] =
        all->pair[(2L * (from / PC_LANES) + side) * PC_LANES + from % PC_LANES];
  copy_lane(all->single, all->fields, part->field, to, all->field, from);
  copy_lane(all->single, all->tests, part->test, to, all->test, from);
  copy_lane(all->single, all->numbers, part->r, to, r, from);
  subset->from[to] = from;
  part->contacts++;
}

// The stacks of a run that touch a marked line, one lane after the other.
static void take_run(pc_pack_subset *subset, const pc_pack_run *run, const void *r)
{
  const pc_packs *all = subset->all;
  pc_packs *part = &subset->part;
  int lane = PC_LANES;
  for (int p = run->first; p < run->last && part->packs <= subset->room; p += run->storeys)
    for (int l = 0; l < PC_LANES; l++) {
      const int *pair = all->pair + 2L * PC_LANES * p + l;
      if (!subset->marked[pair[0]] && !subset->marked[pair[PC_LANES]])
        continue;
      if (lane == PC_LANES) {
        lane = 0;
        part->packs += run->storeys;
        if (part->packs > subset->room)
          return;
      }
      for (int s = 0; s < run->storeys; s++)
        copy_place(subset, (part->packs - run->storeys + s) * PC_LANES + lane,
                   (p + s) * PC_LANES + l, r);
      lane++;
    }
  for (int p = part->packs - run->storeys; lane < PC_LANES; lane++)
    for (int s = 0; s < run->storeys; s++) {
      pc_packs_leave_idle(part, (p + s) * PC_LANES + lane);
      subset->from[(p + s) * PC_LANES + lane] = -1;
    }
}

bool pc_subset_take(pc_pack_subset *subset, const void *line, const void *r, double above)
{
  const pc_packs *all = subset->all;
  pc_packs *part = &subset->part;
  int chunk = 0;
  mark(subset, line, r, above);
  part->packs = part->contacts = 0;
  for (int i = 0; i < all->runs; i++) {
    pc_pack_run *run = &part->run[i];
    *run = all->run[i];
    run->first = part->packs;
    run->chunk = chunk;
    take_run(subset, &all->run[i], r);
    if (part->packs > subset->room)
      return false;
    run->last = part->packs;
    chunk += pc_run_chunks(run);
  }
  part->rest = part->packs;
  for (int p = all->rest; p < all->packs && part->packs < subset->room; p++) {
    const int *pair = all->pair + 2L * PC_LANES * p;
    if (!subset->marked[pair[0]] && !subset->marked[pair[PC_LANES]])
      continue;
    for (int l = 0; l < PC_LANES; l++)
      copy_place(subset, part->packs * PC_LANES + l, p * PC_LANES + l, r);
    part->packs++;
  }
  return part->packs > 0 && 3 * part->packs < all->packs;
}

void pc_subset_give_back(const pc_pack_subset *subset, const void *part, void *r)
{
  for (int i = 0; i < subset->part.packs * PC_LANES; i++)
    if (subset->from[i] >= 0)
      copy_lane(subset->all->single, subset->all->numbers, r, subset->from[i], part, i);
}
