// Fenchel's gap of a law: Psi(d) + Psi*(P) - P d >= 0, an energy that is zero exactly where the
// percussion P obeys the law at the velocity d. Psi(d) = 2 Phi((d + D-)/2) and non-penetration.
//
// Everything here is in SI units and an upper bound: velocities are intervals that contain the
// exact ones, and round-off is added (core/enclosure.h). The sum of the gaps bounds the error of a
// motion (certify.c).
#ifndef PERCUSS_IMPACT_FENCHEL_H
#define PERCUSS_IMPACT_FENCHEL_H

#include "core/enclosure.h"
#include "impact/laws/law.h"

typedef struct pc_gap {
  double energy; // the sum of the gaps, or more
  double shift;  // largest change of a bound for which the velocities are admissible, m/s
} pc_gap;

// One row with a normal law.
typedef struct pc_normal_row {
  const pc_normal_law *law;
  bool unilateral; // D+ >= bound, which is finite
  pc_interval before, after;
  pc_interval bound; // with restitution
} pc_normal_row;

// The percussion nearest to p that the law can give at some velocity.
double pc_normal_admit(const pc_normal_law *law, bool unilateral, double p);
// p must be admitted.
void pc_normal_gap(const pc_normal_row *row, double p, pc_gap *gap);
// P = k D(mean); k = 0 admits p = 0 only.
void pc_viscous_gap(double k, pc_interval before, pc_interval after, double p, pc_gap *gap);
// D+ = bound
void pc_tied_gap(pc_interval after, double bound, pc_gap *gap);

// Friction with a given threshold: sum of (p_i/mu_i)^2 <= push^2, opposed to v. Shortens p so that
// this is certain, and adds the gap.
void pc_disc_admit(int rows, const double *mu, double push, double *p);
void pc_disc_gap(int rows, const double *mu, double push, const pc_interval *v, const double *p,
                 pc_gap *gap);

#endif
