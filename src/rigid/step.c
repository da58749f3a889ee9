// One step: to the middle, contacts and forces there, one impact problem, to the end.
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "rigid/discs.h"
#include "rigid/forces.h"

enum { GRAIN = 100 };    // bodies that are worth a thread
enum { AT_A_TIME = 64 }; // bodies, so that what is written of the first is near for what comes next

// Where some bodies from i on end that are gone over at a time: all of them discs, or none.
static int some_end(int i, int end, int disc)
{
  int last = i + AT_A_TIME < end ? i + AT_A_TIME : end;
  return i < disc && disc < last ? disc : last;
}

// U- + M^-1 P_ext: what the body would do without contacts and stiff elements.
void pc_body_free_velocity(const pc_world *world, int i, const double push[6], double six[6])
{
  const pc_solid *body = &world->bodies.solid.at[i];
  pc_state_velocity(&world->bodies.state.at[i], six);
  if (body->mass == 0)
    return;
  double linear[3] = {push[0], push[1], push[2]};
  if (body->kind == PC_GUIDED) {
    double along = pc_dot3(linear, body->form->guide);
    for (int k = 0; k < 3; k++)
      linear[k] = along * body->form->guide[k];
  }
  for (int k = 0; k < 3; k++)
    six[k] += linear[k] * body->inverse_mass;
  if (!body->turns || (push[3] == 0 && push[4] == 0 && push[5] == 0))
    return;
  double inertia[9], inverse[9], turned[3];
  pc_body_inertia(body, &world->bodies.state.at[i], inertia);
  pc_small_inverse(3, inertia, inverse);
  pc_rotate(inverse, push + 3, turned);
  for (int k = 0; k < 3; k++)
    six[3 + k] += turned[k];
}

// The beginning of a step, body by body: to the middle, and what it would do from there.
typedef struct begin_job {
  pc_world *world;
  int disc; // from there on all are: discs.h
  double h;
  int lost[PC_MOST_THREADS]; // per worker: the first body whose force is not finite, + 1
} begin_job;

static void advance_half(void *context, int begin, int end, int worker)
{
  const begin_job *job = context;
  pc_bodies_advance(job->world, begin, end, 0.5 * job->h);
}

static bool is_finite(const double six[6])
{
  double none = 0; // or not a number
  for (int k = 0; k < 6; k++)
    none += six[k] - six[k];
  return none == 0;
}

static void set_free(void *context, int begin, int end, int worker)
{
  begin_job *job = context;
  for (int i = begin; i < end; i++) {
    if (pc_is_idle(job->world, i))
      continue;
    double room[6];
    const double *push = pc_forces_push(job->world, i, job->h, room);
    pc_body_free_velocity(job->world, i, push, job->world->scratch.free.at[i]);
    if (!is_finite(push) && (job->lost[worker] == 0 || i < job->lost[worker]))
      job->lost[worker] = i + 1;
  }
}

static void begin_some(void *context, int begin, int end, int worker)
{
  begin_job *job = context;
  for (int i = begin, last; i < end; i = last) {
    last = some_end(i, end, job->disc);
    if (i >= job->disc) {
      int lost = pc_discs_begin(job->world, job->h, i, last, worker);
      if (lost >= 0 && (job->lost[worker] == 0 || lost < job->lost[worker]))
        job->lost[worker] = lost + 1;
      continue;
    }
    advance_half(context, i, last, worker);
    set_free(context, i, last, worker);
    pc_contacts_place(job->world, job->h, i, last, worker);
  }
}

static pc_status begin_at_once(pc_world *world, double h)
{
  begin_job job = {.world = world, .h = h};
  pc_status status = pc_contacts_open(world);
  if (status != PC_OK)
    return status;
  world->again = false;
  job.disc = pc_discs_first(world);
  pc_parallel(pc_world_threads(world), world->bodies.count, GRAIN, begin_some, &job);
  world->placed = true;
  int lost = 0;
  for (int w = 0; w < PC_MOST_THREADS; w++)
    if (job.lost[w] > 0 && (lost == 0 || job.lost[w] < lost))
      lost = job.lost[w];
  return lost > 0 ? pc_forces_lost(world, lost - 1) : PC_OK;
}

