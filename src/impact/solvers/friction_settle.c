// The interior point that falls. Where the path to smaller products turns back (friction_path.c)
// there is no solution near for products any smaller. Then the point is let go: at the same
// products every interaction gets a drag,
//
//     D + soft (r - anchor) for D,    soft = drag t / r_N^2,
//
// and the anchor is moved to the solution, again and again: implicit steps in time of a motion that
// ends on another branch of the path, mostly after an avalanche. The drag is relative, so that with
// drag = 1 the blur of a contact is doubled, and every step may change percussions as much as
// Newton can follow. Once it comes to rest without drag, products are made smaller.
//
// Products only ever fall; what is found depends on every detail of the way, so that other speeds
// and other blurs find other solutions. Where it does not come to rest (these motions have no
// potential, and may go in circles) products are made smaller all the same.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/friction.h"

enum { FINISH_STEPS = 6, LAST_STEPS = 25, MAX_INNER = 8, FIRST_INNER = 20, MAX_RESTLESS = 80 };
static const struct {
  double smooth, shrink;
} attempts[PC_SETTLINGS] = {{1, 0.3}, {2, 0.4}, {1, 0.5}, {3, 0.3}};
static const double first_product = 300, first_open = 90, last_product = 1e-16;
static const double first_drag = 0.1, no_drag = 1e-3, rest = 0.03, most_drag = 1e6;
static const double first_off = 1.7, second_off = 2; // relative steps that Newton follows
static const double close = 0.5, close_cone = 2;     // and that are its last
static const double wanted_off = 0.7;
static const double near = 1e-4; // residual from which Newton tries

typedef struct settling {
  pc_friction *f;
  double t, unit, drag, aim;
  double *kept;     // the point that belongs to the anchor
  double *measures; // room
  double off;       // largest relative step of the normal laws
  double off_all;   // and of friction
  double first, last_off;
  int inner, steps, restless;
} settling;

// Relative steps and room of the normal laws. Those of friction do not count: a direction in which
// a contact slides turns far, along the boundary of its cone, and `move` brings it back there.
static double normal_off(const pc_friction *f)
{
  double most = 0;
  for (int j = 0; j < f->working; j++) {
    const pc_piece_state *q = &f->piece[j];
    most = fmax(most, fmax(fabs(q->dp / q->p), fabs(q->dlp / q->lp)));
    if (q->piece.two_sided)
      most = fmax(most, fmax(fabs(q->dn / q->n), fabs(q->dln / q->ln)));
  }
  return most;
}

static double normal_room(const pc_friction *f, double step)
{
  for (int j = 0; j < f->working; j++)
    step = pc_piece_room(&f->piece[j], step);
  for (int j = 0; j < f->cones; j++) {
    const pc_cone *c = &f->cone[j];
    double other = c->rho - f->r[c->row], change = c->drho - f->dr[c->row];
    if (c->drho < 0)
      step = fmin(step, -c->rho / c->drho);
    if (c->pulls && change < 0)
      step = fmin(step, -other / change);
  }
  return step;
}

// Moves, and friction to where its product is t: with x0 and the direction e of x_T - z_T given,
// x_T = x0 q e, z_T = -q z0 e and z0 = h/(1 - q^2), h = t/x0; |x_T - z_T| gives q.
static void move(pc_friction *f, double t, double length)
{
  pc_friction_move(f, length);
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    double x0 = c->mu * c->rho, h = f->smooth * t / x0, e[3] = {0}, size = 0, low = 0, high = 1;
    for (int i = 1; i < c->size; i++) {
      e[i] = f->r[c->base + i] - c->z[i];
      size += e[i] * e[i];
    }
    size = sqrt(size);
    for (int k = 0; k < 52; k++) {
      double q = 0.5 * (low + high);
      if (q * h / ((1 - q) * (1 + q)) + x0 * q < size)
        low = q;
      else
        high = q;
    }
    c->z[0] = h / ((1 - low) * (1 + low));
    for (int i = 1; i < c->size; i++) {
      f->r[c->base + i] = size > 0 ? x0 * low * e[i] / size : 0;
      c->z[i] = size > 0 ? -low * c->z[0] * e[i] / size : 0;
    }
  }
}

static void anchor_here(settling *p)
{
  pc_friction *f = p->f;
  memcpy(f->anchor, f->r, sizeof(double) * (size_t)f->s->rows);
  pc_friction_transfer(f, p->kept, false, false);
  p->inner = 0;
  p->last_off = INFINITY;
  p->steps++;
}

static void set_drag(settling *p)
{
  pc_friction *f = p->f;
  const pc_system *s = f->s;
  f->softened = p->drag > 0;
  for (int k = 0; k < s->interactions; k++) {
    double r = f->anchor[s->row[k]], soft = r > 0 ? p->drag * p->t / (r * r) : 0;
    for (int row = s->row[k]; row < s->row[k + 1]; row++)
      f->soft[row] = soft;
  }
}

