#include "sparse/direct.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sparse/cholesky.h"
#include "sparse/lu.h"

static const double REGULAR = 1e-8; // of the diagonal of B A^-1 B'
static const double GOOD = 1e-15;   // no more refinement
static const double USEFUL = 1e-10; // the answer is one
enum { REFINEMENTS = 20 };

struct pc_direct {
  pc_arena arena; // of all arrays
  int numbers;
  signed char *sign; // NULL: positive definite
  pc_cholesky *cholesky;
  pc_lu *lu;
  const pc_block_matrix *matrix;
  double *value;               // of the matrix made quasi-definite
  double *shift;               // d, and scratch
  double *right, *rest, *step; // scratch of the refinement
};

pc_direct *pc_direct_analyze(const pc_block_matrix *pattern, const signed char *sign, int kept,
                             pc_error *error)
{
  pc_direct *d = calloc(1, sizeof *d);
  if (d != NULL) {
    int n = d->numbers = pattern->start[pattern->rows];
    size_t values = (size_t)pattern->offset[pattern->row[pattern->rows]];
    double **part[] = {&d->shift, &d->right, &d->rest, &d->step};
    for (int i = 0; i < 4; i++)
      *part[i] = pc_arena_take(&d->arena, (size_t)n, sizeof(double));
    d->sign = pc_arena_copy(&d->arena, sign, n, 1);
    if (sign != NULL)
      d->value = pc_arena_take_raw(&d->arena, values, sizeof *d->value);
  }
  if (d == NULL || d->arena.failed)
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a factorisation");
  else if (sign != NULL)
    d->lu = pc_lu_analyze(pattern, kept, NULL, error);
  else
    d->cholesky = pc_cholesky_analyze(pattern, kept, error);
  if (d != NULL && (d->lu != NULL || d->cholesky != NULL))
    return d;
  pc_direct_destroy(d);
  return NULL;
}

void pc_direct_destroy(pc_direct *d)
{
  if (d == NULL)
    return;
  pc_cholesky_destroy(d->cholesky);
  pc_lu_destroy(d->lu);
  pc_arena_free(&d->arena);
  free(d);
}

// d_r = REGULAR times the sum over c of b_rc^2 / a_cc, r in C and c in A: cheap, of the right size.
static void add_shift(void *context, int r, int c, long at)
{
  pc_direct *d = context;
  if (d->sign[r] == d->sign[c])
    return;
  int multiplier = d->sign[r] < 0 ? r : c, other = r + c - multiplier;
  double b = d->value[at], diagonal = d->rest[other];
  if (diagonal > 0)
    d->shift[multiplier] += REGULAR * b * b / diagonal;
}

// Makes the copied values quasi-definite.
static void regularise(pc_direct *d, const pc_block_matrix *regular)
{
  memset(d->shift, 0, (size_t)d->numbers * sizeof *d->shift);
  pc_block_matrix_diagonal(regular, d->rest);
  pc_block_matrix_each(regular, add_shift, d);
  for (int i = 0; i < regular->rows; i++) {
    int n = regular->size[i], start = regular->start[i];
    double *block = d->value + regular->offset[regular->row[i + 1] - 1];
    for (int r = 0; r < n; r++)
      if (d->sign[start + r] < 0)
        block[r * n + r] -= d->shift[start + r];
  }
}

pc_status pc_direct_factor(pc_direct *d, const pc_block_matrix *matrix, pc_error *error)
{
  d->matrix = NULL;
  pc_status status;
  if (d->cholesky != NULL) {
    status = pc_cholesky_factor(d->cholesky, matrix);
  } else {
    pc_block_matrix regular = *matrix;
    if (matrix->start[matrix->rows] != d->numbers)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the matrix has a different size than its analysed pattern");
    regular.value = d->value;
    size_t values = (size_t)matrix->offset[matrix->row[matrix->rows]];
    memcpy(d->value, matrix->value, values * sizeof *d->value);
    regularise(d, &regular);
    status = pc_lu_factor(d->lu, &regular, regular.value);
  }
  if (status == PC_ERROR_ARGUMENT)
    return pc_fail(error, status, "the matrix has a different pattern than the analysed one");
  if (status != PC_OK)
    return pc_fail(error, status,
                   d->cholesky != NULL
                       ? "the matrix is not positive definite: a motion may be unconstrained"
                       : "the saddle-point system is singular: a motion may be unconstrained");
  d->matrix = matrix;
  return PC_OK;
}

typedef struct magnitudes {
  const double *value, *x;
  double *sum;
} magnitudes;

static void add_magnitude(void *context, int r, int c, long at)
{
  magnitudes *m = context;
  double a = fabs(m->value[at]);
  m->sum[r] += a * fabs(m->x[c]);
  if (r != c)
    m->sum[c] += a * fabs(m->x[r]);
}

// rest = b - A x; its size in each part, as the header says.
static double find_rest(pc_direct *d, const double *x)
{
  pc_block_matrix_multiply(d->matrix, x, d->rest);
  for (int i = 0; i < d->numbers; i++) {
    d->rest[i] = d->right[i] - d->rest[i];
    d->step[i] = fabs(d->right[i]);
  }
  magnitudes m = {d->matrix->value, x, d->step};
  pc_block_matrix_each(d->matrix, add_magnitude, &m);
  double rest[2] = {0}, whole[2] = {0};
  for (int i = 0; i < d->numbers; i++) {
    int part = d->sign != NULL && d->sign[i] < 0;
    rest[part] = fmax(rest[part], fabs(d->rest[i]));
    whole[part] = fmax(whole[part], d->step[i]);
    if (!isfinite(d->rest[i]))
      return INFINITY;
  }
  double size = 0;
  for (int part = 0; part < 2; part++)
    if (rest[part] > 0)
      size = fmax(size, rest[part] / whole[part]);
  return size;
}

static void apply(pc_direct *d, double *x)
{
  if (d->cholesky != NULL)
    pc_cholesky_solve(d->cholesky, x);
  else
    pc_lu_solve(d->lu, x);
}

pc_status pc_direct_solve(pc_direct *d, double *x, double *residual, pc_error *error)
{
  if (d->matrix == NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "factorise the system before solving it");
  size_t bytes = (size_t)d->numbers * sizeof *x;
  memcpy(d->right, x, bytes);
  apply(d, x);
  double size = find_rest(d, x);
  for (int turn = 0; turn < REFINEMENTS && size > GOOD; turn++) {
    memcpy(d->step, d->rest, bytes);
    apply(d, d->step);
    for (int i = 0; i < d->numbers; i++) {
      double before = x[i];
      x[i] += d->step[i];
      d->shift[i] = before; // to go back to
    }
    double next = find_rest(d, x);
    if (!(next < size)) {
      memcpy(x, d->shift, bytes);
      break;
    }
    bool slow = next > size / 2;
    size = next;
    if (slow)
      break;
  }
  if (residual != NULL)
    *residual = size;
  if (!(size <= USEFUL))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the linear system was solved with a relative error of %.1g only", size);
  return PC_OK;
}

pc_status pc_direct_response(const pc_direct *d, int vectors, const int *first,
                             const pc_block_part *part, double *w, pc_error *error)
{
  if (d->matrix == NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "factorise the system before computing a response");
  return d->cholesky != NULL ? pc_cholesky_response(d->cholesky, vectors, first, part, w, error)
                             : pc_lu_response(d->lu, vectors, first, part, w, error);
}

size_t pc_direct_memory(const pc_direct *d)
{
  return d->cholesky != NULL ? pc_cholesky_memory(d->cholesky) : pc_lu_memory(d->lu);
}
