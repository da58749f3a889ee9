// Dense linear algebra: small matrices (up to 6 x 6) and Cholesky of any size, row by row.
#ifndef PERCUSS_CORE_SMALL_H
#define PERCUSS_CORE_SMALL_H

#include <stdbool.h>

// Lower Cholesky factor, A = C C^T; false if A is not positive definite.
bool pc_small_cholesky(int n, const double *a, double *c);
// Inverse of any matrix; zero if it is singular.
void pc_small_inverse(int n, const double *a, double *inverse);
// L with L L^T = A^-1 (upper triangular); false if A is not positive definite.
bool pc_small_inverse_root(int n, const double *a, double *l);

// Lower Cholesky factor of a symmetric matrix of any size, in place (the upper triangle is left as
// it is); false if a pivot is not above `least` times its diagonal entry. Then x <- A^-1 x.
bool pc_dense_factor(int n, double *a, double least);
void pc_dense_solve(int n, const double *factor, double *x);

static inline void pc_cross(const double *a, const double *b, double *out)
{
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static inline double pc_dot3(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Two unit vectors across a unit normal, right-handed: normal, first, second.
void pc_across(const double normal[3], double first[3], double second[3]);
double pc_norm(int n, const double *a);

#endif
