// Checks shared by the phase laws at a point.
#ifndef PERCUSS_HEAT_PHASES_H
#define PERCUSS_HEAT_PHASES_H

#include "percuss/heat.h"

// Numbers of a law, T- and the heat received: positive and finite where they must be.
pc_status pc_phase_check(const pc_phase_law *law, double temperature, double heat, pc_error *error);

#endif
