// An interior point method for the fractions, for when the faces of Newton's method cycle.
//
// With multipliers z >= 0 of the sides s(y) >= 0 of each set, f_b = sum z a, s = s_0 + a . y, and s
// z = m, which goes to 0 (Mehrotra's predictor and corrector). Eliminating z adds sum (z/s) a a' to
// the matrix of y: same pattern, same factorisation.
#include <math.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

enum { STEPS = 100 };
static const double NEAR = 1e-12; // s z over the sizes of the equations: the end

typedef struct pc_thermal_sides {
  int count;                       // 2 or 3
  double s[3], z[3], ds[3], dz[3]; // values, multipliers, their steps
  double bend[3];                  // ds dz of the predictor
  double a[3][2];
} sides;

static void read_values(const pc_fe_thermal *t, int i, const double *jump, sides *side)
{
  double fraction[3];
  pc_thermal_fractions(t, i, jump, fraction);
  for (int k = 0; k < side->count; k++)
    side->s[k] = side->count == 3 ? fraction[k] : k == 0 ? fraction[0] : 1 - fraction[0];
}

// Starts in the middle of every set, with multipliers of the size of the forces there.
static void begin(pc_fe_thermal *t, sides *side)
{
  for (int i = 0; i < t->rows; i++) {
    int size = t->row[i].size, at = pc_thermal_at(t, i);
    sides *c = &side[i];
    *c = (sides){.count = size == 1 ? 0 : size};
    t->point[i].face = 0;
    if (size == 1)
      continue;
    const pc_thermal_point *p = &t->point[i];
    double move[3] = {0}, middle[2];
    for (int k = 0; k < 3; k++)
      move[k] = (size == 3 ? p->sum / 3 : k == 0 ? 0.5 : p->fraction[k]) - p->fraction[k];
    pc_thermal_to_plane(size, move, middle);
    memcpy(t->jump + at + 1, middle, (size_t)(size - 1) * sizeof *middle);
    for (int k = 0; k < c->count; k++) {
      double unit[3] = {0}, y[2];
      unit[size == 3 ? k : 0] = size == 2 && k == 1 ? -1 : 1;
      pc_thermal_to_plane(size, unit, y);
      memcpy(c->a[k], y, sizeof y);
    }
  }
  pc_thermal_rest(t, t->jump);
  for (int i = 0; i < t->rows; i++) {
    int at = pc_thermal_at(t, i);
    read_values(t, i, t->jump, &side[i]);
    double force = 0;
    for (int n = 1; n < t->row[i].size; n++)
      force = fmax(force, fabs(t->rest[at + n]));
    for (int k = 0; k < side[i].count; k++)
      side[i].z[k] = fmax(force, 1e-2 * t->point[i].soft * side[i].s[k]);
  }
}

static void fill_extra(pc_fe_thermal *t, const sides *side)
{
  for (int i = 0; i < t->rows; i++) {
    double *e = t->point[i].extra;
    e[0] = e[1] = e[2] = 0;
    for (int k = 0; k < side[i].count; k++) {
      const double *a = side[i].a[k];
      double weight = side[i].z[k] / side[i].s[k];
      e[0] += weight * a[0] * a[0];
      e[1] += weight * a[0] * a[1];
      e[2] += weight * a[1] * a[1];
    }
  }
}

// A step towards s z = centre of each side, corrected by the predictor's ds dz.
static pc_status find_step(pc_fe_thermal *t, sides *side, double factor, bool bent, pc_error *error)
{
  for (int i = 0; i < t->rows; i++) {
    int at = pc_thermal_at(t, i), size = t->row[i].size;
    t->step[at] = t->row[i].given ? 0 : -t->rest[at];
    for (int n = 1; n < size; n++)
      t->step[at + n] = t->rest[at + n];
    double mean = 0;
    for (int k = 0; k < side[i].count; k++)
      mean += side[i].s[k] * side[i].z[k] / side[i].count;
    for (int k = 0; k < side[i].count; k++) {
      double want = factor * mean - (bent ? side[i].bend[k] : 0);
      for (int n = 1; n < size; n++)
        t->step[at + n] -= side[i].a[k][n - 1] * want / side[i].s[k];
    }
  }
  pc_status status = pc_thermal_apply(t, t->step, error);
  for (int i = 0; i < t->rows; i++) {
    double mean = 0;
    for (int k = 0; k < side[i].count; k++)
      mean += side[i].s[k] * side[i].z[k] / side[i].count;
    for (int k = 0; k < side[i].count; k++) {
      sides *c = &side[i];
      double want = factor * mean - (bent ? c->bend[k] : 0);
      c->ds[k] = 0;
      for (int n = 1; n < t->row[i].size; n++)
        c->ds[k] += c->a[k][n - 1] * t->step[pc_thermal_at(t, i) + n];
      c->dz[k] = (want - c->s[k] * c->z[k] - c->z[k] * c->ds[k]) / c->s[k];
    }
  }
  return status;
}

