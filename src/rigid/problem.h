// The impact problem of a step.
#ifndef PERCUSS_RIGID_PROBLEM_H
#define PERCUSS_RIGID_PROBLEM_H

#include "core/array.h"
#include "percuss/impact.h"

typedef struct pc_problem {
  pc_impact *impact;
  PC_ARRAY(int) index;     // of a body in the impact problem; -1: not there
  PC_ARRAY(int) dof_start; // of its velocities there
  PC_ARRAY(int) law;       // of contact laws in the impact problem
} pc_problem;

void pc_problem_free(pc_problem *problem);

#endif
