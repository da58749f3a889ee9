// Regularised semismooth Newton on the natural map of all laws, the map of the residual.
//
// With (near) duplicate contacts the map is flat along the way on which they hand their load over,
// until one of them opens, and then rises before it falls. So where no shorter step helps, the step
// goes just behind one of the first contacts that it opens, even if the map grows a little.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/small.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

enum { HALVINGS = 7, MEMORY = 4, BREAKS = 3 };
static const double floor_eps = 1e-7, lowest_eps = 1e-12, most_eps = 1e-2;
static const double most_growth = 300, walk_within = 1e-4, walk_least = 2e-5, walk_eps = 1e-10;
static const double soft_eps = 1e-9, most_lost = 1e4, least_lost = 1e-2;
static const double exact = 1e-14; // aim, whatever was asked for

// That of sliding or rolling, where the normal law asks for `push` with the derivative `follow`.
static pc_turned_part disc_derivative(const pc_block_law *law, const pc_disc *disc,
                                      const double *rk, const double *dk, double push,
                                      double follow, double eps)
{
  pc_turned_part out = {.along = {1, 0}};
  double x[2] = {0}, most = disc->mu * fmax(push, 0);
  for (int i = 0; i < disc->size; i++) {
    int row = disc->row + i;
    x[i] = rk[row] - dk[row] - law->shift[row - 1];
  }
  double size = pc_norm(disc->size, x);
  bool sticks = most > 0 && size <= most;
  double part = sticks ? 1 : size > 0 ? most / size : 0;
  out.b[0] = (sticks ? 0 : 1) + eps;
  out.k[0] = sticks ? 1 : 0;
  out.b[1] = 1 - part + eps;
  out.k[1] = part;
  if (!sticks && size > 0) {
    out.along[0] = x[0] / size;
    out.along[1] = x[1] / size;
    out.turn_k = push > 0 ? disc->mu * follow : 0;
    out.turn_b = -out.turn_k;
  }
  return out;
}

// The derivative of one law's map at (r, d), see pc_block_residual.
static pc_turned_law derivative(const pc_block_law *law, const double *rk, const double *dk,
                                const double *map, double eps)
{
  pc_turned_law step = {.slide = {.along = {1, 0}}, .roll = {.along = {1, 0}}};
  double slope = law->tangential == PC_TANGENTIAL_BILATERAL ? INFINITY : 0.5 * law->k;
  double delta = 1 / (1 + slope);
  step.b = step.slide.b[0] = step.slide.b[1] = delta + eps;
  step.k = step.slide.k[0] = step.slide.k[1] = 1 - delta;
  if (law->normal == 0)
    return step;
  pc_row_solve(&law->row, 1, dk[0] - rk[0], &slope);
  delta = 1 / (1 + slope);
  step.b = delta + eps;
  step.k = 1 - delta;
  if (law->tangential != PC_TANGENTIAL_COULOMB || law->rows < 2)
    return step;
  pc_disc disc[2];
  int discs = pc_block_discs(law, disc);
  for (int k = 0; k < discs; k++) {
    pc_turned_part *part = disc[k].row > 1 ? &step.roll : &step.slide;
    *part = disc_derivative(law, &disc[k], rk, dk, rk[0] - map[0], 1 - delta, eps);
  }
  return step;
}

static void linearise(pc_friction *f, double eps)
{
  const pc_system *s = f->s;
  for (int k = 0; k < s->interactions; k++) {
    int at = s->row[k];
    pc_turned_law step = derivative(&s->law[k], f->from + at, f->from_d + at, f->map + at, eps);
    pc_friction_set(f, k, &step);
  }
}

// Newton's step from f->from, where the map is f->map, in f->dr.
static pc_status find_direction(pc_friction *f, double eps)
{
  linearise(f, eps);
  pc_status status = pc_steps_factor(&f->steps);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < f->s->rows; i++)
    f->g[i] = -f->map[i];
  pc_steps_solve(&f->steps, f->g, f->dr);
  return PC_OK;
}

