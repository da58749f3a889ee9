// The matrix of every Newton step here: mass + J^T T J with a diagonal T >= 0, body by body. Its
// pattern is that of the contact graph, whatever T is.
#ifndef PERCUSS_IMPACT_KKT_H
#define PERCUSS_IMPACT_KKT_H

#include "impact/system.h"

typedef struct pc_kkt_pattern {
  pc_block_matrix matrix;
  long *slot; // blocks of each interaction, pair of terms by pair of terms
  int *pair;  // per interaction, first slot
} pc_kkt_pattern;

pc_status pc_kkt_pattern_create(pc_kkt_pattern *pattern, const pc_system *system, pc_error *error);
void pc_kkt_pattern_mass(pc_kkt_pattern *pattern, const pc_system *system); // matrix = mass

typedef struct pc_kkt {
  const pc_system *system;
  pc_kkt_pattern pattern;
  pc_cholesky *factor; // see pc_cholesky_solve
  int factorisations;
} pc_kkt;

pc_status pc_kkt_create(pc_kkt *kkt, const pc_system *system, pc_error *error);
void pc_kkt_free(pc_kkt *kkt);
pc_status pc_kkt_factor(pc_kkt *kkt, const double *stiffness);

#endif
