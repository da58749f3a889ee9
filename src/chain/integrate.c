// `lzb` and `hertz`: contacts are springs that return only part of their energy.
//
// LZB (Liu, Zhao and Brogliato 2008) relates the percussions of contacts by dP_i/dP_j =
// (K_i/K_j)^(1/(eta+1)) (E_i/E_j)^(eta/(eta+1)), with dE_i = -gamma_i dP_i while a contact is
// compressed and -gamma_i dP_i / e_i^2 while it expands. As a function of a percussion this is
// singular where contacts start and end. With the virtual compression x, E = K x^(eta+1) / (eta+1),
// and the parameter dt = dP_i / (K_i x_i^eta), which is the same for all contacts, it becomes
//
//     P_i' = K_i x_i^eta,    x_i' = c_i (c_i >= 0) or c_i / e_i^2 (c_i < 0),    c_i = V_i - V_(i+1)
//
// which is regular: a contact starts at x = 0 as soon as c > 0 and ends when x is 0 again. t is a
// time during which positions do not change. `hertz` has the same equations with the displacement s
// instead of x, s' = c, gaps that open and close again, and a memory of the largest compression.
//
// The integrator is the pair of order 5 of Dormand and Prince. The step size follows from the error
// of velocities and displacements, y' = c, which are smooth; how a displacement counts in x changes
// where c changes sign, within a step if necessary. Only live contacts and a few neighbours are
// integrated.
#include "chain/integrate.h"

#include <string.h>

#include "core/elementary.h"
#include "core/error.h"

enum { MARGIN = 4 }; // contacts beside those that live

// With a smaller e an expanding contact is too stiff for an explicit method. It is computed with
// this value instead, which leaves relative velocities of this part of the first one. With the
// memory of Hertz's contacts a contact that is held closed oscillates, and steps become short
// earlier.
#define LEAST_RESTITUTION 1e-5
#define LEAST_RESTITUTION_HERTZ 1e-3

// x' = c where the contact approaches, and this factor times c where it separates. An open contact
// of LZB stays at 0; a closed one may pass 0 within a step and is reset after it.
static double return_rate(const pc_chain_state *m, int i)
{
  if (m->model == PC_HERTZ)
    return 1;
  if (!m->closed[i])
    return 0;
  return m->model == PC_LZB_BI ? 1 / m->share[i] : 1;
}

// Whether the force of the contact changes its branch where the approach changes its sign.
static bool contact_turns(const pc_chain_state *m, int i)
{
  if (m->model == PC_HERTZ)
    return m->share[i] < 1 && m->loading[i] && m->state[PC_X][i] >= m->peak[i] && m->peak[i] > 0;
  return m->model == PC_LZB_MONO && m->share[i] < 1 && m->closed[i];
}

// Velocities of the bodies of a run from percussions; `p` also has those beside the run.
static void take_velocities(const pc_chain_state *m, pc_run run, const double *p, double *velocity)
{
  const pc_chain_system *s = m->s;
  for (int j = run.from; j <= run.to; j++)
    velocity[j] = s->before[j] + s->inverse_mass[j] * (p[j - 1] - p[j]);
}

// Forces of Hertz's shape that depend on x alone: the hot loop of long chains.
static void take_forces(const pc_chain_state *m, pc_run run, const double *restrict x,
                        double *restrict force)
{
  if (m->shape != PC_SHAPE_HERTZ || m->remembers) {
    for (int i = run.from; i < run.to; i++)
      force[i] = pc_contact_force(m, i, x[i]);
    return;
  }
  const double *restrict stiffness = m->stiffness;
  for (int i = run.from; i < run.to; i++) {
    double depth = x[i] > 0 ? x[i] : 0;
    force[i] = stiffness[i] * depth * sqrt(depth);
  }
}

// The change of x of a contact that approached with c0 before and approaches with c1 now, after the
// displacement y in the time t: y counts `back` times where c < 0. If c has changed its sign, the
// turning point of y is where the derivative of Hermite's cubic, c0 t + (..) z + (..) z^2, is zero.
static double fold(double y, double t, double c0, double c1, double back)
{
  double first = c0 < 0 ? back : 1, last = c1 < 0 ? back : 1;
  if (first == last)
    return first * y;
  double constant = t * c0, linear = 6 * y - t * (4 * c0 + 2 * c1);
  double square = 3 * t * (c0 + c1) - 6 * y;
  double root = sqrt(fmax(linear * linear - 4 * square * constant, 0));
  double q = -(linear + copysign(root, linear)) / 2;
  double z = square != 0 ? q / square : -1;
  if (!(z >= 0 && z <= 1))
    z = q != 0 ? fmin(fmax(constant / q, 0), 1) : 0;
  double turn = t * z * (1 - z) * (c0 * (1 - z) - c1 * z) + y * z * z * (3 - 2 * z);
  return first * turn + last * (y - turn);
}

