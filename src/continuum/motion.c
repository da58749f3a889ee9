// Steps of a motion, and what happens at walls.
#include "continuum/motion_state.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

enum {
  MEETINGS = 1000,    // at one time; then nodes come to rest
  MOST_EVENTS = 10000 // in a step
};
static const double LARGEST_TURN = 0.2; // rad: what is long grows by 2 %

static const double NEAR_ZERO = 1e-8; // of a speed of approach: the velocity after it is none
static const double QUIET = 1e-5;     // of the speed of rest, the same

// --- walls --------------------------------------------------------------------------------------

static double along(const pc_fe_motion *m, const pc_motion_spot *s, const double *vector)
{
  const double *d = m->wall[s->wall].direction, *x = vector + s->node * m->size;
  return d[0] * x[0] + (m->size == 2 ? d[1] * x[1] : 0);
}

static double gap_of(const pc_fe_motion *m, const pc_motion_spot *s, const double *displacement)
{
  const double *d = m->wall[s->wall].direction, *x = m->mesh->node[s->node];
  return d[0] * x[0] + d[1] * x[1] - m->wall[s->wall].offset + along(m, s, displacement);
}

double pc_fe_motion_gap(const pc_fe_motion *m, int wall, int node)
{
  return gap_of(m, &(pc_motion_spot){wall, node, false}, m->u);
}

// In a step velocities are linear in time, so a gap is a parabola: does it dip below the wall?
static bool dips(const pc_fe_motion *m, const pc_motion_spot *s, double h)
{
  double gap = gap_of(m, s, m->u), lowest = gap_of(m, s, m->u1), floor = fmin(gap, 0);
  double before = along(m, s, m->v), after = along(m, s, m->answer.velocity);
  if (before < 0 && after > 0)
    lowest = gap + h * before * before / (2 * (before - after));
  return lowest < floor - m->inside;
}

static double now(const pc_fe_motion *m)
{
  return m->step * ((double)m->now.steps + ldexp((double)m->now.part, -m->halvings));
}

// Percussions of a solve, by walls, and who is at rest after it: all that separate slower than
// `quiet`. A contact's N points into the wall. Events from `first` on are those of the solve.
static void read_touches(pc_fe_motion *m, double quiet, int first)
{
  for (int k = 0; k < m->answer.touches; k++) {
    const pc_fe_touch *t = &m->answer.touch[k];
    int w = t->contact % m->walls;
    pc_motion_spot s = {w, t->node, false};
    if (t->contact < m->walls ? !*pc_motion_closed(m, &s) || *pc_motion_struck(m, &s)
                              : !*pc_motion_struck(m, &s))
      continue;
    for (int c = 0; c < 2; c++)
      m->state[w].percussion[c] += t->percussion[c];
    for (int i = first; i < m->events; i++)
      for (int c = 0; m->event[i].wall == w && c < 2; c++)
        m->event[i].percussion[c] += t->percussion[c];
    bool stays = t->after[0] > -quiet;
    m->state[w].closed += (int)stays - (int)*pc_motion_closed(m, &s);
    *pc_motion_closed(m, &s) = stays;
    if (!stays && m->state[w].closed == 0)
      m->state[w].left = now(m);
  }
}

// An event for every wall that nodes approach.
static pc_status add_events(pc_fe_motion *m, bool collision, pc_error *error)
{
  for (int w = 0; w < m->walls; w++) {
    pc_fe_event event;
    memset(&event, 0, sizeof event); // padding too: the bytes are compared
    event.time = now(m);
    event.wall = w;
    event.collision = collision;
    for (int k = 0; k < m->spots; k++)
      if (m->spot[k].wall == w && *pc_motion_struck(m, &m->spot[k])) {
        event.nodes++;
        event.speed = fmax(event.speed, -along(m, &m->spot[k], m->v));
      }
    if (event.nodes == 0)
      continue;
    event.fresh = m->state[w].closed == 0;
    m->state[w].collisions += collision;
    m->state[w].fresh += collision && event.fresh;
    if (!pc_grow(&m->event, &m->event_room, m->events + 1, sizeof *m->event))
      return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions", m->events + 1);
    memcpy(&m->event[m->events++], &event, sizeof event);
  }
  return PC_OK;
}

