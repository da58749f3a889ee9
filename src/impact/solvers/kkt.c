#include "impact/solvers/kkt.h"

#include <string.h>

#include "core/error.h"

pc_status pc_kkt_pattern_create(pc_kkt_pattern *kkt, const pc_system *s, pc_error *error)
{
  pc_arena *arena = s->arena;
  *kkt = (pc_kkt_pattern){0};
  long count = 0, masses = s->coupled ? s->mass.row[s->bodies] : 0;
  kkt->pair = pc_arena_take(arena, (size_t)s->interactions + 1, sizeof(int));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++) {
    int terms = s->term[k + 1] - s->term[k];
    kkt->pair[k + 1] = kkt->pair[k] + terms * terms;
  }
  int slots = kkt->pair[s->interactions];
  int(*pairs)[2] = pc_arena_take(arena, (size_t)(slots + masses), sizeof *pairs);
  kkt->slot = pc_arena_take(arena, (size_t)slots, sizeof(long));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++)
    for (int p = s->term[k]; p < s->term[k + 1]; p++)
      for (int q = s->term[k]; q < p; q++, count++) {
        pairs[count][0] = s->term_body[p];
        pairs[count][1] = s->term_body[q];
      }
  if (s->coupled)
    for (int i = 0; i < s->bodies; i++)
      for (int b = s->mass.row[i]; b < s->mass.row[i + 1]; b++, count++) {
        pairs[count][0] = i;
        pairs[count][1] = s->mass.column[b];
      }
  pc_status status =
      pc_block_matrix_create(&kkt->matrix, s->bodies, s->dof, (const int(*)[2])pairs, count, error);
  if (status != PC_OK)
    return status;
  for (int k = 0; k < s->interactions; k++) {
    long *slot = kkt->slot + kkt->pair[k];
    for (int p = s->term[k]; p < s->term[k + 1]; p++)
      for (int q = s->term[k]; q < s->term[k + 1]; q++, slot++)
        *slot = s->term_body[p] >= s->term_body[q]
                    ? pc_block_matrix_find(&kkt->matrix, s->term_body[p], s->term_body[q])
                    : -1;
  }
  return PC_OK;
}

void pc_kkt_pattern_mass(pc_kkt_pattern *kkt, const pc_system *s)
{
  pc_block_matrix *m = &kkt->matrix;
  pc_block_matrix_clear(m);
  for (int i = 0; i < s->bodies; i++) {
    int n = s->dof[i];
    double *block = m->value + m->offset[pc_block_matrix_find(m, i, i)];
    for (int a = 0; a < n && !s->coupled; a++)
      block[a * n + a] = 1;
    for (int b = s->coupled ? s->mass.row[i] : 0; s->coupled && b < s->mass.row[i + 1]; b++) {
      int j = s->mass.column[b];
      double *to = m->value + m->offset[pc_block_matrix_find(m, i, j)];
      const double *from = s->mass.value + s->mass.offset[b];
      for (int a = 0; a < n * s->dof[j]; a++)
        to[a] += from[a];
    }
  }
}

pc_status pc_kkt_create(pc_kkt *kkt, const pc_system *s, pc_error *error)
{
  *kkt = (pc_kkt){.system = s};
  pc_status status = pc_kkt_pattern_create(&kkt->pattern, s, error);
  if (status != PC_OK)
    return status;
  kkt->factor = pc_cholesky_analyze(&kkt->pattern.matrix, 0, error);
  return kkt->factor == NULL ? error->status : PC_OK;
}

void pc_kkt_free(pc_kkt *kkt)
{
  pc_cholesky_destroy(kkt->factor);
  pc_block_matrix_free(&kkt->pattern.matrix);
}

pc_status pc_kkt_factor(pc_kkt *kkt, const double *stiffness)
{
  const pc_system *s = kkt->system;
  pc_block_matrix *m = &kkt->pattern.matrix;
  pc_kkt_pattern_mass(&kkt->pattern, s);
  for (int k = 0; k < s->interactions; k++) {
    const long *slot = kkt->pattern.slot + kkt->pattern.pair[k];
    int rows = s->law[k].rows;
    const double *t = stiffness + s->row[k];
    for (int p = s->term[k]; p < s->term[k + 1]; p++)
      for (int q = s->term[k]; q < s->term[k + 1]; q++, slot++) {
        if (*slot < 0)
          continue;
        int np = s->dof[s->term_body[p]], nq = s->dof[s->term_body[q]];
        const double *jp = s->jacobian + s->term_at[p], *jq = s->jacobian + s->term_at[q];
        double *block = m->value + m->offset[*slot];
        for (int r = 0; r < rows; r++, jp += np, jq += nq)
          for (int a = 0; a < np; a++) {
            double x = t[r] * jp[a];
            for (int b = 0; b < nq; b++)
              block[a * nq + b] += x * jq[b];
          }
      }
  }
  kkt->factorisations++;
  return pc_cholesky_factor(kkt->factor, m);
}