// Forces that a function of the caller gives want all bodies in the middle.
static pc_status begin_bodies(pc_world *world, double h)
{
  begin_job job = {.world = world, .h = h};
  int threads = pc_world_threads(world);
  bool known = !pc_forces_any(world) || pc_forces_given(world);
  world->placed = false;
  world->pushed = world->elements.list.count > 0 || world->def.treatment == PC_PENALTY;
  if (known && world->bodies.driven == 0)
    return begin_at_once(world, h);
  pc_parallel(threads, world->bodies.count, GRAIN, advance_half, &job);
  for (int i = 0; i < world->bodies.count && world->bodies.driven > 0; i++)
    if (world->bodies.solid.at[i].kind == PC_DRIVEN) {
      pc_course *course = world->bodies.solid.at[i].form->course;
      pc_course_place_between(course, world->clock.time, world->clock.time + h,
                              &world->bodies.state.at[i]);
      pc_course_place(course, world->clock.time + 1.5 * h, &course->next);
    }
  pc_status status = pc_forces_load(world, h);
  if (status != PC_OK)
    return status;
  bool any;
  pc_sleep_feel(world, h);
  status = pc_sleep_wake(world, h, false, &any);
  pc_parallel(threads, world->bodies.count, GRAIN, set_free, &job);
  return status;
}

static bool make_room(pc_world *world)
{
  int n = world->bodies.count;
  return pc_array_reserve(&world->scratch.external, n) &&
         pc_array_reserve(&world->forces.loaded, n) && pc_array_reserve(&world->scratch.free, n) &&
         pc_array_reserve(&world->scratch.previous, n) &&
         pc_array_reserve(&world->scratch.struck, n) &&
         pc_array_reserve(&world->problem.index, n) &&
         pc_array_reserve(&world->problem.dof_start, n);
}

// The end of a step, in pieces.
typedef struct end_job {
  pc_world *world;
  double h;
  bool pushed; // bodies are moved out of each other
  int disc;    // from there on all are: discs.h
  double gravity[PC_PIECES], forces[PC_PIECES], correction[PC_PIECES];
  pc_energies energies[PC_PIECES];
  int lost[PC_PIECES]; // a body whose motion is not finite, or -1
} end_job;

// The velocity after of a body, and what gravity and forces did on the mean one.
static void take_velocity(pc_world *world, double h, int i, pc_end_sums *sums)
{
  const pc_solid *body = &world->bodies.solid.at[i];
  pc_body_state *state = &world->bodies.state.at[i];
  double before[6], mean[6], *after = world->scratch.free.at[i];
  pc_state_velocity(state, before);
  if (body->mass > 0) {
    if (world->problem.index.at[i] >= 0)
      pc_problem_velocity(world, i, after);
    memcpy(state->velocity, after, sizeof state->velocity);
    memcpy(state->spin, after + 3, sizeof state->spin);
  }
  for (int k = 0; k < 6; k++)
    mean[k] = 0.5 * (before[k] + after[k]);
  if (world->elements.row.count > 0 || world->elements.list.count > 0)
    memcpy(world->scratch.external.at[i], mean, sizeof mean);
  if (body->mass == 0)
    return;
  sums->gravity += h * body->mass * pc_dot3(world->def.gravity, mean);
  if (!pc_forces_any(world))
    return;
  double room[6];
  const double *loaded = pc_forces_loaded(world, i, h, room);
  sums->forces += pc_dot3(loaded, mean) + pc_dot3(loaded + 3, mean + 3);
}

static bool has_finite_state(const pc_body_state *state)
{
  double sum = pc_dot3(state->velocity, state->velocity) + pc_dot3(state->spin, state->spin) +
               pc_dot3(state->position, state->position);
  return isfinite(sum);
}

