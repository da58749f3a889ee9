// Symmetric sparse matrices made of small dense blocks (one block row per body, 1 to 6 numbers
// wide).
#ifndef PERCUSS_SPARSE_BLOCK_MATRIX_H
#define PERCUSS_SPARSE_BLOCK_MATRIX_H

#include "core/memory.h"
#include "percuss/status.h"

enum { PC_BLOCK_MAX = 6 }; // widest block row

// The lower triangle with its diagonal. Row i has blocks row[i] .. row[i+1]-1, column numbers
// ascending, the diagonal block last. Block k is dense, size[i] x size[column[k]], row by row, at
// value + offset[k]; diagonal blocks hold both triangles.
typedef struct pc_block_matrix {
  pc_arena arena; // of all arrays; a copy of the struct may have other values
  int rows;
  int *size;  // numbers per block row
  int *start; // prefix sums of size, rows + 1
  int *row;   // rows + 1
  int *column;
  long *offset; // blocks + 1
  double *value;
} pc_block_matrix;

// `pairs` has `count` (i, j) couples of block rows that interact, in any order, with repeats; the
// diagonal is implied. Values start at zero. On error the matrix is empty and needs no free.
pc_status pc_block_matrix_create(pc_block_matrix *matrix, int rows, const int *size,
                                 const int (*pairs)[2], long count, pc_error *error);
void pc_block_matrix_free(pc_block_matrix *matrix);
void pc_block_matrix_clear(pc_block_matrix *matrix); // values to zero
// The block of row i, column j <= i; -1 if there is none.
long pc_block_matrix_find(const pc_block_matrix *matrix, int i, int j);
// y = A x
void pc_block_matrix_multiply(const pc_block_matrix *matrix, const double *x, double *y);
// The diagonal of the matrix.
void pc_block_matrix_diagonal(const pc_block_matrix *matrix, double *diagonal);
// Calls `visit` once for each number on or below the diagonal, row r >= column c, with its place in
// `value`. What is above the diagonal in a diagonal block is left out.
void pc_block_matrix_each(const pc_block_matrix *matrix,
                          void visit(void *context, int r, int c, long at), void *context);

// One block row of a vector that is zero in most block rows.
typedef struct pc_block_part {
  int row;
  const double *value;
} pc_block_part;

#endif
