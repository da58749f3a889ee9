// Which pairs of bodies are looked at. Boxes are widened by the way of several steps, and the pairs
// of wide boxes serve until a body leaves its own.
#include "rigid/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What pairs are found for.
typedef struct pair_search {
  pc_body_pairs *pairs;
  const pc_body_store *bodies;
  pc_outlines *outlines;
  double part;
  int threads;
} pair_search;

void pc_body_pairs_free(pc_body_pairs *pairs)
{
  pc_broad_destroy(pairs->broad);
  pc_array_free(&pairs->box);
  pc_array_free(&pairs->fixed);
  pc_array_free(&pairs->group);
  for (int w = 0; w < PC_MOST_THREADS; w++)
    pc_array_free(&pairs->left[w]);
  pc_array_free(&pairs->stray);
  pc_array_free(&pairs->own);
  pc_array_free(&pairs->more);
  pc_array_free(&pairs->around);
}

void pc_body_pairs_open(pc_body_pairs *pairs)
{
  for (int w = 0; w < PC_MOST_THREADS; w++) {
    pairs->left[w].count = 0;
    pairs->left_more[w] = false;
  }
}

void pc_body_pairs_note_left(pc_body_pairs *pairs, int body, int worker)
{
  pc_box_list *left = &pairs->left[worker];
  if (pc_array_reserve(left, left->count + 1))
    left->at[left->count++] = body;
  else
    pairs->left_more[worker] = true;
}

