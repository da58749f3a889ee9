// Block matrices against dense ones, and the factorisations against LAPACK and residuals.
#include "sparse/block_matrix.h"
#include "sparse/cholesky.h"
// NOLINTNEXTLINE(bugprone-suspicious-include): for the kernels of each instruction set
#include "sparse/front.c"
#include "sparse/lu.h"
#include "support.h"

void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info, size_t uplo_length);

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

static uint64_t seed = 20240611;

// A pattern being built.
typedef struct pairs {
  long count, room;
  int (*at)[2];
} pairs;

static void add_pair(pairs *p, int i, int j)
{
  if (p->count == p->room) {
    p->room = 2 * p->room + 16;
    p->at = realloc(p->at, (size_t)p->room * sizeof *p->at);
    assert_non_null(p->at);
  }
  p->at[p->count][0] = i;
  p->at[p->count][1] = j;
  p->count++;
}

static double *new_numbers(long n)
{
  double *x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

// A = I + sum over pairs of B' T B, like the matrices of the impact solver: 3 rows per pair, with
// stiffness 10^low .. 10^high.
static void fill_values(pc_block_matrix *matrix, const pairs *p, double low, double high,
                        pc_random *random)
{
  pc_block_matrix_clear(matrix);
  for (int i = 0; i < matrix->rows; i++) {
    double *d = matrix->value + matrix->offset[matrix->row[i + 1] - 1];
    for (int r = 0; r < matrix->size[i]; r++)
      d[r * matrix->size[i] + r] = 1;
  }
  for (long k = 0; k < p->count; k++) {
    int i = p->at[k][0] > p->at[k][1] ? p->at[k][0] : p->at[k][1];
    int j = p->at[k][0] + p->at[k][1] - i;
    if (i == j)
      continue;
    int m = matrix->size[i], n = matrix->size[j];
    double *ii = matrix->value + matrix->offset[pc_block_matrix_find(matrix, i, i)];
    double *jj = matrix->value + matrix->offset[pc_block_matrix_find(matrix, j, j)];
    double *ij = matrix->value + matrix->offset[pc_block_matrix_find(matrix, i, j)];
    for (int row = 0; row < 3; row++) {
      double bi[6], bj[6], t = pow(10, pc_random_uniform(random, low, high));
      for (int r = 0; r < m; r++)
        bi[r] = pc_random_uniform(random, -1, 1);
      for (int r = 0; r < n; r++)
        bj[r] = pc_random_uniform(random, -1, 1);
      for (int r = 0; r < m; r++)
        for (int c = 0; c < m; c++)
          ii[r * m + c] += t * bi[r] * bi[c];
      for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
          jj[r * n + c] += t * bj[r] * bj[c];
      for (int r = 0; r < m; r++)
        for (int c = 0; c < n; c++)
          ij[r * n + c] += t * bi[r] * bj[c];
    }
  }
}

static double *to_dense(const pc_block_matrix *matrix)
{
  long n = matrix->start[matrix->rows];
  double *dense = new_numbers(n * n);
  for (int i = 0; i < matrix->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
      int j = matrix->column[k];
      for (int r = 0; r < matrix->size[i]; r++)
        for (int c = 0; c < matrix->size[j]; c++) {
          double v = matrix->value[matrix->offset[k] + r * matrix->size[j] + c];
          long a = matrix->start[i] + r, b = matrix->start[j] + c;
          dense[a * n + b] = v;
          dense[b * n + a] = v;
        }
    }
  return dense;
}

static void create(pc_block_matrix *matrix, int rows, const int *size, const pairs *p)
{
  pc_error error = {0};
  pc_status status =
      pc_block_matrix_create(matrix, rows, size, (const int(*)[2])p->at, p->count, &error);
  assert_ok(status, &error);
}

static pc_cholesky *analyze(const pc_block_matrix *matrix)
{
  pc_error error = {0};
  pc_cholesky *factor = pc_cholesky_analyze(matrix, 0, &error);
  if (!factor)
    fail_msg("%s", error.text);
  return factor;
}

static double norm(const double *x, long n)
{
  double largest = 0;
  for (long i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
  return largest;
}

// Largest row sum of |A|.
static double matrix_norm(const pc_block_matrix *matrix)
{
  long n = matrix->start[matrix->rows];
  double *sum = new_numbers(n);
  for (int i = 0; i < matrix->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
      int j = matrix->column[k];
      for (int r = 0; r < matrix->size[i]; r++)
        for (int c = 0; c < matrix->size[j]; c++) {
          double v = fabs(matrix->value[matrix->offset[k] + r * matrix->size[j] + c]);
          sum[matrix->start[i] + r] += v;
          if (i != j)
            sum[matrix->start[j] + c] += v;
        }
    }
  double largest = norm(sum, n);
  free(sum);
  return largest;
}

// Solves with a factor that holds this matrix, and checks the backward error
// |Ax - b| / (|A| |x| + |b|) and, if asked, the difference from LAPACK.
static void check_solve(pc_cholesky *factor, const pc_block_matrix *matrix, bool dense,
                        pc_random *random)
{
  int n = matrix->start[matrix->rows], one = 1, info = 0;
  double *b = new_numbers(n), *x = new_numbers(n), *r = new_numbers(n);
  for (int i = 0; i < n; i++)
    x[i] = b[i] = pc_random_normal(random);
  pc_cholesky_solve(factor, x);
  pc_block_matrix_multiply(matrix, x, r);
  for (int i = 0; i < n; i++)
    r[i] -= b[i];
  double backward = norm(r, n) / (matrix_norm(matrix) * norm(x, n) + norm(b, n));
  if (!(backward < 1e-14))
    fail_msg("backward error %g with %d numbers", backward, n);
  if (dense) {
    double *a = to_dense(matrix), *y = new_numbers(n);
    memcpy(y, b, (size_t)n * sizeof *y);
    dposv_("L", &n, &one, a, &n, y, &n, &info, 1);
    assert_int_equal(info, 0);
    for (int i = 0; i < n; i++)
      r[i] = y[i] - x[i];
    if (!(norm(r, n) <= 1e-10 * norm(y, n)))
      fail_msg("differs from LAPACK by %g with %d numbers", norm(r, n) / norm(y, n), n);
    free(a);
    free(y);
  }
  free(b);
  free(x);
  free(r);
}

// x' A^-1 x of vectors that are zero nearly everywhere, against solutions.
static void check_energies(pc_cholesky *factor, const pc_block_matrix *matrix, pc_random *random)
{
  enum { VECTORS = 19, PARTS = 3 };
  int n = matrix->start[matrix->rows], first[VECTORS + 1] = {0};
  pc_block_part part[VECTORS * PARTS];
  double *value = new_numbers(6 * VECTORS * PARTS), *x = new_numbers(n), *y = new_numbers(n);
  double energy[VECTORS];
  pc_error error;
  for (int i = 0; i < 6 * VECTORS * PARTS; i++)
    value[i] = pc_random_normal(random);
  for (int v = 0; v < VECTORS; v++) {
    int parts = v == 5 || matrix->rows == 0 ? 0 : 1 + pc_random_below(random, PARTS);
    first[v + 1] = first[v] + parts;
    for (int i = first[v]; i < first[v + 1]; i++)
      part[i] = (pc_block_part){pc_random_below(random, matrix->rows), value + 6 * i};
  }
  assert_int_equal(pc_cholesky_energies(factor, VECTORS, first, part, energy, &error), PC_OK);
  for (int v = 0; v < VECTORS; v++) {
    double sum = 0;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = first[v]; i < first[v + 1]; i++)
      for (int j = 0; j < matrix->size[part[i].row]; j++)
        x[matrix->start[part[i].row] + j] += part[i].value[j];
    memcpy(y, x, (size_t)n * sizeof *x);
    pc_cholesky_solve(factor, y);
    for (int i = 0; i < n; i++)
      sum += x[i] * y[i];
    if (!(fabs(energy[v] - sum) <= 1e-10 * sum))
      fail_msg("%g instead of %g with %d numbers", energy[v], sum, n);
  }
  free(value);
  free(x);
  free(y);
}

// Factors the pattern with a few sets of values on one analysis.
static void check_pattern(int rows, const int *size, const pairs *p, bool dense, pc_random *random)
{
  pc_block_matrix matrix;
  create(&matrix, rows, size, p);
  pc_cholesky *factor = analyze(&matrix);
  for (int repeat = 0; repeat < 3; repeat++) {
    fill_values(&matrix, p, -2, 2, random);
    assert_int_equal(pc_cholesky_factor(factor, &matrix), PC_OK);
    check_solve(factor, &matrix, dense, random);
    check_energies(factor, &matrix, random);
  }
  fill_values(&matrix, p, 0, 13, random); // as stiff as the interior point method makes it
  assert_int_equal(pc_cholesky_factor(factor, &matrix), PC_OK);
  check_solve(factor, &matrix, false, random);
  pc_cholesky_destroy(factor);
  pc_block_matrix_free(&matrix);
}

static int *sizes(int rows, int low, int high, pc_random *random)
{
  int *size = malloc(((size_t)rows + 1) * sizeof *size);
  assert_non_null(size);
  for (int i = 0; i < rows; i++)
    size[i] = low + pc_random_below(random, high - low + 1);
  return size;
}

static pc_random start_random(uint64_t number)
{
  pc_random random;
  pc_random_seed(&random, seed + number);
  return random;
}

static pairs random_pairs(int rows, long count, pc_random *random)
{
  pairs p = {0};
  for (long k = 0; k < count; k++)
    add_pair(&p, pc_random_below(random, rows), pc_random_below(random, rows));
  return p;
}

static pairs grid_pairs(int nx, int ny, int nz)
{
  pairs p = {0};
  for (int x = 0; x < nx; x++)
    for (int y = 0; y < ny; y++)
      for (int z = 0; z < nz; z++) {
        int i = (x * ny + y) * nz + z;
        if (x + 1 < nx)
          add_pair(&p, i, i + ny * nz);
        if (y + 1 < ny)
          add_pair(&p, i + nz, i);
        if (z + 1 < nz)
          add_pair(&p, i, i + 1);
      }
  return p;
}

static pairs dense_pairs(int rows)
{
  pairs p = {0};
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < i; j++)
      add_pair(&p, i, j);
  return p;
}