// On entry `y` has displacements since the start of the step, `t` ago; on return compressions.
static void evaluate(pc_chain_state *m, pc_run run, const double *p, double *restrict y, double t,
                     int stage)
{
  double *restrict v = m->stage_velocity, *restrict force = m->slope[PC_P][stage];
  double *restrict c = m->slope[PC_X][stage], *restrict power = m->slope[PC_W][stage];
  const double *restrict x = m->state[PC_X], *start = m->slope[PC_X][0];
  take_velocities(m, run, p, v);
  for (int i = run.from; i < run.to; i++)
    c[i] = v[i] - v[i + 1];
  if (m->model == PC_HERTZ)
    for (int i = run.from; i < run.to; i++)
      y[i] += x[i];
  else
    for (int i = run.from; i < run.to; i++)
      y[i] = x[i] + fold(y[i], t, start[i], c[i], m->back[i]);
  take_forces(m, run, y, force);
  memcpy(m->slope[PC_Q][stage] + run.from, p + run.from,
         sizeof(double) * (size_t)(run.to - run.from));
  for (int i = run.from; i < run.to; i++)
    power[i] = force[i] * c[i];
}

// Percussions of a static force at the free ends, at time t.
static void press(const pc_chain_state *m, double t, double *p)
{
  const pc_chain *chain = m->s->chain;
  p[-1] = chain->wall_left ? 0 : chain->press * t;
  p[m->s->contacts] = chain->wall_right ? 0 : chain->press * t;
}

// out += h sum weight[n] slope[n], over the first `count` stages.
static void combine(const pc_chain_state *m, int k, pc_run run, double h, const double *weight,
                    int count, double *restrict out)
{
  for (int n = 0; n < count; n++) {
    const double *restrict slope = m->slope[k][n];
    double factor = h * weight[n];
    if (factor != 0)
      for (int i = run.from; i < run.to; i++)
        out[i] += factor * slope[i];
  }
}

// Computes a step of length h from the state to `m->next`; returns its error over the tolerance.
static double try_step(pc_chain_state *m, double h)
{
  double *p = m->stage_state[PC_P], *x = m->stage_state[PC_X], worst = 0;
  for (int k = 0; k < m->runs; k++) {
    pc_run run = m->run[k];
    p[run.from - 1] = m->state[PC_P][run.from - 1];
    p[run.to] = m->state[PC_P][run.to];
    for (int stage = 0; stage < STAGES; stage++) {
      size_t size = sizeof(double) * (size_t)(run.to - run.from);
      memcpy(p + run.from, m->state[PC_P] + run.from, size);
      memset(x + run.from, 0, size);
      combine(m, PC_P, run, h, pc_dormand_weight[stage], stage, p);
      combine(m, PC_X, run, h, pc_dormand_weight[stage], stage, x);
      if (m->s->chain->press > 0)
        press(m, m->time + pc_dormand_time[stage] * h, p);
      evaluate(m, run, p, x, pc_dormand_time[stage] * h, stage);
    }
    for (int i = run.from; i < run.to; i++) {
      double ep = 0, ex = 0;
      for (int n = 0; n < STAGES; n++) {
        ep += pc_dormand_error[n] * m->slope[PC_P][n][i];
        ex += pc_dormand_error[n] * m->slope[PC_X][n][i];
      }
      worst = fmax(worst, fabs(h * ep) * m->lightness[i]);
      double share = m->slope[PC_X][STAGES - 1][i] < 0 ? m->back[i] : 1;
      worst = fmax(worst, fabs(h * ex) * share / m->typical[i]);
      m->next[PC_P][i] = p[i];
      m->next[PC_X][i] = x[i];
      m->next_approach[i] = m->stage_velocity[i] - m->stage_velocity[i + 1];
    }
  }
  return worst / m->tolerance;
}

