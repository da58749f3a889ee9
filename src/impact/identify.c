// Levenberg and Marquardt's least squares in the logarithms of the coefficients, and intervals by
// profile likelihood: a coefficient is held, the others are fitted again, and the interval ends
// where the sum of squares has grown by the quantile. Unlike the curvature at the optimum this is
// right for flat and kinked sums of squares, and the law's inelastic range makes both.
#include "percuss/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"

enum { N = PC_MAX_UNKNOWNS, MAX_STEPS = 60 };

// Coefficients are looked for within this factor of the start, unless the limits are narrower.
static const double widest = 27.6; // ln 1e12

typedef struct fit {
  const pc_identification *problem;
  double start[N], low[N], high[N]; // logarithms
  bool ends[2][N];                  // low and high are where the law ends, not the search
  bool held[N];
  double *residual, *trial, *jacobian; // jacobian: one row per unknown
  int evaluations;
  pc_status status; // of the last prediction
  pc_error *error;
  bool no_memory; // some prediction ran out of memory: the result is of no use
} fit;

static double clamp(double x, double low, double high)
{
  return x < low ? low : x > high ? high : x;
}

// The sum of squares; infinite where the prediction fails.
static double evaluate(fit *f, const double *x, double *residual)
{
  const pc_identification *problem = f->problem;
  double coefficients[N], sum = 0;
  for (int i = 0; i < problem->unknowns; i++)
    coefficients[i] = clamp(pc_exp(x[i]), problem->unknown[i].low, problem->unknown[i].high);
  f->evaluations++;
  f->status = problem->predict(problem->context, coefficients, residual, f->error);
  f->no_memory = f->no_memory || f->status == PC_ERROR_MEMORY;
  if (f->status != PC_OK)
    return INFINITY;
  for (int i = 0; i < problem->measurements; i++) {
    residual[i] -= problem->measured[i];
    sum += residual[i] * residual[i];
  }
  return isfinite(sum) ? sum : INFINITY;
}

// The law may be defined on a part of the range only (restitution up to 1), and far away nothing
// may be solvable. Both become limits; the first is found to all digits.
static void find_ends(fit *f)
{
  for (int i = 0; i < f->problem->unknowns; i++)
    for (int side = 0; side < 2; side++) {
      double x[N], *limit = side ? &f->high[i] : &f->low[i], good = f->start[i], bad = *limit;
      memcpy(x, f->start, sizeof x);
      x[i] = bad;
      if (isfinite(evaluate(f, x, f->trial)))
        continue;
      bool law = f->status == PC_ERROR_INPUT || f->status == PC_ERROR_ARGUMENT;
      while (fabs(bad - good) > (law ? 1e-14 : 0.1)) {
        x[i] = (good + bad) / 2;
        if (x[i] == good || x[i] == bad)
          break;
        if (isfinite(evaluate(f, x, f->trial))) {
          good = x[i];
        } else {
          bad = x[i];
          law = f->status == PC_ERROR_INPUT || f->status == PC_ERROR_ARGUMENT;
        }
      }
      *limit = good;
      f->ends[side][i] = law;
    }
}

// Central differences, one-sided at a limit.
static bool differentiate(fit *f, const double *x)
{
  int m = f->problem->measurements;
  for (int i = 0; i < f->problem->unknowns; i++) {
    double *row = f->jacobian + (size_t)i * (size_t)m;
    memset(row, 0, sizeof(double) * (size_t)m);
    if (f->held[i])
      continue;
    double point[N], ends[2];
    for (int side = 0; side < 2; side++) {
      memcpy(point, x, sizeof point);
      point[i] = ends[side] = clamp(x[i] + (side ? -1e-4 : 1e-4), f->low[i], f->high[i]);
      if (!isfinite(evaluate(f, point, f->trial)))
        return false;
      for (int k = 0; k < m; k++)
        row[k] += side ? -f->trial[k] : f->trial[k];
    }
    for (int k = 0; k < m && ends[0] > ends[1]; k++)
      row[k] /= ends[0] - ends[1];
  }
  return true;
}

// Solves the normal equations in place; false if two unknowns act alike.
static bool solve_normal(int n, double *a, double *b)
{
  if (!pc_dense_factor(n, a, 1e-13))
    return false;
  pc_dense_solve(n, a, b);
  return true;
}

