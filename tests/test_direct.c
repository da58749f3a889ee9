// Direct solution of symmetric systems, definite and saddle points, against LAPACK.
#include "support.h"

#include <stdbool.h>
#include <string.h>

#include "sparse/direct.h"

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

typedef struct dense {
  int n;
  const double *value;
  double *a;
} dense;

static void put(void *context, int r, int c, long at)
{
  dense *d = context;
  d->a[r * d->n + c] = d->a[c * d->n + r] = d->value[at];
}

// Nodes with two velocities, every third one with a multiplier too; neighbours in a ring with
// chords. A is I plus sums of squares, B is anything, C is 0.
static void random_system(pc_random *random, int nodes, bool saddle, pc_block_matrix *matrix,
                          signed char *sign)
{
  int size[64] = {0}, pair[200][2], pairs = 0, numbers = 0;
  for (int i = 0; i < nodes; i++) {
    size[i] = saddle && i % 3 == 0 ? 3 : 2;
    for (int k = 0; k < size[i]; k++)
      sign[numbers++] = k < 2 ? 1 : -1;
    pair[pairs][0] = i, pair[pairs++][1] = (i + 1) % nodes;
    pair[pairs][0] = i, pair[pairs++][1] = pc_random_below(random, nodes);
  }
  pc_error error = {0};
  assert_int_equal(
      pc_block_matrix_create(matrix, nodes, size, (const int(*)[2])pair, pairs, &error), PC_OK);
  for (int p = 0; p < pairs; p++) {
    int i = pair[p][0] > pair[p][1] ? pair[p][0] : pair[p][1], j = pair[p][0] + pair[p][1] - i;
    if (i == j)
      continue;
    double b[4], stiff = pow(10, pc_random_uniform(random, -2, 2));
    for (int k = 0; k < 4; k++)
      b[k] = pc_random_uniform(random, -1, 1);
    double *ii = matrix->value + matrix->offset[pc_block_matrix_find(matrix, i, i)];
    double *jj = matrix->value + matrix->offset[pc_block_matrix_find(matrix, j, j)];
    double *ij = matrix->value + matrix->offset[pc_block_matrix_find(matrix, i, j)];
    for (int r = 0; r < 2; r++)
      for (int c = 0; c < 2; c++) {
        ii[r * size[i] + c] += stiff * b[r] * b[c] + (r == c);
        jj[r * size[j] + c] += stiff * b[2 + r] * b[2 + c] + (r == c);
        ij[r * size[j] + c] += stiff * b[r] * b[2 + c];
      }
    for (int k = 0; k < 2 && size[j] == 3; k++)
      ij[k * 3 + 2] += pc_random_uniform(random, -1, 1);
    for (int k = 0; k < 2 && size[i] == 3; k++)
      ij[2 * size[j] + k] += pc_random_uniform(random, -1, 1);
  }
}

static void solutions_agree_with_lapack(void **state)
{
  pc_random random = test_random(__func__);
  double worst = 0;
  for (int turn = 0; turn < test_count(100); turn++) {
    bool saddle = turn % 2;
    int nodes = 5 + turn % 40;
    pc_block_matrix matrix;
    signed char sign[200];
    random_system(&random, nodes, saddle, &matrix, sign);
    int n = matrix.start[nodes], one = 1, info, pivot[200];
    double *a = calloc((size_t)(n * n), sizeof *a), x[200], want[200], residual;
    assert_non_null(a);
    pc_block_matrix_each(&matrix, put, &(dense){n, matrix.value, a});
    for (int i = 0; i < n; i++)
      x[i] = want[i] = pc_random_uniform(&random, -1, 1);
    dgesv_(&n, &one, a, &n, pivot, want, &n, &info);
    assert_int_equal(info, 0);
    pc_error error = {0};
    pc_direct *direct = pc_direct_analyze(&matrix, saddle ? sign : NULL, 0, &error);
    assert_non_null(direct);
    assert_int_equal(pc_direct_factor(direct, &matrix, &error), PC_OK);
    assert_int_equal(pc_direct_solve(direct, x, &residual, &error), PC_OK);
    worst = fmax(worst, residual);
    double size = 0;
    for (int i = 0; i < n; i++)
      size = fmax(size, fabs(want[i]));
    for (int i = 0; i < n; i++)
      assert_near(x[i], want[i], 1e-8 * size);
    pc_direct_destroy(direct);
    pc_block_matrix_free(&matrix);
    free(a);
  }
  printf("largest residual %.1e\n", worst);
  assert_true(worst < 1e-14);
}

