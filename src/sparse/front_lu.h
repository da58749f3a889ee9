// Dense LU of one front, with row exchanges among its pivots.
//
// A front of p pivots and q rows (and columns) below them is three arrays, column by column:
//   lower   [A11; A21], becomes L with a unit diagonal, and U11 above it
//   upper   [-; A12'], becomes U': the diagonal and what is below it
//   update  A22, becomes what the parent receives
// The first two have p columns and leading dimension base + pc_front_pad(q), base =
// pc_front_pad(p), with the q rows from row base on; the last is q x q, leading dimension
// pc_front_pad(q). Padding must be finite. Kernels may read (not use) up to PC_FRONT_SLACK numbers
// past an array's end.
#ifndef PERCUSS_SPARSE_FRONT_LU_H
#define PERCUSS_SPARSE_FRONT_LU_H

#include <stdbool.h>

// exchange[i]: the row that changed places with row i when it became a pivot. False if a pivot is
// zero or not finite.
bool pc_front_lu_factor(double *lower, double *upper, double *update, int pivots, int below,
                        int *exchange);
// v1 <- L11^-1 (v1 exchanged), v2 <- v2 - L21 v1, with v laid out like a column of `lower`
void pc_front_lu_forward(const double *lower, int pivots, int below, const int *exchange,
                         double *v);
// v1 <- U11^-1 (v1 - U12 v2)
void pc_front_lu_backward(const double *upper, int pivots, int below, double *v);

#endif
