// Random impact problems that have a solution, for property tests and benchmarks of claims.
#ifndef PERCUSS_TESTS_PROBLEMS_H
#define PERCUSS_TESTS_PROBLEMS_H

#include "percuss/impact.h"
#include "percuss/random.h"

typedef struct problem_kind {
  int max_bodies, max_interactions;
  double mass_decades; // masses spread over 10^this
  bool coulomb;        // contacts with Coulomb friction (not convex)
  bool homogeneous;    // only laws that scale with the velocities
  bool piecewise;      // only laws made of linear pieces
  bool friction_on_mean;
} problem_kind;

// The problem kept as data, so that it can be renumbered, scaled and solved again.
typedef struct random_problem {
  int bodies, interactions;
  pc_impact_body *body;
  pc_interaction *interaction;
  double (*row_storage)[3 * 6];
  pc_row_term (*term_storage)[2];
} random_problem;

void random_problem_create(random_problem *problem, pc_random *random, const problem_kind *kind);
void random_problem_free(random_problem *problem);
// Builds it with bodies and interactions in the given orders (NULL: as they are) and velocities and
// external percussions times `factor`.
pc_impact *random_problem_build(const random_problem *problem, const int *body_order,
                                const int *interaction_order, double factor);
// Kinetic-energy norm of the difference of two answers, over that of the free motion.
double random_problem_distance(const random_problem *problem, const pc_impact *a,
                               const pc_impact *b);

#endif
