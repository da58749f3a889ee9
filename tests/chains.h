// Chains in a few lines, for the tests.
#ifndef PERCUSS_TESTS_CHAINS_H
#define PERCUSS_TESTS_CHAINS_H

#include <string.h>

#include "percuss/chain.h"
#include "support.h"

enum { MOST_BALLS = 1024 };

typedef struct test_chain {
  pc_chain chain;
  pc_chain_law law;
  pc_chain_options options;
  double mass[MOST_BALLS], before[MOST_BALLS];
  pc_chain_contact contact[MOST_BALLS + 1];
  pc_chain_answer answer;
  double after[MOST_BALLS], percussion[MOST_BALLS + 1], dissipated[MOST_BALLS + 1];
} test_chain;

// Equal balls of mass 1 that touch; the first one arrives with 1 m/s.
static inline void chain_start(test_chain *t, int balls, pc_chain_law_kind kind, double e)
{
  memset(t, 0, sizeof *t);
  t->chain = (pc_chain){.balls = balls,
                        .mass = t->mass,
                        .velocity = t->before,
                        .contact = t->contact,
                        .exponent = 1.5};
  t->law = pc_chain_law_default(kind);
  t->options = pc_chain_options_default();
  for (int i = 0; i < balls; i++)
    t->mass[i] = 1;
  for (int i = 0; i <= balls; i++) {
    t->contact[i] = pc_chain_contact_default();
    t->contact[i].restitution = e;
  }
  t->before[0] = 1;
}

static inline void chain_solve(test_chain *t)
{
  pc_error error = {0};
  t->answer = (pc_chain_answer){
      .velocity = t->after, .percussion = t->percussion, .dissipated = t->dissipated};
  if (pc_chain_solve(&t->chain, &t->law, &t->options, &t->answer, &error) != PC_OK)
    fail_msg("%s: %s", pc_chain_law_name(t->law.kind), error.text);
  if (t->answer.status != PC_SOLVED)
    fail_msg("%s: not solved", pc_chain_law_name(t->law.kind));
}

#define assert_velocities(t, tolerance, ...)                                                       \
  do {                                                                                             \
    const double want_v[] = {__VA_ARGS__};                                                         \
    for (int b_ = 0; b_ < (int)(sizeof want_v / sizeof want_v[0]); b_++)                           \
      assert_near((t)->after[b_], want_v[b_], tolerance);                                          \
  } while (0)

// Masses, velocities, stiffnesses and restitutions of all sizes; at least one contact approaches.
static inline void chain_random(test_chain *t, pc_random *random, pc_chain_law_kind kind)
{
  chain_start(t, 2 + pc_random_below(random, 7), kind, 1);
  double e = pc_random_uniform(random, 0, 1);
  bool same = pc_random_below(random, 2) == 0;
  for (int i = 0; i < t->chain.balls; i++) {
    t->mass[i] = exp(pc_random_uniform(random, -1.5, 1.5));
    t->before[i] = pc_random_below(random, 3) == 0 ? pc_random_uniform(random, -1, 1) : 0;
    t->contact[i].restitution = same ? e : pc_random_uniform(random, 0.05, 1);
    t->contact[i].stiffness = exp(pc_random_uniform(random, -2, 2));
  }
  t->before[0] = 1.5;
}

#endif
