// The interior point on the Coulomb problem itself. r is the unknown, D = free + W r always holds.
// Normal laws are pieces (pieces.h), friction is a cone (friction.h) with Nesterov and Todd's
// scaling; predictor and corrector are Mehrotra's. There is no proof that it converges, since the
// problem is not monotone, but friction alone, with the normal percussion given, is, and the
// derivative of the modified velocity |v_T|, which is noise at sticking contacts, never appears.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

static const double soft_rows = 1e-13, soft_bodies = 1e-9; // compliance of an equality
static const double fraction = 0.9;                        // of the way to the boundary

static const pc_turned_law no_law = {.slide = {.along = {1, 0}},
                                     .roll = {.b = {1, 1}, .along = {1, 0}}};

// Row 0, or a sliding row.
static void set_row(pc_turned_law *law, int i, double b, double k)
{
  *(i == 0 ? &law->b : &law->slide.b[i - 1]) = b;
  *(i == 0 ? &law->k : &law->slide.k[i - 1]) = k;
}

static double cone_gap(int n, const double *x)
{
  double t = pc_norm(n - 1, x + 1);
  return x[0] > t ? (x[0] - t) * (x[0] + t) : 0;
}

static void cone_x(const pc_friction *f, const pc_cone *c, double *x)
{
  x[0] = c->mu * c->rho;
  for (int i = 1; i < c->size; i++)
    x[i] = f->r[c->base + i];
}

// V x (sign = 1) or V^-1 x (sign = -1).
void pc_cone_scaled(const pc_cone *c, double sign, const double *x, double *out)
{
  double dot = pc_dot(c->size - 1, c->w + 1, x + 1), eta = sign > 0 ? c->eta : 1 / c->eta;
  out[0] = eta * (c->w[0] * x[0] + sign * dot);
  for (int i = 1; i < c->size; i++)
    out[i] = eta * (x[i] + c->w[i] * (sign * x[0] + dot / (1 + c->w[0])));
}

static bool scale_cone(const pc_friction *f, pc_cone *c)
{
  double x[3], dot = 0, xb[3], zb[3];
  cone_x(f, c, x);
  double gap_x = cone_gap(c->size, x), gap_z = cone_gap(c->size, c->z);
  if (!(gap_x > 0) || !(gap_z > 0) || !isfinite(gap_x) || !isfinite(gap_z))
    return false;
  for (int i = 0; i < c->size; i++) {
    xb[i] = x[i] / sqrt(gap_x);
    zb[i] = c->z[i] / sqrt(gap_z);
    dot += xb[i] * zb[i];
  }
  double g = sqrt(0.5 * (1 + fmax(dot, 1)));
  for (int i = 0; i < c->size; i++)
    c->w[i] = (xb[i] + (i == 0 ? zb[i] : -zb[i])) / (2 * g);
  c->eta = sqrt(sqrt(gap_x / gap_z));
  return true;
}

// The right-hand side for products of `target`, without the equations of velocities.
void pc_cone_aim(const pc_friction *f, pc_cone *c, double target, bool correct)
{
  double lam[3], side[3], goal = f->smooth * target;
  pc_cone_scaled(c, 1, c->z, lam);
  side[0] = goal - pc_dot(c->size, lam, lam);
  for (int i = 1; i < c->size; i++)
    side[i] = -2 * lam[0] * lam[i];
  if (correct) {
    const double *x = c->affine_x, *z = c->affine_z;
    for (int i = 0; i < c->size; i++)
      side[0] -= x[i] * z[i];
    for (int i = 1; i < c->size; i++)
      side[i] -= x[0] * z[i] + z[0] * x[i];
  }
  double gap = cone_gap(c->size, lam), dot = pc_dot(c->size - 1, lam + 1, side + 1);
  c->c[0] = (lam[0] * side[0] - dot) / gap;
  for (int i = 1; i < c->size; i++)
    c->c[i] = (side[i] - c->c[0] * lam[i]) / lam[0];
  c->follow = 1;
  c->lead = 0;
  if (c->pulls) {
    double other = c->rho - f->r[c->row], sum = c->rho + other;
    c->follow = c->rho / sum;
    c->lead = (target - c->rho * other - (correct ? c->affine_rho : 0)) / sum;
  }
}