// The unknowns that are free and that change the prediction at x.
static int active_unknowns(const fit *f, int *active)
{
  int m = f->problem->measurements, count = 0;
  double most = 0, size[N];
  for (int i = 0; i < f->problem->unknowns; i++) {
    const double *row = f->jacobian + (size_t)i * (size_t)m;
    size[i] = pc_dot(m, row, row);
    most = fmax(most, size[i]);
  }
  for (int i = 0; i < f->problem->unknowns; i++)
    if (!f->held[i] && size[i] > 1e-16 * most)
      active[count++] = i;
  return count;
}

// Descends from x; returns the least sum of squares found.
static double descend(fit *f, double *x, bool *converged)
{
  int m = f->problem->measurements;
  double sum = evaluate(f, x, f->residual), damping = 1e-3;
  *converged = false;
  for (int step = 0; step < MAX_STEPS && isfinite(sum); step++) {
    if (!differentiate(f, x))
      break;
    int active[N], n = active_unknowns(f, active);
    bool better = false, small = n == 0, barred = false; // by points that cannot be predicted
    while (!better && !small) {
      double normal[N * N], direction[N], point[N];
      for (int i = 0; i < n; i++) {
        const double *row = f->jacobian + (size_t)active[i] * (size_t)m;
        for (int j = 0; j < n; j++)
          normal[i * n + j] = pc_dot(m, row, f->jacobian + (size_t)active[j] * (size_t)m);
        normal[i * n + i] *= 1 + damping;
        direction[i] = -pc_dot(m, row, f->residual);
      }
      if (!solve_normal(n, normal, direction)) {
        damping *= 10;
        small = damping > 1e12;
        continue;
      }
      memcpy(point, x, sizeof point);
      double moved = 0;
      for (int i = 0; i < n; i++) {
        int k = active[i];
        point[k] = clamp(x[k] + clamp(direction[i], -3, 3), f->low[k], f->high[k]);
        moved = fmax(moved, fabs(point[k] - x[k]));
      }
      double value = evaluate(f, point, f->trial);
      if (value < sum) {
        better = true;
        small = moved < 1e-9 || sum - value < 1e-14 * sum;
        sum = value;
        memcpy(x, point, sizeof point);
        memcpy(f->residual, f->trial, sizeof(double) * (size_t)m);
        damping = fmax(damping / 10, 1e-12);
      } else {
        barred = !isfinite(value);
        small = moved < 1e-9 || damping > 1e12;
        damping *= 10;
      }
    }
    if (small) {
      *converged = !barred;
      break;
    }
  }
  return sum;
}

static const double scan_step = 0.46; // five to a decade

// Looks for a better place than x along one unknown, or along all of them together (-1), on either
// side of `centre`; leaves it in x.
static void scan_line(fit *f, double *x, const double *centre, int unknown, double reach,
                      double *best)
{
  int n = f->problem->unknowns, steps = (int)ceil(reach / scan_step);
  double point[N], kept[N];
  memcpy(point, x, sizeof point);
  memcpy(kept, x, sizeof kept);
  for (int k = -steps; k <= steps; k++) {
    for (int i = 0; i < n; i++)
      if (!f->held[i] && (unknown < 0 || unknown == i))
        point[i] = clamp(centre[i] + k * scan_step, f->low[i], f->high[i]);
    double sum = evaluate(f, point, f->trial);
    if (sum < *best * (1 - 1e-9)) {
      *best = sum;
      memcpy(kept, point, sizeof kept);
    }
  }
  memcpy(x, kept, sizeof kept);
}

// Ways to leave a flat place, each from the start: scans near it; over the whole range; and over
// the whole range with all unknowns together first.
typedef enum scan_way { SCAN_NEAR, SCAN_ALL, SCAN_TOGETHER, SCAN_WAYS } scan_way;

static void scan(fit *f, double *x, scan_way way)
{
  double best = evaluate(f, x, f->trial);
  if (way == SCAN_TOGETHER)
    scan_line(f, x, f->start, -1, widest, &best);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < f->problem->unknowns; i++) {
      double near[N];
      memcpy(near, x, sizeof near);
      scan_line(f, x, way == SCAN_NEAR ? near : f->start, i, way == SCAN_NEAR ? 9.2 : widest,
                &best);
    }
}

