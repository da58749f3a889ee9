// Accelerated sweeps over packs (packed_run.h), until they have reached the target or do not pay.
//
// The residual of the first guess is looked at before anything else: in a run at rest it is often
// good enough. Where the momentum is steady, what moves is swept in single precision first. Steady
// momentum can circle around the answer: where sweeps stall, those with Nesterov's go on, in double
// precision, and then in turns with Anderson's method, for longer and longer. The best point is
// kept for the answer only.
#include "impact/solvers/packed.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "impact/layers.h"
#include "impact/pack_single.h"
#include "impact/packs.h"
#include "impact/solvers/packed_run.h"
#include "impact/solvers/packed_tail.h"
#include "impact/solvers/tuning.h"

// When to look next whether more sweeps pay, and what there was at the last look.
typedef struct outlook {
  int next, last;
  pc_solver_result at;
  int put_off; // how often a look was, because the momentum had just been lowered
} outlook;

// False when they do not.
static bool promises(outlook *look, const pc_solver_limits *limits, const pc_sweep_momentum *push,
                     int sweeps, const pc_solver_result *at)
{
  bool will_do = pc_target_distance(&limits->enough, at) <= 1;
  if (sweeps < look->next || limits->target.accuracy > 0 ||
      !(will_do || (limits->gives_up && limits->enough.residual >= pc_loose_tolerance)))
    return true;
  // Those that are left, gaining as they did since half-way, must bring it there.
  const pc_solver_target *target = will_do ? &limits->target : &limits->enough;
  double distance = pc_target_distance(target, at);
  double before = pc_target_distance(target, &look->at);
  double gain = pc_log(before / distance) / (0.5 * sweeps);
  if (sweeps < look->last && gain * (look->last - sweeps) >= pc_log(distance)) {
    look->at = *at;
    look->next = 2 * sweeps;
    return true;
  }
  bool puts_off = limits->steady && push->lowered > 0 && !will_do &&
                  push->sweeps - push->lowered < PC_STEADY_PATIENCE &&
                  look->put_off < PC_STEADY_PUT_OFF;
  look->put_off += puts_off;
  look->next = sweeps + PC_STEADY_LATER;
  return puts_off;
}

static outlook first_outlook(const pc_packs *packs, const pc_solver_limits *limits)
{
  int first = PC_LOOK_WORK / packs->contacts;
  first = first < PC_FIRST_LOOK ? PC_FIRST_LOOK : first > PC_LAST_LOOK ? PC_LAST_LOOK : first;
  if (limits->enough.accuracy > limits->target.accuracy)
    first = PC_REFINED_LOOK;
  return (outlook){.next = first / PC_PACKED_BLOCK * PC_PACKED_BLOCK,
                   .last = limits->gives_up ? limits->max_iterations : 4 * first,
                   .at = {.residual = INFINITY, .missed = INFINITY}};
}

// The residual of percussions r with the velocities in the lines, and how far that is from what is
// asked.
static double measure(const pc_packs *packs, const void *line, const void *r,
                      const pc_solver_limits *limits, pc_solver_result *at)
{
  pc_map_size size = pc_packs_map(packs, line, r);
  pc_packed_result(packs, &size, at);
  return pc_target_distance(&limits->target, at);
}

// The same with velocities that are made from the percussions.
static double renew(const pc_packs *packs, void *line, const double *r,
                    const pc_solver_limits *limits, pc_solver_result *at)
{
  pc_packs_move(packs, line, r);
  return measure(packs, line, r, limits, at);
}

// Which acceleration goes on, and whether any does.
typedef struct course {
  double watched, slice_best; // distances at the last watch, and before the present slice
  int next_watch;             // sweeps
  int left, patience[2];      // blocks of the slice, and of those by Anderson's method and momentum
} course;

// Changes the acceleration where the best distance so far stalls. *over where no other helps; false
// if there is no room.
static bool steer(course *c, pc_packed_run *run, const pc_solver_limits *limits, int sweeps,
                  double best, pc_arena *arena, bool *over)
{
  bool single = run->packs->single;
  if (sweeps >= c->next_watch) {
    c->next_watch += PC_WATCHED_SWEEPS;
    bool stalls = best > pc_worth_while * c->watched;
    c->watched = best;
    if (stalls && run->steady && !single) { // it may circle around the answer
      pc_packed_run_unsteady(run);
      c->left = PC_PUSH_BLOCKS;
    } else if (stalls && (limits->gives_up || single)) {
      *over = true;
      return true;
    }
  }
  if (--c->left > 0 || run->steady)
    return true;
  if (best > pc_slice_gain * c->slice_best) {
    c->patience[run->pushes] += c->patience[run->pushes] / 2;
    if (!pc_packed_run_change(run, arena))
      return false;
  }
  c->slice_best = best;
  c->left = c->patience[run->pushes];
  return true;
}

