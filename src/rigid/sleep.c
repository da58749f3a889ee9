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
  int n = world->bodies.count, known = world->sleep.known;
  if (!pc_sleep_is_on(world) || known == n)
    return PC_OK;
  if (!pc_array_reserve(&world->bodies.asleep, n) || !pc_array_reserve(&world->sleep.quiet, n) ||
      !pc_array_reserve(&world->sleep.held, n) || !pc_array_reserve(&world->sleep.roused, n) ||
      !pc_array_reserve(&world->sleep.root, n))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int i = known; i < n; i++) {
    world->bodies.asleep.at[i] = 0;
    world->sleep.quiet.at[i] = 0;
    world->sleep.roused.at[i] = 0;
    memset(world->sleep.held.at[i], 0, sizeof world->sleep.held.at[i]);
  }
  world->sleep.known = n;
  world->sleep.placed_h = 0;
  return PC_OK;
}

bool pc_sleep_moves(const pc_world *world, int i)
{
  const pc_body_state *state = &world->bodies.state.at[i];
  if (world->bodies.solid.at[i].kind != PC_DRIVEN)
    return false;
  const pc_body_state *next = &world->bodies.solid.at[i].form->course->next;
  for (int k = 0; k < 3; k++)
    if (state->velocity[k] != 0 || state->spin[k] != 0 || next->position[k] != state->position[k])
      return true;
  return memcmp(next->orientation, state->orientation, sizeof next->orientation) != 0;
}

void pc_sleep_watch(pc_world *world, int i, double h)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  const pc_body_state *state = &world->bodies.state.at[i];
  double speed = sqrt(pc_dot3(state->velocity, state->velocity));
  if (body->turns)
    speed += sqrt(pc_dot3(state->spin, state->spin)) * body->radius;
  world->sleep.quiet.at[i] = speed <= quiet_speed(world, h) ? world->sleep.quiet.at[i] + h : 0;
}

// --- waking -------------------------------------------------------------------------------------

static bool is_before(const int one[2], const int two[2])
{
  return one[0] < two[0] || (one[0] == two[0] && one[1] < two[1]);
}

static bool is_asleep(const pc_world *world, const pc_touch *touch)
{
  return world->bodies.asleep.at[touch->body[0]] > 0 || world->bodies.asleep.at[touch->body[1]] > 0;
}

// Gives the percussions of contacts whose bodies are awake back to those that are remembered. From
// the end, so that one list can be merged into the other where it is.
static pc_status recall(pc_world *world)
{
  int kept = 0, more = 0;
  for (int t = 0; t < world->sleep.contacts.count; t++)
    more += !is_asleep(world, &world->sleep.contacts.at[t]) &&
            pc_is_pressed(&world->sleep.contacts.at[t]);
  if (!pc_array_reserve(&world->contacts.memory, world->contacts.memory.count + more))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  int from = world->contacts.memory.count - 1, to = world->contacts.memory.count + more - 1;
  for (int t = world->sleep.contacts.count - 1; t >= 0; t--) {
    const pc_touch *touch = &world->sleep.contacts.at[t];
    if (is_asleep(world, touch) || !pc_is_pressed(touch))
      continue;
    while (from >= 0 && is_before(touch->body, world->contacts.memory.at[from].body))
      world->contacts.memory.at[to--] = world->contacts.memory.at[from--];
    pc_memory *memory = &world->contacts.memory.at[to--];
    *memory = (pc_memory){.body = {touch->body[0], touch->body[1]}, .feature = touch->feature};
    memcpy(memory->percussion, touch->percussion, sizeof memory->percussion);
  }
  world->contacts.memory.count += more;
  for (int t = 0; t < world->sleep.contacts.count; t++)
    if (is_asleep(world, &world->sleep.contacts.at[t]))
      world->sleep.contacts.at[kept++] = world->sleep.contacts.at[t];
  world->sleep.contacts.count = kept;
  return PC_OK;
}

// Wakes the islands of the bodies that are roused.
static pc_status wake(pc_world *world, bool *any)
{
  int *woken = world->sleep.root.at; // by island
  *any = false;
  for (int i = 0; i < world->bodies.count; i++)
    woken[i] = 0;
  for (int i = 0; i < world->bodies.count; i++) {
    if (world->sleep.roused.at[i] && world->bodies.asleep.at[i] > 0) {
      woken[world->bodies.asleep.at[i] - 1] = 1;
      *any = true;
    }
    world->sleep.roused.at[i] = 0;
  }
  if (!*any)
    return PC_OK;
  for (int i = 0; i < world->bodies.count; i++) {
    if (world->bodies.asleep.at[i] == 0 || !woken[world->bodies.asleep.at[i] - 1])
      continue;
    world->bodies.asleep.at[i] = 0;
    world->sleep.quiet.at[i] = 0;
    world->sleep.roused.at[i] = 1; // tells who it was
    world->bodies.sleepers--;
  }
  world->sleep.potential_known = false;
  return recall(world);
}