static void push_body(pc_world *world, int i, pc_end_sums *sums)
{
  for (int k = 0; k < 3; k++)
    world->bodies.state.at[i].position[k] += world->push_out.correction.at[i][k];
  sums->correction -= world->bodies.solid.at[i].mass *
                      pc_dot3(world->def.gravity, world->push_out.correction.at[i]);
}

// Gives a body whose motion is not finite, or -1.
static int end_some(const end_job *job, int begin, int end, pc_end_sums *sums)
{
  pc_world *world = job->world;
  int lost = -1;
  if (begin >= job->disc)
    return pc_discs_end(world, job->h, begin, end, sums);
  for (int i = begin; i < end; i++) {
    pc_prefetch(world->bodies.state.at, i + AT_A_TIME, sizeof *world->bodies.state.at);
    pc_prefetch(world->bodies.solid.at, i + AT_A_TIME, sizeof *world->bodies.solid.at);
    pc_prefetch(world->scratch.free.at, i + AT_A_TIME, sizeof *world->scratch.free.at);
    if (pc_is_idle(world, i))
      continue;
    take_velocity(world, job->h, i, sums);
    if (job->pushed && world->push_out.moved.at[i])
      push_body(world, i, sums);
  }
  pc_bodies_advance(world, begin, end, 0.5 * job->h);
  for (int i = begin; i < end; i++) {
    if (pc_is_idle(world, i))
      continue;
    pc_body_add_energies(world, i, &sums->energies);
    if (!has_finite_state(&world->bodies.state.at[i]) && lost < 0)
      lost = i;
    if (world->def.sleep_after > 0)
      pc_sleep_watch(world, i, job->h);
  }
  return lost;
}

// Sums are kept apart until a piece is done: no two workers write to one line of memory.
static void end_pieces(void *context, int begin, int end, int worker)
{
  end_job *job = context;
  pc_world *world = job->world;
  for (int piece = begin; piece < end; piece++) {
    pc_end_sums sums = {0};
    int lost = -1, last = pc_piece_begin(world->bodies.count, piece + 1);
    for (int i = pc_piece_begin(world->bodies.count, piece), some; i < last; i = some) {
      some = some_end(i, last, job->disc);
      int first = end_some(job, i, some, &sums);
      lost = lost < 0 ? first : lost;
    }
    sums.energies.potential += world->sleep.potential[piece];
    job->gravity[piece] = sums.gravity;
    job->forces[piece] = sums.forces;
    job->correction[piece] = sums.correction;
    job->energies[piece] = sums.energies;
    job->lost[piece] = lost;
  }
}

// Sums of all pieces, into the first.
static void add_pieces(end_job *job, int pieces)
{
  for (int i = 1; i < pieces; i++) {
    job->gravity[0] += job->gravity[i];
    job->forces[0] += job->forces[i];
    job->correction[0] += job->correction[i];
    job->energies[0].translation += job->energies[i].translation;
    job->energies[0].rotation += job->energies[i].rotation;
    job->energies[0].potential += job->energies[i].potential;
    if (job->lost[0] < 0)
      job->lost[0] = job->lost[i];
  }
}

static void advance_clock(pc_world *world, double h)
{
  if (h != world->clock.last_h) {
    world->clock.base_time = world->clock.time;
    world->clock.base_count = 0;
    world->clock.last_h = h;
  }
  world->clock.base_count++;
  world->clock.step++;
  world->clock.time = world->clock.base_time + (double)world->clock.base_count * h;
}

// Without the audit, which only the last answer of a step needs.
static pc_status solve_problem(pc_world *world, double tolerance, pc_solve_info *solve)
{
  pc_solve_options options = pc_solve_options_default();
  options.solver = world->solver;
  options.tolerance = tolerance;
  options.max_iterations = world->def.max_iterations;
  options.warm_start = true;
  options.gives_up = options.max_iterations > 0;
  options.unaudited = true;
  options.threads = world->def.threads;
  *solve = (pc_solve_info){.status = PC_SOLVED, .audit.closed = true};
  if (pc_impact_bodies(world->problem.impact) == 0)
    return PC_OK;
  pc_status status = pc_impact_solve(world->problem.impact, &options, solve);
  if (status == PC_OK && solve->status != PC_FAILED)
    return PC_OK;
  return pc_fail(&world->error, status != PC_OK ? status : PC_ERROR_NUMERIC,
                 "step %ld: the impact problem was not solved: %s", world->clock.step + 1,
                 pc_impact_error(world->problem.impact));
}

