// Pushes of a motion: percussions from outside at given times.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/motion_state.h"
#include "core/error.h"

// A stable order by time.
static void sort_by_time(pc_fe_motion *m)
{
  for (int i = 1; i < m->pushes; i++)
    for (int k = i; k > 0 && m->due[k] < m->due[k - 1]; k--) {
      pc_fe_push push = m->push[k];
      long due = m->due[k];
      m->push[k] = m->push[k - 1], m->due[k] = m->due[k - 1];
      m->push[k - 1] = push, m->due[k - 1] = due;
    }
}

pc_status pc_motion_make_pushes(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  if (def->pushes == 0)
    return PC_OK;
  m->push = pc_arena_copy(&m->arena, def->push, def->pushes, sizeof *def->push);
  m->due = pc_arena_take(&m->arena, (size_t)def->pushes, sizeof *m->due);
  if (m->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the pushes of a motion");
  m->pushes = def->pushes;
  for (int i = 0; i < m->pushes; i++) {
    double steps = m->push[i].at / m->step;
    // Phases have whole steps.
    m->due[i] = m->has_alloy ? lround(steps) << m->halvings : lround(ldexp(steps, m->halvings));
  }
  sort_by_time(m);
  return PC_OK;
}

bool pc_motion_is_pushed_within(const pc_fe_motion *m, int level)
{
  long next = m->now.pushed, end = pc_motion_parts(m) + (1L << (m->halvings - level));
  return next < m->pushes && m->due[next] < end;
}

// The heat of pushes from `first` on, and what their collision dissipated.
static pc_status warm_alloy(pc_fe_motion *m, long first, pc_error *error)
{
  double *dissipated = m->u1; // scratch between steps
  pc_status status = pc_fe_collision_heat(m->blow, dissipated, NULL, error);
  if (status == PC_OK)
    status = pc_fe_alloy_push(&m->alloy, (int)(m->now.pushed - first), m->push + first, dissipated,
                              error);
  return status;
}

pc_status pc_motion_push(pc_fe_motion *m, pc_error *error)
{
  long first = m->now.pushed;
  while (m->now.pushed < m->pushes && m->due[m->now.pushed] <= pc_motion_parts(m))
    m->now.pushed++;
  if (m->now.pushed == first)
    return PC_OK;
  memset(m->load, 0, (size_t)m->numbers * sizeof *m->load);
  for (long i = first; i < m->now.pushed; i++)
    pc_fe_push_add(&m->elastic.space, &m->push[i], m->load);
  pc_motion_turn_viscosities(m, m->blow);
  pc_status status = pc_motion_solve(m, PC_MOTION_BLOW, error);
  if (status != PC_OK)
    return status;
  const pc_fe_account *a = &m->answer.account;
  m->now.account.pushes += a->work_pushes;
  if (m->has_alloy)
    status = warm_alloy(m, first, error);
  else
    m->now.account.volume += a->volume;
  m->now.account.surface += a->surface;
  m->now.account.reactions += a->reactions;
  m->now.account.rest -= a->work_holds;
  m->now.account.unsolved += !m->answer.solved;
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  pc_motion_take_bodies(m);
  pc_motion_read_contacts(m);
  pc_motion_add_meeting_percussions(m);
  return status;
}
