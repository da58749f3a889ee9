// One step of a world, phase by phase.
#include "rigid/step.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/small.h"
#include "rigid/joining.h"

static bool keeps_external(const pc_world *world)
{
  return world->elements.list.count > 0 || world->def.treatment == PC_PENALTY;
}

pc_detection pc_step_detection(pc_world *world, pc_treatment treatment, double h)
{
  const pc_world_def *def = &world->def;
  double gravity = pc_norm(3, def->gravity);
  // At velocity level a contact acts if it closes within half a step (pc_contact_acts).
  bool half =
      treatment == PC_VELOCITY_LEVEL && def->looks == PC_LOOK_ONCE && !pc_world_can_sleep(world);
  return (pc_detection){.bodies = &world->bodies,
                        .outlines = &world->outlines,
                        .pairs = &world->pairs,
                        .contacts = &world->contacts,
                        .pierced = &world->pierced,
                        .free = world->scratch.free.at,
                        .previous = world->scratch.previous.at,
                        .struck = world->scratch.struck.at,
                        .roused = world->sleep.roused.at,
                        .h = h,
                        .gravity = gravity,
                        .rest_speed = def->rest_speed >= 0 ? def->rest_speed : 2 * gravity * h,
                        .part = half ? 0.5 : 1,
                        .dimension = def->dimension,
                        .threads = pc_world_threads(world),
                        .constant_spin = def->constant_spin,
                        .treatment = treatment,
                        .looks = def->looks};
}

static double fastest_body(const pc_body_store *bodies)
{
  double most = 0;
  for (int i = 0; i < bodies->count; i++)
    most = fmax(most, pc_dot3(bodies->state.at[i].velocity, bodies->state.at[i].velocity));
  return sqrt(most);
}

static pc_step step_of(pc_world *world, double h, bool acts)
{
  bool loads = acts && pc_forces_act(&world->forces, &world->bodies);
  pc_step step = {.world = world,
                  .h = h,
                  .threads = pc_world_threads(world),
                  .acts = acts,
                  .has_loads = loads,
                  .given_loads = loads && !pc_world_can_sleep(world) &&
                                 pc_forces_are_given(&world->forces, &world->bodies),
                  .keeps_external = acts && keeps_external(world),
                  .search = pc_step_detection(world, world->def.treatment, h)};
  if (world->systems.list.count > 0) {
    step.search.member = world->systems.member.at;
    step.search.touch = 3 * h * fastest_body(&world->bodies); // two may be as fast
  }
  return step;
}

// Room for all bodies in the arrays that this step needs, and bodies in their order.
static pc_status prepare(pc_world *world)
{
  int n = world->bodies.count;
  pc_scratch *scratch = &world->scratch;
  bool sleeps = pc_world_can_sleep(world), fits = pc_array_reserve(&scratch->free, n);
  bool looks_again = world->def.looks != PC_LOOK_ONCE && world->def.treatment != PC_PENALTY;
  if (looks_again || sleeps)
    fits = fits && pc_array_reserve(&scratch->previous, n) && pc_array_reserve(&scratch->struck, n);
  if (keeps_external(world))
    fits = fits && pc_array_reserve(&scratch->external, n) && pc_array_reserve(&scratch->mean, n);
  if (pc_forces_act(&world->forces, &world->bodies) &&
      (sleeps || !pc_forces_are_given(&world->forces, &world->bodies)))
    fits = fits && pc_array_reserve(&world->forces.loaded, n);
  if (!fits || !pc_problem_reserve(&world->problem, n))
    return pc_world_out_of_memory(world);
  pc_status status = pc_order_bodies(world);
  if (status == PC_OK && !pc_systems_note_members(&world->systems, &world->bodies))
    return pc_world_out_of_memory(world);
  if (status != PC_OK || !sleeps || world->sleep.known == n)
    return status;
  world->outlines.sleepers_h = 0;
  bool known = pc_sleep_reserve(&world->sleep, &world->bodies);
  return known ? PC_OK : pc_world_out_of_memory(world);
}

