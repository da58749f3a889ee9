// percuss bench sweeps: the inner loop of large islands, a Gauss-Seidel sweep over packed contacts.
//
// Time per contact and sweep, the bytes that a sweep must move, and what part that is of the
// bandwidth that a triad a = b + s c reaches on the same machine in the same run: how far away the
// limit of the memory is. Bodies are on a jittered grid in spatial order, each touching its next
// neighbours: 3 contacts a body, some sliding.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench.h"
#include "core/clock.h"
#include "core/random.h"
#include "core/threads.h"
#include "impact/packs.h"

enum { AROUND = 3, TRIAD = 20 * 1000 * 1000, REPEATS = 5 };
static const double each = 0.1; // s, of one timing

typedef enum kind { SPHERES, BLOCKS, PLANE } kind;
static const char *const names[] = {"spheres", "blocks", "plane"};

static int side_of(kind which, int bodies)
{
  return (int)lround(which == PLANE ? sqrt(bodies) : cbrt(bodies));
}

static bool add_bodies(pc_impact *problem, kind which, int side, double (*centre)[3],
                       pc_random *random)
{
  int layers = which == PLANE ? 1 : side;
  for (int b = 0; b < side * side * layers; b++) {
    int cell[3] = {b % side, b / side % side, b / (side * side)};
    pc_impact_body body = pc_impact_body_default();
    body.dof = which == PLANE ? 3 : 6;
    for (int i = 0; i < body.dof / 2 + (which == PLANE); i++) {
      centre[b][i] = cell[i] + pc_random_uniform(random, -0.1, 0.1);
      body.position[i] = centre[b][i];
      body.velocity[i] = 0.05 * pc_random_normal(random);
      if (which != PLANE)
        body.inertia[4 * i] = which == SPHERES ? 0.1 : 0.1 + 0.03 * i;
    }
    body.inertia[0] = 0.1;
    body.percussion[which == PLANE ? 1 : 2] = -0.0981;
    if (pc_impact_add_body(problem, &body) < 0)
      return false;
  }
  return true;
}

// Of a body with its next one in every direction; those in the last layers lean on an obstacle.
static bool add_contacts(pc_impact *problem, kind which, int side, const double (*centre)[3],
                         pc_random *random)
{
  int layers = which == PLANE ? 1 : side, next[AROUND] = {1, side, side * side};
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  c.law.tangential =
      (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .on = PC_ON_AFTER};
  for (int b = 0; b < side * side * layers; b++) {
    int cell[3] = {b % side, b / side % side, b / (side * side)};
    for (int axis = 0; axis < AROUND; axis++) {
      bool diagonal = which == PLANE && axis == 2;
      if (diagonal && (cell[0] + 1 == side || cell[1] + 1 == side))
        continue;
      bool inside = diagonal || cell[axis] + 1 < side;
      int other = diagonal ? b + side + 1 : b + next[axis];
      c.bodies[0] = b, c.bodies[1] = inside ? other : PC_OBSTACLE;
      for (int i = 0; i < 3; i++) {
        c.normal[i] = inside ? centre[b][i] - centre[other][i] : i == axis ? -1 : 0;
        c.point[i] = centre[b][i] - 0.5 * c.normal[i];
        if (which != SPHERES && (which == BLOCKS || i < 2))
          c.point[i] += pc_random_uniform(random, -0.2, 0.2);
      }
      if (pc_impact_add_interaction(problem, &c) < 0)
        return false;
    }
  }
  return true;
}

static pc_impact *state(kind which, int bodies)
{
  int side = side_of(which, bodies), count = side * side * (which == PLANE ? 1 : side);
  pc_impact *problem = pc_impact_create();
  double(*centre)[3] = calloc((size_t)count, sizeof *centre);
  pc_random random;
  pc_random_seed(&random, 12);
  bool good = problem != NULL && centre != NULL &&
              add_bodies(problem, which, side, centre, &random) &&
              add_contacts(problem, which, side, (const double(*)[3])centre, &random);
  free(centre);
  if (good)
    return problem;
  pc_impact_destroy(problem);
  return NULL;
}

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct triad {
  double *a, *b, *c;
} triad;

static void triad_some(void *context, int begin, int end, int worker)
{
  (void)worker;
  const triad *t = context;
  for (int i = begin; i < end; i++)
    t->a[i] = t->b[i] + 3 * t->c[i];
}

