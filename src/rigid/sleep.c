// Islands of bodies that rest fall asleep: they are neither looked at nor solved until something
// that moves touches them, or a force on them changes.
//
// A body is quiet while no point of it is faster than `sleep_speed`. When all bodies of an island,
// joined by the contacts that act, have been quiet for `sleep_after` and something holds them,
// their velocities become zero, which the account books, and their contacts are laid aside with
// their percussions. They wake as one, and go on from these percussions.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/forces.h"

enum { EVERY = 8 }; // steps between looks for islands that rest

static double quiet_speed(const pc_world *world, double h)
{
  return world->def.sleep_speed >= 0 ? world->def.sleep_speed
                                     : 0.1 * pc_norm(3, world->def.gravity) * h;
}

pc_status pc_sleep_prepare(pc_world *world)
{
  int n = world->bodies, known = world->asleep_known;
  if (!pc_sleep_is_on(world) || known == n)
    return PC_OK;
  if (!pc_grow(&world->asleep, &world->asleep_capacity, n, sizeof *world->asleep) ||
      !pc_grow(&world->quiet, &world->quiet_capacity, n, sizeof *world->quiet) ||
      !pc_grow(&world->held, &world->held_capacity, n, sizeof *world->held) ||
      !pc_grow(&world->roused, &world->roused_capacity, n, 1) ||
      !pc_grow(&world->root, &world->root_capacity, n, sizeof *world->root))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = known; i < n; i++) {
    world->asleep[i] = 0;
    world->quiet[i] = 0;
    world->roused[i] = 0;
    memset(world->held[i], 0, sizeof world->held[i]);
  }
  world->asleep_known = n;
  world->rest_h = 0;
  return PC_OK;
}

bool pc_sleep_moves(const pc_world *world, int i)
{
  const pc_body_state *state = &world->state[i];
  if (world->body[i].kind != PC_DRIVEN)
    return false;
  const pc_body_state *next = &world->body[i].form->course->next;
  for (int k = 0; k < 3; k++)
    if (state->velocity[k] != 0 || state->spin[k] != 0 || next->position[k] != state->position[k])
      return true;
  return memcmp(next->orientation, state->orientation, sizeof next->orientation) != 0;
}

void pc_sleep_watch(pc_world *world, int i, double h)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double speed = sqrt(pc_dot3(state->velocity, state->velocity));
  if (body->turns)
    speed += sqrt(pc_dot3(state->spin, state->spin)) * body->radius;
  world->quiet[i] = speed <= quiet_speed(world, h) ? world->quiet[i] + h : 0;
}

// --- waking -------------------------------------------------------------------------------------

static bool is_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

static bool is_asleep(const pc_world *world, const pc_touch *touch)
{
  return world->asleep[touch->body[0]] > 0 || world->asleep[touch->body[1]] > 0;
}

