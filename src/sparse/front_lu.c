#include "sparse/front_lu.h"

#include "sparse/front.h"

#include <math.h>
#include <string.h>

enum { BLOCK_COLUMNS = 16 }; // pivots eliminated at a time, a multiple of 4

static void exchange_rows(double *lower, double *upper, long ld, int pivots, int base, int i, int j)
{
  for (int c = 0; c < pivots; c++) {
    double x = lower[c * ld + i];
    lower[c * ld + i] = lower[c * ld + j];
    lower[c * ld + j] = x;
  }
  double *a = upper + i * ld, *b = upper + j * ld;
  for (long r = base; r < ld; r++) {
    double x = a[r];
    a[r] = b[r];
    b[r] = x;
  }
}

// Eliminates columns j .. j + width - 1 from the rows of the pivots, with exchanges.
static bool factor_pivots(double *lower, double *upper, long ld, int pivots, int base, int j,
                          int width, int *exchange)
{
  for (int c = j; c < j + width; c++) {
    double *column = lower + c * ld;
    int largest = c;
    for (int r = c + 1; r < pivots; r++)
      if (fabs(column[r]) > fabs(column[largest]))
        largest = r;
    double pivot = column[largest];
    if (!(fabs(pivot) > 0) || !isfinite(pivot))
      return false;
    exchange[c] = largest;
    if (largest != c)
      exchange_rows(lower, upper, ld, pivots, base, c, largest);
    for (int r = c + 1; r < pivots; r++)
      column[r] /= pivot;
    for (int k = c + 1; k < j + width; k++) {
      double *next = lower + k * ld, x = next[c];
      for (int r = c + 1; r < pivots; r++)
        next[r] -= column[r] * x;
    }
  }
  return true;
}

// The rows below the pivots of columns j .. j + width - 1: x <- x U^-1.
static void divide_lower(double *lower, long ld, int base, int j, int width)
{
  for (int c = j; c < j + width; c++) {
    double *x = lower + c * ld;
    for (int l = j; l < c; l++) {
      const double *from = lower + l * ld;
      double u = x[l];
      for (long r = base; r < ld; r++)
        x[r] -= from[r] * u;
    }
    double pivot = x[c];
    for (long r = base; r < ld; r++)
      x[r] /= pivot;
  }
}

// The rows of U from j to j + width - 1, beyond the diagonal block: L^-1 times what is there.
static void divide_upper(double *lower, double *upper, long ld, int pivots, int base, int j,
                         int width)
{
  int next = j + width;
  for (int c = j; c < next; c++) {
    double *x = upper + c * ld;
    for (int r = j; r < pivots; r++) // the triangle included, for the solves
      x[r] = lower[r * ld + c];
    for (int l = j; l < c; l++) {
      const double *from = upper + l * ld;
      double u = lower[l * ld + c];
      for (int r = next; r < pivots; r++)
        x[r] -= from[r] * u;
      for (long r = base; r < ld; r++)
        x[r] -= from[r] * u;
    }
  }
}

bool pc_front_lu_factor(double *lower, double *upper, double *update, int pivots, int below,
                        int *exchange)
{
  int base = pc_front_pad(pivots), high = pc_front_pad(below);
  long ld = base + high;
  for (int j = 0; j < pivots; j += BLOCK_COLUMNS) {
    int width = pivots - j < BLOCK_COLUMNS ? pivots - j : BLOCK_COLUMNS, next = j + width;
    if (!factor_pivots(lower, upper, ld, pivots, base, j, width, exchange))
      return false;
    divide_lower(lower, ld, base, j, width);
    divide_upper(lower, upper, ld, pivots, base, j, width);
    const double *l = lower + j * ld, *u = upper + j * ld;
    if (next < pivots) {
      pc_front_subtract(lower + next * ld + next, ld, ld - next, pivots - next, l + next, u + next,
                        ld, width);
      pc_front_subtract(upper + next * ld + base, ld, high, pivots - next, u + base, l + next, ld,
                        width);
    }
    if (below > 0)
      pc_front_subtract(update, high, high, below, l + base, u + base, ld, width);
  }
  return true;
}

void pc_front_lu_forward(const double *lower, int pivots, int below, const int *exchange, double *v)
{
  int base = pc_front_pad(pivots);
  long ld = base + pc_front_pad(below);
  for (int i = 0; i < pivots; i++) {
    double x = v[i];
    v[i] = v[exchange[i]];
    v[exchange[i]] = x;
  }
  for (int c = 0; c < pivots; c++) {
    const double *l = lower + c * ld;
    double x = v[c];
    for (int r = c + 1; r < pivots; r++)
      v[r] -= l[r] * x;
    for (long r = base; r < ld; r++)
      v[r] -= l[r] * x;
  }
}

void pc_front_lu_backward(const double *upper, int pivots, int below, double *v)
{
  int base = pc_front_pad(pivots);
  long ld = base + pc_front_pad(below);
  for (int c = pivots - 1; c >= 0; c--) {
    const double *u = upper + c * ld;
    double sum[4] = {0};
    for (long r = base; r < ld; r += 4)
      for (int i = 0; i < 4; i++)
        sum[i] += u[r + i] * v[r + i];
    double x = v[c] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (int r = c + 1; r < pivots; r++)
      x -= u[r] * v[r];
    v[c] = x / u[c];
  }
}
