#include "impact/solvers/steps.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"

// The rows `first` to `first` + size - 1 of m, row 0 is already stored.
static void set_part(pc_step_law *to, int m, int first, int size, const pc_turned_part *from)
{
  double normal = to->stiffness[0], along = from->k[0] / from->b[0];
  double across = from->k[1] / from->b[1];
  for (int i = 0; i < size; i++) {
    double t = from->along[i];
    int row = (first + i) * m;
    to->b[row] = from->turn_b * t;
    to->k[row] = from->turn_k * t;
    to->inverse[row] = -from->turn_b / (to->b[0] * from->b[0]) * t;
    to->stiffness[row] = (from->turn_k - from->turn_b * normal) / from->b[0] * t;
    for (int j = 0; j < size; j++) {
      double a = t * from->along[j], rest = (i == j) - a;
      int at = row + first + j;
      to->b[at] = from->b[0] * a + from->b[1] * rest;
      to->k[at] = from->k[0] * a + from->k[1] * rest;
      to->inverse[at] = a / from->b[0] + rest / from->b[1];
      to->stiffness[at] = along * a + across * rest;
    }
  }
}

void pc_step_law_set(pc_step_law *to, int m, int rolls, const pc_turned_law *from)
{
  memset(to, 0, sizeof *to);
  to->b[0] = from->b;
  to->k[0] = from->k;
  to->inverse[0] = 1 / from->b;
  to->stiffness[0] = from->k / from->b;
  set_part(to, m, 1, m - 1 - rolls, &from->slide);
  if (rolls > 0)
    set_part(to, m, m - rolls, rolls, &from->roll);
}

void pc_step_law_invert(pc_step_law *law, int m)
{
  pc_small_inverse(m, law->b, law->inverse);
  memset(law->stiffness, 0, sizeof law->stiffness);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < m; l++)
      for (int j = 0; j < m; j++)
        law->stiffness[i * m + j] += law->inverse[i * m + l] * law->k[l * m + j];
}

// out += sign A x
static void add_product(int m, double sign, const double *a, const double *x, double *out)
{
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      out[i] += sign * a[i * m + j] * x[j];
}

// The interactions of each body: their terms, body by body.
static bool terms_by_body(const pc_system *s, int **first, int **interaction, int **term)
{
  pc_arena *arena = s->arena;
  int terms = s->term[s->interactions];
  int *start = pc_arena_take(arena, (size_t)s->bodies + 2, sizeof(int));
  *interaction = pc_arena_take(arena, (size_t)terms, sizeof(int));
  *term = pc_arena_take(arena, (size_t)terms, sizeof(int));
  *first = start;
  if (arena->failed)
    return false;
  for (int t = 0; t < terms; t++)
    start[s->term_body[t] + 2]++;
  for (int b = 0; b < s->bodies; b++)
    start[b + 2] += start[b + 1];
  for (int k = 0; k < s->interactions; k++)
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int at = start[s->term_body[t] + 1]++;
      (*interaction)[at] = k;
      (*term)[at] = t;
    }
  return true;
}

