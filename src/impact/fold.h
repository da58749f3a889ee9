// Linear laws on one body, P = k D (springs, nets), become part of its mass.
//
// M becomes M + (k/2) B^T B and the free velocity changes with it; contacts are all that is left,
// however stiff the elements are. Velocities are whitened, U = U_free + L y with L L^T the inverse
// of that mass. The percussions of the elements follow from the velocities.
#ifndef PERCUSS_IMPACT_FOLD_H
#define PERCUSS_IMPACT_FOLD_H

#include "impact/islands.h"

typedef struct pc_fold {
  const pc_impact *problem;
  const pc_islands *islands;
  const pc_island *island;
  int contacts, elements;
  const int *contact, *element; // interactions of the problem
  double *base, *root;          // per body: free velocity and spin; L, six by six
  double sizes[2];              // what elements add to the squares of scale and speed
} pc_fold;

// Contacts and elements of an island apart; without elements its own list will do.
bool pc_fold_list(pc_fold *fold, const pc_impact *problem, const pc_islands *islands, int island,
                  pc_arena *arena);
// Masses and free velocities, for bodies without elements too.
bool pc_fold_bodies(pc_fold *fold, int threads, pc_arena *arena);
// Velocity and spin of body b in places 0 and 4 of `out`, from y in the same places of `line`.
void pc_fold_velocity(const pc_fold *fold, long b, const double *line, double *out);
// Percussions of the elements, from the velocities after.
void pc_fold_answer(const pc_fold *fold, pc_impact *problem, int threads);

// The arm of one side is along the normal, and its body turns like a sphere.
bool pc_side_central(const pc_body_data *body, const double *normal, const double *arm);
// A few contacts tell what most are like.
bool pc_fold_central(const pc_fold *fold);

#endif