// The longest step that keeps s and z positive.
static double longest(const pc_fe_thermal *t, const sides *side)
{
  double step = 1;
  for (int i = 0; i < t->rows; i++)
    for (int k = 0; k < side[i].count; k++) {
      const sides *c = &side[i];
      if (c->ds[k] < 0)
        step = fmin(step, -c->s[k] / c->ds[k]);
      if (c->dz[k] < 0)
        step = fmin(step, -c->z[k] / c->dz[k]);
    }
  return step;
}

// Sum of s z after a step, over the sizes of the nodes' equations; `largest`: the largest term.
static double gap(const pc_fe_thermal *t, const sides *side, double step, double *largest)
{
  double sum = 0;
  *largest = 0;
  for (int i = 0; i < t->rows; i++)
    for (int k = 0; k < side[i].count; k++) {
      const sides *c = &side[i];
      double here = (c->s[k] + step * c->ds[k]) * (c->z[k] + step * c->dz[k]) / t->point[i].soft;
      sum += here;
      *largest = fmax(*largest, here);
    }
  return sum;
}

pc_status pc_thermal_interior(pc_fe_thermal *t, int *iterations, pc_error *error)
{
  if (t->sides == NULL)
    t->sides = pc_arena_take(&t->arena, (size_t)t->rows, sizeof *t->sides);
  sides *side = t->sides;
  if (side == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an interior point");
  begin(t, side);
  pc_status status = PC_OK;
  size_t bytes = (size_t)t->matrix.start[t->rows] * sizeof *t->jump;
  double least = INFINITY;
  for (int turn = 0; turn < STEPS && status == PC_OK; turn++) {
    double largest, before;
    for (int i = 0; i < t->rows; i++)
      memset(side[i].ds, 0, 3 * sizeof(double)), memset(side[i].dz, 0, 3 * sizeof(double));
    before = gap(t, side, 0, &largest);
    double rest = pc_thermal_rest(t, t->jump);
    if (rest < least) {
      least = rest;
      memcpy(t->best, t->jump, bytes);
    }
    if (largest <= NEAR)
      break;
    fill_extra(t, side);
    status = pc_thermal_factor(t, true, error);
    if (status == PC_OK)
      status = find_step(t, side, 0, false, error);
    ++*iterations;
    if (status != PC_OK)
      break;
    double ratio = gap(t, side, longest(t, side), &largest) / before;
    for (int i = 0; i < t->rows; i++)
      for (int k = 0; k < side[i].count; k++)
        side[i].bend[k] = side[i].ds[k] * side[i].dz[k];
    status = find_step(t, side, ratio * ratio * ratio, true, error);
    double step = fmin(1, 0.99 * longest(t, side));
    for (int i = 0; i < t->matrix.start[t->rows]; i++)
      t->jump[i] += step * t->step[i];
    for (int i = 0; i < t->rows; i++)
      for (int k = 0; k < side[i].count; k++) {
        side[i].s[k] += step * side[i].ds[k];
        side[i].z[k] += step * side[i].dz[k];
      }
  }
  for (int i = 0; i < t->rows; i++)
    memset(t->point[i].extra, 0, sizeof t->point[i].extra);
  memcpy(t->jump, t->best, bytes);
  // Near the end factorisations may fail: the best point so far is close enough.
  return status == PC_ERROR_NUMERIC ? PC_OK : status;
}
