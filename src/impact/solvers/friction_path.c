// Follows a path to a solution, through its turns. Coulomb's law is not monotone: on the way of the
// interior point there are places where its path turns back, and no step towards smaller products
// leads further. But the path goes on. It belongs to a family of problems,
//
//     products = t (normal laws) and smooth t (friction),    normal velocities + open(t),
//
// t and open -> 0 together,
//
// and begins where everything flies apart (open large), with one solution. Where obstacles are at
// rest percussions are bounded, sum r_N <= |free motion|^2 / (4 open) and some, because rest is a
// motion that all contacts allow; so the path cannot end before t = open = 0, it can only turn, any
// number of times. Which way it goes is told by the sign of the determinant of the steps: as at the
// beginning, t falls; else it grows. That is a proof that a solution to any tolerance exists, and a
// way to find it.
//
// How often it turns depends on the family. Bodies that get wedged may push with up to t / open;
// where that is little more than the load, each of them is let go and caught again on the way,
// hundreds of times in a packing of 200 spheres. With open = t / 1000 (in units of the free
// velocity), and friction that is blurred more than contact is, there are some 20 to 50 turns. It
// differs widely from problem to problem, and no family is the best for all, so several paths are
// followed in turns.
//
// Steps are those of the interior point, taken along the tangent of the path with a second-order
// term, and corrected across it. Sizes are relative: of pieces and cones, each in its own scaling.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/tuning.h"

enum { MAX_CORRECTIONS = 6, CAREFUL_STEPS = 4, MAX_TRIES = 12 };
// open = ratio t + first_ratio t^2, in units of the free velocity; the second term is for the
// start.
static const struct {
  double smooth, ratio;
} families[] = {{10, 1e-2}, {1, 1e-5}, {6, 3e-3}, {3, 1e-4}, {1, 1e-3}, {10, 1e-3}, {10, 1e-5}};
static const double first_ratio = 1e-3, first_product = 300;
static const double firm = 0.1, loose = 0.35; // distance from the path that is good enough
static const double most_bend = 0.4;          // second-order term of one step
static const double least_step = 1e-7, last_product = 1e-14;
static const double near_end = 1e-6; // products of a path that is soon at its end

typedef struct path {
  pc_friction *f;
  int size, measured;
  double fast;          // the free velocity
  double ratio, smooth; // of the family
  double t, open;
  double *fixed;    // step to the path at the same t
  double *tangent;  // of the path, for d log t = -1
  double *correct;  // step to the path across it
  double *total;    // the step
  double *second;   // its second-order term
  double *by_fixed; // sizes of a step, and of the tangent
  double *by_tangent;
  double *point; // where it is while others are followed
  double *kept;  // the last point that was near the path
  double kept_t;
  double span, off; // largest relative change by the tangent, by the correction
  double drift;     // d log t that comes with the correction
  int first_sign, sign;
  double step, last_off, aim;
  int corrections, careful, slices;
  bool started, over;
} path;

static void copy(double *a, double *x, bool load)
{
  if (load)
    *a = *x;
  else
    *x = *a;
}

// All unknowns, or their changes, to x or from it.
static void transfer(pc_friction *f, double *x, bool changes, bool load)
{
  double *r = changes ? f->dr : f->r;
  for (int i = 0; i < f->s->rows; i++)
    copy(&r[i], x++, load);
  for (int j = 0; j < f->working; j++) {
    pc_piece_state *q = &f->piece[j];
    for (pc_piece_side *side = q->side; side < q->side + 2; side++) {
      copy(changes ? &side->dx : &side->x, x++, load);
      copy(changes ? &side->dl : &side->l, x++, load);
    }
    copy(changes ? &q->dnu : &q->nu, x++, load);
  }
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    copy(changes ? &c->drho : &c->rho, x++, load);
    for (int i = 0; i < 3; i++)
      copy(changes ? &c->dz[i] : &c->z[i], x++, load);
    if (changes && load) {
      c->dx[0] = c->mu * c->drho;
      for (int i = 1; i < c->size; i++)
        c->dx[i] = f->dr[c->base + i];
    }
  }
}