void pc_sleep_rouse_all(pc_world *world)
{
  for (int i = 0; i < world->sleep.known && world->bodies.sleepers > 0; i++)
    world->sleep.roused.at[i] = world->bodies.asleep.at[i] > 0;
}

void pc_sleep_rouse(pc_world *world, int i)
{
  if (i < world->sleep.known && world->bodies.asleep.at[i] > 0)
    world->sleep.roused.at[i] = 1;
}

pc_status pc_sleep_wake(pc_world *world, double h, bool falls, bool *any)
{
  *any = false;
  if (world->bodies.sleepers == 0 ||
      memchr(world->sleep.roused.at, 1, (size_t)world->bodies.count) == NULL)
    return PC_OK;
  pc_status status = wake(world, any);
  for (int i = 0; i < world->bodies.count && *any; i++) {
    if (!world->sleep.roused.at[i])
      continue;
    world->sleep.roused.at[i] = 0;
    if (falls) {
      double room[6];
      pc_body_free_velocity(world, i, pc_forces_push(world, i, h, room), world->scratch.free.at[i]);
    }
    if (world->again) {
      world->scratch.struck.at[i] = 1;
      memcpy(world->scratch.previous.at[i], world->scratch.free.at[i],
             sizeof world->scratch.previous.at[i]);
    }
  }
  return status;
}

void pc_sleep_feel(pc_world *world, double h)
{
  if (!pc_sleep_is_on(world) || !pc_forces_any(world))
    return;
  for (int i = 0; i < world->bodies.count; i++) {
    double force[6];
    bool same = true;
    for (int k = 0; k < 6; k++) {
      force[k] = world->forces.loaded.at[i][k] / h;
      same = same && force[k] == world->sleep.held.at[i][k];
    }
    if (same)
      continue;
    memcpy(world->sleep.held.at[i], force, sizeof force);
    world->sleep.quiet.at[i] = 0;
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
  int *root = world->sleep.root.at;
  for (int i = 0; i < world->bodies.count; i++)
    root[i] = i;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const int *body = world->contacts.list.at[t].body;
    if (world->bodies.solid.at[body[0]].mass == 0 || world->bodies.solid.at[body[1]].mass == 0)
      continue;
    int a = root_of(root, body[0]), b = root_of(root, body[1]);
    if (a != b)
      root[a < b ? b : a] = a < b ? a : b;
  }
  for (int i = 0; i < world->bodies.count; i++)
    root[i] = root_of(root, i);
}

// Of islands, in `roused` of the body that stands for them.
enum { RESTLESS = 1, HELD = 2 };

// Islands that something holds: a contact with an obstacle, or a guide. Others are on their way,
// however slow, unless nothing pulls them.
static void find_held(pc_world *world)
{
  const int *root = world->sleep.root.at;
  bool free = pc_norm(3, world->def.gravity) == 0 && !pc_forces_any(world);
  for (int i = 0; i < world->bodies.count; i++)
    if (free || world->bodies.solid.at[i].kind == PC_GUIDED)
      world->sleep.roused.at[root[i]] |= HELD;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const int *body = world->contacts.list.at[t].body;
    for (int b = 0; b < 2 && pc_is_pressed(&world->contacts.list.at[t]); b++)
      if (world->bodies.solid.at[body[b]].mass == 0)
        world->sleep.roused.at[root[body[1 - b]]] |= HELD;
  }
}

// Islands that may not sleep. Springs, strings and nets keep their bodies awake.
static void find_restless(pc_world *world)
{
  const int *root = world->sleep.root.at;
  for (int i = 0; i < world->bodies.count; i++)
    if (world->bodies.solid.at[i].mass > 0 && world->bodies.asleep.at[i] == 0 &&
        !(world->sleep.quiet.at[i] >= world->def.sleep_after))
      world->sleep.roused.at[root[i]] |= RESTLESS;
  for (int t = 0; t < world->contacts.list.count; t++) {
    const int *body = world->contacts.list.at[t].body;
    for (int b = 0; b < 2; b++)
      if (pc_sleep_moves(world, body[b]))
        world->sleep.roused.at[root[body[1 - b]]] |= RESTLESS;
  }
  for (int e = 0; e < world->elements.list.count; e++) {
    const pc_force_element *element = &world->elements.list.at[e];
    if (element->kind == PC_ELEMENT_SPRING)
      world->sleep.roused.at[root[element->body]] |= RESTLESS;
    for (int i = 0; i < element->count; i++)
      world->sleep.roused.at[root[element->bodies[i]]] |= RESTLESS;
  }
  for (int b = 0; b < 2 * world->elements.bond.count; b++)
    world->sleep.roused.at[root[pc_body_slot(world, world->elements.bond.at[b / 2].body[b % 2])]] |=
        RESTLESS;
}

