// Dense Cholesky of one front, on tiles of 4 columns held in registers.
//
// Fronts of a few bodies are too small for BLAS, where one call costs as much as the whole front;
// and the OpenBLAS of Debian 12 takes a processor that is newer than itself for one without AVX. So
// the factorisation has its own kernels, compiled for each instruction set from one source. Every
// number is the same sum in the same order, without fused operations, so all processors give the
// same factor, bit for bit.
#include "sparse/front.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum {
  BLOCK_COLUMNS = 64,  // pivots eliminated at a time: a tile's columns fit in the first cache
  BLOCK_ROWS = 256,    // rows per pass: 256 x 64 numbers fit in the second
  SOLVE_NUMBERS = 4096 // panels above this size are solved by BLAS (measured)
};

// Compilers split these where registers are narrower.
typedef double vec4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double vec8 __attribute__((vector_size(64), aligned(8), may_alias));

#define LOAD(vec, p) (*(const vec *)(p))
#define STORE(vec, p, v) (*(vec *)(p) = (v))

#define KERNEL(name) name##_plain
#define KERNEL_TARGET
#define KERNEL_VEC vec4
#define KERNEL_LANES 4
#ifdef __aarch64__
#define KERNEL_COUNT 2
#else
#define KERNEL_COUNT 1
#endif
#include "sparse/front_kernels.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_COUNT

#ifdef __x86_64__
#define KERNEL(name) name##_avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#define KERNEL_COUNT 2
#include "sparse/front_kernels.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_VEC
#undef KERNEL_LANES

#define KERNEL(name) name##_avx512
#define KERNEL_TARGET __attribute__((target("avx512f")))
#define KERNEL_VEC vec8
#define KERNEL_LANES 8
#include "sparse/front_kernels.h"
#endif

typedef struct kernels {
  void (*strip)(double *c, long ldc, long rows, int width, const double *a, const double *b,
                long ld, int k);
  void (*solve_rows)(double *x, long ld, long rows, int width, double tile[4][4],
                     const double scale[4]);
} kernels;

static kernels choose_kernels(void)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return (kernels){strip_avx512, solve_rows_avx512};
  if (__builtin_cpu_supports("avx2"))
    return (kernels){strip_avx2, solve_rows_avx2};
#endif
  return (kernels){strip_plain, solve_rows_plain};
}

// Factors the first `width` columns of a 4 x 4 tile, tile[column][row].
static inline bool factor_tile(double tile[4][4], double scale[4], int width)
{
  for (int c = 0; c < width; c++) {
    for (int k = 0; k < c; k++)
      for (int r = c; r < 4; r++)
        tile[c][r] -= tile[k][r] * tile[k][c];
    double pivot = tile[c][c];
    if (!(pivot > 0 && pivot < INFINITY)) // NaN fails both
      return false;
    double root = sqrt(pivot);
    scale[c] = 1 / root;
    tile[c][c] = root;
    for (int r = c + 1; r < 4; r++)
      tile[c][r] *= scale[c];
  }
  return true;
}

// Factors `columns` columns of `rows` rows, the first on the diagonal; rows is a multiple of 4.
static bool factor_columns(const kernels *kernel, double *panel, long ld, long rows, int columns)
{
  for (int j = 0; j < columns; j += 4) {
    int width = columns - j < 4 ? columns - j : 4;
    double *corner = panel + j * ld + j, tile[4][4], scale[4];
    if (j > 0)
      kernel->strip(corner, ld, rows - j, width, panel + j, panel + j, ld, j);
    for (int c = 0; c < width; c++)
      memcpy(tile[c], corner + c * ld, sizeof tile[c]);
    if (!factor_tile(tile, scale, width))
      return false;
    for (int c = 0; c < width; c++)
      memcpy(corner + c * ld, tile[c], sizeof tile[c]);
    kernel->solve_rows(corner + 4, ld, rows - j - 4, width, tile, scale);
  }
  return true;
}

// c -= a a' in the lower triangle of the first `columns` columns, k columns of a.
static void update_columns(const kernels *kernel, double *c, long ldc, long rows, int columns,
                           const double *a, long ld, int k)
{
  for (long first = 0; first < rows; first += BLOCK_ROWS) {
    long end = first + BLOCK_ROWS < rows ? first + BLOCK_ROWS : rows;
    for (int j = 0; j < columns && j < end; j += 4) {
      long i = j > first ? j : first;
      int width = columns - j < 4 ? columns - j : 4;
      kernel->strip(c + j * ldc + i, ldc, end - i, width, a + i, a + j, ld, k);
    }
  }
}

bool pc_front_factor(double *panel, double *update, int pivots, int below)
{
  kernels kernel = choose_kernels();
  long ld = pc_front_pad(pivots + below), ldu = pc_front_pad(below);
  for (int j = 0; j < pivots; j += BLOCK_COLUMNS) {
    int columns = pivots - j < BLOCK_COLUMNS ? pivots - j : BLOCK_COLUMNS;
    int next = j + columns;
    double *block = panel + j * ld;
    if (!factor_columns(&kernel, block + j, ld, ld - j, columns))
      return false;
    if (next < pivots)
      update_columns(&kernel, panel + next * ld + next, ld, ld - next, pivots - next, block + next,
                     ld, columns);
    if (below > 0)
      update_columns(&kernel, update, ldu, ldu, below, block + pivots, ld, columns);
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
  vec4 sum = {0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    sum += LOAD(vec4, a + i) * LOAD(vec4, b + i);
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
