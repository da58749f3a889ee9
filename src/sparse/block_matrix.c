// Builds the pattern of a block matrix from pairs, and multiplies with it.
#include "sparse/block_matrix.h"

#include "core/error.h"

#include <limits.h>
#include <string.h>

static pc_status check(int rows, const int *size, const int (*pairs)[2], long count,
                       pc_error *error)
{
  if (rows < 0 || count < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a block matrix needs rows >= 0 and pairs >= 0");
  long total = 0;
  for (int i = 0; i < rows; i++) {
    if (size[i] < 1 || size[i] > PC_BLOCK_MAX)
      return pc_fail(error, PC_ERROR_ARGUMENT, "block row %d has size %d, not 1 to %d", i, size[i],
                     PC_BLOCK_MAX);
    total += size[i];
  }
  if (total > INT_MAX)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a block matrix has more than %d numbers", INT_MAX);
  for (long k = 0; k < count; k++) {
    int i = pairs[k][0], j = pairs[k][1];
    if (i < 0 || i >= rows || j < 0 || j >= rows)
      return pc_fail(error, PC_ERROR_ARGUMENT, "pair %ld is (%d, %d), outside 0 to %d", k, i, j,
                     rows - 1);
  }
  return PC_OK;
}

// Turns the counts at[1..n] into starts.
static void accumulate(long *at, int n)
{
  for (int i = 0; i < n; i++)
    at[i + 1] += at[i];
}

// Two bucket sorts: by column, then, in that order, by row. So every row gets its columns
// ascending, in time linear in the pairs. sorted[row_at[i]] .. are the columns of row i, repeats
// included.
static void sort_pairs(int rows, const int (*pairs)[2], long count, long *column_at, long *row_at,
                       int *by_column, int *sorted)
{
  for (long k = 0; k < count; k++) {
    int i = pairs[k][0], j = pairs[k][1];
    if (i != j) {
      column_at[(i < j ? i : j) + 1]++;
      row_at[(i < j ? j : i) + 1]++;
    }
  }
  accumulate(column_at, rows);
  accumulate(row_at, rows);
  for (long k = 0; k < count; k++) {
    int i = pairs[k][0], j = pairs[k][1];
    if (i != j)
      by_column[column_at[i < j ? i : j]++] = i < j ? j : i;
  }
  // Filling moved each start to the next one, so column j now begins where column j - 1 ends.
  for (int j = 0; j < rows; j++)
    for (long k = j == 0 ? 0 : column_at[j - 1]; k < column_at[j]; k++)
      sorted[row_at[by_column[k]]++] = j;
  memmove(row_at + 1, row_at, (size_t)rows * sizeof *row_at);
  row_at[0] = 0;
}

static long count_blocks(int rows, const long *row_at, const int *sorted)
{
  long blocks = rows;
  for (int i = 0; i < rows; i++)
    for (long k = row_at[i]; k < row_at[i + 1]; k++)
      blocks += k == row_at[i] || sorted[k] != sorted[k - 1];
  return blocks;
}

static void fill_pattern(pc_block_matrix *matrix, const int *size, const long *row_at,
                         const int *sorted)
{
  int blocks = 0;
  matrix->row[0] = 0;
  matrix->start[0] = 0;
  matrix->offset[0] = 0;
  for (int i = 0; i < matrix->rows; i++) {
    matrix->size[i] = size[i];
    matrix->start[i + 1] = matrix->start[i] + size[i];
    for (long k = row_at[i]; k <= row_at[i + 1]; k++) {
      int j = k < row_at[i + 1] ? sorted[k] : i;
      if (k > row_at[i] && j == sorted[k - 1])
        continue;
      matrix->column[blocks] = j;
      matrix->offset[blocks + 1] = matrix->offset[blocks] + (long)size[i] * size[j];
      blocks++;
    }
    matrix->row[i + 1] = blocks;
  }
}

pc_status pc_block_matrix_create(pc_block_matrix *matrix, int rows, const int *size,
                                 const int (*pairs)[2], long count, pc_error *error)
{
  memset(matrix, 0, sizeof *matrix);
  pc_status status = check(rows, size, pairs, count, error);
  if (status != PC_OK)
    return status;

  pc_arena scratch = {0}, *arena = &matrix->arena;
  size_t ends = (size_t)rows + 1;
  long *column_at = pc_arena_take(&scratch, ends, sizeof *column_at);
  long *row_at = pc_arena_take(&scratch, ends, sizeof *row_at);
  int *by_column = pc_arena_take_raw(&scratch, (size_t)count, sizeof *by_column);
  int *sorted = pc_arena_take_raw(&scratch, (size_t)count, sizeof *sorted);
  long blocks = 0;
  if (!scratch.failed) {
    sort_pairs(rows, pairs, count, column_at, row_at, by_column, sorted);
    blocks = count_blocks(rows, row_at, sorted);
  }
  if (blocks >= INT_MAX) {
    pc_arena_free(&scratch);
    return pc_fail(error, PC_ERROR_ARGUMENT, "a block matrix has more than %d blocks", INT_MAX);
  }
  matrix->rows = rows;
  matrix->size = pc_arena_take_raw(arena, ends, sizeof *matrix->size);
  matrix->start = pc_arena_take_raw(arena, ends, sizeof *matrix->start);
  matrix->row = pc_arena_take_raw(arena, ends, sizeof *matrix->row);
  matrix->column = pc_arena_take_raw(arena, (size_t)blocks, sizeof *matrix->column);
  matrix->offset = pc_arena_take_raw(arena, (size_t)blocks + 1, sizeof *matrix->offset);
  if (!scratch.failed && !arena->failed) {
    fill_pattern(matrix, size, row_at, sorted);
    matrix->value = pc_arena_take(arena, (size_t)matrix->offset[blocks], sizeof *matrix->value);
  }
  pc_arena_free(&scratch);
  if (matrix->value != NULL)
    return PC_OK;
  pc_block_matrix_free(matrix);
  return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a block matrix of %d rows", rows);
}

void pc_block_matrix_free(pc_block_matrix *matrix)
{
  pc_arena_free(&matrix->arena);
  memset(matrix, 0, sizeof *matrix);
}

void pc_block_matrix_clear(pc_block_matrix *matrix)
{
  if (matrix->rows > 0) {
    long numbers = matrix->offset[matrix->row[matrix->rows]];
    memset(matrix->value, 0, (size_t)numbers * sizeof *matrix->value);
  }
}

long pc_block_matrix_find(const pc_block_matrix *matrix, int i, int j)
{
  int low = matrix->row[i], high = matrix->row[i + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < matrix->row[i + 1] && matrix->column[low] == j ? low : -1;
}

// y_i += B x_j and y_j += B' x_i. Inlined once with constant sizes, so that the common 6 x 6 block
// is unrolled.
static inline void multiply_block(const double *b, int m, int n, const double *xi, const double *xj,
                                  double *yi, double *yj)
{
  double column_sum[PC_BLOCK_MAX] = {0};
  for (int r = 0; r < m; r++) {
    double sum = 0;
    for (int c = 0; c < n; c++) {
      sum += b[r * n + c] * xj[c];
      column_sum[c] += b[r * n + c] * xi[r];
    }
    yi[r] += sum;
  }
  for (int c = 0; c < n; c++)
    yj[c] += column_sum[c];
}

void pc_block_matrix_multiply(const pc_block_matrix *matrix, const double *x, double *y)
{
  const int *start = matrix->start;
  if (matrix->rows > 0)
    memset(y, 0, (size_t)start[matrix->rows] * sizeof *y);
  for (int i = 0; i < matrix->rows; i++) {
    int m = matrix->size[i];
    const double *xi = x + start[i];
    double *yi = y + start[i];
    int diagonal = matrix->row[i + 1] - 1;
    for (int k = matrix->row[i]; k < diagonal; k++) {
      int j = matrix->column[k], n = matrix->size[j];
      const double *b = matrix->value + matrix->offset[k];
      if (m == 6 && n == 6)
        multiply_block(b, 6, 6, xi, x + start[j], yi, y + start[j]);
      else
        multiply_block(b, m, n, xi, x + start[j], yi, y + start[j]);
    }
    const double *b = matrix->value + matrix->offset[diagonal];
    for (int r = 0; r < m; r++)
      for (int c = 0; c < m; c++)
        yi[r] += b[r * m + c] * xi[c];
  }
}

void pc_block_matrix_diagonal(const pc_block_matrix *matrix, double *diagonal)
{
  for (int i = 0; i < matrix->rows; i++) {
    int n = matrix->size[i];
    const double *block = matrix->value + matrix->offset[matrix->row[i + 1] - 1];
    for (int r = 0; r < n; r++)
      diagonal[matrix->start[i] + r] = block[r * n + r];
  }
}

void pc_block_matrix_each(const pc_block_matrix *matrix,
                          void visit(void *context, int r, int c, long at), void *context)
{
  for (int i = 0; i < matrix->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1]; k++) {
      int j = matrix->column[k], m = matrix->size[i], n = matrix->size[j];
      for (int r = 0; r < m; r++)
        for (int c = 0; c < (i == j ? r + 1 : n); c++)
          visit(context, matrix->start[i] + r, matrix->start[j] + c,
                matrix->offset[k] + (long)r * n + c);
    }
}
