// LU factorisation of a block matrix with a symmetric pattern and any values: multifrontal, on the
// same fronts as the Cholesky factorisation. Rows change places within a front only, so a matrix
// with a bad order of pivots may break down (PC_ERROR_NUMERIC) or lose digits: refine the solution
// where that matters.
//
//     analyze (once per pattern) -> factor (values change) -> solve, any number of times
//
// One user at a time per factor. The same matrix gives the same bits in every run.
#ifndef PERCUSS_SPARSE_LU_H
#define PERCUSS_SPARSE_LU_H

#include <stddef.h>

#include "core/memory.h"
#include "sparse/block_matrix.h"

typedef struct pc_lu pc_lu;

// The pattern need not outlive the call. The last `kept` block rows are eliminated last, as one
// front: for pc_lu_response. With an arena, which outlives the factor, its numbers are there if
// they are less than 1 MB: for factors that come and go at every step. NULL on error.
pc_lu *pc_lu_analyze(const pc_block_matrix *pattern, int kept, pc_arena *arena, pc_error *error);
void pc_lu_destroy(pc_lu *lu);
// `matrix` holds the lower triangle with whole diagonal blocks. `upper` has the same layout and
// holds, at the place of block (i, j), the transpose of block (j, i); its diagonal blocks are not
// read. For a symmetric matrix it is matrix->value itself.
pc_status pc_lu_factor(pc_lu *lu, const pc_block_matrix *matrix, const double *upper);
// x <- A^-1 x
void pc_lu_solve(pc_lu *lu, double *x);
// w[i * vectors + j] = x_i' A^-1 x_j for vectors in the block rows that are kept, from the last
// front alone: vector i is the sum of its parts first[i] .. first[i + 1].
pc_status pc_lu_response(const pc_lu *lu, int vectors, const int *first, const pc_block_part *part,
                         double *w, pc_error *error);
// Of the determinant: 1 or -1.
int pc_lu_sign(const pc_lu *lu);
// Of one factorisation, known from the pattern.
double pc_lu_flops(const pc_lu *lu);
size_t pc_lu_memory(const pc_lu *lu); // bytes of the factor and its scratch

#endif
