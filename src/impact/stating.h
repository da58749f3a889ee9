// Stating an impact problem: what its parts hand to each other.
#ifndef PERCUSS_IMPACT_STATING_H
#define PERCUSS_IMPACT_STATING_H

#include "impact/problem.h"

static inline bool pc_all_finite(int n, const double *x)
{
  double sum = 0; // of zeros, or not a number
  for (int i = 0; i < n; i++)
    sum += x[i] - x[i];
  return sum == 0;
}

// Dimension of the space a body lives in.
static inline int pc_body_space(const pc_body_data *body)
{
  return body->dof == 6 ? 3 : body->dof == 3 ? 2 : body->dof;
}

// Whether a caller's number is that of an interaction.
static inline bool pc_impact_has(const pc_impact *problem, int interaction)
{
  return problem != NULL && interaction >= 0 && interaction < problem->interaction.count;
}

// Leave a message, and give -1 (problem.c).
int pc_impact_refuse(pc_impact *problem, const char *why);
int pc_impact_no_memory(pc_impact *problem);

// Makes room for so many bodies (bodies.c). Those that are there have their turns in a new place
// then.
bool pc_impact_open_bodies(pc_impact *problem, int bodies);

// The place of a law for interactions of a type in the table, or -1 (law_table.c).
int pc_impact_find_law(pc_impact *problem, pc_interaction_type type, const pc_law *law);

// An orthonormal frame N, T1, T2 (rows.c); in the plane T1 is N turned by a quarter. T1 follows the
// axis of an elliptic cone. False if that is along N.
bool pc_contact_frame(const pc_law *law, const pc_interaction_data *data, double *frame);
// Coefficients of (velocity at `point`) . direction for one body.
void pc_point_row(const pc_body_data *body, const double *point, const double *direction,
                  double sign, double *row);

#endif
