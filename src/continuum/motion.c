// Steps of a motion.
#include "continuum/motion_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

enum {
  MEETINGS = 1000,    // at one time; then nodes come to rest
  MOST_EVENTS = 10000 // in a step
};
static const double IDENTITY = 1e-9, IDENTITY_ALLOY = 1e-8;
// Contacts take energy. Nodes that rest on walls and are about to leave may give some 1e-9 of it.
static const double GIVEN = 1e-6;

// The waves of a step from u, v: `answer` has the velocities, u1 the displacements after it.
static pc_status move(pc_fe_motion *m, int level, pc_error *error)
{
  double h = ldexp(m->step, -level);
  if (m->has_large)
    memcpy(m->load, m->elastic.weight, (size_t)m->numbers * sizeof *m->load);
  else
    pc_fe_elastic_force(&m->elastic, m->u, m->load);
  if (m->has_alloy)
    pc_fe_alloy_add_force(&m->alloy, m->load);
  for (int i = 0; i < m->numbers; i++)
    m->load[i] *= h;
  pc_motion_bound(m);
  pc_status status = pc_motion_solve(m, level, error);
  pc_motion_unbound(m);
  for (int i = 0; status == PC_OK && i < m->numbers; i++)
    m->u1[i] = m->u[i] + h / 2 * (m->v[i] + m->answer.velocity[i]);
  return status;
}

// The step by itself: waves, and the phases that act back on them. Nothing is accepted yet.
static pc_status try_step(pc_fe_motion *m, int level, pc_error *error)
{
  pc_status status = m->length[level] == NULL ? pc_motion_make_length(m, level, error) : PC_OK;
  if (m->has_alloy)
    pc_fe_alloy_begin(&m->alloy);
  for (bool settled = false; status == PC_OK && !settled;) {
    settled = true;
    status = move(m, level, error);
    if (status == PC_OK && m->has_alloy)
      status = pc_fe_alloy_update(&m->alloy, m->u1, &settled, error);
  }
  return status;
}

// What viscosities take in the step of h that was tried.
static double find_loss(pc_fe_motion *m, double h)
{
  if (m->has_large)
    return pc_motion_large_loss(m, h);
  for (int i = 0; i < m->numbers; i++)
    m->load[i] = (m->v[i] + m->answer.velocity[i]) / 2;
  return h * pc_fe_elastic_loss(&m->elastic, m->load);
}

static pc_status accept_step(pc_fe_motion *m, int level, pc_error *error)
{
  bool solved = m->answer.solved;
  if (m->has_alloy) {
    solved = solved && pc_fe_alloy_is_solved(&m->alloy);
    pc_fe_alloy_accept(&m->alloy);
  }
  if (m->elastic.viscous)
    m->now.account.viscous += find_loss(m, ldexp(m->step, -level));
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  memcpy(m->u, m->u1, (size_t)m->numbers * sizeof *m->u);
  m->now.account.rest += m->answer.account.reactions - m->answer.account.work_holds;
  m->now.account.unsolved += !solved;
  m->now.part += 1L << (m->halvings - level);
  pc_motion_take_bodies(m);
  pc_motion_read_contacts(m);
  return pc_motion_read_meetings(m, error);
}

// The shortest step of large displacements did not converge; `error` says why.
static pc_status report_failure(const pc_fe_motion *m, pc_error *error)
{
  pc_error why = error != NULL ? *error : (pc_error){.text = ""};
  return pc_fail(error, PC_ERROR_NUMERIC,
                 "at %g s: the equations of large deformations have no solution, even with a step "
                 "of %.1g s: %s; the material may be compressed or stretched too far: use a "
                 "stiffer material, finer elements, or lower speeds and loads",
                 pc_motion_time(m), ldexp(m->step, -m->halvings), why.text);
}

static pc_status go(pc_fe_motion *m, int level, pc_error *error);

static pc_status go_in_halves(pc_fe_motion *m, int level, pc_error *error)
{
  pc_status status = go(m, level + 1, error);
  return status == PC_OK ? go(m, level + 1, error) : status;
}

// A step of step / 2^level: as one if it stays free of walls and pushes and, with large
// displacements, converges, else as two halves; the shortest one with the collisions that are in
// its way.
static pc_status go(pc_fe_motion *m, int level, pc_error *error)
{
  for (int meetings = 0;; meetings++) {
    pc_status status = pc_motion_push(m, error);
    if (status != PC_OK)
      return status;
    bool halved = pc_motion_is_pushed_within(m, level);
    if (!halved)
      status = try_step(m, level, error);
    if (m->has_large && status == PC_ERROR_NUMERIC)
      return level < m->halvings ? go_in_halves(m, level, error) : report_failure(m, error);
    if (status != PC_OK)
      return status;
    if (!halved && pc_motion_is_clear(m, ldexp(m->step, -level)))
      return accept_step(m, level, error);
    if (level < m->halvings)
      return go_in_halves(m, level, error);
    status = pc_motion_meet(m, meetings >= MEETINGS, error);
    if (status == PC_OK && m->events.count - m->events_before > MOST_EVENTS)
      status = pc_fail(error, PC_ERROR_NUMERIC,
                       "more than %d collisions in a step; increase 'rest' or use a shorter 'step'",
                       MOST_EVENTS);
    if (status != PC_OK)
      return status;
  }
}

pc_status pc_fe_motion_advance(pc_fe_motion *m, pc_error *error)
{
  m->events_before = m->events.count;
  pc_status status = m->now.steps == 0 ? pc_motion_start(m, error) : PC_OK;
  if (status == PC_OK)
    status = go(m, 0, error);
  if (status != PC_OK)
    return status;
  m->now.steps++;
  m->now.part = 0;
  status = pc_motion_check_bodies(m, error);
  return status != PC_OK ? status : pc_motion_check_limits(m, error);
}

