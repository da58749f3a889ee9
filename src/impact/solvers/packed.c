// Accelerated sweeps over packs.
//
// In the plane first Nesterov's momentum, the best for the ten or twenty sweeps of a step that
// starts from the last one: restarted when it points back, held for some sweeps when the step
// grows. Where it stalls, Anderson's method over blocks of five sweeps, forgotten as soon as the
// step grows at all, and going on from there: a return to the best point would repeat the same
// steps for ever. Then in turns, for longer and longer. The best point is kept for the answer only.
//
// In space a steady momentum, raised slowly and lowered at once where sweeps together move more
// than those before. It takes half the sweeps there, and up to twice as many in the plane. What
// moves is swept in single precision first. Steady momentum can circle around the answer: where
// sweeps stall, those with Nesterov's go on, in double precision.
//
// The residual of the first guess is looked at before anything else: in a run at rest it is often
// good enough.
#include "impact/solvers/packed.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/threads.h"
#include "impact/layers.h"
#include "impact/pack_single.h"
#include "impact/pack_subset.h"
#include "impact/packs.h"
#include "impact/solvers/anderson.h"
#include "impact/solvers/sweep_momentum.h"
#include "impact/solvers/tuning.h"

enum { BLOCK = 5, CHUNK = 4096 };

typedef struct copy_work {
  char *to;
  const char *from;
  size_t size; // of a number
} copy_work;

static void copy_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const copy_work *work = context;
  size_t from = work->size * (size_t)begin, size = work->size * (size_t)(end - begin);
  memcpy(work->to + from, work->from + from, size);
}

static void copy(const pc_packs *packs, int n, void *to, const void *from)
{
  copy_work work = {to, from, pc_pack_number(packs)};
  pc_parallel(packs->threads, n, 8 * CHUNK, copy_part, &work);
}

enum { POINTS = 4 };

typedef struct packed_run {
  pc_packs *packs;
  int n, lines; // numbers in a point, in the lines
  // Points and lines, in the precision of the packs:
  void *point[POINTS]; // room for those below
  void *r;             // by Anderson's method: where a block starts; else g
  void *g, *line;      // where the last sweep ended, with its velocities
  void *last;          // with momentum: where the one before ended; else g
  void *lines_before;  // there; before the first sweep they are room
  void *kept;          // the best point but g
  double sums[2];      // of the last sweep
  pc_sweep_momentum push;
  double beta;
  pc_anderson anderson;
  bool steady;          // the momentum is
  bool pushes, pending; // the method; g is there and waits to be extrapolated
} packed_run;

// Room for another point.
static void *free_point(const packed_run *run)
{
  int i = 0;
  while (run->point[i] == run->r || run->point[i] == run->g || run->point[i] == run->last ||
         run->point[i] == run->kept)
    i++;
  return run->point[i];
}

// The momentum of the next sweep. Velocities are affine in the percussions, so both are
// extrapolated alike, by the sweep.
static void push_on(packed_run *run)
{
  const double *sums = run->sums;
  run->beta = run->steady ? pc_steady_after(&run->push, sums[1])
                          : pc_nesterov_after(&run->push, sums[0], sums[1], !run->packs->convex);
}

// A sweep with momentum: to where the one before the last ended, if that is not kept.
static void sweep_on(packed_run *run)
{
  if (run->pending)
    push_on(run);
  void *next = run->last != run->g && run->last != run->kept ? run->last : free_point(run);
  void *line = run->line;
  pc_sweep sweep = {.g = run->g,
                    .last = run->last,
                    .next = next,
                    .line = line,
                    .before = run->pending ? run->lines_before : line,
                    .line_next = run->lines_before,
                    .beta = run->beta};
  pc_packs_sweep(run->packs, &sweep, run->sums);
  run->last = run->g;
  run->r = run->g = next;
  run->line = run->lines_before;
  run->lines_before = line;
}

// One of a block by Anderson's method, which is extrapolated before the first.
static void sweep_block(packed_run *run, bool first)
{
  int threads = run->packs->threads;
  if (run->pending && first) {
    if (pc_anderson_step(&run->anderson, run->r, run->g, threads)) {
      pc_packs_project(run->packs, run->r);
      pc_packs_move(run->packs, run->line, run->r);
    } else {
      copy(run->packs, run->n, run->r, run->g);
    }
  }
  pc_sweep sweep = {.g = first ? run->r : run->g, .next = run->g, .line_next = run->line};
  pc_packs_sweep(run->packs, &sweep, run->sums);
}