static void find_and_multiply_agree_with_a_dense_matrix(void **state)
{
  pc_random random = start_random(1);
  for (int trial = 0; trial < 50; trial++) {
    int rows = 1 + pc_random_below(&random, 20);
    int *size = sizes(rows, 1, 6, &random);
    pairs p = random_pairs(rows, pc_random_below(&random, 60), &random);
    char there[20][20] = {{0}};
    for (long k = 0; k < p.count; k++)
      there[p.at[k][0]][p.at[k][1]] = there[p.at[k][1]][p.at[k][0]] = 1;
    pc_block_matrix matrix;
    create(&matrix, rows, size, &p);
    for (int i = 0; i < rows; i++) {
      assert_int_equal(matrix.column[matrix.row[i + 1] - 1], i);
      for (int k = matrix.row[i] + 1; k < matrix.row[i + 1]; k++)
        assert_true(matrix.column[k - 1] < matrix.column[k]);
      for (int j = 0; j <= i; j++) {
        long k = pc_block_matrix_find(&matrix, i, j);
        assert_int_equal(k >= 0, i == j || there[i][j]);
        if (k >= 0) {
          assert_int_equal(matrix.column[k], j);
          assert_int_equal(matrix.offset[k + 1] - matrix.offset[k], size[i] * size[j]);
        }
      }
    }
    fill_values(&matrix, &p, -2, 2, &random);
    int n = matrix.start[rows];
    double *dense = to_dense(&matrix), *x = new_numbers(n), *y = new_numbers(n);
    for (int i = 0; i < n; i++)
      x[i] = pc_random_normal(&random);
    pc_block_matrix_multiply(&matrix, x, y);
    for (int i = 0; i < n; i++) {
      double sum = 0, scale = 0;
      for (int j = 0; j < n; j++) {
        sum += dense[(long)i * n + j] * x[j];
        scale += fabs(dense[(long)i * n + j] * x[j]);
      }
      assert_true(fabs(y[i] - sum) <= 1e-14 * scale);
    }
    free(dense);
    free(x);
    free(y);
    free(size);
    free(p.at);
    pc_block_matrix_free(&matrix);
  }
}

