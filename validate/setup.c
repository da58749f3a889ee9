// Shared by the cases: bodies and contacts in one line each, and bisection.
#include "setup.h"

#include <math.h>
#include <string.h>

int pc_setup_body(pc_impact *problem, int dof, double mass, double inertia, const double *position,
                  const double *velocity)
{
  if (problem == NULL)
    return -1;
  int space = dof == 6 ? 3 : dof == 3 ? 2 : dof;
  pc_impact_body body = pc_impact_body_default();
  body.dof = dof;
  body.mass = mass;
  for (int i = 0; i < 9; i += 4)
    body.inertia[i] = inertia;
  memcpy(body.position, position, sizeof(double) * (size_t)space);
  memcpy(body.velocity, velocity, sizeof(double) * (size_t)dof);
  return pc_impact_add_body(problem, &body);
}

int pc_setup_contact(pc_impact *problem, int first, int second, const double *point,
                     const double *normal, const pc_law *law)
{
  if (problem == NULL)
    return -1;
  int dof = pc_impact_dof(problem, first), space = dof == 6 ? 3 : dof == 3 ? 2 : dof;
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = first;
  contact.bodies[1] = second;
  memset(contact.normal, 0, sizeof contact.normal);
  memcpy(contact.point, point, sizeof(double) * (size_t)space);
  memcpy(contact.normal, normal, sizeof(double) * (size_t)space);
  contact.law = *law;
  return pc_impact_add_interaction(problem, &contact);
}

pc_law pc_setup_linear(double k_normal, double k_tangential)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = k_normal},
                .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = k_tangential}};
  return law;
}

int pc_setup_row(pc_impact *problem, int bodies, const double *coefficient, const pc_law *law)
{
  enum { MAX_TERMS = 16 };
  pc_row_term term[MAX_TERMS];
  if (problem == NULL || bodies > MAX_TERMS)
    return -1;
  for (int i = 0; i < bodies; i++)
    term[i] = (pc_row_term){.body = i, .coefficients = coefficient + i};
  pc_interaction row = pc_interaction_default(PC_ROWS);
  row.rows = 1;
  row.terms = bodies;
  row.term = term;
  row.law = *law;
  row.unilateral = law->normal.kind != PC_NORMAL_BILATERAL;
  return pc_impact_add_interaction(problem, &row);
}

double pc_setup_normal_after(const pc_interaction_answer *answer, const double *normal)
{
  double sum = 0;
  for (int i = 0; i < answer->size; i++)
    sum += answer->after[i] * normal[i];
  return sum;
}

double pc_setup_normal_before(const pc_interaction_answer *answer, const double *normal)
{
  double sum = 0;
  for (int i = 0; i < answer->size; i++)
    sum += (2 * answer->deformation[i] - answer->after[i]) * normal[i];
  return sum;
}

double pc_setup_reaction(const pc_interaction_answer *answer, const double *normal, double k)
{
  double sum = 0;
  for (int i = 0; i < answer->size; i++)
    sum += (answer->percussion[i] - k * answer->deformation[i]) * normal[i];
  return sum;
}

double pc_worst(double a, double b)
{
  return isnan(a) || b <= a ? a : b;
}

double pc_bisect(pc_curve *f, void *context, double low, double high)
{
  double at_low = f(low, context), at_high = f(high, context);
  if (!isfinite(at_low) || !isfinite(at_high) || (at_low < 0) == (at_high < 0))
    return NAN;
  for (int i = 0; i < 200; i++) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high)
      break;
    double value = f(middle, context);
    if (!isfinite(value))
      return NAN;
    if ((value < 0) == (at_low < 0))
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
