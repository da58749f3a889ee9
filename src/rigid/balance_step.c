// The energy balance of a step and of the run, over the lines of percuss/balance.h.
#include <math.h>

#include "rigid/balance.h"

// The sum over the run of a line that has one.
static double *total_of(pc_step_info *info, pc_line line)
{
  return (double *)((char *)info + pc_balance[line].total_offset);
}

// What bodies have of heat now.
static void measure_heat(const pc_energy_parts *parts)
{
  pc_heat_store_cool(parts->heat, parts->bodies, 0, parts->threads, parts->info);
}

static pc_energies body_energies(const pc_energy_parts *parts)
{
  return pc_bodies_energies(parts->bodies, parts->gravity, parts->threads);
}

static double element_energies(const pc_energy_parts *parts)
{
  return pc_elements_stored(parts->elements, parts->bodies, parts->dimension, parts->threads);
}

// Gives the kinetic energy.
static double note_energies(pc_step_info *info, const pc_energies *energies)
{
  info->kinetic_translation = energies->translation;
  info->kinetic_rotation = energies->rotation;
  info->potential = energies->potential;
  return energies->translation + energies->rotation;
}

double pc_balance_energy(const pc_energy_parts *parts)
{
  pc_energies energies = body_energies(parts);
  return energies.translation + energies.rotation + energies.potential + element_energies(parts);
}

void pc_balance_add_change(pc_energy_balance *balance, const pc_energy_parts *parts, double before)
{
  pc_elements *elements = parts->elements;
  double stored = parts->info->stored;
  for (int e = 0; e < elements->list.count; e++) { // as they were before the change
    stored -= elements->list.at[e].energy;
    elements->list.at[e].work = elements->list.at[e].energy;
  }
  balance->given += pc_balance_energy(parts) - before;
  for (int e = 0; e < elements->list.count; e++) {
    stored += elements->list.at[e].energy;
    double more =
        pc_reserve_change(elements, parts->bodies, parts->dimension, e, elements->list.at[e].work);
    stored += more;
    balance->given += more;
  }
  balance->given_stored += stored - parts->info->stored;
  parts->info->stored = stored;
  balance->changed = true;
}

// The balance of the run begins with the first step, and again when the caller changes a state.
void pc_balance_begin(pc_energy_balance *balance, const pc_energy_parts *parts)
{
  pc_step_info *info = parts->info;
  if (balance->begun)
    return;
  pc_energies energies = body_energies(parts);
  double kinetic = note_energies(info, &energies);
  info->stored = element_energies(parts);
  parts->elements->reserved = 0; // they may give back what they store
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].total != NULL)
      *total_of(info, i) = 0;
  info->drift = 0;
  balance->given = balance->given_stored = 0;
  info->kinetic_start = kinetic;
  info->potential_start = info->potential;
  info->stored_start = info->stored;
  balance->energy_start = kinetic + info->potential + info->stored;
  info->total_heat_outside = info->total_heat_obstacles = info->total_entropy_produced = 0;
  if (parts->heat != NULL) {
    measure_heat(parts);
    balance->energy_start += info->thermal;
  }
  balance->energy_turnover = kinetic;
  balance->begun = true;
}

// Energy that falling asleep took counts with what contacts took; bodies get it as heat.
void pc_balance_add_frozen(pc_energy_balance *balance, const pc_energy_parts *parts)
{
  pc_step_info *info = parts->info;
  info->asleep = parts->bodies->sleepers;
  if (info->frozen == 0)
    return;
  pc_energies energies = body_energies(parts);
  note_energies(info, &energies);
  if (parts->heat != NULL) {
    double before = info->entropy;
    measure_heat(parts);
    info->entropy_produced += info->entropy - before;
    info->total_entropy_produced += info->entropy - before;
  }
  info->dissipated += info->frozen;
  info->total_dissipated += info->frozen;
  info->total_frozen += info->frozen;
  balance->energy_turnover += info->frozen;
}