static void bad_sizes_and_pairs_are_reported(void **state)
{
  pc_block_matrix matrix;
  pc_error error = {0};
  const int good[2] = {6, 3}, wide[2] = {6, 7}, none[2] = {0, 3};
  const int outside[1][2] = {{0, 2}}, negative[1][2] = {{-1, 0}};
  assert_int_equal(pc_block_matrix_create(&matrix, 2, wide, NULL, 0, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "size 7"));
  assert_int_equal(pc_block_matrix_create(&matrix, 2, none, NULL, 0, NULL), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_block_matrix_create(&matrix, 2, good, outside, 1, NULL), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_block_matrix_create(&matrix, 2, good, negative, 1, NULL), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_block_matrix_create(&matrix, -1, good, NULL, 0, NULL), PC_ERROR_ARGUMENT);
  pc_block_matrix_free(&matrix); // an error leaves it empty
}

static void random_patterns_of_mixed_blocks_are_solved(void **state)
{
  pc_random random = start_random(2);
  for (int trial = 0; trial < 150; trial++) {
    int rows = 1 + pc_random_below(&random, trial < 100 ? 12 : 60);
    int low = 1 + pc_random_below(&random, 6), high = low + pc_random_below(&random, 7 - low);
    int *size = sizes(rows, low, high, &random);
    pairs p = random_pairs(rows, pc_random_below(&random, 4 * rows + 1), &random);
    check_pattern(rows, size, &p, true, &random);
    free(size);
    free(p.at);
  }
}

