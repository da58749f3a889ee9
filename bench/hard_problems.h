// Friction problems that sweeps alone do not solve: stacks, arches, packings, large mass ratios,
// for the benchmark and for tests. `hard_error` is a residual independent of the solvers, computed
// from the geometry: the momentum of each body, and for each contact the cone, non-penetration,
// complementarity and the sliding direction.
#ifndef PERCUSS_BENCH_HARD_PROBLEMS_H
#define PERCUSS_BENCH_HARD_PROBLEMS_H

#include <stdbool.h>

#include "percuss/impact.h"
#include "percuss/random.h"

typedef struct hard_body {
  double mass, inertia[9], position[3], velocity[6];
} hard_body;

typedef struct hard_contact {
  int a, b; // b may be PC_OBSTACLE
  double point[3], normal[3], mu;
  double obstacle[3]; // velocity of the obstacle
} hard_contact;

typedef struct hard_problem {
  int bodies, contacts, body_room, contact_room;
  hard_body *body;
  hard_contact *contact;
  double step; // of time, for gravity
  bool failed; // out of memory
} hard_problem;

// Unit cubes on the ground, one on the other, four contacts each.
hard_problem hard_stack(int count, double mu, double floor_speed, double step);
// A semicircle of voussoirs with mean radius 1 between two supports, in the plane of x and z.
hard_problem hard_arch(int count, double thickness, double mu);
// Spheres of different sizes on a shaken lattice in a box; neighbours nearer than `reach_out` times
// the sum of their radii count as touching.
hard_problem hard_packing(int side, int layers, double mu, double reach_out, pc_random *random);
void hard_make_heavier(hard_problem *problem, int body, double factor);
void hard_free(hard_problem *problem);

// With gravity for a step. All contacts have this law; without one it is Coulomb's, on the velocity
// after, with the mu of the contact and no restitution. NULL: no memory.
pc_impact *hard_build(const hard_problem *problem, const pc_law *law);
// The error of an answer over the free relative velocity.
double hard_error(const hard_problem *problem, const pc_impact *answer);

#endif