// Lays the contacts of those who sleep now aside; both lists are in the order of pairs.
static pc_status lay_aside(pc_world *world)
{
  int more = 0, kept = 0;
  for (int t = 0; t < world->contacts.list.count; t++)
    more += is_asleep(world, &world->contacts.list.at[t]);
  if (!pc_array_reserve(&world->sleep.contacts, world->sleep.contacts.count + more))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  int from = world->sleep.contacts.count - 1, to = world->sleep.contacts.count + more - 1;
  for (int t = world->contacts.list.count - 1; t >= 0; t--) {
    const pc_touch *touch = &world->contacts.list.at[t];
    if (!is_asleep(world, touch))
      continue;
    while (from >= 0 && is_before(touch->body, world->sleep.contacts.at[from].body))
      world->sleep.contacts.at[to--] = world->sleep.contacts.at[from--];
    world->sleep.contacts.at[to--] = *touch;
  }
  world->sleep.contacts.count += more;
  for (int t = 0; t < world->contacts.list.count; t++)
    if (!is_asleep(world, &world->contacts.list.at[t]))
      world->contacts.list.at[kept++] = world->contacts.list.at[t];
  world->contacts.list.count = kept;
  kept = 0;
  for (int m = 0; m < world->contacts.memory.count; m++)
    if (world->bodies.asleep.at[world->contacts.memory.at[m].body[0]] == 0 &&
        world->bodies.asleep.at[world->contacts.memory.at[m].body[1]] == 0)
      world->contacts.memory.at[kept++] = world->contacts.memory.at[m];
  world->contacts.memory.count = kept;
  return PC_OK;
}

pc_status pc_sleep_fall(pc_world *world, double *frozen)
{
  bool any = false;
  *frozen = 0;
  if (!pc_sleep_is_on(world) || world->clock.step % EVERY != 0)
    return PC_OK;
  for (int i = 0; i < world->bodies.count && !any; i++)
    any = world->bodies.solid.at[i].mass > 0 && world->bodies.asleep.at[i] == 0 &&
          world->sleep.quiet.at[i] >= world->def.sleep_after;
  if (!any)
    return PC_OK;
  find_islands(world);
  find_held(world);
  find_restless(world);
  pc_energies gone = {0};
  any = false;
  for (int i = 0; i < world->bodies.count; i++) {
    pc_body_state *state = &world->bodies.state.at[i];
    if (world->bodies.solid.at[i].mass == 0 || world->bodies.asleep.at[i] > 0 ||
        world->sleep.roused.at[world->sleep.root.at[i]] != HELD)
      continue;
    pc_body_add_energies(world, i, &gone);
    if (world->heat != NULL)
      pc_warmth_freeze(world, i);
    memset(state->velocity, 0, sizeof state->velocity);
    memset(state->spin, 0, sizeof state->spin);
    world->bodies.asleep.at[i] = world->sleep.root.at[i] + 1;
    world->bodies.sleepers++;
    any = true;
  }
  for (int i = 0; i < world->bodies.count; i++)
    world->sleep.roused.at[i] = 0;
  *frozen = gone.translation + gone.rotation;
  world->sleep.potential_known = world->sleep.potential_known && !any;
  world->sleep.placed_h = any ? 0 : world->sleep.placed_h;
  world->sleep.fresh = any;
  return any ? lay_aside(world) : PC_OK;
}

// --- what sleepers count ------------------------------------------------------------------------

void pc_sleep_begin(pc_world *world)
{
  for (int t = 0; t < world->sleep.contacts.count && world->sleep.fresh; t++)
    world->sleep.contacts.at[t].interaction =
        -1; // it was one of the impact problem of the step before
  world->sleep.fresh = false;
}

void pc_sleep_count(pc_world *world)
{
  if (world->sleep.potential_known)
    return;
  for (int piece = 0; piece < pc_pieces(world->bodies.count); piece++) {
    pc_energies sum = {0};
    for (int i = pc_piece_begin(world->bodies.count, piece);
         i < pc_piece_begin(world->bodies.count, piece + 1); i++)
      if (pc_is_asleep(world, i))
        pc_body_add_energies(world, i, &sum);
    world->sleep.potential[piece] = sum.potential;
  }
  world->sleep.potential_known = true;
}

void pc_sleep_free(pc_sleep *sleep)
{
  pc_array_free(&sleep->quiet);
  pc_array_free(&sleep->held);
  pc_array_free(&sleep->roused);
  pc_array_free(&sleep->root);
  pc_array_free(&sleep->contacts);
}
