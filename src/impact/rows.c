// Rows of interactions: the frame of a contact, coefficients, velocities of deformation.
#include <string.h>

#include "core/small.h"
#include "impact/laws/law.h"
#include "impact/stating.h"

int pc_interaction_active(const pc_law *law, const pc_interaction_data *interaction)
{
  bool normal = law->normal.kind != PC_NORMAL_NONE;
  bool only_normal = normal && law->tangential.kind == PC_TANGENTIAL_NONE;
  return only_normal && interaction->type != PC_SPIN ? 1 : pc_interaction_rows(interaction);
}

bool pc_contact_frame(const pc_law *law, const pc_interaction_data *data, double *frame)
{
  double *n = frame, *t1 = n + 3, *t2 = n + 6;
  bool elliptic = law->tangential.kind == PC_TANGENTIAL_COULOMB && law->tangential.anisotropic;
  pc_contact_axes(data->normal, data->rows < 3, frame);
  if (!elliptic || data->rows < 3)
    return true;
  const double *along = law->tangential.axis;
  double into = pc_dot3(along, n);
  for (int i = 0; i < 3; i++)
    t1[i] = along[i] - into * n[i];
  double rest = pc_norm(3, t1);
  if (!(rest > 1e-9 * pc_norm(3, along)))
    return false;
  for (int i = 0; i < 3; i++)
    t1[i] /= rest;
  pc_cross(n, t1, t2);
  return true;
}

void pc_point_row(const pc_body_data *body, const double *point, const double *direction,
                  double sign, double *row)
{
  int space = pc_body_space(body);
  double arm[3] = {0}, turn[3];
  for (int i = 0; i < space; i++) {
    arm[i] = point[i] - body->position[i];
    row[i] = sign * direction[i];
  }
  pc_cross(arm, direction, turn);
  if (body->dof == 3)
    row[2] = sign * turn[2];
  else if (body->dof == 6)
    for (int i = 0; i < 3; i++)
      row[3 + i] = sign * turn[i];
}

// Coefficients of spin . axis, in the plane of the spin. A body that does not turn has none.
static void spin_row(const pc_body_data *body, const double *axis, double sign, double *row)
{
  memset(row, 0, sizeof(double) * (size_t)body->dof);
  if (body->dof == 3)
    row[2] = sign;
  for (int i = 0; i < 3 && body->dof == 6; i++)
    row[3 + i] = sign * axis[i];
}

void pc_impact_rows(const pc_impact *problem, const pc_interaction_data *data, pc_rows *rows)
{
  if (data->type != PC_CONTACT)
    return;
  pc_contact_frame(pc_law_of(problem, data), data, rows->frame);
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[data->body[t]];
    for (int r = 0; r < data->rows; r++)
      pc_point_row(body, data->point, rows->frame + 3 * r, t == 0 ? 1 : -1,
                   rows->contact[t] + r * body->dof);
    for (int r = data->rows; r < pc_interaction_rows(data); r++)
      spin_row(body, rows->frame + 3 * (r - data->rows + 1), t == 0 ? 1 : -1,
               rows->contact[t] + r * body->dof);
  }
}

void pc_impact_deformation(const pc_impact *problem, const pc_interaction_data *data,
                           const pc_rows *rows, const double *velocity, double *d)
{
  int count = pc_interaction_rows(data);
  const double *given = pc_interaction_given(problem, data);
  for (int r = 0; r < count; r++)
    if (data->type == PC_CONTACT && r < data->rows)
      d[r] = pc_dot3(rows->frame + 3 * r, given);
    else if (data->spins == 3)
      d[r] = pc_dot3(rows->frame + 3 * (r - 2), given + 3);
    else
      d[r] = given[r];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
    const double *row = pc_term_rows(problem, data, rows, t), *u = velocity + body->start;
    for (int r = 0; r < count; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        d[r] += row[i] * u[i];
  }
}
