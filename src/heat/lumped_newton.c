// Newton's method on all bodies at once, with a sparse factorisation. Unknowns are the u of bodies
// and the fluxes f = lambda (t_j - t_i) of interactions. However large lambda is, the equations
//
//     F(u, f) = 0,   t_j - t_i - f / lambda = 0
//
// stay smooth, and f is not a difference that loses digits. The fluxes are eliminated, which leaves
// the matrix of the equations in u. The start is f = 0 and the temperatures that works alone would
// give. A step is shortened until the next one, computed with the same matrix, would be shorter
// (Deuflhard's test, which does not depend on the scaling of the equations). If that fails, the
// works and exchanges are increased from 0 in parts, and each solution is the start of the next.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "heat/lumped.h"
#include "sparse/lu.h"

enum { MOST_STEPS = 40, MOST_FACTORISATIONS = 800, MOST_HALVINGS = 40 };
static const double enough = 8 * DBL_EPSILON, good = 1e-11; // residuals

typedef struct system {
  pc_block_matrix matrix;
  double *upper; // transposes of what is above the diagonal
  long *place;   // of each interaction's block, or -1
  double *right;
  double *flux, *flux_step; // fluxes before a step
  double *share;            // ds / dflux of the first body, where the matrix was made
  double *done, *done_flux; // u and fluxes of the largest part that is solved
  pc_lu *lu;
} system_t;

static void release(system_t *s)
{
  pc_block_matrix_free(&s->matrix);
  pc_lu_destroy(s->lu);
}

static bool is_coupled(const pc_heat *heat, int k)
{
  const int *bodies = heat->interaction[k].bodies;
  return bodies[1] >= 0 && heat->row[bodies[0]] >= 0 && heat->row[bodies[1]] >= 0;
}

// Builds the pattern; small arrays are taken from the arena.
static bool prepare(pc_heat *heat, system_t *s)
{
  *s = (system_t){0};
  pc_arena *arena = &heat->arena;
  size_t links = (size_t)heat->interactions;
  int rows = 0, count = 0;
  for (int i = 0; i < heat->bodies; i++)
    rows += heat->row[i] >= 0;
  int *size = pc_arena_take_raw(arena, (size_t)rows, sizeof *size);
  int(*pairs)[2] = pc_arena_take_raw(arena, links, sizeof *pairs);
  s->place = pc_arena_take_raw(arena, links, sizeof *s->place);
  s->right = pc_arena_take_raw(arena, (size_t)rows, sizeof(double));
  s->flux = pc_arena_take_raw(arena, links, sizeof(double));
  s->flux_step = pc_arena_take_raw(arena, links, sizeof(double));
  s->share = pc_arena_take_raw(arena, links, sizeof(double));
  s->done = pc_arena_take_raw(arena, (size_t)heat->bodies, sizeof(double));
  s->done_flux = pc_arena_take_raw(arena, links, sizeof(double));
  if (arena->failed)
    return false;
  for (int i = 0; i < rows; i++)
    size[i] = 1;
  for (int k = 0; k < heat->interactions; k++)
    if (is_coupled(heat, k)) {
      pairs[count][0] = heat->row[heat->interaction[k].bodies[0]];
      pairs[count++][1] = heat->row[heat->interaction[k].bodies[1]];
    }
  if (pc_block_matrix_create(&s->matrix, rows, size, (const int(*)[2])(const void *)pairs, count,
                             NULL) != PC_OK)
    return false;
  s->upper = pc_arena_take_raw(arena, (size_t)s->matrix.row[rows], sizeof(double));
  s->lu = pc_lu_analyze(&s->matrix, 0, NULL, NULL);
  if (s->upper == NULL || s->lu == NULL)
    return false;
  for (int k = 0; k < heat->interactions; k++) {
    s->place[k] = -1;
    if (!is_coupled(heat, k))
      continue;
    int i = heat->row[heat->interaction[k].bodies[0]];
    int j = heat->row[heat->interaction[k].bodies[1]];
    s->place[k] = s->matrix.offset[pc_block_matrix_find(&s->matrix, i > j ? i : j, i > j ? j : i)];
  }
  return true;
}

// F of all bodies. Returns the residual, relative to the size of each equation's terms.
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

// The step of the u with the present factor. Returns the longest; infinite if it broke down.
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

// Factors at the present unknowns, and stores them with the step from there. Returns its largest u.
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
    pc_heat_set(heat, i, heat->mode == PC_HEAT_LINEAR ? heated : pc_log1p(heated));
  }
  for (int k = 0; k < heat->interactions; k++)
    heat->flux[k] = 0;
  heat->mixed = true;
}

// From part 0, where nothing changes, to 1.
static double by_parts(pc_heat *heat, system_t *s, int *factorisations)
{
  double solved = 0, part = 0.125, residual = INFINITY;
  size_t bodies = (size_t)heat->bodies, links = (size_t)heat->interactions;
  for (size_t i = 0; i < bodies; i++)
    s->done[i] = 0;
  for (size_t k = 0; k < links; k++)
    s->done_flux[k] = 0;
  while (solved < 1 && *factorisations < MOST_FACTORISATIONS) {
    heat->part = part;
    for (int i = 0; i < heat->bodies; i++)
      pc_heat_set(heat, i, s->done[i]);
    memcpy(heat->flux, s->done_flux, sizeof(double) * links);
    residual = iterate(heat, s, factorisations);
    if (residual <= good) {
      memcpy(s->done, heat->u, sizeof(double) * bodies);
      memcpy(s->done_flux, heat->flux, sizeof(double) * links);
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
  double residual = -1;
  if (prepare(heat, &s)) {
    start(heat);
    residual = iterate(heat, &s, factorisations);
    if (!(residual <= good))
      residual = by_parts(heat, &s, factorisations);
  }
  release(&s);
  return residual;
}
