// Dense linear algebra: small matrices (up to 6 x 6) and Cholesky of any size, row by row.
#ifndef PERCUSS_CORE_SMALL_H
#define PERCUSS_CORE_SMALL_H

#include <math.h>
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

static inline void pc_sub3(const double *a, const double *b, double *out)
{
  for (int i = 0; i < 3; i++)
    out[i] = a[i] - b[i];
}

static inline double pc_dot3(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double pc_dot(int n, const double *a, const double *b);
double pc_norm(int n, const double *a);

// Two unit vectors across a unit normal, right-handed: normal, first, second. The first one leans
// to the axis that the normal is farthest from.
static inline void pc_across(const double normal[3], double first[3], double second[3])
{
  double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
  int far = x <= y ? (x <= z ? 0 : 2) : (y <= z ? 1 : 2);
  for (int i = 0; i < 3; i++)
    first[i] = -normal[far] * normal[i];
  first[far] += 1;
  double part = 1 / sqrt(pc_dot3(first, first));
  for (int i = 0; i < 3; i++)
    first[i] *= part;
  pc_cross(normal, first, second);
}

// The axes of a contact: its normal and what is across; in the plane the normal turned by a
// quarter, and nothing.
static inline void pc_contact_axes(const double normal[3], bool plane, double axes[9])
{
  for (int i = 0; i < 3; i++) {
    axes[i] = normal[i];
    axes[6 + i] = 0;
  }
  if (plane) {
    axes[3] = -normal[1];
    axes[4] = normal[0];
    axes[5] = 0;
  } else {
    pc_across(normal, axes + 3, axes + 6);
  }
}

#endif
