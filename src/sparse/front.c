// Dense Cholesky of one front.
//
// OpenBLAS needs a few hundred nanoseconds per call, as much as a whole front of two or three
// bodies. Small fronts therefore run on tiles of 4 columns here. Every sum is taken in the same
// order whatever the vector width, so the tiles give the same bits on every processor.
#include "sparse/front.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

// LAPACKE is not part of every OpenBLAS package; the Fortran entry is.
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t uplo_length);

// Where BLAS starts to win (measured, README.md): pivots for the panel, operations for the update.
enum { PANEL_PIVOTS = 48, SOLVE_NUMBERS = 4096 };
static const double UPDATE_FLOPS = 1e5;

// Four numbers; compilers split it where registers are narrower.
typedef double vec __attribute__((vector_size(32), aligned(8), may_alias));

#define LOAD(p) (*(const vec *)(p))
#define STORE(p, v) (*(vec *)(p) = (v))

// The same C for wider registers too, chosen when the program starts.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

// Factors the first `width` columns of a 4 x 4 tile, column by column.
static inline bool factor_tile(double tile[4][4], int width)
{
  for (int c = 0; c < width; c++) {
    for (int k = 0; k < c; k++)
      for (int r = c; r < 4; r++)
        tile[c][r] -= tile[k][r] * tile[k][c];
    double pivot = tile[c][c];
    if (!(pivot > 0 && pivot < INFINITY)) // NaN fails both
      return false;
    double root = sqrt(pivot), scale = 1 / root;
    tile[c][c] = root;
    for (int r = c + 1; r < 4; r++)
      tile[c][r] *= scale;
  }
  return true;
}

// Columns j .. j+width-1 of the panel, from the columns left of them (left-looking): a 4 x 4 tile
// on the diagonal, then tiles of 8 and 4 rows below it. `width` is a constant where it is inlined.
static inline __attribute__((always_inline)) bool panel_columns(double *panel, long ld, int j,
                                                                int width)
{
  double *column = panel + j * ld;
  vec a[4] = {0};
  for (int c = 0; c < width; c++)
    a[c] = LOAD(column + c * ld + j);
  for (int k = 0; k < j; k++) {
    const double *left = panel + k * ld;
    vec l = LOAD(left + j);
    for (int c = 0; c < width; c++)
      a[c] -= l * left[j + c];
  }
  double tile[4][4];
  memcpy(tile, a, sizeof tile);
  if (!factor_tile(tile, width))
    return false;
  for (int c = 0; c < width; c++)
    memcpy(column + c * ld + j, tile[c], sizeof tile[c]);

  double scale[4];
  for (int c = 0; c < width; c++)
    scale[c] = 1 / tile[c][c];
  long i = j + 4;
  for (; i + 8 <= ld; i += 8) {
    vec top[4], bottom[4];
    for (int c = 0; c < width; c++) {
      top[c] = LOAD(column + c * ld + i);
      bottom[c] = LOAD(column + c * ld + i + 4);
    }
    for (int k = 0; k < j; k++) {
      const double *left = panel + k * ld;
      vec l0 = LOAD(left + i), l1 = LOAD(left + i + 4);
      for (int c = 0; c < width; c++) {
        top[c] -= l0 * left[j + c];
        bottom[c] -= l1 * left[j + c];
      }
    }
    for (int c = 0; c < width; c++) {
      for (int k = 0; k < c; k++) {
        top[c] -= top[k] * tile[k][c];
        bottom[c] -= bottom[k] * tile[k][c];
      }
      top[c] *= scale[c];
      bottom[c] *= scale[c];
      STORE(column + c * ld + i, top[c]);
      STORE(column + c * ld + i + 4, bottom[c]);
    }
  }
  if (i < ld) {
    vec top[4];
    for (int c = 0; c < width; c++)
      top[c] = LOAD(column + c * ld + i);
    for (int k = 0; k < j; k++) {
      const double *left = panel + k * ld;
      vec l0 = LOAD(left + i);
      for (int c = 0; c < width; c++)
        top[c] -= l0 * left[j + c];
    }
    for (int c = 0; c < width; c++) {
      for (int k = 0; k < c; k++)
        top[c] -= top[k] * tile[k][c];
      top[c] *= scale[c];
      STORE(column + c * ld + i, top[c]);
    }
  }
  return true;
}

WIDE static bool small_panel(double *panel, long ld, int pivots)
{
  int j = 0;
  for (; j + 4 <= pivots; j += 4)
    if (!panel_columns(panel, ld, j, 4))
      return false;
  switch (pivots - j) {
  case 1:
    return panel_columns(panel, ld, j, 1);
  case 2:
    return panel_columns(panel, ld, j, 2);
  case 3:
    return panel_columns(panel, ld, j, 3);
  }
  return true;
}

