// The beginning of a motion.
#include "continuum/motion_state.h"

#include <string.h>

static bool moves(const pc_fe_motion *m, const pc_fe_hold *hold, int node)
{
  const bool held[3] = {hold->x, hold->y, hold->z};
  for (int k = 0; k < m->size; k++)
    if (held[k] && m->v[node * m->size + k] != 0)
      return true;
  return false;
}

static bool is_contradicted(const pc_fe_motion *m, const pc_fe_hold *hold)
{
  if (hold->sides < 0)
    return moves(m, hold, hold->node);
  const pc_fe_cells *side = &m->mesh->side;
  for (int s = 0; s < side->count; s++)
    for (int k = 0;
         side->cell[s].group == hold->sides && k < pc_element_of(side->cell[s].type)->nodes; k++)
      if (moves(m, hold, side->node[side->cell[s].first + k]))
        return true;
  return false;
}

// The percussions of holds stop their nodes at once, with the viscosities of any collision. Within
// the first step instead, they would act through elastic waves that it does not resolve. Alloys
// have no such collisions: their nodes come to rest in the first step.
pc_status pc_motion_start(pc_fe_motion *m, pc_error *error)
{
  bool contradicted = false;
  for (int i = 0; i < m->holds && !m->has_alloy; i++)
    contradicted = contradicted || is_contradicted(m, &m->hold[i]);
  if (!contradicted)
    return PC_OK;
  pc_status status = m->strike == NULL ? pc_motion_make_strike(m, error) : PC_OK;
  if (status != PC_OK)
    return status;
  pc_motion_turn_viscosities(m, m->strike);
  status = pc_motion_solve(m, PC_MOTION_STRIKE, error);
  if (status != PC_OK)
    return status;
  const pc_fe_account *a = &m->answer.account;
  m->now.account.volume += a->volume;
  m->now.account.surface += a->surface;
  m->now.account.reactions += a->reactions - a->work_holds;
  m->now.account.unsolved += !m->answer.solved;
  memcpy(m->v, m->answer.velocity, (size_t)m->numbers * sizeof *m->v);
  pc_motion_take_bodies(m);
  return PC_OK;
}