static void block(packed_run *run)
{
  for (int i = 0; i < BLOCK; i++) {
    if (run->pushes)
      sweep_on(run);
    else
      sweep_block(run, i == 0);
    run->pending = true;
  }
}

// To the other method, from where the last sweep ended.
static void change_method(packed_run *run)
{
  run->r = run->last = run->g;
  if (run->pushes) {
    pc_anderson_forget(&run->anderson);
    run->r = free_point(run);
    copy(run->packs, run->n, run->r, run->g);
  } else {
    run->push = pc_momentum_first;
    run->beta = 0;
  }
  run->pushes = !run->pushes;
  run->pending = false;
}

// From steady momentum to Nesterov's.
static void push_otherwise(packed_run *run)
{
  run->steady = false;
  run->r = run->last = run->g;
  run->push = pc_momentum_first;
  run->beta = 0;
  run->pending = false;
}

static bool run_create(packed_run *run, pc_packs *packs, pc_arena *arena)
{
  run->packs = packs;
  run->n = packs->packs * PC_LANES * packs->numbers;
  run->lines = packs->lines * packs->stride;
  size_t n = (size_t)run->n, lines = (size_t)run->lines, size = pc_pack_number(packs);
  run->r = run->g = run->last = run->kept = run->point[0] = packs->r;
  run->line = packs->line;
  run->lines_before =
      packs->line_room != NULL ? packs->line_room : pc_arena_take_raw(arena, lines, size);
  for (int i = 1; i < POINTS; i++) // the last one, which few runs use, is not written before
    run->point[i] = pc_arena_take_raw(arena, n, size);
  run->push = pc_momentum_first;
  run->pushes = true;
  if (arena->failed)
    return false;
  memset(run->lines_before, 0, size * (size_t)packs->stride); // at rest for ever
  return true;
}

