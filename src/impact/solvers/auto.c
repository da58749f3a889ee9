// auto: sweeps while they pay, then the interior point.
//
// What pays is decided by counts of operations, never by clocks, so that answers repeat.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/friction.h"
#include "impact/solvers/solver.h"

// Islands with Coulomb friction, or stated by their response. In a time step most of them are done
// after a few sweeps from the percussions of the last one.
enum {
  FIRST_SWEEPS = 100,
  MANY_SWEEPS = 200, // fewer are asked for by who has no time for an interior point
  MANY_BODIES = 3000,
  MANY_INTERACTIONS = 12000,
  FACTORISED = 300,
  COUPLED_STEPS = 30 // factorisations that an interior point takes
};
static const double loose = 1e-4;        // a tolerance that sweeps nearly always reach
static const double too_dear = 20000;    // an interior point that costs as much as all sweeps
static const double neighbours = 20;     // whose blocks cost as much as the rest of a sweep
static const double most_response = 4e7; // numbers in the response of a coupled mass

// More sweeps, in slices, as long as they promise to be done for less than `budget` in all.
static pc_status sweep_on(pc_system *s, const pc_solver_limits *limits, double budget,
                          pc_solver_result *result, pc_error *error)
{
  double used = result->iterations;
  while (used < budget) {
    int slice = (int)fmin(used, budget - used);
    pc_solver_limits some = {.tolerance = limits->tolerance,
                             .max_iterations = slice > 5 ? slice : 5};
    pc_solver_result by = {.residual = INFINITY};
    pc_status status = pc_solve_nsgs(s, &some, &by, error);
    if (status != PC_OK)
      return status;
    used += by.iterations;
    double rate = log(result->residual / by.residual) / some.max_iterations;
    result->residual = by.residual;
    result->converged = by.converged;
    result->iterations += by.iterations;
    double left = rate > 0 ? log(by.residual / limits->tolerance) / rate : INFINITY;
    if (by.converged || (used > 0.2 * budget && left > 1.5 * budget))
      break;
  }
  return PC_OK;
}

// Too large for an interior point: sweeps; where they stall, projected gradients from zero, which
// fail in other places, and sweeps from what they found; then sweeps from the better point.
static pc_status race(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                      pc_error *error)
{
  if (limits->max_iterations > 0 || s->coupled || s->bodies == 0)
    return pc_solve_nsgs(s, limits, result, error);
  size_t size = sizeof(double) * (size_t)s->rows;
  double *kept = pc_arena_take(s->arena, (size_t)s->rows, sizeof(double));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_solver *const by[] = {pc_solve_nsgs, pc_solve_apgd, pc_solve_nsgs, pc_solve_nsgs};
  static const int turns[] = {4000, 2000, 3000, 11000};
  pc_solver_result best = {.residual = INFINITY};
  int iterations = 0;
  pc_status status = PC_OK;
  for (int i = 0; i < 4 && status == PC_OK && !best.converged; i++) {
    pc_solver_limits some = {.tolerance = limits->tolerance, .max_iterations = turns[i]};
    pc_solver_result now = {.residual = INFINITY};
    if (i == 1)
      memset(s->r, 0, size);
    if (i == 3)
      memcpy(s->r, kept, size);
    status = by[i](s, &some, &now, error);
    iterations += now.iterations;
    if (status == PC_OK && now.residual < best.residual) {
      best = now;
      memcpy(kept, s->r, size);
    }
  }
  memcpy(s->r, kept, size);
  pc_system_motion(s, s->r, s->y);
  *result = best;
  result->iterations = iterations;
  return status;
}

// What a sweep of an interaction costs that has two bodies, over what it costs here: where the
// response is given there is a block for every neighbour.
static double plain_sweep(const pc_system *s)
{
  if (s->bodies > 0 || s->response == NULL || s->interactions == 0)
    return 1;
  return 1 / (1 + (double)s->response->row[s->interactions] / (neighbours * s->interactions));
}

