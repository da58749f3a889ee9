// Coulomb's law with rolling friction at one interaction: |r_T| <= mu r_N opposed to the sliding
// velocity and |m| <= mu_r r_N opposed to the rolling spin.
#ifndef PERCUSS_IMPACT_ROLLING_H
#define PERCUSS_IMPACT_ROLLING_H

#include "impact/laws/law.h"

bool pc_rolling_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                      double *r);
void pc_rolling_residual(const pc_block_law *law, const double *d, const double *r,
                         double *residual);

#endif
