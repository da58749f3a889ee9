// Accelerated sweeps by pairs of bodies.
//
// Momentum alone is best here (Nesterov's): laws are convex, so it need not be held back when the
// step grows, and when it points back half of it is kept. Viscous percussions hardly change the
// velocities they depend on; they are set a few times, and once more before the end. Lines before
// the last sweep move with them, so that the momentum does not take them for its own.
#include "impact/solvers/paired.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/pairs.h"
#include "impact/solvers/packed_run.h"
#include "impact/solvers/tuning.h"

// Percussions of redundant contacts may drift for ever with the momentum: then it is limited.
static const double limited = 0.9;

// The point and its velocities are those of the pairs' packs, with the ones before in `last` and
// `before`.
typedef struct pair_run {
  pc_pairs *pairs;
  bool begun;                  // there are some before
  double theta, most, sums[2]; // momentum, at most
  // The best point of those after the first PC_PAIR_WATCH sweeps, if they are that many.
  double *kept_g, *kept_t, *kept_line, kept;
} pair_run;

static bool run_create(pair_run *run, pc_pairs *pairs, pc_arena *arena)
{
  const pc_packs *packs = &pairs->packs;
  *run = (pair_run){.pairs = pairs, .theta = 1, .most = 1, .kept = INFINITY};
  run->kept_g = pc_arena_take_raw(arena, (size_t)packs->packs * PC_LANES, sizeof(double));
  run->kept_t = pc_arena_take_raw(arena, 3 * (size_t)packs->contacts, sizeof(double));
  run->kept_line = pc_arena_take_raw(arena, (size_t)packs->lines * PC_LINE, sizeof(double));
  return !arena->failed;
}

static void sweep(pair_run *run)
{
  pc_pairs *pairs = run->pairs;
  pc_packs *packs = &pairs->packs;
  void *g = packs->r, *line = packs->line;
  bool back = run->sums[0] > 0;
  if (back)
    run->theta = fmax(1, 0.5 * run->theta);
  double beta = fmin(run->most, pc_nesterov_next(&run->theta, false));
  pc_sweep with = {.g = g,
                   .last = run->begun ? pairs->last : g,
                   .next = pairs->last,
                   .line = line,
                   .before = run->begun ? pairs->before : line,
                   .line_next = pairs->before,
                   .beta = back ? 0 : beta};
  pc_packs_sweep(packs, &with, run->sums);
  packs->r = pairs->last;
  packs->line = pairs->before;
  pairs->last = g;
  pairs->before = line;
  run->begun = true;
}

// Of the normal laws alone, if that is above `enough` already.
static void find_residual(const pair_run *run, double enough, pc_solver_result *result)
{
  const pc_packs *packs = &run->pairs->packs;
  pc_map_size size = pc_packs_map(packs, packs->line, packs->r);
  pc_packed_result(packs, &size, result);
  if (!(result->residual > enough)) {
    pc_pairs_viscous_map(run->pairs, packs->line, &size);
    pc_packed_result(packs, &size, result);
  }
}

// Copies the point to the kept one, or back.
static void keep(pair_run *run, bool back)
{
  const pc_pairs *pairs = run->pairs;
  const pc_packs *packs = &pairs->packs;
  size_t n = (size_t)packs->packs * PC_LANES * sizeof(double);
  size_t t = 3 * (size_t)packs->contacts * sizeof(double);
  size_t lines = (size_t)packs->lines * PC_LINE * sizeof(double);
  memcpy(back ? packs->r : run->kept_g, back ? run->kept_g : packs->r, n);
  memcpy(back ? packs->line : run->kept_line, back ? run->kept_line : packs->line, lines);
  if (pairs->drag != NULL)
    memcpy(back ? pairs->t : run->kept_t, back ? run->kept_t : pairs->t, t);
}