static pc_status audit_problem(pc_world *world, pc_solve_info *solve)
{
  double begun = pc_clock_seconds();
  pc_status status = PC_OK;
  if (pc_impact_bodies(world->problem.impact) > 0)
    status = pc_impact_audit(world->problem.impact, world->def.threads, &solve->audit);
  world->info.audit_s += pc_clock_seconds() - begun;
  return status == PC_OK ? PC_OK : pc_fail(&world->error, status, "out of memory");
}

// Whether one of the touches found closes, by more than pushing out would mend, within a time.
static bool closes(const pc_world *world, double time)
{
  for (int t = 0; t < world->contacts.list.count; t++) {
    const pc_touch *touch = &world->contacts.list.at[t];
    double little = 0.01 * fmin(world->bodies.solid.at[touch->body[0]].radius,
                                world->bodies.solid.at[touch->body[1]].radius);
    if (touch->gap > 0 && touch->gap + time * touch->before < -little)
      return true;
  }
  return false;
}

// Finds contacts, and wakes who is touched until nobody is any more.
static pc_status find_contacts(pc_world *world, double h, bool falls)
{
  bool woken = true;
  pc_status status = PC_OK;
  while (status == PC_OK && woken) {
    status = pc_contacts_find(world, h);
    if (status == PC_OK)
      status = pc_sleep_wake(world, h, falls, &woken);
  }
  return status;
}

// What stiff elements take in the impact problem, J: there they are brakes.
static double held_back(const pc_world *world)
{
  double sum = 0;
  for (int s = 0; s < world->elements.row.count; s++)
    if (world->elements.row.at[s].interaction >= 0)
      sum += pc_impact_dissipated(world->problem.impact, world->elements.row.at[s].interaction);
  return sum;
}

// Whether an answer that misses its tolerance gives energy, more than a thousandth of what moves
// and than a step's fall, or breaks the sign of a law. Laws may ask for what cannot be (wedged
// bodies that are all to rebound); then percussions grow out of all proportion, also where what
// they give and take comes to nothing. What cancels leaves no trace in the velocities, so the
// tolerance may be reached: contacts that give thousands of times what moves are no answer all the
// same, nor are those that give ten times it and cost the account its digits, nor laws that have a
// sign and give a hundredth of it.
static bool runs_away(const pc_world *world, double h, const pc_solve_info *solve)
{
  const pc_audit *audit = &solve->audit;
  const bool solved = solve->status == PC_SOLVED;
  const double much = 1e3, more = 10, some = 0.01, little = 1e-3, digits = 1e-11;
  double mass = 0, fall = h * pc_norm(3, world->def.gravity), moving = audit->kinetic_before;
  double given = fmax(-audit->dissipated_separating,
                      fmax(-audit->dissipated_friction, -audit->dissipated_restitution));
  if (world->def.treatment == PC_PENALTY) // no contact has a law
    return false;
  double held = held_back(world), wrong = held - audit->dissipated_signed;
  double lost = fabs(audit->kinetic_after - audit->kinetic_before - audit->work_external -
                     audit->work_prescribed + audit->dissipated);
  if (solved && !(given > more * moving) && !(wrong > some * moving))
    return false;
  for (int i = 0; i < world->bodies.count; i++)
    mass += world->problem.index.at[i] >= 0 ? world->bodies.solid.at[i].mass : 0;
  double falling = mass * fall * fall;
  if (world->elements.row.count > 0)
    moving += held + fabs(audit->work_external);
  if (wrong > some * moving + falling)
    return true;
  if (solved)
    return given > (lost > digits * (moving + falling) ? more : much) * (moving + falling);
  return held - audit->dissipated > little * moving + falling || given > moving + falling ||
         !audit->closed;
}

