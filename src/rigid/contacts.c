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

const pc_law *pc_contacts_law(const pc_world *world, int material_a, int material_b)
{
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  for (int i = 0; i < world->pair_laws; i++)
    if (world->pair_law[i].a == a && world->pair_law[i].b == b)
      return &world->pair_law[i].law;
  return &world->default_law;
}

// How far a body may come towards another in one step: contacts farther away cannot matter.
static double reach_of(const pc_world *world, int i, double h)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double small = isfinite(body->radius) ? 1e-9 * body->radius : 0;
  if (world->def.treatment == PC_PENALTY || h == 0)
    return small;
  double speed = pc_norm(3, state->velocity);
  pc_shape_type type = pc_shape_kind(body->shape);
  bool ball = type == PC_SPHERE || type == PC_DISC;
  if (!ball && isfinite(body->radius))
    speed += pc_norm(3, state->spin) * body->radius;
  double way = h * speed;
  if (body->kind == PC_FREE || body->kind == PC_GUIDED)
    way += h * (pc_norm(3, world->free[i]) * 1e-3 + h * pc_norm(3, world->def.gravity));
  return way + small;
}

typedef struct contacts_job {
  pc_world *world;
  double h;
  const int (*pairs)[2];
  pc_status status[64]; // per worker
} contacts_job;

static void place_some(void *context, int begin, int end, int worker)
{
  contacts_job *job = context;
  pc_world *world = job->world;
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->body[i];
    world->pose[i] = pc_body_pose(body, &world->state[i]);
    world->reach[i] = reach_of(world, i, job->h);
    world->fixed[i] = body->kind == PC_FIXED || body->kind == PC_DRIVEN;
    pc_shape_bounds(body->shape, &world->pose[i], world->box[i]);
    for (int k = 0; k < 3; k++) {
      world->box[i][k] -= world->reach[i];
      world->box[i][3 + k] += world->reach[i];
    }
  }
}

static void collide_some(void *context, int begin, int end, int worker)
{
  contacts_job *job = context;
  pc_world *world = job->world;
  pc_contact_list *list = &world->list[worker];
  for (int p = begin; p < end && job->status[worker] == PC_OK; p++) {
    int a = job->pairs[p][0], b = job->pairs[p][1], before = list->count;
    const pc_solid *first = &world->body[a], *second = &world->body[b];
    if (first->group == 0 || first->group != second->group)
      job->status[worker] = pc_collide(first->shape, &world->pose[a], second->shape,
                                       &world->pose[b], world->reach[a] + world->reach[b], list);
    world->pair_contacts[p] = list->count - before;
  }
}

static double normal_speed(const pc_world *world, int i, const double *velocity, const double *spin,
                           const pc_contact_point *at)
{
  double arm[3], turned[3], sum = 0;
  for (int k = 0; k < 3; k++)
    arm[k] = at->point[k] - world->state[i].position[k];
  pc_cross(spin, arm, turned);
  for (int k = 0; k < 3; k++)
    sum += (velocity[k] + turned[k]) * at->normal[k];
  return sum;
}

// Which contacts act. At position level those that touch or may touch before the middle of the next
// step. At velocity level those that touch (Moreau), and those that close before the end of the
// step in a real impact (Pecol): without the latter bodies would enter each other by half a step's
// way.
static bool acts(const pc_world *world, double gap, double before, double free, double h,
                 double slack)
{
  switch (world->def.treatment) {
  case PC_POSITION_LEVEL:
    return gap + h * fmin(0, fmin(before, free)) <= slack;
  case PC_VELOCITY_LEVEL:
    return gap <= 0 || (before < -pc_world_rest_speed(world, h) && gap + 0.5 * h * before <= 0);
  default:
    return gap <= 0;
  }
}

static bool counts(const pc_world *world, int a, int b, const pc_contact_point *at, double h,
                   double slack, pc_touch *touch)
{
  const pc_body_state *first = &world->state[a], *second = &world->state[b];
  double before = normal_speed(world, a, first->velocity, first->spin, at) -
                  normal_speed(world, b, second->velocity, second->spin, at);
  double free = normal_speed(world, a, world->free[a], world->free[a] + 3, at) -
                normal_speed(world, b, world->free[b], world->free[b] + 3, at);
  if (!acts(world, at->gap, before, free, h, slack))
    return false;
  *touch = (pc_touch){.body = {a, b},
                      .feature = at->feature,
                      .gap = at->gap,
                      .before = before,
                      .free = free,
                      .interaction = -1};
  memcpy(touch->point, at->point, sizeof touch->point);
  memcpy(touch->normal, at->normal, sizeof touch->normal);
  return true;
}

