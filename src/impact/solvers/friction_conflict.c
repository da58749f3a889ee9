// Whether the constraints of an island contradict each other: bodies between obstacles that close
// in, ties that ask for different things. No percussion helps then, with friction or without, and
// the search for one need not go on.
//
// Of all motions, which misses the constraints c + J y >= 0 (or = 0; c = free - bound) by least?
// One that makes
//
//     e |y|^2 / 2 + |p|^2 / 2,    p = max(0, -(c + J y)) (or -(c + J y)),    e -> 0,
//
// least, where e y = J^T p. And any p >= 0 proves something (Farkas): a motion y misses by at least
//
//     (-c.p - |J^T p| |y|) / |p|,
//
// and the residual is no smaller than what is missed. J^T p falls to round-off when the same is
// done again from the motion that was found, c + J y for c: proximal points.
//
// The minimum is found by Newton's method with exact line searches; the function is convex and
// quadratic in pieces, so a few steps will do. Motions are written y = J^T r, so that a response W
// is all that is needed.
//
// Where all contacts can be at rest at once there is nothing to search for: rest is a motion that
// obeys all constraints, and a solution with friction exists to any tolerance (friction_path.c).
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

enum { BISECTIONS = 40, REST_ROUNDS = 4 };
static const double first_soft = 1e-2, least_soft = 1e-8, harder = 1e-2;
static const double far = 1e4; // motions, over the free one, that are spoken of
static const double settled = 1e-14;
static const double at_rest = 1e-9, nearly = 1e-5; // softness, and what it may leave

typedef enum side { FREE, ABOVE, EQUAL } side;

typedef struct conflict {
  pc_friction *f; // y = J^T f->r, and f->d = W f->r
  double *c;      // free - bound, plus the motion of the rounds before
  side *side;     // per row
  bool *held;     // rows that the next step leaves alone
} conflict;

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

// What a row misses at c + d.
static double violation(side asked, double at)
{
  return asked == EQUAL || (asked == ABOVE && at < 0) ? -at : 0;
}

// Newton's step in f->dr: (W + soft) (r + dr) = -c where something is missed, r + dr = 0 elsewhere.
static pc_status find_step(const conflict *q, double soft)
{
  pc_friction *f = q->f;
  const pc_system *s = f->s;
  for (int k = 0; k < s->interactions; k++) {
    int m = s->law[k].rows;
    pc_step_law *law = &f->steps.law[k];
    memset(law, 0, sizeof *law);
    for (int i = 0; i < m; i++) {
      int row = s->row[k] + i;
      bool held = q->held[row];
      law->b[i * m + i] = held ? 1 : soft;
      law->k[i * m + i] = held ? 0 : 1;
      f->g[row] = held ? -f->r[row] : -(q->c[row] + f->d[row] + soft * f->r[row]);
    }
    pc_step_law_invert(law, m);
  }
  pc_status status = pc_steps_factor(&f->steps);
  if (status == PC_OK) {
    pc_steps_solve(&f->steps, f->g, f->dr);
    pc_steps_response(&f->steps, f->dr, f->dd);
  }
  return status;
}

// The derivative along the step, `part` of it taken.
static double slope(const conflict *q, double soft, double part)
{
  const pc_friction *f = q->f;
  double sum = 0;
  for (int i = 0; i < f->s->rows; i++) {
    double at = q->c[i] + f->d[i] + part * f->dd[i];
    sum += (soft * (f->r[i] + part * f->dr[i]) - violation(q->side[i], at)) * f->dd[i];
  }
  return sum;
}

