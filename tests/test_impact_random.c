// Properties of the solvers over thousands of random problems.
#include <float.h>
#include <string.h>

#include "enumerate.h"
#include "problems.h"
#include "support.h"

typedef struct solved {
  pc_impact *impact;
  pc_solve_info info;
} solved;

static solved solve(const random_problem *problem, const char *solver, int limit)
{
  solved s = {.impact = random_problem_build(problem, NULL, NULL, 1)};
  pc_solve_options options = pc_solve_options_default();
  options.solver = solver;
  options.max_iterations = limit;
  if (pc_impact_solve(s.impact, &options, &s.info) != PC_OK)
    fail_msg("%s: %s", solver, pc_impact_error(s.impact));
  return s;
}

// Every problem has a seed of its own, so that one can be repeated alone.
static uint64_t base_seed(const char *name)
{
  pc_random random = test_random(name);
  return pc_random_bits(&random) >> 16;
}

// What the last digits of percussions are worth: where contacts lock each other these are many
// powers of ten above the momenta that they change.
static double round_off(const random_problem *problem, const pc_impact *impact)
{
  double largest = 0;
  for (int k = 0; k < problem->interactions; k++) {
    double p[3];
    pc_impact_percussion(impact, k, p);
    for (int i = 0; i < 3; i++)
      largest = fmax(largest, fabs(p[i]));
  }
  return DBL_EPSILON * largest;
}

// The interior point reaches its tolerance, or round-off; sweeps and steps do in all but one of
// 5,000 problems: where contacts lock each other, even with masses that are nearly alike, they may
// need more than the 100,000 they have. They say so.
static void convex_solvers_converge_and_agree(void **state)
{
  enum { SWEEPS, STEPS, METHODS, MISSED_ONE_OF = 5000 };
  static const char *const names[METHODS] = {"nsgs", "uzawa"};
  int count = test_count_long(5000, 100000), beyond = 0, beyond_solved[METHODS] = {0},
      missed[METHODS] = {0};
  double worst[METHODS] = {0}, identity = 0;
  uint64_t seed = base_seed("convex_solvers_converge_and_agree");
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    // Half of the problems with mass ratios to 1e2, half with ratios to 1e6.
    bool wide = i % 2 == 1;
    problem_kind kind = {.max_bodies = 30, .max_interactions = 60};
    kind.mass_decades = wide ? pc_random_uniform(&random, 2, 6) : 2;
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    solved reference = solve(&problem, "ipm", 0);
    if (reference.info.status != PC_SOLVED) {
      double least = round_off(&problem, reference.impact);
      printf("ipm stops at %.2g on problem %d, round-off %.2g\n", reference.info.residual, i,
             least);
      if (!(reference.info.residual <= least))
        fail_msg("ipm does not converge on problem %d: residual %g", i, reference.info.residual);
    }
    for (int m = 0; m < METHODS; m++) {
      solved other = solve(&problem, names[m], wide ? 2000 : 0);
      bool done = other.info.status == PC_SOLVED;
      if (!done && !wide) {
        missed[m]++;
        printf("%s does not converge on problem %d: residual %g\n", names[m], i,
               other.info.residual);
      }
      double distance = random_problem_distance(&problem, reference.impact, other.impact);
      if (done && !(distance <= 1e-8))
        fail_msg("%s and ipm differ by %g on problem %d", names[m], distance, i);
      if (done)
        worst[m] = fmax(worst[m], distance);
      beyond_solved[m] += wide && done;
      identity = fmax(identity, other.info.audit.identity);
      if (done && !other.info.audit.closed)
        fail_msg("%s leaves the audit of problem %d open", names[m], i);
      pc_impact_destroy(other.impact);
    }
    beyond += wide;
    identity = fmax(identity, reference.info.audit.identity);
    if (!reference.info.audit.closed)
      fail_msg("ipm leaves the audit of problem %d open", i);
    pc_impact_destroy(reference.impact);
    random_problem_free(&problem);
  }
  assert_true(identity <= 1e-11);
  for (int m = 0; m < METHODS; m++)
    assert_true(missed[m] <= count / MISSED_ONE_OF);
  printf("%d problems, missed below a mass ratio of 1e2 by nsgs %d and by uzawa %d; beyond a mass "
         "ratio of 1e2, within 2000 sweeps or steps, nsgs solved %d and "
         "uzawa %d of %d; largest distance to ipm %.1e and %.1e; identity closes to %.1e\n",
         count, missed[SWEEPS], missed[STEPS], beyond_solved[SWEEPS], beyond_solved[STEPS], beyond,
         worst[SWEEPS], worst[STEPS], identity);
}

