// percuss bench sweeps: the Gauss-Seidel sweeps of large islands against the memory bandwidth.
//
// Time per contact and sweep, and how many bytes a triad a = b + s c moves in that time on the same
// machine in the same run: a sweep that has to move as many bytes per contact is bound by the
// memory. Bodies are on a jittered grid in spatial order, each touching its next neighbours: 3
// contacts a body, some sliding.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "measure.h"
#include "percuss/impact.h"
#include "percuss/random.h"

enum { AROUND = 3, TRIAD = 20 * 1000 * 1000, REPEATS = 5 };
// A sweep is timed by the difference of two solves, so that what is done once cancels. Both end
// before the solver changes from sweeps with momentum to another method. The residual, which is
// computed once in five sweeps, is included.
enum { FEW_SWEEPS = 5, MANY_SWEEPS = 40, MOST_REPEATS = 101 };

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

static pc_impact *state_problem(kind which, int bodies)
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

typedef struct triad {
  double *a, *b, *c;
  int begin, end;
} triad;

static void *run_triad(void *context)
{
  const triad *t = context;
  for (int i = t->begin; i < t->end; i++)
    t->a[i] = t->b[i] + 3 * t->c[i];
  return NULL;
}

static void run_triads(double *all, int threads)
{
  pthread_t other;
  int half = threads > 1 ? TRIAD / 2 : TRIAD;
  triad first = {all, all + TRIAD, all + 2 * TRIAD, 0, half}, second = first;
  second.begin = half;
  second.end = TRIAD;
  bool started = half < TRIAD && pthread_create(&other, NULL, run_triad, &second) == 0;
  run_triad(&first);
  if (started)
    pthread_join(other, NULL);
}

// Bytes per second, three numbers of 8 bytes moved for each element; 0 without memory.
static double bandwidth(int threads)
{
  double best = 0, *all = calloc(3 * (size_t)TRIAD, sizeof *all);
  for (int k = 0; k < REPEATS + 1 && all != NULL; k++) {
    double begun = bench_seconds();
    run_triads(all, threads);
    best = fmax(best, 24.0 * TRIAD / (bench_seconds() - begun));
  }
  free(all);
  return best;
}

// Seconds of a solve that ends after so many sweeps, and their number. The tolerance is one that is
// swept over packed contacts; tighter ones solve every contact exactly.
static double solve_time(pc_impact *problem, int threads, int sweeps, int *done)
{
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info = {.status = PC_FAILED};
  options.solver = "nsgs";
  options.tolerance = 1.1e-8;
  options.max_iterations = sweeps;
  options.threads = threads;
  options.unaudited = true;
  if (pc_impact_solve(problem, &options, &info) != PC_OK)
    return NAN;
  *done = info.iterations;
  return info.time_s;
}

static double sweep_time(pc_impact *problem, int threads)
{
  double seconds[MOST_REPEATS];
  int repeats = (int)fmin(MOST_REPEATS, fmax(REPEATS, 1e6 / pc_impact_interactions(problem)));
  for (int k = 0; k < repeats; k++) {
    int few = 0, many = 0;
    double once = solve_time(problem, threads, FEW_SWEEPS, &few);
    seconds[k] = (solve_time(problem, threads, MANY_SWEEPS, &many) - once) / (many - few);
  }
  return bench_median(repeats, seconds);
}

static void measure(bench_context *context, kind which, int bodies, const double *triads)
{
  pc_impact *problem = state_problem(which, bodies);
  double one = 0;
  if (problem == NULL) {
    bench_failed(context, "out of memory");
    return;
  }
  for (int threads = 1; threads <= 2; threads++) {
    const char *plural = threads > 1 ? "s" : "";
    double seconds = sweep_time(problem, threads);
    double each = seconds / pc_impact_interactions(problem);
    bench_row_named(context, bodies, 1e9 * each, "ns", "%s, a contact and sweep, %d thread%s",
                    names[which], threads, plural);
    bench_row_named(context, bodies, each * triads[threads - 1], "bytes",
                    "%s, the triad in that time, %d thread%s", names[which], threads, plural);
    if (threads == 1)
      one = seconds;
    else
      bench_row(context, "two threads over one", bodies, one / seconds, "");
  }
  pc_impact_destroy(problem);
}

void bench_sweeps(bench_context *context)
{
  static const int bodies[] = {1000, 10000, 100000, 1000000};
  int sizes = context->quick ? 2 : 4;
  double triads[2] = {bandwidth(1), bandwidth(2)};
  bench_row(context, "triad, 1 thread", TRIAD, 1e-9 * triads[0], "GB/s");
  bench_row(context, "triad, 2 threads", TRIAD, 1e-9 * triads[1], "GB/s");
  for (kind which = SPHERES; which <= PLANE; which++)
    for (int k = 0; k < sizes; k++)
      measure(context, which, bodies[k], triads);
}
