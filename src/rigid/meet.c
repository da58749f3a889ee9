// Finding contacts: those of pairs, and which of them act in the step.
#include <math.h>
#include <string.h>

#include "geometry/narrow_quads.h"
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

// How a body moves where spins count, with both velocities of a pc_velocity_pair. In the plane only
// x, y and the spin about z are set.
typedef struct turning_velocity {
  pc_two velocity[3], spin[3];
  const double *position;
} turning_velocity;

static inline turning_velocity turning_velocity_of(bool plane, const pc_detection *search, int i)
{
  const pc_body_state *state = &search->bodies->state.at[i];
  const double *spin = search->bodies->solid.at[i].turns ? search->free[i] + 3 : state->spin;
  turning_velocity turning;
  turning.position = state->position;
  for (int k = 0; k < (plane ? 2 : 3); k++)
    turning.velocity[k] = search->outlines->velocity.at[i].velocity[k];
  for (int k = plane ? 2 : 0; k < 3; k++)
    turning.spin[k] = (pc_two){state->spin[k], spin[k]};
  return turning;
}

// How fast a point of a body moves along a normal.
static inline pc_two both_speeds(bool plane, const turning_velocity *body, const double *point,
                                 const double *normal)
{
  const pc_two *velocity = body->velocity, *spin = body->spin;
  double arm[3];
  pc_sub3(point, body->position, arm);
  if (plane)
    return (velocity[0] - spin[2] * arm[1]) * normal[0] +
           (velocity[1] + spin[2] * arm[0]) * normal[1];
  pc_two x = velocity[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  pc_two y = velocity[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  pc_two z = velocity[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

// How fast two balls separate: their spins do not count.
static inline pc_two both_ball_speeds(const pc_detection *search, int a, int b,
                                      const double *normal)
{
  const pc_velocity_pair *all = search->outlines->velocity.at;
  const pc_two *first = all[a].velocity, *second = all[b].velocity;
  return (first[0] - second[0]) * normal[0] + (first[1] - second[1]) * normal[1] +
         (first[2] - second[2]) * normal[2];
}

static int find_contact(const pc_detection *search, const int pair[2])
{
  const pc_contact_set *contacts = search->contacts;
  return pc_pair_find(contacts->before, sizeof *contacts->before, contacts->before_count, pair);
}

static inline bool is_of_pair(const pc_contact_data *contact, const int pair[2])
{
  return contact->body[0] == pair[0] && contact->body[1] == pair[1];
}

// Whether a contact acted in the solve before. Then it stays: it may be what keeps bodies apart.
static bool has_acted(const pc_detection *search, const int pair[2], uint64_t feature)
{
  const pc_contact_data *before = search->contacts->before;
  int count = search->contacts->before_count;
  for (int t = find_contact(search, pair); t < count && is_of_pair(&before[t], pair); t++)
    if (before[t].feature == feature)
      return true;
  return false;
}

// The gap up to which bodies touch: at position level of the order of g h^2, at velocity level
// none.
static inline double slack_of(const pc_detection *search, int a, int b)
{
  if (pc_contact_is_of_system(search, a, b))
    return fmax(pc_touch_gap(search, a, b), search->touch);
  if (search->treatment != PC_POSITION_LEVEL)
    return 0;
  const pc_outline *outline = &search->outlines->body.at[a];
  double radius = outline->ball > 0 ? outline->ball : search->bodies->solid.at[a].radius;
  return 2 * search->gravity * search->h * search->h + outline->reach * 1e-9 +
         (isfinite(radius) ? 1e-9 * radius : 0);
}

static inline void set_contact(const pc_detection *search, int a, int b, const pc_contact_point *at,
                               double before, double free, pc_contact_data *contact)
{
  contact->body[0] = a;
  contact->body[1] = b;
  contact->feature = at->feature;
  contact->gap = at->gap;
  contact->before = before;
  contact->free = free;
  contact->bound = 0;
  contact->law = contact->interaction = -1;
  // In an open gap the point is on the body that moves, so that its arm is that of the contact to
  // come; between two such bodies it is in the middle.
  const pc_outline *outline = search->outlines->body.at;
  bool heavy = outline[a].heavy, also = outline[b].heavy;
  double shift = heavy == also || at->gap <= 0 ? 0 : heavy ? 0.5 * at->gap : -0.5 * at->gap;
  for (int k = 0; k < 3; k++) {
    contact->normal[k] = at->normal[k];
    contact->point[k] = at->point[k] + shift * at->normal[k];
    contact->percussion[k] = 0;
  }
}

// When the step is solved again: the speed with the velocities of the solve before counts too, and
// what acted there acts.
static __attribute__((noinline)) bool acts_again(const pc_detection *search, int a, int b,
                                                 const pc_contact_point *at, double slack,
                                                 double before, double *free)
{
  *free = fmin(*free, pc_separation_speed(search, a, b, search->previous[a], search->previous[b],
                                          at->point, at->normal));
  return pc_contact_acts(search, at->gap, before, *free, slack) ||
         has_acted(search, (const int[2]){a, b}, at->feature);
}

// The contacts of a pair with gaps up to a margin.
static pc_status collide_within(const pc_detection *search, int a, int b, double margin,
                                pc_contact_list *list)
{
  const pc_outline *one = &search->outlines->body.at[a], *two = &search->outlines->body.at[b];
  const pc_place *place = search->outlines->place.at;
  const pc_solid *solid = search->bodies->solid.at;
  list->count = 0;
  if (one->group != 0 && one->group == two->group)
    return PC_OK;
  if (one->ball > 0 && two->ball > 0) {
    list->count = pc_balls_touch(place[a].position, one->ball, place[b].position, two->ball, margin,
                                 search->dimension - 1, &list->at[0]);
    return PC_OK;
  }
  pc_pose room[2];
  return pc_collide(solid[a].shape, pose_of(search, a, &room[0]), solid[b].shape,
                    pose_of(search, b, &room[1]), margin, list);
}

// Those that may act in the step.
static pc_status collide(const pc_detection *search, int a, int b, pc_contact_list *list)
{
  const pc_outline *outline = search->outlines->body.at;
  return collide_within(search, a, b, outline[a].reach + outline[b].reach, list);
}

pc_status pc_detection_gap(const pc_detection *search, int a, int b, double margin, double *gap)
{
  pc_contact_list *list = &search->contacts->finding.at[0].list;
  pc_status status = collide_within(search, a, b, margin, list);
  *gap = INFINITY;
  for (int c = 0; c < list->count && status == PC_OK; c++)
    *gap = fmin(*gap, list->at[c].gap);
  return status;
}

// Whether more contacts may be found; room for them is made elsewhere.
static inline bool may_have(pc_finding *finding, int more)
{
  int rest = finding->most - finding->near.count - finding->near_balls.count;
  finding->crowded = finding->crowded || finding->contacts.count > rest - more;
  return !finding->crowded;
}

// Room for more contacts. A list in spare memory leaves that when it is full.
static bool make_room(pc_finding *finding, int more)
{
  pc_contact_data_list *contacts = &finding->contacts;
  int need = contacts->count + more;
  if (!may_have(finding, more))
    return false;
  if (!finding->lent || need <= contacts->capacity)
    return pc_array_reserve_aligned(contacts, need);
  pc_contact_data_list own = {0};
  if (!pc_array_reserve_aligned(&own, need))
    return false;
  memcpy(own.at, contacts->at, sizeof *own.at * (size_t)contacts->count);
  own.count = contacts->count;
  *contacts = own;
  finding->lent = false;
  return true;
}

static inline bool add_near_balls(pc_finding *finding, int a, int b)
{
  if (finding->near_balls.count == finding->near_balls.capacity &&
      !(may_have(finding, 1) &&
        pc_array_reserve(&finding->near_balls, finding->near_balls.count + 1)))
    return false;
  finding->near_balls.at[finding->near_balls.count++] = (pc_near_balls){{a, b}};
  return true;
}

static inline bool add_near(pc_finding *finding, int a, int b, const pc_contact_point *at)
{
  if (finding->near.count == finding->near.capacity &&
      !(may_have(finding, 1) && pc_array_reserve(&finding->near, finding->near.count + 1)))
    return false;
  pc_near *near = &finding->near.at[finding->near.count++];
  *near = (pc_near){.body = {a, b}, .gap = at->gap};
  memcpy(near->point, at->point, sizeof near->point);
  memcpy(near->normal, at->normal, sizeof near->normal);
  return true;
}

// Notes a contact that does not act, where contacts are looked at again after the solve.
static inline bool add_inactive(const pc_detection_job *job, pc_finding *finding, int a, int b,
                                const pc_contact_point *at)
{
  const pc_outline *outline = job->search->outlines->body.at;
  finding->passed++;
  if (!job->notes_near)
    return true;
  return outline[a].ball > 0 && outline[b].ball > 0 ? add_near_balls(finding, a, b)
                                                    : add_near(finding, a, b, at);
}

// Adds the contacts of a pair: those that act, and those that may. `balls` and `plane` are
// constants.
static inline __attribute__((always_inline)) bool
add_contacts_of(bool balls, bool plane, const pc_detection_job *job, int a, int b,
                const pc_contact_point *found, int count, pc_finding *finding, double *deepest)
{
  const pc_detection *search = job->search;
  pc_contact_data_list *contacts = &finding->contacts;
  if (contacts->count + count > contacts->capacity && !make_room(finding, count))
    return false;
  const double slack = slack_of(search, a, b);
  turning_velocity one, two;
  if (!balls) {
    one = turning_velocity_of(plane, search, a);
    two = turning_velocity_of(plane, search, b);
  }
  for (int c = 0; c < count; c++) {
    const pc_contact_point *at = &found[c];
    const double *point = at->point, *n = at->normal;
    pc_two both = balls ? both_ball_speeds(search, a, b, n)
                        : both_speeds(plane, &one, point, n) - both_speeds(plane, &two, point, n);
    double before = both[0], free = both[1];
    if (search->again ? acts_again(search, a, b, at, slack, before, &free)
                      : pc_contact_acts(search, at->gap, before, free, slack)) {
      set_contact(search, a, b, at, before, free, &contacts->at[contacts->count++]);
      *deepest = -at->gap > *deepest ? -at->gap : *deepest;
    } else if (!add_inactive(job, finding, a, b, at)) {
      return false;
    }
  }
  return true;
}

// Whether one of two bodies is on its way through the other; few worlds have any.
static inline bool are_passing(const pc_detection *search, int a, int b,
                               const pc_contact_point *found, int count)
{
  return search->pierced->list.count > 0 && pc_pierced_hold(search->pierced, a, b, found, count);
}

static bool add_contacts(const pc_detection_job *job, int a, int b, const pc_contact_point *found,
                         int count, pc_finding *finding, double *deepest)
{
  const pc_outline *outline = job->search->outlines->body.at;
  if (are_passing(job->search, a, b, found, count))
    return true;
  if (outline[a].ball > 0 && outline[b].ball > 0)
    return add_contacts_of(true, false, job, a, b, found, count, finding, deepest);
  if (job->search->dimension == 2)
    return add_contacts_of(false, true, job, a, b, found, count, finding, deepest);
  return add_contacts_of(false, false, job, a, b, found, count, finding, deepest);
}

static bool add_found(const pc_detection_job *job, int a, int b, pc_finding *finding,
                      double *deepest)
{
  return add_contacts(job, a, b, finding->list.at, finding->list.count, finding, deepest);
}

// The contact of two balls, the most common one, in one go.
static inline bool add_ball_contact(const pc_detection_job *job, int a, int b, pc_finding *finding,
                                    double *deepest)
{
  const pc_detection *search = job->search;
  const pc_outline *one = &search->outlines->body.at[a], *two = &search->outlines->body.at[b];
  const pc_place *place = search->outlines->place.at;
  pc_contact_data_list *contacts = &finding->contacts;
  pc_contact_point at;
  if ((one->group != 0 && one->group == two->group) ||
      !pc_balls_touch(place[a].position, one->ball, place[b].position, two->ball,
                      one->reach + two->reach, search->dimension - 1, &at) ||
      are_passing(search, a, b, &at, 1))
    return true;
  pc_two both = both_ball_speeds(search, a, b, at.normal);
  double before = both[0], free = both[1];
  if (!pc_contact_acts(search, at.gap, before, free, slack_of(search, a, b)))
    return add_inactive(job, finding, a, b, &at);
  if (contacts->count == contacts->capacity && !make_room(finding, 1))
    return false;
  set_contact(search, a, b, &at, before, free, &contacts->at[contacts->count++]);
  *deepest = -at.gap > *deepest ? -at.gap : *deepest;
  return true;
}

// Keeps the contacts of a pair that nothing has changed, from `old` on.
static bool keep_contacts(const pc_detection *search, const int pair[2], int *old,
                          pc_finding *finding, double *deepest)
{
  const pc_contact_data *before = search->contacts->before;
  int count = search->contacts->before_count;
  while (*old < count && pc_pair_is_before(before[*old].body, pair))
    (*old)++;
  for (; *old < count && is_of_pair(&before[*old], pair); (*old)++) {
    if (!make_room(finding, 1))
      return false;
    pc_contact_data *contact = &finding->contacts.at[finding->contacts.count++];
    *contact = before[*old];
    contact->interaction = -1;
    *deepest = -contact->gap > *deepest ? -contact->gap : *deepest;
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

// Pairs that are left without those of balls that are apart. These are most, in an order that no
// branch prediction can guess, so they are sorted out without a branch; and for a block of pairs at
// a time, so that what the others need is prefetched before they are looked at.
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

// Whether a body of a pair sleeps, or both are obstacles.
static bool is_special(const pc_detection *search, int a, int b)
{
  const pc_outline *outline = search->outlines->body.at;
  const int *asleep = search->bodies->asleep.at;
  return search->bodies->sleepers > 0 && !search->with_sleeping &&
         (asleep[a] > 0 || asleep[b] > 0 || (!outline[a].heavy && !outline[b].heavy));
}

// A sleeping body wakes when a contact acts, or a moving obstacle is near. Several threads may do
// it at a time.
static void rouse(const pc_detection *search, int a, int b, bool near, bool acts)
{
  const pc_outline *outline = search->outlines->body.at;
  int sleeper = search->bodies->asleep.at[a] > 0 ? a : b;
  if (acts || (near && (!outline[a].heavy || !outline[b].heavy)))
    __atomic_store_n(&search->roused[sleeper], 1, __ATOMIC_RELAXED);
}

// Pairs of obstacles weigh as much as so many others.
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

// Boxes of the plane among pairs that are left, some of them ahead.
typedef struct quads {
  pc_quad_pairs pairs;
  int left[PC_QUADS]; // their places among these
  int next, end;      // of them; pairs up to there were looked at
} quads;

static void look_for_quads(const pc_detection_job *job, const sieve *block, int from, quads *to)
{
  const pc_detection *search = job->search;
  const pc_outline *outline = search->outlines->body.at;
  const unsigned char *fixed = search->outlines->fixed.at;
  const pc_solid *solid = search->bodies->solid.at;
  const pc_pose *pose = search->outlines->pose.at;
  pc_quad_pairs *pairs = &to->pairs;
  int k = from, count = 0;
  for (; k < block->count && count < PC_QUADS; k++) {
    int a = job->pairs[block->left[k]][0], b = job->pairs[block->left[k]][1];
    if (!pc_shape_is_quad(solid[a].shape) || !pc_shape_is_quad(solid[b].shape) ||
        fixed[a] == PC_BOX_ABSENT || fixed[b] == PC_BOX_ABSENT ||
        (outline[a].group != 0 && outline[a].group == outline[b].group) ||
        !pc_boxes_overlap(search->outlines->box.at[a], search->outlines->box.at[b]))
      continue;
    pairs->shape[0][count] = solid[a].shape;
    pairs->shape[1][count] = solid[b].shape;
    pairs->pose[0][count] = &pose[a];
    pairs->pose[1][count] = &pose[b];
    pairs->margin[count] = outline[a].reach + outline[b].reach;
    to->left[count++] = k;
  }
  pairs->count = count;
  to->next = 0;
  to->end = k;
  pc_collide_quads(pairs);
}

// Contacts of pairs begin .. end, when the step is solved for the first time and no body sleeps.
static pc_status collide_plain(const pc_detection_job *job, int begin, int end, pc_finding *finding,
                               double *deepest, int *looked)
{
  const pc_detection *search = job->search;
  const pc_outline *outline = search->outlines->body.at;
  const unsigned char *fixed = search->outlines->fixed.at;
  const bool boxes = search->dimension == 2 && !search->pairs->mostly_balls;
  sieve block[2];
  quads found;
  int now = 0;
  sift(job, begin, end, &block[now]);
  for (int p = begin; p < end; p += SIFTED, now = !now) {
    sift(job, p + SIFTED, end, &block[!now]);
    found.pairs.count = found.next = found.end = 0;
    for (int k = 0; k < block[now].count && p < job->costly; k++)
      __builtin_prefetch(search->bodies->solid.at[job->pairs[block[now].left[k]][1]].shape);
    for (int k = 0; k < block[now].count; k++) {
      const int *pair = job->pairs[block[now].left[k]];
      int a = pair[0], b = pair[1];
      if (boxes && k == found.end)
        look_for_quads(job, &block[now], k, &found);
      if (found.next < found.pairs.count && found.left[found.next] == k) {
        int i = found.next++;
        if (found.pairs.made[i] >= 0) {
          (*looked)++;
          if (!add_contacts(job, a, b, found.pairs.touch[i], found.pairs.made[i], finding, deepest))
            return PC_ERROR_MEMORY;
          continue;
        }
      }
      if (fixed[a] == PC_BOX_ABSENT || fixed[b] == PC_BOX_ABSENT)
        continue;
      if (outline[a].ball > 0 && outline[b].ball > 0) {
        int known = finding->contacts.count + finding->passed;
        if (!add_ball_contact(job, a, b, finding, deepest))
          return PC_ERROR_MEMORY;
        *looked += finding->contacts.count + finding->passed - known;
        continue;
      }
      if (!boxes_overlap(search, a, b))
        continue;
      pc_status status = collide(search, a, b, &finding->list);
      if (status != PC_OK)
        return status;
      (*looked)++;
      if (finding->list.count > 0 && !add_found(job, a, b, finding, deepest))
        return PC_ERROR_MEMORY;
    }
  }
  return PC_OK;
}

// The same when it is solved again, or bodies sleep.
static pc_status collide_again(const pc_detection_job *job, int begin, int end, pc_finding *finding,
                               double *deepest, int *looked)
{
  const pc_detection *search = job->search;
  const pc_outline *outline = search->outlines->body.at;
  const unsigned char *fixed = search->outlines->fixed.at;
  int old = search->again && begin < end ? find_contact(search, job->pairs[begin]) : 0;
  for (int p = begin; p < end; p++) {
    int a = job->pairs[p][0], b = job->pairs[p][1];
    if (search->again && !search->struck[a] && !search->struck[b]) {
      if (!keep_contacts(search, job->pairs[p], &old, finding, deepest))
        return PC_ERROR_MEMORY;
      continue;
    }
    if (fixed[a] == PC_BOX_ABSENT || fixed[b] == PC_BOX_ABSENT)
      continue;
    bool special = is_special(search, a, b);
    if (special && !outline[a].heavy && !outline[b].heavy)
      continue;
    // Two balls are told apart faster than their boxes.
    bool balls = outline[a].ball > 0 && outline[b].ball > 0;
    if (!balls && !boxes_overlap(search, a, b))
      continue;
    int known = finding->contacts.count;
    pc_status status = collide(search, a, b, &finding->list);
    if (status != PC_OK)
      return status;
    *looked += !balls || finding->list.count > 0;
    if (finding->list.count > 0 && !add_found(job, a, b, finding, deepest))
      return PC_ERROR_MEMORY;
    if (special)
      rouse(job->search, a, b, finding->list.count > 0, finding->contacts.count > known);
  }
  return PC_OK;
}

void pc_detection_collide(void *context, int from, int to, int worker)
{
  pc_detection_job *job = context;
  int begin = pair_at(job, from), end = pair_at(job, to), looked = 0;
  const pc_detection *search = job->search;
  bool plain = !search->again && (search->bodies->sleepers == 0 || search->with_sleeping);
  double deepest = job->deepest[worker];
  // A copy, so that workers do not write to the same cache lines all the time.
  pc_finding finding = search->contacts->finding.at[worker];
  int known = finding.contacts.count;
  pc_status status = plain ? collide_plain(job, begin, end, &finding, &deepest, &looked)
                           : collide_again(job, begin, end, &finding, &deepest, &looked);
  job->span[from] = (pc_span){worker, known, finding.contacts.count - known, 0};
  search->contacts->finding.at[worker] = finding;
  job->deepest[worker] = deepest;
  job->looked[worker] += looked;
  job->status[worker] = status != PC_OK ? status : job->status[worker];
}
