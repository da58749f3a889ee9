// Solves symmetric systems of a block matrix: positive definite ones, and saddle points
//
//     A  B'      A positive definite, C >= 0 or absent: velocities and pressures, multipliers.
//     B  -C
//
// Definite systems use the Cholesky factorisation. A saddle point is made quasi-definite, C + d
// with d about 1e-8 of the diagonal of B A^-1 B'. Whatever the order of elimination, the Schur
// complement of a front is then quasi-definite too (Vanderbei 1995), so the row exchanges within a
// front of the LU factorisation always find their pivots. Refinement on the original matrix removes
// d again. A multiplier that the matrix does not determine (the constant pressure of a closed box)
// gets the smallest value that d allows, if the right hand side permits a solution.
//
//     analyze (once per pattern) -> factor (values change) -> solve, any number of times
#ifndef PERCUSS_SPARSE_DIRECT_H
#define PERCUSS_SPARSE_DIRECT_H

#include <stddef.h>

#include "sparse/block_matrix.h"

typedef struct pc_direct pc_direct;

// `sign` has one entry per number: 1 in A, -1 in C. NULL: all of them are in A. The last `kept`
// block rows are eliminated last, as one front: for pc_direct_response. NULL on error.
pc_direct *pc_direct_analyze(const pc_block_matrix *pattern, const signed char *sign, int kept,
                             pc_error *error);
void pc_direct_destroy(pc_direct *direct);
// The matrix must not change until the last solve, which refines with it.
pc_status pc_direct_factor(pc_direct *direct, const pc_block_matrix *matrix, pc_error *error);
// x <- A^-1 x. `residual`, if not NULL, gets what is left: |b - A x| over |A| |x| + |b|, the
// largest of each part of the matrix, the larger of the two. PC_ERROR_NUMERIC when it is above
// 1e-10: the answer is then the best there was.
pc_status pc_direct_solve(pc_direct *direct, double *x, double *residual, pc_error *error);
// w[i * vectors + j] = x_i' A^-1 x_j for vectors in the block rows that are kept, without a solve
// with the whole matrix: vector i is the sum of its parts first[i] .. first[i + 1]. Symmetric, but
// not refined: of a saddle point it is the response of the matrix with d.
pc_status pc_direct_response(const pc_direct *direct, int vectors, const int *first,
                             const pc_block_part *part, double *w, pc_error *error);
size_t pc_direct_memory(const pc_direct *direct); // bytes of the factor and its scratch

#endif