// What the balance so far leaves unexplained, J. In a world with heat, dissipated energy is counted
// where it went.
static double left_open(const pc_energy_balance *balance, const pc_energy_parts *parts)
{
  const pc_step_info *info = parts->info;
  double now = info->kinetic_translation + info->kinetic_rotation + info->potential + info->stored;
  double open = now - balance->energy_start, lost = 0;
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].run_sign > 0)
      open -= pc_step_total(info, i);
    else if (pc_balance[i].run_sign < 0)
      lost += pc_step_total(info, i);
  if (parts->heat != NULL)
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

bool pc_balance_is_finite(const pc_energy_balance *balance, const pc_energy_parts *parts)
{
  const pc_step_info *info = parts->info;
  bool finite = isfinite(left_open(balance, parts) + info->entropy + info->total_entropy_produced +
                         balance->energy_turnover);
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    finite = finite && isfinite(pc_step_line(info, i)) && isfinite(pc_step_total(info, i));
  return finite;
}

void pc_balance_add_step(pc_energy_balance *balance, const pc_energy_parts *parts,
                         const pc_step_energies *step)
{
  pc_step_info *info = parts->info;
  const pc_audit *audit = &step->solve->audit, *first = step->first;
  balance->opened = left_open(balance, parts) - balance->given_stored; // that is in `given`
  balance->moving = info->kinetic_translation + info->kinetic_rotation;
  balance->entropy = info->entropy;
  info->work_gravity = step->gravity;
  info->work_forces = step->forces;
  info->work_elements = step->elements;
  info->work_prescribed = audit->work_prescribed + first->work_prescribed;
  info->dissipated = audit->dissipated - step->counted + first->dissipated;
  info->unsigned_part = audit->dissipated_separating + audit->dissipated_restitution +
                        audit->dissipated_friction + first->dissipated_separating +
                        first->dissipated_restitution + first->dissipated_friction;
  info->separating = audit->dissipated_separating + first->dissipated_separating;
  info->audit = fmax(audit->identity, first->identity);
  info->closed = step->solve->status != PC_FAILED && audit->closed && first->closed;
  double before = info->stored;
  info->stored = pc_reserve_settle(parts->elements, element_energies(parts)) + step->overlaps;
  info->stored_error = info->stored - before + info->work_elements;
  note_energies(info, step->at_end);
  info->given = balance->given;
  info->pierced = step->pierced;
  info->at_distance = step->at_distance;
  info->frozen = 0; // pc_balance_add_frozen adds it, once bodies have fallen asleep
  balance->energy_turnover += fabs(balance->given);
  balance->given = balance->given_stored = 0;
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].total != NULL)
      *total_of(info, i) += pc_step_line(info, i);
  balance->energy_turnover += turned_over(info);
}

static void add_heat(pc_energy_balance *balance, const pc_energy_parts *parts)
{
  const pc_heat_store *heat = parts->heat;
  pc_step_info *info = parts->info;
  info->heat_outside = heat->to_outside;
  info->heat_obstacles = heat->to_obstacles;
  info->entropy_produced = info->entropy - balance->entropy + heat->away;
  info->total_heat_outside += info->heat_outside;
  info->total_heat_obstacles += info->heat_obstacles;
  info->total_entropy_produced += info->entropy_produced;
  balance->energy_turnover += heat->passed + fabs(info->heat_outside) + fabs(info->heat_obstacles);
}

void pc_balance_close(pc_energy_balance *balance, const pc_energy_parts *parts)
{
  pc_step_info *info = parts->info;
  if (parts->heat != NULL)
    add_heat(balance, parts);
  double open = left_open(balance, parts);
  // Percussions that are out of all proportion and cancel each other satisfy the identity of the
  // audit, whose terms they are, and not the energies.
  double kinetic = info->kinetic_translation + info->kinetic_rotation;
  double moved = kinetic + balance->moving + turned_over(info);
  double round_off =
      1e-190 + // slower than 1e-100 m/s is at rest
      1e-12 * (fabs(info->potential) + fabs(info->stored) + balance->energy_turnover);
  info->closed = info->closed && fabs(open - balance->opened) <= 1e-6 * moved + round_off;
  // At rest next to nothing is turned over, and what is left is the round-off of the energies.
  double scale = balance->energy_turnover + fabs(balance->energy_start);
  info->drift = scale > 0 ? fabs(open) / scale : 0;
}
