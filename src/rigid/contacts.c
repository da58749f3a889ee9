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
  int first[64];      // touches of the workers before
  double deepest[64]; // per worker
  pc_status status[64];
} contacts_job;

static void place_some(void *context, int begin, int end, int worker)
{
  contacts_job *job = context;
  pc_world *world = job->world;
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->body[i];
    pc_outline *outline = &world->outline[i];
    double ball = 0;
    if (body->ball && world->def.dimension == 3) { // turned or not, it is the same
      world->pose[i] = (pc_pose){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
      memcpy(world->pose[i].position, world->state[i].position, sizeof outline->position);
      ball = body->radius;
    } else {
      world->pose[i] = pc_body_pose(body, &world->state[i]);
    }
    world->fixed[i] = body->kind == PC_FIXED || body->kind == PC_DRIVEN;
    double reach = reach_of(world, i, job->h, job->gravity);
    *outline = (pc_outline){.ball = ball,
                            .reach = reach,
                            .group = body->group,
                            .material = body->material,
                            .kind = (unsigned char)body->kind,
                            .dof = (unsigned char)body->dof,
                            .heavy = body->mass > 0};
    outline->slack = 2 * job->gravity * job->h * job->h + reach * 1e-9 +
                     (isfinite(body->radius) ? 1e-9 * body->radius : 0);
    memcpy(outline->position, world->pose[i].position, sizeof outline->position);
    if (ball > 0)
      for (int k = 0; k < 3; k++) {
        world->box[i][k] = outline->position[k] - ball;
        world->box[i][3 + k] = outline->position[k] + ball;
      }
    else
      pc_shape_bounds(body->shape, &world->pose[i], world->box[i]);
    for (int k = 0; k < 3; k++) {
      world->box[i][k] -= reach;
      world->box[i][3 + k] += reach;
    }
  }
}