// The map at f->trial = r + part dr; offers the point.
static double try_step(pc_friction *f, double part)
{
  for (int i = 0; i < f->s->rows; i++)
    f->trial[i] = f->from[i] + part * f->dr[i];
  double residual = pc_best_offer(&f->best, f->s, f->trial, f->y, f->trial_d);
  if (f->soft > 0) {
    pc_friction_soften(f, f->trial, f->trial_d);
    residual = pc_system_residual(f->s, f->trial, f->trial_d, NULL);
  }
  return residual;
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The step just behind one of the first contacts that it opens, or 0.
static double break_step(pc_friction *f, double limit, double *reached)
{
  const pc_system *s = f->s;
  int count = 0;
  for (int k = 0; k < s->interactions; k++) {
    double r = f->from[s->row[k]], dr = f->dr[s->row[k]];
    if (s->law[k].normal && !s->law[k].row.equality && r > 0 && dr < 0)
      f->breaks[count++] = -r / dr;
  }
  qsort(f->breaks, (size_t)count, sizeof(double), by_size);
  for (int i = 0; i < count && i < BREAKS; i++) {
    *reached = try_step(f, 1.0001 * f->breaks[i]);
    if (*reached <= limit)
      return 1.0001 * f->breaks[i];
  }
  return 0;
}

static void settle_at(pc_friction *f, const double *r)
{
  memcpy(f->from, r, sizeof(double) * (size_t)f->s->rows);
  pc_system_evaluate(f->s, f->from, f->y, f->from_d);
  pc_friction_soften(f, f->from, f->from_d);
}

typedef struct progress {
  double last[MEMORY]; // residuals
  double eps, least;   // regularisation and its floor
  double breaks_from;  // residual when the count of breaks began
  int steps, breaks;
  double now; // residual
} progress;

// From the best point.
static progress begin(pc_friction *f)
{
  settle_at(f, f->s->r);
  progress p = {.eps = floor_eps, .least = floor_eps, .breaks_from = INFINITY};
  p.now = pc_system_residual(f->s, f->from, f->from_d, NULL);
  for (int i = 0; i < MEMORY; i++)
    p.last[i] = p.now;
  return p;
}

// The part of f->dr that is taken: by halving, or behind a contact that opens; 0 if none is good.
static double search(pc_friction *f, progress *p, double limit, double *reached)
{
  double part = 1;
  for (int i = 0; i <= HALVINGS; i++, part *= 0.5) {
    *reached = try_step(f, part);
    if (*reached <= (1 - 0.1 * part) * limit)
      return part;
  }
  if (p->breaks >= PC_NEWTON_BREAKS)
    return 0;
  if (p->now < 0.5 * p->breaks_from) {
    p->breaks_from = p->now;
    p->breaks = 0;
  }
  p->breaks++;
  return break_step(f, 3 * limit, reached);
}

static pc_status newton_step(pc_friction *f, progress *p, double *part)
{
  pc_system *s = f->s;
  double limit = 0, reached = INFINITY;
  p->now = pc_system_residual(s, f->from, f->from_d, f->map);
  p->last[p->steps++ % MEMORY] = p->now;
  for (int i = 0; i < MEMORY; i++)
    limit = fmax(limit, p->last[i]);
  *part = 0;
  pc_status status = find_direction(f, p->eps);
  if (status != PC_OK && status != PC_ERROR_NUMERIC)
    return status;
  if (status == PC_OK)
    *part = search(f, p, limit, &reached);
  if (*part == 0) {
    p->eps = fmin(100 * p->eps, 1);
    return PC_OK;
  }
  settle_at(f, f->trial);
  if (*part == 1 && reached > 0.3 * p->now && p->eps <= p->least)
    p->least = fmax(0.01 * p->least, lowest_eps);
  p->eps = *part > 0.2 ? fmax(p->least, 0.1 * p->eps) : fmin(4 * p->eps, 0.1);
  p->now = reached;
  return PC_OK;
}

pc_status pc_friction_newton(pc_friction *f, double tolerance, int most)
{
  progress p = begin(f);
  for (int step = 0; step < most && f->best.residual > exact; step++) {
    double before = f->best.residual, part;
    pc_status status = newton_step(f, &p, &part);
    if (status != PC_OK)
      return status;
    bool gains_little = before <= tolerance && f->best.residual > 0.1 * before;
    if (gains_little || (part == 0 && p.eps > most_eps))
      break;
  }
  return PC_OK;
}

// How much of f->dr leads just behind the first contact that it opens, at most 1.
static double first_break(const pc_friction *f)
{
  const pc_system *s = f->s;
  double part = 1;
  for (int k = 0; k < s->interactions; k++) {
    double r = f->from[s->row[k]], dr = f->dr[s->row[k]];
    if (s->law[k].normal && !s->law[k].row.equality && r > 0 && r + part * dr < 0)
      part = -1.0001 * r / dr;
  }
  return fmin(part, 1);
}

pc_status pc_friction_walk(pc_friction *f, double tolerance, int most)
{
  pc_system *s = f->s;
  settle_at(f, s->r);
  double begun = pc_system_residual(s, f->from, f->from_d, NULL), eps = 1e-4;
  double wanted = fmax(fmin(most_growth * begun, walk_within), walk_least);
  for (int step = 0; step < most && f->best.residual > tolerance && eps <= 1; step++) {
    pc_system_residual(s, f->from, f->from_d, f->map);
    pc_status status = find_direction(f, eps);
    if (status != PC_OK && status != PC_ERROR_NUMERIC)
      return status;
    double reached = status == PC_OK ? try_step(f, first_break(f)) : INFINITY;
    if (reached <= 10 * wanted)
      settle_at(f, f->trial);
    eps *= reached <= wanted ? 0.3 : reached <= 10 * wanted ? 3 : 30;
    eps = fmax(eps, walk_eps);
  }
  return PC_OK;
}

pc_status pc_friction_newton_soft(pc_friction *f, double goal, int most, bool *reached)
{
  settle_at(f, f->anchor);
  double now = pc_system_residual(f->s, f->from, f->from_d, f->map), first = now;
  *reached = now <= goal;
  for (int step = 0; step < most && !*reached; step++) {
    double before = now;
    pc_status status = find_direction(f, soft_eps);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    try_step(f, 1);
    settle_at(f, f->trial);
    now = pc_system_residual(f->s, f->from, f->from_d, f->map);
    *reached = now <= goal;
    bool growing = step > 1 && now > before && now > 3 * first;
    if (growing || !(now <= fmax(most_lost * first, least_lost)))
      break;
  }
  return PC_OK;
}
