#include "impact/solvers/execute.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "impact/solvers/packed.h"
#include "impact/solvers/paired.h"
#include "impact/solvers/tuning.h"

// What the stages share.
typedef struct execution {
  const pc_island_task *task;
  pc_island_traits traits;
  pc_solver_plan *plan;
  pc_system system, condensed;
  pc_system *s;        // the system to solve; NULL: not built yet
  pc_friction *direct; // the direct methods, once the matrix is analysed
  bool analysed;
  bool begun;              // they have a point to start from
  bool exhausted;          // their budget is
  bool guessed;            // packed sweeps left a guess
  int packed_sweeps;       // those to be reported beside what comes after
  bool over, active;       // nothing is left to do; something was
  pc_solver_result result; // so far
  pc_error *error;
} execution;

static size_t rows_size(const pc_system *s)
{
  return sizeof(double) * (size_t)s->rows;
}

static pc_status out_of_memory(const execution *x)
{
  return pc_fail(x->error, PC_ERROR_MEMORY, "out of memory");
}

static pc_status sweep_pairs(execution *x, const pc_solver_stage *stage)
{
  pc_solver_result now = {.solver = PC_SOLVER_NSGS};
  pc_arena_reset(x->task->arena);
  pc_status status =
      pc_solve_paired(x->task, &stage->limits, x->traits.warm, &x->guessed, &now, x->error);
  if (x->guessed)
    x->result = now;
  return status;
}

// A guess has taken the place of the free velocities, which another method starts from.
static void free_again(const execution *x)
{
  const pc_island_task *task = x->task;
  if (x->guessed)
    pc_island_free_motion(task->problem, task->islands, task->island, task->stiffness);
}

static pc_status sweep_packs(execution *x, const pc_solver_stage *stage)
{
  if (x->result.iterations >= stage->limits.max_iterations)
    return PC_OK;
  bool warm = x->traits.warm || x->guessed;
  int sweepers = x->traits.rows < PC_THREADED_ROWS ? 1 : x->task->threads;
  pc_arena_reset(x->task->arena);
  free_again(x);
  x->guessed = true;
  pc_status status = pc_solve_packed(x->task, &stage->limits, warm, sweepers, &x->result, x->error);
  x->over = pc_is_accurate(&x->result, stage->limits.enough.accuracy);
  return status;
}

static pc_status state_system(execution *x, pc_solver_id solver, bool counts_sweeps)
{
  const pc_island_task *task = x->task;
  pc_island_traits *t = &x->traits;
  t->aim = pc_policy_aim(t);
  t->solver = solver;
  pc_arena_reset(task->arena);
  free_again(x);
  x->s = &x->system;
  pc_status status = pc_island_system(task->problem, task->islands, task->island, task->stiffness,
                                      t->warm || x->guessed, task->arena, x->s, x->error);
  if (status != PC_OK)
    return status;
  x->active = x->s->scale > 0 && x->s->rows > 0;
  x->over = !x->active;
  x->packed_sweeps = counts_sweeps ? x->result.iterations : 0;
  x->result = (pc_solver_result){.solver = solver};
  if (x->over) {
    memset(x->s->r, 0, rows_size(x->s));
    return PC_OK;
  }
  x->result.residual = INFINITY;
  if (t->accuracy_alone && t->accuracy > 0 && x->s->speed > 0)
    t->aim = fmax(pc_refined_least, fmin(t->aim, t->accuracy / x->s->speed));
  t->bodies = x->s->bodies;
  t->convex = x->s->convex;
  t->coupled = x->s->coupled;
  t->rolls = x->s->rolls;
  if (pc_policy_may_condense(t)) {
    status = pc_system_condense_cost(x->s, &t->condense_flops, &t->condense_numbers, x->error);
    t->mass_flops = pc_cholesky_flops(x->s->mass_factor);
  }
  pc_policy_plan_system(t, x->plan);
  return status;
}

// Bodies coupled by mass, such as meshes, mostly have few contacts for their size: with their
// response in the place of the bodies there is little left to solve.
static pc_status condense(execution *x)
{
  pc_status status = x->s->response == NULL ? pc_system_condense(x->s, x->error) : PC_OK;
  x->condensed = *x->s;
  x->condensed.bodies = x->condensed.dofs = x->condensed.same_dof = 0;
  x->condensed.coupled = x->condensed.prepared = false;
  x->s = &x->condensed;
  x->traits.bodies = 0;
  x->traits.coupled = false;
  return status;
}

// What a sweep over contacts of two bodies costs, over what it costs here: where the response is
// given there is a block for every neighbour.
static double plain_sweep(const pc_system *s)
{
  if (s->bodies > 0 || s->response == NULL || s->interactions == 0)
    return 1;
  return 1 /
         (1 + (double)s->response->row[s->interactions] / (pc_sweep_neighbours * s->interactions));
}