static pc_status collide(pc_fe_motion *m, double speed, pc_error *error)
{
  int first = m->events;
  pc_status status = add_events(m, true, error);
  if (status == PC_OK)
    status = pc_fe_collision_solve(m->strike, m->v, NULL, &m->answer, error);
  if (status != PC_OK)
    return status;
  const pc_fe_account *a = &m->answer.account;
  m->now.account.volume += a->volume;
  m->now.account.surface += a->surface;
  m->now.account.reactions += a->reactions;
  m->now.account.unsolved += !m->answer.solved;
  for (int i = first; i < m->events; i++)
    m->event[i].lost = a->volume + a->surface + a->reactions;
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  read_touches(m, fmax(NEAR_ZERO * speed, QUIET * m->now.rest), first);
  return PC_OK;
}

// The last try went into a wall: nodes that did, and with them those within reach, collide; with
// `settle`, or when all are slow, they come to rest instead.
static pc_status meet(pc_fe_motion *m, bool settle, pc_error *error)
{
  double speed = 0;
  for (int k = 0; k < m->spots; k++) {
    pc_motion_spot *s = &m->spot[k];
    double approach = -along(m, s, m->v);
    bool near = s->hits || (!*pc_motion_closed(m, s) && gap_of(m, s, m->u) <= m->reach);
    *pc_motion_struck(m, s) = near && approach > 0;
    if (*pc_motion_struck(m, s))
      speed = fmax(speed, approach);
  }
  bool rests = settle || speed <= m->now.rest;
  for (int k = 0; rests && k < m->spots; k++)
    *pc_motion_struck(m, &m->spot[k]) = m->spot[k].hits;
  pc_status status = rests ? add_events(m, false, error) : collide(m, speed, error);
  for (int k = 0; k < m->spots; k++) {
    pc_motion_spot *s = &m->spot[k];
    if (rests && s->hits) {
      *pc_motion_closed(m, s) = 1;
      m->state[s->wall].closed++;
    }
    *pc_motion_struck(m, s) = 0;
  }
  return status;
}

// --- steps --------------------------------------------------------------------------------------

// The step from u, v by itself: `answer` has the velocities, u1 the displacements after it.
static pc_status try_step(pc_fe_motion *m, int level, bool *free_of_walls, pc_error *error)
{
  double h = ldexp(m->step, -level);
  pc_status status = m->length[level] == NULL ? pc_motion_make_length(m, level, error) : PC_OK;
  if (status != PC_OK)
    return status;
  pc_fe_elastic_force(&m->elastic, m->u, m->load);
  for (int i = 0; i < m->numbers; i++)
    m->load[i] *= h;
  status = pc_fe_collision_solve(m->length[level], m->v, NULL, &m->answer, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < m->numbers; i++)
    m->u1[i] = m->u[i] + h / 2 * (m->v[i] + m->answer.velocity[i]);
  *free_of_walls = true;
  for (int k = 0; k < m->spots; k++) {
    pc_motion_spot *s = &m->spot[k];
    s->hits = !*pc_motion_closed(m, s) && dips(m, s, h);
    *free_of_walls = *free_of_walls && !s->hits;
  }
  return PC_OK;
}

static void accept_step(pc_fe_motion *m, int level)
{
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  memcpy(m->u, m->u1, (size_t)m->numbers * sizeof *m->u);
  m->now.account.rest += m->answer.account.reactions;
  m->now.account.unsolved += !m->answer.solved;
  m->now.part += 1L << (m->halvings - level);
  read_touches(m, QUIET * m->now.rest, m->events);
}