// Whether one of the contacts closes, by more than pushing out would mend, within a time.
static bool closes(const pc_world *world, double time)
{
  for (int t = 0; t < world->contacts.list.count; t++) {
    const pc_contact_data *contact = &world->contacts.list.at[t];
    double little = 0.01 * fmin(world->bodies.solid.at[contact->body[0]].radius,
                                world->bodies.solid.at[contact->body[1]].radius);
    if (contact->gap > 0 && contact->gap + time * contact->before < -little)
      return true;
  }
  return false;
}

// Contacts that acted before the step proper are reported with those of the step.
static pc_status keep_first_contacts(pc_world *world)
{
  pc_contact_set *contacts = &world->contacts;
  if (!pc_array_reserve(&contacts->first, contacts->list.count))
    return pc_world_out_of_memory(world);
  for (int t = 0; t < contacts->list.count; t++) {
    pc_first_contact *first = &contacts->first.at[contacts->first.count];
    *first = (pc_first_contact){.contact = contacts->list.at[t]};
    if (!pc_contact_is_pressed(&first->contact))
      continue;
    if (first->contact.interaction >= 0) {
      pc_interaction_answer answer;
      pc_impact_answer(world->problem.impact, first->contact.interaction, &answer);
      first->dissipated = answer.dissipated;
      first->contact.interaction = -1; // of another problem than that of the step
    }
    contacts->first.count++;
  }
  return PC_OK;
}

// A step finds contacts in its middle. The way from a start to there is looked at here, at position
// level. If it is barred, the impact comes first, without gravity and other forces.
static pc_status look_first(pc_world *world, double h, pc_audit *first)
{
  double half = 0.5 * h, now = world->clock.time;
  pc_body_store *bodies = &world->bodies;
  if (world->def.treatment != PC_POSITION_LEVEL)
    return PC_OK;
  pc_step step = step_of(world, half, false);
  world->elements.row.count = 0;
  for (int i = 0; i < bodies->count; i++) {
    const pc_solid *body = &bodies->solid.at[i];
    if (body->kind == PC_DRIVEN) {
      pc_course_place_between(body->form->course, now - half, now + half, &bodies->state.at[i]);
      pc_course_place(body->form->course, now + half, &body->form->course->next);
    }
    pc_state_velocity(&bodies->state.at[i], step.search.free[i]);
  }
  pc_status status = pc_step_find_contacts(&step, false);
  if (status != PC_OK || !closes(world, half))
    return status;
  status = pc_step_solve_contacts(&step, false);
  if (status == PC_OK)
    status = keep_first_contacts(world);
  if (status != PC_OK)
    return status;
  *first = step.solve.audit;
  if (world->heat != NULL &&
      !pc_heat_store_take_contacts(world->heat, bodies, &world->contacts.list, &world->elements,
                                   world->problem.impact, step.threads))
    return pc_world_out_of_memory(world);
  for (int i = 0; i < bodies->count; i++) {
    double after[6];
    if (world->problem.index.at[i] < 0)
      continue;
    pc_problem_velocity(&world->problem, bodies, i, after);
    memcpy(bodies->state.at[i].velocity, after, sizeof bodies->state.at[i].velocity);
    memcpy(bodies->state.at[i].spin, after + 3, sizeof bodies->state.at[i].spin);
  }
  return PC_OK;
}

// Before bodies move: bodies that the caller has roused wake, the balance and the elements begin,
// and after a start what bars the way to the middle comes first.
static pc_status begin(pc_step *step, pc_audit *first)
{
  pc_world *world = step->world;
  bool starts = !world->balance.begun || world->balance.changed, any;
  pc_status status = pc_step_wake(step, &any);
  if (status != PC_OK)
    return status;
  world->info.calmed = 0;
  pc_sleep_begin(&world->sleep);
  pc_energy_parts parts = pc_world_energy_parts(world);
  pc_balance_begin(&world->balance, &parts);
  status = pc_elements_begin(&world->elements, &world->bodies, world->def.dimension, step->h,
                             step->threads, &world->error);
  if (status != PC_OK)
    return status;
  if (world->heat != NULL)
    pc_heat_store_begin(world->heat);
  if (starts)
    status = look_first(world, step->h, first);
  if (starts && status == PC_OK)
    world->balance.changed = false;
  return status;
}

