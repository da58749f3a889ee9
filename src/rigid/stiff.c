// Stiff elements and overlap springs as rows of the impact problem, and the work they do.
#include <math.h>

#include "core/error.h"
#include "rigid/elements.h"

const char pc_out_of_memory[] = "out of memory";

pc_stiff *pc_stiff_list_add(pc_stiff_list *list)
{
  pc_stiff *stiff = pc_array_add(list);
  if (stiff != NULL)
    *stiff = (pc_stiff){.body = {-1, -1}, .element = -1, .rows = 1, .interaction = -1};
  return stiff;
}

bool pc_stiff_add_overlap(pc_stiff_list *list, const pc_body_store *bodies,
                          const pc_contact_data *contact, double penalty)
{
  if (contact->gap >= 0)
    return true;
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  stiff->depth = -contact->gap;
  stiff->force[0] = penalty * stiff->depth;
  stiff->stiffness = penalty;
  int n = 0;
  for (int b = 0; b < 2; b++) {
    int i = contact->body[b];
    const pc_solid *body = &bodies->solid.at[i];
    double in[3], sign = b == 0 ? -1 : 1;
    if (body->mass == 0)
      continue;
    for (int k = 0; k < 3; k++)
      in[k] = sign * contact->normal[k];
    stiff->body[n] = i;
    pc_body_row(body, &bodies->state.at[i], contact->point, in, stiff->row[n++]);
  }
  return true;
}

double pc_stiff_rate(const pc_stiff *stiff, const pc_body_store *bodies, int row,
                     double (*velocity)[6])
{
  double sum = 0;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &bodies->solid.at[stiff->body[b]];
    double u[6];
    pc_body_to_dof(body, velocity[b], u);
    for (int k = 0; k < body->dof; k++)
      sum += stiff->row[b][row * body->dof + k] * u[k];
  }
  return sum;
}

// The part of a stiff element that is known before the solve goes to P_ext.
void pc_stiff_add_external(pc_stiff *stiff, const pc_body_store *bodies, double h, pc_six *external)
{
  double velocity[2][6], weight = 0.5 * h * h * stiff->stiffness;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    pc_state_velocity(&bodies->state.at[stiff->body[b]], velocity[b]);
  for (int r = 0; r < stiff->rows; r++)
    stiff->before[r] = pc_stiff_rate(stiff, bodies, r, velocity);
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &bodies->solid.at[stiff->body[b]];
    double numbers[6] = {0}, six[6];
    for (int k = 0; k < body->dof; k++) {
      for (int r = 0; r < stiff->rows; r++)
        numbers[k] -= h * stiff->force[r] * stiff->row[b][r * body->dof + k];
      for (int r = 0; r < stiff->rows; r++)
        numbers[k] += weight * stiff->before[r] * stiff->row[b][r * body->dof + k];
    }
    pc_body_from_dof(body, numbers, six);
    for (int k = 0; k < 6; k++)
      external[stiff->body[b]][k] += six[k];
  }
}

pc_status pc_stiff_state(pc_stiff *stiff, const pc_problem *problem, double h, pc_error *error)
{
  pc_interaction entry = pc_interaction_default(PC_ROWS);
  pc_row_term term[2];
  if (!(stiff->stiffness > 0) && !(stiff->damping > 0))
    return PC_OK;
  entry.rows = stiff->rows;
  entry.term = term;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    term[entry.terms++] = (pc_row_term){problem->index.at[stiff->body[b]], stiff->row[b]};
  entry.law.normal.kind = PC_NORMAL_QUADRATIC;
  entry.law.normal.k = 0.5 * h * h * stiff->stiffness;
  entry.law.normal.p = 2;
  if (stiff->rows > 1) {
    entry.law.tangential.kind = PC_TANGENTIAL_VISCOUS;
    entry.law.tangential.k = entry.law.normal.k;
  }
  entry.law.normal.k += h * stiff->damping;
  stiff->interaction = pc_impact_add_interaction(problem->impact, &entry);
  return stiff->interaction >= 0 ? PC_OK
                                 : pc_fail(error, pc_problem_refusal(problem), "element %d: %s",
                                           stiff->element, pc_impact_error(problem->impact));
}

double pc_stiff_overlap_energy(const pc_stiff_list *rows, const pc_body_store *bodies,
                               const pc_problem *problem, double h)
{
  double sum = 0;
  for (int s = 0; s < rows->count; s++) {
    const pc_stiff *stiff = &rows->at[s];
    if (stiff->element >= 0)
      continue;
    double velocity[2][6];
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
      pc_problem_velocity(problem, bodies, stiff->body[b], velocity[b]);
    double depth = fmax(0, stiff->depth + 0.5 * h * pc_stiff_rate(stiff, bodies, 0, velocity));
    sum += 0.5 * stiff->stiffness * depth * depth;
  }
  return sum;
}
