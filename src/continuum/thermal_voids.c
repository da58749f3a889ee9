// Voids of alloys that spread in a collision (book, remark 10.1). With S the sum of the fractions,
// 1 - S of a volume is void, and mass that diffuses keeps
//
//     [S] + div M = 0,   M = - diffuse grad S+,   M . N = 0 outside
//
// at every node: V [S_i] = sum of the flows from its neighbours. The book prints M = - k grad [S],
// which leaves [S] - k div grad [S] = 0 and so [S] = 0. With S+ the equation has one solution, and
// S+ lies between the extremes of S- where angles are not obtuse.
//
// What flows has the fractions and the temperature of the node that it leaves, where they are mixed
// first. So fractions over S and temperatures stay between their extremes too, energy is kept, and
// entropy grows. What the energy of gradients loses is heat. The phase change begins from there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/elementary.h"
#include "core/error.h"

static const double RANGE = 1e-9; // S+ beyond 0 and 1 by this much is round-off

// What flows from a row to another one: volume times S.
typedef struct flow {
  int from, to, rank;
  double mass;
} flow;

// The contents of a row while flows go through it.
typedef struct content {
  double mass, left;                   // all that was there or came; what went
  double carried[PC_FE_FRACTIONS + 1]; // mass times fractions over S, times temperature
  double sum, before[PC_FE_FRACTIONS]; // S+; fractions before
  double temperature;                  // before
} content;

static bool has_diffusion(const pc_fe_thermal *t)
{
  for (int m = 0; m < t->def.media; m++)
    if (t->def.medium[m].diffuse > 0)
      return true;
  return false;
}

static double form_of(const pc_thermal_part *part, int i, int j)
{
  return part->volume *
         (part->slope[i][0] * part->slope[j][0] + part->slope[i][1] * part->slope[j][1]);
}

// V [S] = sum of diffuse-weighted differences of S+. `matrix` keeps the pattern of the problem.
static pc_status find_sums(pc_fe_thermal *t, pc_block_matrix *matrix, double *sum, pc_error *error)
{
  for (int i = 0; i < t->rows; i++) {
    double volume = t->row[i].size == 3 ? t->row[i].volume : 1;
    matrix->value[matrix->offset[pc_block_matrix_find(matrix, i, i)]] += volume;
    sum[i] = volume * t->point[i].sum;
  }
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    double k = t->def.medium[part->medium].diffuse;
    for (int i = 0; i < t->corners && k > 0; i++)
      for (int j = 0; j < t->corners; j++)
        if (part->row[i] >= part->row[j])
          matrix->value[matrix->offset[pc_block_matrix_find(matrix, part->row[i], part->row[j])]] +=
              k * form_of(part, i, j);
  }
  pc_direct *direct = pc_direct_analyze(matrix, NULL, 0, error);
  if (direct == NULL)
    return error != NULL ? error->status : PC_ERROR_MEMORY;
  pc_status status = pc_direct_factor(direct, matrix, error);
  if (status == PC_OK)
    status = pc_direct_solve(direct, sum, NULL, error);
  pc_direct_destroy(direct);
  for (int i = 0; i < t->rows && status == PC_OK; i++)
    if (!(sum[i] > 0 && sum[i] <= 1 + RANGE))
      status = pc_fail(error, PC_ERROR_NUMERIC,
                       "the fractions at node %d would sum to %g because the mesh has obtuse "
                       "angles; use a mesh without obtuse angles",
                       t->row[i].node, sum[i]);
  return status;
}

