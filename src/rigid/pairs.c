// Which pairs of bodies are looked at. Boxes are widened by the way of some steps, and the pairs of
// wide boxes serve until somebody leaves his.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "rigid/contacts.h"

// Those who sleep are there for the boxes of what moves only: outside the box around all these they
// are left out. False if nothing moves.
static bool leave_out_sleepers(pc_world *world)
{
  double all[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  bool any = false;
  for (int i = 0; i < world->bodies.count; i++) {
    double room[6];
    const double *box = pc_outline_box(world, i, room);
    if (world->bodies.asleep.at[i] > 0 || world->outlines.fixed.at[i])
      continue;
    any = true;
    for (int k = 0; k < 3; k++) {
      all[k] = box[k] < all[k] ? box[k] : all[k];
      all[3 + k] = box[3 + k] > all[3 + k] ? box[3 + k] : all[3 + k];
    }
  }
  for (int i = 0; i < world->bodies.count && any; i++) {
    double room[6];
    const double *box = pc_outline_box(world, i, room);
    if (world->bodies.asleep.at[i] == 0 || world->bodies.solid.at[i].absent)
      continue;
    bool near = true;
    for (int k = 0; k < 3; k++)
      near = near && box[k] <= all[3 + k] && all[k] <= box[3 + k];
    world->outlines.fixed.at[i] = near ? PC_BOX_FIXED : PC_BOX_ABSENT;
  }
  return any;
}

// How many times their reach wide boxes shall have room for: some steps, more for balls, which are
// told apart fast; fewer where bodies go far in a step for their size, because boxes would then
// meet too many others; none where they would be left at once. Some bodies tell.
static double times_ahead(pc_world *world, double *typical)
{
  enum { SAMPLE = 512 };
  const double least = 1.5;
  double radius = 0, reach = 0, per_step = 1 / pc_outline_part(world);
  int count = 0, balls = 0;
  for (int i = 0; i < world->bodies.count; i += world->bodies.count / SAMPLE + 1)
    if (world->outlines.body.at[i].heavy && !world->bodies.solid.at[i].absent &&
        isfinite(world->bodies.solid.at[i].radius)) {
      count++;
      balls += world->bodies.solid.at[i].ball;
      radius += world->bodies.solid.at[i].radius;
      reach += world->outlines.body.at[i].reach;
    }
  *typical = count > 0 ? reach / count : 0;
  world->pairs.mostly_balls = 2 * balls > count;
  double most = world->pairs.mostly_balls ? 12 : 4, way = per_step * reach;
  double part = world->pairs.mostly_balls ? 0.75 : 0.5; // of the radius, in the mean
  double steps = way * most > part * radius ? part * radius / way : most;
  return steps < least ? 0 : per_step * steps;
}

// Wide boxes: room for the way of some steps, and for those who have just begun to move.
static void widen(pc_world *world, int i)
{
  const pc_outline *outline = &world->outlines.body.at[i];
  double ahead = world->pairs.ahead, more = 0; // of what goes infinitely far too
  if (ahead > 0 && outline->kind != PC_FIXED)
    more = ahead * fmax(outline->reach, world->pairs.typical_reach); // who stands may start
  if (outline->heavy) // always some: two balls must not be missed for what boxes round off
    more += (ahead > 0 ? 0.05 : 1e-3) *
            fmin(world->bodies.solid.at[i].radius, 4 * world->bodies.smallest);
  double room[6];
  const double *box = pc_outline_box(world, i, room);
  for (int k = 0; k < 3; k++) {
    world->pairs.box.at[i][k] = box[k] - more;
    world->pairs.box.at[i][3 + k] = box[3 + k] + more;
  }
}

static void widen_some(void *context, int begin, int end, int worker)
{
  const pc_contacts_job *job = context;
  for (int i = begin; i < end; i++)
    widen(job->world, i);
}

static pc_status find_wide_pairs(pc_contacts_job *job, int threads)
{
  pc_world *world = job->world;
  int n = world->bodies.count;
  world->pairs.bodies = world->pairs.count = world->pairs.stray.count = 0;
  if (!pc_array_reserve(&world->pairs.box, n) || !pc_array_reserve(&world->pairs.fixed, n))
    return PC_ERROR_MEMORY;
  world->pairs.ahead = times_ahead(world, &world->pairs.typical_reach);
  pc_parallel(threads, n, 300, widen_some, job);
  memcpy(world->pairs.fixed.at, world->outlines.fixed.at, (size_t)n);
  pc_status status =
      pc_broad_pairs(world->pairs.broad, threads, n, (const double(*)[6])world->pairs.box.at,
                     world->outlines.fixed.at, &world->pairs.list, &world->pairs.count);
  if (status == PC_OK)
    world->pairs.bodies = n;
  world->info.box_tests += pc_broad_tests(world->pairs.broad);
  return status;
}

// Whether a box counts now that did not, or moves that did not. Those that count no more are passed
// over among the pairs.
static bool appeared(const pc_world *world)
{
  enum { BLOCK = 64 };
  const unsigned char *now = world->outlines.fixed.at, *then = world->pairs.fixed.at;
  for (int i = 0; i < world->bodies.count; i += BLOCK) {
    int end = i + BLOCK < world->bodies.count ? i + BLOCK : world->bodies.count;
    if (memcmp(now + i, then + i, (size_t)(end - i)) == 0)
      continue;
    for (int k = i; k < end; k++)
      if (now[k] != then[k] && now[k] != PC_BOX_ABSENT)
        return true;
  }
  return false;
}

static int compare_pairs(const void *a, const void *b)
{
  return pc_pair_before(a, b) ? -1 : pc_pair_before(b, a);
}

// Notes who has left its wide box, and gives them another one; false if they are too many, or not
// of those who move.
static bool find_strays(pc_world *world)
{
  enum { PART = 64 };
  int most = world->bodies.count / PART;
  if (!pc_array_reserve(&world->pairs.stray, most + 1))
    return false;
  for (int w = 0; w < world->contacts.finding.count; w++) {
    const pc_box_list *left = &world->contacts.finding.at[w].left;
    if (world->contacts.finding.at[w].left_more || world->pairs.stray.count + left->count > most)
      return false;
    for (int k = 0; k < left->count; k++) {
      if (world->outlines.fixed.at[left->at[k]] != PC_BOX_MOVES)
        return false;
      world->pairs.stray.at[world->pairs.stray.count++] = left->at[k];
      widen(world, left->at[k]);
    }
  }
  return true;
}

static inline bool may_meet(const pc_world *world, int i, int j)
{
  return i != j && pc_boxes_overlap(world->pairs.box.at[i], world->pairs.box.at[j]);
}

// Notes the pair of a stray and another body, if it is not known.
static bool add_more(pc_world *world, int i, int j, int *count)
{
  int pair[2] = {i < j ? i : j, i < j ? j : i};
  int at = pc_pair_find(world->pairs.list, sizeof pair, world->pairs.count, pair);
  if (at < world->pairs.count && memcmp(world->pairs.list[at], pair, sizeof pair) == 0)
    return true;
  if (!pc_array_reserve(&world->pairs.more, *count + 1))
    return false;
  memcpy(world->pairs.more.at[(*count)++], pair, sizeof pair);
  return true;
}

// Puts so many of `more` among the pairs, where they belong.
static bool merge_pairs(pc_world *world, int count)
{
  int(*more)[2] = world->pairs.more.at, old = world->pairs.count, left = 0;
  if (count == 0)
    return true;
  qsort(more, (size_t)count, sizeof *more, compare_pairs);
  for (int k = 0; k < count; k++)
    if (left == 0 || memcmp(more[left - 1], more[k], sizeof *more) != 0)
      memmove(more[left++], more[k], sizeof *more);
  bool own = world->pairs.list == (const int(*)[2])world->pairs.own.at;
  if (!pc_array_reserve(&world->pairs.own, old + left))
    return false;
  int(*to)[2] = world->pairs.own.at;
  if (!own)
    memcpy(to, world->pairs.list, sizeof *to * (size_t)old);
  world->pairs.list = (const int(*)[2])to;
  world->pairs.count = old + left;
  for (int at = old + left - 1; left > 0; at--) // from behind
    if (old > 0 && pc_pair_before(more[left - 1], to[old - 1]))
      memcpy(to[at], to[--old], sizeof *to);
    else
      memcpy(to[at], more[--left], sizeof *to);
  return true;
}

// When a few have left their wide boxes, they alone are looked for. False if all must be.
static bool follow_strays(pc_world *world)
{
  int known = world->pairs.stray.count, count = 0;
  if (world->pairs.ahead == 0 || world->bodies.sleepers > 0 || !find_strays(world))
    return false;
  for (int s = known; s < world->pairs.stray.count; s++) {
    int i = world->pairs.stray.at[s];
    if (!pc_broad_around(world->pairs.broad, world->pairs.box.at[i], &world->pairs.around))
      return false;
    for (int k = 0; k < world->pairs.around.count; k++)
      if (may_meet(world, i, world->pairs.around.at[k]) &&
          !add_more(world, i, world->pairs.around.at[k], &count))
        return false;
    for (int k = 0; k < world->pairs.stray.count; k++) // they are no more where the search has them
      if (may_meet(world, i, world->pairs.stray.at[k]) &&
          !add_more(world, i, world->pairs.stray.at[k], &count))
        return false;
    world->info.box_tests += world->pairs.around.count + world->pairs.stray.count;
  }
  return merge_pairs(world, count);
}

// They are looked for anew when boxes leave their wide ones: which of them overlap does not depend
// on when that was.
pc_status pc_contacts_pairs(pc_contacts_job *job, int threads, int *count)
{
  pc_world *world = job->world;
  bool left = world->pairs.bodies != world->bodies.count;
  *count = 0;
  world->info.box_tests = 0;
  if (world->bodies.sleepers > 0 && !world->everybody && !leave_out_sleepers(world))
    return PC_OK;
  left = left || appeared(world);
  bool some = false;
  for (int i = 0; i < world->contacts.finding.count; i++)
    some = some || world->contacts.finding.at[i].left.count > 0 ||
           world->contacts.finding.at[i].left_more;
  left = left || (some && !follow_strays(world));
  if (left && find_wide_pairs(job, threads) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  job->pairs = world->pairs.list;
  *count = world->pairs.count;
  world->info.box_tests += *count;
  return PC_OK;
}

void pc_pairs_free(pc_pairs *pairs)
{
  pc_broad_destroy(pairs->broad);
  pc_array_free(&pairs->box);
  pc_array_free(&pairs->fixed);
  pc_array_free(&pairs->stray);
  pc_array_free(&pairs->own);
  pc_array_free(&pairs->more);
  pc_array_free(&pairs->around);
}
