// Finding contacts: boxes, pairs, manifolds, and which of them count in the step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/world.h"

double pc_world_rest_speed(const pc_world *world, double h)
{
  return world->def.rest_speed >= 0 ? world->def.rest_speed
                                    : 2 * pc_norm(3, world->def.gravity) * h;
}

int pc_contacts_law(const pc_world *world, int material_a, int material_b)
{
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  for (int i = 0; i < world->pair_laws; i++)
    if (world->pair_law[i].a == a && world->pair_law[i].b == b)
      return i;
  return world->pair_laws;
}

// How far a body may come towards another in one step: contacts farther away cannot matter.
static double reach_of(const pc_world *world, int i, double h, double gravity)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  if (world->def.treatment == PC_PENALTY || h == 0)
    return small;
  double speed = sqrt(pc_dot3(state->velocity, state->velocity));
  if (!body->ball && isfinite(body->radius))
    speed += sqrt(pc_dot3(state->spin, state->spin)) * body->radius;
  if (world->again && body->mass > 0) {
    double after = sqrt(pc_dot3(world->last[i], world->last[i]));
    if (!body->ball)
      after += sqrt(pc_dot3(world->last[i] + 3, world->last[i] + 3)) * body->radius;
    speed = fmax(speed, after);
  }
  double way = h * speed;
  if (body->kind == PC_FREE || body->kind == PC_GUIDED)
    way += h * (sqrt(pc_dot3(world->free[i], world->free[i])) * 1e-3 + h * gravity);
  return way + small;
}

typedef struct contacts_job {
  pc_world *world;
  double h, gravity, rest;
  const int (*pairs)[2];
  int pair_count;
  int dear;   // pairs of obstacles, which come first: each is as much work as WEIGHT pairs of balls
  bool notes; // contacts that do not act
  int first[64];      // touches of the workers before
  double deepest[64]; // per worker
  int looked[64];     // at so many pairs
  pc_status status[64];
} contacts_job;

// Whether box b is inside a.
static inline bool holds(const double a[6], const double b[6])
{
  return (a[0] <= b[0]) & (a[1] <= b[1]) & (a[2] <= b[2]) & (b[3] <= a[3]) & (b[4] <= a[4]) &
         (b[5] <= a[5]);
}

static inline bool overlap(const double a[6], const double b[6])
{
  return (a[0] <= b[3]) & (b[0] <= a[3]) & (a[1] <= b[4]) & (b[1] <= a[4]) & (a[2] <= b[5]) &
         (b[2] <= a[5]);
}

// The box of a ball is told by its outline.
static inline const double *box_of(const pc_world *world, int i, double room[6])
{
  const pc_outline *outline = &world->outline[i];
  if (!(outline->ball > 0))
    return world->box[i];
  for (int k = 0; k < 3; k++) {
    room[k] = outline->position[k] - outline->ball - outline->reach;
    room[3 + k] = outline->position[k] + outline->ball + outline->reach;
  }
  return room;
}