static void every_small_front_size_is_factored(void **state)
{
  pc_random random = start_random(3);
  // Dense matrices of 1 to 70 numbers cross all tile remainders and a block of pivots.
  for (int n = 1; n <= 70; n++) {
    int *size = sizes(n, 1, 1, &random);
    pairs p = dense_pairs(n);
    check_pattern(n, size, &p, true, &random);
    free(size);
    free(p.at);
  }
}

static void an_empty_matrix_is_solved(void **state)
{
  pairs p = {0};
  pc_block_matrix matrix;
  int size[1] = {1};
  double x[1] = {3};
  create(&matrix, 0, size, &p);
  pc_cholesky *factor = analyze(&matrix);
  assert_int_equal(pc_cholesky_factor(factor, &matrix), PC_OK);
  pc_cholesky_solve(factor, x);
  assert_true(x[0] == 3);
  pc_cholesky_destroy(factor);
  pc_cholesky_destroy(NULL);
  pc_block_matrix_free(&matrix);
}

static void disconnected_pieces_are_solved(void **state)
{
  pc_random random = start_random(4);
  int rows = 100;
  int *size = sizes(rows, 1, 6, &random);
  pairs p = {0};
  for (int i = 0; i < rows; i++) // ten islands, interleaved, and some lone bodies
    if (i % 7 != 0 && i + 10 < rows && (i + 10) % 7 != 0) {
      add_pair(&p, i, i + 10);
      if (i + 30 < rows && (i + 30) % 7 != 0)
        add_pair(&p, i, i + 30);
    }
  check_pattern(rows, size, &p, true, &random);
  free(size);
  free(p.at);
}

static void chains_and_rings_are_solved(void **state)
{
  pc_random random = start_random(5);
  for (int ring = 0; ring < 2; ring++) {
    int rows = 120;
    int *size = sizes(rows, ring ? 3 : 6, 6, &random);
    pairs p = {0};
    for (int i = 0; i + 1 < rows; i++)
      add_pair(&p, i, i + 1);
    if (ring)
      add_pair(&p, 0, rows - 1);
    check_pattern(rows, size, &p, true, &random);
    free(size);
    free(p.at);
  }
}

static void arrows_are_solved(void **state)
{
  pc_random random = start_random(6);
  for (int tip = 0; tip < 100; tip += 49) { // the wall that all bodies touch: first, middle, last
    int rows = 99;
    int *size = sizes(rows, 1, 6, &random);
    pairs p = {0};
    for (int i = 0; i < rows; i++)
      add_pair(&p, i, tip);
    check_pattern(rows, size, &p, true, &random);
    free(size);
    free(p.at);
  }
}

static void grids_are_solved(void **state)
{
  pc_random random = start_random(7);
  int *size = sizes(2000, 6, 6, &random);
  pairs small = grid_pairs(5, 4, 5), large = grid_pairs(12, 12, 13);
  check_pattern(100, size, &small, true, &random);
  check_pattern(12 * 12 * 13, size, &large, false, &random); // large enough for METIS
  free(size);
  free(small.at);
  free(large.at);
}

static void long_chains_are_solved(void **state)
{
  pc_random random = start_random(8);
  int rows = 20000; // deep trees must not exhaust anything
  int *size = sizes(rows, 1, 6, &random);
  pairs p = {0};
  for (int i = 0; i + 1 < rows; i++)
    add_pair(&p, i, i + 1);
  check_pattern(rows, size, &p, false, &random);
  free(size);
  free(p.at);
}

static void a_dense_matrix_costs_what_a_dense_factorisation_costs(void **state)
{
  pc_random random = start_random(9);
  int rows = 70;
  int *size = sizes(rows, 6, 6, &random);
  pairs p = dense_pairs(rows);
  pc_block_matrix matrix;
  create(&matrix, rows, size, &p);
  pc_cholesky *factor = analyze(&matrix);
  double n = 6.0 * rows;
  assert_true(pc_cholesky_flops(factor) == n * (n + 1) * (2 * n + 1) / 6);
  pc_cholesky_destroy(factor);
  pc_block_matrix_free(&matrix);
  check_pattern(rows, size, &p, true, &random);
  free(size);
  free(p.at);
}

