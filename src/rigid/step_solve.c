// The contacts of a step, their impact problem and its answer.
#include <math.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/contact_law.h"
#include "rigid/joining.h"
#include "rigid/step.h"

static void restore_range(void *context, int begin, int end, int worker)
{
  double room[6];
  for (int i = begin; i < end; i++)
    pc_step_make_external(context, i, room);
}

// P_ext as before elements added to it: for the next problem of the same step.
static void restore_external(const pc_step *step)
{
  if (step->acts && step->world->elements.list.count > 0)
    pc_parallel(step->threads, step->world->bodies.count, 1000, restore_range, (void *)step);
}

// Bodies that wake in the middle of a step get their forces, and their contacts are looked for.
static void start_woken(const pc_step *step)
{
  const pc_world *world = step->world;
  const pc_detection *search = &step->search;
  for (int i = 0; i < world->bodies.count; i++) {
    if (!world->sleep.woken.at[i])
      continue;
    double room[6];
    if (step->acts)
      pc_body_free_velocity(&world->bodies.solid.at[i], &world->bodies.state.at[i],
                            pc_step_make_external(step, i, room), search->free[i]);
    if (search->again) {
      search->struck[i] = 1;
      memcpy(search->previous[i], search->free[i], sizeof search->previous[i]);
    }
  }
}

// Sleeping bodies that are touched wake, until no more are.
pc_status pc_step_find_contacts(pc_step *step, bool placed)
{
  pc_world *world = step->world;
  double begun = pc_clock_seconds();
  bool woken = true;
  pc_status status = PC_OK;
  while (status == PC_OK && woken) {
    step->search.spare = pc_impact_spare_memory(world->problem.impact);
    status = pc_detection_find(&step->search, placed);
    if (status != PC_OK)
      return pc_detection_fail(status, world->bodies.count, &world->error);
    placed = false;
    status = pc_step_wake(step, &woken);
    if (woken)
      start_woken(step);
  }
  world->info.pairs = world->contacts.looked;
  world->info.box_tests = world->pairs.tests;
  world->info.detection_s += pc_clock_seconds() - begun;
  return status;
}

static pc_status state_problem(const pc_step *step)
{
  double begun = pc_clock_seconds();
  pc_status status = pc_problem_state(step);
  step->world->info.stating_s += pc_clock_seconds() - begun;
  return status;
}

static double tolerance_of(const pc_world *world)
{
  const double otherwise = 1e-4;
  return world->def.tolerance > 0 ? world->def.tolerance : otherwise;
}

// How far contact conditions may be off at the end of a step, m; 0: the tolerance decides.
static double accuracy_of(const pc_world *world)
{
  const double part = 2e-4; // of a diameter
  if (world->def.accuracy > 0 || world->def.tolerance > 0 || world->def.treatment == PC_PENALTY)
    return world->def.accuracy;
  return part * 2 * world->bodies.smallest_moving;
}

// Without the audit, which only the last answer of a step needs.
static pc_status solve_problem(pc_step *step, double tolerance)
{
  pc_world *world = step->world;
  pc_solve_options options = pc_solve_options_default();
  options.solver = world->solver;
  options.tolerance = tolerance;
  options.accuracy = accuracy_of(world) / step->h;
  options.accuracy_alone = world->def.accuracy > 0 && !(world->def.tolerance > 0);
  world->info.accuracy = accuracy_of(world);
  options.max_iterations = world->def.max_iterations;
  options.warm_start = true;
  options.gives_up = options.max_iterations > 0;
  options.unaudited = true;
  options.threads = world->def.threads;
  step->solve = (pc_solve_info){.status = PC_SOLVED, .audit.closed = true};
  if (pc_impact_bodies(world->problem.impact) == 0)
    return PC_OK;
  pc_status status = pc_impact_solve(world->problem.impact, &options, &step->solve);
  if (status == PC_OK && step->solve.status != PC_FAILED)
    return PC_OK;
  return pc_fail(&world->error, status != PC_OK ? status : PC_ERROR_NUMERIC,
                 "step %ld: the impact problem was not solved: %s", world->clock.step + 1,
                 pc_impact_error(world->problem.impact));
}

static pc_status audit_problem(pc_step *step)
{
  pc_world *world = step->world;
  double begun = pc_clock_seconds();
  pc_status status = PC_OK;
  if (pc_impact_bodies(world->problem.impact) > 0)
    status = pc_impact_audit(world->problem.impact, world->def.threads, &step->solve.audit);
  world->info.audit_s += pc_clock_seconds() - begun;
  return status == PC_OK ? PC_OK : pc_fail(&world->error, status, "out of memory");
}