static pc_status solve_with_friction(pc_system *s, const pc_solver_limits *limits,
                                     pc_solver_result *result, pc_error *error)
{
  int cap = limits->max_iterations, first = cap > 0 && cap < FIRST_SWEEPS ? cap : FIRST_SWEEPS;
  bool sweeps = !s->coupled;
  if (s->bodies > MANY_BODIES || s->interactions > MANY_INTERACTIONS)
    return race(s, limits, result, error);
  if (sweeps && cap > 0 && cap < MANY_SWEEPS)
    return pc_solve_nsgs(s, limits, result, error);
  pc_status status = PC_OK;
  if (sweeps) {
    pc_solver_limits some = {.tolerance = limits->tolerance, .max_iterations = first};
    status = pc_solve_nsgs(s, &some, result, error);
  }
  if (status != PC_OK || (sweeps && result->converged))
    return status;
  pc_friction f;
  status = pc_friction_open(&f, s, error);
  double cost = status == PC_OK ? pc_friction_cost(&f) * plain_sweep(s) : 0;
  if (status == PC_OK && sweeps && cost > too_dear) {
    pc_friction_free(&f);
    return race(s, limits, result, error);
  }
  if (status == PC_OK && sweeps) {
    double budget = fmax(cost * (limits->tolerance >= loose ? 10 : 1), 2 * FIRST_SWEEPS);
    status = sweep_on(s, limits, cap > 0 ? fmin(cap, budget) : budget, result, error);
  }
  pc_solver_result by = {0};
  if (status == PC_OK && !(sweeps && result->converged)) {
    int swept = sweeps ? result->iterations : 0;
    double wanted = fmax(limits->tolerance, limits->enough);
    status = pc_friction_direct(&f, limits, &by, error);
    by.iterations += swept;
    *result = by;
    bool left = sweeps && (cap == 0 || swept < cap) && by.residual > wanted && by.least <= wanted;
    if (status == PC_OK && left)
      status = pc_friction_last(&f, wanted, cap > 0 ? cap - swept : 0, result, error);
  }
  pc_friction_free(&f);
  return status;
}

// Bodies coupled by mass, such as meshes, mostly have few contacts for their size: with their
// response in the place of the bodies there is little left to solve. Sets *done if that is cheaper
// than factorisations with all bodies.
static pc_status solve_condensed(pc_system *s, const pc_solver_limits *limits,
                                 pc_solver_result *result, bool *done, pc_error *error)
{
  double flops, numbers;
  pc_status status = pc_system_condense_cost(s, &flops, &numbers, error);
  *done = status == PC_OK && numbers <= most_response &&
          flops <= COUPLED_STEPS * 2 * pc_cholesky_flops(s->mass_factor);
  if (!*done)
    return status;
  if (s->response == NULL)
    status = pc_system_condense(s, error);
  if (status != PC_OK)
    return status;
  pc_system alone = *s;
  alone.bodies = alone.dofs = alone.same_dof = 0;
  alone.coupled = alone.prepared = false;
  status = solve_with_friction(&alone, limits, result, error);
  if (status != PC_OK)
    return status;
  // The bodies have the last word on the residual.
  double *d = pc_arena_take(s->arena, (size_t)s->rows, sizeof(double));
  if (s->arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_best best = {.residual = INFINITY};
  result->residual = pc_best_offer(&best, s, s->r, s->y, d);
  result->converged = result->residual <= limits->tolerance;
  return PC_OK;
}

pc_status pc_solve_auto(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                        pc_error *error)
{
  bool done = false;
  if (s->coupled && !s->convex) {
    pc_status status = solve_condensed(s, limits, result, &done, error);
    if (status != PC_OK || done)
      return status;
  }
  if (!s->convex || s->bodies == 0)
    return solve_with_friction(s, limits, result, error);
  // Who limits the sweeps wants an answer soon: a large island is not factorised then.
  if (limits->max_iterations > 0 && s->interactions > FACTORISED && !s->coupled)
    return pc_solve_nsgs(s, limits, result, error);
  // A small island costs the interior point a few microseconds a step; a large one is worth some
  // hundred sweeps first.
  int sweeps = s->coupled ? 0 : s->interactions <= 4 ? 10 : s->interactions < 1000 ? 25 : 400;
  pc_solver_limits first = {.tolerance = limits->tolerance, .max_iterations = sweeps};
  pc_solver_result by_sweeps = {.residual = INFINITY};
  if (sweeps > 0) {
    pc_status status = pc_solve_nsgs(s, &first, &by_sweeps, error);
    if (status != PC_OK || by_sweeps.converged) {
      *result = by_sweeps;
      return status;
    }
  }
  pc_status status = pc_solve_ipm(s, limits, result, error);
  result->iterations += by_sweeps.iterations;
  return status;
}