static void all_solvers_agree_with_the_enumeration_of_statuses(void **state)
{
  static const char *const names[] = {"ipm", "nsgs", "uzawa", "auto"};
  int count = test_count(2000), compared = 0, largest = 0;
  uint64_t seed = base_seed("all_solvers_agree_with_the_enumeration_of_statuses");
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    problem_kind kind = {.max_bodies = 6, .max_interactions = 8, .piecewise = true};
    kind.mass_decades = 2;
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    int found = 0;
    double after[40][6];
    if (enumerate(&problem, 5000, &found, after)) {
      if (!found)
        fail_msg("no status of problem %d has the right signs", i);
      compared++;
      largest = problem.interactions > largest ? problem.interactions : largest;
      for (int m = 0; m < 4; m++) {
        solved s = solve(&problem, names[m], 0);
        for (int b = 0; b < problem.bodies; b++) {
          double u[6];
          pc_impact_velocity(s.impact, b, u);
          for (int k = 0; k < problem.body[b].dof; k++)
            if (!(fabs(u[k] - after[b][k]) <= 1e-8 * (1 + fabs(after[b][k]))))
              fail_msg("%s on problem %d: body %d, velocity %d is %.12g, not %.12g", names[m], i, b,
                       k, u[k], after[b][k]);
        }
        pc_impact_destroy(s.impact);
      }
    }
    random_problem_free(&problem);
  }
  printf("%d of %d problems enumerated, with up to %d interactions\n", compared, count, largest);
  assert_true(compared > count / 2 && largest == 8);
}

static void shuffle(pc_random *random, int n, int *order)
{
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = pc_random_below(random, i + 1), x = order[i];
    order[i] = order[j];
    order[j] = x;
  }
}

static void velocities_do_not_depend_on_numbering(void **state)
{
  int count = test_count(1000);
  uint64_t seed = base_seed("velocities_do_not_depend_on_numbering");
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    problem_kind kind = {.max_bodies = 20, .max_interactions = 40, .mass_decades = 3};
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    int bodies[40], interactions[80];
    shuffle(&random, problem.bodies, bodies);
    shuffle(&random, problem.interactions, interactions);
    solved one = solve(&problem, "auto", 0);
    pc_impact *other = random_problem_build(&problem, bodies, interactions, 1);
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(other, NULL, &info), PC_OK);
    for (int b = 0; b < problem.bodies; b++) {
      double u[6], v[6];
      pc_impact_velocity(one.impact, bodies[b], u);
      pc_impact_velocity(other, b, v);
      for (int k = 0; k < problem.body[bodies[b]].dof; k++)
        if (!(fabs(u[k] - v[k]) <= 1e-7))
          fail_msg("problem %d, body %d: %.12g and %.12g", i, b, u[k], v[k]);
    }
    pc_impact_destroy(one.impact);
    pc_impact_destroy(other);
    random_problem_free(&problem);
  }
}

// U+ scales with (U-, P_ext) for the homogeneous laws; Coulomb's law included, where it has been
// solved both times and the solution is the one continued by scaling.
static void homogeneous_laws_scale(void **state)
{
  int count = test_count(1000), coulomb = 0;
  uint64_t seed = base_seed("homogeneous_laws_scale");
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    problem_kind kind = {.max_bodies = 10, .max_interactions = 20, .mass_decades = 2};
    kind.homogeneous = true;
    kind.coulomb = i % 2 == 1;
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    double factor = i % 4 < 2 ? 1024 : 1.0 / 3;
    solved one = solve(&problem, kind.coulomb ? "nsgs" : "ipm", kind.coulomb ? 2000 : 0);
    pc_impact *other = random_problem_build(&problem, NULL, NULL, factor);
    pc_solve_options options = pc_solve_options_default();
    options.solver = kind.coulomb ? "nsgs" : "ipm";
    options.max_iterations = kind.coulomb ? 2000 : 0;
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(other, &options, &info), PC_OK);
    bool both = one.info.status == PC_SOLVED && info.status == PC_SOLVED;
    assert_true(both || kind.coulomb);
    coulomb += kind.coulomb && both;
    for (int b = 0; b < problem.bodies && both; b++) {
      double u[6], v[6];
      pc_impact_velocity(one.impact, b, u);
      pc_impact_velocity(other, b, v);
      for (int k = 0; k < problem.body[b].dof; k++)
        if (!(fabs(u[k] - v[k] / factor) <= 1e-7))
          fail_msg("problem %d, body %d: %.12g and %.12g", i, b, u[k], v[k] / factor);
    }
    pc_impact_destroy(one.impact);
    pc_impact_destroy(other);
    random_problem_free(&problem);
  }
  assert_true(coulomb > count / 3);
}