static pc_fe_motion_energy energy_of(const pc_fe_motion *m)
{
  pc_fe_energy e = pc_fe_elastic_energy(&m->elastic, m->u, m->v);
  pc_fe_motion_energy all = {.kinetic = e.kinetic,
                             .elastic = m->has_large ? pc_motion_large_energy(m) : e.elastic,
                             .gravity = e.gravity + 0.0, // not -0
                             .coupled = m->has_alloy ? pc_fe_alloy_coupled_energy(&m->alloy) : 0,
                             .heat = m->alloy.account.heat};
  pc_motion_add_energy(m, &all);
  return all;
}

pc_status pc_fe_motion_set(pc_fe_motion *m, const double *displacement, const double *velocity,
                           const pc_fe_thermal_state *heat, pc_error *error)
{
  size_t bytes = (size_t)m->numbers * sizeof *m->u;
  memset(m->u, 0, bytes);
  memset(m->v, 0, bytes);
  if (displacement != NULL)
    memcpy(m->u, displacement, bytes);
  if (velocity != NULL)
    memcpy(m->v, velocity, bytes);
  memset(&m->now, 0, sizeof m->now);
  m->now.rest = m->rest;
  pc_motion_set_large(m);
  m->events.count = 0;
  memset(m->closed, 0, (size_t)m->walls * (size_t)m->mesh->nodes);
  memset(m->state, 0, (size_t)(m->walls + m->given) * sizeof *m->state);
  for (int w = 0; w < m->walls + m->given; w++)
    m->state[w].left = -1;
  double fastest = 0;
  for (int i = 0; i < m->numbers; i++) {
    if (!isfinite(m->u[i]) || !isfinite(m->v[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the initial position of node %d is not finite",
                     i / m->size);
    fastest = fmax(fastest, fabs(m->v[i]));
  }
  for (int k = 0; k < m->spots; k++) {
    double gap = pc_motion_gap(m, &m->spot[k], m->u);
    if (gap < -m->inside)
      return pc_fail(error, PC_ERROR_ARGUMENT, "node %d starts %g m inside wall %d",
                     m->spot[k].node, -gap, m->spot[k].wall);
  }
  pc_motion_set_bodies(m);
  pc_status status = pc_motion_set_meetings(m, error);
  if (status != PC_OK)
    return status;
  if (m->now.rest <= 0)
    m->now.rest = fmax(1e-3 * fastest, m->gravity * m->step);
  if (m->has_alloy)
    pc_fe_alloy_set(&m->alloy, m->u, heat);
  m->now.account.start = energy_of(m);
  return PC_OK;
}

pc_fe_motion *pc_fe_motion_create(const pc_fe_motion_def *def, pc_error *error)
{
  pc_fe_motion *m = calloc(1, sizeof *m);
  if (m == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a motion");
    return NULL;
  }
  if (pc_motion_make(m, def, error) == PC_OK &&
      pc_fe_motion_set(m, NULL, NULL, NULL, error) == PC_OK)
    return m;
  pc_fe_motion_destroy(m);
  return NULL;
}

void pc_fe_motion_destroy(pc_fe_motion *m)
{
  if (m != NULL)
    pc_motion_free(m);
  free(m);
}

pc_fe_motion_state pc_fe_motion_look(const pc_fe_motion *m)
{
  pc_fe_motion_state s = {.time = pc_motion_time(m),
                          .steps = m->now.steps,
                          .displacement = m->u,
                          .velocity = m->v,
                          .large = m->has_large,
                          .wall = m->state,
                          .body = m->place,
                          .strain = m->now.strain,
                          .events = m->events.count,
                          .event = m->events.at};
  if (!m->has_alloy)
    return s;
  const pc_fe_alloy *a = &m->alloy;
  s.temperature = a->temperature;
  s.fraction = (const double(*)[PC_FE_FRACTIONS])a->fraction;
  s.lowest = INFINITY;
  for (int i = 0; i < a->thermal->rows; i++) {
    int node = a->thermal->row[i].node;
    s.lowest = fmin(s.lowest, a->temperature[node]);
    s.highest = fmax(s.highest, a->temperature[node]);
    for (int k = 0; k < PC_FE_FRACTIONS && a->whole > 0; k++)
      s.mean[k] += a->volume[node] / a->whole * a->fraction[node][k];
  }
  return s;
}

const pc_fe_elastic *pc_fe_motion_elastic(const pc_fe_motion *m)
{
  return &m->elastic;
}

pc_fe_motion_account pc_fe_motion_balance(const pc_fe_motion *m)
{
  pc_fe_motion_account a = m->now.account;
  a.now = energy_of(m);
  a.alloy = m->alloy.account;
  const pc_fe_motion_energy *now = &a.now, *start = &a.start;
  double lost = a.volume + a.surface + a.reactions + a.rest + a.viscous,
         fall = now->gravity - start->gravity;
  double rest = now->kinetic + now->elastic + now->coupled + now->heat + fall + lost -
                start->kinetic - start->elastic - start->coupled - start->heat - a.alloy.received -
                a.pushes;
  double size = now->kinetic + now->elastic + fabs(fall) + fabs(lost) + start->kinetic +
                start->elastic + a.alloy.moved + fabs(a.pushes);
  a.identity = size > 0 ? fabs(rest) / size : 0;
  a.closed = a.identity <= (m->has_alloy ? IDENTITY_ALLOY : IDENTITY) && a.rest >= -GIVEN * size &&
             a.unsolved == 0;
  return a;
}