// Bytes per second, three numbers moved for each; 0 without memory.
static double bandwidth(int threads)
{
  double best = 0, *all = calloc(3 * (size_t)TRIAD, sizeof *all);
  if (all == NULL)
    return 0;
  triad t = {all, all + TRIAD, all + 2 * TRIAD};
  for (int k = 0; k < REPEATS + 1; k++) {
    double begun = pc_clock_seconds();
    pc_parallel(threads, TRIAD, TRIAD / 8, triad_some, &t);
    best = fmax(best, 24.0 * TRIAD / (pc_clock_seconds() - begun));
  }
  free(all);
  return best;
}

// One sweep with momentum; then what was last is where the next one goes.
static void sweep_once(const pc_packs *packs, pc_sweep *sweep)
{
  double sums[2], *now = sweep->next;
  pc_packs_sweep(packs, sweep, sums);
  sweep->next = (double *)sweep->g;
  sweep->last = sweep->g;
  sweep->g = now;
}

// Seconds of such a sweep, the middle of several timings.
static double sweep_time(pc_packs *packs, pc_sweep *sweep)
{
  double seconds[REPEATS], one = INFINITY;
  for (int k = 0; k < 3; k++) {
    double begun = pc_clock_seconds();
    sweep_once(packs, sweep);
    one = fmin(one, pc_clock_seconds() - begun);
  }
  int times = (int)fmax(1, each / fmax(one, 1e-7));
  for (int k = 0; k < REPEATS; k++) {
    double begun = pc_clock_seconds();
    for (int i = 0; i < times; i++)
      sweep_once(packs, sweep);
    seconds[k] = (pc_clock_seconds() - begun) / times;
  }
  qsort(seconds, REPEATS, sizeof *seconds, by_size);
  return seconds[REPEATS / 2];
}

// What one sweep must read and write once: fields, names of bodies, percussions now and before;
// and every body.
static double bytes(const pc_packs *packs)
{
  double contact = 8.0 * packs->fields + 8 + 3 * 8.0 * packs->numbers;
  double body = 2 * 8.0 * packs->stride + (packs->shape == PC_ARMS ? 8.0 * PC_INERTIA : 0);
  return contact * packs->contacts + body * packs->lines;
}

static void measure(pc_bench_context *context, kind which, int bodies, const double *triads)
{
  pc_impact *problem = state(which, bodies);
  pc_islands islands;
  pc_packs packs;
  pc_arena arena = {0};
  pc_error error;
  char label[80];
  if (problem == NULL || pc_islands_build(problem, 1, 0, false, 1, &islands) != PC_OK ||
      pc_packs_create(&packs, problem, &islands, 0, false, 1, &arena, &error) != PC_OK) {
    bench_note(context, "out of memory");
    pc_impact_destroy(problem);
    pc_arena_free(&arena);
    return;
  }
  size_t n = (size_t)packs.packs * PC_LANES * packs.numbers;
  double *last = pc_arena_take(&arena, n, sizeof(double));
  pc_sweep sweep = {.g = packs.r, .last = last, .next = last, .line_next = packs.line};
  double one = 0;
  for (int threads = 1; threads <= 2 && last != NULL; threads++) {
    packs.threads = threads;
    double seconds = sweep_time(&packs, &sweep);
    snprintf(label, sizeof label, "%s, a contact and sweep, %d thread%s", names[which], threads,
             threads > 1 ? "s" : "");
    bench_row(context, label, bodies, 1e9 * seconds / packs.contacts, "ns");
    snprintf(label, sizeof label, "%s, part of the triad's bandwidth, %d thread%s", names[which],
             threads, threads > 1 ? "s" : "");
    bench_row(context, label, bodies, 100 * bytes(&packs) / seconds / triads[threads - 1], "%");
    if (threads == 1)
      one = seconds;
    else
      bench_row(context, "two threads over one", bodies, one / seconds, "");
  }
  snprintf(label, sizeof label, "%s, bytes moved per contact and sweep", names[which]);
  bench_row(context, label, bodies, bytes(&packs) / packs.contacts, "");
  pc_arena_free(&arena);
  pc_impact_destroy(problem);
}

void bench_sweeps(pc_bench_context *context)
{
  static const int bodies[] = {1000, 10000, 100000, 1000000};
  int sizes = bench_is_quick(context) ? 2 : 4;
  double triads[2] = {bandwidth(1), bandwidth(2)};
  bench_row(context, "triad, 1 thread", TRIAD, 1e-9 * triads[0], "GB/s");
  bench_row(context, "triad, 2 threads", TRIAD, 1e-9 * triads[1], "GB/s");
  for (kind which = SPHERES; which <= PLANE; which++)
    for (int k = 0; k < sizes; k++)
      measure(context, which, bodies[k], triads);
}