// Whether x may be the optimum: every unknown changes the prediction there, and the residuals are
// no larger than the scatter or, where that is not known, a tenth of the measurements.
static bool is_credible(fit *f, const double *x, double sum)
{
  const pc_identification *problem = f->problem;
  int active[N], sought = 0;
  double most = 0;
  for (int i = 0; i < problem->unknowns; i++)
    sought += !f->held[i];
  for (int i = 0; i < problem->measurements; i++)
    most +=
        problem->sigma > 0 ? pc_pow(2 * problem->sigma, 2) : pc_pow(0.1 * problem->measured[i], 2);
  return sum <= most && differentiate(f, x) && active_unknowns(f, active) == sought;
}

// The best optimum from the start and from where scans lead. The wider scans run only if the result
// is not credible yet.
static double minimise(fit *f, double *x, bool *converged)
{
  memcpy(x, f->start, sizeof f->start);
  double sum = descend(f, x, converged);
  for (int way = 0; way < SCAN_WAYS && (way == SCAN_NEAR || !is_credible(f, x, sum)); way++) {
    double scanned[N];
    bool scanned_converged;
    memcpy(scanned, f->start, sizeof scanned);
    scan(f, scanned, (scan_way)way);
    double other = descend(f, scanned, &scanned_converged);
    if (other < sum) {
      memcpy(x, scanned, sizeof scanned);
      *converged = scanned_converged;
      sum = other;
    }
  }
  return sum;
}

// Two-sided 95 % quantile of Student's t.
static double student(int degrees)
{
  static const double table[] = {0,     12.706, 4.303, 3.182, 2.776, 2.571,
                                 2.447, 2.365,  2.306, 2.262, 2.228};
  if (degrees <= 10)
    return table[degrees];
  double z = 1.959964, d = degrees;
  return z + (z * z * z + z) / (4 * d) + (5 * pc_pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * d * d);
}

static void standard_errors(fit *f, const double *x, double sigma, pc_estimate *estimates)
{
  int m = f->problem->measurements, active[N];
  for (int i = 0; i < f->problem->unknowns; i++)
    estimates[i].standard_error = NAN;
  if (!differentiate(f, x))
    return;
  int n = active_unknowns(f, active);
  for (int i = 0; i < n; i++) {
    double normal[N * N], column[N] = {0};
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        normal[k * n + j] = pc_dot(m, f->jacobian + (size_t)active[k] * (size_t)m,
                                   f->jacobian + (size_t)active[j] * (size_t)m);
    column[i] = 1;
    if (solve_normal(n, normal, column))
      estimates[active[i]].standard_error = pc_exp(x[active[i]]) * sigma * sqrt(column[i]);
  }
}

// Walks from the optimum along unknown i to one side, the others fitted again, until the sum of
// squares has grown by `allowed`; returns that place, or the limit, with `open` if the search ends
// there and not the law.
static double profile(fit *f, const double *optimum, double least, int i, int side, double allowed,
                      double first, bool *open)
{
  double x[N], inside[N], limit = side < 0 ? f->low[i] : f->high[i];
  bool converged;
  memcpy(inside, optimum, sizeof inside);
  f->held[i] = true;
  // Roots of the growth are nearly linear in the unknown, so these brackets shrink fast.
  double good = optimum[i], bad = 0, good_root = 0, bad_root = 0, wanted = sqrt(allowed);
  double step = first;
  bool found = false;
  *open = false;
  while (!found) {
    memcpy(x, inside, sizeof x);
    x[i] = side < 0 ? fmax(good - step, limit) : fmin(good + step, limit);
    double root = sqrt(fmax(descend(f, x, &converged) - least, 0));
    if (root > wanted) {
      found = true;
      bad = x[i];
      bad_root = root;
    } else {
      good = x[i];
      good_root = root;
      memcpy(inside, x, sizeof inside);
      step = fmin(1.6 * step, 1);
      if (good == limit) {
        *open = !f->ends[side > 0][i];
        f->held[i] = false;
        return limit;
      }
    }
  }
  for (int k = 0; k < 60 && fabs(bad - good) > fmin(1e-7, 1e-3 * fabs(bad - optimum[i])) &&
                  wanted - good_root > 1e-4 * wanted;
       k++) {
    double part =
        k % 3 == 2 ? 0.5 : clamp((wanted - good_root) / (bad_root - good_root), 0.02, 0.98);
    memcpy(x, inside, sizeof x);
    x[i] = good + part * (bad - good);
    double root = sqrt(fmax(descend(f, x, &converged) - least, 0));
    if (root > wanted) {
      bad = x[i];
      bad_root = root;
    } else {
      good = x[i];
      good_root = root;
      memcpy(inside, x, sizeof inside);
    }
  }
  f->held[i] = false;
  return good;
}

