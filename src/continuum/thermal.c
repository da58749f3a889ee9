#include "continuum/thermal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

enum { ROUNDS = 200 };
static const double TOLERANCE = 1e-11;
static const double FLOOR = 1e-13; // of L^2 / C: what holds b_1 - b_2 where nothing else does
static const double INSIDE = 1e-9; // fractions this far from their set are in it

pc_fe_thermal *pc_fe_thermal_create(const pc_fe_thermal_def *def, pc_error *error)
{
  pc_fe_thermal *t = calloc(1, sizeof *t);
  if (t == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a thermal problem");
    return NULL;
  }
  t->def = *def;
  t->def.medium = pc_arena_copy(&t->arena, def->medium, def->media, sizeof *def->medium);
  t->def.side = pc_arena_copy(&t->arena, def->side, def->surfaces, sizeof *def->side);
  t->def.contact = pc_arena_copy(&t->arena, def->contact, def->contacts, sizeof *def->contact);
  t->def.push = pc_arena_copy(&t->arena, def->push, def->pushes, sizeof *def->push);
  if (pc_thermal_make(t, error) == PC_OK) {
    pc_thermal_add_pushes(t);
    return t;
  }
  pc_fe_thermal_destroy(t);
  return NULL;
}

void pc_fe_thermal_destroy(pc_fe_thermal *t)
{
  if (t == NULL)
    return;
  pc_arena_free(&t->arena);
  pc_direct_destroy(t->direct);
  pc_block_matrix_free(&t->matrix);
  free(t);
}

static pc_status read_before(pc_fe_thermal *t, const pc_fe_thermal_state *before, pc_error *error)
{
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    pc_thermal_point *p = &t->point[i];
    const double *at = t->def.mesh->node[row->node];
    p->before = before->temperature[row->node];
    if (!(p->before > 0) || !isfinite(p->before))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the initial temperature at node %d, (%g, %g), must be positive (got %g K)",
                     row->node, at[0], at[1], p->before);
    memset(p->fraction, 0, sizeof p->fraction);
    p->sum = 1;
    if (row->size > 1) {
      const double *b = before->fraction[row->node];
      p->sum = row->size == 3 ? b[0] + b[1] + b[2] : 1;
      double whole[3] = {b[0], row->size == 3 ? b[1] : 0, row->size == 3 ? b[2] : 0};
      bool good = isfinite(p->sum) && isfinite(b[0]) && p->sum > 0 && p->sum <= 1 + INSIDE;
      if (!good || !(pc_thermal_outside(row->size, p->sum, whole) <= INSIDE))
        return pc_fail(
            error, PC_ERROR_ARGUMENT,
            row->size == 3
                ? "the initial fractions at node %d, (%g, %g), are %g, %g and %g; each must be "
                  "from 0 to 1, and their sum must be positive and at most 1"
                : "the initial liquid fraction at node %d, (%g, %g), must be from 0 to 1 (got %g)",
            row->node, at[0], at[1], b[0], b[1], b[2]);
      pc_thermal_project(row->size, p->sum, whole);
      memcpy(p->fraction, whole, sizeof whole);
    }
    pc_thermal_to_plane(row->size, p->fraction, p->place);
  }
  return PC_OK;
}

// Diagonals for scaling, and `couples`.
static void find_sizes(pc_fe_thermal *t)
{
  bool same = t->factored;
  for (int i = 0; i < t->rows; i++) {
    pc_thermal_row *row = &t->row[i];
    pc_thermal_point *p = &t->point[i];
    double capacity = row->own + p->sum * row->shared;
    same = same && capacity == p->capacity;
    p->capacity = capacity;
    p->stiff = capacity + t->def.weight * row->leak;
    p->side = row->change * row->resist;
  }
  if (!same)
    t->factored = false;
  for (int i = 0; i < t->rows; i++)
    for (int k = t->matrix.row[i]; k < t->matrix.row[i + 1] - 1; k++) {
      int j = t->matrix.column[k];
      double pull = t->row[i].change * (t->spread[k] + t->spread_change[k]);
      t->point[i].stiff -= t->def.weight * t->conduct[k];
      t->point[j].stiff -= t->def.weight * t->conduct[k];
      t->point[i].side -= pull;
      t->point[j].side -= pull;
      t->couples = t->couples || pull != 0;
    }
  for (int i = 0; i < t->rows; i++) {
    pc_thermal_point *p = &t->point[i];
    double share = t->row[i].latent * pc_thermal_share(t->row[i].size);
    p->floor = FLOOR * share * share / p->capacity;
    p->side += p->floor;
    p->soft = p->side + share * share / p->stiff;
  }
}

