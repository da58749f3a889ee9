// The response of contacts to percussions, W = J M^-1 J^T, for a mass matrix of any kind.
//
// M falls into pieces that do not touch each other, mostly single bodies. Each is factored by LU,
// in blocks of six numbers, and answers the rows that touch it.
#include "scene/fclib_condense.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "sparse/lu.h"

// A piece of M and the rows of J in its velocities.
typedef struct piece {
  int n;
  const pc_fclib_entry *first; // of M, in the piece's own numbers
  long entries;
  pc_block_matrix matrix;
  double *upper; // the transposes of the blocks above the diagonal
  pc_lu *lu;
  double *x, *rest; // n
} piece;

static void free_piece(piece *p)
{
  pc_lu_destroy(p->lu);
  pc_block_matrix_free(&p->matrix);
}

static pc_status factor(pc_arena *arena, piece *p, pc_error *error)
{
  int blocks = (p->n + PC_BLOCK_MAX - 1) / PC_BLOCK_MAX;
  int *size = pc_arena_take(arena, (size_t)blocks, sizeof *size);
  int(*pairs)[2] = pc_arena_take(arena, (size_t)p->entries + 1, sizeof *pairs);
  p->x = pc_arena_take(arena, (size_t)p->n, sizeof(double));
  p->rest = pc_arena_take(arena, (size_t)p->n, sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int b = 0; b < blocks; b++)
    size[b] = b + 1 < blocks ? PC_BLOCK_MAX : p->n - PC_BLOCK_MAX * b;
  for (long k = 0; k < p->entries; k++) {
    pairs[k][0] = p->first[k].row / PC_BLOCK_MAX;
    pairs[k][1] = p->first[k].column / PC_BLOCK_MAX;
  }
  pc_status status =
      pc_block_matrix_create(&p->matrix, blocks, size, (const int(*)[2])pairs, p->entries, error);
  if (status != PC_OK)
    return status;
  pc_block_matrix *m = &p->matrix;
  p->upper = pc_arena_take(arena, (size_t)m->offset[m->row[m->rows]], sizeof(double));
  p->lu = arena->failed ? NULL : pc_lu_analyze(m, 0, NULL, error);
  if (p->lu == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (long k = 0; k < p->entries; k++) {
    pc_fclib_entry e = p->first[k];
    int i = e.row / PC_BLOCK_MAX, j = e.column / PC_BLOCK_MAX;
    int r = e.row % PC_BLOCK_MAX, c = e.column % PC_BLOCK_MAX;
    if (i >= j)
      m->value[m->offset[pc_block_matrix_find(m, i, j)] + r * size[j] + c] = e.value;
    else
      p->upper[m->offset[pc_block_matrix_find(m, j, i)] + c * size[i] + r] = e.value;
  }
  return pc_lu_factor(p->lu, m, p->upper);
}

// x = M^-1 b, with one step of refinement.
static void answer(piece *p, const double *b)
{
  memcpy(p->x, b, sizeof(double) * (size_t)p->n);
  pc_lu_solve(p->lu, p->x);
  memcpy(p->rest, b, sizeof(double) * (size_t)p->n);
  for (long k = 0; k < p->entries; k++)
    p->rest[p->first[k].row] -= p->first[k].value * p->x[p->first[k].column];
  pc_lu_solve(p->lu, p->rest);
  for (int i = 0; i < p->n; i++)
    p->x[i] += p->rest[i];
}

// Entries by the piece they belong to: first[g] .. first[g + 1], in order.
typedef struct grouped {
  long *first;
  pc_fclib_entry *entries;
} grouped;

// Groups entries by the piece of their column, which becomes its number in the piece; of M also the
// row.
static grouped group(pc_arena *arena, const pc_fclib_partition *pieces, const pc_fclib_matrix *m,
                     bool both)
{
  grouped g = {pc_arena_take(arena, (size_t)pieces->groups + 2, sizeof(long)),
               pc_arena_take(arena, (size_t)m->count + 1, sizeof(pc_fclib_entry))};
  if (arena->failed)
    return g;
  for (long k = 0; k < m->count; k++)
    g.first[pieces->group[m->entries[k].column] + 2]++;
  for (int p = 0; p < pieces->groups; p++)
    g.first[p + 2] += g.first[p + 1];
  for (long k = 0; k < m->count; k++) {
    pc_fclib_entry e = m->entries[k];
    long at = g.first[pieces->group[e.column] + 1]++;
    g.entries[at] = (pc_fclib_entry){.row = both ? pieces->place[e.row] : e.row,
                                     .column = pieces->place[e.column],
                                     .value = e.value};
  }
  return g;
}

// Rows of J in a list of entries, which is in order: where the next one begins.
static long end_of_row(const pc_fclib_entry *list, long from, long end)
{
  long to = from;
  while (to < end && list[to].row == list[from].row)
    to++;
  return to;
}

pc_status pc_fclib_condense(pc_arena *arena, const pc_fclib_matrix *mass,
                            const pc_fclib_matrix *rows, const double *f, double *velocity,
                            pc_fclib_matrix *response, pc_error *error)
{
  static const double most = 1 << 28; // numbers of W
  pc_fclib_partition pieces = pc_fclib_cut_pieces(arena, mass);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  grouped m = group(arena, &pieces, mass, true), j = group(arena, &pieces, rows, false);
  double numbers = 0;
  for (int g = 0; g < pieces.groups && !arena->failed; g++) {
    double here = 0;
    for (long k = j.first[g]; k < j.first[g + 1]; k = end_of_row(j.entries, k, j.first[g + 1]))
      here++;
    numbers += here * here;
  }
  if (numbers > most)
    return pc_fail(error, PC_ERROR_INPUT,
                   "M is not symmetric, and the problem is too large to condense");
  *response = (pc_fclib_matrix){rows->rows, rows->rows, 0, NULL};
  response->entries = pc_arena_take(arena, (size_t)numbers + 1, sizeof(pc_fclib_entry));
  double *load = pc_arena_take(arena, (size_t)mass->rows, sizeof *load);
  int *member = pc_arena_take(arena, (size_t)mass->rows, sizeof *member);
  int *start = pc_arena_take(arena, (size_t)pieces.groups + 1, sizeof *start);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int g = 0; g < pieces.groups; g++)
    start[g + 1] = start[g] + pieces.size[g];
  for (int i = 0; i < mass->rows; i++)
    member[start[pieces.group[i]] + pieces.place[i]] = i;
  pc_status status = PC_OK;
  for (int g = 0; g < pieces.groups && status == PC_OK; g++) {
    pc_arena_mark mark = pc_arena_mark_here(arena);
    piece p = {.n = pieces.size[g],
               .first = m.entries + m.first[g],
               .entries = m.first[g + 1] - m.first[g]};
    long end = j.first[g + 1], next;
    status = factor(arena, &p, error);
    if (status == PC_ERROR_NUMERIC)
      status = pc_fail(error, PC_ERROR_INPUT, "M is singular");
    if (status == PC_OK) {
      for (int i = 0; i < p.n; i++)
        load[i] = f[member[start[g] + i]];
      answer(&p, load);
      for (long k = j.first[g]; k < end; k++)
        velocity[j.entries[k].row] += j.entries[k].value * p.x[j.entries[k].column];
    }
    // A column of W: what all rows of the piece feel of one.
    for (long of = j.first[g]; of < end && status == PC_OK; of = next) {
      next = end_of_row(j.entries, of, end);
      memset(load, 0, sizeof *load * (size_t)p.n);
      for (long k = of; k < next; k++)
        load[j.entries[k].column] = j.entries[k].value;
      answer(&p, load);
      for (long k = j.first[g], to; k < end; k = to) {
        to = end_of_row(j.entries, k, end);
        double sum = 0;
        for (long i = k; i < to; i++)
          sum += j.entries[i].value * p.x[j.entries[i].column];
        if (!isfinite(sum))
          status = pc_fail(error, PC_ERROR_INPUT, "M is singular");
        response->entries[response->count++] =
            (pc_fclib_entry){j.entries[k].row, j.entries[of].row, 0, sum};
      }
    }
    free_piece(&p);
    pc_arena_take_back(arena, mark);
  }
  return status;
}