// Relative sizes of the present changes, for products of steps; gives the largest.
static double measure(const pc_friction *f, double *m)
{
  double most = 0;
  for (int j = 0; j < f->working; j++, m += 4) {
    const pc_piece_state *q = &f->piece[j];
    for (int i = 0; i < 2; i++) {
      const pc_piece_side *side = &q->side[i];
      m[2 * i] = i < q->sides ? side->dx / side->x : 0;
      m[2 * i + 1] = i < q->sides ? side->dl / side->l : 0;
      most = fmax(most, fmax(fabs(m[2 * i]), fabs(m[2 * i + 1])));
    }
  }
  for (int j = 0; j < f->cones; j++, m += 6) {
    const pc_cone *c = &f->cone[j];
    double centre[3];
    pc_cone_scaled(c, 1, c->z, centre);
    double size = pc_norm(c->size, centre);
    memset(m, 0, 6 * sizeof *m);
    pc_cone_scaled(c, -1, c->dx, m);
    pc_cone_scaled(c, 1, c->dz, m + 3);
    for (int i = 0; i < 6; i++)
      m[i] /= size;
    most = fmax(most, fmax(pc_norm(3, m), pc_norm(3, m + 3)));
  }
  return most;
}

static bool opens(const pc_friction *f, int k)
{
  return f->s->law[k].normal && !f->equality[f->s->row[k]];
}

static void find_velocities(pc_friction *f, double open)
{
  const pc_system *s = f->s;
  pc_steps_response(&f->steps, f->r, f->d);
  for (int k = 0; k < s->interactions; k++)
    for (int row = s->row[k]; row < s->row[k + 1]; row++)
      f->d[row] += s->free[row] + (row == s->row[k] && opens(f, k) ? open : 0);
}

static double opening(const path *p, double t)
{
  double u = t / (p->fast * p->fast);
  return p->fast * u * (p->ratio + first_ratio * u);
}

// Its change for d log t = 1.
static double opening_change(const path *p)
{
  double u = p->t / (p->fast * p->fast);
  return p->fast * u * (p->ratio + 2 * first_ratio * u);
}

static void begin(path *p)
{
  pc_friction *f = p->f;
  const pc_system *s = f->s;
  double fast = p->fast;
  f->working = f->pieces;
  p->t = first_product * fast * fast;
  p->open = opening(p, p->t);
  p->step = 0.5;
  p->aim = pc_near_residual;
  p->last_off = INFINITY;
  memset(f->r, 0, sizeof(double) * (size_t)s->rows);
  for (int k = 0; k < s->interactions; k++)
    if (opens(f, k)) { // r (c + 3 r) = t
      double c = p->open + s->free[s->row[k]];
      f->r[s->row[k]] = 2 * p->t / (c + sqrt(c * c + 12 * p->t));
    }
  find_velocities(f, p->open);
  for (int j = 0; j < f->working; j++) {
    pc_piece_state *q = &f->piece[j];
    pc_piece_start(q, f->d[q->row], fast, fmax(f->r[q->row], p->t / p->open));
  }
  for (int j = 0; j < f->cones; j++) {
    pc_cone *c = &f->cone[j];
    double size = pc_cone_start(f, c, p->t / p->open);
    c->z[0] = size + f->smooth * p->t / (c->mu * c->rho);
  }
}

// Newton's step to products `t` with this opening.
static void newton(path *p, double t, double open, bool correct, double *out)
{
  pc_friction *f = p->f;
  find_velocities(f, open);
  pc_friction_eliminate(f, t, correct);
  pc_friction_direction(f);
  transfer(f, out, true, false);
}

// Takes away what the step x has along the tangent; gives the d log t that comes with it.
static double remove_tangential(path *p, double *x)
{
  double along = 0, length = 1;
  transfer(p->f, x, true, true);
  measure(p->f, p->by_fixed);
  for (int i = 0; i < p->measured; i++) {
    along += p->by_fixed[i] * p->by_tangent[i];
    length += p->by_tangent[i] * p->by_tangent[i];
  }
  along /= length;
  for (int i = 0; i < p->size; i++)
    x[i] -= along * p->tangent[i];
  transfer(p->f, x, true, true);
  return along;
}

