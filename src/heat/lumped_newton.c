// Newton's method on all bodies at once, with a sparse factorisation. Unknowns are the u of bodies
// and the fluxes f = lambda (t_j - t_i) of interactions: however large lambda is, the equations
//
//     F(u, f) = 0,   t_j - t_i - f / lambda = 0
//
// stay smooth, and digits of f are not lost in a difference. The fluxes are eliminated, which
// leaves the matrix of the equations in u. It starts at u = f = 0, so that its first step is the
// solution of the linear mode. Steps are shortened until the sum of squares falls: the derivative
// is never singular, so that sum has no minimum but the root.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heat/lumped.h"
#include "sparse/lu.h"

enum { MOST_STEPS = 40, MOST_FACTORISATIONS = 800, MOST_HALVINGS = 40 };
static const double enough = 8 * DBL_EPSILON;

typedef struct system {
  pc_block_matrix matrix;
  double *upper; // transposes of what is above the diagonal
  long *place;   // of each interaction's block, or -1
  double *right;
  double *flux, *flux_step; // fluxes before a step
  double *share;            // ds / dflux of the first body, where the matrix was made
  pc_lu *lu;
} system_t;

static void release(system_t *s)
{
  pc_block_matrix_free(&s->matrix);
  pc_lu_destroy(s->lu);
  free(s->upper);
  free(s->place);
  free(s->right);
  free(s->flux);
  free(s->flux_step);
  free(s->share);
}

static bool prepare(const pc_heat *heat, system_t *s)
{
  *s = (system_t){0};
  int rows = 0, count = 0;
  for (int i = 0; i < heat->bodies; i++)
    rows += heat->row[i] >= 0;
  int *size = malloc(sizeof *size * (size_t)(rows + 1));
  int(*pairs)[2] = malloc(sizeof *pairs * (size_t)(heat->interactions + 1));
  s->place = malloc(sizeof *s->place * (size_t)(heat->interactions + 1));
  s->right = malloc(sizeof *s->right * (size_t)(rows + 1));
  s->flux = malloc(sizeof(double) * (size_t)(heat->interactions + 1));
  s->flux_step = malloc(sizeof(double) * (size_t)(heat->interactions + 1));
  s->share = malloc(sizeof(double) * (size_t)(heat->interactions + 1));
  bool fine = size != NULL && pairs != NULL && s->place != NULL && s->right != NULL &&
              s->flux != NULL && s->flux_step != NULL && s->share != NULL;
  for (int i = 0; fine && i < rows; i++)
    size[i] = 1;
  for (int k = 0; fine && k < heat->interactions; k++) {
    const int *bodies = heat->interaction[k].bodies;
    s->place[k] = -1;
    if (bodies[1] < 0 || heat->row[bodies[0]] < 0 || heat->row[bodies[1]] < 0)
      continue;
    pairs[count][0] = heat->row[bodies[0]];
    pairs[count++][1] = heat->row[bodies[1]];
  }
  fine = fine && pc_block_matrix_create(&s->matrix, rows, size,
                                        (const int(*)[2])(const void *)pairs, count, NULL) == PC_OK;
  if (fine) {
    s->upper = malloc(sizeof(double) * (size_t)(s->matrix.row[rows] + 1));
    s->lu = pc_lu_analyze(&s->matrix, NULL);
    fine = s->upper != NULL && s->lu != NULL;
  }
  for (int k = 0; fine && k < heat->interactions; k++) {
    const int *bodies = heat->interaction[k].bodies;
    if (bodies[1] < 0 || heat->row[bodies[0]] < 0 || heat->row[bodies[1]] < 0)
      continue;
    int i = heat->row[bodies[0]], j = heat->row[bodies[1]];
    s->place[k] = s->matrix.offset[pc_block_matrix_find(&s->matrix, i > j ? i : j, i > j ? j : i)];
  }
  free(size);
  free(pairs);
  return fine;
}

