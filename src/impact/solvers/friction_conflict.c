// Whether the constraints of an island contradict each other: bodies between obstacles that close
// in, ties that ask for different things. No percussion helps then, with friction or without, and
// the search for one need not go on.
//
// Of all motions, which misses the constraints c + J y >= 0 (or = 0; c = free - bound) by least? By
// duality the misses are proportional to the percussions x that make
//
//     x.(W + e) x / 2 + c.x,    x >= 0 (any sign for an equality),    e -> 0,
//
// least: with y = J^T x they are e x. And any such x proves something (Farkas): a motion y misses
// them by at least
//
//     (-c.x - |J^T x| |y|) / |x|,
//
// and the residual is no smaller than what is missed. The minimum is found by projected Newton
// (Bertsekas 1982): constraints that hold and do not push are left alone, the others take a Newton
// step, and the step is followed along its projection.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/friction.h"

enum { STEPS = 15, HALVINGS = 20 };
static const double first_soft = 1e-2, last_soft = 1e-12, softer = 1e-2;
static const double far = 1e4; // motions, over the free one, that are spoken of
static const double slope = 1e-4, small = 1e-10;
static const double at_rest = 1e-9, nearly = 1e-5; // softness, and what it may leave

typedef enum side { FREE, ABOVE, EQUAL } side;

typedef struct conflict {
  pc_friction *f; // x is f->r, W x is f->d
  double *c;      // free - bound
  side *side;     // per row
  bool *held;     // at its bound, and nothing to be gained
} conflict;