// What stiff elements take in the impact problem, J: there they are brakes.
static double taken_by_elements(const pc_world *world)
{
  double sum = 0;
  for (int s = 0; s < world->elements.row.count; s++)
    if (world->elements.row.at[s].interaction >= 0)
      sum += pc_impact_dissipated(world->problem.impact, world->elements.row.at[s].interaction);
  return sum;
}

// What forces other than gravity would give bodies in the step, as energy. Where there is nothing
// else, in no gravity, it is what round-off must be small beside.
static double pushed_by_loads(const pc_step *step)
{
  const pc_world *world = step->world;
  double sum = 0;
  for (int i = 0; i < world->bodies.count && step->acts && step->has_loads; i++) {
    const pc_solid *solid = &world->bodies.solid.at[i];
    double room[6];
    const double *p = pc_step_loads(step, i, room);
    if (world->problem.index.at[i] < 0)
      continue;
    sum += pc_dot3(p, p) * solid->inverse_mass;
    if (solid->moment > 0 && isfinite(solid->moment))
      sum += pc_dot3(p + 3, p + 3) / solid->moment;
  }
  return sum;
}

// Whether an answer that misses its tolerance gives energy, more than a thousandth of what moves
// and than a step's fall, or breaks the sign of a law. Laws may ask for the impossible (wedged
// bodies that are all to rebound); then percussions grow out of all proportion, also where what
// they give and take cancels. What cancels leaves no trace in the velocities, so the tolerance may
// be reached: contacts that give thousands of times the kinetic energy are no answer all the same,
// nor are those that give ten times it and cost the balance its digits, nor laws that have a sign
// and give a hundredth of it.
static bool runs_away(const pc_step *step)
{
  const pc_world *world = step->world;
  const pc_audit *audit = &step->solve.audit;
  const bool solved = step->solve.status == PC_SOLVED;
  const double much = 1e3, more = 10, some = 0.01, little = 1e-3, digits = 1e-11;
  double mass = 0, fall = step->h * step->search.gravity, moving = audit->kinetic_before;
  double given = fmax(-audit->dissipated_separating,
                      fmax(-audit->dissipated_friction, -audit->dissipated_restitution));
  if (world->def.treatment == PC_PENALTY) // no contact has a law
    return false;
  double held = taken_by_elements(world), wrong = held - audit->dissipated_signed;
  double lost = fabs(audit->kinetic_after - audit->kinetic_before - audit->work_external -
                     audit->work_prescribed + audit->dissipated);
  if (solved && !(given > more * moving) && !(wrong > some * moving))
    return false;
  for (int i = 0; i < world->bodies.count; i++)
    mass += world->problem.index.at[i] >= 0 ? world->bodies.solid.at[i].mass : 0;
  double falling = mass * fall * fall + pushed_by_loads(step);
  if (world->elements.row.count > 0)
    moving += held + fabs(audit->work_external);
  if (wrong > some * moving + falling)
    return true;
  if (solved)
    return given > (lost > digits * (moving + falling) ? more : much) * (moving + falling);
  return held - audit->dissipated > little * moving + falling || given > moving + falling ||
         !audit->closed;
}

// Notes contacts that hold bodies in the answer and could join the impacts.
static pc_status note_joining(pc_step *step, bool *any)
{
  pc_world *world = step->world;
  pc_contact_set *contacts = &world->contacts;
  int known = contacts->joining.count;
  for (int t = 0; t < contacts->list.count; t++) {
    const pc_contact_data *contact = &contacts->list.at[t];
    bool holds = contact->interaction >= 0 && pc_contact_is_pressed(contact);
    if (holds && pc_contact_could_join(step, contact) && !pc_joining_add(contacts, contact))
      return pc_world_out_of_memory(world);
  }
  *any = contacts->joining.count > known;
  if (*any)
    pc_joining_sort(contacts);
  return PC_OK;
}

// Solves again while contacts join the impacts.
static pc_status solve_with_joining(pc_step *step, double tolerance)
{
  enum { MOST = 20 };
  pc_status status = PC_OK;
  bool any = true;
  for (int i = 0; status == PC_OK && any && i < MOST; i++) {
    pc_answer_keep(step);
    status = note_joining(step, &any);
    if (status != PC_OK || !any)
      break;
    restore_external(step);
    status = state_problem(step);
    if (status == PC_OK)
      status = solve_problem(step, tolerance);
  }
  return status;
}

