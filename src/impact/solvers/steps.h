// Newton steps on laws that are not the gradient of anything (Coulomb): every interaction gives
// linear equations between the changes of its percussion and of its velocity,
//     B dr + K dd = g,    dd = W dr,
// and the matrix is unsymmetric. Solved by rows, (B + K W) dr = g, which keeps more digits where
// percussions are large; or by bodies, (mass + J^T B^-1 K J) dy = J^T B^-1 g, which is cheaper
// where many contacts meet.
#ifndef PERCUSS_IMPACT_STEPS_H
#define PERCUSS_IMPACT_STEPS_H

#include "impact/solvers/kkt.h"
#include "sparse/lu.h"

// The equations of one interaction, m x m matrices row by row. B^-1 and B^-1 K are needed by bodies
// only, and given because their closed forms are more accurate than a numerical inverse.
typedef struct pc_step_law {
  double b[25], k[25];
  double inverse[25], stiffness[25];
} pc_step_law;

// Row 0 by itself; of the sliding rows, the part along the unit vector `along` may depend on row 0,
// and the part across does not:
//     b dr_0 + k dd_0                                       = g_0
//     b[0] dr_a + k[0] dd_a + turn_b dr_0 + turn_k dd_0     = g_a
//     b[1] dr_c + k[1] dd_c                                 = g_c
// Rolling rows, the last ones, have equations like the latter two.
typedef struct pc_turned_part {
  double b[2], k[2];
  double along[2];
  double turn_b, turn_k;
} pc_turned_part;
typedef struct pc_turned_law {
  double b, k;
  pc_turned_part slide, roll;
} pc_turned_law;
void pc_step_law_set(pc_step_law *law, int rows, int rolls, const pc_turned_law *from);

// B^-1 and B^-1 K from b and k, numerically.
void pc_step_law_invert(pc_step_law *law, int rows);

typedef enum pc_steps_form { PC_BY_ROWS, PC_BY_BODIES } pc_steps_form;

typedef struct pc_steps {
  const pc_system *system;
  pc_steps_form form;
  pc_kkt_pattern pattern; // by rows: the matrix alone
  double *w, *wt;         // by rows: W(i, j) and the transpose of W(j, i), laid out like the matrix
  double *upper;          // of the matrix
  pc_lu *lu;
  pc_step_law *law;             // set before `factor`
  double *rest, *more, *change; // rows
  double *y;                    // degrees of freedom
  int factorisations;
} pc_steps;

// By rows needs a mass that is not coupled, by bodies needs bodies.
pc_status pc_steps_create(pc_steps *steps, const pc_system *system, pc_steps_form form,
                          pc_error *error);
void pc_steps_free(pc_steps *steps);
// From steps->law. PC_ERROR_NUMERIC if the matrix is singular.
pc_status pc_steps_factor(pc_steps *steps);
// dr from g (rows; may not be the same array), refined once.
void pc_steps_solve(pc_steps *steps, const double *g, double *dr);
// out = W x
void pc_steps_response(pc_steps *steps, const double *x, double *out);

#endif
