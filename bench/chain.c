// percuss bench chain: the cost of one impact of a chain by every law, with its error, and how many
// outcomes of random chains are consistent.
//
// The error of LZB is its difference to a solution with a tolerance a thousand times smaller. Times
// are processor times, the least of several.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "measure.h"
#include "validate/chain_trial.h"

// The least of some times to solve the trial; NAN if it is not solved.
static double least_seconds(pc_chain_trial *t, int rounds)
{
  double least = INFINITY;
  for (int i = 0; i < rounds; i++) {
    double start = bench_processor_seconds();
    if (!pc_chain_trial_solve(t))
      return NAN;
    least = fmin(least, bench_processor_seconds() - start);
  }
  return least;
}

static void show(bench_context *context, const char *name, pc_chain_trial *t, int rounds,
                 bool compare)
{
  char remark[120], error[40] = "";
  double seconds = least_seconds(t, rounds), *after = malloc(sizeof t->after);
  long steps = t->answer.steps;
  double residual = t->answer.residual;
  if (isnan(seconds)) {
    bench_failed(context, "a chain was not solved");
  } else if (compare && after != NULL) {
    memcpy(after, t->after, sizeof t->after);
    double worst = 0;
    t->options.tolerance /= 1000;
    pc_chain_trial_solve(t);
    for (int i = 0; i < t->chain.balls; i++)
      worst = fmax(worst, fabs(after[i] - t->after[i]));
    snprintf(error, sizeof error, ", error %.1e", worst);
  }
  snprintf(remark, sizeof remark, "%ld steps%s, energy balance %.1e", steps, error, residual);
  bench_row_remarked(context, name, t->chain.balls, 1e3 * seconds, "ms", remark);
  free(after);
}

static void show_laws(bench_context *context, pc_chain_trial *t)
{
  static double k[PC_TRIAL_BALLS];
  for (int kind = 0; kind < PC_CHAIN_LAWS; kind++) {
    char name[60];
    pc_chain_trial_set(t, 10, (pc_chain_law_kind)kind, 0.9);
    for (int i = 0; i < 81; i++)
      t->matrix[i] = i % 10 == 0 ? 0.9 : 0;
    for (int i = 0; i < 9; i++)
      k[i] = 1;
    t->law.matrix = t->matrix;
    t->law.k = k;
    snprintf(name, sizeof name, "%s, e = 0.9, one impact", pc_chain_law_name(t->law.kind));
    show(context, name, t, 20, false);
  }
}

static void show_long(bench_context *context, pc_chain_trial *t)
{
  pc_chain_trial_set(t, 10, PC_CHAIN_LZB, 1);
  show(context, "lzb, e = 1, to 1e-10", t, 20, true);
  pc_chain_trial_set(t, 100, PC_CHAIN_LZB, 1);
  show(context, "lzb, e = 1, to 1e-10", t, 5, true);
  pc_chain_trial_set(t, 100, PC_CHAIN_LZB, 0.9);
  t->options.tolerance = 1e-6;
  show(context, "lzb, e = 0.9, to 1e-6", t, 3, true);
  if (context->quick)
    return;
  pc_chain_trial_set(t, 1000, PC_CHAIN_LZB, 1);
  show(context, "lzb, e = 1, to 1e-10", t, 3, true);
  pc_chain_trial_set(t, 1000, PC_CHAIN_HERTZ, 1);
  show(context, "hertz, e = 1, to 1e-10", t, 3, true);
  pc_chain_trial_set(t, 1000, PC_CHAIN_LZB, 0.9);
  t->options.tolerance = 1e-6;
  show(context, "lzb, e = 0.9, to 1e-6", t, 1, false);
}

static void show_consistencies(bench_context *context, pc_chain_trial *t)
{
  static const char *const crowds[] = {"struck", "any"};
  int count = context->quick ? 100 : 1000;
  for (int crowd = 0; crowd < 2; crowd++)
    for (int kind = 0; kind < PC_CHAIN_LAWS; kind++) {
      char name[60], remark[160];
      pc_chain_census c =
          pc_chain_take_census(t, (pc_chain_law_kind)kind, (pc_chain_crowd)crowd, count);
      snprintf(name, sizeof name, "%s, %s: inconsistent outcomes",
               pc_chain_law_name((pc_chain_law_kind)kind), crowds[crowd]);
      snprintf(remark, sizeof remark, "kinematic %d, kinetic %d, energetic %d; largest KER %.3f",
               c.kinematic, c.kinetic, c.energetic, c.most);
      bench_row_remarked(context, name, count, c.any, "chains", remark);
      if (c.unsolved > 0 || c.momentum > 0)
        bench_failed(context, "chains were not solved, or lost momentum");
    }
}

void bench_chain(bench_context *context)
{
  pc_chain_trial *t = pc_chain_trial_create();
  if (t == NULL) {
    bench_failed(context, "out of memory");
    return;
  }
  show_laws(context, t);
  show_long(context, t);
  show_consistencies(context, t);
  free(t);
}