// The friction of a solved contact lies in its cone, opposes what the law looks at, and the energy
// balance closes with the signs that are guaranteed.
static void coulomb_answers_obey_the_law(void **state)
{
  int count = test_count(3000), done = 0, contacts = 0, sliding = 0;
  uint64_t seed = base_seed("coulomb_answers_obey_the_law");
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    problem_kind kind = {.max_bodies = 15, .max_interactions = 30, .mass_decades = 2};
    kind.coulomb = true;
    kind.friction_on_mean = i % 2 == 0;
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    solved s = solve(&problem, "nsgs", 3000);
    assert_true(s.info.audit.identity <= 1e-11 && s.info.audit.momentum <= 1e-11);
    if (s.info.status == PC_SOLVED) {
      done++;
      if (s.info.audit.wrong_signs > 0)
        fail_msg("problem %d has %d wrong signs", i, s.info.audit.wrong_signs);
      for (int k = 0; k < problem.interactions; k++) {
        const pc_interaction *c = &problem.interaction[k];
        const pc_tangential_law *law = &c->law.tangential;
        if (c->type != PC_CONTACT || law->kind != PC_TANGENTIAL_COULOMB || law->anisotropic)
          continue;
        pc_interaction_answer a;
        pc_impact_answer(s.impact, k, &a);
        double n[3] = {0}, size = 0, pn = 0, pt = 0, vn = 0, v[3] = {0}, speed = 0, along = 0;
        for (int j = 0; j < a.size; j++)
          size += c->normal[j] * c->normal[j];
        double e = law->on == PC_ON_MOREAU && c->law.normal.kind == PC_NORMAL_RESTITUTION
                       ? c->law.normal.e
                   : law->on == PC_ON_MEAN ? 1
                                           : 0;
        for (int j = 0; j < a.size; j++) {
          n[j] = c->normal[j] / sqrt(size);
          pn += n[j] * a.percussion[j];
          // D+ + e D-, with D- = 2 mean - D+
          v[j] = a.after[j] + e * (2 * a.deformation[j] - a.after[j]);
          vn += n[j] * v[j];
        }
        for (int j = 0; j < a.size; j++) {
          double x = a.percussion[j] - pn * n[j], y = v[j] - vn * n[j];
          pt += x * x;
          speed += y * y;
          along += x * y;
        }
        pt = sqrt(pt);
        speed = sqrt(speed);
        double push = fmax(-pn, 0), slack = 1e-7 * (1 + push);
        if (!(pt <= law->mu[0] * push + slack))
          fail_msg("problem %d, contact %d leaves its cone: %g > %g", i, k, pt, law->mu[0] * push);
        contacts++;
        if (speed > 1e-6 && push > 1e-6) {
          sliding++;
          if (!(fabs(along - law->mu[0] * push * speed) <= 1e-5 * (1 + push) * (1 + speed)))
            fail_msg("problem %d, contact %d slides with %g instead of %g", i, k, along,
                     law->mu[0] * push * speed);
        }
      }
    }
    pc_impact_destroy(s.impact);
    random_problem_free(&problem);
  }
  printf("nsgs solved %d of %d Coulomb problems within 3000 sweeps; %d contacts, %d sliding\n",
         done, count, contacts, sliding);
  assert_true(done > 0.9 * count && sliding > contacts / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(convex_solvers_converge_and_agree),
      cmocka_unit_test(all_solvers_agree_with_the_enumeration_of_statuses),
      cmocka_unit_test(velocities_do_not_depend_on_numbering),
      cmocka_unit_test(homogeneous_laws_scale),
      cmocka_unit_test(coulomb_answers_obey_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
