// Functions shared by the measures and the bounds of a chain.
#ifndef PERCUSS_CHAIN_MEASURES_H
#define PERCUSS_CHAIN_MEASURES_H

#include "percuss/chain_bounds.h"

// Checks: two balls or more, masses positive and finite, velocities finite.
pc_status pc_chain_check(size_t n, const double *mass, const double *velocity, pc_error *error);

// C_KE of (2.19); NAN where nothing moves.
double pc_chain_dispersion(size_t n, const double *mass, const double *velocity);

#endif
