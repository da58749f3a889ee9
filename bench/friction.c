// percuss bench friction: random hard friction problems to 1e-8, from a cold start: how many are
// solved, and the time it takes. An answer counts as solved if the solver reports it and the error
// computed from the geometry (hard_problems.h) agrees. An interrupt ends it with the rows so far.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "hard_problems.h"
#include "measure.h"

enum { MOST = 1000 };
static const double tolerance = 1e-8;

typedef struct family {
  const char *name;
  int count, quick;
  hard_problem (*make)(int k, pc_random *random);
} family;

// 20 to 100 boxes, four corners each: pushed at the top, on a moving floor, with a heavy top, with
// heavy boxes between light ones (mass ratios to 1e4).
static hard_problem make_stack(int k, pc_random *random)
{
  int count = 20 + pc_random_below(random, 81), kind = k % 4;
  double mu = pc_random_uniform(random, 0.1, 1), ratio = pow(10, pc_random_uniform(random, 0, 4));
  hard_problem m = hard_stack(count, mu, kind == 1 ? 0.1 : 0, 0.01);
  if (kind != 1 && !m.failed)
    m.body[count - 1].velocity[0] = 0.5;
  if (kind == 2)
    hard_make_heavier(&m, count - 1, ratio);
  for (int b = 1; b < count && kind == 3; b += 2)
    hard_make_heavier(&m, b, ratio);
  return m;
}

static hard_problem make_arch(int k, pc_random *random)
{
  int count = 21 + pc_random_below(random, 41);
  double thickness = pc_random_uniform(random, 0.12, 0.3);
  return hard_arch(count, thickness, pc_random_uniform(random, 0.1, 1));
}

// Packings whose neighbours count as touching within 2, 5, 8 and 12 per cent: the fewer, the nearer
// to jamming.
static hard_problem pack(int k, int side, int spheres, pc_random *random)
{
  static const double reach[] = {1.02, 1.05, 1.08, 1.12};
  int layers = spheres / (side * side) + 1;
  layers += pc_random_below(random, 4 * spheres / (side * side));
  return hard_packing(side, layers, pc_random_uniform(random, 0.1, 1), reach[k % 4], random);
}

static hard_problem make_packing(int k, pc_random *random)
{
  return pack(k, 4 + pc_random_below(random, 3), 100, random);
}

static hard_problem make_large_packing(int k, pc_random *random)
{
  return pack(k, 10 + pc_random_below(random, 5), 1000, random);
}

static const family families[] = {
    {"stacks of 20 to 100 boxes", 400, 40, make_stack},
    {"arches of 21 to 61 stones", 200, 20, make_arch},
    {"packings of 100 to 500 spheres", 400, 40, make_packing},
    {"packings of 1000 to 5000 spheres", 20, 0, make_large_packing},
};

typedef struct score {
  int count, solved, said; // solved: by the error from the geometry too
  double worst;            // error of an answer that counts as solved
  double unsolved;         // largest residual of one that is reported as not solved
  double time[MOST];       // ms
} score;

static void solve(score *s, const hard_problem *m)
{
  pc_impact *problem = hard_build(m, NULL);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.tolerance = tolerance;
  if (problem == NULL || pc_impact_solve(problem, &options, &info) != PC_OK) {
    pc_impact_destroy(problem);
    return;
  }
  double error = hard_error(m, problem);
  bool said = info.status == PC_SOLVED, good = error <= 10 * tolerance; // norms differ
  s->time[s->count++] = 1e3 * info.time_s;
  s->said += said;
  s->solved += said && good;
  if (said)
    s->worst = fmax(s->worst, error);
  else
    s->unsolved = fmax(s->unsolved, info.residual);
  pc_impact_destroy(problem);
}

static void show(bench_context *context, const family *f, score *s)
{
  double median = bench_median(s->count, s->time); // sorts them
  const struct {
    const char *what;
    double value;
    const char *unit;
  } rows[] = {
      {"solved to 1e-8", s->solved, ""},
      {"said to be solved", s->said, ""},
      {"worst error of those", s->worst, ""},
      {"worst residual of the others", s->unsolved, ""},
      {"median", median, "ms"},
      {"worst", s->time[s->count - 1], "ms"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    bench_row_named(context, s->count, rows[i].value, rows[i].unit, "%s: %s", f->name,
                    rows[i].what);
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
  interrupted = signal;
}

static void run_family(bench_context *context, const family *f, score *s)
{
  int count = context->quick ? f->quick : f->count;
  pc_random random;
  pc_random_seed(&random, context->seed);
  for (int k = 0; k < count && !interrupted; k++) {
    hard_problem m = f->make(k, &random);
    char text[120];
    solve(s, &m);
    hard_free(&m);
    snprintf(text, sizeof text, "%s: %d of %d, %d solved", f->name, s->count, count, s->solved);
    bench_progress(context, text);
  }
  if (s->count > 0)
    show(context, f, s);
}

void bench_friction(bench_context *context)
{
  struct sigaction note = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART}, before[2];
  sigaction(SIGINT, &note, &before[0]);
  sigaction(SIGTERM, &note, &before[1]);
  interrupted = 0;
  for (size_t i = 0; i < sizeof families / sizeof *families && !interrupted; i++) {
    score *s = calloc(1, sizeof *s);
    if (s != NULL)
      run_family(context, &families[i], s);
    free(s);
  }
  if (interrupted)
    bench_note(context, "interrupted: the rows are those of the problems solved so far");
  sigaction(SIGINT, &before[0], NULL);
  sigaction(SIGTERM, &before[1], NULL);
}
