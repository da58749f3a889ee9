// The tile kernels of front.c. No include guard: front.c includes this once per instruction set,
// with
//   KERNEL(name)   the name to give
//   KERNEL_TARGET  the function attribute that allows the instructions
//   KERNEL_VEC     the vector type, KERNEL_LANES numbers
//   KERNEL_COUNT   vectors per tile column
// A tile is 4 columns of KERNEL_LANES * KERNEL_COUNT rows, all in registers.

// c (rows x width, width <= 4) -= a (rows x k) b', where b has 4 rows and k columns. rows is a
// multiple of 4. Each number is the same sum in the same order, whatever the tile.
KERNEL_TARGET static void KERNEL(strip)(double *c, long ldc, long rows, int width, const double *a,
                                        const double *b, long ld, int k)
{
  // Columns past the width double the last one, and are not stored.
  double *c0 = c, *c1 = width > 1 ? c0 + ldc : c0;
  double *c2 = width > 2 ? c1 + ldc : c1, *c3 = width > 3 ? c2 + ldc : c2;
  long i = 0;

#define TILE(vec, count, lanes)                                                                    \
  for (; i + (count) * (lanes) <= rows; i += (count) * (lanes)) {                                  \
    vec s0[count], s1[count], s2[count], s3[count];                                                \
    for (int v = 0; v < (count); v++) {                                                            \
      s0[v] = LOAD(vec, c0 + i + v * (lanes));                                                     \
      s1[v] = LOAD(vec, c1 + i + v * (lanes));                                                     \
      s2[v] = LOAD(vec, c2 + i + v * (lanes));                                                     \
      s3[v] = LOAD(vec, c3 + i + v * (lanes));                                                     \
    }                                                                                              \
    const double *p = a + i, *q = b;                                                               \
    for (int l = 0; l < k; l++, p += ld, q += ld)                                                  \
      for (int v = 0; v < (count); v++) {                                                          \
        vec x = LOAD(vec, p + v * (lanes));                                                        \
        s0[v] -= x * q[0];                                                                         \
        s1[v] -= x * q[1];                                                                         \
        s2[v] -= x * q[2];                                                                         \
        s3[v] -= x * q[3];                                                                         \
      }                                                                                            \
    for (int v = 0; v < (count); v++) {                                                            \
      STORE(vec, c0 + i + v * (lanes), s0[v]);                                                     \
      if (width > 1)                                                                               \
        STORE(vec, c1 + i + v * (lanes), s1[v]);                                                   \
      if (width > 2)                                                                               \
        STORE(vec, c2 + i + v * (lanes), s2[v]);                                                   \
      if (width > 3)                                                                               \
        STORE(vec, c3 + i + v * (lanes), s3[v]);                                                   \
    }                                                                                              \
  }

  TILE(KERNEL_VEC, KERNEL_COUNT, KERNEL_LANES)
  if (KERNEL_LANES > 4)
    TILE(KERNEL_VEC, 1, KERNEL_LANES)
  if (KERNEL_COUNT * KERNEL_LANES > 4)
    TILE(vec4, 1, 4)
#undef TILE
}

// x <- x L^-T for rows of 4 columns at x, with the lower triangle of tile[column][row] and the
// reciprocals of its diagonal.
KERNEL_TARGET static void KERNEL(solve_rows)(double *x, long ld, long rows, int width,
                                             double tile[4][4], const double scale[4])
{
  if (width == 4) {
    for (long i = 0; i < rows; i += 4) {
      double *p = x + i;
      vec4 x0 = LOAD(vec4, p) * scale[0];
      vec4 x1 = (LOAD(vec4, p + ld) - x0 * tile[0][1]) * scale[1];
      vec4 x2 = (LOAD(vec4, p + 2 * ld) - x0 * tile[0][2] - x1 * tile[1][2]) * scale[2];
      vec4 x3 =
          (LOAD(vec4, p + 3 * ld) - x0 * tile[0][3] - x1 * tile[1][3] - x2 * tile[2][3]) * scale[3];
      STORE(vec4, p, x0);
      STORE(vec4, p + ld, x1);
      STORE(vec4, p + 2 * ld, x2);
      STORE(vec4, p + 3 * ld, x3);
    }
    return;
  }
  for (long i = 0; i < rows; i += 4)
    for (int c = 0; c < width; c++) {
      vec4 sum = LOAD(vec4, x + c * ld + i);
      for (int l = 0; l < c; l++)
        sum -= LOAD(vec4, x + l * ld + i) * tile[l][c];
      STORE(vec4, x + c * ld + i, sum * scale[c]);
    }
}