// The part of the step that leads to the minimum along it.
static double search(const conflict *q, double soft)
{
  double low = 0, high = 1;
  if (slope(q, soft, 1) <= 0)
    return 1;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    if (slope(q, soft, middle) <= 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// To the minimum for one softness, from the motion so far.
static pc_status descend(const conflict *q, double soft)
{
  pc_friction *f = q->f;
  int n = f->s->rows;
  memset(f->r, 0, sizeof(double) * (size_t)n);
  memset(f->d, 0, sizeof(double) * (size_t)n);
  for (int step = 0; step < PC_CONFLICT_STEPS; step++) {
    for (int i = 0; i < n; i++)
      q->held[i] = violation(q->side[i], q->c[i] + f->d[i]) == 0;
    pc_status status = find_step(q, soft);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    double part = search(q, soft), change = 0;
    for (int i = 0; i < n; i++) {
      f->r[i] += part * f->dr[i];
      f->d[i] += part * f->dd[i];
      change += part * part * f->dd[i] * f->dd[i];
    }
    if (sqrt(change) <= settled * f->s->scale)
      break;
  }
  return PC_OK;
}

// What all motions miss, by what the one that was found misses (in f->map).
static double proven_violation(const conflict *q)
{
  pc_friction *f = q->f;
  const pc_system *s = f->s;
  for (int i = 0; i < s->rows; i++)
    f->map[i] = violation(q->side[i], q->c[i] + f->d[i]);
  double size = pc_norm(s->rows, f->map), moved = 0;
  if (s->bodies > 0 && !s->coupled) { // with more digits than by W
    pc_system_motion(s, f->map, f->y);
    moved = pc_norm(s->dofs, f->y);
  } else {
    pc_steps_response(&f->steps, f->map, f->g);
    moved = sqrt(fmax(pc_dot(s->rows, f->map, f->g), 0));
  }
  double reach = far * fmax(s->motion, s->scale);
  return size > 0 ? (-pc_dot(s->rows, q->c, f->map) - reach * moved) / size : 0;
}

// What the motion so far misses.
static double total_violation(const conflict *q)
{
  double sum = 0;
  for (int i = 0; i < q->f->s->rows; i++)
    sum += pc_pow(violation(q->side[i], q->c[i]), 2);
  return sqrt(sum);
}

static pc_status prepare(conflict *q, pc_friction *f, pc_error *error)
{
  size_t rows = (size_t)f->s->rows;
  *q = (conflict){.f = f};
  q->c = pc_arena_take(f->s->arena, rows, sizeof(double));
  q->side = pc_arena_take(f->s->arena, rows, sizeof(side));
  q->held = pc_arena_take(f->s->arena, rows, sizeof(bool));
  return f->s->arena->failed ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
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
      q->c[row] = q->held[row] ? 0 : s->free[row] - at;
      q->f->r[row] = q->f->d[row] = 0;
    }
  }
}

// What is left of relative velocities in the motion that is nearest to rest.
static pc_status find_rest(conflict *q, double tolerance, double *left)
{
  pc_friction *f = q->f;
  state_rest(q);
  *left = INFINITY;
  for (int round = 0; round<REST_ROUNDS && * left> tolerance * f->s->scale; round++) {
    pc_status status = find_step(q, at_rest);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    for (int i = 0; i < f->s->rows; i++)
      q->c[i] += q->held[i] ? 0 : f->dd[i];
    *left = pc_norm(f->s->rows, q->c);
  }
  return PC_OK;
}

static pc_status find_contradiction(conflict *q, double tolerance)
{
  pc_friction *f = q->f;
  double soft = first_soft, scale = f->s->scale;
  pc_status status = PC_OK;
  state_constraints(q);
  for (int round = 0; round < PC_CONFLICT_ROUNDS && status == PC_OK; round++) {
    if (total_violation(q) <= tolerance * scale)
      break;
    status = descend(q, soft);
    f->least = fmax(f->least, proven_violation(q) / scale);
    if (f->least > tolerance)
      break;
    for (int i = 0; i < f->s->rows; i++)
      q->c[i] += q->side[i] == FREE ? 0 : f->d[i];
    soft = fmax(harder * soft, least_soft);
  }
  return status;
}

pc_status pc_friction_conflict(pc_friction *f, double tolerance, bool *rests, pc_error *error)
{
  conflict q;
  double left = INFINITY;
  pc_status status = prepare(&q, f, error);
  if (status == PC_OK)
    status = find_rest(&q, tolerance, &left);
  *rests = left <= nearly * f->s->scale;
  if (status == PC_OK && left > tolerance * f->s->scale)
    status = find_contradiction(&q, tolerance);
  return status;
}

pc_status pc_system_conflict(pc_system *s, double tolerance, double *least, pc_error *error)
{
  pc_friction f;
  bool rests;
  pc_status status = pc_friction_open(&f, s, error);
  if (status == PC_OK)
    status = pc_friction_conflict(&f, tolerance, &rests, error);
  *least = status == PC_OK && f.least > tolerance ? f.least : 0;
  pc_friction_free(&f);
  return status;
}