// Gives the percussions of contacts whose bodies are awake back to those that are remembered. From
// the end, so that one list can be merged into the other where it is.
static pc_status recall(pc_world *world)
{
  int kept = 0, more = 0;
  for (int t = 0; t < world->rests; t++)
    more += !is_asleep(world, &world->rest[t]) && pc_is_pressed(&world->rest[t]);
  if (!pc_grow(&world->memory, &world->memory_capacity, world->memories + more, sizeof(pc_memory)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  int from = world->memories - 1, to = world->memories + more - 1;
  for (int t = world->rests - 1; t >= 0; t--) {
    const pc_touch *touch = &world->rest[t];
    if (is_asleep(world, touch) || !pc_is_pressed(touch))
      continue;
    while (from >= 0 && is_before(touch->body, world->memory[from].body))
      world->memory[to--] = world->memory[from--];
    pc_memory *memory = &world->memory[to--];
    *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
  }
  world->memories += more;
  for (int t = 0; t < world->rests; t++)
    if (is_asleep(world, &world->rest[t]))
      world->rest[kept++] = world->rest[t];
  world->rests = kept;
  return PC_OK;
}

// Wakes the islands of the bodies that are roused.
static pc_status wake(pc_world *world, bool *any)
{
  int *woken = world->root; // by island
  *any = false;
  for (int i = 0; i < world->bodies; i++)
    woken[i] = 0;
  for (int i = 0; i < world->bodies; i++) {
    if (world->roused[i] && world->asleep[i] > 0) {
      woken[world->asleep[i] - 1] = 1;
      *any = true;
    }
    world->roused[i] = 0;
  }
  if (!*any)
    return PC_OK;
  for (int i = 0; i < world->bodies; i++) {
    if (world->asleep[i] == 0 || !woken[world->asleep[i] - 1])
      continue;
    world->asleep[i] = 0;
    world->quiet[i] = 0;
    world->roused[i] = 1; // tells who it was
    world->sleepers--;
  }
  world->rest_known = false;
  return recall(world);
}

void pc_sleep_rouse_all(pc_world *world)
{
  for (int i = 0; i < world->asleep_known && world->sleepers > 0; i++)
    world->roused[i] = world->asleep[i] > 0;
}

void pc_sleep_rouse(pc_world *world, int i)
{
  if (i < world->asleep_known && world->asleep[i] > 0)
    world->roused[i] = 1;
}

pc_status pc_sleep_wake(pc_world *world, double h, bool falls, bool *any)
{
  *any = false;
  if (world->sleepers == 0 || memchr(world->roused, 1, (size_t)world->bodies) == NULL)
    return PC_OK;
  pc_status status = wake(world, any);
  for (int i = 0; i < world->bodies && *any; i++) {
    if (!world->roused[i])
      continue;
    world->roused[i] = 0;
    if (falls) {
      double room[6];
      pc_body_free_velocity(world, i, pc_forces_push(world, i, h, room), world->free[i]);
    }
    if (world->again) {
      world->struck[i] = 1;
      memcpy(world->last[i], world->free[i], sizeof world->last[i]);
    }
  }
  return status;
}

void pc_sleep_feel(pc_world *world, double h)
{
  if (!pc_sleep_is_on(world) || !pc_forces_any(world))
    return;
  for (int i = 0; i < world->bodies; i++) {
    double force[6];
    bool same = true;
    for (int k = 0; k < 6; k++) {
      force[k] = world->loaded[i][k] / h;
      same = same && force[k] == world->held[i][k];
    }
    if (same)
      continue;
    memcpy(world->held[i], force, sizeof force);
    world->quiet[i] = 0;
    pc_sleep_rouse(world, i);
  }
}

// --- falling asleep -----------------------------------------------------------------------------

static int root_of(int *root, int i)
{
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}

// The first body of an island stands for it.
static void find_islands(pc_world *world)
{
  int *root = world->root;
  for (int i = 0; i < world->bodies; i++)
    root[i] = i;
  for (int t = 0; t < world->touches; t++) {
    const int *body = world->touch[t].body;
    if (world->body[body[0]].mass == 0 || world->body[body[1]].mass == 0)
      continue;
    int a = root_of(root, body[0]), b = root_of(root, body[1]);
    if (a != b)
      root[a < b ? b : a] = a < b ? a : b;
  }
  for (int i = 0; i < world->bodies; i++)
    root[i] = root_of(root, i);
}

// Of islands, in `roused` of the body that stands for them.
enum { RESTLESS = 1, HELD = 2 };

// Islands that something holds: a contact with an obstacle, or a guide. Others are on their way,
// however slow, unless nothing pulls them.
static void find_held(pc_world *world)
{
  const int *root = world->root;
  bool free = pc_norm(3, world->def.gravity) == 0 && !pc_forces_any(world);
  for (int i = 0; i < world->bodies; i++)
    if (free || world->body[i].kind == PC_GUIDED)
      world->roused[root[i]] |= HELD;
  for (int t = 0; t < world->touches; t++) {
    const int *body = world->touch[t].body;
    for (int b = 0; b < 2 && pc_is_pressed(&world->touch[t]); b++)
      if (world->body[body[b]].mass == 0)
        world->roused[root[body[1 - b]]] |= HELD;
  }
}

// Islands that may not sleep. Springs, strings and nets keep their bodies awake.
static void find_restless(pc_world *world)
{
  const int *root = world->root;
  for (int i = 0; i < world->bodies; i++)
    if (world->body[i].mass > 0 && world->asleep[i] == 0 &&
        !(world->quiet[i] >= world->def.sleep_after))
      world->roused[root[i]] |= RESTLESS;
  for (int t = 0; t < world->touches; t++) {
    const int *body = world->touch[t].body;
    for (int b = 0; b < 2; b++)
      if (pc_sleep_moves(world, body[b]))
        world->roused[root[body[1 - b]]] |= RESTLESS;
  }
  for (int e = 0; e < world->elements; e++) {
    const pc_force_element *element = &world->element[e];
    if (element->kind == PC_ELEMENT_SPRING)
      world->roused[root[element->body]] |= RESTLESS;
    for (int i = 0; i < element->count; i++)
      world->roused[root[element->bodies[i]]] |= RESTLESS;
  }
  for (int b = 0; b < 2 * world->bonds; b++)
    world->roused[root[pc_body_slot(world, world->bond[b / 2].body[b % 2])]] |= RESTLESS;
}

// Lays the contacts of those who sleep now aside; both lists are in the order of pairs.
static pc_status lay_aside(pc_world *world)
{
  int more = 0, kept = 0;
  for (int t = 0; t < world->touches; t++)
    more += is_asleep(world, &world->touch[t]);
  if (!pc_grow(&world->rest, &world->rest_capacity, world->rests + more, sizeof(pc_touch)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  int from = world->rests - 1, to = world->rests + more - 1;
  for (int t = world->touches - 1; t >= 0; t--) {
    const pc_touch *touch = &world->touch[t];
    if (!is_asleep(world, touch))
      continue;
    while (from >= 0 && is_before(touch->body, world->rest[from].body))
      world->rest[to--] = world->rest[from--];
    world->rest[to--] = *touch;
  }
  world->rests += more;
  for (int t = 0; t < world->touches; t++)
    if (!is_asleep(world, &world->touch[t]))
      world->touch[kept++] = world->touch[t];
  world->touches = kept;
  kept = 0;
  for (int m = 0; m < world->memories; m++)
    if (world->asleep[world->memory[m].body[0]] == 0 &&
        world->asleep[world->memory[m].body[1]] == 0)
      world->memory[kept++] = world->memory[m];
  world->memories = kept;
  return PC_OK;
}

pc_status pc_sleep_fall(pc_world *world, double *frozen)
{
  bool any = false;
  *frozen = 0;
  if (!pc_sleep_is_on(world) || world->step % EVERY != 0)
    return PC_OK;
  for (int i = 0; i < world->bodies && !any; i++)
    any = world->body[i].mass > 0 && world->asleep[i] == 0 &&
          world->quiet[i] >= world->def.sleep_after;
  if (!any)
    return PC_OK;
  find_islands(world);
  find_held(world);
  find_restless(world);
  pc_energies gone = {0};
  any = false;
  for (int i = 0; i < world->bodies; i++) {
    pc_body_state *state = &world->state[i];
    if (world->body[i].mass == 0 || world->asleep[i] > 0 || world->roused[world->root[i]] != HELD)
      continue;
    pc_body_add_energies(world, i, &gone);
    if (world->heat != NULL)
      pc_warmth_freeze(world, i);
    memset(state->velocity, 0, sizeof state->velocity);
    memset(state->spin, 0, sizeof state->spin);
    world->asleep[i] = world->root[i] + 1;
    world->sleepers++;
    any = true;
  }
  for (int i = 0; i < world->bodies; i++)
    world->roused[i] = 0;
  *frozen = gone.translation + gone.rotation;
  world->rest_known = world->rest_known && !any;
  world->rest_h = any ? 0 : world->rest_h;
  world->rest_fresh = any;
  return any ? lay_aside(world) : PC_OK;
}

// --- what sleepers count ------------------------------------------------------------------------

void pc_sleep_begin(pc_world *world)
{
  for (int t = 0; t < world->rests && world->rest_fresh; t++)
    world->rest[t].interaction = -1; // it was one of the impact problem of the step before
  world->rest_fresh = false;
}

void pc_sleep_count(pc_world *world)
{
  if (world->rest_known)
    return;
  for (int piece = 0; piece < pc_pieces(world->bodies); piece++) {
    pc_energies sum = {0};
    for (int i = pc_piece_begin(world->bodies, piece); i < pc_piece_begin(world->bodies, piece + 1);
         i++)
      if (pc_is_asleep(world, i))
        pc_body_add_energies(world, i, &sum);
    world->rest_potential[piece] = sum.potential;
  }
  world->rest_known = true;
}

void pc_sleep_free(pc_world *world)
{
  free(world->asleep);
  free(world->quiet);
  free(world->held);
  free(world->roused);
  free(world->root);
  free(world->rest);
}
