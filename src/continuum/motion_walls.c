// What happens at the walls of a motion.
#include "continuum/motion_state.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"

static const double NEAR_ZERO = 1e-8; // of a speed of approach: the velocity after it is none
static const double QUIET = 1e-5;     // of the speed of rest, the same

static double along(const pc_fe_motion *m, const pc_motion_spot *s, const double *vector)
{
  const double *d = m->wall[s->wall].direction, *x = vector + s->node * m->size;
  double sum = d[0] * x[0];
  for (int k = 1; k < m->size; k++)
    sum += d[k] * x[k];
  return sum;
}

double pc_motion_gap(const pc_fe_motion *m, const pc_motion_spot *s, const double *displacement)
{
  const double *d = m->wall[s->wall].direction, *x = m->mesh->node[s->node];
  return pc_dot3(d, x) - m->wall[s->wall].offset + along(m, s, displacement);
}

// In a step velocities are linear in time, so a gap is a parabola: does it dip below the wall?
static bool dips(const pc_fe_motion *m, const pc_motion_spot *s, double h)
{
  double gap = pc_motion_gap(m, s, m->u), lowest = pc_motion_gap(m, s, m->u1), floor = fmin(gap, 0);
  double before = along(m, s, m->v), after = along(m, s, m->answer.velocity);
  if (before < 0 && after > 0)
    lowest = gap + h * before * before / (2 * (before - after));
  return lowest < floor - m->inside;
}

// Sums the percussions of a solve by walls, and finds the nodes at rest after it: those that
// separate more slowly than `quiet`. A contact's N points into the wall. Events from `first` on are
// those of the solve.
static void read_touches(pc_fe_motion *m, double quiet, int first)
{
  for (int k = 0; k < m->answer.touches; k++) {
    const pc_fe_touch *t = &m->answer.touch[k];
    int contact = t->contact - m->meets, w = contact >= 0 ? contact % m->walls : 0;
    if (contact < 0)
      continue;
    pc_motion_spot s = {w, t->node, false};
    if (contact < m->walls ? !*pc_motion_closed(m, &s) || *pc_motion_struck(m, &s)
                           : !*pc_motion_struck(m, &s))
      continue;
    const double along = t->percussion[1], across = t->percussion[2];
    const double percussion[2] = {t->percussion[0], m->size == 3 ? pc_hypot(along, across) : along};
    for (int c = 0; c < 2; c++)
      m->state[w].percussion[c] += percussion[c];
    for (int i = first; i < m->events.count; i++)
      for (int c = 0; m->events.at[i].contact == w && c < 2; c++)
        m->events.at[i].percussion[c] += percussion[c];
    bool stays = t->after[0] > -quiet;
    m->state[w].closed += (int)stays - (int)*pc_motion_closed(m, &s);
    *pc_motion_closed(m, &s) = stays;
    if (!stays && m->state[w].closed == 0)
      m->state[w].left = pc_motion_time(m);
  }
}

// An event for every wall that nodes approach.
static pc_status add_events(pc_fe_motion *m, bool collision, pc_error *error)
{
  for (int w = 0; w < m->walls; w++) {
    pc_fe_event event;
    memset(&event, 0, sizeof event); // padding too: the bytes are compared
    event.time = pc_motion_time(m);
    event.contact = w;
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
    pc_fe_event *to = pc_array_add(&m->events);
    if (to == NULL)
      return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions",
                     m->events.count + 1);
    memcpy(to, &event, sizeof event);
  }
  return PC_OK;
}

static pc_status collide(pc_fe_motion *m, double speed, pc_error *error)
{
  int first = m->events.count;
  pc_status status = add_events(m, true, error);
  pc_motion_turn_viscosities(m, m->strike);
  if (status == PC_OK)
    status = pc_motion_solve(m, PC_MOTION_STRIKE, error);
  if (status != PC_OK)
    return status;
  const pc_fe_account *a = &m->answer.account;
  m->now.account.volume += a->volume;
  m->now.account.surface += a->surface;
  m->now.account.reactions += a->reactions;
  m->now.account.unsolved += !m->answer.solved;
  for (int i = first; i < m->events.count; i++)
    m->events.at[i].lost = a->volume + a->surface + a->reactions;
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  pc_motion_take_bodies(m);
  pc_motion_add_meeting_percussions(m);
  read_touches(m, fmax(NEAR_ZERO * speed, QUIET * m->now.rest), first);
  return PC_OK;
}

pc_status pc_motion_meet(pc_fe_motion *m, bool settle, pc_error *error)
{
  double speed = 0;
  for (int k = 0; k < m->spots; k++) {
    pc_motion_spot *s = &m->spot[k];
    double approach = -along(m, s, m->v);
    bool near = s->hits || (!*pc_motion_closed(m, s) && pc_motion_gap(m, s, m->u) <= m->reach);
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

// A node that leaves a wall, and that stresses throw back on it within the shortest step, is at
// rest on it from then on. In that step it may come back as fast as it left. Held at once, it would
// be pushed while it moves away: the wall would give energy.
void pc_motion_bound(pc_fe_motion *m)
{
  for (int k = 0; k < m->spots; k++) {
    const pc_motion_spot *s = &m->spot[k];
    double leaves = along(m, s, m->v);
    if (*pc_motion_closed(m, s) && leaves > QUIET * m->now.rest)
      *pc_motion_least(m, s) = -leaves;
  }
}

void pc_motion_unbound(pc_fe_motion *m)
{
  for (int k = 0; k < m->spots; k++)
    *pc_motion_least(m, &m->spot[k]) = 0;
}

bool pc_motion_is_clear(pc_fe_motion *m, double h)
{
  bool clear = true;
  for (int k = 0; k < m->spots; k++) {
    pc_motion_spot *s = &m->spot[k];
    s->hits = !*pc_motion_closed(m, s) && dips(m, s, h);
    clear = clear && !s->hits;
  }
  return clear;
}

void pc_motion_read_contacts(pc_fe_motion *m)
{
  read_touches(m, QUIET * m->now.rest, m->events.count);
}
