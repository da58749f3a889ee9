// Solves an impact problem: its islands, then the answer and its check.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "impact/islands.h"
#include "impact/quasi_static.h"
#include "impact/solvers/execute.h"
#include "impact/solvers/tuning.h"
#include "impact/stating.h"

pc_solve_options pc_solve_options_default(void)
{
  return (pc_solve_options){.solver = "auto", .tolerance = 1e-10};
}

const char *pc_solve_status_name(pc_solve_status status)
{
  return status == PC_SOLVED ? "solved" : status == PC_INACCURATE ? "inaccurate" : "failed";
}

// D+ of a problem without bodies.
static void find_response_velocities(pc_impact *problem)
{
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    memcpy(problem->shaped.at + data->row, pc_interaction_given(problem, data),
           sizeof(double) * data->rows);
  }
  for (int c = 0; c < problem->response.count; c++) {
    const pc_coupling *coupling = &problem->response.at[c];
    const pc_interaction_data *a = &problem->interaction.at[coupling->i],
                              *b = &problem->interaction.at[coupling->j];
    for (int i = 0; i < a->rows; i++)
      for (int j = 0; j < b->rows; j++)
        problem->shaped.at[a->row + i] -=
            problem->block.at[coupling->at + i * b->rows + j] * problem->force.at[b->row + j];
  }
}

// What became of one island.
typedef struct outcome {
  pc_status status;
  bool active; // something was to be done
  pc_solver_result result;
  pc_error error;
} outcome;

typedef struct island_work {
  pc_impact *problem;
  const pc_islands *islands;
  pc_island_traits asked; // what the caller asks for
  double stiffness;
  int *first; // rows of the islands before, where the pieces of the workers are cut
  outcome *outcome;
} island_work;

static pc_island_traits describe_island(const island_work *work, int i)
{
  const pc_island *island = &work->islands->island[i];
  pc_island_traits traits = work->asked;
  traits.rows = island->rows;
  traits.interactions = island->interactions;
  traits.contacts = island->interactions - island->folded;
  traits.bodies = island->bodies;
  traits.packable = island->packable && !(island->friction && island->viscous);
  traits.convex = island->convex;
  traits.plane = island->plane;
  traits.lot = island->lot;
  traits.settled = island->settled == island->interactions;
  return traits;
}

static void solve_island(const island_work *work, int i, pc_island_traits *traits, int threads,
                         pc_arena *arena)
{
  outcome *out = &work->outcome[i];
  pc_island_task task = {work->problem, work->islands, i, work->stiffness, threads, arena};
  if (pc_policy_needs_speeds(traits))
    traits->speed = pc_island_speeds(work->problem, work->islands, i, pc_large_rest, threads);
  traits->accuracy = pc_policy_accuracy(traits);
  out->status = pc_island_solve(&task, traits, &out->active, &out->result, &out->error);
  double rest = out->status == PC_OK ? pc_policy_rest_speed(traits, &out->result) : 0;
  if (rest > 0)
    pc_island_rest(work->problem, work->islands, i, rest);
}

static void solve_pieces(void *context, int begin, int end, int worker)
{
  const island_work *work = context;
  pc_arena *arena = &work->problem->worker.at[worker];
  int low = 0, high = work->islands->count; // the first island of the piece is between
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (work->first[middle] < begin)
      low = middle + 1;
    else
      high = middle;
  }
  for (int i = low; i < work->islands->count && work->first[i] < end; i++) {
    pc_island_traits traits = describe_island(work, i);
    if (!pc_policy_is_large(&traits))
      solve_island(work, i, &traits, 1, arena);
  }
}

static double error_of(const pc_island *island, double misfit)
{
  return (island->convex ? pc_convex_error : pc_friction_error) * misfit;
}

// Sums up all islands, in their order.
static pc_status gather(const island_work *work, bool *converged, pc_solve_info *info)
{
  int largest = -1;
  for (int i = 0; i < work->islands->count; i++) {
    const outcome *out = &work->outcome[i];
    if (out->status != PC_OK) {
      work->problem->error = out->error;
      return out->status;
    }
    if (!out->active)
      continue;
    const pc_solver_result *result = &out->result;
    *converged = *converged && result->converged;
    if (!result->converged && result->least > work->asked.tolerance)
      pc_fail(&work->problem->error, PC_ERROR_NUMERIC,
              "the contacts contradict each other: no motion satisfies all of them, and the "
              "residual is at least %.1e",
              result->least);
    info->residual = fmax(info->residual, isnan(result->residual) ? INFINITY : result->residual);
    info->missed = fmax(info->missed, isnan(result->missed) ? INFINITY : result->missed);
    double error = error_of(&work->islands->island[i], result->misfit);
    info->velocity_error = sqrt(info->velocity_error * info->velocity_error + error * error);
    info->iterations =
        info->iterations > result->iterations ? info->iterations : result->iterations;
    if (work->islands->island[i].rows > largest) {
      largest = work->islands->island[i].rows;
      info->solver = pc_solver_names()[result->solver];
    }
  }
  return PC_OK;
}

