// The energy balance of a step and of the run, over the lines of percuss/balance.h.
#include <math.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/world.h"

// The sum over the run of a line that has one.
static double *total_of(pc_step_info *info, pc_line line)
{
  return (double *)((char *)info + pc_balance[line].total_offset);
}

// What bodies have of heat now.
static void measure_heat(pc_world *world)
{
  pc_heat_store_cool(world->heat, &world->bodies, 0, pc_world_threads(world), &world->info);
}

// What falling asleep gave to bodies.
static void add_frozen_heat(pc_world *world)
{
  pc_step_info *info = &world->info;
  double before = info->entropy;
  measure_heat(world);
  info->entropy_produced += info->entropy - before;
  info->total_entropy_produced += info->entropy - before;
}

// Contacts of the step and of sleeping bodies conduct, in the other order in every second step.
static void conduct_heat(pc_world *world, double h)
{
  bool backwards = world->clock.step % 2 != 0, penalty = world->def.treatment == PC_PENALTY;
  const pc_contact_data_list *lists[2] = {&world->contacts.list, &world->sleep.contacts};
  for (int k = 0; k < 2; k++)
    pc_heat_store_conduct(world->heat, lists[backwards ? 1 - k : k], penalty, backwards, h);
}

// What the step dissipated becomes heat, heat passes between bodies and to the outside.
static pc_status close_heat(pc_world *world, double h)
{
  pc_heat_store *heat = world->heat;
  pc_step_info *info = &world->info;
  double before = info->entropy;
  if (!pc_heat_store_take_contacts(heat, &world->bodies, &world->contacts.list, &world->elements,
                                   world->problem.impact, pc_world_threads(world)))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  pc_heat_store_take_rows(heat, &world->elements, world->problem.impact);
  if (heat->def.conductance > 0)
    conduct_heat(world, h);
  pc_heat_store_cool(heat, &world->bodies, h, pc_world_threads(world), info);
  info->heat_outside = heat->to_outside;
  info->heat_obstacles = heat->to_obstacles;
  info->entropy_produced = info->entropy - before + heat->away;
  info->total_heat_outside += info->heat_outside;
  info->total_heat_obstacles += info->heat_obstacles;
  info->total_entropy_produced += info->entropy_produced;
  world->balance.energy_turnover +=
      heat->passed + fabs(info->heat_outside) + fabs(info->heat_obstacles);
  if (!heat->spent || !isfinite(info->dissipated)) // what is not finite has another source
    return PC_OK;
  return pc_fail(&world->error, PC_ERROR_NUMERIC,
                 "step %ld: contacts gave more energy than bodies have heat: no temperature is "
                 "left above 0 K",
                 world->clock.step);
}

// Gives the kinetic energy.
static double note_energies(pc_world *world, const pc_energies *energies)
{
  world->info.kinetic_translation = energies->translation;
  world->info.kinetic_rotation = energies->rotation;
  world->info.potential = energies->potential;
  return energies->translation + energies->rotation;
}

double pc_balance_energy(pc_world *world)
{
  pc_energies energies =
      pc_bodies_energies(&world->bodies, world->def.gravity, pc_world_threads(world));
  return energies.translation + energies.rotation + energies.potential +
         pc_elements_stored(&world->elements, &world->bodies, world->def.dimension,
                            pc_world_threads(world));
}

void pc_balance_add_change(pc_world *world, double before)
{
  double stored = world->info.stored;
  for (int e = 0; e < world->elements.list.count; e++) { // as they were before the change
    stored -= world->elements.list.at[e].energy;
    world->elements.list.at[e].work = world->elements.list.at[e].energy;
  }
  world->balance.given += pc_balance_energy(world) - before;
  for (int e = 0; e < world->elements.list.count; e++) {
    stored += world->elements.list.at[e].energy;
    double more = pc_reserve_change(&world->elements, e, world->elements.list.at[e].work);
    stored += more;
    world->balance.given += more;
  }
  world->balance.given_stored += stored - world->info.stored;
  world->info.stored = stored;
  world->balance.changed = true;
}

// The balance of the run begins with the first step, and again when the caller changes a state.
void pc_balance_begin(pc_world *world)
{
  pc_step_info *info = &world->info;
  if (world->balance.begun)
    return;
  pc_energies energies =
      pc_bodies_energies(&world->bodies, world->def.gravity, pc_world_threads(world));
  double kinetic = note_energies(world, &energies);
  info->stored = pc_elements_stored(&world->elements, &world->bodies, world->def.dimension,
                                    pc_world_threads(world));
  world->elements.reserved = 0; // they may give back what they store
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].total != NULL)
      *total_of(info, i) = 0;
  info->drift = 0;
  world->balance.given = world->balance.given_stored = 0;
  info->kinetic_start = kinetic;
  info->potential_start = info->potential;
  info->stored_start = info->stored;
  world->balance.energy_start = kinetic + info->potential + info->stored;
  info->total_heat_outside = info->total_heat_obstacles = info->total_entropy_produced = 0;
  if (world->heat != NULL) {
    measure_heat(world);
    world->balance.energy_start += info->thermal;
  }
  world->balance.energy_turnover = kinetic;
  world->balance.begun = true;
}