// v <- L^-1 v for one panel: v has the pivots and then the rows below, ld numbers in all. Goes by 4
// columns, whose triangle lies in the 4 rows of a tile.
KERNEL_TARGET static void KERNEL(forward)(const double *panel, long ld, int pivots, double *v)
{
  for (int j = 0; j < pivots; j += 4) {
    int width = pivots - j < 4 ? pivots - j : 4;
    const double *corner = panel + j * ld + j;
    double x[4] = {0};
    for (int c = 0; c < width; c++) {
      x[c] = v[j + c] / corner[c * ld + c];
      v[j + c] = x[c];
      for (int r = c + 1; r < 4; r++)
        v[j + r] -= corner[c * ld + r] * x[c];
    }
    const double *p0 = corner, *p1 = width > 1 ? p0 + ld : p0;
    const double *p2 = width > 2 ? p1 + ld : p1, *p3 = width > 3 ? p2 + ld : p2;
    for (long i = 4; i < ld - j; i += 4) {
      vec4 sum = LOAD(vec4, p0 + i) * x[0] + LOAD(vec4, p1 + i) * x[1] +
                 (LOAD(vec4, p2 + i) * x[2] + LOAD(vec4, p3 + i) * x[3]);
      STORE(vec4, v + j + i, LOAD(vec4, v + j + i) - sum);
    }
  }
}

// The same for 8 vectors side by side.
KERNEL_TARGET static void KERNEL(forward_wide)(const double *panel, long ld, int pivots, double *v)
{
  for (int j = 0; j < pivots; j += 4) {
    int width = pivots - j < 4 ? pivots - j : 4;
    const double *corner = panel + j * ld + j;
    double *w = v + 8 * (long)j;
    vec8 x[4] = {{0}};
    for (int c = 0; c < width; c++) {
      x[c] = LOAD(vec8, w + 8 * c) / corner[c * ld + c];
      STORE(vec8, w + 8 * c, x[c]);
      for (int r = c + 1; r < 4; r++)
        STORE(vec8, w + 8 * r, LOAD(vec8, w + 8 * r) - corner[c * ld + r] * x[c]);
    }
    const double *p0 = corner, *p1 = width > 1 ? p0 + ld : p0;
    const double *p2 = width > 2 ? p1 + ld : p1, *p3 = width > 3 ? p2 + ld : p2;
    for (long i = 4; i < ld - j; i++) {
      vec8 sum = p0[i] * x[0] + p1[i] * x[1] + (p2[i] * x[2] + p3[i] * x[3]);
      STORE(vec8, w + 8 * i, LOAD(vec8, w + 8 * i) - sum);
    }
  }
}

// The pivots of v <- L^-T v, given the rows below.
KERNEL_TARGET static void KERNEL(backward)(const double *panel, long ld, int pivots, double *v)
{
  for (int j = (pivots - 1) / 4 * 4; j >= 0; j -= 4) {
    int width = pivots - j < 4 ? pivots - j : 4;
    const double *corner = panel + j * ld + j;
    const double *p0 = corner, *p1 = width > 1 ? p0 + ld : p0;
    const double *p2 = width > 2 ? p1 + ld : p1, *p3 = width > 3 ? p2 + ld : p2;
    vec4 sum[4] = {{0}};
    for (long i = 4; i < ld - j; i += 4) {
      vec4 y = LOAD(vec4, v + j + i);
      sum[0] += LOAD(vec4, p0 + i) * y;
      sum[1] += LOAD(vec4, p1 + i) * y;
      sum[2] += LOAD(vec4, p2 + i) * y;
      sum[3] += LOAD(vec4, p3 + i) * y;
    }
    for (int c = width - 1; c >= 0; c--) {
      double x = v[j + c] - ((sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]));
      for (int r = c + 1; r < 4; r++)
        x -= corner[c * ld + r] * v[j + r];
      v[j + c] = x / corner[c * ld + c];
    }
  }
}