// Friction in the equations of its interaction: dr_T + M dd_T - mu kappa drho = M (rest), M =
// T_TT^-1 of T = V^-2, kappa = -M T_TN, both known in closed form and taken along and across w_T.
static void cone_equations(pc_friction *f, const pc_cone *c, pc_turned_law *step)
{
  const pc_block_law *law = &f->s->law[c->interaction];
  const double *shift = law->shift + (c->base - c->row);
  double size = pc_dot(c->size - 1, c->w + 1, c->w + 1), back[3], rest[2], along = 0;
  pc_turned_part part = {.turn_k = 0};
  for (int i = 1; i < c->size; i++)
    part.along[i - 1] = size > 0 ? c->w[i] / sqrt(size) : i == 1;
  double m_across = c->eta * c->eta, m_along = m_across / (1 + 2 * size);
  double kappa = 2 * c->w[0] * sqrt(size) / (1 + 2 * size);
  part.b[0] = 1 / (1 + m_along);
  part.k[0] = m_along / (1 + m_along);
  part.b[1] = 1 / (1 + m_across);
  part.k[1] = m_across / (1 + m_across);
  part.turn_b = -part.b[0] * c->mu * kappa * c->follow;
  pc_cone_scaled(c, -1, c->c, back);
  for (int i = 1; i < c->size; i++) {
    double v = f->d[c->base + i] + shift[i - 1];
    rest[i - 1] = back[i] + c->z[i] - v;
    along += part.along[i - 1] * rest[i - 1];
  }
  double lead = part.b[0] * c->mu * kappa * c->lead;
  for (int i = 1; i < c->size; i++) {
    double t = part.along[i - 1];
    f->g[c->base + i] = (part.k[0] * along + lead) * t + part.k[1] * (rest[i - 1] - along * t);
  }
  *(c->base > c->row ? &step->roll : &step->slide) = part;
}

// All equations, for products of `target`.
void pc_friction_eliminate(pc_friction *f, double target, bool correct)
{
  const pc_system *s = f->s;
  double *t = f->map, *g = f->g, soft = f->steps.form == PC_BY_ROWS ? soft_rows : soft_bodies;
  for (int i = 0; i < s->rows; i++) {
    t[i] = f->a[i];
    g[i] = f->equality[i] ? f->d0[i] - f->d[i] : -f->r[i] - f->a[i] * (f->d[i] - f->d0[i]);
  }
  for (int j = 0; j < f->working; j++) {
    pc_piece_state *q = &f->piece[j];
    pc_piece_eliminate(q, f->d[q->row], target, correct, 0);
    t[q->row] += 1 / q->compliance;
    g[q->row] -= q->nu + q->offset / q->compliance;
  }
  pc_cone *cone = f->cone; // they are in the order of their interactions
  for (int k = 0; k < s->interactions; k++) {
    pc_turned_law step = no_law;
    for (int i = 0; i < 3; i++) {
      int row = s->row[k] + (i < s->law[k].rows ? i : 0);
      double b = f->equality[row] ? soft : 1 / (1 + t[row]);
      set_row(&step, i, b, f->equality[row] ? 1 : t[row] / (1 + t[row]));
      if (i < s->law[k].rows && !f->equality[row])
        g[row] *= b;
    }
    for (; cone < f->cone + f->cones && cone->interaction == k; cone++) {
      pc_cone_aim(f, cone, target, correct);
      cone_equations(f, cone, &step);
    }
    pc_friction_set(f, k, &step);
  }
}

void pc_friction_direction(pc_friction *f)
{
  pc_steps_solve(&f->steps, f->g, f->dr);
  pc_steps_response(&f->steps, f->dr, f->dd);
  pc_pieces_direction(f->piece, f->working, f->dd);
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    double back[3], dot = 0, by = 1 / (c->eta * c->eta);
    c->drho = c->follow * f->dr[c->row] + c->lead;
    c->dx[0] = c->mu * c->drho;
    for (int i = 1; i < c->size; i++)
      c->dx[i] = f->dr[c->base + i];
    pc_cone_scaled(c, -1, c->c, back);
    for (int i = 0; i < c->size; i++)
      dot += (i == 0 ? c->w[i] : -c->w[i]) * c->dx[i];
    c->dz[0] = back[0] - by * (2 * c->w[0] * dot - c->dx[0]);
    for (int i = 1; i < c->size; i++)
      c->dz[i] = back[i] + by * (2 * c->w[i] * dot - c->dx[i]);
  }
}

void pc_friction_keep_affine(pc_friction *f)
{
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    pc_cone_scaled(c, -1, c->dx, c->affine_x);
    pc_cone_scaled(c, 1, c->dz, c->affine_z);
    c->affine_rho = c->drho * (c->drho - f->dr[c->row]);
  }
}

