// Bonds: two bodies that hold on to each other at a distance. Fremond's interaction at a distance,
// Collisions Engineering (2017), (6.42) and (6.43): the velocity of deformation of points A and B
// is that of the square of their distance, D = 2 (V(A) - V(B)) . BA, and the percussion on it is K
// D((U+ + U-) / 2). It opposes both coming nearer and going apart, and only dissipates.
#include <math.h>

#include "core/error.h"
#include "rigid/elements.h"

const char *pc_bond_make(const pc_body_store *bodies, const pc_body held[2],
                         const double points[2][3], double stiffness, pc_bond *bond)
{
  bool sound = stiffness >= 0 && isfinite(stiffness) && held[0].id != held[1].id;
  for (int b = 0; b < 2; b++) {
    sound = sound && pc_bodies_exist(bodies, held[b], 1);
    for (int k = 0; k < 3; k++)
      sound = sound && isfinite(points[b][k]);
  }
  if (!sound)
    return "a bond needs two different bodies, finite points and a stiffness of 0 or more";
  *bond = (pc_bond){.body = {held[0], held[1]}, .stiffness = stiffness, .interaction = -1};
  for (int b = 0; b < 2; b++) {
    const pc_pose pose = pc_bodies_axes(bodies, pc_bodies_slot(bodies, held[b]));
    pc_to_local(&pose, points[b], bond->point[b]);
  }
  return NULL;
}

void pc_bond_points(const pc_body_store *bodies, const pc_bond *bond, double points[2][3])
{
  for (int b = 0; b < 2; b++) {
    const pc_pose pose = pc_bodies_axes(bodies, pc_bodies_slot(bodies, bond->body[b]));
    pc_to_world(&pose, bond->point[b], points[b]);
  }
}

bool pc_bond_acts(const pc_bond *bond, const pc_body_store *bodies)
{
  return bond->stiffness > 0 && !bodies->solid.at[pc_bodies_slot(bodies, bond->body[0])].absent &&
         !bodies->solid.at[pc_bodies_slot(bodies, bond->body[1])].absent;
}

double pc_bond_dissipated(const pc_bond *bond, const pc_impact *impact)
{
  return bond->interaction >= 0 ? pc_impact_dissipated(impact, bond->interaction) : 0;
}

pc_status pc_bond_state(pc_bond *bond, const pc_body_store *bodies, const pc_problem *problem,
                        pc_error *error)
{
  pc_interaction entry = pc_interaction_default(PC_ROWS);
  pc_row_term term[2];
  double point[2][3], apart[3], row[2][6];
  bond->interaction = -1;
  if (!pc_bond_acts(bond, bodies))
    return PC_OK;
  pc_bond_points(bodies, bond, point);
  for (int k = 0; k < 3; k++)
    apart[k] = 2 * (point[0][k] - point[1][k]);
  entry.rows = 1;
  entry.term = term;
  for (int b = 0; b < 2; b++) {
    int i = pc_bodies_slot(bodies, bond->body[b]);
    if (problem->index.at[i] < 0)
      continue;
    pc_body_row(&bodies->solid.at[i], &bodies->state.at[i], point[b], apart, row[b]);
    term[entry.terms++] = (pc_row_term){problem->index.at[i], row[b]};
    for (int k = 0; k < 3; k++) // the other body counts against it
      apart[k] = -apart[k];
  }
  if (entry.terms < 2)
    return PC_OK; // an obstacle cannot be held on to
  entry.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = bond->stiffness, .p = 2};
  bond->interaction = pc_impact_add_interaction(problem->impact, &entry);
  return bond->interaction >= 0 ? PC_OK
                                : pc_fail(error, pc_problem_refusal(problem), "bond: %s",
                                          pc_impact_error(problem->impact));
}