static pc_status analyse_matrix(execution *x)
{
  pc_friction *f = x->direct;
  x->analysed = true;
  pc_status status = pc_friction_open(f, x->s, x->error);
  if (status != PC_OK)
    return status;
  x->traits.interior_sweeps = pc_friction_cost(f) * plain_sweep(x->s);
  x->traits.friction = pc_friction_mean(f);
  pc_policy_plan_direct(&x->traits, x->plan);
  return PC_OK;
}

static pc_status run_method(execution *x, pc_solver *method, const pc_solver_stage *stage)
{
  pc_solver_result now = {.residual = INFINITY};
  pc_status status = method(x->s, &stage->limits, &now, x->error);
  now.iterations += x->result.iterations;
  x->result = now;
  return status;
}

static pc_status start_afresh(execution *x, const pc_solver_stage *stage)
{
  pc_system *s = x->s;
  pc_solver_result before = x->result;
  pc_solver_stage first = *stage;
  double *r = pc_arena_take_raw(s->arena, (size_t)s->rows, sizeof(double));
  if (s->arena->failed)
    return out_of_memory(x);
  memcpy(r, s->r, rows_size(s));
  memset(s->r, 0, rows_size(s));
  first.limits.max_iterations = PC_AFRESH_GRADIENTS;
  pc_status status = run_method(x, pc_solve_apgd, &first);
  if (status == PC_OK && x->result.residual > stage->limits.target.residual)
    status = run_method(x, pc_solve_nsgs, stage);
  if (status != PC_OK || x->result.residual <= before.residual)
    return status;
  before.iterations = x->result.iterations;
  x->result = before;
  memcpy(s->r, r, rows_size(s));
  pc_system_motion(s, s->r, s->y);
  return PC_OK;
}

// Each slice is as long as all before; they end when they promise not to be done in time.
static pc_status sweep_in_slices(execution *x, const pc_solver_stage *stage)
{
  const pc_solver_result *result = &x->result;
  double budget = stage->limits.max_iterations, goal = stage->limits.target.residual;
  pc_solver_stage slice = *stage;
  while (result->iterations < budget) {
    double before = result->residual, left = budget - result->iterations;
    slice.limits.max_iterations = (int)fmax(PC_LEAST_SLICE, fmin(result->iterations, left));
    pc_status status = run_method(x, pc_solve_nsgs, &slice);
    if (status != PC_OK)
      return status;
    double rate = pc_log(before / result->residual) / slice.limits.max_iterations;
    double needed = rate > 0 ? pc_log(result->residual / goal) / rate : INFINITY;
    if (result->residual <= goal ||
        (result->iterations > pc_sweeping_judged * budget && needed > pc_sweeping_hope * budget))
      break;
  }
  return PC_OK;
}

static pc_status run_direct(execution *x, const pc_solver_stage *stage)
{
  pc_friction *f = x->direct;
  double tolerance = stage->limits.target.residual;
  int budget = stage->limits.max_iterations;
  pc_status status = PC_OK;
  bool rests = true;
  switch (stage->method) {
  case PC_FRICTION_FINISH:
    return pc_friction_finish(f, tolerance, budget, stage->walks);
  case PC_FRICTION_INTERIOR:
    x->exhausted = pc_friction_afford(f, budget) == 0;
    return x->exhausted ? PC_OK : pc_friction_start_interior(f, tolerance, budget, stage->walks);
  case PC_FRICTION_CONFLICT:
    status = pc_friction_conflict(f, tolerance, &rests, x->error);
    x->over = f->least > tolerance;
    if (!rests)
      pc_friction_doubt(f);
    return status;
  case PC_FRICTION_STRESS:
    return pc_friction_stress(f, tolerance, x->error);
  case PC_FRICTION_PATHS:
    return pc_friction_path(f, tolerance, budget, x->error);
  default:
    return pc_friction_sweep_on(f, tolerance, budget, x->error);
  }
}

static int iterations_of(const pc_friction *f, pc_solver_method method)
{
  return method == PC_FRICTION_SWEEPS ? f->sweeps : f->steps.factorisations;
}

// A direct method for friction, with its budget; what it took counts.
static pc_status spend_direct(execution *x, const pc_solver_stage *stage)
{
  pc_friction *f = x->direct;
  if (x->exhausted)
    return PC_OK;
  // The first two of the direct methods have a budget each, those that follow share the second.
  if (stage->method == PC_FRICTION_FINISH || stage->method == PC_FRICTION_INTERIOR)
    pc_friction_allow(f, x->traits.max_iterations);
  int before = iterations_of(f, stage->method);
  pc_status status = run_direct(x, stage);
  int more = iterations_of(f, stage->method) - before;
  x->result = (pc_solver_result){.solver = PC_SOLVER_IPM,
                                 .iterations = x->result.iterations + more,
                                 .residual = f->reached,
                                 .least = f->least};
  return status;
}

