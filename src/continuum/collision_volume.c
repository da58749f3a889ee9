// The viscosities of the volumes of a collision: what they act on, and those of solids that have
// turned.
#include <string.h>

#include "continuum/collision_state.h"

void pc_fe_volume_bend(const pc_fe_collision *c, const double *u, double *to)
{
  if (c->replaced)
    memcpy(to, u, (size_t)c->numbers * sizeof *to);
  else
    pc_fe_drop_rigid(&c->space, u, to);
}

void pc_fe_volume_bend_sum(const pc_fe_collision *c, const double *sum, double *to)
{
  pc_fe_volume_bend(c, sum, to);
  for (int i = 0; c->about != NULL && i < c->numbers; i++)
    to[i] -= c->about[i];
}

pc_block_matrix *pc_fe_collision_replace_volumes(pc_fe_collision *c, const pc_fe_space **space)
{
  pc_block_matrix_clear(&c->volume);
  c->replaced = true;
  c->factored = false;
  *space = &c->space;
  return &c->volume;
}