// What falling asleep took goes with what contacts took.
void pc_balance_add_frozen(pc_world *world)
{
  pc_step_info *info = &world->info;
  info->asleep = world->bodies.sleepers;
  if (info->frozen == 0)
    return;
  pc_energies energies =
      pc_bodies_energies(&world->bodies, world->def.gravity, pc_world_threads(world));
  note_energies(world, &energies);
  if (world->heat != NULL)
    add_frozen_heat(world);
  info->dissipated += info->frozen;
  info->total_dissipated += info->frozen;
  info->total_frozen += info->frozen;
  world->balance.energy_turnover += info->frozen;
}

// What the balance so far leaves unexplained, J. In a world with heat, dissipated energy is counted
// where it went.
static double left_open(const pc_world *world)
{
  const pc_step_info *info = &world->info;
  double now = info->kinetic_translation + info->kinetic_rotation + info->potential + info->stored;
  double open = now - world->balance.energy_start, lost = 0;
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].run_sign > 0)
      open -= pc_step_total(info, i);
    else if (pc_balance[i].run_sign < 0)
      lost += pc_step_total(info, i);
  if (world->heat != NULL)
    lost = info->thermal + info->total_heat_outside + info->total_heat_obstacles;
  return open + lost;
}

// The sizes of all that changed the kinetic energy in the step.
static double turned_over(const pc_step_info *info)
{
  double sum = 0;
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    sum += pc_balance[i].step_sign != 0 ? fabs(pc_step_line(info, i)) : 0;
  return sum;
}

bool pc_balance_is_finite(const pc_world *world)
{
  const pc_step_info *info = &world->info;
  bool finite = isfinite(left_open(world) + info->entropy + info->total_entropy_produced +
                         world->balance.energy_turnover);
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    finite = finite && isfinite(pc_step_line(info, i)) && isfinite(pc_step_total(info, i));
  return finite;
}

pc_status pc_balance_close(pc_world *world, double h, const pc_solve_info *solve,
                           const pc_audit *first, double gravity, double forces,
                           const pc_energies *energies)
{
  pc_step_info *info = &world->info;
  double counted, opened = left_open(world) - world->balance.given_stored; // that is in `given`
  double moving = info->kinetic_translation + info->kinetic_rotation;
  const pc_audit *audit = &solve->audit;
  info->work_gravity = gravity;
  info->work_forces = forces;
  info->work_elements = pc_elements_work(&world->elements, &world->bodies, &world->problem,
                                         world->scratch.mean.at, h, &counted);
  info->work_prescribed = audit->work_prescribed + first->work_prescribed;
  info->dissipated = audit->dissipated - counted + first->dissipated;
  info->unsigned_part = audit->dissipated_separating + audit->dissipated_restitution +
                        audit->dissipated_friction + first->dissipated_separating +
                        first->dissipated_restitution + first->dissipated_friction;
  info->separating = audit->dissipated_separating + first->dissipated_separating;
  info->audit = fmax(audit->identity, first->identity);
  info->closed = solve->status != PC_FAILED && audit->closed && first->closed;
  double before = info->stored;
  info->stored =
      pc_reserve_settle(&world->elements,
                        pc_elements_stored(&world->elements, &world->bodies, world->def.dimension,
                                           pc_world_threads(world))) +
      pc_stiff_overlap_energy(&world->elements.row, &world->bodies, &world->problem, h);
  info->stored_error = info->stored - before + info->work_elements;
  double kinetic = note_energies(world, energies);
  info->given = world->balance.given;
  info->frozen = 0; // pc_balance_add_frozen adds it, once bodies have fallen asleep
  world->balance.energy_turnover += fabs(world->balance.given);
  world->balance.given = world->balance.given_stored = 0;
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].total != NULL)
      *total_of(info, i) += pc_step_line(info, i);
  world->balance.energy_turnover += turned_over(info);
  pc_status status = world->heat != NULL ? close_heat(world, h) : PC_OK;
  double open = left_open(world);
  // Percussions that are out of all proportion and cancel each other satisfy the identity of the
  // audit, whose terms they are, and not the energies.
  double moved = kinetic + moving + turned_over(info);
  double round_off =
      1e-190 + // slower than 1e-100 m/s is at rest
      1e-12 * (fabs(info->potential) + fabs(info->stored) + world->balance.energy_turnover);
  info->closed = info->closed && fabs(open - opened) <= 1e-6 * moved + round_off;
  // At rest next to nothing is turned over, and what is left is the round-off of the energies.
  double scale = world->balance.energy_turnover + fabs(world->balance.energy_start);
  info->drift = scale > 0 ? fabs(open) / scale : 0;
  return status;
}