// Spoils one number, expects an error, repairs it, and expects success: in small fronts, in
// a dense one, and far down a tree.
static void indefinite_and_nan_matrices_are_reported(void **state)
{
  pc_random random = start_random(10);
  for (int kind = 0; kind < 3; kind++) {
    int rows = kind == 0 ? 20 : kind == 1 ? 40 : 400;
    int *size = sizes(rows, 1, 6, &random);
    pairs p = kind == 1   ? dense_pairs(rows)
              : kind == 0 ? random_pairs(rows, 2 * rows, &random)
                          : grid_pairs(20, 20, 1);
    pc_block_matrix matrix;
    create(&matrix, rows, size, &p);
    fill_values(&matrix, &p, -2, 2, &random);
    pc_cholesky *factor = analyze(&matrix);
    for (int trial = 0; trial < 60; trial++) {
      const double bad[5] = {-1, 0, NAN, INFINITY, -INFINITY};
      int i = pc_random_below(&random, rows), r = pc_random_below(&random, size[i]);
      double *spot = matrix.value + matrix.offset[matrix.row[i + 1] - 1] + r * size[i] + r;
      if (trial % 2) { // a number off the diagonal: any value that is not finite
        int block = matrix.row[i] + pc_random_below(&random, matrix.row[i + 1] - matrix.row[i]);
        int n = size[matrix.column[block]];
        int c = matrix.column[block] == i ? pc_random_below(&random, r + 1)
                                          : pc_random_below(&random, n);
        spot = matrix.value + matrix.offset[block] + r * n + c;
      }
      double kept = *spot;
      *spot = bad[trial % 2 ? 2 + pc_random_below(&random, 3) : pc_random_below(&random, 5)];
      if (pc_cholesky_factor(factor, &matrix) != PC_ERROR_NUMERIC)
        fail_msg("kind %d, trial %d: %g passed for positive definite", kind, trial, *spot);
      *spot = kept;
      assert_int_equal(pc_cholesky_factor(factor, &matrix), PC_OK);
    }
    check_solve(factor, &matrix, kind != 2, &random);
    pc_cholesky_destroy(factor);
    pc_block_matrix_free(&matrix);
    free(size);
    free(p.at);
  }
}

static void another_pattern_is_refused(void **state)
{
  const int size[3] = {2, 2, 2};
  pairs one = {0}, two = {0};
  add_pair(&one, 0, 1);
  add_pair(&two, 0, 1);
  add_pair(&two, 1, 2);
  pc_block_matrix a, b, c;
  create(&a, 3, size, &one);
  create(&b, 3, size, &two);
  create(&c, 2, size, &one);
  pc_cholesky *factor = analyze(&a);
  assert_int_equal(pc_cholesky_factor(factor, &b), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_cholesky_factor(factor, &c), PC_ERROR_ARGUMENT);
  pc_cholesky_destroy(factor);
  pc_block_matrix_free(&a);
  pc_block_matrix_free(&b);
  pc_block_matrix_free(&c);
  free(one.at);
  free(two.at);
}

static void the_same_matrix_gives_the_same_bits(void **state)
{
  pc_random random = start_random(11);
  int nx[3] = {3, 6, 11};
  for (int k = 0; k < 3; k++) {
    int rows = nx[k] * nx[k] * nx[k];
    int *size = sizes(rows, 5, 6, &random);
    pairs p = grid_pairs(nx[k], nx[k], nx[k]);
    pc_block_matrix matrix;
    create(&matrix, rows, size, &p);
    fill_values(&matrix, &p, 0, 8, &random);
    int n = matrix.start[rows];
    double *b = new_numbers(n), *x[3];
    for (int i = 0; i < n; i++)
      b[i] = pc_random_normal(&random);
    pc_cholesky *factor = NULL;
    for (int run = 0; run < 3; run++) {
      x[run] = new_numbers(n);
      memcpy(x[run], b, (size_t)n * sizeof *b);
      srand((unsigned)run); // METIS uses the C library's numbers
      if (run < 2) {        // two analyses, then a second factorisation on the last one
        pc_cholesky_destroy(factor);
        factor = analyze(&matrix);
      }
      assert_int_equal(pc_cholesky_factor(factor, &matrix), PC_OK);
      pc_cholesky_solve(factor, x[run]);
      assert_memory_equal(x[run], x[0], (size_t)n * sizeof *b);
    }
    for (int run = 0; run < 3; run++)
      free(x[run]);
    pc_cholesky_destroy(factor);
    pc_block_matrix_free(&matrix);
    free(b);
    free(size);
    free(p.at);
  }
}