// The part of `step` on which x + step dx stays in the cone.
static double cone_room(int n, const double *x, const double *dx, double step)
{
  double a = dx[0] * dx[0], b = x[0] * dx[0], c = cone_gap(n, x);
  for (int i = 1; i < n; i++) {
    a -= dx[i] * dx[i];
    b -= x[i] * dx[i];
  }
  if (dx[0] < 0)
    step = fmin(step, -x[0] / dx[0]);
  double square = b * b - a * c; // a s^2 + 2 b s + c = 0
  if (square < 0 || (a >= 0 && b >= 0))
    return step;
  double root = b > 0 ? -b - sqrt(square) : -b + sqrt(square);
  double first = b > 0 ? root / a : c / root;
  return first > 0 ? fmin(step, first) : step;
}

double pc_friction_room(const pc_friction *f, double step)
{
  step = pc_pieces_room(f->piece, f->working, step);
  for (int j = 0; j < f->cones; j++) {
    const pc_cone *c = &f->cone[j];
    double x[3];
    cone_x(f, c, x);
    step = cone_room(c->size, x, c->dx, cone_room(c->size, c->z, c->dz, step));
    double other = c->rho - f->r[c->row], change = c->drho - f->dr[c->row];
    if (c->pulls && change < 0)
      step = fmin(step, -other / change);
  }
  return step;
}

static double mean_product(const pc_friction *f, double step)
{
  double sum = 0;
  int count = 0;
  pc_pieces_products(f->piece, f->working, step, &sum, &count);
  for (int j = 0; j < f->cones; j++) {
    const pc_cone *c = &f->cone[j];
    double x[3];
    cone_x(f, c, x);
    for (int i = 0; i < c->size; i++)
      sum += (x[i] + step * c->dx[i]) * (c->z[i] + step * c->dz[i]);
    count++;
    if (c->pulls) {
      double other = c->rho - f->r[c->row], change = c->drho - f->dr[c->row];
      sum += (c->rho + step * c->drho) * (other + step * change);
      count++;
    }
  }
  return count > 0 ? sum / count : 0;
}

void pc_friction_move(pc_friction *f, double step)
{
  for (int i = 0; i < f->s->rows; i++)
    f->r[i] += step * f->dr[i];
  pc_pieces_move(f->piece, f->working, step);
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    c->rho = c->pulls ? c->rho + step * c->drho : f->r[c->row];
    for (int i = 0; i < c->size; i++)
      c->z[i] += step * c->dz[i];
  }
}

// Percussions with springs in place of the constraints, in f->r; gives the largest velocity that
// they meet.
static pc_status solve_springs(pc_friction *f, double *fast)
{
  pc_system *s = f->s;
  const double stiff = 1e3;
  *fast = 0;
  for (int i = 0; i < s->rows; i++) {
    f->map[i] = f->equality[i] ? stiff : f->a[i];
    f->g[i] = f->d0[i] - s->free[i];
    *fast = fmax(*fast, fabs(s->free[i]));
  }
  for (int j = 0; j < f->pieces; j++) {
    int row = f->piece[j].row;
    f->map[row] = fmax(f->map[row], stiff);
    f->g[row] = f->piece[j].piece.alpha - s->free[row];
    *fast = fmax(*fast, fabs(f->g[row]));
  }
  for (int j = 0; j < f->cones; j++)
    for (int row = f->cone[j].base + 1; row < f->cone[j].base + f->cone[j].size; row++) {
      f->map[row] = stiff;
      *fast = fmax(*fast, fabs(f->g[row]));
    }
  for (int k = 0; k < s->interactions; k++) {
    pc_turned_law step = no_law;
    int rolls = s->law[k].rolls, others = s->law[k].rows - rolls;
    for (int i = 0; i < 3; i++) {
      int row = s->row[k] + (i < others ? i : 0);
      double stiff_part = f->map[row] / (1 + f->map[row]);
      set_row(&step, i, 1 / (1 + f->map[row]), stiff_part);
      if (i < others)
        f->g[row] *= stiff_part;
    }
    for (int i = 0; i < rolls; i++) {
      int row = s->row[k] + others + i;
      step.roll.b[i] = 1 / (1 + f->map[row]);
      step.roll.k[i] = f->map[row] / (1 + f->map[row]);
      f->g[row] *= step.roll.k[i];
    }
    pc_friction_set(f, k, &step);
  }
  pc_status status = pc_steps_factor(&f->steps);
  if (status == PC_OK)
    pc_steps_solve(&f->steps, f->g, f->r);
  return status;
}