// Sleeping bodies are there for the boxes of moving bodies only: outside the box around all these
// they are left out. False if nothing moves.
static bool leave_out_sleepers(const pc_body_store *bodies, pc_outlines *outlines)
{
  double all[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  bool any = false;
  for (int i = 0; i < bodies->count; i++) {
    double room[6];
    const double *box = pc_outlines_box(outlines, i, room);
    if (bodies->asleep.at[i] > 0 || outlines->fixed.at[i])
      continue;
    any = true;
    for (int k = 0; k < 3; k++) {
      all[k] = box[k] < all[k] ? box[k] : all[k];
      all[3 + k] = box[3 + k] > all[3 + k] ? box[3 + k] : all[3 + k];
    }
  }
  for (int i = 0; i < bodies->count && any; i++) {
    double room[6];
    const double *box = pc_outlines_box(outlines, i, room);
    if (bodies->asleep.at[i] == 0 || bodies->solid.at[i].absent)
      continue;
    outlines->fixed.at[i] = pc_boxes_overlap(box, all) ? PC_BOX_FIXED : PC_BOX_ABSENT;
  }
  return any;
}

// How many times their reach wide boxes have room for: several steps, more for balls, which are
// told apart fast; fewer where bodies go far in a step for their size, because boxes would then
// meet too many others; none where they would be left at once. A sample of the bodies decides.
static double times_ahead(const pair_search *search)
{
  enum { SAMPLE = 512 };
  const double least = 1.5;
  pc_body_pairs *pairs = search->pairs;
  const pc_body_store *bodies = search->bodies;
  double radius = 0, reach = 0, per_step = 1 / search->part;
  int count = 0, balls = 0;
  for (int i = 0; i < bodies->count; i += bodies->count / SAMPLE + 1) {
    const pc_solid *body = &bodies->solid.at[i];
    if (!search->outlines->body.at[i].heavy || body->absent || !isfinite(body->radius))
      continue;
    count++;
    balls += body->ball;
    radius += body->radius;
    reach += search->outlines->body.at[i].reach;
  }
  pairs->typical_reach = count > 0 ? reach / count : 0;
  pairs->mostly_balls = 2 * balls > count;
  double most = pairs->mostly_balls ? 12 : 4, way = per_step * reach;
  double part = pairs->mostly_balls ? 0.75 : 0.5; // of the radius, in the mean
  double steps = way * most > part * radius ? part * radius / way : most;
  return steps < least ? 0 : per_step * steps;
}

// Wide boxes have room for the way of several steps, also of bodies that have just begun to move.
static void widen(const pair_search *search, int i)
{
  pc_body_pairs *pairs = search->pairs;
  const pc_outline *outline = &search->outlines->body.at[i];
  const pc_body_store *bodies = search->bodies;
  double ahead = pairs->ahead, more = 0; // of what goes infinitely far too
  if (ahead > 0 && outline->kind != PC_FIXED)
    more = ahead * fmax(outline->reach, pairs->typical_reach); // a body at rest may start
  if (outline->heavy) // always some: two balls must not be missed by the round-off of boxes
    more += (ahead > 0 ? 0.05 : 1e-3) * fmin(bodies->solid.at[i].radius, 4 * bodies->smallest);
  double room[6];
  const double *box = pc_outlines_box(search->outlines, i, room);
  for (int k = 0; k < 3; k++) {
    pairs->box.at[i][k] = box[k] - more;
    pairs->box.at[i][3 + k] = box[3 + k] + more;
  }
}

static void widen_range(void *context, int begin, int end, int worker)
{
  for (int i = begin; i < end; i++)
    widen(context, i);
}

static pc_status find_wide_pairs(pair_search *search)
{
  pc_body_pairs *pairs = search->pairs;
  int n = search->bodies->count;
  pairs->bodies = pairs->count = pairs->stray.count = 0;
  if (!pc_array_reserve(&pairs->box, n) || !pc_array_reserve(&pairs->fixed, n) ||
      !pc_array_reserve(&pairs->group, n))
    return PC_ERROR_MEMORY;
  pairs->ahead = times_ahead(search);
  pc_parallel(search->threads, n, 300, widen_range, search);
  memcpy(pairs->fixed.at, search->outlines->fixed.at, (size_t)n);
  for (int i = 0; i < n; i++)
    pairs->group.at[i] = search->outlines->body.at[i].group;
  const pc_boxes boxes = {.count = n,
                          .box = (const double(*)[6])pairs->box.at,
                          .fixed = search->outlines->fixed.at,
                          .group = pairs->group.at,
                          .most = pc_body_pairs_most(n)};
  pc_status status =
      pc_broad_pairs(pairs->broad, search->threads, &boxes, &pairs->list, &pairs->count);
  if (status == PC_OK)
    pairs->bodies = n;
  pairs->tests += pc_broad_tests(pairs->broad);
  return status;
}

// Whether a box counts now that did not, or moves that did not. Those that count no more are passed
// over among the pairs.
static bool appeared(const pc_body_pairs *pairs, const pc_outlines *outlines, int bodies)
{
  enum { BLOCK = 64 };
  const unsigned char *now = outlines->fixed.at, *then = pairs->fixed.at;
  for (int i = 0; i < bodies; i += BLOCK) {
    int end = i + BLOCK < bodies ? i + BLOCK : bodies;
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
  return pc_pair_is_before(a, b) ? -1 : pc_pair_is_before(b, a);
}

// Gives the bodies that have left their wide boxes new ones; false if they are too many, or
// obstacles.
static bool find_strays(const pair_search *search)
{
  enum { PART = 64 };
  pc_body_pairs *pairs = search->pairs;
  int most = search->bodies->count / PART;
  if (!pc_array_reserve(&pairs->stray, most + 1))
    return false;
  for (int w = 0; w < PC_MOST_THREADS; w++) {
    const pc_box_list *left = &pairs->left[w];
    if (pairs->left_more[w] || pairs->stray.count + left->count > most)
      return false;
    for (int k = 0; k < left->count; k++) {
      if (search->outlines->fixed.at[left->at[k]] != PC_BOX_MOVES)
        return false;
      pairs->stray.at[pairs->stray.count++] = left->at[k];
      widen(search, left->at[k]);
    }
  }
  return true;
}

static inline bool may_meet(const pc_body_pairs *pairs, int i, int j)
{
  bool one_group = pairs->group.at[i] != 0 && pairs->group.at[i] == pairs->group.at[j];
  return i != j && !one_group && pc_boxes_overlap(pairs->box.at[i], pairs->box.at[j]);
}

// Notes the pair of a stray and another body, if it is not known.
static bool add_more(pc_body_pairs *pairs, int i, int j)
{
  int pair[2] = {i < j ? i : j, i < j ? j : i};
  int at = pc_pair_find(pairs->list, sizeof pair, pairs->count, pair);
  if (at < pairs->count && memcmp(pairs->list[at], pair, sizeof pair) == 0)
    return true;
  if (!pc_array_reserve(&pairs->more, pairs->more.count + 1))
    return false;
  memcpy(pairs->more.at[pairs->more.count++], pair, sizeof pair);
  return true;
}

// Merges `more` into the pairs.
static bool merge_pairs(pc_body_pairs *pairs)
{
  int(*more)[2] = pairs->more.at, old = pairs->count, left = 0;
  if (pairs->more.count == 0)
    return true;
  qsort(more, (size_t)pairs->more.count, sizeof *more, compare_pairs);
  for (int k = 0; k < pairs->more.count; k++)
    if (left == 0 || memcmp(more[left - 1], more[k], sizeof *more) != 0)
      memmove(more[left++], more[k], sizeof *more);
  bool own = pairs->list == (const pc_body_pair *)pairs->own.at;
  if (old + (long)left > pc_body_pairs_most(pairs->bodies))
    return false; // the search for all of them says so
  if (!pc_array_reserve(&pairs->own, old + left))
    return false;
  int(*to)[2] = pairs->own.at;
  if (!own)
    memcpy(to, pairs->list, sizeof *to * (size_t)old);
  pairs->list = (const pc_body_pair *)to;
  pairs->count = old + left;
  for (int at = old + left - 1; left > 0; at--) // from the end
    if (old > 0 && pc_pair_is_before(more[left - 1], to[old - 1]))
      memcpy(to[at], to[--old], sizeof *to);
    else
      memcpy(to[at], more[--left], sizeof *to);
  return true;
}

// When a few bodies have left their wide boxes, only their pairs are looked for. False if all must
// be.
static bool follow_strays(const pair_search *search)
{
  pc_body_pairs *pairs = search->pairs;
  int known = pairs->stray.count;
  pairs->more.count = 0;
  if (pairs->ahead == 0 || search->bodies->sleepers > 0 || !find_strays(search))
    return false;
  for (int s = known; s < pairs->stray.count; s++) {
    int i = pairs->stray.at[s];
    if (!pc_broad_around(pairs->broad, pairs->box.at[i], pairs->group.at[i], &pairs->around))
      return false;
    for (int k = 0; k < pairs->around.count; k++)
      if (may_meet(pairs, i, pairs->around.at[k]) && !add_more(pairs, i, pairs->around.at[k]))
        return false;
    for (int k = 0; k < pairs->stray.count; k++) // they are no more where the search has them
      if (may_meet(pairs, i, pairs->stray.at[k]) && !add_more(pairs, i, pairs->stray.at[k]))
        return false;
    pairs->tests += pairs->around.count + pairs->stray.count;
  }
  return merge_pairs(pairs);
}

// Pairs are searched again when boxes leave their wide boxes: which of them overlap does not depend
// on when that was.
pc_status pc_body_pairs_find(pc_body_pairs *pairs, const pc_body_store *bodies,
                             pc_outlines *outlines, double part, bool with_sleeping, int threads)
{
  pair_search search = {pairs, bodies, outlines, part, threads};
  bool stale = pairs->bodies != bodies->count, left = false;
  pairs->tests = 0;
  if (bodies->sleepers > 0 && !with_sleeping && !leave_out_sleepers(bodies, outlines)) {
    pairs->found = 0;
    return PC_OK;
  }
  stale = stale || appeared(pairs, outlines, bodies->count);
  for (int w = 0; w < PC_MOST_THREADS; w++)
    left = left || pairs->left[w].count > 0 || pairs->left_more[w];
  stale = stale || (left && !follow_strays(&search));
  pc_status status = stale ? find_wide_pairs(&search) : PC_OK;
  if (status != PC_OK)
    return status;
  pairs->found = pairs->count;
  pairs->tests += pairs->count;
  return PC_OK;
}