// Without this the same run would differ from one computer to the next.
static void all_instruction_sets_give_the_same_bits(void **state)
{
  kernels sets[3] = {
      {strip_plain, solve_rows_plain, forward_plain, forward_wide_plain, backward_plain}};
  int count = 1;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    sets[count++] =
        (kernels){strip_avx2, solve_rows_avx2, forward_avx2, forward_wide_avx2, backward_avx2};
  if (__builtin_cpu_supports("avx512f"))
    sets[count++] = (kernels){strip_avx512, solve_rows_avx512, forward_avx512, forward_wide_avx512,
                              backward_avx512};
#endif
  printf("%d instruction sets\n", count);
  pc_random random = start_random(12);
  for (int trial = 0; trial < 300; trial++) {
    int pivots = 1 + pc_random_below(&random, trial < 250 ? 30 : 200);
    int below = pc_random_below(&random, trial < 250 ? 40 : 300);
    long ld = pc_front_pad(pivots + below), ldu = pc_front_pad(below);
    long panel_numbers = ld * pivots + PC_FRONT_SLACK, update_numbers = ldu * below;
    double *given = new_numbers(panel_numbers), *x = new_numbers(ld);
    for (int j = 0; j < pivots; j++)
      for (int i = j; i < pivots + below; i++)
        given[j * ld + i] = i == j ? 2.0 * pivots : pc_random_uniform(&random, -1, 1);
    for (int i = 0; i < pivots + below; i++)
      x[i] = pc_random_normal(&random);
    double *panel[3], *update[3], *v[3], *w[3];
    for (int k = 0; k < count; k++) {
      panel[k] = new_numbers(panel_numbers);
      update[k] = new_numbers(update_numbers);
      v[k] = new_numbers(ld);
      w[k] = new_numbers(ld);
      memcpy(panel[k], given, (size_t)panel_numbers * sizeof *given);
      memcpy(v[k], x, (size_t)ld * sizeof *x);
      memcpy(w[k], x, (size_t)ld * sizeof *x);
      assert_true(factor_front(&sets[k], panel[k], update[k], pivots, below));
      double *wide = new_numbers(PC_FRONT_WIDE * ld);
      for (int i = 0; i < ld; i++)
        for (int c = 0; c < PC_FRONT_WIDE; c++)
          wide[PC_FRONT_WIDE * i + c] = (c + 1) % 4 * x[i];
      sets[k].forward_wide(panel[k], ld, pivots, wide);
      sets[k].forward(panel[k], ld, pivots, v[k]);
      for (int i = 0; i < pivots + below; i++) {
        assert_memory_equal(&wide[PC_FRONT_WIDE * i], &v[k][i], sizeof *x);
        for (int c = 0; c < PC_FRONT_WIDE; c++) // twice and three times as much
          assert_true(fabs(wide[PC_FRONT_WIDE * i + c] - (c + 1) % 4 * v[k][i]) <=
                      1e-12 * norm(v[k], (int)ld));
      }
      free(wide);
      sets[k].backward(panel[k], ld, pivots, w[k]);
      for (int j = 0; j < pivots; j++)
        assert_memory_equal(panel[k] + j * ld + j, panel[0] + j * ld + j,
                            (size_t)(pivots + below - j) * sizeof *x);
      for (int j = 0; j < below; j++)
        assert_memory_equal(update[k] + j * ldu + j, update[0] + j * ldu + j,
                            (size_t)(below - j) * sizeof *x);
      assert_memory_equal(v[k], v[0], (size_t)(pivots + below) * sizeof *x);
      assert_memory_equal(w[k], w[0], (size_t)(pivots + below) * sizeof *x);
    }
    for (int k = 0; k < count; k++) {
      free(panel[k]);
      free(update[k]);
      free(v[k]);
      free(w[k]);
    }
    free(given);
    free(x);
  }
}

// Any numbers, but diagonal blocks large enough for any order of the block rows; their large
// entries stand on the other diagonal, so that rows must change places.
static void fill_unsymmetric(pc_block_matrix *matrix, double *upper, pc_random *random)
{
  int degree[200] = {0};
  for (int i = 0; i < matrix->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
      degree[i]++;
      degree[matrix->column[k]]++;
      for (long a = matrix->offset[k]; a < matrix->offset[k + 1]; a++) {
        matrix->value[a] = pc_random_uniform(random, -1, 1);
        upper[a] = pc_random_uniform(random, -1, 1);
      }
    }
  for (int i = 0; i < matrix->rows; i++) {
    double *d = matrix->value + matrix->offset[matrix->row[i + 1] - 1];
    int m = matrix->size[i];
    for (int r = 0; r < m; r++) {
      d[r * m + r] = 0;
      d[r * m + m - 1 - r] = (8.0 + 4.0 * degree[i]) * (r % 2 == 0 ? 1 : -1);
    }
  }
}

// Column by column, for LAPACK.
static double *to_dense_unsymmetric(const pc_block_matrix *matrix, const double *upper)
{
  long n = matrix->start[matrix->rows];
  double *dense = new_numbers(n * n);
  for (int i = 0; i < matrix->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
      int j = matrix->column[k];
      for (int r = 0; r < matrix->size[i]; r++)
        for (int c = 0; c < matrix->size[j]; c++) {
          long at = matrix->offset[k] + r * matrix->size[j] + c;
          long a = matrix->start[i] + r, b = matrix->start[j] + c;
          dense[b * n + a] = matrix->value[at];
          if (i != j)
            dense[a * n + b] = upper[at];
        }
    }
  return dense;
}