// Sweeps until the target or the limit; leaves the answer in the packs. In single precision,
// velocities are left to be renewed in double.
static bool iterate(pc_packs *packs, const pc_solver_limits *limits, pc_arena *arena,
                    pc_solver_result *result)
{
  pc_packed_run run;
  pc_packed_tail tail = {.worth = false};
  size_t number = pc_pack_number(packs), stride = (size_t)packs->stride;
  void *lines = packs->line_room != NULL
                    ? packs->line_room
                    : pc_arena_take_raw(arena, (size_t)packs->lines * stride, number);
  if (!pc_packed_run_create(&run, packs, limits->steady, arena))
    return false;
  memset(lines, 0, number * stride); // at rest for ever
  pc_packed_run_begin(&run, packs->line, lines);
  double best = pc_target_distance(&limits->target, result), accuracy = limits->target.accuracy;
  bool better = false; // the last point is better than the stored one
  bool fresh = false;  // its velocities are those of its percussions
  bool over = false;
  int begun = result->iterations;
  outlook look = first_outlook(packs, limits);
  course way = {.watched = best,
                .slice_best = best,
                .next_watch = (begun / PC_WATCHED_SWEEPS + 1) * PC_WATCHED_SWEEPS,
                .left = PC_PUSH_BLOCKS,
                .patience = {PC_ANDERSON_BLOCKS, PC_PUSH_BLOCKS}};
  while (result->iterations < limits->max_iterations && !over) {
    int blocks;
    if (better)
      pc_packed_run_keep(&run);
    if (!pc_packed_tail_sweep(&tail, &run, accuracy, arena, &blocks))
      return false;
    if (blocks == 0) {
      pc_packed_run_sweep(&run);
      blocks = 1;
    }
    result->iterations += blocks * PC_PACKED_BLOCK;
    int sweeps = result->iterations - begun;
    fresh = packs->single || sweeps <= PC_STALE_SWEEPS;
    if (sweeps == PC_PACKED_BLOCK && result->iterations < limits->max_iterations &&
        best > pc_far_off)
      continue;
    pc_solver_result now = *result;
    double distance = measure(packs, run.line, run.g, limits, &now);
    if (distance <= 1 && !fresh) {
      distance = renew(packs, run.line, run.g, limits, &now);
      fresh = true;
    }
    better = distance < best;
    if (better) {
      best = distance;
      *result = now;
    }
    if (distance <= 1 || isnan(distance))
      break;
    pc_packed_tail_judge(&tail, packs, accuracy, &now);
    if (2 * sweeps <= look.next)
      look.at = *result;
    if (!promises(&look, limits, &run.push, sweeps, result))
      break;
    if (!steer(&way, &run, limits, result->iterations, best, arena, &over))
      return false;
  }
  packs->r = better ? run.g : run.kept;
  packs->line = run.line;
  if (!packs->single && (!better || !fresh))
    renew(packs, packs->line, packs->r, limits, result);
  return true;
}

// Holds bodies layer by layer, from percussions `from`, to within `part` of the speeds of contacts,
// and keeps that in packs->r if it is better. False if there is no room.
static bool hold_layers(pc_packs *packs, const double *from, const pc_solver_limits *limits,
                        double part, pc_arena *arena, pc_solver_result *result)
{
  size_t n = (size_t)packs->packs * PC_LANES * (size_t)packs->numbers;
  pc_arena_mark mark = pc_arena_mark_here(arena);
  double *r = pc_arena_take_raw(arena, n, sizeof(double));
  if (r == NULL)
    return false;
  memcpy(r, from, n * sizeof(double));
  if (from != packs->r)
    pc_packs_move(packs, packs->line, from);
  double close = part * packs->speed / sqrt(packs->contacts);
  pc_layers_end end = pc_layers_hold(packs, packs->line, close, r, arena);
  if (end == PC_LAYERS_NONE)
    pc_arena_take_back(arena, mark);
  if (end != PC_LAYERS_HELD)
    return end == PC_LAYERS_NONE;
  pc_solver_result held = *result;
  renew(packs, packs->line, r, limits, &held);
  if (held.residual < result->residual) {
    packs->r = r;
    *result = held;
  } else {
    pc_packs_move(packs, packs->line, packs->r);
    pc_arena_take_back(arena, mark);
  }
  return true;
}

