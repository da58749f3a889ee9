#include "sparse/response.h"

#include <string.h>

#include "core/error.h"

// Pivots eliminated at a time, a multiple of 4, and vectors solved for at a time.
enum { BLOCK = 16, SLICE = 128 };

typedef struct slice {
  int pivots, count;
  long ld;
  double *v;        // count vectors, leading dimension ld
  double *left;     // a block of U, ld x BLOCK
  double *solution; // the numbers of a block in all vectors, ld x BLOCK
} slice;

// The numbers j .. j + width of all vectors, one vector per row.
static void turn_block(const slice *s, int j, int width)
{
  for (int c = 0; c < s->count; c++)
    for (int k = 0; k < width; k++)
      s->solution[k * s->ld + c] = s->v[c * s->ld + j + k];
}

// v <- L^-1 v
static void forward(const slice *s, pc_last_front f)
{
  long ld = s->ld;
  for (int j = 0; j < s->pivots; j += BLOCK) {
    int width = s->pivots - j < BLOCK ? s->pivots - j : BLOCK, next = j + width;
    for (int c = 0; c < s->count; c++) {
      double *v = s->v + c * ld;
      for (int k = j; k < next; k++) {
        const double *l = f.lower + k * ld;
        if (f.exchange == NULL)
          v[k] /= l[k];
        for (int r = k + 1; r < next; r++)
          v[r] -= l[r] * v[k];
      }
    }
    turn_block(s, j, width);
    if (next < s->pivots)
      pc_front_subtract(s->v + next, ld, ld - next, s->count, f.lower + j * ld + next, s->solution,
                        ld, width);
  }
}

// v <- U^-1 v
static void backward(const slice *s, pc_last_front f)
{
  long ld = s->ld;
  for (int j = (s->pivots - 1) / BLOCK * BLOCK; j >= 0; j -= BLOCK) {
    int width = s->pivots - j < BLOCK ? s->pivots - j : BLOCK, next = j + width;
    for (int c = 0; c < s->count; c++) {
      double *v = s->v + c * ld;
      for (int k = next - 1; k >= j; k--) {
        const double *u = f.upper + k * ld;
        for (int r = k + 1; r < next; r++)
          v[k] -= u[r] * v[r];
        v[k] /= u[k];
      }
    }
    if (j == 0)
      continue;
    turn_block(s, j, width);
    for (int r = 0; r < j; r++)
      for (int k = 0; k < width; k++)
        s->left[k * ld + r] = f.upper[r * ld + j + k];
    pc_front_subtract(s->v, ld, j, s->count, s->left, s->solution, ld, width);
  }
}

static void exchange_rows(const slice *s, const int *exchange)
{
  for (int c = 0; c < s->count; c++) {
    double *v = s->v + c * s->ld;
    for (int i = 0; i < s->pivots; i++) {
      double x = v[i];
      v[i] = v[exchange[i]];
      v[exchange[i]] = x;
    }
  }
}

// Where a part is among the pivots of the last front.
static int place_of(const pc_factor_plan *plan, const pc_block_part *part, int *size)
{
  int k = plan->place[part->row];
  *size = plan->start[k + 1] - plan->start[k];
  return plan->start[k] - plan->front[plan->fronts - 1].first;
}

static void respond(const pc_factor_plan *plan, pc_last_front f, slice *s, int from, int vectors,
                    const int *first, const pc_block_part *part, double *w)
{
  int size;
  memset(s->v, 0, (size_t)(s->ld * s->count) * sizeof *s->v);
  for (int c = 0; c < s->count; c++)
    for (int i = first[from + c]; i < first[from + c + 1]; i++) {
      double *v = s->v + c * s->ld + place_of(plan, &part[i], &size);
      for (int k = 0; k < size; k++)
        v[k] += part[i].value[k];
    }
  if (f.exchange != NULL)
    exchange_rows(s, f.exchange);
  forward(s, f);
  backward(s, f);
  for (int i = 0; i < vectors; i++)
    for (int c = 0; c < s->count; c++) {
      double sum = 0;
      for (int p = first[i]; p < first[i + 1]; p++) {
        const double *v = s->v + c * s->ld + place_of(plan, &part[p], &size);
        for (int k = 0; k < size; k++)
          sum += part[p].value[k] * v[k];
      }
      w[(size_t)i * (size_t)vectors + (size_t)(from + c)] = sum;
    }
}

pc_status pc_factor_plan_response(const pc_factor_plan *plan, pc_last_front front, int vectors,
                                  const int *first, const pc_block_part *part, double *w,
                                  pc_error *error)
{
  slice s = {.pivots = plan->fronts > 0 ? plan->front[plan->fronts - 1].pivots : 0};
  if (vectors == 0)
    return PC_OK;
  for (int i = first[0]; i < first[vectors]; i++) {
    int size;
    if (part[i].row < 0 || part[i].row >= plan->rows || place_of(plan, &part[i], &size) < 0)
      return pc_fail(error, PC_ERROR_ARGUMENT, "block row %d is not one of those kept",
                     part[i].row);
  }
  s.ld = pc_front_pad(s.pivots);
  int most = s.ld < SLICE ? (int)s.ld : SLICE;
  // Zeros, because the kernels read a little past what counts.
  pc_arena arena = {0};
  s.v = pc_arena_take(&arena, (size_t)(s.ld * most) + PC_FRONT_SLACK, sizeof *s.v);
  s.left = pc_arena_take(&arena, (size_t)(s.ld * BLOCK) + PC_FRONT_SLACK, sizeof *s.left);
  s.solution = pc_arena_take(&arena, (size_t)(s.ld * BLOCK) + PC_FRONT_SLACK, sizeof *s.solution);
  if (arena.failed) {
    pc_arena_free(&arena);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a response");
  }
  for (int i = 0; i < vectors; i += most) {
    s.count = vectors - i < most ? vectors - i : most;
    respond(plan, front, &s, i, vectors, first, part, w);
  }
  for (size_t i = 0, n = (size_t)vectors; i < n; i++)
    for (size_t j = 0; j < i; j++)
      w[i * n + j] = w[j * n + i] = (w[i * n + j] + w[j * n + i]) / 2;
  pc_arena_free(&arena);
  return PC_OK;
}