static void iterate(pair_run *run, double tolerance, int limit, pc_solver_result *result)
{
  const pc_pairs *pairs = run->pairs;
  const pc_packs *packs = &pairs->packs;
  bool drags = pairs->drag != NULL;
  int drag = PC_FIRST_DRAG, gap = PC_FIRST_DRAG, watched = PC_PAIR_WATCH, fruitless = 0;
  double best = result->residual;
  while (result->residual > tolerance && result->iterations < limit) {
    for (int i = 0; i < PC_PACKED_BLOCK; i++)
      sweep(run);
    result->iterations += PC_PACKED_BLOCK;
    pc_map_size size = pc_packs_map(packs, packs->line, packs->r);
    pc_packed_result(packs, &size, result);
    if (isnan(result->residual))
      return;
    if (result->iterations > PC_PAIR_WATCH && result->residual < run->kept) {
      run->kept = result->residual;
      keep(run, false);
    }
    if (drags && (result->residual <= 0.9 * tolerance || result->iterations >= drag)) {
      pc_pairs_viscous_map(pairs, packs->line, &size);
      pc_packed_result(packs, &size, result);
      if (result->residual <= tolerance)
        return;
      pc_pairs_drag(pairs, packs->line, pairs->before);
      drag = result->iterations + gap;
      gap += PC_FIRST_DRAG;
    } else if (drags && result->residual <= tolerance) {
      result->residual = 1.01 * tolerance; // that of the normal laws alone
    }
    if (result->iterations >= watched) {
      bool gains = result->residual <= 0.5 * best;
      fruitless = gains ? 0 : fruitless + 1;
      if (fruitless == PC_PAIR_WATCHES)
        return;
      if (!gains)
        run->most = run->most == 1 ? limited : 1;
      best = fmin(best, result->residual);
      watched += PC_PAIR_WATCH;
    }
  }
}

// Leaves the pairs in the problem; NULL where packs do as well.
static pc_status pack(const pc_island_task *task, bool warm, pc_error *error)
{
  pc_fold fold;
  pc_impact *problem = task->problem;
  pc_arena *arena = &problem->packed;
  pc_arena_reset(arena);
  problem->pairs = NULL;
  problem->again = problem->paired = 0; // their memory is taken
  if (!pc_fold_list(&fold, problem, task->islands, task->island, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (fold.elements == 0 && pc_fold_central(&fold))
    return PC_OK;
  problem->pairs = pc_arena_take(arena, 1, sizeof(pc_pairs));
  if (problem->pairs == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return pc_pairs_create(problem->pairs, problem, task->islands, task->island, warm, task->threads,
                         arena, error);
}

pc_status pc_solve_paired(const pc_island_task *task, const pc_solver_limits *limits, bool warm,
                          bool *suits, pc_solver_result *result, pc_error *error)
{
  pc_impact *problem = task->problem;
  int island = task->island;
  pair_run run;
  pc_status status = PC_OK;
  *suits = false;
  if (warm && problem->again == island + 1)
    pc_packs_again(&problem->pairs->packs, task->islands, island);
  else
    status = pack(task, warm, error);
  pc_pairs *pairs = problem->pairs;
  if (status != PC_OK || pairs == NULL || pairs->most_drag > pc_weak_drag)
    return status;
  *suits = true;
  pairs->packs.threads = pairs->packs.contacts < PC_THREADED_CONTACTS ? 1 : task->threads;
  if (!run_create(&run, pairs, task->arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  find_residual(&run, limits->target.residual, result);
  iterate(&run, limits->target.residual, limits->max_iterations, result);
  if (!(result->residual <= limits->target.residual)) {
    find_residual(&run, INFINITY, result);
    if (run.kept < result->residual || (isnan(result->residual) && isfinite(run.kept))) {
      keep(&run, true);
      find_residual(&run, INFINITY, result);
    }
  }
  problem->paired = result->residual <= limits->target.residual ? island + 1 : 0;
  pc_pairs_scatter(pairs, problem, pairs->packs.line, pairs->packs.r);
  return PC_OK;
}
