// Products, local operators and the residual of an island.
#include "impact/system.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

pc_status pc_system_prepare(pc_system *s, pc_error *error)
{
  if (s->prepared)
    return PC_OK;
  if (s->coupled && s->response == NULL) {
    pc_status status = pc_system_condense(s, error);
    if (status != PC_OK)
      return status;
  }
  s->local = pc_arena_take(s->arena, (size_t)s->interactions, sizeof(pc_block_local));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++) {
    int m = s->law[k].rows;
    double a[25] = {0};
    if (s->response != NULL) {
      const pc_response *w = s->response;
      for (int b = w->row[k]; b < w->row[k + 1]; b++)
        if (w->column[b] == k)
          for (int i = 0; i < m * m; i++)
            a[i] += w->value[w->at[b] + i];
    } else {
      for (int t = s->term[k]; t < s->term[k + 1]; t++) {
        int n = s->dof[s->term_body[t]];
        const double *j = s->jacobian + s->term_at[t];
        for (int p = 0; p < m; p++)
          for (int q = 0; q < m; q++)
            for (int i = 0; i < n; i++)
              a[p * m + q] += j[p * n + i] * j[q * n + i];
      }
    }
    pc_rolling_local *wide = m > 3 ? pc_arena_take(s->arena, 1, sizeof *wide) : NULL;
    if (s->arena->failed)
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    pc_block_prepare(&s->law[k], a, &s->local[k], wide);
  }
  s->prepared = true;
  return PC_OK;
}

static inline void transpose_add(int m, int n, const pc_system *s, const double *x, double *g)
{
  for (int k = 0; k < s->interactions; k++)
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int b = s->term_body[t];
      pc_term_transpose(m ? m : s->law[k].rows, n ? n : s->dof[b], s->jacobian + s->term_at[t],
                        x + (m ? m * k : s->row[k]), g + (n ? n * b : s->start[b]));
    }
}

void pc_system_transpose_add(const pc_system *s, const double *x, double *g)
{
  PC_BY_SIZE(s, transpose_add, s, x, g);
}

static inline void multiply(int m, int n, const pc_system *s, const double *y, double *d)
{
  for (int k = 0; k < s->interactions; k++)
    for (int t = s->term[k]; t < s->term[k + 1]; t++) {
      int b = s->term_body[t];
      pc_term_multiply(m ? m : s->law[k].rows, n ? n : s->dof[b], s->jacobian + s->term_at[t],
                       y + (n ? n * b : s->start[b]), d + (m ? m * k : s->row[k]));
    }
}

void pc_system_multiply(const pc_system *s, const double *y, double *d)
{
  memset(d, 0, sizeof(double) * (size_t)s->rows);
  PC_BY_SIZE(s, multiply, s, y, d);
}

void pc_system_motion(const pc_system *s, const double *r, double *y)
{
  memset(y, 0, sizeof(double) * (size_t)s->dofs);
  pc_system_transpose_add(s, r, y);
  if (s->coupled)
    pc_cholesky_solve(s->mass_factor, y);
}

void pc_system_momentum(const pc_system *s, const double *y, double *out)
{
  if (s->coupled)
    pc_block_matrix_multiply(&s->mass, y, out);
  else
    memcpy(out, y, sizeof(double) * (size_t)s->dofs);
}

void pc_system_respond(const pc_system *s, const double *r, double *d)
{
  for (int k = 0; k < s->interactions; k++)
    pc_response_blocks(s, k, -1, r, d + s->row[k]);
}

void pc_system_deformation(const pc_system *s, const double *r, const double *y, double *d)
{
  if (s->bodies > 0)
    pc_system_multiply(s, y, d);
  else if (s->response == NULL)
    memset(d, 0, sizeof(double) * (size_t)s->rows);
  else if (s->same_rows == 3)
    for (int k = 0; k < s->interactions; k++)
      pc_response_row(s->response, k, -1, r, d + 3 * k);
  else if (s->same_rows == 1)
    for (int k = 0; k < s->interactions; k++)
      d[k] = pc_response_number(s->response, k, -1, r);
  else
    pc_system_respond(s, r, d);
  for (int i = 0; i < s->rows; i++)
    d[i] += s->free[i];
}

void pc_system_evaluate(const pc_system *s, const double *r, double *y, double *d)
{
  if (s->bodies > 0)
    pc_system_motion(s, r, y);
  pc_system_deformation(s, r, y, d);
}

double pc_system_residual(const pc_system *s, const double *r, const double *d, double *residual)
{
  double energy = 0, speed = 0, map[5];
  for (int k = 0; k < s->interactions; k++) {
    int at = s->row[k];
    pc_block_residual(&s->law[k], d + at, r + at, map);
    double sum = 0;
    for (int i = 0; i < s->law[k].rows; i++) {
      sum += map[i] * map[i];
      if (residual != NULL)
        residual[at + i] = map[i];
    }
    energy += sum;
    speed += s->to_speed[k] * s->to_speed[k] * sum;
  }
  double by_energy = s->scale > 0 ? sqrt(energy) / s->scale : 0;
  double by_speed = s->speed > 0 ? sqrt(speed) / s->speed : 0;
  return fmax(by_energy, by_speed);
}
