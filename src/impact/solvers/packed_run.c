#include "impact/solvers/packed_run.h"

#include <math.h>
#include <string.h>

#include "core/threads.h"

enum { GRAIN = 32768 };

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

// Room for another point.
static void *free_point(const pc_packed_run *run)
{
  int i = 0;
  while (run->point[i] == run->r || run->point[i] == run->g || run->point[i] == run->last ||
         run->point[i] == run->kept)
    i++;
  return run->point[i];
}

static void copy_g(const pc_packed_run *run, void *to)
{
  copy_work work = {to, run->g, pc_pack_number(run->packs)};
  pc_parallel(run->packs->threads, run->n, GRAIN, copy_part, &work);
}

// Another point with the numbers of g.
static void *second_g(const pc_packed_run *run)
{
  void *point = free_point(run);
  copy_g(run, point);
  return point;
}

// Nothing before the last sweep counts.
static void forget_last(pc_packed_run *run)
{
  run->r = run->last = run->g;
  run->beta = 0;
  run->pending = false;
}

bool pc_packed_run_create(pc_packed_run *run, pc_packs *packs, bool steady, pc_arena *arena)
{
  *run = (pc_packed_run){.packs = packs,
                         .n = packs->packs * PC_LANES * packs->numbers,
                         .point = {packs->r},
                         .steady = steady,
                         .pushes = true};
  for (int i = 1; i < PC_PACKED_POINTS; i++) // few runs write the last one
    run->point[i] = pc_arena_take_raw(arena, (size_t)run->n, pc_pack_number(packs));
  return !arena->failed;
}

void pc_packed_run_begin(pc_packed_run *run, void *line, void *lines_before)
{
  run->g = run->kept = run->point[0];
  run->line = line;
  run->lines_before = lines_before;
  run->push = pc_momentum_first;
  forget_last(run);
}

// The momentum of the next sweep. Velocities are affine in the percussions, so both are
// extrapolated alike, by the sweep.
static void push_on(pc_packed_run *run)
{
  const double *sums = run->sums;
  run->beta = run->steady ? pc_steady_after(&run->push, sums[1])
                          : pc_nesterov_after(&run->push, sums[0], sums[1], !run->packs->convex);
}

// A sweep with momentum: to where the one before the last ended, if that is not kept.
static void sweep_on(pc_packed_run *run)
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
static void sweep_block(pc_packed_run *run, bool first)
{
  if (run->pending && first) {
    if (pc_anderson_step(&run->anderson, run->r, run->g, run->packs->threads)) {
      pc_packs_project(run->packs, run->r);
      pc_packs_move(run->packs, run->line, run->r);
    } else {
      copy_g(run, run->r);
    }
  }
  pc_sweep sweep = {.g = first ? run->r : run->g, .next = run->g, .line_next = run->line};
  pc_packs_sweep(run->packs, &sweep, run->sums);
}

void pc_packed_run_sweep(pc_packed_run *run)
{
  for (int i = 0; i < PC_PACKED_BLOCK; i++) {
    if (run->pushes)
      sweep_on(run);
    else
      sweep_block(run, i == 0);
    run->pending = true;
  }
}

void pc_packed_run_keep(pc_packed_run *run)
{
  run->kept = run->pushes ? run->g : second_g(run);
}

void pc_packed_run_release(pc_packed_run *run)
{
  if (run->g == run->kept)
    run->g = second_g(run);
  forget_last(run);
}

void pc_packed_run_unsteady(pc_packed_run *run)
{
  run->steady = false;
  run->push = pc_momentum_first;
  forget_last(run);
}

bool pc_packed_run_change(pc_packed_run *run, pc_arena *arena)
{
  if (run->anderson.n == 0 && !pc_anderson_create(&run->anderson, run->n, arena))
    return false;
  forget_last(run);
  run->push = pc_momentum_first;
  if (run->pushes) {
    pc_anderson_forget(&run->anderson);
    run->r = second_g(run);
  }
  run->pushes = !run->pushes;
  return true;
}

void pc_packed_result(const pc_packs *packs, const pc_map_size *size, pc_solver_result *result)
{
  result->residual = pc_packs_relative(packs, size);
  result->missed = sqrt(size->largest);
  result->misfit = sqrt(size->energy);
  result->missed_mean = sqrt(size->speed / packs->contacts);
}
