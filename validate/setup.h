// Small problems in a few lines, and the numbers read from their answers.
#ifndef PERCUSS_VALIDATE_SETUP_H
#define PERCUSS_VALIDATE_SETUP_H

#include "report.h"

// Inertia of a body that turns: the same about all axes.
int pc_setup_body(pc_impact *problem, int dof, double mass, double inertia, const double *position,
                  const double *velocity);
int pc_setup_contact(pc_impact *problem, int first, int second, const double *point,
                     const double *normal, const pc_law *law);
// P_N = k_normal D_N and P_T = k_tangential D_T on the mean velocity, with non-penetration.
pc_law pc_setup_linear(double k_normal, double k_tangential);
// Scalar rows on bodies of one degree of freedom: D = sum coefficient[i] velocity(i).
int pc_setup_row(pc_impact *problem, int bodies, const double *coefficient, const pc_law *law);
// D_N+ and D_N^- of a contact that is solved, along the normal it was given.
double pc_setup_normal_after(const pc_interaction_answer *answer, const double *normal);
double pc_setup_normal_before(const pc_interaction_answer *answer, const double *normal);
// P_N less k D_N(mean U): the reaction of a linear law, also where it is next to nothing.
double pc_setup_reaction(const pc_interaction_answer *answer, const double *normal, double k);

// The larger of two errors; NAN, a solve that failed, is the largest.
double pc_worst(double a, double b);

// The root of f between low and high, to the last digit; NAN without a change of sign.
typedef double pc_curve(double x, void *context);
double pc_bisect(pc_curve *f, void *context, double low, double high);

#endif