static void check_unsymmetric(int rows, const int *size, const pairs *p, pc_random *random)
{
  pc_block_matrix matrix;
  create(&matrix, rows, size, p);
  pc_error error = {0};
  pc_lu *lu = pc_lu_analyze(&matrix, 0, NULL, &error);
  assert_non_null(lu);
  pc_arena arena = {0}; // what it hands out need not be zero
  memset(pc_arena_take(&arena, 1 << 16, 1), 0xff, 1 << 16);
  pc_arena_reset(&arena);
  pc_lu *other = pc_lu_analyze(&matrix, 0, &arena, &error);
  assert_non_null(other);
  int n = matrix.start[rows], one = 1, info = 0;
  double *upper = new_numbers(matrix.offset[matrix.row[rows]]);
  double *b = new_numbers(n), *x = new_numbers(n), *y = new_numbers(n);
  int *pivot = malloc((size_t)n * sizeof *pivot);
  assert_non_null(pivot);
  for (int repeat = 0; repeat < 3; repeat++) {
    fill_unsymmetric(&matrix, upper, random);
    assert_int_equal(pc_lu_factor(lu, &matrix, upper), PC_OK);
    for (int i = 0; i < n; i++)
      x[i] = y[i] = b[i] = pc_random_normal(random);
    pc_lu_solve(lu, x);
    assert_int_equal(pc_lu_factor(other, &matrix, upper), PC_OK);
    pc_lu_solve(other, y);
    assert_memory_equal(x, y, (size_t)n * sizeof *x);
    double *a = to_dense_unsymmetric(&matrix, upper);
    dgesv_(&n, &one, a, &n, pivot, b, &n, &info);
    assert_int_equal(info, 0);
    double difference = 0;
    for (int i = 0; i < n; i++)
      difference = fmax(difference, fabs(x[i] - b[i]));
    if (!(difference <= 1e-12 * norm(b, n)))
      fail_msg("differs from LAPACK by %g with %d numbers", difference / norm(b, n), n);
    int sign = 1;
    for (int i = 0; i < n; i++)
      sign *= (a[i * n + i] < 0) != (pivot[i] != i + 1) ? -1 : 1;
    assert_int_equal(pc_lu_sign(lu), sign);
    free(a);
  }
  pc_lu_destroy(lu);
  pc_lu_destroy(other);
  pc_arena_free(&arena);
  free(pivot);
  free(upper);
  free(b);
  free(x);
  free(y);
  pc_block_matrix_free(&matrix);
}

static void unsymmetric_matrices_are_solved(void **state)
{
  pc_random random = start_random(30);
  for (int trial = 0; trial < 120; trial++) {
    int rows = 1 + pc_random_below(&random, trial < 80 ? 12 : 80);
    int low = 1 + pc_random_below(&random, 6), high = low + pc_random_below(&random, 7 - low);
    int *size = sizes(rows, low, high, &random);
    pairs p = random_pairs(rows, pc_random_below(&random, 4 * rows + 1), &random);
    check_unsymmetric(rows, size, &p, &random);
    free(size);
    free(p.at);
  }
  const int grid[3][3] = {{60, 1, 1}, {10, 10, 1}, {5, 5, 5}};
  for (int i = 0; i < 3; i++) {
    pairs p = grid_pairs(grid[i][0], grid[i][1], grid[i][2]);
    int rows = grid[i][0] * grid[i][1] * grid[i][2], *size = sizes(rows, 6, 6, &random);
    check_unsymmetric(rows, size, &p, &random);
    free(size);
    free(p.at);
  }
  pairs p = dense_pairs(30);
  int *size = sizes(30, 1, 6, &random);
  check_unsymmetric(30, size, &p, &random);
  free(size);
  free(p.at);
}

static void a_singular_unsymmetric_matrix_is_reported(void **state)
{
  pc_block_matrix matrix;
  const int size[2] = {3, 3}, pair[1][2] = {{0, 1}};
  assert_int_equal(pc_block_matrix_create(&matrix, 2, size, pair, 1, NULL), PC_OK);
  pc_lu *lu = pc_lu_analyze(&matrix, 0, NULL, NULL);
  assert_non_null(lu);
  assert_int_equal(pc_lu_factor(lu, &matrix, matrix.value), PC_ERROR_NUMERIC);
  matrix.value[0] = NAN;
  assert_int_equal(pc_lu_factor(lu, &matrix, matrix.value), PC_ERROR_NUMERIC);
  pc_lu_destroy(lu);
  pc_block_matrix_free(&matrix);
}

