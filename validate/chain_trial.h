// Chains in a few lines, and many random ones, for rows and benchmarks.
#ifndef PERCUSS_VALIDATE_CHAIN_TRIAL_H
#define PERCUSS_VALIDATE_CHAIN_TRIAL_H

#include "percuss/chain.h"
#include "percuss/random.h"

enum { PC_TRIAL_BALLS = 1000 };

typedef struct pc_chain_trial {
  pc_chain chain; // its arrays are those below
  pc_chain_law law;
  pc_chain_options options;
  double mass[PC_TRIAL_BALLS], before[PC_TRIAL_BALLS];
  pc_chain_contact contact[PC_TRIAL_BALLS];
  double k[PC_TRIAL_BALLS], matrix[100];
  pc_chain_distance distance;
  pc_chain_answer answer; // likewise
  double after[PC_TRIAL_BALLS], percussion[PC_TRIAL_BALLS], dissipated[PC_TRIAL_BALLS];
} pc_chain_trial;

// Equal balls that touch, the first one arrives with 1 m/s. NULL when memory is out; freed with
// free.
pc_chain_trial *pc_chain_trial_create(void);
void pc_chain_trial_set(pc_chain_trial *trial, int balls, pc_chain_law_kind kind, double e);
// False if it is not solved: all velocities are then NAN.
bool pc_chain_trial_solve(pc_chain_trial *trial);

// Random chains of 3 to 8 balls, with masses, stiffnesses and k that differ by factors up to 25.
typedef enum pc_chain_crowd {
  PC_CHAINS_STRUCK, // the first ball arrives, the others rest; one e for all contacts
  PC_CHAINS_ANY     // any velocities, some of them separating, and an e for every contact
} pc_chain_crowd;
void pc_chain_trial_random(pc_chain_trial *trial, pc_random *random, pc_chain_law_kind kind,
                           pc_chain_crowd crowd);

// Of so many random chains, those that break each of the three consistencies, and those that a law
// could not solve or that change the momentum.
typedef struct pc_chain_census {
  int count, kinematic, kinetic, energetic, any, unsolved, momentum;
  double most; // KER of the outcome that gains most
} pc_chain_census;
pc_chain_census pc_chain_take_census(pc_chain_trial *trial, pc_chain_law_kind kind,
                                     pc_chain_crowd crowd, int count);

#endif