// The path from here: direction, tangent and distance. Sets *fine unless the numbers fail.
static pc_status examine(path *p, bool *fine)
{
  pc_friction *f = p->f;
  *fine = pc_friction_scale(f);
  if (!*fine)
    return PC_OK;
  find_velocities(f, p->open);
  pc_friction_eliminate(f, p->t, false);
  pc_status status = pc_steps_factor(&f->steps);
  *fine = status == PC_OK;
  if (status != PC_OK)
    return status == PC_ERROR_NUMERIC ? PC_OK : status;
  p->sign = pc_lu_sign(f->steps.lu);
  newton(p, p->t, p->open, false, p->fixed);
  newton(p, 0, p->open - opening_change(p), false, p->tangent);
  for (int i = 0; i < p->size; i++)
    p->tangent[i] -= p->fixed[i];
  transfer(f, p->tangent, true, true);
  p->span = measure(f, p->by_tangent);
  memcpy(p->correct, p->fixed, sizeof(double) * (size_t)p->size);
  p->drift = remove_tangential(p, p->correct);
  p->off = fmax(measure(f, p->by_fixed), fabs(p->drift));
  *fine = isfinite(p->off) && isfinite(p->span);
  return PC_OK;
}

static void move_along(path *p, double length, double d_log)
{
  double by = 1 + length * fmax(d_log, -0.98);
  pc_friction_move(p->f, length);
  p->t *= by;
  p->open = opening(p, p->t);
}

// A step along the path, as long as `step` and its bend allow.
static void advance(path *p)
{
  pc_friction *f = p->f;
  double part = p->sign * p->first_sign * p->step / fmax(p->span, 1), room = 0, d_log = 0;
  for (int i = 0; i < MAX_TRIES; i++) {
    for (int j = 0; j < p->size; j++)
      p->total[j] = p->correct[j] + part * p->tangent[j];
    transfer(f, p->total, true, true);
    pc_friction_keep_affine(f);
    double *second = p->second;
    newton(p, p->t, p->open, true, second);
    for (int j = 0; j < p->size; j++)
      second[j] -= p->fixed[j];
    double more = remove_tangential(p, second), bend = fmax(measure(f, p->by_fixed), fabs(more));
    d_log = p->drift - part + more;
    for (int j = 0; j < p->size; j++)
      p->total[j] += second[j];
    transfer(f, p->total, true, true);
    room = pc_friction_room(f, 1.05);
    if (bend <= most_bend && room > 1.02 && d_log > -0.98)
      break;
    part *= bend > most_bend ? fmax(0.2, fmin(0.9, 0.9 * sqrt(most_bend / bend))) : 0.7;
  }
  move_along(p, fmin(1, 0.95 * room), d_log);
}

static bool take_memory(path *p, pc_friction *f)
{
  p->f = f;
  p->size = f->s->rows + 5 * f->pieces + 4 * f->cones;
  p->measured = 4 * f->pieces + 6 * f->cones;
  double **steps[] = {&p->fixed, &p->tangent, &p->correct, &p->total, &p->second, NULL};
  double **sizes[] = {&p->by_fixed, &p->by_tangent, NULL};
  return pc_arena_take_vectors(f->s->arena, p->size, steps) &&
         pc_arena_take_vectors(f->s->arena, p->measured, sizes);
}

// Newton from where the path is, as soon as that is near enough.
static pc_status finish(path *p, double tolerance)
{
  pc_friction *f = p->f;
  double residual = pc_best_offer(&f->best, f->s, f->r, f->y, f->d);
  if (residual >= p->aim)
    return PC_OK;
  p->aim = 0.1 * residual;
  return pc_friction_newton(f, tolerance, PC_PATH_FINISH);
}

// Too far from the path: a correction, unless they do not lead to it.
static bool try_correction(path *p)
{
  bool hopeless = ++p->corrections > MAX_CORRECTIONS || p->off > 3 ||
                  (p->corrections > 2 && p->off > 0.7 * p->last_off);
  p->last_off = p->off;
  if (p->started && hopeless)
    return false;
  move_along(p, fmin(1, 0.9 * pc_friction_room(p->f, 1 / 0.9)), p->drift);
  return true;
}

// Back to where it was good, and on more slowly.
static void step_back(path *p)
{
  p->over = !p->started || p->step < least_step;
  if (p->over)
    return;
  transfer(p->f, p->kept, false, true);
  p->t = p->kept_t;
  p->open = opening(p, p->t);
  p->step *= 0.3;
  p->corrections = 0;
  p->careful = CAREFUL_STEPS;
}