// Such a step is done once more, with contacts that do not rebound, and if that does not help
// without friction too: that problem always has an answer, which gives nothing. It starts from no
// percussions: those of the last answer cancel each other, and sweeps would not get rid of them.
static pc_status calm_down(pc_world *world, double h, pc_solve_info *solve)
{
  static const int ways[] = {PC_CALM_INELASTIC, PC_CALM_INELASTIC | PC_CALM_SLIPPERY};
  pc_status status = PC_OK;
  for (int i = 0; i < 2 && status == PC_OK && runs_away(world, h, solve); i++) {
    world->calm = ways[i];
    pc_contacts_forget(world);
    if (world->elements.list.count > 0 && !world->looking) // their rows stay: no body has moved
      pc_forces_again(world, h);
    status = pc_problem_state(world, h);
    if (status == PC_OK)
      status = solve_problem(world, world->def.tolerance, solve);
    if (status == PC_OK)
      status = audit_problem(world, solve);
    world->info.calmed = i + 1;
  }
  world->calm = 0;
  return status;
}

// Contacts, their problem and its answer. A body that is struck may reach others in the same step:
// then contacts are looked for again, with the velocities it got. Until none is missing, velocities
// need not be better than `rough`. After a few times only what would be passed through counts.
static pc_status solve_contacts(pc_world *world, double h, bool falls, pc_solve_info *solve)
{
  enum { FEW = 3 };
  const int most = world->def.looks == PC_LOOK_ONCE ? 1 : 50;
  const double fine = world->def.tolerance, rough = fmax(fine, fmin(1e-4, 100 * fine));
  pc_step_info *info = &world->info;
  pc_status status = PC_OK;
  world->again = false;
  for (int pass = 1; status == PC_OK; pass++) {
    double begun = pc_clock_seconds();
    int known = pass > 1 ? world->contacts.list.count : -1;
    status = find_contacts(world, h, falls);
    double found = pc_clock_seconds();
    info->detection_s += found - begun;
    info->passes = pass;
    if (status == PC_OK && pass > 1 && rough == fine && pc_problem_stands(world, h, known)) {
      status = audit_problem(world, solve);
      if (status == PC_OK)
        status = calm_down(world, h, solve);
      if (status == PC_OK && info->calmed > 0)
        status = pc_contacts_keep(world);
      info->solve_s += pc_clock_seconds() - found;
      break;
    }
    if (status == PC_OK)
      status = pc_problem_state(world, h);
    info->stating_s += pc_clock_seconds() - found;
    if (status != PC_OK)
      break;
    bool last = pass == most || world->def.treatment == PC_PENALTY;
    // Contacts only come in; if none did, none may be missing.
    bool whole = last || world->contacts.list.count == known || rough == fine;
    status = solve_problem(world, whole ? fine : rough, solve);
    if (status != PC_OK)
      break;
    bool done = last || !pc_contacts_missed(world, h, pass >= FEW);
    if (done && !whole) {
      status = solve_problem(world, fine, solve);
      if (status != PC_OK)
        break;
      done = !pc_contacts_missed(world, h, pass >= FEW);
    }
    if (done) {
      status = audit_problem(world, solve);
      if (status == PC_OK)
        status = calm_down(world, h, solve);
    }
    if (status == PC_OK)
      status = pc_contacts_keep(world);
    info->solve_s += pc_clock_seconds() - found;
    if (done)
      break;
    world->again = true;
    if (status == PC_OK && world->elements.list.count > 0 &&
        !world->looking) // their rows stay: no body has moved
      pc_forces_again(world, h);
  }
  world->again = false;
  return status;
}

// What acted there is told with the contacts of the step: nobody else would see it.
static pc_status keep_first(pc_world *world)
{
  if (!pc_array_reserve(&world->contacts.first, world->contacts.list.count))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  for (int t = 0; t < world->contacts.list.count; t++) {
    pc_first_touch *first = &world->contacts.first.at[world->contacts.first.count];
    *first = (pc_first_touch){.touch = world->contacts.list.at[t]};
    if (!pc_is_pressed(&first->touch))
      continue;
    if (first->touch.interaction >= 0) {
      pc_interaction_answer answer;
      pc_impact_answer(world->problem.impact, first->touch.interaction, &answer);
      first->dissipated = answer.dissipated;
      first->touch.interaction = -1; // of another problem than that of the step
    }
    world->contacts.first.count++;
  }
  return PC_OK;
}

