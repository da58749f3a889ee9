// Worlds for tests.
#ifndef PERCUSS_TESTS_WORLDS_H
#define PERCUSS_TESTS_WORLDS_H

#include <string.h>

#include "percuss/world.h"
#include "support.h"

static inline const pc_step_info *step(pc_world *world, double h)
{
  if (pc_world_step(world, h) != PC_OK)
    fail_msg("%s", pc_world_error(world));
  return pc_world_info(world);
}

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

// A string between the places of two bodies; its number.
static inline int tie(pc_world *world, pc_body a, pc_body b, double length, double stiffness,
                      double damping)
{
  const pc_body bodies[2] = {a, b};
  double points[2][3];
  pc_body_state at;
  for (int k = 0; k < 2; k++) {
    pc_body_get(world, bodies[k], &at);
    memcpy(points[k], at.position, sizeof points[k]);
  }
  int string =
      pc_world_add_string(world, bodies, (const double(*)[3])points, length, stiffness, damping);
  if (string < 0)
    fail_msg("%s", pc_world_error(world));
  return string;
}

#endif