static double normal_speed(const double *position, const double *velocity, const double *spin,
                           const pc_contact_point *at)
{
  double arm[3], turned[3], sum = 0;
  for (int k = 0; k < 3; k++)
    arm[k] = at->point[k] - position[k];
  pc_cross(spin, arm, turned);
  for (int k = 0; k < 3; k++)
    sum += (velocity[k] + turned[k]) * at->normal[k];
  return sum;
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

static bool counts(const contacts_job *job, int a, int b, const pc_contact_point *at,
                   pc_touch *touch)
{
  const pc_world *world = job->world;
  const pc_body_state *first = &world->state[a], *second = &world->state[b];
  double before = normal_speed(first->position, first->velocity, first->spin, at) -
                  normal_speed(second->position, second->velocity, second->spin, at);
  double free = normal_speed(first->position, world->free[a], world->free[a] + 3, at) -
                normal_speed(second->position, world->free[b], world->free[b] + 3, at);
  if (world->again) {
    double last = normal_speed(first->position, world->last[a], world->last[a] + 3, at) -
                  normal_speed(second->position, world->last[b], world->last[b] + 3, at);
    free = fmin(free, last);
  }
  if (!acts(job, at->gap, before, free, world->outline[a].slack))
    return false;
  *touch = (pc_touch){.body = {a, b},
                      .feature = at->feature,
                      .gap = at->gap,
                      .before = before,
                      .free = free,
                      .law = -1,
                      .interaction = -1};
  memcpy(touch->point, at->point, sizeof touch->point);
  memcpy(touch->normal, at->normal, sizeof touch->normal);
  return true;
}

// The contacts of a pair, into the list of the worker.
static pc_status collide(const contacts_job *job, int a, int b, pc_contact_list *list)
{
  const pc_world *world = job->world;
  const pc_outline *one = &world->outline[a], *two = &world->outline[b];
  double margin = one->reach + two->reach;
  list->count = 0;
  if (one->group != 0 && one->group == two->group)
    return PC_OK;
  if (one->ball > 0 && two->ball > 0) {
    list->count =
        pc_balls_touch(one->position, one->ball, two->position, two->ball, margin, &list->point[0]);
    return PC_OK;
  }
  return pc_collide(world->body[a].shape, &world->pose[a], world->body[b].shape, &world->pose[b],
                    margin, list);
}

// Pairs are sorted by their first body: the second one may be anywhere.
enum { AHEAD = 12 };
static void prefetch(const pc_world *world, int i)
{
  __builtin_prefetch(&world->outline[i]);
  __builtin_prefetch(world->state[i].position);
  __builtin_prefetch(world->state[i].spin);
  __builtin_prefetch(world->free[i]);
}

static void collide_some(void *context, int begin, int end, int worker)
{
  contacts_job *job = context;
  pc_contact_list *list = &job->world->list[worker];
  pc_touch_list *found = &job->world->found[worker];
  double deepest = 0;
  for (int p = begin; p < end && job->status[worker] == PC_OK; p++) {
    int a = job->pairs[p][0], b = job->pairs[p][1];
    if (p + AHEAD < end)
      prefetch(job->world, job->pairs[p + AHEAD][1]);
    job->status[worker] = collide(job, a, b, list);
    if (list->count == 0)
      continue;
    if (!pc_grow(&found->at, &found->capacity, found->count + list->count, sizeof(pc_touch)))
      job->status[worker] = PC_ERROR_MEMORY;
    for (int c = 0; c < list->count && job->status[worker] == PC_OK; c++) {
      if (!counts(job, a, b, &list->point[c], &found->at[found->count]))
        continue;
      found->count++;
      if (-list->point[c].gap > deepest)
        deepest = -list->point[c].gap;
    }
  }
  job->deepest[worker] = deepest;
}

// Each worker had consecutive pairs, so their lists one after the other are in the order of pairs.
// The first one is in its place already.
static void join_some(void *context, int begin, int end, int worker)
{
  const contacts_job *job = context;
  pc_world *world = job->world;
  for (int w = 1; w < world->lists; w++) {
    const pc_touch_list *found = &world->found[w];
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
  if (world->lists < threads) {
    pc_contact_list *list = realloc(world->list, sizeof *list * (size_t)threads);
    if (list == NULL)
      return false;
    world->list = list;
    pc_touch_list *found = realloc(world->found, sizeof *found * (size_t)threads);
    if (found == NULL)
      return false;
    world->found = found;
    memset(list + world->lists, 0, sizeof *list * (size_t)(threads - world->lists));
    memset(found + world->lists, 0, sizeof *found * (size_t)(threads - world->lists));
    world->lists = threads;
  }
  for (int i = 0; i < world->lists; i++)
    if (!pc_grow(&world->list[i].point, &world->list[i].capacity, 1, sizeof(pc_contact_point)))
      return false;
  return pc_grow(&world->pose, &world->pose_capacity, n, sizeof *world->pose) &&
         pc_grow(&world->box, &world->box_capacity, n, sizeof *world->box) &&
         pc_grow(&world->outline, &world->outline_capacity, n, sizeof *world->outline) &&
         pc_grow(&world->fixed, &world->fixed_capacity, n, sizeof *world->fixed);
}

// All touches in one list, whose memory the first worker had.
static pc_status join(contacts_job *job, int threads)
{
  pc_world *world = job->world;
  pc_status status = PC_OK;
  int found = 0, own = world->found[0].count;
  world->deepest = 0;
  world->touch = world->found[0].at;
  world->touch_capacity = world->found[0].capacity;
  world->found[0].at = NULL;
  world->touches = 0;
  for (int i = 0; i < world->lists; i++) {
    job->first[i] = found;
    found += world->found[i].count;
    world->deepest = fmax(world->deepest, job->deepest[i]);
    status = job->status[i] != PC_OK ? job->status[i] : status;
  }
  if (status != PC_OK || !pc_grow(&world->touch, &world->touch_capacity, found, sizeof(pc_touch)))
    return PC_ERROR_MEMORY;
  world->touches = found;
  if (found > own)
    pc_parallel(threads, found, 1000, join_some, job);
  return PC_OK;
}

pc_status pc_contacts_find(pc_world *world, double h)
{
  contacts_job job = {.world = world,
                      .h = h,
                      .gravity = pc_norm(3, world->def.gravity),
                      .rest = pc_world_rest_speed(world, h)};
  int threads = pc_world_threads(world), pairs = 0;
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(threads, world->bodies, 500, place_some, &job);
  pc_status status =
      pc_broad_pairs(world->broad, threads, world->bodies, (const double(*)[6])world->box,
                     world->fixed, &job.pairs, &pairs);
  if (status != PC_OK)
    return pc_fail(&world->error, status, "out of memory");
  world->info.pairs = pairs;
  world->info.box_tests = pc_broad_tests(world->broad);
  for (int i = 0; i < world->lists; i++)
    world->found[i].count = 0;
  world->found[0].at = world->touch;
  world->found[0].capacity = world->touch_capacity;
  pc_parallel(threads, pairs, 200, collide_some, &job);
  if (join(&job, threads) != PC_OK)
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

static bool is_before(const pc_memory *memory, const int body[2])
{
  return memory->body[0] < body[0] || (memory->body[0] == body[0] && memory->body[1] < body[1]);
}

// The first of the memories that is not before a pair of bodies.
static int find_memory(const pc_world *world, const int body[2])
{
  int low = 0, high = world->memories;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (is_before(&world->memory[middle], body))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// By bodies and feature: both lists are in the order of pairs.
void pc_contacts_remember(pc_world *world, int begin, int end)
{
  int m = begin < end ? find_memory(world, world->touch[begin].body) : 0;
  for (int t = begin; t < end; t++) {
    pc_touch *touch = &world->touch[t];
    while (m < world->memories && is_before(&world->memory[m], touch->body))
      m++;
    for (int i = m; i < world->memories && world->memory[i].body[0] == touch->body[0] &&
                    world->memory[i].body[1] == touch->body[1];
         i++)
      if (world->memory[i].feature == touch->feature) {
        memcpy(touch->percussion, world->memory[i].percussion, sizeof touch->percussion);
        break;
      }
  }
}

typedef struct keep_job {
  pc_world *world;
  const int *first;
} keep_job;

static void keep_pieces(void *context, int begin, int end, int worker)
{
  const keep_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    pc_memory *memory = world->memory + job->first[piece];
    for (int t = pc_piece_begin(world->touches, piece);
         t < pc_piece_begin(world->touches, piece + 1); t++) {
      const pc_touch *touch = &world->touch[t];
      if (!pc_is_pressed(touch))
        continue;
      *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
      memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
      memory++;
    }
  }
}

pc_status pc_contacts_keep(pc_world *world, const int *first)
{
  keep_job job = {world, first};
  int pieces = pc_pieces(world->touches);
  if (!pc_grow(&world->memory, &world->memory_capacity, world->touches, sizeof(pc_memory)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->memories = first[pieces];
  pc_parallel(pc_world_threads(world), pieces, 2, keep_pieces, &job);
  return PC_OK;
}
