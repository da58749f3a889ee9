// Cholesky factorisation of a block matrix: multifrontal, supernodes, own dense kernels. The same
// matrix gives the same bits in every run, and with every instruction set of the kernels.
//
//     analyze (once per pattern) -> factor (values change) -> solve, any number of times
//
// One user at a time per factor: factor and solve write scratch memory inside it. Different factors
// are independent.
#ifndef PERCUSS_SPARSE_CHOLESKY_H
#define PERCUSS_SPARSE_CHOLESKY_H

#include <stddef.h>

#include "sparse/block_matrix.h"

typedef struct pc_cholesky pc_cholesky;

// Orders (natural for tiny or dense ones, AMD, METIS where AMD leaves much work) and does all
// symbolic work for this pattern, which need not outlive the call. The last `kept` block rows are
// eliminated last, as one front: for pc_cholesky_response. NULL on error.
pc_cholesky *pc_cholesky_analyze(const pc_block_matrix *pattern, int kept, pc_error *error);
void pc_cholesky_destroy(pc_cholesky *factor);
// PC_ERROR_NUMERIC if the matrix is not positive definite or not finite; the factor is then useless
// until the next success. PC_ERROR_ARGUMENT if it has other rows or blocks than the analysed
// pattern. Reads the lower triangle of diagonal blocks. No memory is allocated here or in solve.
pc_status pc_cholesky_factor(pc_cholesky *factor, const pc_block_matrix *matrix);
// x <- A^-1 x
void pc_cholesky_solve(pc_cholesky *factor, double *x);
// energy[i] = x' A^-1 x for vectors x that are zero but in few block rows: vector i is the sum of
// its parts first[i] .. first[i + 1]. Only what they reach of the factor is read.
pc_status pc_cholesky_energies(const pc_cholesky *factor, int vectors, const int *first,
                               const pc_block_part *part, double *energy, pc_error *error);
// w[i * vectors + j] = x_i' A^-1 x_j for such vectors in the block rows that are kept: from the
// last front alone.
pc_status pc_cholesky_response(const pc_cholesky *factor, int vectors, const int *first,
                               const pc_block_part *part, double *w, pc_error *error);
// The last `kept` block rows of the matrix, which must have all blocks between them, become their
// Schur complement: C - B A^-1 B' for the matrix (A B'; B C). A must be positive definite
// (PC_ERROR_NUMERIC).
pc_status pc_cholesky_reduce(pc_block_matrix *matrix, int kept, pc_error *error);
// Of one factorisation; counts the zeros that merged supernodes store.
double pc_cholesky_flops(const pc_cholesky *factor);
size_t pc_cholesky_memory(const pc_cholesky *factor); // bytes of the factor and its scratch

#endif