// Whether all velocities after are finite.
enum { DOF_GRAIN = 2000 };

typedef struct finite_work {
  const double *x;
  bool lost[PC_MOST_THREADS]; // per worker
} finite_work;

static void find_lost(void *context, int begin, int end, int worker)
{
  finite_work *work = context;
  const double *x = work->x;
  double none[4] = {0}; // 0 or NaN; four sums, so that none waits for another
  int i = begin;
  for (; i + 4 <= end; i += 4)
    for (int k = 0; k < 4; k++)
      none[k] += x[i + k] - x[i + k];
  for (; i < end; i++)
    none[0] += x[i] - x[i];
  if (none[0] + none[1] + none[2] + none[3] != 0)
    work->lost[worker] = true;
}

static bool are_finite(int threads, int n, const double *x)
{
  finite_work work = {.x = x};
  pc_parallel(threads, n, DOF_GRAIN, find_lost, &work);
  for (int i = 0; i < PC_MOST_THREADS; i++)
    if (work.lost[i])
      return false;
  return true;
}

static pc_status solve_islands(pc_impact *problem, pc_solver_id solver,
                               const pc_solve_options *options, double stiffness,
                               pc_solve_info *info)
{
  pc_islands islands;
  pc_island_traits asked = {.solver = solver,
                            .tolerance = options->tolerance,
                            .accuracy = options->accuracy,
                            .accuracy_alone = options->accuracy_alone,
                            .max_iterations = options->max_iterations,
                            .warm = options->warm_start,
                            .gives_up = options->gives_up,
                            .quasi_static = options->quasi_static,
                            .coupled_masses = problem->mass.count > 0,
                            .stated_responses = problem->response.count > 0};
  int threads = options->threads > 1 ? options->threads : 1;
  int rows_of_lots = pc_policy_lot_rows(&asked);
  bool friction = pc_policy_lots_have_friction(&asked);
  if (rows_of_lots != problem->lot_rows || friction != problem->lot_friction)
    problem->again = 0;
  problem->lot_rows = rows_of_lots;
  problem->lot_friction = friction;
  pc_arena_reset(&problem->work);
  pc_status status =
      pc_islands_build(problem, stiffness, rows_of_lots, friction, threads, &islands);
  if (status != PC_OK)
    return status;
  size_t count = (size_t)islands.count;
  island_work work = {problem, &islands, asked, stiffness, NULL, NULL};
  work.first = pc_arena_take(&problem->work, count + 1, sizeof(int));
  work.outcome = pc_arena_take(&problem->work, count + 1, sizeof(outcome));
  if (problem->work.failed)
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  int inside = 0;
  for (int i = 0; i < islands.count; i++)
    inside += islands.island[i].interactions;
  for (int k = 0; k < problem->interaction.count && inside < problem->interaction.count; k++)
    for (int r = 0; islands.local_interaction[k] < 0 &&
                    r < pc_interaction_numbers(&problem->interaction.at[k]);
         r++)
      problem->force.at[problem->interaction.at[k].row + r] = 0;
  info->islands = islands.found;
  bool converged = islands.blocked == 0;
  if (!converged) {
    info->residual = 1;
    pc_fail(&problem->error, PC_ERROR_NUMERIC,
            "no solution exists: bodies of infinite mass move into each other or into an obstacle");
  }
  int rows = 0;
  for (int i = 0; i < islands.count; i++) {
    pc_island_traits traits = describe_island(&work, i);
    work.first[i] = rows;
    if (pc_policy_is_large(&traits))
      solve_island(&work, i, &traits, threads, &problem->worker.at[0]);
    else
      rows += islands.island[i].rows + 1;
  }
  pc_parallel(threads, rows, 40, solve_pieces, &work);
  status = gather(&work, &converged, info);
  info->status = !are_finite(threads, problem->dofs, problem->after.at) || !isfinite(info->residual)
                     ? PC_FAILED
                 : converged ? PC_SOLVED
                             : PC_INACCURATE;
  return status;
}

static bool make_workers(pc_impact *problem, int threads)
{
  threads = threads < PC_MOST_THREADS ? threads : PC_MOST_THREADS;
  if (!pc_array_reserve(&problem->worker, threads))
    return false;
  for (; problem->worker.count < threads; problem->worker.count++)
    problem->worker.at[problem->worker.count] = (pc_arena){0};
  return true;
}