// Rows that are kept for last, with or without blocks between them: their response is that of the
// whole matrix, and solutions do not change.
static void responses_of_kept_rows_agree_with_lapack(void **state)
{
  pc_random random = test_random(__func__);
  double worst = 0;
  for (int turn = 0; turn < test_count(100); turn++) {
    bool saddle = turn % 2;
    int nodes = 6 + turn % 40, kept = 1 + pc_random_below(&random, nodes);
    int vectors = 1 + pc_random_below(&random, 3 * kept);
    pc_block_matrix matrix;
    signed char sign[200];
    random_system(&random, nodes, saddle, &matrix, sign);
    int n = matrix.start[nodes], info, pivot[200];
    double *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)(n * vectors), sizeof *b);
    double *x = calloc((size_t)(n * vectors), sizeof *x), *value = calloc(6 * 200, sizeof *value);
    double *w = calloc((size_t)(vectors * vectors), sizeof *w);
    int first[200];
    pc_block_part part[400];
    assert_true(a && b && x && value && w && vectors < 200);
    first[0] = 0;
    for (int i = 0; i < vectors; i++) { // two parts, of velocities only
      for (int p = 0; p < 2; p++) {
        int row = nodes - 1 - pc_random_below(&random, kept);
        double *to = value + 6 * i + 3 * p;
        for (int k = 0; k < 2; k++) {
          to[k] = pc_random_uniform(&random, -1, 1);
          b[i * n + matrix.start[row] + k] += to[k];
        }
        part[2 * i + p] = (pc_block_part){row, to};
      }
      first[i + 1] = 2 * i + 2;
    }
    pc_block_matrix_each(&matrix, put, &(dense){n, matrix.value, a});
    memcpy(x, b, (size_t)(n * vectors) * sizeof *x);
    dgesv_(&n, &vectors, a, &n, pivot, x, &n, &info);
    assert_int_equal(info, 0);
    pc_error error = {0};
    pc_direct *direct = pc_direct_analyze(&matrix, saddle ? sign : NULL, kept, &error);
    assert_non_null(direct);
    assert_int_equal(pc_direct_response(direct, vectors, first, part, w, &error),
                     PC_ERROR_ARGUMENT);
    assert_int_equal(pc_direct_factor(direct, &matrix, &error), PC_OK);
    assert_int_equal(pc_direct_response(direct, vectors, first, part, w, &error), PC_OK);
    double size = 0, off = 0;
    for (int i = 0; i < vectors; i++)
      for (int j = 0; j < vectors; j++) {
        double want = 0;
        for (int k = 0; k < n; k++)
          want += b[i * n + k] * x[j * n + k];
        size = fmax(size, fabs(want));
        off = fmax(off, fabs(want - w[i * vectors + j]));
        assert_true(w[i * vectors + j] == w[j * vectors + i]);
      }
    worst = fmax(worst, saddle ? 0 : off / size);
    assert_true(off <= (saddle ? 1e-5 : 1e-11) * size);
    if (kept < nodes) {
      part[0].row = 0;
      assert_int_equal(pc_direct_response(direct, vectors, first, part, w, &error),
                       PC_ERROR_ARGUMENT);
    }
    assert_int_equal(pc_direct_solve(direct, b, NULL, &error), PC_OK);
    size = 0;
    for (int i = 0; i < n; i++)
      size = fmax(size, fabs(x[i]));
    for (int i = 0; i < n; i++)
      assert_near(b[i], x[i], 1e-8 * size);
    pc_direct_destroy(direct);
    pc_block_matrix_free(&matrix);
    free(a);
    free(b);
    free(x);
    free(value);
    free(w);
  }
  printf("largest error of a definite response %.1e\n", worst);
}

static void matrices_that_are_not_definite_are_refused(void **state)
{
  pc_block_matrix matrix;
  pc_error error = {0};
  assert_int_equal(
      pc_block_matrix_create(&matrix, 2, (int[]){1, 1}, (const int[][2]){{0, 1}}, 1, &error),
      PC_OK);
  pc_direct *direct = pc_direct_analyze(&matrix, NULL, 0, &error);
  assert_non_null(direct);
  assert_int_equal(pc_direct_solve(direct, (double[]){1, 1}, NULL, &error), PC_ERROR_ARGUMENT);
  matrix.value[0] = 1, matrix.value[1] = 2, matrix.value[2] = 1;
  assert_int_equal(pc_direct_factor(direct, &matrix, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "positive definite"));
  pc_direct_destroy(direct);
  pc_block_matrix_free(&matrix);
}

// Two multipliers with one condition: a solution, if both ask for the same, with equal multipliers.
static void redundant_conditions_that_agree_are_solved(void **state)
{
  pc_block_matrix matrix;
  pc_error error = {0};
  const signed char sign[3] = {1, -1, -1};
  assert_int_equal(pc_block_matrix_create(&matrix, 3, (int[]){1, 1, 1},
                                          (const int[][2]){{0, 1}, {0, 2}}, 2, &error),
                   PC_OK);
  matrix.value[0] = 2;
  matrix.value[matrix.offset[pc_block_matrix_find(&matrix, 1, 0)]] = 1;
  matrix.value[matrix.offset[pc_block_matrix_find(&matrix, 2, 0)]] = 1;
  pc_direct *direct = pc_direct_analyze(&matrix, sign, 0, &error);
  assert_non_null(direct);
  assert_int_equal(pc_direct_factor(direct, &matrix, &error), PC_OK);
  double x[3] = {4, 3, 3}, residual;
  assert_int_equal(pc_direct_solve(direct, x, &residual, &error), PC_OK);
  assert_near(x[0], 3, 1e-12);
  assert_near(x[1], -1, 1e-6);
  assert_near(x[2], -1, 1e-6);
  double against[3] = {4, 3, 5};
  assert_int_equal(pc_direct_solve(direct, against, &residual, &error), PC_ERROR_NUMERIC);
  pc_direct_destroy(direct);
  pc_block_matrix_free(&matrix);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_agree_with_lapack),
      cmocka_unit_test(responses_of_kept_rows_agree_with_lapack),
      cmocka_unit_test(matrices_that_are_not_definite_are_refused),
      cmocka_unit_test(redundant_conditions_that_agree_are_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