// Where the force has a branch for each direction of motion, a step must end at a turning point.
// Returns the part of the step up to the first one, or 1.
static double first_turn(const pc_chain_state *m)
{
  double least = 1, tolerance = 1e-9 * m->s->speed;
  for (int k = 0; k < m->runs && m->model != PC_LZB_BI; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++) {
      double before = pc_chain_approach(m->s, i), after = m->next_approach[i];
      bool turns = m->loading[i] ? after < -tolerance : after > tolerance;
      if (contact_turns(m, i) && turns) {
        // Below the tolerance it should have turned already: the start of the step is the turn.
        double part = before / (before - after);
        least = fmin(least, part > 0 && part < 1 ? fmax(part, 1e-3) : 1e-3);
      }
    }
  return least;
}

// Updates the phase of a contact after a step.
static void turn(pc_chain_state *m, int i)
{
  const pc_chain_system *s = m->s;
  double c = pc_chain_approach(s, i), *x = &m->state[PC_X][i], e2 = m->share[i];
  double depth = pc_contact_depth(m, i, *x);
  if (depth <= 0 && m->closed[i] && c < 0) // it opened within the step, at the speed it has
    m->opened = fmax(m->opened, m->time - depth / (m->model == PC_LZB_MONO ? c : c / e2));
  if (m->model == PC_HERTZ) {
    m->peak[i] = fmax(m->peak[i], *x);
    m->loading[i] = *x >= m->peak[i] && c > 0;
    m->closed[i] = depth > 0;
    return;
  }
  if (*x <= 0) {
    *x = 0;
    m->loading[i] = true;
    m->peak[i] = 0;
  } else if (m->model == PC_LZB_MONO && m->loading[i] && c <= 0) {
    // The force drops by the share of what this compression has added.
    double power = s->chain->exponent + 1;
    double old = pc_pow(m->peak[i], power), now = pc_pow(*x, power);
    *x = pc_pow(old + e2 * (now - old), 1 / power);
    m->loading[i] = false;
  } else if (m->model == PC_LZB_MONO && !m->loading[i] && c > 0) {
    m->loading[i] = true;
    m->peak[i] = *x; // where it started
  }
  m->closed[i] = *x > 0;
}

static bool is_live(const pc_chain_state *m, int i)
{
  const pc_chain_system *s = m->s;
  if (m->stiffness[i] == 0)
    return false;
  return pc_contact_depth(m, i, m->state[PC_X][i]) > m->still * m->typical[i] ||
         pc_chain_approach(s, i) > s->quiet;
}

// Brings a contact that was not integrated to the present time.
static void catch_up(pc_chain_state *m, int i)
{
  double gone = m->time - m->since[i];
  if (m->model == PC_HERTZ)
    m->state[PC_X][i] += gone * pc_chain_approach(m->s, i);
  m->state[PC_Q][i] += gone * m->state[PC_P][i];
  m->since[i] = m->time;
}

// Finds the runs of live contacts, with a margin, separated by at least one other contact.
static void choose_runs(pc_chain_state *m)
{
  int count = 0, contacts = m->s->contacts;
  pc_run *runs = m->spare;
  for (int k = 0; k < m->runs; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++) {
      if (!is_live(m, i))
        continue;
      pc_run run = {i > MARGIN ? i - MARGIN : 0,
                    i + MARGIN + 1 < contacts ? i + MARGIN + 1 : contacts};
      if (count > 0 && run.from <= runs[count - 1].to)
        runs[count - 1].to = run.to;
      else
        runs[count++] = run;
    }
  for (int k = 0; k < m->runs; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++)
      m->since[i] = m->time;
  for (int k = 0; k < count; k++)
    for (int i = runs[k].from; i < runs[k].to; i++)
      catch_up(m, i);
  m->spare = m->run;
  m->run = runs;
  m->runs = count;
}

// Accepts the step.
static void accept(pc_chain_state *m, double h)
{
  pc_chain_system *s = m->s;
  for (int k = 0; k < m->runs; k++) {
    pc_run run = m->run[k];
    combine(m, PC_W, run, h, pc_dormand_weight[STAGES - 1], STAGES - 1, m->state[PC_W]);
    combine(m, PC_Q, run, h, pc_dormand_weight[STAGES - 1], STAGES - 1, m->state[PC_Q]);
    for (int i = run.from; i < run.to; i++) {
      m->start[i] = m->state[PC_X][i];
      m->state[PC_P][i] = m->next[PC_P][i];
      m->state[PC_X][i] = m->next[PC_X][i];
    }
  }
  m->time += h;
  if (s->chain->press > 0)
    press(m, m->time, m->state[PC_P]);
  for (int k = 0; k < m->runs; k++)
    take_velocities(m, m->run[k], m->state[PC_P], s->velocity);
  for (int k = 0; k < m->runs; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++) {
      turn(m, i);
      m->back[i] = return_rate(m, i);
    }
}