// Percussions that obey the laws do not help where the velocities are not theirs: a stiff mass
// matrix that couples bodies loses digits whenever it is divided by.
static void check_balance(pc_impact *problem, const pc_solve_options *options, pc_solve_info *info)
{
  double missed = fmax(info->audit.identity, info->audit.momentum);
  if (info->status != PC_SOLVED || missed <= fmax(1e-10, options->tolerance))
    return;
  info->status = PC_INACCURATE;
  pc_fail(&problem->error, PC_ERROR_NUMERIC,
          "relative error of the energy or momentum balance %.1e: the masses differ by too many "
          "orders of magnitude for a more accurate solution",
          missed);
}

pc_status pc_impact_solve(pc_impact *problem, const pc_solve_options *options, pc_solve_info *info)
{
  if (problem == NULL || info == NULL)
    return pc_fail_null(problem != NULL ? &problem->error : NULL,
                        "the information about the solution");
  pc_solve_options defaults = pc_solve_options_default();
  if (options == NULL)
    options = &defaults;
  *info = (pc_solve_info){.status = PC_FAILED, .solver = options->solver};
  problem->error = (pc_error){0};
  problem->again = problem->answered ? problem->paired : 0;
  problem->paired = 0;
  double begun = pc_clock_seconds();
  if (options->solver == NULL)
    return pc_fail_null(&problem->error, "the name of the solver");
  pc_solver_id solver = pc_solver_find(options->solver);
  if (solver == PC_SOLVER_COUNT)
#define NAME(identifier, name, description) " " name
    return pc_fail(&problem->error, PC_ERROR_ARGUMENT, "unknown solver '%s' (known:%s)",
                   options->solver, PC_SOLVERS(NAME));
#undef NAME
  if (!(options->tolerance > 0) || options->tolerance >= 1)
    return pc_fail(&problem->error, PC_ERROR_ARGUMENT, "the tolerance must be between 0 and 1");
  if (!(options->accuracy >= 0))
    return pc_fail(&problem->error, PC_ERROR_ARGUMENT, "the accuracy must be 0 or more");
  if (!pc_array_reserve(&problem->force, problem->rows) ||
      !make_workers(problem, options->threads > 1 ? options->threads : 1) ||
      (problem->response.count > 0 && !pc_array_reserve(&problem->shaped, problem->rows)))
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  double stiffness = options->quasi_static ? pc_quasi_static_stiffness(problem) : 1;
  pc_status status = solve_islands(problem, solver, options, stiffness, info);
  if (status != PC_OK) {
    info->status = PC_FAILED;
    problem->answered = false; // what there was is overwritten
    return status;
  }
  for (int i = 0; i < problem->rows && stiffness != 1; i++)
    problem->force.at[i] /= stiffness;
  if (problem->response.count > 0)
    find_response_velocities(problem);
  problem->answered = true;
  problem->quasi_static = options->quasi_static;
  problem->reached = info->residual;
  if (!options->unaudited && pc_impact_audit(problem, options->threads, &info->audit) != PC_OK)
    return PC_ERROR_MEMORY;
  if (!options->unaudited && !options->quasi_static)
    check_balance(problem, options, info);
  if (options->quasi_static)
    pc_quasi_static_check(problem, stiffness, info);
  info->time_s = pc_clock_seconds() - begun;
  return PC_OK;
}

const double *pc_impact_velocities(const pc_impact *problem)
{
  return problem->answered ? problem->after.at : problem->before.at;
}

void pc_impact_velocity(const pc_impact *problem, int body, double *velocity)
{
  if (problem == NULL || velocity == NULL || body < 0 || body >= problem->body.count)
    return;
  const pc_body_data *data = &problem->body.at[body];
  memcpy(velocity, pc_impact_velocities(problem) + data->start, sizeof(double) * (size_t)data->dof);
}

void pc_impact_percussion(const pc_impact *problem, int interaction, double *percussion)
{
  if (percussion == NULL || !pc_impact_has(problem, interaction)) {
    if (percussion != NULL)
      memset(percussion, 0, 3 * sizeof *percussion);
    return;
  }
  if (problem->answered && interaction < problem->even) {
    const double *force = problem->force.at + (long)problem->numbers * interaction;
    for (int r = 0; r < 3; r++)
      percussion[r] = r < problem->numbers ? force[r] : 0;
    return;
  }
  const pc_interaction_data *data = &problem->interaction.at[interaction];
  for (int r = 0; r < 3; r++)
    percussion[r] = problem->answered && r < data->rows ? problem->force.at[data->row + r] : 0;
}

void pc_impact_moment(const pc_impact *problem, int interaction, double *moment)
{
  if (moment == NULL || !pc_impact_has(problem, interaction)) {
    if (moment != NULL)
      memset(moment, 0, 3 * sizeof *moment);
    return;
  }
  const pc_interaction_data *data = &problem->interaction.at[interaction];
  const double *force = problem->force.at + data->row + data->rows;
  for (int i = 0; i < 3; i++)
    moment[i] = !problem->answered ? 0
                : data->spins == 3 ? force[i]
                : i < 2            ? 0
                : data->spins == 1 ? force[0]
                                   : 0;
}
