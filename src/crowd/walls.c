// Walls and pillars as bodies of the world.
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"
#include "geometry/shape.h"

static pc_status add_obstacle(pc_crowd *crowd, pc_shape *shape, double x, double y)
{
  pc_body_def def = pc_body_def_default();
  if (shape == NULL)
    return crowd->error.status; // set by the constructor
  def.shape = shape;
  def.kind = PC_FIXED;
  def.material = 1;
  def.position[0] = x;
  def.position[1] = y;
  pc_body body = pc_body_create(crowd->world, &def);
  pc_shape_release(shape);
  if (body.id == 0)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "%s", pc_world_error(crowd->world));
  crowd->walls++;
  return PC_OK;
}

// A piece of a wall from a part to another of the segment a b, a body of its own.
static pc_status add_piece(pc_crowd *crowd, double offset, const double *before, const double *a,
                           const double *b, const double *after)
{
  double middle[2], piece[2][2], beyond[2][2];
  for (int k = 0; k < 2; k++) {
    middle[k] = 0.5 * (a[k] + b[k]);
    piece[0][k] = a[k] - middle[k];
    piece[1][k] = b[k] - middle[k];
    beyond[0][k] = before != NULL ? before[k] - middle[k] : 0;
    beyond[1][k] = after != NULL ? after[k] - middle[k] : 0;
  }
  pc_shape *shape =
      pc_shape_wall_piece(before != NULL ? beyond[0] : NULL, (const double(*)[2])piece,
                          after != NULL ? beyond[1] : NULL, &crowd->error);
  return add_obstacle(crowd, shape, offset + middle[0], middle[1]);
}

// A wall as short bodies: the box of a long one would overlap those of most people.
pc_status pc_build_wall(pc_crowd *crowd, double offset, int count, const double (*point)[2],
                        bool closed)
{
  const double longest = 2; // m
  int edges = closed ? count : count - 1;
  pc_status status = PC_OK;
  for (int e = 0; e < edges; e++) {
    const double *a = point[e], *b = point[(e + 1) % count];
    int parts = (int)ceil(pc_hypot(b[0] - a[0], b[1] - a[1]) / longest);
    for (int i = 0; i < parts && status == PC_OK; i++) {
      double at[4][2]; // before the piece, its ends, after it
      for (int j = 0; j < 4; j++)
        for (int k = 0; k < 2; k++)
          at[j][k] = i + j - 1 == parts ? b[k] : a[k] + (b[k] - a[k]) / parts * (i + j - 1);
      const double *before = closed || e > 0 ? point[(e + count - 1) % count] : NULL;
      const double *after = closed || e + 1 < edges ? point[(e + 2) % count] : NULL;
      status = add_piece(crowd, offset, i > 0 ? at[0] : before, at[1], at[2],
                         i + 1 < parts ? at[3] : after);
    }
  }
  return status;
}

pc_status pc_build_pillar(pc_crowd *crowd, double offset, const double disc[3])
{
  return add_obstacle(crowd, pc_shape_disc(disc[2], &crowd->error), offset + disc[0], disc[1]);
}