static const char *check(const pc_identification *problem)
{
  if (problem->unknowns < 1 || problem->unknowns > N)
    return "there must be 1 to 8 unknowns";
  if (problem->measurements < 1)
    return "at least one measurement is required";
  if (problem->unknown == NULL || problem->measured == NULL || problem->predict == NULL)
    return "unknowns, measurements and the prediction must not be NULL";
  if (!(problem->sigma >= 0) || isinf(problem->sigma))
    return "sigma must be finite and not negative";
  if (problem->sigma == 0 && problem->measurements <= problem->unknowns)
    return "too few measurements to estimate their standard deviation; give sigma";
  for (int i = 0; i < problem->unknowns; i++) {
    const pc_unknown *u = &problem->unknown[i];
    if (!(u->low >= 0 && u->low < u->high && u->start > 0 && isfinite(u->start) &&
          u->start >= u->low && u->start <= u->high))
      return "an unknown must satisfy 0 <= low <= start <= high, start > 0 and low < high";
  }
  for (int i = 0; i < problem->measurements; i++)
    if (!isfinite(problem->measured[i]))
      return "measurements must be finite";
  return NULL;
}

pc_status pc_identify(const pc_identification *problem, pc_estimate *estimates,
                      pc_identify_info *info, pc_error *error)
{
  if (problem == NULL || estimates == NULL || info == NULL)
    return pc_fail_null(error, "problem, estimates and info");
  const char *why = check(problem);
  if (why != NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s", why);
  size_t m = (size_t)problem->measurements, n = (size_t)problem->unknowns;
  pc_error ignored = {.status = PC_OK};
  if (error != NULL)
    *error = ignored; // it tells below whether the model failed
  fit f = {.problem = problem, .error = error != NULL ? error : &ignored};
  double *memory = calloc((n + 2) * m, sizeof *memory), x[N] = {0};
  if (memory == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  f.residual = memory;
  f.trial = memory + m;
  f.jacobian = memory + 2 * m;
  for (size_t i = 0; i < n; i++) {
    const pc_unknown *u = &problem->unknown[i];
    f.start[i] = pc_log(u->start);
    f.low[i] = u->low > 0 ? pc_log(u->low) : f.start[i] - widest;
    f.high[i] = isfinite(u->high) ? pc_log(u->high) : f.start[i] + widest;
  }
  // A model that fails at the start gives the reason.
  if (!isfinite(evaluate(&f, f.start, f.residual))) {
    free(memory);
    if (f.error->status != PC_OK)
      return f.error->status;
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "the predictions at the initial guess are not finite or too far from the "
                   "measurements; choose another start");
  }
  find_ends(&f);
  double least = minimise(&f, x, &info->converged), scale = 0;
  for (size_t k = 0; k < m; k++)
    scale = fmax(scale, fabs(problem->measured[k]));
  int degrees = (int)m - (int)n;
  info->misfit = sqrt(least / (double)m);
  // Data without scatter still have the error of the solver.
  info->sigma = problem->sigma > 0 ? problem->sigma : fmax(sqrt(least / degrees), 1e-9 * scale);
  double quantile = problem->sigma > 0 ? 1.959964 : student(degrees);
  double allowed = pc_pow(quantile * info->sigma, 2);
  standard_errors(&f, x, info->sigma, estimates);
  for (int i = 0; i < (int)n; i++) {
    pc_estimate *e = &estimates[i];
    e->value = pc_exp(x[i]);
    double first = clamp(e->standard_error / e->value * quantile, 1e-8, 0.5);
    if (isnan(first))
      first = 0.5;
    double low = profile(&f, x, least, i, -1, allowed, first, &e->low_open);
    double high = profile(&f, x, least, i, 1, allowed, first, &e->high_open);
    e->low = e->low_open ? problem->unknown[i].low : pc_exp(low);
    e->high = e->high_open ? problem->unknown[i].high : pc_exp(high);
  }
  info->evaluations = f.evaluations;
  free(memory);
  return f.no_memory ? pc_fail(error, PC_ERROR_MEMORY, "out of memory") : PC_OK;
}