// F of all bodies. Returns the residual, relative to what each equation is a sum of.
static double evaluate(pc_heat *heat)
{
  double worst = 0;
  for (int i = 0; i < heat->bodies; i++) {
    if (heat->row[i] < 0)
      continue;
    double size, slope, f = pc_heat_balance(heat, i, &size, &slope);
    heat->residual[i] = f;
    worst = f == 0 ? worst : fmax(worst, fabs(f) / size);
  }
  for (int k = 0; k < heat->interactions; k++) {
    int i = heat->interaction[k].bodies[0], j = heat->interaction[k].bodies[1];
    double exchange = heat->part * heat->interaction[k].exchange;
    if (j < 0 || exchange == 0)
      continue;
    double gap = pc_heat_flow_to(heat, k, i, j).gap / exchange;
    worst = fmax(worst, fabs(gap) / (heat->mean[i] + heat->mean[j]));
  }
  return worst;
}

// The step of the u by the factor there is. Returns the longest; not finite if it broke down.
static double solve(const pc_heat *heat, system_t *s)
{
  for (int i = 0; i < heat->bodies; i++)
    if (heat->row[i] >= 0)
      s->right[heat->row[i]] = -heat->residual[i];
  for (int k = 0; k < heat->interactions; k++) {
    int i = heat->interaction[k].bodies[0], j = heat->interaction[k].bodies[1];
    if (j < 0)
      continue;
    double gap = pc_heat_flow_to(heat, k, i, j).gap;
    if (heat->row[i] >= 0)
      s->right[heat->row[i]] += s->share[k] * gap;
    if (heat->row[j] >= 0)
      s->right[heat->row[j]] -= (1 - s->share[k]) * gap;
  }
  pc_lu_solve(s->lu, s->right);
  double longest = 0;
  for (int i = 0; i < s->matrix.rows; i++)
    longest = isfinite(s->right[i]) ? fmax(longest, fabs(s->right[i])) : INFINITY;
  return longest;
}

static double direction(pc_heat *heat, system_t *s)
{
  pc_block_matrix *a = &s->matrix;
  pc_block_matrix_clear(a);
  for (int k = 0; k < a->row[a->rows]; k++)
    s->upper[k] = 0;
  for (int i = 0; i < heat->bodies; i++) {
    int row = heat->row[i];
    double size;
    if (row >= 0)
      pc_heat_balance(heat, i, &size, &a->value[a->offset[a->row[row + 1] - 1]]);
  }
  for (int k = 0; k < heat->interactions; k++) {
    int i = heat->interaction[k].bodies[0], j = heat->interaction[k].bodies[1];
    s->share[k] = pc_heat_flow_to(heat, k, i, j).by_flux;
    if (s->place[k] < 0)
      continue;
    bool low = heat->row[i] > heat->row[j]; // whether F_i by u_j is below the diagonal
    double of_i = -pc_heat_flow_to(heat, k, i, j).by_other * heat->slope[j];
    double of_j = -pc_heat_flow_to(heat, k, j, i).by_other * heat->slope[i];
    a->value[s->place[k]] += low ? of_i : of_j;
    s->upper[s->place[k]] += low ? of_j : of_i;
  }
  double longest = INFINITY;
  if (pc_lu_factor(s->lu, a, s->upper) == PC_OK)
    longest = solve(heat, s);
  if (isinf(longest))
    return longest;
  for (int i = 0; i < heat->bodies; i++) {
    heat->step[i] = heat->row[i] < 0 ? 0 : s->right[heat->row[i]];
    heat->kept[i] = heat->u[i];
  }
  for (int k = 0; k < heat->interactions; k++) {
    const pc_heat_interaction *in = &heat->interaction[k];
    int i = in->bodies[0], j = in->bodies[1];
    s->flux[k] = heat->flux[k];
    s->flux_step[k] = 0;
    if (j >= 0) {
      double change = heat->slope[j] * heat->step[j] - heat->slope[i] * heat->step[i];
      s->flux_step[k] = pc_heat_flow_to(heat, k, i, j).gap + heat->part * in->exchange * change;
    }
  }
  return longest;
}

