#include "core/small.h"

#include <math.h>
#include <string.h>

enum { MAX = 6 };

bool pc_small_cholesky(int n, const double *a, double *c)
{
  memset(c, 0, sizeof(double) * (size_t)(n * n));
  for (int j = 0; j < n; j++) {
    double pivot = a[j * n + j];
    for (int k = 0; k < j; k++)
      pivot -= c[j * n + k] * c[j * n + k];
    if (!(pivot > 0) || !isfinite(pivot))
      return false;
    c[j * n + j] = sqrt(pivot);
    for (int i = j + 1; i < n; i++) {
      double x = a[i * n + j];
      for (int k = 0; k < j; k++)
        x -= c[i * n + k] * c[j * n + k];
      c[i * n + j] = x / c[j * n + j];
    }
  }
  return true;
}

bool pc_small_inverse_root(int n, const double *a, double *l)
{
  double c[MAX * MAX];
  if (!pc_small_cholesky(n, a, c))
    return false;
  // L = C^-T: column j of C^-1 is row j of L.
  memset(l, 0, sizeof(double) * (size_t)(n * n));
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double x = i == j ? 1 : 0;
      for (int k = j; k < i; k++)
        x -= c[i * n + k] * l[j * n + k];
      l[j * n + i] = x / c[i * n + i];
    }
  return true;
}

// Gauss-Jordan with row pivoting.
void pc_small_inverse(int n, const double *a, double *inverse)
{
  double m[MAX * MAX];
  memcpy(m, a, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n * n; i++)
    inverse[i] = i % (n + 1) == 0;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(m[i * n + k]) > fabs(m[pivot * n + k]))
        pivot = i;
    if (!(fabs(m[pivot * n + k]) > 0)) {
      memset(inverse, 0, sizeof(double) * (size_t)(n * n));
      return;
    }
    for (int j = 0; j < n && pivot != k; j++) {
      double x = m[k * n + j], y = inverse[k * n + j];
      m[k * n + j] = m[pivot * n + j];
      inverse[k * n + j] = inverse[pivot * n + j];
      m[pivot * n + j] = x;
      inverse[pivot * n + j] = y;
    }
    double p = 1 / m[k * n + k];
    for (int j = 0; j < n; j++) {
      m[k * n + j] *= p;
      inverse[k * n + j] *= p;
    }
    for (int i = 0; i < n; i++) {
      double factor = m[i * n + k];
      for (int j = 0; j < n && i != k; j++) {
        m[i * n + j] -= factor * m[k * n + j];
        inverse[i * n + j] -= factor * inverse[k * n + j];
      }
    }
  }
}

void pc_cross(const double *a, const double *b, double *out)
{
  double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

double pc_dot3(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double pc_norm(int n, const double *a)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  return sqrt(sum);
}
