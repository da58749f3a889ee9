// The impact problem of a step.
#ifndef PERCUSS_RIGID_PROBLEM_H
#define PERCUSS_RIGID_PROBLEM_H

#include <math.h>

#include "impact/bulk.h"
#include "percuss/impact.h"
#include "rigid/bodies.h"

typedef struct pc_problem {
  pc_impact *impact;
  PC_ARRAY(unsigned char) dof; // velocities of a body in the problem; 0: it is not there
  PC_ARRAY(int) index;         // of a body in the problem, or -1
  PC_ARRAY(int) dof_start;     // of its velocities there
  PC_ARRAY(int) law;           // of contact laws in the impact problem
} pc_problem;

// The velocity after the solve of a body that is in the problem.
static inline void pc_problem_velocity(const pc_problem *problem, const pc_body_store *bodies,
                                       int i, double six[6])
{
  const double *all = pc_impact_velocities(problem->impact);
  pc_body_from_dof(&bodies->solid.at[i], all + problem->dof_start.at[i], six);
}

// The error of a step whose problem did not take an interaction.
static inline pc_status pc_problem_refusal(const pc_problem *problem)
{
  bool memory = pc_impact_failure(problem->impact) == PC_ERROR_MEMORY;
  return memory ? PC_ERROR_MEMORY : PC_ERROR_NUMERIC;
}

void pc_problem_free(pc_problem *problem);
bool pc_problem_reserve(pc_problem *problem, int bodies);

// What is slower has come to rest. Without gravity the velocities of bodies that rub against each
// other shrink at every step, and one day their squares would leave the range of numbers.
#define PC_STILL 1e-100 // m/s, rad/s

// Velocities and percussions of a body as the impact problem shall have them.
static inline void pc_problem_rest(int dof, double mass, double *velocity, double *percussion)
{
  for (int k = 0; k < dof; k++) {
    velocity[k] = fabs(velocity[k]) < PC_STILL ? 0 : velocity[k];
    percussion[k] = fabs(percussion[k]) < PC_STILL * mass ? 0 : percussion[k];
  }
}

#endif