static void begin_direct(execution *x)
{
  x->begun = true;
  pc_friction_begin(x->direct);
  x->result.residual = x->direct->reached;
  x->result.solver = PC_SOLVER_IPM;
}

static pc_status run_stage(execution *x, const pc_solver_stage *stage)
{
  switch (stage->method) {
  case PC_STATE_SYSTEM:
    return state_system(x, stage->solver, stage->counts_sweeps);
  case PC_ANALYSE_MATRIX:
    return analyse_matrix(x);
  case PC_CONDENSE:
    return condense(x);
  case PC_PAIRED_SWEEPS:
    return sweep_pairs(x, stage);
  case PC_PACKED_SWEEPS:
    return sweep_packs(x, stage);
  case PC_SWEEPS:
    return run_method(x, pc_solve_nsgs, stage);
  case PC_SWEEPS_IN_SLICES:
    return sweep_in_slices(x, stage);
  case PC_GRADIENTS:
    return run_method(x, pc_solve_apgd, stage);
  case PC_PROJECTED_STEPS:
    return run_method(x, pc_solve_uzawa, stage);
  case PC_AFRESH:
    return start_afresh(x, stage);
  case PC_CONVEX_INTERIOR:
    return run_method(x, pc_solve_ipm, stage);
  case PC_CONTRADICTION:
    return pc_system_conflict(x->s, stage->limits.target.residual, &x->result.least, x->error);
  default:
    return spend_direct(x, stage);
  }
}

static bool applies(const execution *x, const pc_solver_stage *stage)
{
  double residual = x->result.residual;
  return !(residual <= stage->above) && (stage->below == 0 || residual < stage->below);
}

static pc_status run_plan(execution *x)
{
  pc_status status = PC_OK;
  for (int i = 0; i < x->plan->count && status == PC_OK && !x->over; i++) {
    const pc_solver_stage stage = x->plan->stage[i];
    if (stage.method >= PC_FRICTION_FINISH && !x->begun && !(x->result.residual <= stage.above))
      begin_direct(x);
    if (!applies(x, &stage))
      continue;
    status = run_stage(x, &stage);
    if (stage.method == PC_STATE_SYSTEM || stage.method == PC_ANALYSE_MATRIX)
      i = -1; // the plan is a new one
  }
  return status;
}

// The best point becomes the answer, with its motion and, where masses were condensed, the residual
// that the bodies have.
static pc_status take_best(execution *x)
{
  pc_system *s = x->s;
  if (x->begun) {
    memcpy(s->r, x->direct->kept, rows_size(s));
    if (s->bodies > 0)
      pc_system_motion(s, s->r, s->y);
  }
  if (s == &x->condensed) {
    double *d = pc_arena_take(s->arena, (size_t)s->rows, sizeof(double));
    if (s->arena->failed)
      return out_of_memory(x);
    pc_best best = {.residual = INFINITY};
    x->result.residual = pc_best_offer(&best, &x->system, x->system.r, x->system.y, d);
  }
  return PC_OK;
}

pc_status pc_island_solve(const pc_island_task *task, const pc_island_traits *traits, bool *active,
                          pc_solver_result *result, pc_error *error)
{
  pc_solver_plan plan;
  pc_friction direct;
  execution x = {.task = task,
                 .traits = *traits,
                 .plan = &plan,
                 .direct = &direct,
                 .active = true,
                 .result = {.solver = traits->solver, .residual = INFINITY},
                 .error = error};
  pc_policy_plan_island(traits, &plan);
  pc_status status = run_plan(&x);
  if (status == PC_OK && x.s != NULL && x.active)
    status = take_best(&x);
  if (x.analysed)
    pc_friction_free(&direct);
  if (status == PC_OK && x.s != NULL)
    pc_system_scatter(&x.system, task->problem);
  if (x.s != NULL)
    pc_island_free(&x.system);
  *active = x.active;
  *result = x.result;
  result->iterations += x.packed_sweeps;
  if (x.s != NULL) { // bounds
    result->missed = result->residual * x.system.speed;
    result->misfit = result->residual * x.system.scale;
    result->missed_mean = result->missed / sqrt(fmax(1, x.system.interactions));
  }
  result->converged = result->residual <= fmax(x.traits.aim, traits->tolerance) ||
                      pc_is_accurate(result, traits->accuracy);
  return status;
}
