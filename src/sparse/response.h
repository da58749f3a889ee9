// The response x' A^-1 y of vectors in the block rows that a factorisation keeps for last. It needs
// only the last front, which holds their Schur complement.
#ifndef PERCUSS_SPARSE_RESPONSE_H
#define PERCUSS_SPARSE_RESPONSE_H

#include "sparse/plan.h"

// The last front, factored; leading dimension pc_front_pad of its pivots. U' = L in a Cholesky
// factor, which has no exchanges; L has a unit diagonal where there are some (front_lu.h).
typedef struct pc_last_front {
  const double *lower, *upper; // L and U', column by column
  const int *exchange;
} pc_last_front;

pc_status pc_factor_plan_response(const pc_factor_plan *plan, pc_last_front front, int vectors,
                                  const int *first, const pc_block_part *part, double *w,
                                  pc_error *error);

#endif
