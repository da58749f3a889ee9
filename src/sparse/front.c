// Dense Cholesky of one front, on tiles of 4 columns held in registers.
//
// Fronts of a few bodies are too small for BLAS, where one call costs as much as the whole front,
// and the OpenBLAS of Debian 12 does not use AVX on processors newer than itself. So the
// factorisation has its own kernels, compiled for each instruction set from one source. Every
// number is the same sum in the same order, without fused operations, so all of them give the same
// factor, bit for bit.
#include "sparse/front.h"

#include <math.h>
#include <string.h>

enum {
  BLOCK_COLUMNS = 64, // pivots eliminated at a time: a tile's columns fit in the first cache
  BLOCK_ROWS = 256    // rows per pass: 256 x 64 numbers fit in the second
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
  void (*forward)(const double *panel, long ld, int pivots, double *v);
  void (*forward_wide)(const double *panel, long ld, int pivots, double *v);
  void (*backward)(const double *panel, long ld, int pivots, double *v);
} kernels;

static kernels choose_kernels(void)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return (kernels){strip_avx512, solve_rows_avx512, forward_avx512, forward_wide_avx512,
                     backward_avx512};
  if (__builtin_cpu_supports("avx2"))
    return (kernels){strip_avx2, solve_rows_avx2, forward_avx2, forward_wide_avx2, backward_avx2};
#endif
  return (kernels){strip_plain, solve_rows_plain, forward_plain, forward_wide_plain,
                   backward_plain};
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

static bool factor_front(const kernels *kernel, double *panel, double *update, int pivots,
                         int below)
{
  long ld = pc_front_pad(pivots + below), ldu = pc_front_pad(below);
  for (int j = 0; j < pivots; j += BLOCK_COLUMNS) {
    int columns = pivots - j < BLOCK_COLUMNS ? pivots - j : BLOCK_COLUMNS;
    int next = j + columns;
    double *block = panel + j * ld;
    if (!factor_columns(kernel, block + j, ld, ld - j, columns))
      return false;
    if (next < pivots)
      update_columns(kernel, panel + next * ld + next, ld, ld - next, pivots - next, block + next,
                     ld, columns);
    if (below > 0)
      update_columns(kernel, update, ldu, ldu, below, block + pivots, ld, columns);
  }
  return true;
}

bool pc_front_factor(double *panel, double *update, int pivots, int below)
{
  kernels kernel = choose_kernels();
  return factor_front(&kernel, panel, update, pivots, below);
}

void pc_front_subtract(double *c, long ldc, long rows, int columns, const double *a,
                       const double *b, long ld, int k)
{
  kernels kernel = choose_kernels();
  for (long first = 0; first < rows; first += BLOCK_ROWS) {
    long height = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
    for (int j = 0; j < columns; j += 4) {
      int width = columns - j < 4 ? columns - j : 4;
      kernel.strip(c + j * ldc + first, ldc, height, width, a + first, b + j, ld, k);
    }
  }
}

void pc_front_forward(const double *panel, int pivots, int below, double *v)
{
  kernels kernel = choose_kernels();
  kernel.forward(panel, pc_front_pad(pivots + below), pivots, v);
}

void pc_front_forward_wide(const double *panel, int pivots, int below, double *v)
{
  kernels kernel = choose_kernels();
  kernel.forward_wide(panel, pc_front_pad(pivots + below), pivots, v);
}

void pc_front_backward(const double *panel, int pivots, int below, double *v)
{
  kernels kernel = choose_kernels();
  kernel.backward(panel, pc_front_pad(pivots + below), pivots, v);
}