// The pattern of W, from bodies or from the response.
static pc_status create_rows(pc_steps *p, pc_error *error)
{
  pc_arena *arena = p->system->arena;
  const pc_system *s = p->system;
  const pc_response *w = s->response;
  int *first = NULL, *interaction = NULL, *term = NULL;
  bool given = s->bodies == 0;
  long count = 0, room = given ? w->row[s->interactions] : 0;
  if (!given) {
    if (!terms_by_body(s, &first, &interaction, &term))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    for (int b = 0; b < s->bodies; b++)
      room += (long)(first[b + 1] - first[b]) * (first[b + 1] - first[b]);
  }
  int(*pairs)[2] = pc_arena_take(arena, (size_t)room, sizeof *pairs);
  int *size = pc_arena_take(arena, (size_t)s->interactions, sizeof(int));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++) {
    size[k] = s->law[k].rows;
    for (int b = given ? w->row[k] : 0; given && b < w->row[k + 1]; b++, count++) {
      pairs[count][0] = k;
      pairs[count][1] = w->column[b];
    }
  }
  for (int b = 0; b < s->bodies; b++)
    for (int i = first[b]; i < first[b + 1]; i++)
      for (int j = first[b]; j < i; j++, count++) {
        pairs[count][0] = interaction[i];
        pairs[count][1] = interaction[j];
      }
  pc_status status = pc_block_matrix_create(&p->pattern.matrix, s->interactions, size,
                                            (const int(*)[2])pairs, count, error);
  if (status != PC_OK)
    return status;
  const pc_block_matrix *m = &p->pattern.matrix;
  size_t numbers = (size_t)m->offset[m->row[m->rows]];
  p->w = pc_arena_take(arena, numbers, sizeof(double));
  p->wt = given ? pc_arena_take(arena, numbers, sizeof(double)) : p->w;
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; given && k < s->interactions; k++)
    for (int b = w->row[k]; b < w->row[k + 1]; b++) {
      int l = w->column[b], mk = size[k], ml = size[l];
      const double *v = w->value + w->at[b];
      long at = m->offset[k >= l ? pc_block_matrix_find(m, k, l) : pc_block_matrix_find(m, l, k)];
      for (int i = 0; i < mk; i++)
        for (int j = 0; j < ml; j++) {
          if (k >= l)
            p->w[at + i * ml + j] += v[i * ml + j];
          else
            p->wt[at + j * mk + i] += v[i * ml + j];
        }
    }
  for (int b = 0; b < s->bodies; b++)
    for (int i = first[b]; i < first[b + 1]; i++)
      for (int j = first[b]; j <= i; j++) {
        int k = interaction[i], l = interaction[j], mk = size[k], ml = size[l], n = s->dof[b];
        double *to = p->w + m->offset[pc_block_matrix_find(m, k, l)];
        const double *jk = s->jacobian + s->term_at[term[i]];
        const double *jl = s->jacobian + s->term_at[term[j]];
        for (int x = 0; x < mk; x++)
          for (int y = 0; y < ml; y++)
            for (int a = 0; a < n; a++) {
              to[x * ml + y] += jk[x * n + a] * jl[y * n + a];
              if (k == l && i != j)
                to[y * ml + x] += jk[x * n + a] * jl[y * n + a];
            }
      }
  return PC_OK;
}

pc_status pc_steps_create(pc_steps *p, const pc_system *s, pc_steps_form form, pc_error *error)
{
  pc_arena *arena = s->arena;
  *p = (pc_steps){.system = s, .form = form};
  pc_status status =
      form == PC_BY_ROWS ? create_rows(p, error) : pc_kkt_pattern_create(&p->pattern, s, error);
  if (status != PC_OK)
    return status;
  const pc_block_matrix *m = &p->pattern.matrix;
  p->upper = pc_arena_take(arena, (size_t)m->offset[m->row[m->rows]], sizeof(double));
  p->law = pc_arena_take(arena, (size_t)s->interactions, sizeof(pc_step_law));
  pc_arena_take_vectors(arena, s->rows, (double **[]){&p->rest, &p->change, &p->more, NULL});
  if (!pc_arena_take_vectors(arena, s->dofs, (double **[]){&p->y, NULL}))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  p->lu = pc_lu_analyze(m, 0, arena, error);
  return p->lu == NULL ? error->status : PC_OK;
}

void pc_steps_free(pc_steps *p)
{
  pc_lu_destroy(p->lu);
  pc_block_matrix_free(&p->pattern.matrix);
  p->lu = NULL;
}

// B + K W: block (i, j) is K_i W_ij, and the transpose of block (j, i) is W_ji^T K_j^T.
static void fill_rows(pc_steps *p)
{
  pc_block_matrix *m = &p->pattern.matrix;
  for (int i = 0; i < m->rows; i++) {
    int mi = m->size[i];
    const double *b = p->law[i].b, *ki = p->law[i].k;
    for (int at = m->row[i]; at < m->row[i + 1]; at++) {
      int j = m->column[at], mj = m->size[j];
      const double *w = p->w + m->offset[at], *wt = p->wt + m->offset[at];
      double *lower = m->value + m->offset[at], *upper = p->upper + m->offset[at];
      for (int x = 0; x < mi; x++)
        for (int y = 0; y < mj; y++) {
          double sum = i == j ? b[x * mi + y] : 0;
          for (int a = 0; a < mi; a++)
            sum += ki[x * mi + a] * w[a * mj + y];
          lower[x * mj + y] = sum;
        }
      if (i == j)
        continue;
      const double *kj = p->law[j].k;
      for (int x = 0; x < mi; x++)
        for (int y = 0; y < mj; y++) {
          double sum = 0;
          for (int a = 0; a < mj; a++)
            sum += wt[x * mj + a] * kj[y * mj + a];
          upper[x * mj + y] = sum;
        }
    }
  }
}