// The force of a contact has a corner of higher order where it touches and where it opens, which
// the error estimate hardly sees. Steps end there: at the touch itself, because balls without force
// move uniformly, and near the opening, where the force is almost zero.
static double longest_step(const pc_chain_state *m)
{
  const pc_chain_system *s = m->s;
  double longest = INFINITY;
  for (int k = 0; k < m->runs; k++)
    for (int i = m->run[k].from; i < m->run[k].to; i++) {
      double c = pc_chain_approach(s, i), depth = pc_contact_depth(m, i, m->state[PC_X][i]);
      double scale = m->typical[i], rate = m->model == PC_LZB_MONO ? c : c / m->share[i];
      bool touches = m->model == PC_HERTZ && c > s->quiet && depth < -1e-9 * scale;
      // Below this depth no velocity can change by more than the tolerance.
      bool opens = c < -s->quiet && depth > m->corner * scale * sqrt(-c / s->speed);
      if (touches || opens)
        longest = fmin(longest, -depth / rate);
    }
  return longest;
}

static double first_step(const pc_chain_state *m)
{
  double shortest = INFINITY;
  for (int i = 0; i < m->s->contacts; i++)
    if (m->stiffness[i] > 0)
      shortest = fmin(shortest, m->typical[i]);
  return 1e-2 * shortest / m->s->speed;
}

// A step may be tried again a few times with a fraction of its length, and then time goes on. A
// state that is not one of a chain can make that go on without end.
enum { MOST_IDLE = 1000 };

bool pc_chain_state_go(pc_chain_state *m, double end, long *steps)
{
  const pc_chain_options *options = &m->s->options;
  double h = m->next_step, before = m->time;
  int idle = 0; // steps since time went on
  while (m->runs > 0 && m->time < end) {
    idle = m->time > before ? 0 : idle + 1;
    before = m->time;
    if (*steps >= options->max_steps || idle > MOST_IDLE)
      return false;
    double wanted = fmin(h, longest_step(m)), part = 1, taken = fmin(wanted, end - m->time);
    double error = try_step(m, taken);
    ++*steps;
    double factor = error > 0 ? 0.9 * pc_pow(error, -0.2) : 5;
    if (!(error <= 1)) {
      h = taken * (factor > 0.1 && factor < 0.9 ? factor : 0.1);
      continue;
    }
    part = first_turn(m);
    if (part < 1) {
      h = part * taken;
      continue;
    }
    accept(m, taken);
    if (taken >= wanted || factor < 1)
      h = taken * fmin(fmax(factor, 0.2), 5);
    m->next_step = h;
    if (!pc_chain_state_show(m, taken))
      return true;
    choose_runs(m);
  }
  return true;
}

static bool take(pc_chain_state *m)
{
  pc_chain_system *s = m->s;
  size_t count = (size_t)s->contacts;
  for (int k = 0; k < PC_STATES; k++) {
    // One more on either side: percussions at the ends.
    double *state = pc_arena_take(&s->arena, count + 2, sizeof(double));
    double *stage = pc_arena_take(&s->arena, count + 2, sizeof(double));
    m->next[k] = pc_arena_take(&s->arena, count, sizeof(double));
    for (int n = 0; n < STAGES; n++)
      m->slope[k][n] = pc_arena_take(&s->arena, count, sizeof(double));
    if (s->arena.failed)
      return false;
    m->state[k] = state + 1;
    m->stage_state[k] = stage + 1;
  }
  double **arrays[] = {&m->start, &m->next_approach, &m->stiffness, &m->share,
                       &m->back,  &m->peak,          &m->typical,   &m->lightness,
                       &m->since, &m->shown_force,   &m->stored};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
    *arrays[k] = pc_arena_take(&s->arena, count, sizeof(double));
  m->stage_velocity = pc_arena_take(&s->arena, count + 1, sizeof(double));
  m->shown_velocity = pc_arena_take(&s->arena, count + 1, sizeof(double));
  m->closed = pc_arena_take(&s->arena, count, sizeof(bool));
  m->loading = pc_arena_take(&s->arena, count, sizeof(bool));
  m->run = pc_arena_take(&s->arena, count + 1, sizeof(pc_run));
  m->spare = pc_arena_take(&s->arena, count + 1, sizeof(pc_run));
  return !s->arena.failed;
}

