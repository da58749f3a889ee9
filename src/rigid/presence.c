// Bodies that come and go, and many bodies at once: what crowds need of a world.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "rigid/forces.h"

static bool is_range(const pc_world *world, pc_body first, int count)
{
  return count >= 0 && first.id >= 1 && first.id - 1 <= world->bodies.count - count;
}

bool pc_body_is_present(const pc_world *world, pc_body body)
{
  return !world->bodies.solid.at[pc_body_slot(world, body)].absent;
}

// What a body that goes takes with it, and one that comes brings, is energy given.
pc_status pc_world_set_present(pc_world *world, pc_body body, bool present)
{
  if (!is_range(world, body, 1))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "there is no body %d", body.id);
  int i = pc_body_slot(world, body);
  pc_solid *solid = &world->bodies.solid.at[i];
  if (solid->absent == !present)
    return PC_OK;
  for (int e = 0; e < world->elements.list.count; e++) {
    const pc_force_element *element = &world->elements.list.at[e];
    bool tied = element->kind == PC_ELEMENT_SPRING && element->body == i;
    for (int k = 0; k < element->count && !tied; k++)
      tied = element->bodies[k] == i;
    if (tied)
      return pc_fail(&world->error, PC_ERROR_ARGUMENT,
                     "body %d is held by a spring, a string or a net: it cannot leave", body.id);
  }
  pc_sleep_rouse_all(world);
  pc_energies energies = {0};
  solid->absent = false;
  if (solid->mass > 0)
    pc_body_add_energies(world, i, &energies);
  double energy = energies.translation + energies.rotation + energies.potential;
  solid->absent = !present;
  world->balance.given += present ? energy : -energy;
  if (world->heat != NULL)
    pc_warmth_set_present(world, i, present);
  world->balance.changed = world->balance.changed || present; // what comes may be in the way
  return PC_OK;
}

bool pc_world_is_changed(const pc_world *world)
{
  return world->balance.changed || !world->balance.accounted;
}

void pc_world_read(const pc_world *world, pc_body first, int count, double (*position)[3],
                   double (*velocity)[3])
{
  for (int k = 0; k < count; k++) {
    const pc_body_state *state =
        &world->bodies.state.at[pc_body_slot(world, (pc_body){first.id + k})];
    memcpy(position[k], state->position, sizeof *position);
    memcpy(velocity[k], state->velocity, sizeof *velocity);
  }
}

void pc_world_read_turns(const pc_world *world, pc_body first, int count, double *angle,
                         double *spin)
{
  for (int k = 0; k < count; k++) {
    const pc_body_state *state =
        &world->bodies.state.at[pc_body_slot(world, (pc_body){first.id + k})];
    angle[k] = 2 * atan2(state->orientation[3], state->orientation[0]);
    spin[k] = state->spin[2];
  }
}

bool pc_forces_open(pc_world *world)
{
  size_t known = (size_t)world->forces.given_bodies, n = (size_t)world->bodies.count;
  size_t numbers = (size_t)pc_force_numbers(world), size = numbers * sizeof *world->forces.given.at;
  if (n > INT_MAX / numbers || !pc_array_reserve(&world->forces.given, (int)(numbers * n)))
    return false;
  memset(world->forces.given.at + numbers * known, 0, size * (n - known));
  world->forces.given_bodies = world->bodies.count;
  return true;
}

pc_status pc_world_set_forces(pc_world *world, pc_body first, int count, const double (*forces)[6])
{
  if (!is_range(world, first, count))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "there are no bodies %d to %d", first.id,
                   first.id + count - 1);
  if (world->forces.given_bodies < world->bodies.count && !pc_forces_open(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  const size_t numbers = (size_t)pc_force_numbers(world);
  for (int k = 0; k < count; k++) {
    size_t i = (size_t)pc_body_slot(world, (pc_body){first.id + k});
    double *to = world->forces.given.at + numbers * i;
    if (numbers == 3)
      memcpy(to, (const double[]){forces[k][0], forces[k][1], forces[k][5]}, 3 * sizeof *to);
    else
      memcpy(to, forces[k], sizeof *forces);
  }
  return PC_OK;
}
