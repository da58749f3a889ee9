// What the files of an alloy in time share.
#ifndef PERCUSS_CONTINUUM_ALLOY_STATE_H
#define PERCUSS_CONTINUUM_ALLOY_STATE_H

#include "continuum/alloy_motion.h"
#include "continuum/dilation.h"
#include "continuum/thermal_state.h"

// What changes and is a number; saved as it is.
typedef struct pc_alloy_tally {
  long steps;
  double moved; // sizes of the energies that changed hands
  pc_fe_alloy_account account;
} pc_alloy_tally;

struct pc_fe_alloy {
  pc_fe_alloy_def def; // with its own lists
  int size, numbers;   // components; numbers of a vector
  double slope, critical;
  pc_fe_elastic elastic;
  pc_fe_dilation dilation;
  pc_fe_collision *step; // the midpoint rule
  pc_fe_thermal *thermal;
  double *volume, whole; // of alloys, of each node and together

  double *u, *v, *u1, *v1, *load;        // displacement, velocity; after a step; h (f - K u)
  double *temperature, (*fraction)[3];   // now
  double *dilated;                       // G u, of each node
  double *warm, (*turned)[3], *dilated1; // after the step, in its iteration
  double *heat, *stress, (*drive)[3];
  pc_alloy_tally now;
};

#endif