// The last point is the best so far, and must stay.
static void keep(packed_run *run)
{
  if (run->pushes) {
    run->kept = run->g;
    return;
  }
  run->kept = free_point(run);
  copy(run->packs, run->n, run->kept, run->g);
}

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
  double gain = log(before / distance) / (0.5 * sweeps);
  if (sweeps < look->last && gain * (look->last - sweeps) >= log(distance)) {
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

// The residual of percussions r with the velocities in the lines, and how far that is from what is
// asked.
static double measure(const pc_packs *packs, const void *line, const void *r,
                      const pc_solver_limits *limits, pc_solver_result *at)
{
  pc_map_size size = pc_packs_map(packs, line, r);
  at->residual = pc_packs_relative(packs, &size);
  at->missed = sqrt(size.largest);
  at->misfit = sqrt(size.energy);
  at->missed_mean = sqrt(size.speed / packs->contacts);
  return pc_target_distance(&limits->target, at);
}

// Velocities from the percussions r, and the residual with them.
static double renew(packed_run *run, const pc_solver_limits *limits, const double *r,
                    pc_solver_result *at)
{
  pc_packs_move(run->packs, run->line, r);
  return measure(run->packs, run->line, r, limits, at);
}

// Sweeps over those contacts alone that miss the accuracy, and their neighbours.
typedef struct tail_run {
  pc_pack_subset subset;
  packed_run run; // over its part
  bool made, worth;
  int pause; // blocks of whole sweeps before the next attempt
} tail_run;

// Whether only few contacts are left that miss it.
static bool are_few_left(const pc_packs *packs, const pc_solver_limits *limits,
                         const pc_solver_result *at)
{
  return packs->contacts >= PC_TAIL_CONTACTS && at->missed > limits->target.accuracy &&
         pc_mean_missed * at->missed_mean < limits->target.accuracy;
}

// Gives the sweeps that it cost, as blocks of whole ones; 0 if there are too many contacts.
static int sweep_tail(tail_run *tail, packed_run *run, const pc_solver_limits *limits)
{
  pc_pack_subset *subset = &tail->subset;
  packed_run *local = &tail->run;
  double target = pc_tail_target * limits->target.accuracy;
  if (!pc_subset_take(subset, run->line, run->g, target))
    return 0;
  subset->part.threads = subset->part.contacts < PC_THREADED_CONTACTS ? 1 : run->packs->threads;
  local->r = local->g = local->last = local->kept = local->point[0];
  local->line = run->line;
  local->lines_before = run->lines_before;
  local->push = pc_momentum_first;
  local->pending = false;
  int sweeps = 0;
  double missed = INFINITY;
  while (sweeps < PC_TAIL_SWEEPS && missed > target) {
    block(local);
    sweeps += BLOCK;
    missed = sqrt(pc_packs_map(&subset->part, local->line, local->g).largest);
  }
  if (run->g == run->kept) { // it must stay
    void *other = free_point(run);
    copy(run->packs, run->n, other, run->g);
    run->g = other;
  }
  pc_subset_give_back(subset, local->g, run->g);
  run->r = run->last = run->g;
  run->line = local->line;
  run->lines_before = local->lines_before;
  run->pending = false;
  return 1 + sweeps * subset->part.contacts / (BLOCK * run->packs->contacts);
}

static bool tail_create(tail_run *tail, const packed_run *run, pc_arena *arena)
{
  tail->made = tail->run.steady = true;
  return pc_subset_create(&tail->subset, run->packs, arena) &&
         run_create(&tail->run, &tail->subset.part, arena);
}

// Sweeps until the tolerance, the accuracy or the limit; leaves the answer in *best_r and its
// velocities in *best_line. In single precision, velocities are left to be renewed in double.
static bool iterate(pc_packs *packs, const pc_solver_limits *limits, int limit, pc_arena *arena,
                    pc_solver_result *result, void **best_r, void **best_line)
{
  packed_run run = {.steady = limits->steady};
  tail_run tail = {.worth = false};
  if (!run_create(&run, packs, arena))
    return false;
  double best = pc_target_distance(&limits->target, result);
  double slice_best = best, watched = best;
  bool better = false; // the last point is better than the one that is kept
  bool fresh = false;  // its velocities are those of its percussions
  int left = PC_PUSH_BLOCKS;
  int patience[2] = {PC_ANDERSON_BLOCKS, PC_PUSH_BLOCKS};
  int next_watch = (result->iterations / PC_WATCHED_SWEEPS + 1) * PC_WATCHED_SWEEPS;
  int begun = result->iterations, first = PC_LOOK_WORK / packs->contacts;
  first = first < PC_FIRST_LOOK ? PC_FIRST_LOOK : first > PC_LAST_LOOK ? PC_LAST_LOOK : first;
  if (limits->enough.accuracy > limits->target.accuracy)
    first = PC_REFINED_LOOK;
  outlook look = {.next = first / BLOCK * BLOCK,
                  .last = limits->gives_up ? limit : 4 * first,
                  .at = {.residual = INFINITY, .missed = INFINITY}};
  while (result->iterations < limit) {
    if (better)
      keep(&run);
    int blocks = 0;
    tail.worth = tail.worth && run.pushes; // Anderson's method needs the point a block starts from
    if (tail.worth && !tail.made && !tail_create(&tail, &run, arena))
      return false;
    if (tail.worth)
      blocks = sweep_tail(&tail, &run, limits);
    tail.pause = tail.worth && blocks == 0 ? PC_TAIL_PAUSE : tail.pause - 1;
    if (blocks == 0) {
      block(&run);
      blocks = 1;
    }
    result->iterations += blocks * BLOCK;
    fresh = packs->single || result->iterations - begun <= PC_STALE_SWEEPS;
    if (result->iterations == begun + BLOCK && result->iterations < limit && best > pc_far_off)
      continue;
    pc_solver_result now = *result;
    double distance = measure(packs, run.line, run.g, limits, &now);
    if (distance <= 1 && !fresh) {
      distance = renew(&run, limits, run.g, &now);
      fresh = true;
    }
    better = distance < best;
    if (better) {
      best = distance;
      *result = now;
    }
    if (distance <= 1 || isnan(distance))
      break;
    tail.worth = tail.pause <= 0 && are_few_left(packs, limits, &now);
    int sweeps = result->iterations - begun;
    if (2 * sweeps <= look.next)
      look.at = *result;
    if (!promises(&look, limits, &run.push, sweeps, result))
      break;
    if (result->iterations >= next_watch) {
      next_watch += PC_WATCHED_SWEEPS;
      bool stalls = best > pc_worth_while * watched;
      watched = best;
      if (stalls && run.steady && !packs->single) { // it may circle around the answer
        push_otherwise(&run);
        left = PC_PUSH_BLOCKS;
      } else if (stalls && (limits->gives_up || packs->single)) {
        break;
      }
    }
    if (--left > 0 || run.steady)
      continue;
    if (best > pc_slice_gain * slice_best) {
      if (run.anderson.n == 0 && !pc_anderson_create(&run.anderson, run.n, arena))
        return false;
      patience[run.pushes] += patience[run.pushes] / 2;
      change_method(&run);
    }
    slice_best = best;
    left = patience[run.pushes];
  }
  *best_r = run.g;
  *best_line = run.line;
  if (!better)
    *best_r = run.kept;
  if (!packs->single && (!better || !fresh))
    renew(&run, limits, *best_r, result);
  return true;
}

// Holds bodies layer by layer, from percussions `from`, to within `part` of the speeds of contacts,
// and keeps that in packs->r if it is better. False if there is no room.
static bool hold_layers(pc_packs *packs, const double *from, const pc_solver_limits *limits,
                        double part, pc_arena *arena, pc_solver_result *result)
{
  int n = packs->packs * PC_LANES * packs->numbers;
  pc_arena_mark mark = pc_arena_mark_here(arena);
  double *r = pc_arena_take_raw(arena, (size_t)n, sizeof(double));
  if (r == NULL)
    return false;
  copy(packs, n, r, from);
  if (from != packs->r)
    pc_packs_move(packs, packs->line, from);
  double close = part * packs->speed / sqrt(packs->contacts);
  pc_layers_end end = pc_layers_hold(packs, packs->line, close, r, arena);
  if (end == PC_LAYERS_NONE)
    pc_arena_take_back(arena, mark);
  if (end != PC_LAYERS_HELD)
    return end == PC_LAYERS_NONE;
  pc_packs_move(packs, packs->line, r);
  pc_solver_result held = *result;
  measure(packs, packs->line, r, limits, &held);
  if (held.residual < result->residual) {
    packs->r = r;
    *result = held;
  } else {
    pc_packs_move(packs, packs->line, packs->r);
    pc_arena_take_back(arena, mark);
  }
  return true;
}

// A first guess from the layers. Where it is a solution it is made an exact one: sweeps would take
// hundreds of steps for that.
static bool guess_by_layers(pc_packs *packs, const pc_solver_limits *limits, pc_arena *arena,
                            pc_solver_result *result)
{
  const double *from = packs->r;
  return hold_layers(packs, from, limits, 0.3 * limits->target.residual, arena, result) &&
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
  void *r, *line;
  if (!iterate(&single, limits, limits->max_iterations, arena, &now, &r, &line))
    return false;
  int sweeps = now.iterations;
  double *was = packs->r;
  pc_arena_take_back(arena, mark); // percussions in double take the place of the copy's fields
  _Static_assert(PC_AT_ARMS * sizeof(float) + 2 * sizeof(float) >= 4 * sizeof(double),
                 "the fields of a contact in floats hold its percussion in doubles");
  packs->r = pc_arena_take_raw(arena, (size_t)packs->packs * PC_LANES * (size_t)packs->numbers,
                               sizeof(double));
  if (packs->r == NULL)
    return false;
  pc_packs_from_single(packs, r, packs->r);
  pc_packs_move(packs, packs->line, packs->r);
  double before = pc_target_distance(&limits->target, result);
  if (!(measure(packs, packs->line, packs->r, limits, &now) < before)) {
    packs->r = was;
    pc_packs_move(packs, packs->line, was);
  } else {
    *result = now;
  }
  result->iterations = sweeps;
  return true;
}

pc_status pc_solve_packed(pc_impact *problem, const pc_islands *islands, int island,
                          const pc_solver_limits *limits, bool warm, int threads, int sweep_threads,
                          pc_arena *arena, pc_solver_result *result, pc_error *error)
{
  pc_packs packs;
  pc_status status = pc_packs_create(&packs, problem, islands, island, warm, threads, arena, error);
  if (status != PC_OK)
    return status;
  packs.threads = sweep_threads;
  if (warm)
    pc_packs_move(&packs, packs.line, packs.r);
  *result = (pc_solver_result){.solver = PC_SOLVER_NSGS, .iterations = result->iterations};
  measure(&packs, packs.line, packs.r, limits, result);
  if (result->residual > fmax(pc_no_guess, limits->target.residual) &&
      result->residual < pc_wrong_guess && !guess_by_layers(&packs, limits, arena, result))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_solver_limits now = *limits;
  if (pc_guess_stands(limits, result->residual)) {
    now.target.residual = now.enough.residual = pc_exact_residual;
    now.max_iterations = result->iterations + limits->settling;
  }
  bool single = false; // where these stall, another momentum goes on at once
  if (pc_target_distance(&now.target, result) > 1 &&
      !iterate_single(&packs, &now, arena, result, &single))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  void *r = packs.r, *line = packs.line;
  now.steady = now.steady && !single;
  if (pc_target_distance(&now.target, result) > 1 &&
      !iterate(&packs, &now, now.max_iterations, arena, result, &r, &line))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_packs_scatter(&packs, problem, line, r);
  return PC_OK;
}
