// The equations of pc_heat_solve, shared by two methods: sweeps, and Newton's method for the cases
// where sweeps converge slowly. The unknown of a body is u = ln(T+/T-), so that T+ > 0; in the
// linear mode [T]/T-.
//
//     F_i = C_i g(u_i) - sum of s_ik - exchange_i (outside_i / t_i - 1) = 0
//
// where t(u) is the mean temperature of the mode and g is u, tanh or linear. As a function of t,
// the derivative of -s of one interaction has the symmetric part
//
//     ( W (1 1; 1 1) + 2 lambda (t_j, -t_i) (t_j, -t_i)' ) / (t_i + t_j)^2
//
// which is >= 0, and g increases. So F is strictly monotone, its root is unique and its derivative
// is never singular.
//
// With a large exchange the means are nearly equal, and their difference has too few digits for the
// flux lambda (t_j - t_i). Newton's method therefore has the fluxes as unknowns beside the u.
#ifndef PERCUSS_HEAT_LUMPED_H
#define PERCUSS_HEAT_LUMPED_H

#include "core/memory.h"
#include "percuss/heat.h"

typedef struct pc_heat_end {
  int interaction, other;
} pc_heat_end;

struct pc_heat {
  pc_arena arena; // all arrays, allocated for each problem
  // The problem.
  pc_heat_mode mode;
  int bodies, interactions;
  const pc_heat_body *body;
  const pc_heat_interaction *interaction;
  // Of each body.
  double *u, *mean, *slope; // unknown, t(u), dt/du
  double *residual, *step, *kept;
  int *first; // of its ends; bodies + 1
  int *row;   // among those with a finite capacity, or -1
  pc_heat_end *end;
  // Of each interaction: lambda (t of the second - t of the first), where that is an unknown.
  double *flux;
  bool mixed;  // it is
  double part; // of all works and exchanges, on the way to the whole; 1
};

typedef struct pc_heat_flow {
  double entropy; // received by the first body, s
  double size;    // of the parts it is a sum of
  double by_own;  // ds / dt of its own mean temperature, fluxes following the means
  double by_other;
  double gap, by_flux; // lambda (t_other - t_own) less the flux, and ds / dflux
} pc_heat_flow;

// lumped_equations.c
// The temperature by which a body shares work and exchange.
double pc_heat_weight(const pc_heat *heat, int body);
// lambda (t_other - t_own).
double pc_heat_difference(const pc_heat *heat, int interaction, int own, int other);
// What the body `own` receives from an interaction, at the present means and fluxes.
pc_heat_flow pc_heat_flow_to(const pc_heat *heat, int interaction, int own, int other);
// Sets u of a body, and its mean and slope.
void pc_heat_set(pc_heat *heat, int body, double u);
// F of a body, the size of its parts and dF/du.
double pc_heat_balance(const pc_heat *heat, int body, double *size, double *slope);

// lumped_newton.c: Newton's method, from a start of its own. Returns the last residual, which is
// negative when memory is out, and counts factorisations.
double pc_heat_newton(pc_heat *heat, int *factorisations);

#endif
