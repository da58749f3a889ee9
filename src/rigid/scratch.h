// Arrays per body that only mean something during a step; the memory is kept.
#ifndef PERCUSS_RIGID_SCRATCH_H
#define PERCUSS_RIGID_SCRATCH_H

#include "rigid/bodies.h"

typedef struct pc_scratch {
  PC_ARRAY(pc_six) free;          // velocity without contacts
  PC_ARRAY(pc_six) previous;      // velocity after the solve before, when a step is solved again
  PC_ARRAY(unsigned char) struck; // bodies whose contacts are then looked for again
  PC_ARRAY(pc_six) external;      // P_ext, with elements and penalty springs
  PC_ARRAY(pc_six) mean;          // mean velocity of the step, with the same
} pc_scratch;

#endif