static pc_status read_data(pc_fe_thermal *t, const pc_fe_thermal_data *data, pc_error *error)
{
  int nodes = t->def.mesh->nodes;
  t->couples = false;
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    pc_thermal_point *p = &t->point[i];
    p->heat = (data->heat != NULL ? data->heat[row->node] : 0) + row->push.heat;
    double drive[2] = {0}, work[2];
    if (data->drive != NULL && row->size > 1)
      pc_thermal_to_plane(row->size, data->drive[row->node], drive);
    pc_thermal_to_plane(row->size, row->push.work, work);
    for (int n = 0; n < 2; n++) {
      p->pull[n] = drive[n] * (row->change * row->volume) + row->change * work[n];
      t->couples = t->couples || p->pull[n] != 0;
    }
    t->couples = t->couples || pc_thermal_has_entropy(row);
    if (!isfinite(p->heat) || !isfinite(p->pull[0]) || !isfinite(p->pull[1]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the heat or the drive at node %d is not finite",
                     row->node);
  }
  for (int k = 0; k < t->touches && data->surface != NULL; k++) {
    const pc_thermal_touch *touch = &t->touch[k];
    double heat = data->surface[(size_t)touch->contact * (size_t)nodes + (size_t)touch->node];
    if (!isfinite(heat))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the work of contact %d at node %d is not finite",
                     touch->contact, touch->node);
    if (touch->other < 0)
      t->point[touch->row].heat += heat;
    else
      t->couples = t->couples || heat != 0;
  }
  return PC_OK;
}

// Fixed-point rounds on the heat that depends on the answer, damped where they do not converge.
static pc_status run_rounds(pc_fe_thermal *t, const pc_fe_thermal_data *data, double tolerance,
                            pc_fe_thermal_answer *answer, pc_error *error)
{
  double *next = t->work + t->rows, last = INFINITY, part = 1;
  pc_thermal_sources(t, data, t->jump, t->source);
  for (answer->rounds = 1;; answer->rounds++) {
    double inner;
    pc_status status = pc_thermal_newton(t, tolerance / 4, &answer->iterations, &inner, error);
    if (status != PC_OK)
      return status;
    pc_thermal_sources(t, data, t->jump, next);
    double change = 0;
    for (int i = 0; i < t->rows; i++)
      change = fmax(change, fabs(next[i] - t->source[i]) / t->point[i].stiff);
    part = change < last ? fmin(1, 1.25 * part) : fmax(part / 2, 1.0 / 64);
    last = change;
    bool end = answer->rounds >= ROUNDS || !t->couples;
    for (int i = 0; i < t->rows; i++)
      t->source[i] += (end ? 1 : part) * (next[i] - t->source[i]);
    answer->residual = pc_thermal_rest(t, t->jump);
    if (answer->residual <= tolerance && part < 1) { // for the whole of the new heat
      memcpy(t->source, next, (size_t)t->rows * sizeof *next);
      answer->residual = pc_thermal_rest(t, t->jump);
    }
    if (answer->residual <= tolerance || end)
      return PC_OK;
  }
}

