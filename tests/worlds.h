// Worlds for tests.
#ifndef PERCUSS_TESTS_WORLDS_H
#define PERCUSS_TESTS_WORLDS_H

#include "percuss/world.h"
#include "support.h"

// A body with this shape, which the world then keeps.
static inline pc_body add(pc_world *world, pc_body_def *def, pc_shape *shape)
{
  assert_non_null(shape);
  def->shape = shape;
  pc_body body = pc_body_create(world, def);
  if (body.id == 0)
    fail_msg("%s", pc_world_error(world));
  pc_shape_release(shape);
  return body;
}

static inline pc_body add_floor(pc_world *world)
{
  pc_body_def def = pc_body_def_default();
  int dimension = pc_world_definition(world)->dimension;
  double normal[3] = {0};
  normal[dimension - 1] = 1;
  def.kind = PC_FIXED;
  return add(world, &def, pc_shape_plane(dimension, normal, NULL));
}

#endif