// A look for contacts: finds them, states and solves their problem. Gives whether contacts are
// missing in the answer: a body that is struck may reach others in the same step. Until none is
// missing, velocities need not be better than `rough`. After a few looks only bodies that would
// pass through others count.
typedef struct look {
  int number; // of this look, from 1
  bool placed;
  bool missing; // contacts are
  bool stands;  // the answer before is the answer: no contact has come in
} look;

static pc_status look_for_contacts(pc_step *step, look *now)
{
  enum { FEW = 3 };
  const pc_world *world = step->world;
  const int most = world->def.looks == PC_LOOK_ONCE ? 1 : 50;
  const double fine = tolerance_of(world), rough = fmax(fine, fmin(1e-4, 100 * fine));
  const bool only_deep = now->number >= FEW;
  int known = now->number > 1 ? world->contacts.list.count : -1;
  now->missing = now->stands = false;
  pc_status status = pc_step_find_contacts(step, now->placed);
  if (status != PC_OK)
    return status;
  now->stands = now->number > 1 && rough == fine && pc_problem_stands(step, known);
  if (now->stands)
    return PC_OK;
  bool last = now->number == most || world->def.treatment == PC_PENALTY;
  // Contacts only come in; if none did, none may be missing.
  bool whole = last || world->contacts.list.count == known || rough == fine;
  status = state_problem(step);
  if (status == PC_OK)
    status = solve_problem(step, whole ? fine : rough);
  if (status == PC_OK && world->def.treatment != PC_PENALTY)
    status = solve_with_joining(step, whole ? fine : rough);
  if (status != PC_OK || last)
    return status;
  now->missing = pc_missed_any(&step->search, &world->problem, only_deep);
  if (now->missing || whole)
    return PC_OK;
  status = solve_problem(step, fine);
  now->missing = status == PC_OK && pc_missed_any(&step->search, &world->problem, only_deep);
  return status;
}

// Problems are solved until the answer stands. There are three reasons for another one:
// - contacts are missing in it: they are looked for again, with the velocities that bodies got;
// - it runs away: the step is solved without rebound, and if that does not help without friction
//   too. That problem always has an answer, which gives no energy. It starts from no percussions:
//   those of the last answer cancel each other, and sweeps would not get rid of them;
// - stiff strings or springs would push the wrong way: they do nothing in this step.
pc_status pc_step_solve_contacts(pc_step *step, bool placed)
{
  enum { MOST_CALMED = 2, MOST_SLACKENED = 4 };
  static const int calm[] = {PC_CALM_INELASTIC, PC_CALM_INELASTIC | PC_CALM_SLIPPERY};
  pc_world *world = step->world;
  pc_step_info *info = &world->info;
  look now = {.placed = placed};
  int calmed = 0, slackened = 0;
  double begun = pc_clock_seconds(), detection = info->detection_s;
  pc_status status = PC_OK;
  bool looks = true, done = false;
  while (status == PC_OK && !done) {
    if (looks) {
      now.number++;
      info->passes = now.number;
      status = look_for_contacts(step, &now);
    } else {
      status = state_problem(step);
      if (status == PC_OK)
        status = solve_problem(step, tolerance_of(world));
    }
    now.placed = false;
    if (status == PC_OK && now.missing) {
      pc_answer_keep(step);
      step->search.again = true;
      restore_external(step);
      continue;
    }
    if (status == PC_OK)
      status = audit_problem(step);
    if (status == PC_OK && calmed < MOST_CALMED && runs_away(step)) {
      looks = false;
      step->calm = calm[calmed++];
      info->calmed = calmed;
      pc_contacts_forget(&world->contacts);
      restore_external(step);
      continue;
    }
    if (status == PC_OK && (!now.stands || info->calmed > 0))
      pc_answer_keep(step);
    step->search.again = false;
    step->calm = 0;
    done = status != PC_OK || slackened == MOST_SLACKENED ||
           !pc_reserve_slacken(&world->elements, &world->bodies, &world->problem, step->h);
    if (!done) {
      looks = true;
      now.number = calmed = 0;
      slackened++;
      restore_external(step);
    }
  }
  if (status == PC_OK)
    status = pc_step_note_pierced(step);
  if (status == PC_OK)
    pc_step_note_system_acts(step);
  info->solve_s += pc_clock_seconds() - begun - (info->detection_s - detection);
  return status;
}