static double dot(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

// What a law asks of a row whatever the percussions are; *bound is where.
static side constraint(const pc_block_law *law, int i, double *bound)
{
  if (i < law->normal) {
    *bound = law->row.bound;
    return law->row.equality ? EQUAL : isfinite(law->row.bound) ? ABOVE : FREE;
  }
  *bound = -law->shift[i - law->normal];
  return law->tangential == PC_TANGENTIAL_BILATERAL ? EQUAL : FREE;
}

static void state_constraints(conflict *q)
{
  const pc_system *s = q->f->s;
  for (int k = 0; k < s->interactions; k++)
    for (int i = 0, row = s->row[k]; i < s->law[k].rows; i++, row++) {
      double bound;
      q->side[row] = constraint(&s->law[k], i, &bound);
      q->c[row] = q->side[row] == FREE ? 0 : s->free[row] - bound;
    }
}

static double value(const conflict *q, double soft, const double *x, double *wx)
{
  int n = q->f->s->rows;
  pc_steps_response(q->f->now, x, wx);
  return 0.5 * (dot(n, x, wx) + soft * dot(n, x, x)) + dot(n, q->c, x);
}

// The gradient in f->map, zero where nothing is to be gained; gives its size.
static double gradient(const conflict *q, double soft)
{
  const pc_friction *f = q->f;
  for (int i = 0; i < f->s->rows; i++) {
    double g = f->d[i] + soft * f->r[i] + q->c[i];
    q->held[i] = q->side[i] == FREE || (q->side[i] == ABOVE && f->r[i] <= 0 && g >= 0);
    f->map[i] = q->held[i] ? 0 : g;
  }
  return sqrt(dot(f->s->rows, f->map, f->map));
}

// Newton's step, (W + soft) dx = -gradient but for rows that are held, in f->dr.
static pc_status find_step(const conflict *q, double soft)
{
  pc_friction *f = q->f;
  const pc_system *s = f->s;
  for (int k = 0; k < s->interactions; k++) {
    int m = s->law[k].rows;
    pc_step_law *law = &f->now->law[k];
    memset(law, 0, sizeof *law);
    for (int i = 0; i < m; i++) {
      bool held = q->held[s->row[k] + i];
      law->b[i * m + i] = held ? 1 : soft;
      law->k[i * m + i] = held ? 0 : 1;
    }
    pc_step_law_invert(law, m);
  }
  for (int i = 0; i < s->rows; i++)
    f->g[i] = -f->map[i];
  pc_status status = pc_steps_factor(f->now);
  if (status == PC_OK)
    pc_steps_solve(f->now, f->g, f->dr);
  return status;
}

// Follows the step along its projection; gives the value that it reaches, in f->trial.
static double search(const conflict *q, double soft, double now)
{
  const pc_friction *f = q->f;
  double part = 1, next = now;
  for (int i = 0; i < HALVINGS; i++, part *= 0.5) {
    double gain = 0;
    for (int j = 0; j < f->s->rows; j++) {
      double x = f->r[j] + part * f->dr[j];
      f->trial[j] = q->side[j] == ABOVE && x < 0 ? 0 : x;
      gain += f->map[j] * (f->trial[j] - f->r[j]);
    }
    next = value(q, soft, f->trial, f->trial_d);
    if (next <= now + slope * gain)
      break;
  }
  return next;
}

// To the minimum for one softness.
static pc_status descend(const conflict *q, double soft)
{
  pc_friction *f = q->f;
  size_t size = sizeof(double) * (size_t)f->s->rows;
  double now = value(q, soft, f->r, f->d);
  for (int step = 0; step < STEPS && gradient(q, soft) > small * f->s->scale; step++) {
    pc_status status = find_step(q, soft);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    double next = search(q, soft, now);
    if (!(next < now))
      break;
    now = next;
    memcpy(f->r, f->trial, size);
    memcpy(f->d, f->trial_d, size);
  }
  return PC_OK;
}

// What all motions miss, by the percussions that were found.
static double proven(const conflict *q)
{
  pc_friction *f = q->f;
  const pc_system *s = f->s;
  double size = sqrt(dot(s->rows, f->r, f->r)), moved = sqrt(fmax(dot(s->rows, f->r, f->d), 0));
  if (s->bodies > 0 && !s->coupled) { // with more digits
    pc_system_motion(s, f->r, f->y);
    moved = sqrt(dot(s->dofs, f->y, f->y));
  }
  double reach = far * fmax(s->motion, s->scale);
  return size > 0 ? (-dot(s->rows, q->c, f->r) - reach * moved) / size : 0;
}

// What their own motion misses.
static double missed(const conflict *q)
{
  double sum = 0;
  for (int i = 0; i < q->f->s->rows; i++) {
    double g = q->f->d[i] + q->c[i];
    if (q->side[i] == EQUAL || (q->side[i] == ABOVE && g < 0))
      sum += g * g;
  }
  return sqrt(sum);
}

static pc_status prepare(conflict *q, pc_friction *f, pc_error *error)
{
  size_t rows = (size_t)f->s->rows;
  *q = (conflict){.f = f};
  q->c = pc_arena_take(&f->arena, rows, sizeof(double));
  q->side = pc_arena_take(&f->arena, rows, sizeof(side));
  q->held = pc_arena_take(&f->arena, rows, sizeof(bool));
  return f->arena.failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
}

pc_status pc_friction_conflict(pc_friction *f, double tolerance, pc_error *error)
{
  conflict q;
  pc_status status = prepare(&q, f, error);
  if (status != PC_OK)
    return status;
  state_constraints(&q);
  memset(f->r, 0, sizeof(double) * (size_t)f->s->rows);
  memset(f->d, 0, sizeof(double) * (size_t)f->s->rows);
  double enough = tolerance * f->s->scale;
  for (double soft = first_soft;
       status == PC_OK && soft >= last_soft && f->least <= tolerance && missed(&q) > enough;
       soft *= softer) {
    status = descend(&q, soft);
    f->least = fmax(f->least, proven(&q) / f->s->scale);
  }
  return status;
}

pc_status pc_system_conflict(pc_system *s, double tolerance, double *least, pc_error *error)
{
  pc_friction f;
  pc_status status = pc_friction_open(&f, s, error);
  if (status == PC_OK)
    status = pc_friction_conflict(&f, tolerance, error);
  *least = status == PC_OK && f.least > tolerance ? f.least : 0;
  pc_friction_free(&f);
  return status;
}

// All contacts with friction, and all constraints, as equalities.
static void state_rest(conflict *q)
{
  const pc_system *s = q->f->s;
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    bool rubs = law->tangential == PC_TANGENTIAL_COULOMB;
    for (int i = 0, row = s->row[k]; i < law->rows; i++, row++) {
      double bound;
      side asked = constraint(law, i, &bound);
      q->held[row] = asked == FREE && !rubs;
      double at = asked == EQUAL || i >= law->normal ? bound : fmax(bound, 0);
      q->f->map[row] = q->c[row] = q->held[row] ? 0 : s->free[row] - at;
    }
  }
}

pc_status pc_friction_rests(pc_friction *f, bool *rests, pc_error *error)
{
  conflict q;
  pc_status status = prepare(&q, f, error);
  *rests = false;
  if (status != PC_OK)
    return status;
  state_rest(&q);
  status = find_step(&q, at_rest);
  if (status != PC_OK)
    return status == PC_ERROR_NUMERIC ? PC_OK : status;
  pc_steps_response(f->now, f->dr, f->d);
  double left = 0;
  for (int i = 0; i < f->s->rows; i++)
    left += q.held[i] ? 0 : (q.c[i] + f->d[i]) * (q.c[i] + f->d[i]);
  *rests = sqrt(left) <= nearly * f->s->scale;
  return PC_OK;
}
