// The energy account of a step and of the run.
#include <math.h>

#include "core/small.h"
#include "rigid/world.h"

// Gives the kinetic energy.
static double note_energies(pc_world *world, const pc_energies *energies)
{
  world->info.kinetic_translation = energies->translation;
  world->info.kinetic_rotation = energies->rotation;
  world->info.potential = energies->potential;
  return energies->translation + energies->rotation;
}

double pc_account_energy(pc_world *world)
{
  pc_energies energies = pc_bodies_energies(world);
  return energies.translation + energies.rotation + energies.potential + pc_elements_stored(world);
}

void pc_account_changed(pc_world *world, double before)
{
  double stored = world->info.stored;
  for (int e = 0; e < world->elements.list.count; e++) { // as they were before the change
    stored -= world->elements.list.at[e].energy;
    world->elements.list.at[e].work = world->elements.list.at[e].energy;
  }
  world->balance.given += pc_account_energy(world) - before;
  for (int e = 0; e < world->elements.list.count; e++) {
    stored += world->elements.list.at[e].energy;
    double more = pc_reserve_changed(world, e, world->elements.list.at[e].work);
    stored += more;
    world->balance.given += more;
  }
  world->balance.given_stored += stored - world->info.stored;
  world->info.stored = stored;
  world->balance.changed = true;
}

// The account of the run begins with the first step, and again when the caller changes a state.
void pc_account_begin(pc_world *world)
{
  pc_step_info *info = &world->info;
  if (world->balance.accounted)
    return;
  pc_energies energies = pc_bodies_energies(world);
  double kinetic = note_energies(world, &energies);
  info->stored = pc_elements_stored(world);
  world->elements.reserved = 0; // they may give back what they store
  info->total_dissipated = info->total_correction = info->total_prescribed = 0;
  info->total_forces = info->total_stored_error = info->total_given = info->drift = 0;
  info->total_frozen = info->total_separating = 0;
  world->balance.given = world->balance.given_stored = 0;
  info->kinetic_start = kinetic;
  info->potential_start = info->potential;
  info->stored_start = info->stored;
  world->balance.energy_start = kinetic + info->potential + info->stored;
  info->total_heat_outside = info->total_heat_obstacles = info->total_entropy_produced = 0;
  if (world->heat != NULL) {
    pc_warmth_measure(world);
    world->balance.energy_start += info->thermal;
  }
  world->balance.energy_turnover = kinetic;
  world->balance.accounted = true;
}

// What falling asleep took goes with what contacts took.
void pc_account_frozen(pc_world *world)
{
  pc_step_info *info = &world->info;
  info->asleep = world->bodies.sleepers;
  if (info->frozen == 0)
    return;
  pc_energies energies = pc_bodies_energies(world);
  note_energies(world, &energies);
  if (world->heat != NULL)
    pc_warmth_frozen(world);
  info->dissipated += info->frozen;
  info->total_dissipated += info->frozen;
  info->total_frozen += info->frozen;
  world->balance.energy_turnover += info->frozen;
}

// What the account so far leaves unexplained, J. With heat, what was dissipated is looked for where
// it went.
static double left_open(const pc_world *world)
{
  const pc_step_info *info = &world->info;
  double now = info->kinetic_translation + info->kinetic_rotation + info->potential + info->stored;
  double lost = world->heat == NULL
                    ? info->total_dissipated
                    : info->thermal + info->total_heat_outside + info->total_heat_obstacles;
  return now - world->balance.energy_start - info->total_prescribed - info->total_forces -
         info->total_stored_error - info->total_correction - info->total_given + lost;
}

// A sum is finite where all of its terms are.
bool pc_account_is_finite(const pc_world *world)
{
  const pc_step_info *info = &world->info;
  return isfinite(left_open(world) + info->total_dissipated + info->total_separating +
                  info->unsigned_part + info->entropy + info->total_entropy_produced +
                  world->balance.energy_turnover);
}

pc_status pc_account_close(pc_world *world, double h, const pc_solve_info *solve,
                           const pc_audit *first, double gravity, double forces,
                           const pc_energies *energies)
{
  pc_step_info *info = &world->info;
  double counted, opened = left_open(world) - world->balance.given_stored; // that is in `given`
  double moving = info->kinetic_translation + info->kinetic_rotation;
  const pc_audit *audit = &solve->audit;
  info->work_gravity = gravity;
  info->work_forces = forces;
  info->work_elements = pc_stiff_work(world, world->scratch.external.at, h, &counted);
  info->work_prescribed = audit->work_prescribed + first->work_prescribed;
  info->dissipated = audit->dissipated - counted + first->dissipated;
  info->unsigned_part = audit->dissipated_separating + audit->dissipated_restitution +
                        audit->dissipated_friction + first->dissipated_separating +
                        first->dissipated_restitution + first->dissipated_friction;
  info->separating = audit->dissipated_separating + first->dissipated_separating;
  info->audit = fmax(audit->identity, first->identity);
  info->closed = solve->status != PC_FAILED && audit->closed && first->closed;
  double before = info->stored;
  info->stored = pc_reserve_settle(world, pc_elements_stored(world)) +
                 pc_stiff_overlap_energy(world, world->scratch.free.at, h);
  info->stored_error = info->stored - before + info->work_elements;
  double kinetic = note_energies(world, energies);
  info->given = world->balance.given;
  info->total_given += world->balance.given;
  world->balance.energy_turnover += fabs(world->balance.given);
  world->balance.given = world->balance.given_stored = 0;
  info->total_dissipated += info->dissipated;
  info->total_separating += info->separating;
  info->total_correction += info->correction;
  info->total_prescribed += info->work_prescribed;
  info->total_forces += info->work_forces;
  info->total_stored_error += info->stored_error;
  world->balance.energy_turnover += fabs(info->dissipated) + fabs(info->work_prescribed) +
                                    fabs(info->work_forces) + fabs(info->work_gravity) +
                                    fabs(info->work_elements);
  pc_status status = world->heat != NULL ? pc_warmth_step(world, h) : PC_OK;
  double open = left_open(world);
  // Percussions that are out of all proportion and cancel each other satisfy the identity of the
  // audit, whose terms they are, and not the energies.
  double moved = kinetic + moving + fabs(info->dissipated) + fabs(info->work_prescribed) +
                 fabs(info->work_forces) + fabs(info->work_gravity) + fabs(info->work_elements);
  double round_off =
      1e-190 + // slower than 1e-100 m/s is at rest
      1e-12 * (fabs(info->potential) + fabs(info->stored) + world->balance.energy_turnover);
  info->closed = info->closed && fabs(open - opened) <= 1e-6 * moved + round_off;
  // At rest next to nothing is turned over, and what is left is the round-off of the energies.
  double scale = world->balance.energy_turnover + fabs(world->balance.energy_start);
  info->drift = scale > 0 ? fabs(open) / scale : 0;
  return status;
}