static bool make_room(pc_world *world)
{
  int n = world->bodies, threads = pc_world_threads(world);
  if (world->lists < threads) {
    pc_contact_list *list = realloc(world->list, sizeof *list * (size_t)threads);
    if (list == NULL)
      return false;
    memset(list + world->lists, 0, sizeof *list * (size_t)(threads - world->lists));
    world->list = list;
    world->lists = threads;
  }
  return pc_grow(&world->pose, &world->pose_capacity, n, sizeof *world->pose) &&
         pc_grow(&world->box, &world->box_capacity, n, sizeof *world->box) &&
         pc_grow(&world->reach, &world->reach_capacity, n, sizeof *world->reach) &&
         pc_grow(&world->fixed, &world->fixed_capacity, n, sizeof *world->fixed);
}

pc_status pc_contacts_find(pc_world *world, double h)
{
  contacts_job job = {.world = world, .h = h};
  int threads = pc_world_threads(world), pairs = 0;
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_parallel(threads, world->bodies, 500, place_some, &job);
  pc_status status =
      pc_broad_pairs(world->broad, threads, world->bodies, (const double(*)[6])world->box,
                     world->fixed, &job.pairs, &pairs);
  if (status == PC_OK && !pc_grow(&world->pair_contacts, &world->pair_capacity, pairs, sizeof(int)))
    status = PC_ERROR_MEMORY;
  if (status != PC_OK)
    return pc_fail(&world->error, status, "out of memory");
  for (int i = 0; i < world->lists; i++)
    world->list[i].count = 0;
  pc_parallel(threads, pairs, 200, collide_some, &job);
  int found = 0;
  for (int i = 0; i < world->lists; i++) {
    found += world->list[i].count;
    status = job.status[i] != PC_OK ? job.status[i] : status;
  }
  if (status != PC_OK || !pc_grow(&world->touch, &world->touch_capacity, found, sizeof(pc_touch)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");

  // Each worker had consecutive pairs, so the lists one after the other are in the order of pairs.
  double gravity = pc_norm(3, world->def.gravity);
  int list = 0, at = 0;
  world->touches = 0;
  world->info.pairs = pairs;
  world->info.box_tests = pc_broad_tests(world->broad);
  for (int p = 0; p < pairs; p++)
    for (int c = 0; c < world->pair_contacts[p]; c++, at++) {
      while (at == world->list[list].count) {
        list++;
        at = 0;
      }
      int a = job.pairs[p][0], b = job.pairs[p][1];
      double slack = 2 * gravity * h * h + world->reach[a] * 1e-9 +
                     (isfinite(world->body[a].radius) ? 1e-9 * world->body[a].radius : 0);
      if (counts(world, a, b, &world->list[list].point[at], h, slack,
                 &world->touch[world->touches]))
        world->touches++;
    }
  return PC_OK;
}

// Percussions of the last step, by bodies and feature: both lists are in the order of pairs.
void pc_contacts_remember(pc_world *world)
{
  int m = 0;
  for (int t = 0; t < world->touches; t++) {
    pc_touch *touch = &world->touch[t];
    while (m < world->memories && (world->memory[m].body[0] < touch->body[0] ||
                                   (world->memory[m].body[0] == touch->body[0] &&
                                    world->memory[m].body[1] < touch->body[1])))
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

pc_status pc_contacts_keep(pc_world *world)
{
  if (!pc_grow(&world->memory, &world->memory_capacity, world->touches, sizeof(pc_memory)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  world->memories = 0;
  for (int t = 0; t < world->touches; t++) {
    const pc_touch *touch = &world->touch[t];
    if (touch->percussion[0] == 0 && touch->percussion[1] == 0 && touch->percussion[2] == 0)
      continue;
    pc_memory *memory = &world->memory[world->memories++];
    *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
  }
  return PC_OK;
}