// A step looks at contacts in its middle: the way from a start to there is looked at here, at
// position level. If it is barred, the impact comes first, without gravity and other forces.
static pc_status look_first(pc_world *world, double h, pc_audit *first)
{
  double half = 0.5 * h, now = world->clock.time;
  *first = (pc_audit){.closed = true};
  if (world->def.treatment != PC_POSITION_LEVEL)
    return PC_OK;
  world->again = false;
  world->elements.row.count = 0;
  for (int i = 0; i < world->bodies.count; i++) {
    pc_solid *body = &world->bodies.solid.at[i];
    if (body->kind == PC_DRIVEN) {
      pc_course_place_between(body->form->course, now - half, now + half,
                              &world->bodies.state.at[i]);
      pc_course_place(body->form->course, now + half, &body->form->course->next);
    }
    pc_state_velocity(&world->bodies.state.at[i], world->scratch.free.at[i]);
  }
  memset(world->scratch.external.at, 0,
         sizeof *world->scratch.external.at * (size_t)world->bodies.count);
  world->pushed = true;
  pc_status status = find_contacts(world, half, false);
  if (status != PC_OK || !closes(world, half))
    return status;
  pc_solve_info solve;
  world->looking = true;
  status = solve_contacts(world, half, false, &solve);
  world->looking = false;
  if (status != PC_OK)
    return status;
  *first = solve.audit;
  status = keep_first(world);
  if (status != PC_OK)
    return status;
  if (world->heat != NULL && pc_warmth_take(world) != PC_OK)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < world->bodies.count; i++) {
    double after[6];
    if (world->problem.index.at[i] < 0)
      continue;
    pc_problem_velocity(world, i, after);
    memcpy(world->bodies.state.at[i].velocity, after, sizeof world->bodies.state.at[i].velocity);
    memcpy(world->bodies.state.at[i].spin, after + 3, sizeof world->bodies.state.at[i].spin);
  }
  return PC_OK;
}

// Stiff strings and springs that others would make push the wrong way do nothing in the step.
static pc_status solve_slack(pc_world *world, double h, pc_status status, pc_solve_info *solve)
{
  enum { MOST = 4 };
  for (int i = 0; i < MOST && status == PC_OK && pc_reserve_slack(world, h); i++) {
    pc_forces_again(world, h);
    status = solve_contacts(world, h, true, solve);
  }
  return status;
}

// What is wrong with the definition of a world, or NULL.
static const char *wrong_definition(const pc_world_def *def)
{
  if (def->dimension != 2 && def->dimension != 3)
    return "the dimension of a world is 2 or 3";
  if (def->treatment != PC_VELOCITY_LEVEL && def->treatment != PC_POSITION_LEVEL &&
      def->treatment != PC_PENALTY)
    return "there is no such treatment of contact";
  if (def->looks < PC_LOOK_AGAIN || def->looks > PC_LOOK_UNTIL_NONE_IS_MISSING)
    return "there is no such way to look for contacts";
  if (def->treatment == PC_PENALTY && !(def->penalty > 0 && isfinite(def->penalty)))
    return "the penalty treatment needs a positive stiffness";
  if (!isfinite(pc_norm(3, def->gravity)))
    return "gravity must be finite";
  if (!(def->tolerance > 0 && def->tolerance < 1))
    return "the tolerance must be between 0 and 1";
  if (!(def->push_out >= 0) || isnan(def->rest_speed))
    return "push_out must be 0 or more, rest_speed a number";
  if (!(def->sleep_after >= 0) || isnan(def->sleep_speed))
    return "sleep_after must be 0 or more, sleep_speed a number";
  if (def->sleep_after > 0 && def->treatment == PC_PENALTY)
    return "nothing sleeps with the penalty treatment: overlaps store energy";
  return NULL;
}

