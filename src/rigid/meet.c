// Finding contacts: those of pairs, and which of them count in the step.
#include <math.h>
#include <string.h>

#include "rigid/detection.h"

// Where the shape of a body is at the middle of the step; a ball is the same, turned or not.
static const pc_pose *pose_of(const pc_detection *search, int i, pc_pose *room)
{
  if (!(search->outlines->body.at[i].ball > 0))
    return &search->outlines->pose.at[i];
  *room = (pc_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(room->position, search->outlines->place.at[i].position, sizeof room->position);
  return room;
}

// The same of both velocities that contacts look at.
static inline pc_two both_speeds(const pc_turning_velocity *body, const double *arm,
                                 const double *normal)
{
  const pc_two *velocity = body->velocity, *spin = body->spin;
  pc_two x = velocity[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  pc_two y = velocity[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  pc_two z = velocity[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

// Of two balls: their spins do not count.
static inline pc_two both_ball_speeds(const pc_detection *search, int a, int b,
                                      const double *normal)
{
  const pc_two *first = search->outlines->velocity.at[a].velocity,
               *second = search->outlines->velocity.at[b].velocity;
  return (first[0] - second[0]) * normal[0] + (first[1] - second[1]) * normal[1] +
         (first[2] - second[2]) * normal[2];
}

static int find_touch(const pc_detection *search, const int pair[2])
{
  return pc_pair_find(search->contacts->list.at, sizeof(pc_touch), search->contacts->list.count,
                      pair);
}

// Whether a contact acted in the solve before. Then it stays: it may be what keeps bodies apart.
static bool acted(const pc_detection *search, int a, int b, uint64_t feature)
{
  int pair[2] = {a, b};
  for (int t = find_touch(search, pair);
       t < search->contacts->list.count && search->contacts->list.at[t].body[0] == a &&
       search->contacts->list.at[t].body[1] == b;
       t++)
    if (search->contacts->list.at[t].feature == feature)
      return true;
  return false;
}

// What a gap may be of a contact that acts at position level: of the order of g h^2.
static inline double slack_of(const pc_detection_job *job, int a)
{
  const pc_outline *outline = &job->search->outlines->body.at[a];
  double radius = outline->ball > 0 ? outline->ball : job->search->bodies->solid.at[a].radius;
  return 2 * job->search->gravity * job->search->h * job->search->h + outline->reach * 1e-9 +
         (isfinite(radius) ? 1e-9 * radius : 0);
}

static inline void set_touch(const pc_detection *search, int a, int b, const pc_contact_point *at,
                             double before, double free, pc_touch *touch)
{
  touch->body[0] = a;
  touch->body[1] = b;
  touch->feature = at->feature;
  touch->gap = at->gap;
  touch->before = before;
  touch->free = free;
  touch->bound = 0;
  touch->law = touch->interaction = -1;
  // In an open gap the point is on the body that moves, so that its arm is that of the touch to
  // come; between two such bodies it is in the middle.
  bool heavy = search->outlines->body.at[a].heavy, also = search->outlines->body.at[b].heavy;
  double shift = heavy == also || at->gap <= 0 ? 0 : heavy ? 0.5 * at->gap : -0.5 * at->gap;
  for (int k = 0; k < 3; k++) {
    touch->normal[k] = at->normal[k];
    touch->point[k] = at->point[k] + shift * at->normal[k];
    touch->percussion[k] = 0;
  }
}

// The contact as it counts in the step; false if it does not act.
static bool counts(const pc_detection_job *job, int a, int b, const pc_turning_velocity moving[2],
                   const pc_contact_point *at, pc_touch *touch)
{
  const pc_detection *search = job->search;
  pc_two both;
  if (search->outlines->body.at[a].ball > 0 && search->outlines->body.at[b].ball > 0) {
    both = both_ball_speeds(search, a, b, at->normal);
  } else {
    double one[3], two[3];
    pc_contact_arm(moving[0].position, at->point, one);
    pc_contact_arm(moving[1].position, at->point, two);
    both = both_speeds(&moving[0], one, at->normal) - both_speeds(&moving[1], two, at->normal);
  }
  double before = both[0], free = both[1];
  if (search->again)
    free = fmin(free, pc_separation_speed(search, a, b, search->previous[a], search->previous[b],
                                          at->point, at->normal));
  if (!pc_contact_acts(search, at->gap, before, free, slack_of(job, a)) &&
      !(search->again && acted(search, a, b, at->feature)))
    return false;
  set_touch(search, a, b, at, before, free, touch);
  return true;
}

// The contacts of a pair.
static pc_status collide(const pc_detection_job *job, int a, int b, pc_contact_list *list)
{
  const pc_detection *search = job->search;
  const pc_outline *one = &search->outlines->body.at[a], *two = &search->outlines->body.at[b];
  double margin = one->reach + two->reach;
  list->count = 0;
  if (one->group != 0 && one->group == two->group)
    return PC_OK;
  if (one->ball > 0 && two->ball > 0) {
    list->count = pc_balls_touch(search->outlines->place.at[a].position, one->ball,
                                 search->outlines->place.at[b].position, two->ball, margin,
                                 search->dimension - 1, &list->point[0]);
    return PC_OK;
  }
  pc_pose room[2];
  return pc_collide(search->bodies->solid.at[a].shape, pose_of(search, a, &room[0]),
                    search->bodies->solid.at[b].shape, pose_of(search, b, &room[1]), margin, list);
}

static inline bool add_near(pc_finding *finding, int a, int b, const pc_contact_point *at)
{
  if (finding->near.count == finding->near.capacity &&
      !pc_array_reserve(&finding->near, finding->near.count + 1))
    return false;
  pc_near *near = &finding->near.at[finding->near.count++];
  *near = (pc_near){.body = {a, b}, .gap = at->gap};
  memcpy(near->point, at->point, sizeof near->point);
  memcpy(near->normal, at->normal, sizeof near->normal);
  return true;
}

// A contact that does not act is noted where it is looked at again.
static inline bool pass_by(const pc_detection_job *job, pc_finding *finding, int a, int b,
                           const pc_contact_point *at)
{
  finding->passed++;
  return !job->notes_near || add_near(finding, a, b, at);
}

// Takes in the contacts of a pair: those that act, and those that may.
static bool take(const pc_detection_job *job, int a, int b, pc_finding *finding, double *deepest)
{
  const pc_contact_list *list = &finding->list;
  pc_touch_list *touches = &finding->touches;
  if (!pc_array_reserve_aligned(touches, touches->count + list->count))
    return false;
  const pc_turning_velocity moving[2] = {pc_detection_turning_velocity(job->search, a),
                                         pc_detection_turning_velocity(job->search, b)};
  for (int c = 0; c < list->count; c++) {
    const pc_contact_point *at = &list->point[c];
    if (counts(job, a, b, moving, at, &touches->at[touches->count])) {
      touches->count++;
      *deepest = -at->gap > *deepest ? -at->gap : *deepest;
      continue;
    }
    if (!pass_by(job, finding, a, b, at))
      return false;
  }
  return true;
}

// The contact of two balls, which are most of all in a bed, in one go.
static inline bool meet_balls(const pc_detection_job *job, int a, int b, pc_finding *finding,
                              double *deepest)
{
  const pc_detection *search = job->search;
  const pc_outline *one = &search->outlines->body.at[a], *two = &search->outlines->body.at[b];
  pc_touch_list *touches = &finding->touches;
  pc_contact_point at;
  if ((one->group != 0 && one->group == two->group) ||
      !pc_balls_touch(search->outlines->place.at[a].position, one->ball,
                      search->outlines->place.at[b].position, two->ball, one->reach + two->reach,
                      search->dimension - 1, &at))
    return true;
  pc_two both = both_ball_speeds(search, a, b, at.normal);
  double before = both[0], free = both[1];
  if (!pc_contact_acts(search, at.gap, before, free, slack_of(job, a)))
    return pass_by(job, finding, a, b, &at);
  if (touches->count == touches->capacity && !pc_array_reserve_aligned(touches, touches->count + 1))
    return false;
  set_touch(search, a, b, &at, before, free, &touches->at[touches->count++]);
  *deepest = -at.gap > *deepest ? -at.gap : *deepest;
  return true;
}

// The touches of a pair that nothing has changed, from `old` on.
static bool keep(const pc_detection *search, const int pair[2], int *old, pc_touch_list *touches,
                 double *deepest)
{
  while (*old < search->contacts->list.count &&
         pc_pair_is_before(search->contacts->list.at[*old].body, pair))
    (*old)++;
  for (;
       *old < search->contacts->list.count && search->contacts->list.at[*old].body[0] == pair[0] &&
       search->contacts->list.at[*old].body[1] == pair[1];
       (*old)++) {
    if (!pc_array_reserve_aligned(touches, touches->count + 1))
      return false;
    pc_touch *touch = &touches->at[touches->count++];
    *touch = search->contacts->list.at[*old];
    touch->interaction = -1;
    *deepest = -touch->gap > *deepest ? -touch->gap : *deepest;
  }
  return true;
}

// Whether two balls are farther from each other than they may come. A little is left to round-off:
// the contact itself is looked at afterwards.
static inline bool are_apart(const pc_place *one, const pc_place *two)
{
  const double *a = one->position, *b = two->position;
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  double within = one->within + two->within;
  return x * x + y * y + z * z > within * within * (1 + 1e-12);
}

// Pairs that are left when those of balls that are apart are passed over: these are most, in no
// order that a processor could guess, so that is done without a branch, and for some pairs at a
// time, so that what the others need is on its way when they are looked at.
enum { SIFTED = 128 };
typedef struct sieve {
  int left[SIFTED], count;
} sieve;

static void sift(const pc_detection_job *job, int begin, int end, sieve *to)
{
  enum { AHEAD = 64 }; // pairs are sorted by their first body: the second one may be anywhere
  const pc_detection *search = job->search;
  const pc_place *at = search->outlines->place.at;
  int count = 0;
  for (int p = begin; p < end && p < begin + SIFTED; p++) {
    const int *pair = job->pairs[p];
    __builtin_prefetch(&at[job->pairs[p + AHEAD < end ? p + AHEAD : p][1]]);
    to->left[count] = p;
    count += !are_apart(&at[pair[0]], &at[pair[1]]);
  }
  for (int k = 0; k < count; k++) {
    int b = job->pairs[to->left[k]][1];
    __builtin_prefetch(&search->outlines->body.at[b]);
    __builtin_prefetch(&search->outlines->velocity.at[b]);
    if (begin < job->costly) // obstacles ask for shapes
      __builtin_prefetch(&search->bodies->solid.at[b]);
  }
  to->count = count;
}

static inline bool boxes_overlap(const pc_detection *search, int a, int b)
{
  double room[2][6];
  return pc_boxes_overlap(pc_outlines_box(search->outlines, a, room[0]),
                          pc_outlines_box(search->outlines, b, room[1]));
}

// Whether a pair has somebody who sleeps, or two obstacles.
static bool is_special(const pc_detection *search, int a, int b)
{
  return search->bodies->sleepers > 0 && !search->everybody &&
         (search->bodies->asleep.at[a] > 0 || search->bodies->asleep.at[b] > 0 ||
          (!search->outlines->body.at[a].heavy && !search->outlines->body.at[b].heavy));
}

// Who sleeps wakes when a contact acts, or an obstacle that moves is near. Several threads may do
// it at a time.
static void rouse(const pc_detection *search, int a, int b, bool near, bool acts)
{
  int sleeper = search->bodies->asleep.at[a] > 0 ? a : b;
  if (acts ||
      (near && (!search->outlines->body.at[a].heavy || !search->outlines->body.at[b].heavy)))
    __atomic_store_n(&search->roused[sleeper], 1, __ATOMIC_RELAXED);
}

// Work is cut by what it is worth.
enum { WEIGHT = 20 };
static int pair_at(const pc_detection_job *job, int piece)
{
  int work = (int)((long long)job->work * piece / job->pieces);
  return work < WEIGHT * job->costly ? work / WEIGHT : work - (WEIGHT - 1) * job->costly;
}

void pc_detection_cut(pc_detection_job *job)
{
  enum { MOST = INT32_MAX / WEIGHT, LEAST = 200 };
  const pc_detection *search = job->search;
  int first[2] = {0, 0};
  while (first[0] < search->bodies->count && !search->outlines->body.at[first[0]].heavy)
    first[0]++;
  int costly = pc_pair_find(job->pairs, sizeof first, job->pair_count, first);
  job->costly = job->pair_count < MOST && search->pairs->mostly_balls ? costly : 0;
  job->work = job->pair_count + (WEIGHT - 1) * job->costly;
  job->pieces = job->work / LEAST < PC_PIECES ? job->work / LEAST + 1 : PC_PIECES;
}

// Contacts of pairs begin .. end, when the step is solved for the first time and nobody sleeps.
static pc_status collide_plain(const pc_detection_job *job, int begin, int end, pc_finding *finding,
                               double *deepest, int *looked)
{
  const pc_detection *search = job->search;
  sieve block[2];
  int now = 0;
  sift(job, begin, end, &block[now]);
  for (int p = begin; p < end; p += SIFTED, now = !now) {
    sift(job, p + SIFTED, end, &block[!now]);
    for (int k = 0; k < block[now].count && p < job->costly; k++)
      __builtin_prefetch(search->bodies->solid.at[job->pairs[block[now].left[k]][1]].shape);
    for (int k = 0; k < block[now].count; k++) {
      const int *pair = job->pairs[block[now].left[k]];
      int a = pair[0], b = pair[1];
      if (search->outlines->fixed.at[a] == PC_BOX_ABSENT ||
          search->outlines->fixed.at[b] == PC_BOX_ABSENT)
        continue;
      if (search->outlines->body.at[a].ball > 0 && search->outlines->body.at[b].ball > 0) {
        int known = finding->touches.count + finding->passed;
        if (!meet_balls(job, a, b, finding, deepest))
          return PC_ERROR_MEMORY;
        *looked += finding->touches.count + finding->passed - known;
        continue;
      }
      if (!boxes_overlap(search, a, b))
        continue;
      pc_status status = collide(job, a, b, &finding->list);
      if (status != PC_OK)
        return status;
      (*looked)++;
      if (finding->list.count > 0 && !take(job, a, b, finding, deepest))
        return PC_ERROR_MEMORY;
    }
  }
  return PC_OK;
}

// The same when it is solved again, or somebody sleeps.
static pc_status collide_again(const pc_detection_job *job, int begin, int end, pc_finding *finding,
                               double *deepest, int *looked)
{
  const pc_detection *search = job->search;
  int old = search->again && begin < end ? find_touch(search, job->pairs[begin]) : 0;
  for (int p = begin; p < end; p++) {
    int a = job->pairs[p][0], b = job->pairs[p][1];
    if (search->again && !search->struck[a] && !search->struck[b]) {
      if (!keep(search, job->pairs[p], &old, &finding->touches, deepest))
        return PC_ERROR_MEMORY;
      continue;
    }
    if (search->outlines->fixed.at[a] == PC_BOX_ABSENT ||
        search->outlines->fixed.at[b] == PC_BOX_ABSENT)
      continue;
    bool special = is_special(search, a, b);
    if (special && !search->outlines->body.at[a].heavy && !search->outlines->body.at[b].heavy)
      continue;
    // Two balls are told apart faster than their boxes.
    bool balls = search->outlines->body.at[a].ball > 0 && search->outlines->body.at[b].ball > 0;
    if (!balls && !boxes_overlap(search, a, b))
      continue;
    int known = finding->touches.count;
    pc_status status = collide(job, a, b, &finding->list);
    if (status != PC_OK)
      return status;
    *looked += !balls || finding->list.count > 0;
    if (finding->list.count > 0 && !take(job, a, b, finding, deepest))
      return PC_ERROR_MEMORY;
    if (special)
      rouse(job->search, a, b, finding->list.count > 0, finding->touches.count > known);
  }
  return PC_OK;
}

void pc_detection_collide(void *context, int from, int to, int worker)
{
  pc_detection_job *job = context;
  int begin = pair_at(job, from), end = pair_at(job, to), looked = 0;
  const pc_detection *search = job->search;
  bool plain = !search->again && (search->bodies->sleepers == 0 || search->everybody);
  double deepest = job->deepest[worker];
  // A copy, so that workers do not write to the same lines of memory all the time.
  pc_finding finding = search->contacts->finding.at[worker];
  int known = finding.touches.count;
  pc_status status = plain ? collide_plain(job, begin, end, &finding, &deepest, &looked)
                           : collide_again(job, begin, end, &finding, &deepest, &looked);
  job->span[from] = (pc_span){worker, known, finding.touches.count - known, 0};
  search->contacts->finding.at[worker] = finding;
  job->deepest[worker] = deepest;
  job->looked[worker] += looked;
  job->status[worker] = status != PC_OK ? status : job->status[worker];
}
