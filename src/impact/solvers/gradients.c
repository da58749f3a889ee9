// Projected gradients. Every percussion moves along its velocity by a fixed step and is put back on
// its law, all at once, with Nesterov's momentum, restarted where it points back (O'Donoghue and
// Candes). The step comes from the largest eigenvalue of the response, found by power iteration, so
// nothing is tuned by hand. No order, so nothing is lost by doing it in parallel, and it fails in
// other places than sweeps do. Where it stalls Newton tries to finish (convex laws).
//
// uzawa is the method of the seeds: each law by itself, its friction on the disc that its normal
// percussion allows. apgd projects on the cone of both.
//
// With Coulomb's friction the normal velocity counts as u_N + mu s, s = |u_T| (De Saxce and Feng),
// and s is kept for some steps: for ever (s = 0, dilatant friction, a convex problem, whose
// solution is Coulomb's where nothing slides), for ten steps, or for one. The smaller mu, the
// shorter: at mu = 1 the steps go apart if s follows at once. Three modes that take turns, the
// likely one first.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/small.h"
#include "impact/solvers/solver.h"
#include "impact/solvers/sweep_momentum.h"
#include "impact/solvers/tuning.h"

enum { CHECK = 10, POWER_STEPS = 60 };

typedef struct gradients {
  bool cones; // contacts with friction are projected on them
  double *r, *next, *ahead, *d, *y;
  double *slip; // per interaction
  double stiff, theta;
  double last; // size of the last step without momentum
} gradients;

static bool on_cone(const gradients *a, const pc_block_law *law)
{
  return a->cones && law->tangential == PC_TANGENTIAL_COULOMB && law->normal && law->rows > 1 &&
         law->rolls == 0 && law->mu > 0 &&
         (law->row.ops == &pc_law_inelastic || law->row.ops == &pc_law_restitution) &&
         isfinite(law->row.bound);
}

static double tangential_size(const pc_block_law *law, const double *d)
{
  double size = 0;
  for (int i = 1; i < law->rows; i++)
    size += (d[i] + law->shift[i - 1]) * (d[i] + law->shift[i - 1]);
  return sqrt(size);
}

// On the cone |x_T| <= mu x_N.
static void project(int n, double mu, double *x)
{
  double size = pc_norm(n - 1, x + 1);
  if (size <= mu * x[0])
    return;
  double normal = mu * size <= -x[0] ? 0 : (x[0] + mu * size) / (1 + mu * mu);
  for (int i = 1; i < n; i++)
    x[i] *= normal > 0 ? mu * normal / size : 0;
  x[0] = normal;
}

// One step from `ahead`; gives whether the momentum points back.
static bool step_all(const pc_system *s, gradients *a)
{
  double turn = 0, step = 0;
  for (int k = 0; k < s->interactions; k++) {
    const pc_block_law *law = &s->law[k];
    int at = s->row[k];
    const double *d = a->d + at, *from = a->ahead + at;
    double *to = a->next + at;
    if (on_cone(a, law)) {
      to[0] = from[0] - (d[0] - law->row.bound + law->mu * a->slip[k]) / a->stiff;
      for (int i = 1; i < law->rows; i++)
        to[i] = from[i] - (d[i] + law->shift[i - 1]) / a->stiff;
      project(law->rows, law->mu, to);
    } else {
      double c[5];
      for (int i = 0; i < law->rows; i++)
        c[i] = d[i] - a->stiff * from[i];
      pc_block_prox(law, a->stiff, c, to);
    }
    for (int i = 0; i < law->rows; i++) {
      turn += (from[i] - to[i]) * (to[i] - a->r[at + i]);
      step += (from[i] - to[i]) * (from[i] - to[i]);
    }
  }
  // The eigenvalue was an estimate from below: if plain steps grow, it was too small.
  if (!a->cones && a->theta == 1 && step > 1.05 * a->last)
    a->stiff *= 1.5;
  a->last = a->theta == 1 ? step : INFINITY;
  return turn > 0;
}

static void move(const pc_system *s, gradients *a, int step, int keeps)
{
  pc_system_evaluate(s, a->ahead, a->y, a->d);
  for (int k = 0; k < s->interactions && keeps > 0 && step % keeps == 0; k++)
    a->slip[k] = tangential_size(&s->law[k], a->d + s->row[k]);
  bool back = step_all(s, a);
  double momentum = pc_nesterov_next(&a->theta, back);
  for (int i = 0; i < s->rows; i++) {
    a->ahead[i] = a->next[i] + momentum * (a->next[i] - a->r[i]);
    a->r[i] = a->next[i];
  }
}