// update -= L21 L21', lower tiles.
WIDE static void small_update(const double *panel, long ld, int pivots, int below, double *update)
{
  long ldu = pc_front_pad(below);
  const double *l21 = panel + pivots;
  for (long j = 0; j < ldu; j += 4) {
    double *column = update + j * ldu;
    long i = j;
    for (; i + 8 <= ldu; i += 8) {
      vec top[4], bottom[4];
      for (int c = 0; c < 4; c++) {
        top[c] = LOAD(column + c * ldu + i);
        bottom[c] = LOAD(column + c * ldu + i + 4);
      }
      for (int k = 0; k < pivots; k++) {
        const double *l = l21 + k * ld;
        vec l0 = LOAD(l + i), l1 = LOAD(l + i + 4);
        for (int c = 0; c < 4; c++) {
          top[c] -= l0 * l[j + c];
          bottom[c] -= l1 * l[j + c];
        }
      }
      for (int c = 0; c < 4; c++) {
        STORE(column + c * ldu + i, top[c]);
        STORE(column + c * ldu + i + 4, bottom[c]);
      }
    }
    if (i < ldu) {
      vec top[4];
      for (int c = 0; c < 4; c++)
        top[c] = LOAD(column + c * ldu + i);
      for (int k = 0; k < pivots; k++) {
        const double *l = l21 + k * ld;
        vec l0 = LOAD(l + i);
        for (int c = 0; c < 4; c++)
          top[c] -= l0 * l[j + c];
      }
      for (int c = 0; c < 4; c++)
        STORE(column + c * ldu + i, top[c]);
    }
  }
}

static bool blas_panel(double *panel, int ld, int pivots, int below)
{
  int info = 0;
  dpotrf_("L", &pivots, panel, &ld, &info, 1);
  if (info != 0)
    return false;
  // OpenBLAS lets NaN pivots pass.
  for (int j = 0; j < pivots; j++)
    if (!isfinite(panel[j * (long)ld + j]))
      return false;
  if (below > 0)
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, pivots, 1.0,
                panel, ld, panel + pivots, ld);
  return true;
}

bool pc_front_factor(double *panel, double *update, int pivots, int below)
{
  int ld = pc_front_pad(pivots + below);
  bool good = pivots <= PANEL_PIVOTS ? small_panel(panel, ld, pivots)
                                     : blas_panel(panel, ld, pivots, below);
  if (!good)
    return false;
  if (below > 0) {
    if ((double)pivots * below * below <= UPDATE_FLOPS)
      small_update(panel, ld, pivots, below, update);
    else
      cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, below, pivots, -1.0, panel + pivots, ld,
                  1.0, update, pc_front_pad(below));
  }
  return true;
}

void pc_front_forward(const double *panel, int pivots, int below, double *x, double *y)
{
  int ld = pc_front_pad(pivots + below);
  if ((long)ld * pivots > SOLVE_NUMBERS) {
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, pivots, panel, ld, x, 1);
    if (below > 0)
      cblas_dgemv(CblasColMajor, CblasNoTrans, below, pivots, 1.0, panel + pivots, ld, x, 1, 0.0, y,
                  1);
    return;
  }
  memset(y, 0, (size_t)below * sizeof *y);
  for (int j = 0; j < pivots; j++) {
    const double *column = panel + (long)j * ld;
    double value = x[j] / column[j];
    x[j] = value;
    for (int i = j + 1; i < pivots; i++)
      x[i] -= column[i] * value;
    for (int i = 0; i < below; i++)
      y[i] += column[pivots + i] * value;
  }
}

// Sum of a[i] b[i] in four strands, which vectorises without reordering sums behind our back.
static inline double dot(const double *a, const double *b, int n)
{
  vec sum = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    sum += LOAD(a + i) * LOAD(b + i);
  double tail = 0;
  for (; i < n; i++)
    tail += a[i] * b[i];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + tail;
}

void pc_front_backward(const double *panel, int pivots, int below, double *x, const double *y)
{
  int ld = pc_front_pad(pivots + below);
  if ((long)ld * pivots > SOLVE_NUMBERS) {
    if (below > 0)
      cblas_dgemv(CblasColMajor, CblasTrans, below, pivots, -1.0, panel + pivots, ld, y, 1, 1.0, x,
                  1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, pivots, panel, ld, x, 1);
    return;
  }
  for (int j = pivots - 1; j >= 0; j--) {
    const double *column = panel + (long)j * ld;
    double sum = dot(column + pivots, y, below) + dot(column + j + 1, x + j + 1, pivots - 1 - j);
    x[j] = (x[j] - sum) / column[j];
  }
}