static void set_up(pc_chain_state *m)
{
  pc_chain_system *s = m->s;
  const pc_chain *chain = s->chain;
  double power = chain->exponent + 1;
  m->model = s->law->kind == PC_CHAIN_HERTZ                  ? PC_HERTZ
             : s->law->compliance == PC_CHAIN_MONO_STIFFNESS ? PC_LZB_MONO
                                                             : PC_LZB_BI;
  m->shape = chain->exponent == 1.5 ? PC_SHAPE_HERTZ
             : chain->exponent == 1 ? PC_SHAPE_LINEAR
                                    : PC_SHAPE_POWER;
  m->tolerance = s->options.tolerance / 10; // of a step; errors of some hundred steps add up
  m->corner = pc_pow(m->tolerance, 1 / power);
  m->still = pc_pow(s->quiet / s->speed, 2 / power);
  for (int i = 0; i < s->contacts; i++) {
    const pc_chain_contact *contact = &chain->contact[i];
    double e = fmax(contact->restitution,
                    m->model == PC_HERTZ ? LEAST_RESTITUTION_HERTZ : LEAST_RESTITUTION);
    bool out = m->model != PC_HERTZ && contact->gap > 0; // positions stand still: it never touches
    m->stiffness[i] = out ? 0 : contact->stiffness;
    m->share[i] = m->model == PC_LZB_MONO ? contact->restitution * contact->restitution : e * e;
    double energy = pc_chain_reduced_mass(s, i) * s->speed * s->speed / 2;
    m->typical[i] = pc_pow(power * energy / contact->stiffness, 1 / power);
    m->lightness[i] = fmax(s->inverse_mass[i], s->inverse_mass[i + 1]) / s->speed;
    if (m->model == PC_HERTZ) {
      m->state[PC_X][i] = chain->press > 0
                              ? pc_pow(chain->press / contact->stiffness, 1 / chain->exponent)
                              : -contact->gap;
      m->peak[i] = fmax(m->state[PC_X][i], 0);
    }
    m->loading[i] = true;
    m->back[i] = return_rate(m, i);
    m->remembers = m->remembers || (m->model == PC_HERTZ && m->share[i] < 1);
  }
  m->run[0] = (pc_run){0, s->contacts};
  m->runs = 1;
  for (int i = 0; i < s->contacts; i++)
    m->stored[i] = pc_contact_stored(m, i);
  m->next_step = first_step(m);
  choose_runs(m);
}

bool pc_chain_state_begin(pc_chain_state *m)
{
  if (!take(m))
    return false;
  if (m->s->speed > 0)
    set_up(m);
  return true;
}

void pc_chain_state_catch_up(pc_chain_state *m)
{
  for (int i = 0; i < m->s->contacts; i++)
    catch_up(m, i);
}

pc_status pc_chain_integrate(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  pc_chain_state m = {.s = s};
  if (!pc_chain_state_begin(&m))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  answer->status = PC_SOLVED;
  double kinetic = pc_chain_kinetic(s), work = 0;
  if (!(s->speed > 0))
    return PC_OK;
  double end = s->options.duration > 0 ? s->options.duration : INFINITY;
  if (pc_chain_state_show(&m, 0) && !pc_chain_state_go(&m, end, &answer->steps))
    answer->status = PC_INACCURATE;
  pc_chain_state_catch_up(&m);
  for (int i = 0; i < s->contacts; i++) {
    double stored = pc_contact_stored(&m, i);
    s->percussion[i] = m.state[PC_P][i];
    s->dissipated[i] = m.state[PC_W][i] - (stored - m.stored[i]);
    answer->stored += stored;
    work += m.state[PC_W][i];
  }
  pc_chain_state_positions(&m, s->position);
  double pushed = s->chain->press * ((s->chain->wall_left ? 0 : s->position[s->first]) -
                                     (s->chain->wall_right ? 0 : s->position[s->bodies - 1]));
  answer->residual = fabs(pc_chain_kinetic(s) - kinetic + work - pushed) / kinetic;
  answer->duration = m.runs > 0 ? m.time : m.opened;
  return PC_OK;
}
