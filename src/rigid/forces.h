// Forces on a body, asked for body by body in several loops of a step.
#ifndef PERCUSS_RIGID_FORCES_H
#define PERCUSS_RIGID_FORCES_H

#include "core/prefetch.h"
#include "rigid/world.h"

// Otherwise nothing is in `loaded`.
static inline bool pc_forces_any(const pc_world *world)
{
  return world->forces.callback.count > 0 || world->forces.load.count > 0 ||
         world->bodies.guided > 0 || world->forces.given_bodies > 0;
}

// Whether they are those that were set for many bodies and no others, and nobody falls asleep: then
// they are not written to `loaded`.
static inline bool pc_forces_given(const pc_world *world)
{
  return world->forces.callback.count == 0 && world->forces.load.count == 0 &&
         world->bodies.guided == 0 && world->forces.given_bodies > 0 &&
         !(world->def.sleep_after > 0);
}

// Those that were set before the step.
static inline void pc_forces_set(const pc_world *world, int i, double h, double six[6])
{
  enum { AHEAD = 16 };
  const int numbers = pc_force_numbers(world);
  const double *force = world->forces.given.at + (size_t)numbers * (size_t)i;
  pc_prefetch(world->forces.given.at, i + AHEAD, sizeof *force * (size_t)numbers);
  memset(six, 0, 6 * sizeof *six);
  if (i >= world->forces.given_bodies || world->bodies.solid.at[i].mass == 0)
    return;
  for (int k = 0; k < 2; k++)
    six[k] = 0 + h * force[k]; // no -0
  if (numbers == 3)
    six[5] = 0 + h * force[2];
  for (int k = 2; k < numbers && numbers == 6; k++)
    six[k] = 0 + h * force[k];
}

// What `loaded` has, or would have, of a body.
static inline const double *pc_forces_loaded(const pc_world *world, int i, double h, double room[6])
{
  if (!pc_forces_given(world))
    return world->forces.loaded.at[i];
  pc_forces_set(world, i, h, room);
  return room;
}

// P_ext of a body, these and gravity: into `push` where that is kept. Gravity apart: its work is
// that of the potential energy.
static inline const double *pc_forces_push(pc_world *world, int i, double h, double room[6])
{
  double weight = h * world->bodies.solid.at[i].mass,
         *push = world->pushed ? world->scratch.external.at[i] : room, own[6];
  for (int k = 0; k < 3; k++)
    push[k] = weight * world->def.gravity[k];
  for (int k = 3; k < 6; k++)
    push[k] = 0;
  if (!pc_forces_any(world))
    return push;
  const double *loaded = pc_forces_loaded(world, i, h, own);
  for (int k = 0; k < 6; k++)
    push[k] += loaded[k];
  return push;
}

// presence.c: room for those that are set, for all bodies.
bool pc_forces_open(pc_world *world);

// elements.c: forces and loads into `loaded`; P_ext once more for all.
pc_status pc_forces_load(pc_world *world, double h);
void pc_forces_again(pc_world *world, double h);
pc_status pc_forces_lost(pc_world *world, int i); // says that that of a body is not finite

#endif