double pc_cone_start(const pc_friction *f, pc_cone *c, double push)
{
  const double *shift = f->s->law[c->interaction].shift + (c->base - c->row);
  for (int i = 1; i < c->size; i++)
    c->z[i] = f->d[c->base + i] + shift[i - 1];
  c->rho = c->pulls ? fmax(f->r[c->row], 0) + push : f->r[c->row];
  return pc_norm(c->size - 1, c->z + 1);
}

// Every normal percussion as large as the largest of the springs: heavy loads need large ones from
// the start. No friction yet, and velocities that go with it.
static pc_status choose_start(pc_friction *f)
{
  pc_system *s = f->s;
  double push = 0, fast;
  pc_status status = solve_springs(f, &fast);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < s->rows; i++)
    push = fmax(push, fabs(f->r[i]));
  push = fmax(push, fast);
  if (!isfinite(push))
    return PC_ERROR_NUMERIC;
  for (int j = 0; j < f->pieces; j++)
    f->r[f->piece[j].row] = push;
  for (int j = 0; j < f->cones; j++) {
    const pc_cone *c = &f->cone[j];
    for (int i = 1; i < c->size; i++)
      f->r[c->base + i] = 0;
  }
  pc_steps_response(&f->steps, f->r, f->d);
  for (int i = 0; i < s->rows; i++)
    f->d[i] += s->free[i];
  for (int j = 0; j < f->working; j++)
    pc_piece_start(&f->piece[j], f->d[f->piece[j].row], fast, push);
  for (int j = 0; j < f->cones; j++)
    f->cone[j].z[0] = pc_cone_start(f, &f->cone[j], push) + fast;
  return PC_OK;
}

bool pc_friction_scale(pc_friction *f)
{
  for (int j = 0; j < f->cones; j++)
    if (!scale_cone(f, &f->cone[j]))
      return false;
  return true;
}

static void forget_direction(pc_friction *f)
{
  for (int j = 0; j < f->working; j++)
    for (int i = 0; i < 2; i++)
      f->piece[j].side[i].dx = f->piece[j].side[i].dl = 0;
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    memset(c->dx, 0, sizeof c->dx);
    memset(c->dz, 0, sizeof c->dz);
    c->drho = 0;
  }
  memset(f->dr, 0, sizeof(double) * (size_t)f->s->rows);
}

pc_status pc_friction_interior_begin(pc_friction *f)
{
  f->working = f->pieces;
  f->lowest = INFINITY;
  f->idle = 0;
  f->stuck = false;
  pc_status status = choose_start(f);
  f->stuck = status == PC_ERROR_NUMERIC;
  return f->stuck ? PC_OK : status;
}

pc_status pc_friction_interior(pc_friction *f, double tolerance, int most)
{
  pc_system *s = f->s;
  for (int step = 0; step < most && !f->stuck; step++) {
    double residual = pc_best_offer(&f->best, s, f->r, f->y, f->d);
    f->idle = residual < 0.9 * f->lowest ? 0 : f->idle + 1;
    f->lowest = fmin(f->lowest, residual);
    if (residual <= tolerance)
      return PC_OK;
    f->stuck = f->idle > PC_FRICTION_IDLE || !pc_friction_scale(f);
    if (f->stuck)
      break;
    forget_direction(f);
    double mean = mean_product(f, 0);
    pc_friction_eliminate(f, 0, false);
    pc_status status = pc_steps_factor(&f->steps);
    f->stuck = status == PC_ERROR_NUMERIC;
    if (status != PC_OK)
      return f->stuck ? PC_OK : status;
    pc_friction_direction(f);
    double affine = pc_friction_room(f, 1), left = fmax(mean_product(f, affine), 0) / mean;
    double centring = affine < 0.1 ? 0.8 : left * left * left;
    pc_friction_keep_affine(f);
    pc_friction_eliminate(f, centring * mean, true);
    pc_friction_direction(f);
    double length = fmin(1, fraction * pc_friction_room(f, 1 / fraction));
    if (length < 0.01) { // the corrector went wrong: centre
      pc_friction_eliminate(f, 0.9 * mean, false);
      pc_friction_direction(f);
      length = fmin(1, fraction * pc_friction_room(f, 1 / fraction));
    }
    f->stuck = !(length > 1e-10) || !isfinite(length);
    if (!f->stuck)
      pc_friction_move(f, length);
  }
  return PC_OK;
}
