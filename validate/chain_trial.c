#include "chain_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

pc_chain_trial *pc_chain_trial_create(void)
{
  return calloc(1, sizeof(pc_chain_trial));
}

void pc_chain_trial_set(pc_chain_trial *t, int balls, pc_chain_law_kind kind, double e)
{
  memset(t, 0, sizeof *t);
  t->chain = (pc_chain){.balls = balls,
                        .mass = t->mass,
                        .velocity = t->before,
                        .contact = t->contact,
                        .exponent = 1.5};
  t->law = pc_chain_law_default(kind);
  t->options = pc_chain_options_default();
  for (int i = 0; i < balls; i++) {
    t->mass[i] = 1;
    t->contact[i] = pc_chain_contact_default();
    t->contact[i].restitution = e;
  }
  t->before[0] = 1;
}

bool pc_chain_trial_solve(pc_chain_trial *t)
{
  t->answer = (pc_chain_answer){
      .velocity = t->after, .percussion = t->percussion, .dissipated = t->dissipated};
  bool solved = pc_chain_solve(&t->chain, &t->law, &t->options, &t->answer, NULL) == PC_OK &&
                t->answer.status == PC_SOLVED;
  for (int i = 0; i < t->chain.balls && !solved; i++)
    t->after[i] = NAN;
  return solved;
}

// Between 1/5 and 5, as often below 1 as above.
static double any_size(pc_random *random)
{
  return exp(pc_random_uniform(random, -log(5), log(5)));
}

void pc_chain_trial_random(pc_chain_trial *t, pc_random *random, pc_chain_law_kind kind,
                           pc_chain_crowd crowd)
{
  int balls = 3 + pc_random_below(random, 6), contacts = balls - 1;
  pc_chain_trial_set(t, balls, kind, pc_random_uniform(random, 0, 1));
  bool any = crowd == PC_CHAINS_ANY;
  for (int i = 0; i < balls; i++) {
    t->mass[i] = any_size(random);
    t->contact[i].stiffness = any_size(random);
    t->k[i] = any_size(random);
    if (any) {
      t->before[i] = pc_random_uniform(random, -1, 1);
      t->contact[i].restitution = pc_random_uniform(random, 0, 1);
    }
  }
  if (any) // two approach
    t->before[0] = t->before[1] + pc_random_uniform(random, 0.1, 1);
  // Entries of a matrix: e beside a tenth of noise.
  for (int i = 0; i < contacts * contacts; i++) {
    double e = i % (contacts + 1) == 0 ? t->contact[i / contacts].restitution : 0;
    t->matrix[i] = e + pc_random_uniform(random, -0.1, 0.1);
  }
  t->distance = (pc_chain_distance){{0, balls - 1}, any_size(random)};
  t->law.matrix = t->matrix;
  t->law.k = t->k;
  t->law.distances = 1;
  t->law.distance = &t->distance;
}

pc_chain_census pc_chain_take_census(pc_chain_trial *t, pc_chain_law_kind kind,
                                     pc_chain_crowd crowd, int count)
{
  pc_chain_census census = {.count = count};
  pc_random random;
  pc_random_seed(&random, 2014);
  for (int n = 0; n < count; n++) {
    pc_chain_trial_random(t, &random, kind, crowd);
    t->options.tolerance = 1e-8;
    if (!pc_chain_trial_solve(t)) {
      census.unsolved++;
      continue;
    }
    const pc_chain_measures *m = &t->answer.measures;
    census.kinematic += !m->kinematic;
    census.kinetic += !m->kinetic;
    census.energetic += !m->energetic;
    census.any += !m->kinematic || !m->kinetic || !m->energetic;
    census.momentum += !m->momentum_kept;
    census.most = fmax(census.most, m->ker);
  }
  return census;
}