// Driven obstacles end where their motion has them.
static void place_driven(pc_world *world)
{
  pc_body_store *bodies = &world->bodies;
  for (int i = 0; i < bodies->count && bodies->driven > 0; i++)
    if (bodies->solid.at[i].kind == PC_DRIVEN) {
      pc_body_state place, *state = &bodies->state.at[i];
      pc_course_place(bodies->solid.at[i].form->course, world->clock.time, &place);
      memcpy(state->position, place.position, sizeof place.position);
      memcpy(state->orientation, place.orientation, sizeof place.orientation);
    }
}

// Islands whose bodies are quiet for long enough fall asleep. Every few steps, because islands must
// be found for it.
static pc_status fall_asleep(const pc_step *step)
{
  enum { EVERY = 8 };
  pc_world *world = step->world;
  pc_energies gone = {0};
  world->info.frozen = 0;
  if (!pc_world_can_sleep(world) || world->clock.step % EVERY != 0)
    return PC_OK;
  bool pull = step->search.gravity != 0 || step->has_loads;
  if (!pc_sleep_choose(&world->sleep, &world->bodies, &world->contacts, &world->elements,
                       &world->pierced, world->def.sleep_after, pull))
    return PC_OK;
  for (int i = 0; i < world->bodies.count; i++) {
    if (!pc_sleep_is_chosen(&world->sleep, &world->bodies, i))
      continue;
    pc_bodies_add_energies(&world->bodies, i, world->def.gravity, &gone);
    if (world->heat != NULL)
      pc_heat_store_take_kinetic(world->heat, &world->bodies, i);
  }
  world->info.frozen = gone.translation + gone.rotation;
  world->outlines.sleepers_h = 0;
  bool fell = pc_sleep_fall(&world->sleep, &world->bodies, &world->contacts);
  return fell ? PC_OK : pc_world_out_of_memory(world);
}

static void note_solve(pc_step *step)
{
  pc_world *world = step->world;
  pc_step_info *info = &world->info;
  info->step = world->clock.step;
  info->time = world->clock.time;
  info->contacts = world->contacts.list.count + world->contacts.first.count;
  info->islands = step->solve.islands;
  info->iterations = step->solve.iterations;
  info->residual = step->solve.residual;
  info->contact_error = step->h * step->solve.missed;
  double mass = step->solve.audit.mass;
  info->velocity_error = mass > 0 ? step->solve.velocity_error / sqrt(mass) : 0;
  info->status = step->solve.status;
  if (info->status == PC_SOLVED && world->def.accuracy > 0 && !(world->def.tolerance > 0) &&
      info->contact_error > info->accuracy)
    info->status = PC_INACCURATE;
}

// What the step dissipated becomes heat, and heat passes between bodies and to the outside.
static pc_status pass_heat(const pc_step *step)
{
  pc_world *world = step->world;
  pc_heat_store *heat = world->heat;
  if (heat == NULL)
    return PC_OK;
  if (!pc_heat_store_take_contacts(heat, &world->bodies, &world->contacts.list, &world->elements,
                                   world->problem.impact, step->threads))
    return pc_world_out_of_memory(world);
  pc_heat_store_take_rows(heat, &world->elements, world->problem.impact);
  // Contacts of the step and of sleeping bodies and strings conduct, in the other order in every
  // second step.
  bool backwards = world->clock.step % 2 != 0, penalty = world->def.treatment == PC_PENALTY;
  const pc_contact_data_list *lists[2] = {&world->contacts.list, &world->sleep.contacts};
  if (backwards)
    pc_heat_store_conduct_strings(heat, &world->bodies, &world->elements, true, step->h);
  for (int k = 0; k < 2 && heat->def.conductance > 0; k++)
    pc_heat_store_conduct(heat, lists[backwards ? 1 - k : k], penalty, backwards, step->h);
  if (!backwards)
    pc_heat_store_conduct_strings(heat, &world->bodies, &world->elements, false, step->h);
  pc_heat_store_cool(heat, &world->bodies, step->h, step->threads, &world->info);
  if (!heat->spent || !isfinite(world->info.dissipated)) // what is not finite has another source
    return PC_OK;
  return pc_fail(&world->error, PC_ERROR_NUMERIC,
                 "step %ld: contacts gave more energy than the bodies have heat, so a temperature "
                 "would fall below 0 K",
                 world->clock.step);
}