static int compare(const void *a, const void *b)
{
  const flow *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

typedef struct order {
  double sum;
  int row;
} order;

static int compare_sums(const void *a, const void *b)
{
  const order *x = a, *y = b;
  if (x->sum != y->sum)
    return x->sum > y->sum ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

// The flows between rows, those of the fullest rows first. Gives their number.
static int list_flows(const pc_fe_thermal *t, const pc_block_matrix *matrix, const double *sum,
                      order *by_sum, flow *list)
{
  int count = 0;
  for (int i = 0; i < t->rows; i++)
    by_sum[i] = (order){sum[i], i};
  qsort(by_sum, (size_t)t->rows, sizeof *by_sum, compare_sums);
  for (int i = 0; i < t->rows; i++)
    for (int k = matrix->row[i]; k < matrix->row[i + 1] - 1; k++) {
      int j = matrix->column[k];
      double mass = -matrix->value[matrix->offset[k]] * (sum[i] - sum[j]);
      if (mass != 0)
        list[count++] =
            mass > 0 ? (flow){.from = i, .to = j, .mass = mass} : (flow){j, i, 0, -mass};
    }
  int *rank = malloc(((size_t)t->rows + 1) * sizeof *rank);
  if (rank == NULL)
    return -1;
  for (int i = 0; i < t->rows; i++)
    rank[by_sum[i].row] = i;
  for (int k = 0; k < count; k++)
    list[k].rank = rank[list[k].from];
  free(rank);
  qsort(list, (size_t)count, sizeof *list, compare);
  return count;
}

static void let_flow(const pc_fe_thermal *t, int count, const flow *list, content *c)
{
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_point *p = &t->point[i];
    c[i] = (content){.mass = t->row[i].volume * p->sum, .temperature = p->before};
    for (int k = 0; k < PC_FE_FRACTIONS; k++) {
      c[i].before[k] = p->fraction[k];
      c[i].carried[k] = t->row[i].volume * p->fraction[k];
    }
    c[i].carried[PC_FE_FRACTIONS] = c[i].mass * p->before;
  }
  for (int k = 0; k < count; k++) {
    content *from = &c[list[k].from], *to = &c[list[k].to];
    for (int n = 0; n <= PC_FE_FRACTIONS; n++)
      to->carried[n] += list[k].mass * (from->carried[n] / from->mass);
    to->mass += list[k].mass;
    from->left += list[k].mass;
  }
}

// The state of rows after the flows; gives the entropy of mixing.
static double mix(pc_fe_thermal *t, const content *c)
{
  double mixed = 0;
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    pc_thermal_point *p = &t->point[i];
    if (row->size != 3)
      continue;
    double over = row->latent / row->change;
    double was = row->own + p->sum * row->shared;
    mixed -= was * (1 + pc_log(p->before)) + over * p->fraction[2];
    p->sum = fmin(1, (c[i].mass - c[i].left) / row->volume);
    for (int k = 0; k < PC_FE_FRACTIONS; k++)
      p->fraction[k] = p->sum * (c[i].carried[k] / c[i].mass);
    double flowed = c[i].carried[PC_FE_FRACTIONS] / c[i].mass, is = p->sum * row->shared;
    p->before = (row->own * p->before + is * flowed) / (row->own + is);
    pc_thermal_to_plane(row->size, p->fraction, p->place);
    mixed += (row->own + is) * (1 + pc_log(p->before)) + over * p->fraction[2];
  }
  return mixed;
}

// The energy of gradients that a part has lost becomes heat at its corners.
static double release(pc_fe_thermal *t, const content *c)
{
  double released = 0;
  for (int p = 0; p < t->parts; p++) {
    const pc_thermal_part *part = &t->part[p];
    const pc_fe_thermal_medium *m = &t->def.medium[part->medium];
    double lost = 0;
    for (int k = 0; k < PC_FE_FRACTIONS && m->phases == PC_FE_ALLOY; k++)
      for (int x = 0; x < t->def.mesh->dimension; x++) {
        double was = 0, is = 0;
        for (int n = 0; n < t->corners; n++) {
          was += part->slope[n][x] * c[part->row[n]].before[k];
          is += part->slope[n][x] * t->point[part->row[n]].fraction[k];
        }
        lost += m->spread / 2 * part->volume * (was * was - is * is);
      }
    for (int n = 0; n < t->corners; n++)
      t->point[part->row[n]].heat += lost / t->corners;
    released += lost;
  }
  return released;
}

pc_status pc_thermal_spread_voids(pc_fe_thermal *t, pc_error *error)
{
  t->released = t->mixed = 0;
  if (!has_diffusion(t))
    return PC_OK;
  pc_arena memory = {0};
  size_t rows = (size_t)t->rows + 1, links = (size_t)t->matrix.row[t->rows] + 1;
  int *size = pc_arena_take(&memory, rows, sizeof *size);
  int(*pair)[2] = pc_arena_take(&memory, links, sizeof *pair);
  double *sum = pc_arena_take(&memory, rows, sizeof *sum);
  order *by_sum = pc_arena_take(&memory, rows, sizeof *by_sum);
  flow *list = pc_arena_take(&memory, links, sizeof *list);
  content *c = pc_arena_take(&memory, rows, sizeof *c);
  pc_block_matrix matrix = {0};
  long pairs = 0;
  pc_status status = PC_OK;
  if (memory.failed) {
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for voids that spread");
  } else {
    for (int i = 0; i < t->rows; i++) {
      size[i] = 1;
      for (int k = t->matrix.row[i]; k < t->matrix.row[i + 1] - 1; k++) {
        pair[pairs][0] = i;
        pair[pairs++][1] = t->matrix.column[k];
      }
    }
    status = pc_block_matrix_create(&matrix, t->rows, size, (const int(*)[2])pair, pairs, error);
  }
  if (status == PC_OK)
    status = find_sums(t, &matrix, sum, error);
  int count = status == PC_OK ? list_flows(t, &matrix, sum, by_sum, list) : 0;
  if (count < 0)
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for voids that spread");
  if (status == PC_OK) {
    let_flow(t, count, list, c);
    t->mixed = mix(t, c);
    t->released = release(t, c);
  }
  pc_block_matrix_free(&matrix);
  pc_arena_free(&memory);
  return status;
}
