// Bounds of the error of velocities, step by step.
#ifndef PERCUSS_RUN_CERTIFY_H
#define PERCUSS_RUN_CERTIFY_H

#include "percuss/run.h"

// Call it after a step.
pc_status pc_certify_step(pc_world *world, pc_run_certificate *sum, pc_error *error);

#endif