static bool take_memory(gradients *a, const pc_system *s)
{
  double **rows[] = {&a->r, &a->next, &a->ahead, &a->d, NULL};
  return pc_arena_take_vectors(s->arena, s->rows, rows) &&
         pc_arena_take_vectors(s->arena, s->dofs, (double **[]){&a->y, NULL}) &&
         pc_arena_take_vectors(s->arena, s->interactions, (double **[]){&a->slip, NULL});
}

static double mean_friction(const gradients *a, const pc_system *s)
{
  double sum = 0;
  int count = 0;
  for (int k = 0; k < s->interactions; k++)
    if (on_cone(a, &s->law[k])) {
      sum += s->law[k].mu;
      count++;
    }
  return count > 0 ? sum / count : 0;
}

// Largest eigenvalue of W, from below; the start is fixed so that answers repeat.
static double find_stiffness(const pc_system *s, double *x, double *y, double *d)
{
  double value = 1;
  for (int i = 0; i < s->rows; i++)
    x[i] = 1 + 0.5 * pc_sin(1 + 3.7 * i);
  for (int step = 0; step < POWER_STEPS; step++) {
    double norm = pc_norm(s->rows, x);
    if (!(norm > 0))
      break;
    for (int i = 0; i < s->rows; i++)
      x[i] /= norm;
    pc_system_evaluate(s, x, y, d);
    for (int i = 0; i < s->rows; i++)
      x[i] = d[i] - s->free[i];
    value = pc_norm(s->rows, x);
  }
  return fmax(value, 1e-12);
}

static pc_status descend(gradients a, pc_system *s, const pc_solver_limits *limits,
                         pc_solver_result *result, pc_error *error)
{
  static const int modes[3][3] = {{1, 10, 0}, {10, 0, 1}, {0, 10, 1}}; // steps that keep s
  pc_finisher *finisher = take_memory(&a, s) ? pc_finisher_create(s) : NULL;
  if (finisher == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  double mu = mean_friction(&a, s);
  const int *order = modes[mu <= pc_apgd_small_friction ? 0 : mu <= pc_apgd_much_friction ? 1 : 2];
  int limit = pc_solver_iterations(s, limits);
  a.theta = 1;
  a.last = INFINITY;
  a.stiff = 1.05 * find_stiffness(s, a.r, a.y, a.d);
  memcpy(a.r, s->r, sizeof(double) * (size_t)s->rows);
  memcpy(a.ahead, a.r, sizeof(double) * (size_t)s->rows);
  pc_best best = {.residual = INFINITY};
  double residual = pc_best_offer(&best, s, a.r, a.y, a.d), slice_best = residual;
  int mode = 0, slice = PC_GRADIENTS_SLICE, slice_end = PC_GRADIENTS_SLICE;
  pc_status status = PC_OK;
  bool done = residual <= pc_solver_aim(s->rows, limits->target.residual);
  for (result->iterations = 0; status == PC_OK && !done && result->iterations < limit;) {
    move(s, &a, result->iterations++, order[mode]);
    if (result->iterations % CHECK != 0 && result->iterations < limit)
      continue;
    residual = pc_best_offer(&best, s, a.r, a.y, a.d);
    status = pc_finisher_done(finisher, &best, limits->target.residual, result->iterations, &limit,
                              &done, error);
    bool lost = !(residual <= pc_apgd_apart * best.residual);
    if (done || (result->iterations < slice_end && !lost))
      continue;
    if (lost || best.residual > pc_slice_gain * slice_best) {
      status = pc_finisher_try(finisher, &best, error);
      mode = (mode + 1) % 3;
      slice = (int)fmin(limit, 1.25 * slice);
      memcpy(a.r, s->r, sizeof(double) * (size_t)s->rows);
      memcpy(a.ahead, s->r, sizeof(double) * (size_t)s->rows);
      memset(a.slip, 0, sizeof(double) * (size_t)s->interactions);
      a.theta = 1;
    }
    slice_best = best.residual;
    slice_end = (int)fmin(limit, (double)result->iterations + slice);
  }
  result->residual = pc_best_finish(&best, s);
  pc_finisher_free(finisher);
  return status;
}

pc_status pc_solve_apgd(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                        pc_error *error)
{
  result->solver = PC_SOLVER_APGD;
  return descend((gradients){.cones = true}, s, limits, result, error);
}

pc_status pc_solve_uzawa(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                         pc_error *error)
{
  result->solver = PC_SOLVER_UZAWA;
  return descend((gradients){.cones = false}, s, limits, result, error);
}