// A first guess from the layers, where there is none. Where it is a solution it is made an exact
// one: sweeps would take hundreds of steps for that.
static bool guess_by_layers(pc_packs *packs, const pc_solver_limits *limits, pc_arena *arena,
                            pc_solver_result *result)
{
  const double *from = packs->r;
  double wanted = limits->target.residual;
  if (!(result->residual > fmax(pc_no_guess, wanted) && result->residual < pc_wrong_guess))
    return true;
  return hold_layers(packs, from, limits, 0.3 * wanted, arena, result) &&
         (!pc_guess_stands(limits, result->residual) ||
          hold_layers(packs, from, limits, 0.3 * pc_exact_residual, arena, result));
}

// Sweeps in single precision where that will do, until it is done or stalls; leaves percussions and
// velocities in the packs, in double. False if there is no room.
static bool iterate_single(pc_packs *packs, const pc_solver_limits *limits, pc_arena *arena,
                           pc_solver_result *result, bool *done)
{
  pc_packs single;
  pc_arena_mark mark = pc_arena_mark_here(arena);
  *done = limits->steady && limits->target.accuracy > 0;
  if (*done && !pc_packs_to_single(&single, packs, limits->target.accuracy, done, arena))
    return false;
  if (!*done)
    return true;
  pc_solver_result now = *result;
  if (!iterate(&single, limits, arena, &now))
    return false;
  double *was = packs->r;
  pc_arena_take_back(arena, mark); // percussions in double take the place of the copy's fields
  _Static_assert(PC_AT_ARMS * sizeof(float) + 2 * sizeof(float) >= 4 * sizeof(double),
                 "the fields of a contact in floats hold its percussion in doubles");
  packs->r = pc_arena_take_raw(arena, (size_t)packs->packs * PC_LANES * (size_t)packs->numbers,
                               sizeof(double));
  if (packs->r == NULL)
    return false;
  pc_packs_from_single(packs, single.r, packs->r);
  result->iterations = now.iterations;
  if (renew(packs, packs->line, packs->r, limits, &now) <
      pc_target_distance(&limits->target, result)) {
    *result = now;
  } else {
    packs->r = was;
    pc_packs_move(packs, packs->line, was);
  }
  return true;
}

// In single precision first. False if there is no room.
static bool improve(pc_packs *packs, const pc_solver_limits *limits, pc_arena *arena,
                    pc_solver_result *result)
{
  bool single = false; // where these stall, another momentum goes on at once
  pc_solver_limits now = *limits;
  if (pc_guess_stands(limits, result->residual)) {
    now.target.residual = now.enough.residual = pc_exact_residual;
    now.max_iterations = result->iterations + limits->settling;
  }
  if (pc_target_distance(&now.target, result) > 1 &&
      !iterate_single(packs, &now, arena, result, &single))
    return false;
  now.steady = now.steady && !single;
  return !(pc_target_distance(&now.target, result) > 1) || iterate(packs, &now, arena, result);
}

pc_status pc_solve_packed(const pc_island_task *task, const pc_solver_limits *limits, bool warm,
                          int sweep_threads, pc_solver_result *result, pc_error *error)
{
  pc_packs packs;
  pc_status status = pc_packs_create(&packs, task->problem, task->islands, task->island, warm,
                                     task->threads, task->arena, error);
  if (status != PC_OK)
    return status;
  packs.threads = sweep_threads;
  if (warm)
    pc_packs_move(&packs, packs.line, packs.r);
  *result = (pc_solver_result){.solver = PC_SOLVER_NSGS, .iterations = result->iterations};
  measure(&packs, packs.line, packs.r, limits, result);
  if (!guess_by_layers(&packs, limits, task->arena, result) ||
      !improve(&packs, limits, task->arena, result))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_packs_scatter(&packs, task->problem, packs.line, packs.r);
  return PC_OK;
}