// mass + J^T C J
static void fill_bodies(pc_steps *p)
{
  const pc_system *s = p->system;
  pc_block_matrix *m = &p->pattern.matrix;
  pc_kkt_pattern_mass(&p->pattern, s);
  memcpy(p->upper, m->value, (size_t)m->offset[m->row[m->rows]] * sizeof(double));
  for (int k = 0; k < s->interactions; k++) {
    const long *slot = p->pattern.slot + p->pattern.pair[k];
    int rows = s->law[k].rows;
    double left[30], turned[30];
    const double *c = p->law[k].stiffness;
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int np = s->dof[s->term_body[t]];
      const double *jp = s->jacobian + s->term_at[t];
      memset(left, 0, sizeof left); // C^T J_p and C J_p, rows x np
      memset(turned, 0, sizeof turned);
      for (int x = 0; x < rows; x++)
        for (int y = 0; y < rows; y++)
          for (int a = 0; a < np; a++) {
            left[y * np + a] += c[x * rows + y] * jp[x * np + a];
            turned[x * np + a] += c[x * rows + y] * jp[y * np + a];
          }
      for (int q = s->term[k]; q < s->term[k + 1]; q++, slot++) {
        if (*slot < 0)
          continue;
        int nq = s->dof[s->term_body[q]];
        const double *jq = s->jacobian + s->term_at[q];
        double *lower = m->value + m->offset[*slot], *upper = p->upper + m->offset[*slot];
        for (int x = 0; x < rows; x++)
          for (int a = 0; a < np; a++)
            for (int b = 0; b < nq; b++) {
              lower[a * nq + b] += left[x * np + a] * jq[x * nq + b];
              upper[a * nq + b] += turned[x * np + a] * jq[x * nq + b];
            }
      }
    }
  }
}

// A little on the diagonal, of entries of order one: redundant contacts make the matrix singular as
// soon as nothing holds them apart, and the solution is refined against the matrix as it was.
static void stiffen(pc_block_matrix *m, double by)
{
  for (int i = 0; i < m->rows; i++) {
    double *diagonal = m->value + m->offset[pc_block_matrix_find(m, i, i)];
    for (int x = 0; x < m->size[i]; x++)
      diagonal[x * m->size[i] + x] += by;
  }
}

pc_status pc_steps_factor(pc_steps *p)
{
  pc_block_matrix *m = &p->pattern.matrix;
  bool rows = p->form == PC_BY_ROWS;
  p->factorisations++;
  if (rows)
    fill_rows(p);
  else
    fill_bodies(p);
  pc_status status = pc_lu_factor(p->lu, m, p->upper);
  for (double by = 1e-14; status == PC_ERROR_NUMERIC && rows && by < 1e-11; by *= 10) {
    stiffen(m, by);
    status = pc_lu_factor(p->lu, m, p->upper);
  }
  return status;
}

void pc_steps_response(pc_steps *p, const double *x, double *out)
{
  const pc_system *s = p->system;
  if (s->bodies > 0) {
    pc_system_motion(s, x, p->y);
    pc_system_multiply(s, p->y, out);
    return;
  }
  pc_system_respond(s, x, out);
}

static void solve_once(pc_steps *p, const double *g, double *dr)
{
  const pc_system *s = p->system;
  if (p->form == PC_BY_ROWS) {
    memcpy(dr, g, sizeof(double) * (size_t)s->rows);
    pc_lu_solve(p->lu, dr);
    return;
  }
  memset(dr, 0, sizeof(double) * (size_t)s->rows);
  for (int k = 0; k < s->interactions; k++)
    add_product(s->law[k].rows, 1, p->law[k].inverse, g + s->row[k], dr + s->row[k]);
  memset(p->y, 0, sizeof(double) * (size_t)s->dofs);
  pc_system_transpose_add(s, dr, p->y);
  pc_lu_solve(p->lu, p->y);
  pc_system_multiply(s, p->y, p->more);
  for (int k = 0; k < s->interactions; k++)
    add_product(s->law[k].rows, -1, p->law[k].stiffness, p->more + s->row[k], dr + s->row[k]);
}

void pc_steps_solve(pc_steps *p, const double *g, double *dr)
{
  const pc_system *s = p->system;
  solve_once(p, g, dr);
  pc_steps_response(p, dr, p->more);
  memcpy(p->rest, g, sizeof(double) * (size_t)s->rows);
  for (int k = 0; k < s->interactions; k++) {
    int m = s->law[k].rows, at = s->row[k];
    add_product(m, -1, p->law[k].b, dr + at, p->rest + at);
    add_product(m, -1, p->law[k].k, p->more + at, p->rest + at);
  }
  solve_once(p, p->rest, p->change);
  for (int i = 0; i < s->rows; i++)
    dr[i] += p->change[i];
}