// Energies, heat, sleep.
static pc_status balance(pc_step *step, const pc_audit *first, const pc_end_sums *sums, int lost)
{
  pc_world *world = step->world;
  const pc_energy_parts parts = pc_world_energy_parts(world);
  pc_step_energies energies = {.solve = &step->solve,
                               .first = first,
                               .gravity = sums->gravity,
                               .forces = sums->forces,
                               .pierced = world->pierced.taken,
                               .at_distance = world->systems.taken,
                               .at_end = &sums->energies};
  energies.elements = pc_elements_work(&world->elements, &world->bodies, &world->problem,
                                       world->scratch.mean.at, step->h, &energies.counted);
  for (int b = 0; b < world->elements.bond.count; b++)
    energies.at_distance += pc_bond_dissipated(&world->elements.bond.at[b], world->problem.impact);
  energies.overlaps =
      pc_stiff_overlap_energy(&world->elements.row, &world->bodies, &world->problem, step->h);
  world->info.correction = sums->correction;
  pc_balance_add_step(&world->balance, &parts, &energies);
  pc_status status = pass_heat(step);
  pc_balance_close(&world->balance, &parts);
  if (status != PC_OK)
    return status;
  note_solve(step);
  status = fall_asleep(step);
  pc_balance_add_frozen(&world->balance, &parts);
  if (status == PC_OK && lost >= 0)
    status = pc_fail(&world->error, PC_ERROR_NUMERIC,
                     "step %ld: the motion of body %d is not finite; try a shorter step",
                     world->clock.step, pc_bodies_number(&world->bodies, lost).id);
  if (status == PC_OK && !pc_balance_is_finite(&world->balance, &parts))
    status =
        pc_fail(&world->error, PC_ERROR_NUMERIC,
                "step %ld: the energies are not finite; try a shorter step", world->clock.step);
  return status;
}

pc_status pc_step_run(pc_world *world, double h)
{
  pc_audit first = {.closed = true}; // what happened before the way to the middle
  pc_end_sums sums;
  bool placed, corrected;
  if (h == world->unchanged_h) {
    pc_step_repeat(world, h);
    return PC_OK;
  }
  world->unchanged_h = 0;
  world->contacts.first.count = 0;
  pc_joining_clear(&world->contacts);
  world->systems.act.count = world->systems.kept = 0;
  world->systems.taken = world->pierced.taken = 0;
  world->pierced.changed = false;
  pc_status status = prepare(world);
  if (status != PC_OK)
    return status;
  pc_impact_clear(world->problem.impact); // should the step fail, the last problem is not of it
  pc_step step = step_of(world, h, true);
  pc_step_info *info = &world->info;
  double begun = pc_clock_seconds();

  status = begin(&step, &first);
  if (status == PC_OK)
    status = pc_step_begin_bodies(&step, &placed);
  info->detection_s = pc_clock_seconds() - begun;
  info->solve_s = info->stating_s = info->audit_s = 0;
  if (status == PC_OK)
    status = pc_elements_find_rows(&world->elements, &world->bodies, world->def.dimension, h,
                                   step.threads, &world->error);
  if (status == PC_OK)
    status = pc_step_solve_contacts(&step, placed);
  if (status != PC_OK)
    return status;

  info->deepest = world->contacts.deepest;
  if (!pc_push_out_find(&world->push_out, &step.search, world->def.push_out,
                        pc_impact_spare_memory(world->problem.impact), &corrected))
    return pc_world_out_of_memory(world);
  pc_sleep_count(&world->sleep, &world->bodies, world->def.gravity);
  int lost = pc_step_end_bodies(&step, corrected, &sums);
  pc_clock_advance(&world->clock, h);
  place_driven(world);
  status = balance(&step, &first, &sums, lost);
  if (status == PC_OK && pc_step_repeats(&step, placed, corrected))
    world->unchanged_h = h;
  info->step_s = pc_clock_seconds() - begun;
  return status;
}
