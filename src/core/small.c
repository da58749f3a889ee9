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

bool pc_dense_factor(int n, double *a, double least)
{
  for (int j = 0; j < n; j++) {
    double *aj = a + (size_t)j * (size_t)n;
    for (int i = j; i < n; i++) {
      double *ai = a + (size_t)i * (size_t)n, x = ai[j];
      for (int k = 0; k < j; k++)
        x -= ai[k] * aj[k];
      if (i == j && !(x > least * fabs(ai[j])))
        return false;
      ai[j] = i == j ? sqrt(x) : x / aj[j];
    }
  }
  return true;
}

void pc_dense_solve(int n, const double *factor, double *x)
{
  for (int i = 0; i < n; i++) {
    const double *row = factor + (size_t)i * (size_t)n;
    for (int k = 0; k < i; k++)
      x[i] -= row[k] * x[k];
    x[i] /= row[i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      x[i] -= factor[(size_t)k * (size_t)n + (size_t)i] * x[k];
    x[i] /= factor[(size_t)i * (size_t)n + (size_t)i];
  }
}

double pc_dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

double pc_norm(int n, const double *a)
{
  return sqrt(pc_dot(n, a, a));
}