static pc_status one_step(path *p)
{
  bool fine;
  pc_status status = examine(p, &fine);
  if (status != PC_OK)
    return status;
  if (p->first_sign == 0)
    p->first_sign = p->sign;
  if (fine && p->off > (p->careful > 0 || !p->started ? firm : loose)) {
    if (try_correction(p))
      return PC_OK;
    fine = false;
  }
  p->last_off = INFINITY;
  if (!fine) {
    step_back(p);
    return PC_OK;
  }
  if (p->corrections <= 1)
    p->step = fmin(2 * p->step, 0.98);
  p->corrections = 0;
  p->careful -= p->careful > 0;
  if (p->off <= firm) {
    transfer(p->f, p->kept, false, false);
    p->kept_t = p->t;
    p->started = true;
  }
  advance(p);
  return PC_OK;
}

// Follows it on from where it is.
static pc_status follow(path *p, double tolerance, int most)
{
  pc_friction *f = p->f;
  double unit = p->fast * p->fast, end = last_product * unit, far = 10 * first_product * unit;
  pc_status status = PC_OK;
  f->best = (pc_best){.residual = INFINITY};
  f->smooth = p->smooth;
  if (p->t > 0)
    transfer(f, p->point, false, true);
  else
    begin(p);
  for (int i = 0; i < most && !p->over; i++) {
    status = finish(p, tolerance);
    if (status != PC_OK || f->best.residual <= tolerance)
      break;
    status = one_step(p);
    p->over |= status != PC_OK || !(p->t > end && p->t < far);
  }
  transfer(f, p->point, false, false);
  if (status == PC_OK && p->over && f->best.residual > tolerance &&
      f->best.residual < pc_near_residual)
    status = pc_friction_newton(f, tolerance, PC_PATH_LAST_FINISH);
  pc_friction_keep(f);
  f->smooth = 1;
  return status;
}

// The next to be followed: one that is near its end; else the one that is nearest to it (`through`)
// or the one that has been followed least. NULL: all are over.
static path *choose_path(path *paths, int count, bool through)
{
  path *next = NULL;
  for (path *p = paths; p < paths + count; p++) {
    if (p->over)
      continue;
    if (p->slices > 0 && p->slices < PC_PATH_NEAR_SLICES && p->t < near_end * p->fast * p->fast)
      return p;
    if (next == NULL || (through ? p->t < next->t : p->slices < next->slices))
      next = p;
  }
  return next;
}

pc_status pc_friction_path(pc_friction *f, double tolerance, int most, pc_error *error)
{
  enum { PATHS = sizeof families / sizeof *families };
  path p = {0}, paths[PATHS], *next;
  pc_flow_state flow = {.at = pc_arena_take(f->s->arena, (size_t)f->s->rows, sizeof(double))};
  if (!take_memory(&p, f))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < f->s->rows; i++)
    p.fast = fmax(p.fast, fabs(f->s->free[i]));
  p.over = !(p.fast > 0);
  for (int k = 0; k < PATHS; k++) {
    paths[k] = p;
    paths[k].ratio = families[k].ratio;
    paths[k].smooth = families[k].smooth;
    if (!pc_arena_take_vectors(f->s->arena, p.size,
                               (double **[]){&paths[k].point, &paths[k].kept, NULL}))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  pc_status status = PC_OK;
  pc_friction_flow_begin(&flow, f, f->kept);
  if (f->reached < pc_near_residual)
    status = pc_friction_flow(f, &flow, tolerance, pc_friction_afford(f, PC_FLOW_FIRST));
  // Some paths a part of the way; then in turns the one that came nearest, on through whatever
  // turns are left, and another.
  for (int slice = 0; status == PC_OK && f->reached > tolerance; slice++) {
    bool through = slice >= PC_PATHS_TRIED && (slice - PC_PATHS_TRIED) % 2 == 0;
    int before = f->steps.factorisations, left = pc_friction_afford(f, most);
    if (left == 0)
      break;
    next = choose_path(paths, PATHS, through);
    if (next == NULL && flow.over)
      break;
    if (next != NULL) {
      next->slices++;
      int steps = through ? PC_PATH_THROUGH : PC_PATH_SLICE;
      status = follow(next, tolerance, steps < left ? steps : left);
    }
    if (status == PC_OK && f->reached > tolerance && (slice % 2 == 1 || next == NULL))
      status = pc_friction_flow(f, &flow, tolerance, pc_friction_afford(f, PC_FLOW_SLICE));
    most -= f->steps.factorisations - before + 1;
  }
  return status;
}
