// Forces on bodies: what the caller gives, loads, and P_ext with gravity.
#ifndef PERCUSS_RIGID_FORCES_H
#define PERCUSS_RIGID_FORCES_H

#include "rigid/world.h"

// Whether there are forces: otherwise nothing is in `loaded`.
static inline bool pc_forces_any(const pc_world *world)
{
  return world->forces > 0 || world->loads > 0 || world->guided > 0 || world->given_forces > 0;
}

// Whether they are those that were set for many bodies and no others, and nobody falls asleep: then
// they are not written to `loaded`.
static inline bool pc_forces_given(const pc_world *world)
{
  return world->forces == 0 && world->loads == 0 && world->guided == 0 && world->given_forces > 0 &&
         !pc_sleep_is_on(world);
}

// Those of a body that were set before the step.
static inline void pc_forces_given_of(const pc_world *world, int i, double h, double six[6])
{
  bool acts = i < world->given_forces && world->body[i].mass > 0;
  for (int k = 0; k < 6; k++)
    six[k] = 0;
  for (int k = 0; k < 6 && acts; k++)
    six[k] += h * world->given_force[i][k]; // no -0
}

// What `loaded` has, or would have, of a body.
static inline const double *pc_forces_loaded(const pc_world *world, int i, double h, double room[6])
{
  if (!pc_forces_given(world))
    return world->loaded[i];
  pc_forces_given_of(world, i, h, room);
  return room;
}

// presence.c: room for those that are set, for all bodies.
bool pc_forces_open(pc_world *world);

// elements.c: forces and loads into `loaded`; P_ext of a body (these and gravity), into `push`
// where that is kept; once more for all.
pc_status pc_forces_load(pc_world *world, double h);
const double *pc_forces_push(pc_world *world, int i, double h, double room[6]);
void pc_forces_again(pc_world *world, double h);
pc_status pc_forces_lost(pc_world *world, int i); // says that that of a body is not finite

#endif