// Where the shape of a body is at the middle of the step; a ball is the same, turned or not.
static const pc_pose *pose_of(const pc_world *world, int i, pc_pose *room)
{
  if (!(world->outline[i].ball > 0))
    return &world->pose[i];
  *room = (pc_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(room->position, world->outline[i].position, sizeof room->position);
  return room;
}

static void set_velocities(const pc_world *world, int i, pc_moving *moving)
{
  for (int k = 0; k < 3; k++)
    moving->velocity[k] = (pc_two){world->state[i].velocity[k], world->free[i][k]};
}

static void set_spins(const pc_world *world, int i, pc_moving *moving)
{
  memcpy(moving->position, world->state[i].position, sizeof moving->position);
  for (int k = 0; k < 3; k++)
    moving->spin[k] = (pc_two){world->state[i].spin[k], world->free[i][3 + k]};
}

// How a body moves: the spin of a ball is looked up only where it meets something else.
static const pc_moving *moving_of(const pc_world *world, int i, pc_moving *room)
{
  if (!(world->outline[i].ball > 0))
    return &world->moving[i];
  memcpy(room->velocity, world->moving[i].velocity, sizeof room->velocity);
  set_spins(world, i, room);
  return room;
}

static void place(const contacts_job *job, int i)
{
  pc_world *world = job->world;
  const pc_solid *body = &world->body[i];
  pc_outline *outline = &world->outline[i];
  bool sleeps = pc_is_asleep(world, i);
  double ball = 0, small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  // Who sleeps is found by what is as near as contacts that act may be.
  double reach = sleeps ? 2 * job->gravity * job->h * job->h + small
                        : reach_of(world, i, job->h, job->gravity);
  if (sleeps && !world->everybody) {
    memset(world->free[i], 0, sizeof world->free[i]);
    memset(world->last[i], 0, sizeof world->last[i]);
  }
  const double *position = world->state[i].position;
  if (body->ball) {
    ball = body->radius;
  } else {
    world->pose[i] = pc_body_pose(body, &world->state[i]);
    position = world->pose[i].position;
  }
  // Who sleeps is met by what moves only; who moves is not fixed for them.
  world->fixed[i] = body->kind == PC_FIXED || body->kind == PC_DRIVEN ? PC_BOX_FIXED : PC_BOX_MOVES;
  if (world->sleepers > 0 && !world->everybody && pc_sleep_moves(world, i))
    world->fixed[i] = PC_BOX_MOVES;
  if (body->absent)
    world->fixed[i] = PC_BOX_ABSENT;
  *outline = (pc_outline){.ball = ball,
                          .reach = reach,
                          .group = body->group,
                          .material = body->material,
                          .kind = (unsigned char)body->kind,
                          .dof = (unsigned char)body->dof,
                          .heavy = body->mass > 0};
  set_velocities(world, i, &world->moving[i]);
  outline->slack = 2 * job->gravity * job->h * job->h + reach * 1e-9 + small;
  memcpy(outline->position, position, sizeof outline->position);
  if (ball > 0)
    return;
  set_spins(world, i, &world->moving[i]);
  pc_shape_bounds(body->shape, &world->pose[i], world->box[i]);
  for (int k = 0; k < 3; k++) {
    world->box[i][k] -= reach;
    world->box[i][3 + k] += reach;
  }
}

static void place_some(void *context, int begin, int end, int worker)
{
  const contacts_job *job = context;
  const pc_world *world = job->world;
  pc_finding *finding = &world->finding[worker];
  pc_box_list own = finding->left;
  for (int i = begin; i < end; i++)
    if (world->again ? world->struck[i]
                     : !pc_is_asleep(world, i) || world->rest_h != job->h || world->everybody) {
      double room[6];
      place(job, i);
      if (i < world->wide_bodies && holds(world->wide[i], box_of(world, i, room)))
        continue;
      if (pc_grow(&own.at, &own.capacity, own.count + 1, sizeof *own.at))
        own.at[own.count++] = i;
      else
        finding->left_more = true;
    }
  finding->left = own;
}

// How fast a point of a body goes along a normal; `arm` is from the body's position to it.
static inline double point_speed(const double *velocity, const double *spin, const double *arm,
                                 const double *normal)
{
  double x = velocity[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  double y = velocity[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  double z = velocity[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

// The same of both velocities that contacts look at.
static inline pc_two both_speeds(const pc_moving *body, const double *arm, const double *normal)
{
  const pc_two *velocity = body->velocity, *spin = body->spin;
  pc_two x = velocity[0] + (spin[1] * arm[2] - spin[2] * arm[1]);
  pc_two y = velocity[1] + (spin[2] * arm[0] - spin[0] * arm[2]);
  pc_two z = velocity[2] + (spin[0] * arm[1] - spin[1] * arm[0]);
  return x * normal[0] + y * normal[1] + z * normal[2];
}

static inline pc_two both_ball_speeds(const pc_moving *first, const pc_moving *second,
                                      const double *normal)
{
  return (first->velocity[0] - second->velocity[0]) * normal[0] +
         (first->velocity[1] - second->velocity[1]) * normal[1] +
         (first->velocity[2] - second->velocity[2]) * normal[2];
}

// Of two balls along the line of their centres: their spins do not count.
static inline double ball_speed(const double *first, const double *second, const double *normal)
{
  return (first[0] - second[0]) * normal[0] + (first[1] - second[1]) * normal[1] +
         (first[2] - second[2]) * normal[2];
}

static inline void arm_of(const double *position, const double *point, double *arm)
{
  for (int k = 0; k < 3; k++)
    arm[k] = point[k] - position[k];
}

// With the velocities of the solve before.
static double last_speed(const pc_world *world, int a, int b, const double *point,
                         const double *normal)
{
  const double *first = world->last[a], *second = world->last[b];
  double one[3], two[3];
  if (world->outline[a].ball > 0 && world->outline[b].ball > 0)
    return ball_speed(first, second, normal);
  pc_moving room[2];
  arm_of(moving_of(world, a, &room[0])->position, point, one);
  arm_of(moving_of(world, b, &room[1])->position, point, two);
  return point_speed(first, first + 3, one, normal) - point_speed(second, second + 3, two, normal);
}

// Which contacts act. At position level those that touch or may touch before the middle of the next
// step. At velocity level those that touch (Moreau), and those that close before the end of the
// step in a real impact (Pecol): without the latter bodies would enter each other by half a step's
// way.
static bool acts(const contacts_job *job, double gap, double before, double free, double slack)
{
  double h = job->h, least = before < free ? before : free;
  switch (job->world->def.treatment) {
  case PC_POSITION_LEVEL:
    return gap + h * (least < 0 ? least : 0) <= slack;
  case PC_VELOCITY_LEVEL:
    least = job->world->again ? least : before;
    return gap <= 0 || (least < -job->rest && gap + 0.5 * h * least <= 0);
  default:
    return gap <= 0;
  }
}

// Lists are in the order of pairs.
static bool is_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

// The first entry of a list, of things that begin with their two bodies, that is not before a pair.
static int find_pair(const void *list, size_t size, int count, const int pair[2])
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (is_before((const int *)((const char *)list + size * (size_t)middle), pair))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int find_touch(const pc_world *world, const int pair[2])
{
  return find_pair(world->touch, sizeof(pc_touch), world->touches, pair);
}

// Whether a contact acted in the solve before. Then it stays: it may be what keeps bodies apart.
static bool acted(const pc_world *world, int a, int b, uint64_t feature)
{
  int pair[2] = {a, b};
  for (int t = find_touch(world, pair);
       t < world->touches && world->touch[t].body[0] == a && world->touch[t].body[1] == b; t++)
    if (world->touch[t].feature == feature)
      return true;
  return false;
}

static inline pc_touch touch_of(const pc_world *world, int a, int b, const pc_contact_point *at,
                                double before, double free)
{
  pc_touch touch = {.body = {a, b},
                    .feature = at->feature,
                    .gap = at->gap,
                    .before = before,
                    .free = free,
                    .law = -1,
                    .interaction = -1};
  memcpy(touch.normal, at->normal, sizeof touch.normal);
  // In an open gap the point is on the body that moves, so that its arm is that of the touch to
  // come; between two such bodies it is in the middle.
  bool heavy = world->outline[a].heavy, also = world->outline[b].heavy;
  double shift = heavy == also || at->gap <= 0 ? 0 : heavy ? 0.5 * at->gap : -0.5 * at->gap;
  for (int k = 0; k < 3; k++)
    touch.point[k] = at->point[k] + shift * at->normal[k];
  return touch;
}

// The contact as it counts in the step; false if it does not act.
static bool counts(const contacts_job *job, int a, int b, const pc_contact_point *at,
                   pc_touch *touch)
{
  const pc_world *world = job->world;
  double one[3], two[3];
  pc_two both;
  if (world->outline[a].ball > 0 && world->outline[b].ball > 0) {
    both = both_ball_speeds(&world->moving[a], &world->moving[b], at->normal);
  } else {
    pc_moving room[2];
    const pc_moving *first = moving_of(world, a, &room[0]), *second = moving_of(world, b, &room[1]);
    arm_of(first->position, at->point, one);
    arm_of(second->position, at->point, two);
    both = both_speeds(first, one, at->normal) - both_speeds(second, two, at->normal);
  }
  double before = both[0], free = both[1];
  if (world->again)
    free = fmin(free, last_speed(world, a, b, at->point, at->normal));
  if (!acts(job, at->gap, before, free, world->outline[a].slack) &&
      !(world->again && acted(world, a, b, at->feature)))
    return false;
  *touch = touch_of(world, a, b, at, before, free);
  return true;
}

// The contacts of a pair.
static pc_status collide(const contacts_job *job, int a, int b, pc_contact_list *list)
{
  const pc_world *world = job->world;
  const pc_outline *one = &world->outline[a], *two = &world->outline[b];
  double margin = one->reach + two->reach;
  list->count = 0;
  if (one->group != 0 && one->group == two->group)
    return PC_OK;
  if (one->ball > 0 && two->ball > 0) {
    list->count = pc_balls_touch(one->position, one->ball, two->position, two->ball, margin,
                                 world->def.dimension - 1, &list->point[0]);
    return PC_OK;
  }
  pc_pose room[2];
  return pc_collide(world->body[a].shape, pose_of(world, a, &room[0]), world->body[b].shape,
                    pose_of(world, b, &room[1]), margin, list);
}

static inline bool add_near(pc_finding *finding, int a, int b, const pc_contact_point *at)
{
  if (finding->near_count == finding->near_capacity &&
      !pc_grow(&finding->near, &finding->near_capacity, finding->near_count + 1, sizeof(pc_near)))
    return false;
  pc_near *near = &finding->near[finding->near_count++];
  *near = (pc_near){.body = {a, b}, .gap = at->gap};
  memcpy(near->point, at->point, sizeof near->point);
  memcpy(near->normal, at->normal, sizeof near->normal);
  return true;
}

// A contact that does not act is noted where it is looked at again.
static inline bool pass_by(const contacts_job *job, pc_finding *finding, int a, int b,
                           const pc_contact_point *at)
{
  finding->passed++;
  return !job->notes || add_near(finding, a, b, at);
}

// Takes in the contacts of a pair: those that act, and those that may.
static bool take(const contacts_job *job, int a, int b, pc_finding *finding, double *deepest)
{
  const pc_contact_list *list = &finding->list;
  pc_touch_list *touches = &finding->touches;
  if (!pc_grow_aligned(&touches->at, &touches->capacity, touches->count + list->count,
                       sizeof(pc_touch)))
    return false;
  for (int c = 0; c < list->count; c++) {
    const pc_contact_point *at = &list->point[c];
    if (counts(job, a, b, at, &touches->at[touches->count])) {
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
static inline bool meet_balls(const contacts_job *job, int a, int b, pc_finding *finding,
                              double *deepest)
{
  const pc_world *world = job->world;
  const pc_outline *one = &world->outline[a], *two = &world->outline[b];
  pc_touch_list *touches = &finding->touches;
  pc_contact_point at;
  if ((one->group != 0 && one->group == two->group) ||
      !pc_balls_touch(one->position, one->ball, two->position, two->ball, one->reach + two->reach,
                      world->def.dimension - 1, &at))
    return true;
  const pc_moving *first = &world->moving[a], *second = &world->moving[b];
  pc_two both = both_ball_speeds(first, second, at.normal);
  double before = both[0], free = both[1];
  if (!acts(job, at.gap, before, free, one->slack))
    return pass_by(job, finding, a, b, &at);
  if (touches->count == touches->capacity &&
      !pc_grow_aligned(&touches->at, &touches->capacity, touches->count + 1, sizeof(pc_touch)))
    return false;
  touches->at[touches->count++] = touch_of(world, a, b, &at, before, free);
  *deepest = -at.gap > *deepest ? -at.gap : *deepest;
  return true;
}

// The touches of a pair that nothing has changed, from `old` on.
static bool keep(const pc_world *world, const int pair[2], int *old, pc_touch_list *touches,
                 double *deepest)
{
  while (*old < world->touches && is_before(world->touch[*old].body, pair))
    (*old)++;
  for (; *old < world->touches && world->touch[*old].body[0] == pair[0] &&
         world->touch[*old].body[1] == pair[1];
       (*old)++) {
    if (!pc_grow_aligned(&touches->at, &touches->capacity, touches->count + 1, sizeof(pc_touch)))
      return false;
    pc_touch *touch = &touches->at[touches->count++];
    *touch = world->touch[*old];
    touch->interaction = -1;
    *deepest = -touch->gap > *deepest ? -touch->gap : *deepest;
  }
  return true;
}

// Pairs are sorted by their first body: the second one may be anywhere.
enum { AHEAD = 12 };
static void prefetch(const pc_world *world, int i)
{
  __builtin_prefetch(&world->outline[i]);
  __builtin_prefetch(&world->moving[i]);
}

// Whether two balls are farther from each other than they may come.
static inline bool are_apart(const pc_outline *one, const pc_outline *two)
{
  const double *a = one->position, *b = two->position;
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  double reach = one->ball + two->ball + (one->reach + two->reach);
  return x * x + y * y + z * z > reach * reach && one->ball > 0 && two->ball > 0;
}

// Whether a pair has somebody who sleeps, or two obstacles.
static inline bool boxes_overlap(const pc_world *world, int a, int b)
{
  double room[2][6];
  return overlap(box_of(world, a, room[0]), box_of(world, b, room[1]));
}

static bool is_special(const pc_world *world, int a, int b)
{
  return world->sleepers > 0 && !world->everybody &&
         (world->asleep[a] > 0 || world->asleep[b] > 0 ||
          (!world->outline[a].heavy && !world->outline[b].heavy));
}

// Who sleeps wakes when a contact acts, or an obstacle that moves is near. Several threads may do
// it at a time.
static void rouse(pc_world *world, int a, int b, bool near, bool acts)
{
  int sleeper = world->asleep[a] > 0 ? a : b;
  if (acts || (near && (!world->outline[a].heavy || !world->outline[b].heavy)))
    __atomic_store_n(&world->roused[sleeper], 1, __ATOMIC_RELAXED);
}

// Work is cut by what it is worth.
enum { WEIGHT = 20 };
static int pair_at(const contacts_job *job, int work)
{
  return work < WEIGHT * job->dear ? work / WEIGHT : work - (WEIGHT - 1) * job->dear;
}

static int work_of_pairs(contacts_job *job)
{
  enum { MOST = INT32_MAX / WEIGHT };
  const pc_world *world = job->world;
  int first[2] = {0, 0};
  while (first[0] < world->bodies && !world->outline[first[0]].heavy)
    first[0]++;
  int dear = find_pair(job->pairs, sizeof first, job->pair_count, first);
  job->dear = job->pair_count < MOST && world->wide_balls ? dear : 0;
  return job->pair_count + (WEIGHT - 1) * job->dear;
}

static void collide_some(void *context, int from, int to, int worker)
{
  contacts_job *job = context;
  int begin = pair_at(job, from), end = pair_at(job, to);
  const pc_world *world = job->world;
  // A copy, so that workers do not write to the same lines of memory all the time.
  pc_finding finding = world->finding[worker];
  pc_status status = PC_OK;
  int old = world->again && begin < end ? find_touch(world, job->pairs[begin]) : 0;
  bool plain = !world->again && (world->sleepers == 0 || world->everybody);
  int looked = 0;
  double deepest = 0;
  for (int p = begin; p < end && status == PC_OK; p++) {
    int a = job->pairs[p][0], b = job->pairs[p][1];
    if (p + AHEAD < end)
      prefetch(world, job->pairs[p + AHEAD][1]);
    if (plain && are_apart(&world->outline[a], &world->outline[b]))
      continue;
    if (world->again && !world->struck[a] && !world->struck[b]) {
      if (!keep(world, job->pairs[p], &old, &finding.touches, &deepest))
        status = PC_ERROR_MEMORY;
      continue;
    }
    if (world->fixed[a] == PC_BOX_ABSENT || world->fixed[b] == PC_BOX_ABSENT)
      continue;
    bool special = is_special(world, a, b);
    if (special && !world->outline[a].heavy && !world->outline[b].heavy)
      continue;
    // Two balls are told apart faster than their boxes.
    bool balls = world->outline[a].ball > 0 && world->outline[b].ball > 0;
    if (!balls && !boxes_overlap(world, a, b))
      continue;
    int known = finding.touches.count, passed = finding.passed;
    if (balls && plain) {
      if (!meet_balls(job, a, b, &finding, &deepest))
        status = PC_ERROR_MEMORY;
      looked += finding.touches.count - known + finding.passed - passed;
      continue;
    }
    status = collide(job, a, b, &finding.list);
    looked += !balls || finding.list.count > 0;
    if (status == PC_OK && finding.list.count > 0 && !take(job, a, b, &finding, &deepest))
      status = PC_ERROR_MEMORY;
    if (special)
      rouse(job->world, a, b, finding.list.count > 0, finding.touches.count > known);
  }
  world->finding[worker] = finding;
  job->status[worker] = status;
  job->deepest[worker] = deepest;
  job->looked[worker] = looked;
}

// Each worker had consecutive pairs, so their lists one after the other are in the order of pairs.
// The first one is in its place already.
static void join_some(void *context, int begin, int end, int worker)
{
  const contacts_job *job = context;
  pc_world *world = job->world;
  for (int w = 1; w < world->findings; w++) {
    const pc_touch_list *found = &world->finding[w].touches;
    int first = job->first[w], last = first + found->count;
    int from = begin > first ? begin : first, to = end < last ? end : last;
    if (from < to)
      memcpy(world->touch + from, found->at + (from - first),
             sizeof(pc_touch) * (size_t)(to - from));
  }
}

static bool make_room(pc_world *world)
{
  int n = world->bodies, threads = pc_world_threads(world);
  if (world->findings < threads) {
    pc_finding *finding = realloc(world->finding, sizeof *finding * (size_t)threads);
    if (finding == NULL)
      return false;
    memset(finding + world->findings, 0, sizeof *finding * (size_t)(threads - world->findings));
    world->finding = finding;
    world->findings = threads;
  }
  for (int i = 0; i < world->findings; i++)
    if (!pc_grow(&world->finding[i].list.point, &world->finding[i].list.capacity, 1,
                 sizeof(pc_contact_point)))
      return false;
  return pc_grow(&world->pose, &world->pose_capacity, n, sizeof *world->pose) &&
         pc_grow(&world->box, &world->box_capacity, n, sizeof *world->box) &&
         pc_grow_aligned(&world->moving, &world->moving_capacity, n, sizeof *world->moving) &&
         pc_grow_aligned(&world->outline, &world->outline_capacity, n, sizeof *world->outline) &&
         pc_grow(&world->fixed, &world->fixed_capacity, n, sizeof *world->fixed);
}

// All touches in one list: that of the first worker, who gets the memory of the old one.
static pc_status join(contacts_job *job, int threads)
{
  pc_world *world = job->world;
  pc_status status = PC_OK;
  pc_touch_list *own = &world->finding[0].touches, old = {world->touch, 0, world->touch_capacity};
  int found = 0, in_place = own->count, looked = 0;
  world->deepest = 0;
  world->touch = own->at;
  world->touch_capacity = own->capacity;
  world->touches = 0;
  for (int i = 0; i < world->findings; i++) {
    looked += job->looked[i];
    job->first[i] = found;
    found += world->finding[i].touches.count;
    world->deepest = fmax(world->deepest, job->deepest[i]);
    status = job->status[i] != PC_OK ? job->status[i] : status;
  }
  if (!world->again)
    world->info.pairs = looked;
  *own = old;
  if (status != PC_OK ||
      !pc_grow_aligned(&world->touch, &world->touch_capacity, found, sizeof(pc_touch)))
    return PC_ERROR_MEMORY;
  world->touches = found;
  if (found > in_place)
    pc_parallel(threads, found, 1000, join_some, job);
  return PC_OK;
}

// Forgets what will be found anew.
static void forget(const pc_world *world, pc_finding *finding)
{
  int kept = 0;
  finding->touches.count = finding->passed = 0;
  for (int i = 0; i < finding->near_count && world->again; i++) {
    const int *body = finding->near[i].body;
    if (!world->struck[body[0]] && !world->struck[body[1]])
      finding->near[kept++] = finding->near[i];
  }
  finding->near_count = kept;
}

static contacts_job start_job(pc_world *world, double h)
{
  return (contacts_job){.world = world,
                        .h = h,
                        .notes = world->def.looks != PC_LOOK_ONCE,
                        .gravity = pc_norm(3, world->def.gravity),
                        .rest = pc_world_rest_speed(world, h)};
}

// Those who sleep are there for the boxes of what moves only: outside the box around all these they
// are left out. False if nothing moves.
static bool leave_out_sleepers(pc_world *world)
{
  double all[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
  bool any = false;
  for (int i = 0; i < world->bodies; i++) {
    double room[6];
    const double *box = box_of(world, i, room);
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
    const double *box = box_of(world, i, room);
    if (world->asleep[i] == 0 || world->body[i].absent)
      continue;
    bool near = true;
    for (int k = 0; k < 3; k++)
      near = near && box[k] <= all[3 + k] && all[k] <= box[3 + k];
    world->fixed[i] = near ? PC_BOX_FIXED : PC_BOX_ABSENT;
  }
  return any;
}

// For how many steps wide boxes shall have room: more for balls, which are told apart fast; fewer
// where bodies go far in a step for their size, because boxes would then meet too many others; none
// where they would be left at once. Some bodies tell.
static double steps_ahead(pc_world *world, double *typical)
{
  enum { SAMPLE = 512 };
  const double least = 1.5, part = 0.5; // of the radius, in the mean
  double radius = 0, reach = 0;
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
  double most = world->wide_balls ? 8 : 4;
  double steps = reach * most > part * radius ? part * radius / reach : most;
  return steps < least ? 0 : steps;
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
  const double *box = box_of(world, i, room);
  for (int k = 0; k < 3; k++) {
    world->wide[i][k] = box[k] - more;
    world->wide[i][3 + k] = box[3 + k] + more;
  }
}

static void widen_some(void *context, int begin, int end, int worker)
{
  const contacts_job *job = context;
  for (int i = begin; i < end; i++)
    widen(job->world, i);
}

static pc_status find_wide_pairs(contacts_job *job, int threads)
{
  pc_world *world = job->world;
  int n = world->bodies;
  world->wide_bodies = world->wide_pairs = world->strays = 0;
  if (!pc_grow(&world->wide, &world->wide_capacity, n, sizeof *world->wide) ||
      !pc_grow(&world->wide_fixed, &world->wide_fixed_capacity, n, 1))
    return PC_ERROR_MEMORY;
  world->wide_ahead = steps_ahead(world, &world->wide_typical);
  pc_parallel(threads, n, 1000, widen_some, job);
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
  if (memcmp(world->wide_fixed, world->fixed, (size_t)world->bodies) == 0)
    return false;
  for (int i = 0; i < world->bodies; i++)
    if (world->fixed[i] != world->wide_fixed[i] && world->fixed[i] != PC_BOX_ABSENT)
      return true;
  return false;
}

static int compare_pairs(const void *a, const void *b)
{
  return is_before(a, b) ? -1 : is_before(b, a);
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

// Notes the pair of a stray and another body if their wide boxes overlap and it is not known.
static bool add_more(pc_world *world, int i, int j, int *count)
{
  int pair[2] = {i < j ? i : j, i < j ? j : i};
  if (i == j || !overlap(world->wide[i], world->wide[j]))
    return true;
  int at = find_pair(world->wide_pair, sizeof pair, world->wide_pairs, pair);
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
    if (old > 0 && is_before(more[left - 1], to[old - 1]))
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
      if (!add_more(world, i, world->around.at[k], &count))
        return false;
    for (int k = 0; k < world->strays; k++) // they are no more where the search has them
      if (!add_more(world, i, world->stray[k], &count))
        return false;
    world->info.box_tests += world->around.count + world->strays;
  }
  return merge_pairs(world, count);
}

// Pairs among which all are whose boxes overlap, in order. They are looked for anew when boxes
// leave their wide ones: which of them overlap does not depend on when that was.
static pc_status find_pairs(contacts_job *job, int threads, int *count)
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

pc_status pc_contacts_open(pc_world *world)
{
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < world->findings; i++) {
    world->finding[i].left.count = 0;
    world->finding[i].left_more = false;
  }
  return PC_OK;
}

void pc_contacts_place(pc_world *world, double h, int begin, int end, int worker)
{
  contacts_job job = {.world = world, .h = h, .gravity = pc_norm(3, world->def.gravity)};
  place_some(&job, begin, end, worker);
}

pc_status pc_contacts_find(pc_world *world, double h)
{
  contacts_job job = start_job(world, h);
  int threads = pc_world_threads(world), pairs = 0;
  if (!world->placed) {
    if (pc_contacts_open(world) != PC_OK)
      return PC_ERROR_MEMORY;
    pc_parallel(threads, world->bodies, 500, place_some, &job);
  }
  world->placed = false;
  if (!world->again && !world->everybody)
    world->rest_h = h;
  pc_status status = find_pairs(&job, threads, &pairs);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < world->findings; i++)
    forget(world, &world->finding[i]);
  if (!world->again) { // the old list is not needed: its memory is used again
    pc_touch_list *own = &world->finding[0].touches, old = *own;
    *own = (pc_touch_list){world->touch, 0, world->touch_capacity};
    world->touch = old.at;
    world->touch_capacity = old.capacity;
    world->touches = 0;
  }
  job.pair_count = pairs;
  pc_parallel(threads, work_of_pairs(&job), 200, collide_some, &job);
  if (join(&job, threads) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

typedef struct missed_job {
  contacts_job job;
  bool any[PC_PIECES]; // per piece of the bodies
  bool closes[64];     // per worker's finding
} missed_job;

// Bodies that come out so much faster than they went in that contacts they may reach were not
// looked for.
static void find_struck(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  pc_world *world = missed->job.world;
  for (int piece = begin; piece < end; piece++) {
    bool any = false;
    for (int i = pc_piece_begin(world->bodies, piece); i < pc_piece_begin(world->bodies, piece + 1);
         i++) {
      const pc_solid *body = &world->body[i];
      double *last = world->last[i];
      world->struck[i] = 0;
      if (pc_is_idle(world, i))
        continue;
      if (world->place[i] < 0) {
        memcpy(last, world->free[i], sizeof world->last[i]);
        continue;
      }
      pc_problem_velocity(world, i, last);
      double speed = sqrt(pc_dot3(last, last));
      if (!body->ball)
        speed += sqrt(pc_dot3(last + 3, last + 3)) * body->radius;
      // A wall without end has no radius: its contacts are found whatever its speed.
      double spare = world->def.looks == PC_LOOK_UNTIL_NONE_IS_MISSING ? 0 : 0.02 * body->radius;
      world->struck[i] = missed->job.h * speed > world->outline[i].reach + spare;
      any = any || world->struck[i];
    }
    missed->any[piece] = any;
  }
}

// Contacts that were near and close now. A little is left to pushing out.
static bool find_closing(const contacts_job *job, const pc_finding *finding)
{
  pc_world *world = job->world;
  bool any = false;
  for (int i = 0; i < finding->near_count; i++) {
    const pc_near *near = &finding->near[i];
    int a = near->body[0], b = near->body[1];
    double speed = last_speed(world, a, b, near->point, near->normal);
    double one = world->outline[a].ball, two = world->outline[b].ball;
    if (!(one > 0 && two > 0))
      one = world->body[a].radius, two = world->body[b].radius;
    double little =
        world->def.looks == PC_LOOK_UNTIL_NONE_IS_MISSING ? 0 : 0.01 * (one < two ? one : two);
    if (!acts(job, near->gap + little, speed, speed, 0))
      continue;
    any = true;
    for (int k = 0; k < 2; k++) // several threads may do it at a time
      __atomic_store_n(&world->struck[near->body[k]], 1, __ATOMIC_RELAXED);
  }
  return any;
}

static void find_all_closing(void *context, int begin, int end, int worker)
{
  missed_job *missed = context;
  for (int i = begin; i < end; i++)
    missed->closes[i] = find_closing(&missed->job, &missed->job.world->finding[i]);
}

bool pc_contacts_missed(pc_world *world, double h)
{
  missed_job missed = {.job = start_job(world, h)};
  int pieces = pc_pieces(world->bodies);
  bool any = false;
  pc_parallel(pc_world_threads(world), pieces, 2, find_struck, &missed);
  for (int i = 0; i < pieces; i++)
    any = any || missed.any[i];
  pc_parallel(pc_world_threads(world), world->findings, 1, find_all_closing, &missed);
  for (int i = 0; i < world->findings; i++)
    any = any || missed.closes[i];
  return any;
}

// By bodies and feature: both lists are in the order of pairs.
void pc_contacts_remember(pc_world *world, int begin, int end)
{
  // At velocity level nothing of a contact changes within a step.
  bool settles = world->again && world->def.treatment == PC_VELOCITY_LEVEL;
  int m = begin < end ? find_pair(world->memory, sizeof(pc_memory), world->memories,
                                  world->touch[begin].body)
                      : 0;
  for (int t = begin; t < end; t++) {
    pc_touch *touch = &world->touch[t];
    while (m < world->memories && is_before(world->memory[m].body, touch->body))
      m++;
    for (int i = m; i < world->memories && world->memory[i].body[0] == touch->body[0] &&
                    world->memory[i].body[1] == touch->body[1];
         i++)
      if (world->memory[i].feature == touch->feature) {
        memcpy(touch->percussion, world->memory[i].percussion, sizeof touch->percussion);
        touch->interaction = settles ? PC_SETTLED : -1;
        break;
      }
  }
}

static void keep_some(void *context, int begin, int end, int worker)
{
  pc_world *world = context;
  for (int t = begin; t < end; t++) {
    pc_touch *touch = &world->touch[t];
    pc_memory *memory = &world->memory[t];
    if (t + AHEAD < end)
      __builtin_prefetch(&world->outline[touch[AHEAD].body[0]]);
    pc_problem_read(world, touch);
    *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
  }
}

pc_status pc_contacts_keep(pc_world *world)
{
  if (!pc_grow(&world->memory, &world->memory_capacity, world->touches, sizeof(pc_memory)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->memories = world->touches;
  pc_parallel(pc_world_threads(world), world->touches, 1000, keep_some, world);
  pc_problem_keep_moments(world);
  return PC_OK;
}
