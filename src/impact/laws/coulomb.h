// Coulomb's law at one interaction: |r_T| <= mu r_N, opposed to v = D_T+ + shift.
#ifndef PERCUSS_IMPACT_COULOMB_H
#define PERCUSS_IMPACT_COULOMB_H

#include "impact/laws/law.h"

bool pc_coulomb_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                      double *r);

#endif