// The last rows of a random matrix, all of which touch each other, against a dense Schur
// complement.
static void check_reduction(int rows, int kept, const int *size, pairs *p, pc_random *random)
{
  for (int i = rows - kept; i < rows; i++)
    for (int j = rows - kept; j < i; j++)
      add_pair(p, i, j);
  pc_block_matrix matrix;
  create(&matrix, rows, size, p);
  fill_values(&matrix, p, -2, 2, random);
  for (int i = rows - kept; i < rows; i++) { // what is kept need not be definite
    double *d = matrix.value + matrix.offset[matrix.row[i + 1] - 1];
    for (int r = 0; r < size[i]; r++)
      d[r * size[i] + r] = pc_random_normal(random);
  }
  double *a = to_dense(&matrix);
  int n = matrix.start[rows], free_numbers = matrix.start[rows - kept], info = 0;
  int columns = n - free_numbers;
  double *top = new_numbers((long)free_numbers * free_numbers);
  double *x = new_numbers((long)free_numbers * columns);
  for (int i = 0; i < free_numbers; i++) {
    memcpy(top + (long)i * free_numbers, a + (long)i * n, (size_t)free_numbers * sizeof *top);
    for (int c = 0; c < columns; c++)
      x[(long)c * free_numbers + i] = a[(long)(free_numbers + c) * n + i];
  }
  if (free_numbers > 0)
    dposv_("L", &free_numbers, &columns, top, &free_numbers, x, &free_numbers, &info, 1);
  assert_int_equal(info, 0);
  pc_error error = {0};
  assert_ok(pc_cholesky_reduce(&matrix, kept, &error), &error);
  double *after = to_dense(&matrix), limit = 1e-10 * matrix_norm(&matrix);
  for (int r = 0; r < columns; r++)
    for (int c = 0; c < columns; c++) {
      double want = a[(long)(free_numbers + r) * n + free_numbers + c];
      for (int i = 0; i < free_numbers; i++)
        want -= a[(long)(free_numbers + r) * n + i] * x[(long)c * free_numbers + i];
      double got = after[(long)(free_numbers + r) * n + free_numbers + c];
      if (!(fabs(got - want) <= limit))
        fail_msg("%d rows, %d kept: %g, not %g", rows, kept, got, want);
    }
  free(a);
  free(after);
  free(top);
  free(x);
  pc_block_matrix_free(&matrix);
}

static void matrices_are_reduced_to_their_last_rows(void **state)
{
  for (int k = 0; k < 60; k++) {
    pc_random random = start_random(7000 + (uint64_t)k);
    int rows = 1 + pc_random_below(&random, 40), kept = 1 + pc_random_below(&random, rows);
    int *size = sizes(rows, 1, 6, &random);
    pairs p = random_pairs(rows, 3 * rows, &random);
    check_reduction(rows, kept, size, &p, &random);
    free(size);
    free(p.at);
  }
  pc_random random = start_random(7100);
  int *size = sizes(512, 3, 3, &random);
  pairs p = grid_pairs(8, 8, 8);
  check_reduction(512, 64, size, &p, &random);
  free(size);
  free(p.at);
}

int main(void)
{
  if (getenv("PERCUSS_SEED"))
    seed = strtoull(getenv("PERCUSS_SEED"), NULL, 10);
  printf("seed %llu (set PERCUSS_SEED to change it)\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(find_and_multiply_agree_with_a_dense_matrix),
      cmocka_unit_test(bad_sizes_and_pairs_are_reported),
      cmocka_unit_test(random_patterns_of_mixed_blocks_are_solved),
      cmocka_unit_test(every_small_front_size_is_factored),
      cmocka_unit_test(an_empty_matrix_is_solved),
      cmocka_unit_test(disconnected_pieces_are_solved),
      cmocka_unit_test(chains_and_rings_are_solved),
      cmocka_unit_test(arrows_are_solved),
      cmocka_unit_test(grids_are_solved),
      cmocka_unit_test(long_chains_are_solved),
      cmocka_unit_test(a_dense_matrix_costs_what_a_dense_factorisation_costs),
      cmocka_unit_test(indefinite_and_nan_matrices_are_reported),
      cmocka_unit_test(another_pattern_is_refused),
      cmocka_unit_test(the_same_matrix_gives_the_same_bits),
      cmocka_unit_test(all_instruction_sets_give_the_same_bits),
      cmocka_unit_test(unsymmetric_matrices_are_solved),
      cmocka_unit_test(a_singular_unsymmetric_matrix_is_reported),
      cmocka_unit_test(matrices_are_reduced_to_their_last_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
