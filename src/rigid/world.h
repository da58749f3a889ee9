// Inside of pc_world: the parts that it owns. Each part has a header, and functions that know no
// other part than those they are given.
#ifndef PERCUSS_RIGID_WORLD_H
#define PERCUSS_RIGID_WORLD_H

#include "core/error.h"
#include "percuss/world.h"
#include "rigid/balance.h"
#include "rigid/bodies.h"
#include "rigid/clock.h"
#include "rigid/contact_set.h"
#include "rigid/elements.h"
#include "rigid/forces.h"
#include "rigid/heat.h"
#include "rigid/materials.h"
#include "rigid/pairs.h"
#include "rigid/pierced.h"
#include "rigid/problem.h"
#include "rigid/push_out.h"
#include "rigid/scratch.h"
#include "rigid/sleep.h"
#include "rigid/systems.h"

struct pc_world {
  pc_world_def def;
  char solver[16];
  pc_error error;
  pc_clock clock;
  pc_materials materials;
  pc_body_store bodies;
  pc_forces forces;
  pc_elements elements;
  pc_systems systems;
  pc_outlines outlines;
  pc_body_pairs pairs;
  pc_contact_set contacts;
  pc_pierced pierced;
  pc_problem problem;
  pc_push_out push_out;
  pc_sleep sleep;
  pc_heat_store *heat; // NULL: there is none
  pc_energy_balance balance;
  pc_scratch scratch;
  pc_step_info info; // of the last step
  bool stepping;     // a step goes on, from which a callback may call
  // Steps of this length change nothing until the caller does; 0: they may. Several threads may set
  // forces at once.
  _Atomic double unchanged_h;
};

static inline bool pc_world_can_sleep(const pc_world *world)
{
  return world->def.sleep_after > 0;
}

static inline int pc_world_threads(const pc_world *world)
{
  return world->def.threads > 1 ? world->def.threads : 1;
}

static inline pc_energy_parts pc_world_energy_parts(pc_world *world)
{
  return (pc_energy_parts){&world->bodies,         &world->elements,   world->heat,
                           &world->info,           world->def.gravity, world->def.dimension,
                           pc_world_threads(world)};
}

// save.c: writes the checksum of a state that was changed, as the tests do.
// A state that is shorter has none.
void pc_world_seal(void *state, size_t size);
size_t pc_world_sealed(void);

// Whether a caller may step or change the world: there is one, and no step of it is going on.
static inline pc_status pc_world_admit(pc_world *world)
{
  if (world == NULL)
    return PC_ERROR_ARGUMENT;
  if (world->stepping)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                   "must not be called during a step of this world; call it between steps");
  return PC_OK;
}

static inline pc_status pc_world_out_of_memory(pc_world *world)
{
  return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
}

#endif