static pc_status go(pc_fe_motion *m, int level, pc_error *error)
{
  for (int meetings = 0;; meetings++) {
    bool good;
    pc_status status = try_step(m, level, &good, error);
    if (status != PC_OK)
      return status;
    if (good) {
      accept_step(m, level);
      return PC_OK;
    }
    if (level < m->halvings) {
      status = go(m, level + 1, error);
      return status == PC_OK ? go(m, level + 1, error) : status;
    }
    status = meet(m, meetings >= MEETINGS, error);
    if (status == PC_OK && m->events - m->events_before > MOST_EVENTS)
      status = pc_fail(error, PC_ERROR_NUMERIC,
                       "more than %d collisions in a step: slower nodes may come to rest ('rest'), "
                       "or steps be shorter",
                       MOST_EVENTS);
    if (status != PC_OK)
      return status;
  }
}

pc_status pc_fe_motion_advance(pc_fe_motion *m, pc_error *error)
{
  m->events_before = m->events;
  pc_status status = go(m, 0, error);
  if (status != PC_OK)
    return status;
  m->now.steps++;
  m->now.part = 0;
  double turn = pc_fe_drop_rigid(&m->elastic.space, m->u, m->load);
  if (turn > LARGEST_TURN)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "a solid has turned by %.2g rad: strains and rotations are small here, up to %g "
                   "rad",
                   turn, LARGEST_TURN);
  return PC_OK;
}

pc_status pc_fe_motion_set(pc_fe_motion *m, const double *displacement, const double *velocity,
                           pc_error *error)
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
  m->events = 0;
  memset(m->closed, 0, (size_t)m->walls * (size_t)m->mesh->nodes);
  memset(m->state, 0, (size_t)m->walls * sizeof *m->state);
  for (int w = 0; w < m->walls; w++)
    m->state[w].left = -1;
  double fastest = 0;
  for (int i = 0; i < m->numbers; i++) {
    if (!isfinite(m->u[i]) || !isfinite(m->v[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "node %d starts nowhere", i / m->size);
    fastest = fmax(fastest, fabs(m->v[i]));
  }
  for (int k = 0; k < m->spots; k++)
    if (gap_of(m, &m->spot[k], m->u) < -m->inside)
      return pc_fail(error, PC_ERROR_ARGUMENT, "node %d starts %g m inside wall %d",
                     m->spot[k].node, -gap_of(m, &m->spot[k], m->u), m->spot[k].wall);
  if (m->now.rest <= 0)
    m->now.rest = fmax(1e-3 * fastest, m->gravity * m->step);
  m->now.account.start = pc_fe_elastic_energy(&m->elastic, m->u, m->v);
  return PC_OK;
}

// --- looking ------------------------------------------------------------------------------------

pc_fe_motion_state pc_fe_motion_look(const pc_fe_motion *m)
{
  return (pc_fe_motion_state){now(m), m->now.steps, m->u, m->v, m->state, m->events, m->event};
}

const pc_fe_elastic *pc_fe_motion_elastic(const pc_fe_motion *m)
{
  return &m->elastic;
}

pc_fe_motion_account pc_fe_motion_balance(const pc_fe_motion *m)
{
  pc_fe_motion_account a = m->now.account;
  a.now = pc_fe_elastic_energy(&m->elastic, m->u, m->v);
  double lost = a.volume + a.surface + a.reactions + a.rest, fall = a.now.gravity - a.start.gravity;
  double rest = a.now.kinetic + a.now.elastic + fall + lost - a.start.kinetic - a.start.elastic;
  double size =
      a.now.kinetic + a.now.elastic + fabs(fall) + fabs(lost) + a.start.kinetic + a.start.elastic;
  a.identity = size > 0 ? fabs(rest) / size : 0;
  a.closed = a.identity <= 1e-9 && a.unsolved == 0;
  return a;
}
