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
  for (int i = 0; i < world->bodies; i++) {
    double room[6];
    const double *box = pc_outline_box(world, i, room);
    if (world->asleep[i] > 0 || world->fixed[i])
      continue;
    any = true;
    for (int k = 0; k < 3; k++) {
      all[k] = box[k] < all[k] ? box[k] : all[k];
      all[3 + k] = box[3 + k] > all[3 + k] ? box[3 + k] : all[3 + k];
    }
  }
  for (int i = 0; i < world->bodies && any; i++) {
    double room[6];
    const double *box = pc_outline_box(world, i, room);
    if (world->asleep[i] == 0 || world->body[i].absent)
      continue;
    bool near = true;
    for (int k = 0; k < 3; k++)
      near = near && box[k] <= all[3 + k] && all[k] <= box[3 + k];
    world->fixed[i] = near ? PC_BOX_FIXED : PC_BOX_ABSENT;
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
  for (int i = 0; i < world->bodies; i += world->bodies / SAMPLE + 1)
    if (world->outline[i].heavy && !world->body[i].absent && isfinite(world->body[i].radius)) {
      count++;
      balls += world->body[i].ball;
      radius += world->body[i].radius;
      reach += world->outline[i].reach;
    }
  *typical = count > 0 ? reach / count : 0;
  world->wide_balls = 2 * balls > count;
  double most = world->wide_balls ? 12 : 4, way = per_step * reach;
  double part = world->wide_balls ? 0.75 : 0.5; // of the radius, in the mean
  double steps = way * most > part * radius ? part * radius / way : most;
  return steps < least ? 0 : per_step * steps;
}

// Wide boxes: room for the way of some steps, and for those who have just begun to move.
static void widen(pc_world *world, int i)
{
  const pc_outline *outline = &world->outline[i];
  double ahead = world->wide_ahead, more = 0; // of what goes infinitely far too
  if (ahead > 0 && outline->kind != PC_FIXED)
    more = ahead * fmax(outline->reach, world->wide_typical); // who stands may start
  if (outline->heavy) // always some: two balls must not be missed for what boxes round off
    more += (ahead > 0 ? 0.05 : 1e-3) * fmin(world->body[i].radius, 4 * world->smallest);
  double room[6];
  const double *box = pc_outline_box(world, i, room);
  for (int k = 0; k < 3; k++) {
    world->wide[i][k] = box[k] - more;
    world->wide[i][3 + k] = box[3 + k] + more;
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
  int n = world->bodies;
  world->wide_bodies = world->wide_pairs = world->strays = 0;
  if (!pc_grow(&world->wide, &world->wide_capacity, n, sizeof *world->wide) ||
      !pc_grow(&world->wide_fixed, &world->wide_fixed_capacity, n, 1))
    return PC_ERROR_MEMORY;
  world->wide_ahead = times_ahead(world, &world->wide_typical);
  pc_parallel(threads, n, 300, widen_some, job);
  memcpy(world->wide_fixed, world->fixed, (size_t)n);
  pc_status status = pc_broad_pairs(world->broad, threads, n, (const double(*)[6])world->wide,
                                    world->fixed, &world->wide_pair, &world->wide_pairs);
  if (status == PC_OK)
    world->wide_bodies = n;
  world->info.box_tests += pc_broad_tests(world->broad);
  return status;
}

// Whether a box counts now that did not, or moves that did not. Those that count no more are passed
// over among the pairs.
static bool appeared(const pc_world *world)
{
  enum { BLOCK = 64 };
  const unsigned char *now = world->fixed, *then = world->wide_fixed;
  for (int i = 0; i < world->bodies; i += BLOCK) {
    int end = i + BLOCK < world->bodies ? i + BLOCK : world->bodies;
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
  int most = world->bodies / PART;
  if (!pc_grow(&world->stray, &world->stray_capacity, most + 1, sizeof *world->stray))
    return false;
  for (int w = 0; w < world->findings; w++) {
    const pc_box_list *left = &world->finding[w].left;
    if (world->finding[w].left_more || world->strays + left->count > most)
      return false;
    for (int k = 0; k < left->count; k++) {
      if (world->fixed[left->at[k]] != PC_BOX_MOVES)
        return false;
      world->stray[world->strays++] = left->at[k];
      widen(world, left->at[k]);
    }
  }
  return true;
}

static inline bool may_meet(const pc_world *world, int i, int j)
{
  return i != j && pc_boxes_overlap(world->wide[i], world->wide[j]);
}

// Notes the pair of a stray and another body, if it is not known.
static bool add_more(pc_world *world, int i, int j, int *count)
{
  int pair[2] = {i < j ? i : j, i < j ? j : i};
  int at = pc_pair_find(world->wide_pair, sizeof pair, world->wide_pairs, pair);
  if (at < world->wide_pairs && memcmp(world->wide_pair[at], pair, sizeof pair) == 0)
    return true;
  if (!pc_grow(&world->more, &world->more_capacity, *count + 1, sizeof *world->more))
    return false;
  memcpy(world->more[(*count)++], pair, sizeof pair);
  return true;
}

// Puts so many of `more` among the pairs, where they belong.
static bool merge_pairs(pc_world *world, int count)
{
  int(*more)[2] = world->more, old = world->wide_pairs, left = 0;
  if (count == 0)
    return true;
  qsort(more, (size_t)count, sizeof *more, compare_pairs);
  for (int k = 0; k < count; k++)
    if (left == 0 || memcmp(more[left - 1], more[k], sizeof *more) != 0)
      memmove(more[left++], more[k], sizeof *more);
  bool own = world->wide_pair == (const int(*)[2])world->own_pair;
  if (!pc_grow(&world->own_pair, &world->own_capacity, old + left, sizeof *more))
    return false;
  int(*to)[2] = world->own_pair;
  if (!own)
    memcpy(to, world->wide_pair, sizeof *to * (size_t)old);
  world->wide_pair = (const int(*)[2])to;
  world->wide_pairs = old + left;
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
  int known = world->strays, count = 0;
  if (world->wide_ahead == 0 || world->sleepers > 0 || !find_strays(world))
    return false;
  for (int s = known; s < world->strays; s++) {
    int i = world->stray[s];
    if (!pc_broad_around(world->broad, world->wide[i], &world->around))
      return false;
    for (int k = 0; k < world->around.count; k++)
      if (may_meet(world, i, world->around.at[k]) &&
          !add_more(world, i, world->around.at[k], &count))
        return false;
    for (int k = 0; k < world->strays; k++) // they are no more where the search has them
      if (may_meet(world, i, world->stray[k]) && !add_more(world, i, world->stray[k], &count))
        return false;
    world->info.box_tests += world->around.count + world->strays;
  }
  return merge_pairs(world, count);
}

// They are looked for anew when boxes leave their wide ones: which of them overlap does not depend
// on when that was.
pc_status pc_contacts_pairs(pc_contacts_job *job, int threads, int *count)
{
  pc_world *world = job->world;
  bool left = world->wide_bodies != world->bodies;
  *count = 0;
  world->info.box_tests = 0;
  if (world->sleepers > 0 && !world->everybody && !leave_out_sleepers(world))
    return PC_OK;
  left = left || appeared(world);
  bool some = false;
  for (int i = 0; i < world->findings; i++)
    some = some || world->finding[i].left.count > 0 || world->finding[i].left_more;
  left = left || (some && !follow_strays(world));
  if (left && find_wide_pairs(job, threads) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  job->pairs = world->wide_pair;
  *count = world->wide_pairs;
  world->info.box_tests += *count;
  return PC_OK;
}
