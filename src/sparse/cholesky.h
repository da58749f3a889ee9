// Cholesky factorisation of a block matrix: multifrontal, supernodes, dense kernels from BLAS and
// LAPACK.
//
//     analyze (once per pattern) -> factor (values change) -> solve, any number of times
#ifndef PERCUSS_SPARSE_CHOLESKY_H
#define PERCUSS_SPARSE_CHOLESKY_H

#include "sparse/block_matrix.h"

typedef struct pc_cholesky pc_cholesky;

// Orders (natural for tiny ones, AMD, METIS for large ones) and does all symbolic work for this
// pattern.
pc_cholesky *pc_cholesky_analyze(const pc_block_matrix *pattern, pc_error *error);
void pc_cholesky_destroy(pc_cholesky *factor);
// PC_ERROR_NUMERIC if the matrix is not positive definite. No memory is allocated here or in solve.
pc_status pc_cholesky_factor(pc_cholesky *factor, const pc_block_matrix *matrix);
// x <- A^-1 x
void pc_cholesky_solve(const pc_cholesky *factor, double *x);
double pc_cholesky_flops(const pc_cholesky *factor);   // of one factorisation
double pc_cholesky_entries(const pc_cholesky *factor); // numbers in the factor

#endif
