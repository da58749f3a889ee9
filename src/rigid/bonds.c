// Bonds: two bodies that hold on to each other at a distance. Fremond's interaction at a distance,
// Collisions Engineering (2017), (6.42) and (6.43): the velocity of deformation of points A and B
// is that of the square of their distance, D = 2 (V(A) - V(B)) . BA, and the percussion on it is K
// D((U+ + U-) / 2). It opposes both coming nearer and going apart, and only dissipates.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/world.h"

int pc_world_add_bond(pc_world *world, const pc_body bodies[2], const double points[2][3],
                      double stiffness)
{
  bool sound = stiffness >= 0 && isfinite(stiffness) && bodies[0].id != bodies[1].id;
  for (int b = 0; b < 2; b++) {
    sound = sound && bodies[b].id >= 1 && bodies[b].id <= world->bodies.count;
    for (int k = 0; k < 3; k++)
      sound = sound && isfinite(points[b][k]);
  }
  if (!sound) {
    pc_fail(&world->error, PC_ERROR_ARGUMENT,
            "a bond has two different bodies, finite points and a stiffness that is not negative");
    return -1;
  }
  if (!pc_array_reserve(&world->elements.bond, world->elements.bond.count + 1)) {
    pc_fail(&world->error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  pc_bond bond = {.body = {bodies[0], bodies[1]}, .stiffness = stiffness, .interaction = -1};
  for (int b = 0; b < 2; b++) {
    int i = pc_body_slot(world, bodies[b]);
    double m[9], arm[3];
    pc_quaternion_matrix(world->bodies.state.at[i].orientation, m);
    for (int k = 0; k < 3; k++)
      arm[k] = points[b][k] - world->bodies.state.at[i].position[k];
    pc_rotate_back(m, arm, bond.point[b]);
    pc_sleep_rouse(world, i);
  }
  world->elements.bond.at[world->elements.bond.count] = bond;
  return world->elements.bond.count++;
}

static void point_of(const pc_world *world, const pc_bond *bond, int b, double point[3])
{
  const pc_body_state *state = &world->bodies.state.at[pc_body_slot(world, bond->body[b])];
  double m[9];
  pc_quaternion_matrix(state->orientation, m);
  for (int k = 0; k < 3; k++)
    point[k] = state->position[k] + m[3 * k] * bond->point[b][0] +
               m[3 * k + 1] * bond->point[b][1] + m[3 * k + 2] * bond->point[b][2];
}

void pc_world_bond(const pc_world *world, int number, double points[2][3])
{
  for (int b = 0; b < 2; b++)
    point_of(world, &world->elements.bond.at[number], b, points[b]);
}

pc_status pc_world_set_bond(pc_world *world, int number, double stiffness)
{
  if (number < 0 || number >= world->elements.bond.count || !(stiffness >= 0) ||
      !isfinite(stiffness))
    return pc_fail(&world->error, PC_ERROR_ARGUMENT, "no such bond, or no stiffness for it");
  world->elements.bond.at[number].stiffness = stiffness;
  return PC_OK;
}

bool pc_bond_holds(const pc_world *world, const pc_bond *bond)
{
  return bond->stiffness > 0 && !world->looking &&
         !world->bodies.solid.at[pc_body_slot(world, bond->body[0])].absent &&
         !world->bodies.solid.at[pc_body_slot(world, bond->body[1])].absent;
}

// The bond as an interaction of the step's problem.
pc_status pc_bond_state(pc_world *world, pc_bond *bond)
{
  pc_interaction entry = pc_interaction_default(PC_ROWS);
  pc_row_term term[2];
  double point[2][3], apart[3], row[2][6];
  bond->interaction = -1;
  if (!pc_bond_holds(world, bond))
    return PC_OK;
  for (int b = 0; b < 2; b++)
    point_of(world, bond, b, point[b]);
  for (int k = 0; k < 3; k++)
    apart[k] = 2 * (point[0][k] - point[1][k]);
  entry.rows = 1;
  entry.term = term;
  for (int b = 0; b < 2; b++) {
    int i = pc_body_slot(world, bond->body[b]);
    if (world->problem.index.at[i] < 0)
      continue;
    pc_body_row(&world->bodies.solid.at[i], &world->bodies.state.at[i], point[b], apart, row[b]);
    term[entry.terms++] = (pc_row_term){world->problem.index.at[i], row[b]};
    for (int k = 0; k < 3; k++) // the other counts against it
      apart[k] = -apart[k];
  }
  if (entry.terms < 2)
    return PC_OK; // an obstacle cannot be held on to
  entry.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = bond->stiffness, .p = 2};
  bond->interaction = pc_impact_add_interaction(world->problem.impact, &entry);
  return bond->interaction >= 0 ? PC_OK
                                : pc_fail(&world->error, PC_ERROR_NUMERIC, "bond: %s",
                                          pc_impact_error(world->problem.impact));
}