static void move(pc_heat *heat, const system_t *s, double part)
{
  for (int i = 0; i < heat->bodies; i++)
    if (heat->row[i] >= 0)
      pc_heat_set(heat, i, heat->kept[i] + part * heat->step[i]);
  for (int k = 0; k < heat->interactions; k++)
    heat->flux[k] = s->flux[k] + part * s->flux_step[k];
}

static double iterate(pc_heat *heat, system_t *s, int *factorisations)
{
  double residual = evaluate(heat), part = 1;
  for (int step = 0; step < MOST_STEPS && residual > DBL_EPSILON; step++) {
    ++*factorisations;
    double longest = direction(heat, s), before = residual;
    if (isinf(longest))
      break;
    bool close = before <= enough; // then a last step is taken as it is
    part = fmin(1, 4 * part);
    if (heat->mode != PC_HEAT_LINEAR)
      part = fmin(part, 2 / longest);
    int halvings = 0;
    for (;; halvings++) {
      move(heat, s, part);
      residual = evaluate(heat);
      if (close || residual <= enough || halvings == MOST_HALVINGS ||
          solve(heat, s) <= (1 - part / 4) * longest)
        break;
      part /= 2;
    }
    if (close || halvings == MOST_HALVINGS) {
      if (!(residual <= before)) {
        move(heat, s, 0);
        residual = before;
      }
      break;
    }
  }
  return residual;
}

static void start(pc_heat *heat)
{
  for (int i = 0; i < heat->bodies; i++) {
    double heated = 0, before = heat->body[i].temperature;
    for (int e = heat->first[i]; e < heat->first[i + 1]; e++) {
      int other = heat->end[e].other;
      double sum = before + (other < 0 ? 0 : heat->body[other].temperature);
      heated += fmax(heat->interaction[heat->end[e].interaction].work, 0) / sum;
    }
    heated /= heat->body[i].capacity;
    pc_heat_set(heat, i, heat->mode == PC_HEAT_LINEAR ? heated : log1p(heated));
  }
  for (int k = 0; k < heat->interactions; k++)
    heat->flux[k] = 0;
  heat->mixed = true;
}

// From part 0, where nothing changes, to 1. `done` has the u and the fluxes of the largest part
// that is solved.
static double by_parts(pc_heat *heat, system_t *s, double *done, int *factorisations)
{
  double solved = 0, part = 0.125, residual = INFINITY;
  double *done_flux = done + heat->bodies;
  memset(done, 0, sizeof *done * (size_t)(heat->bodies + heat->interactions));
  while (solved < 1 && *factorisations < MOST_FACTORISATIONS) {
    heat->part = part;
    for (int i = 0; i < heat->bodies; i++)
      pc_heat_set(heat, i, done[i]);
    memcpy(heat->flux, done_flux, sizeof *done * (size_t)heat->interactions);
    residual = iterate(heat, s, factorisations);
    if (residual <= 1e-11) {
      memcpy(done, heat->u, sizeof *done * (size_t)heat->bodies);
      memcpy(done_flux, heat->flux, sizeof *done * (size_t)heat->interactions);
      solved = part;
      part = fmin(1, 8 * part);
    } else {
      part = solved > 0 ? sqrt(solved * part) : part / 64;
      if (part < 1e-20 || part < 1.02 * solved)
        break;
    }
  }
  heat->part = 1;
  return solved < 1 ? INFINITY : residual;
}

double pc_heat_newton(pc_heat *heat, int *factorisations)
{
  system_t s;
  double *done = malloc(sizeof *done * (size_t)(heat->bodies + heat->interactions + 1));
  double residual = -1;
  if (prepare(heat, &s) && done != NULL) {
    start(heat);
    residual = iterate(heat, &s, factorisations);
    if (!(residual <= 1e-11))
      residual = by_parts(heat, &s, done, factorisations);
  }
  free(done);
  release(&s);
  return residual;
}