pc_status pc_world_step(pc_world *world, double h)
{
  world->error = (pc_error){0};
  const char *wrong = wrong_definition(&world->def);
  if (wrong != NULL)
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "%s", wrong);
  if (!(h > 0) || !isfinite(h))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "the step must be positive and finite");
  world->contacts.first.count = 0;
  if (!make_room(world))
    return pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
  if (pc_order_bodies(world) != PC_OK)
    return PC_ERROR_MEMORY;
  if (pc_sleep_prepare(world) != PC_OK)
    return PC_ERROR_MEMORY;
  pc_impact_clear(
      world->problem.impact); // should the step fail, this is not the problem of the last one
  pc_step_info *info = &world->info;
  int threads = pc_world_threads(world);
  double begun = pc_clock_seconds();
  bool starts = !world->balance.accounted || world->balance.changed, any;
  pc_audit first = {.closed = true};
  if (pc_sleep_wake(world, h, false, &any) != PC_OK) // whom the caller has roused
    return PC_ERROR_MEMORY;
  info->calmed = 0;
  pc_sleep_begin(world);
  pc_account_begin(world);
  if (pc_reserve_begin(world, h) != PC_OK)
    return PC_ERROR_MEMORY;
  if (world->heat != NULL)
    pc_warmth_begin(world);
  if (starts) {
    pc_status found = look_first(world, h, &first);
    if (found != PC_OK)
      return found;
    world->balance.changed = false;
  }

  pc_status status = begin_bodies(world, h);
  if (status != PC_OK)
    return status;
  pc_solve_info solve;
  info->detection_s = pc_clock_seconds() - begun;
  info->solve_s = info->stating_s = info->audit_s = 0;
  status = pc_elements_rows(world, h);
  if (status == PC_OK)
    status = solve_contacts(world, h, true, &solve);
  status = solve_slack(world, h, status, &solve);
  if (status != PC_OK)
    return status;

  end_job job = {.world = world, .h = h};
  info->deepest = world->contacts.deepest;
  status = pc_contacts_push_out(world, h, &job.pushed);
  if (status != PC_OK)
    return status;
  pc_sleep_count(world);
  job.disc = job.pushed ? world->bodies.count : pc_discs_first(world);
  pc_parallel(threads, pc_pieces(world->bodies.count), 2, end_pieces, &job);
  add_pieces(&job, pc_pieces(world->bodies.count));
  info->correction = job.correction[0];
  advance_clock(world, h);
  for (int i = 0; i < world->bodies.count && world->bodies.driven > 0; i++)
    if (world->bodies.solid.at[i].kind == PC_DRIVEN) {
      pc_body_state place;
      pc_course_place(world->bodies.solid.at[i].form->course, world->clock.time, &place);
      memcpy(world->bodies.state.at[i].position, place.position, sizeof place.position);
      memcpy(world->bodies.state.at[i].orientation, place.orientation, sizeof place.orientation);
    }
  status =
      pc_account_close(world, h, &solve, &first, job.gravity[0], job.forces[0], &job.energies[0]);
  if (status != PC_OK)
    return status;
  info->step = world->clock.step;
  info->time = world->clock.time;
  info->contacts = world->contacts.list.count + world->contacts.first.count;
  info->islands = solve.islands;
  info->iterations = solve.iterations;
  info->residual = solve.residual;
  info->status = solve.status;
  status = pc_sleep_fall(world, &info->frozen);
  pc_account_frozen(world);
  info->step_s = pc_clock_seconds() - begun;
  if (status == PC_OK && job.lost[0] >= 0)
    status = pc_fail(&world->error, PC_ERROR_NUMERIC,
                     "step %ld: the motion of body %d is no longer finite", world->clock.step,
                     pc_body_number(world, job.lost[0]).id);
  if (status == PC_OK && !pc_account_is_finite(world))
    status = pc_fail(&world->error, PC_ERROR_NUMERIC, "step %ld: the energies are no longer finite",
                     world->clock.step);
  return status;
}