// Newton's step, and how far it goes; false if there is none.
static pc_status look(settling *p, double *length, bool *found)
{
  pc_friction *f = p->f;
  set_drag(p);
  *found = pc_friction_scale(f);
  if (!*found)
    return PC_OK;
  pc_friction_velocities(f, 0);
  pc_friction_soften(f, f->r, f->d);
  pc_friction_eliminate(f, p->t, false);
  pc_status status = pc_steps_factor(f->now);
  *found = status == PC_OK;
  if (!*found)
    return status == PC_ERROR_NUMERIC ? PC_OK : status;
  pc_friction_direction(f, p->t, false);
  p->off_all = pc_friction_measure(f, p->measures);
  p->off = normal_off(f);
  *length = fmin(1, 0.9 * normal_room(f, 1 / 0.9));
  *found = isfinite(p->off_all) && *length > 1e-3;
  return PC_OK;
}

// Whether Newton leads to the next point with this drag.
static bool hopeless(const settling *p, bool found)
{
  if (p->steps == 1 && p->inner <= FIRST_INNER && found) // the start is far from everything
    return false;
  if (!found || p->inner > MAX_INNER)
    return true;
  return p->inner == 1   ? p->off > first_off
         : p->inner == 2 ? p->off > second_off
                         : p->off > 0.7 * p->last_off && p->off > close;
}

// Where a step with this drag has ended: at rest products become smaller, else it goes on.
static void next_step(settling *p, double shrink)
{
  bool resting = p->drag <= rest;
  p->restless = resting ? 0 : p->restless + 1;
  if (resting || p->restless > MAX_RESTLESS) {
    p->t *= shrink;
    p->restless = 0;
  }
  p->drag = resting && p->inner <= 2 ? 0 : p->drag * fmin(2, fmax(p->first / wanted_off, 0.15));
  if (p->drag < no_drag)
    p->drag = 0;
}

static pc_status one_step(settling *p, double shrink, bool *ended)
{
  pc_friction *f = p->f;
  double length = 0;
  bool found;
  p->off = p->off_all = INFINITY;
  pc_status status = look(p, &length, &found);
  if (++p->inner == 1)
    p->first = fmax(p->off, 0.25 * p->off_all);
  *ended = false;
  if (status != PC_OK)
    return status;
  if (hopeless(p, found)) {
    bool known = p->inner == 1 && isfinite(p->off);
    pc_friction_transfer(f, p->kept, false, true);
    p->drag = fmax(p->drag * (known ? fmin(fmax(p->off, 2), 10) : 5), first_drag);
    p->inner = 0;
    p->last_off = INFINITY;
    return PC_OK;
  }
  p->last_off = p->off;
  move(f, p->t, length);
  *ended = length > 0.99 && p->off < close && p->off_all < close_cone;
  if (*ended)
    next_step(p, shrink);
  return PC_OK;
}

pc_status pc_friction_settle(pc_friction *f, double tolerance, int attempt, int most,
                             pc_error *error)
{
  settling p = {.f = f, .aim = near};
  double fast = pc_friction_fast(f), shrink = attempts[attempt].shrink;
  p.kept = pc_arena_take(&f->arena, (size_t)pc_friction_unknowns(f), sizeof(double));
  p.measures = pc_arena_take(&f->arena, (size_t)pc_friction_measured(f), sizeof(double));
  if (f->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (!(fast > 0))
    return PC_OK;
  p.unit = fast * fast;
  p.t = first_product * p.unit;
  f->smooth = attempts[attempt].smooth;
  f->best = (pc_best){.residual = INFINITY};
  pc_friction_spread(f, p.t, first_open * fast);
  pc_status status = PC_OK;
  int end = pc_friction_factorisations(f) + most;
  for (bool ended = true; status == PC_OK && pc_friction_factorisations(f) < end;) {
    if (ended) {
      double residual = pc_best_offer(&f->best, f->s, f->r, f->y, f->d);
      f->softened = false;
      if (residual < p.aim) {
        p.aim = 0.1 * residual;
        status = pc_friction_newton(f, tolerance, FINISH_STEPS, error);
      }
      if (f->best.residual <= tolerance || p.t < last_product * p.unit || status != PC_OK)
        break;
      anchor_here(&p);
    }
    status = one_step(&p, shrink, &ended);
    if (p.drag > most_drag)
      break;
  }
  f->softened = false;
  if (status == PC_OK && f->best.residual > tolerance && f->best.residual < near)
    status = pc_friction_newton(f, tolerance, LAST_STEPS, error);
  pc_friction_keep(f);
  f->smooth = 1;
  return status;
}