// Projects fractions onto their set, which removes round-off.
static void write_after(pc_fe_thermal *t, const pc_fe_thermal_state *before)
{
  size_t nodes = (size_t)t->def.mesh->nodes;
  memcpy(t->after.temperature, before->temperature, nodes * sizeof(double));
  if (before->fraction != NULL)
    memcpy(t->after.fraction, before->fraction, nodes * sizeof *t->after.fraction);
  for (int i = 0; i < t->rows; i++) {
    const pc_thermal_row *row = &t->row[i];
    pc_thermal_point *p = &t->point[i];
    int at = pc_thermal_at(t, i);
    t->after.temperature[row->node] = p->before + t->jump[at];
    if (row->size == 1)
      continue;
    double *b = t->after.fraction[row->node], move[3], y[2];
    pc_thermal_fractions(t, i, t->jump, b);
    pc_thermal_project(row->size, p->sum, b);
    for (int k = 0; k < 3; k++)
      move[k] = b[k] - p->fraction[k];
    pc_thermal_to_plane(row->size, move, y);
    for (int n = 1; n < row->size; n++)
      t->jump[at + n] = y[n - 1];
  }
}

static pc_status check_after(const pc_fe_thermal *t, const pc_fe_thermal_answer *answer,
                             pc_error *error)
{
  for (int i = 0; i < t->rows; i++) {
    double after = t->after.temperature[t->row[i].node];
    if (after > 0 && isfinite(after))
      continue;
    if (!answer->solved)
      return pc_fail(
          error, PC_ERROR_NUMERIC,
          "the temperatures did not converge (residual %.1g): the work of the phase change is not "
          "small compared with the latent heat; reduce 'spread' or the driving work",
          answer->residual);
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "node %d would have %g K after the collision: more heat leaves it than it has; "
                   "reduce the exchange or conductivity",
                   t->row[i].node, after);
  }
  return PC_OK;
}

pc_status pc_fe_thermal_solve(pc_fe_thermal *t, const pc_fe_thermal_state *before,
                              const pc_fe_thermal_data *data, pc_fe_thermal_answer *answer,
                              pc_error *error)
{
  static const pc_fe_thermal_data nothing = {0};
  if (data == NULL)
    data = &nothing;
  *answer = (pc_fe_thermal_answer){0};
  pc_status status = read_before(t, before, error);
  if (status == PC_OK)
    status = read_data(t, data, error);
  if (status == PC_OK)
    status = pc_thermal_spread_voids(t, error);
  if (status != PC_OK)
    return status;
  find_sizes(t);
  if (!t->started)
    memset(t->jump, 0, (size_t)t->matrix.start[t->rows] * sizeof *t->jump);
  t->started = false;
  for (int i = 0; i < t->rows; i++)
    if (t->row[i].given)
      t->jump[pc_thermal_at(t, i)] = t->row[i].at - t->point[i].before;
  double tolerance = t->def.tolerance > 0 ? t->def.tolerance : TOLERANCE;
  status = run_rounds(t, data, tolerance, answer, error);
  if (status != PC_OK)
    return status;
  if (answer->iterations > 0) // so that it does not depend on what was solved before
    pc_thermal_polish(t, &answer->residual);
  answer->solved = answer->residual <= tolerance;
  write_after(t, before);
  answer->after = t->after;
  status = check_after(t, answer, error);
  if (status == PC_OK)
    pc_thermal_account_make(t, data, &answer->account);
  return status;
}

void pc_fe_thermal_start(pc_fe_thermal *t, const pc_fe_thermal_state *before,
                         const pc_fe_thermal_state *at)
{
  for (int i = 0; i < t->rows; i++) {
    int node = t->row[i].node, size = t->row[i].size;
    double move[3] = {0}, y[2];
    t->jump[pc_thermal_at(t, i)] = at->temperature[node] - before->temperature[node];
    for (int k = 0; k < 3 && size > 1; k++)
      move[k] = at->fraction[node][k] - before->fraction[node][k];
    pc_thermal_to_plane(size, move, y);
    for (int n = 1; n < size; n++)
      t->jump[pc_thermal_at(t, i) + n] = y[n - 1];
  }
  t->started = true;
}
