// The policy: which methods run on an island. It is a pure function of traits, so its rules are
// checked on many random traits.
#include "impact/solvers/policy.h"
#include "impact/solvers/tuning.h"
#include "percuss/random.h"
#include "support.h"

enum { TRIALS = 20000 };

static pc_island_traits draw(pc_random *random)
{
  static const double tolerances[] = {1e-12, 1e-8, 1e-6, 1e-4, 1e-2};
  static const int sweeps[] = {0, 0, 50, 200, 1000};
  static const int rows[] = {1, 3, 12, 60, 301, 900, 1501, 6001, 50000};
  pc_island_traits t = {.solver = (pc_solver_id)pc_random_below(random, PC_SOLVER_COUNT),
                        .tolerance = tolerances[pc_random_below(random, 5)],
                        .max_iterations = sweeps[pc_random_below(random, 5)],
                        .warm = pc_random_below(random, 2),
                        .gives_up = pc_random_below(random, 2),
                        .quasi_static = pc_random_below(random, 8) == 0,
                        .rows = rows[pc_random_below(random, 9)],
                        .packable = pc_random_below(random, 2),
                        .convex = pc_random_below(random, 2),
                        .speed = {pc_random_below(random, 2), pc_random_below(random, 2), 0.5},
                        .rolls = pc_random_below(random, 4) == 0,
                        .coupled = pc_random_below(random, 4) == 0,
                        .condense_flops = 1,
                        .condense_numbers = 1,
                        .mass_flops = pc_random_below(random, 2),
                        .interior_sweeps = pow(10, pc_random_uniform(random, 0, 6)),
                        .friction = pc_random_uniform(random, 0, 1)};
  t.coupled_masses = t.coupled;
  t.interactions = t.contacts = 1 + t.rows / 3;
  t.bodies = pc_random_below(random, 8) == 0 && !t.coupled ? 0 : 1 + t.interactions / 2;
  t.aim = pc_policy_aim(&t);
  return t;
}

static bool is_direct(pc_solver_method method)
{
  return method >= PC_FRICTION_FINISH;
}

static int count_of(const pc_solver_plan *plan, pc_solver_method method)
{
  int count = 0;
  for (int i = 0; i < plan->count; i++)
    count += plan->stage[i].method == method;
  return count;
}

static void every_plan_ends(void **state)
{
  pc_random random;
  pc_random_seed(&random, 1);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan island, system, direct;
    pc_policy_plan_island(&t, &island);
    pc_policy_plan_system(&t, &system);
    pc_policy_plan_direct(&t, &direct);
    const pc_solver_plan *const parts[] = {&island, &system, &direct};
    for (int p = 0; p < 3; p++) {
      assert_in_range(parts[p]->count, 1, PC_MOST_STAGES);
      for (int i = 0; i < parts[p]->count; i++) {
        // What is asked of the next part is the end of this one, and parts do not go back.
        bool states = parts[p]->stage[i].method == PC_STATE_SYSTEM;
        bool analyses = parts[p]->stage[i].method == PC_ANALYSE_MATRIX;
        assert_true((!states && !analyses) || i == parts[p]->count - 1);
        assert_true(!states || p == 0);
        assert_true(!analyses || p == 1);
        assert_true(!is_direct(parts[p]->stage[i].method) || p == 2);
      }
    }
  }
}

static void a_named_solver_runs_alone(void **state)
{
  static const pc_solver_method alone[PC_SOLVER_COUNT] = {[PC_SOLVER_NSGS] = PC_SWEEPS,
                                                          [PC_SOLVER_APGD] = PC_GRADIENTS,
                                                          [PC_SOLVER_UZAWA] = PC_PROJECTED_STEPS};
  pc_random random;
  pc_random_seed(&random, 2);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan plan;
    if (t.solver == PC_SOLVER_AUTO || t.solver == PC_SOLVER_IPM)
      continue;
    pc_policy_plan_system(&t, &plan);
    assert_int_equal(plan.count, 1);
    assert_int_equal(plan.stage[0].method, alone[t.solver]);
    assert_true(plan.stage[0].limits.max_iterations == t.max_iterations);
    pc_policy_plan_island(&t, &plan);
    assert_true(t.solver == PC_SOLVER_NSGS || plan.stage[0].method == PC_STATE_SYSTEM);
  }
}

static void a_limit_on_sweeps_is_kept(void **state)
{
  pc_random random;
  pc_random_seed(&random, 3);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan plan;
    if (t.max_iterations == 0)
      continue;
    pc_policy_plan_island(&t, &plan);
    for (int i = 0; i < plan.count; i++)
      assert_true(plan.stage[i].method == PC_STATE_SYSTEM ||
                  plan.stage[i].limits.max_iterations == t.max_iterations);
    pc_policy_plan_direct(&t, &plan);
    assert_int_equal(count_of(&plan, PC_FRICTION_STRESS), 0);
    for (int i = 0; i < plan.count; i++) {
      const pc_solver_stage *stage = &plan.stage[i];
      assert_true(stage->method != PC_SWEEPS_IN_SLICES ||
                  stage->limits.max_iterations <= t.max_iterations);
      assert_true(!stage->walks);
    }
    // An answer soon: islands with friction are not factorised for so few sweeps.
    t.solver = PC_SOLVER_AUTO;
    pc_policy_plan_system(&t, &plan);
    if (t.max_iterations < PC_MANY_SWEEPS && !t.convex && !t.coupled)
      assert_int_equal(count_of(&plan, PC_ANALYSE_MATRIX), 0);
  }
}

static void packs_need_simple_contacts_and_a_loose_tolerance(void **state)
{
  pc_random random;
  pc_random_seed(&random, 4);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan plan;
    pc_policy_plan_island(&t, &plan);
    bool packed = count_of(&plan, PC_PACKED_SWEEPS) == 1;
    assert_true(!packed || (t.packable && t.tolerance > pc_packed_tolerance && !t.quasi_static &&
                            !t.coupled_masses));
    assert_true(!pc_policy_is_large(&t) || packed);
    // The next solver starts only where the tolerance is missed, or what is still would creep.
    bool still = t.warm && t.solver == PC_SOLVER_AUTO && t.speed.moving == 0;
    bool creeps = still && !t.convex && !t.lot && !pc_policy_is_large(&t);
    if (packed && count_of(&plan, PC_STATE_SYSTEM) == 1)
      assert_true(plan.stage[plan.count - 1].above == (creeps ? pc_creep_residual : t.tolerance));
    // Pairs of bodies share memory of the problem, so they are for islands solved one by one.
    assert_true(count_of(&plan, PC_PAIRED_SWEEPS) == (t.convex && pc_policy_is_large(&t)));
  }
}

// Where sweeps are limited the interior point follows if it costs no more: on convex islands, and
// with friction after many sweeps over few rows.
static void limited_sweeps_are_followed_where_it_is_cheap(void **state)
{
  pc_random random;
  int followed[2] = {0}, left[2] = {0};
  pc_random_seed(&random, 6);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan plan;
    if (t.max_iterations == 0 || !pc_policy_is_large(&t))
      continue;
    bool time = t.max_iterations >= PC_MANY_SWEEPS && t.rows <= PC_HANDED_FRICTION_ROWS;
    bool cheap = t.rows <= PC_HANDED_ROWS && (t.convex || time);
    pc_policy_plan_island(&t, &plan);
    bool handed = count_of(&plan, PC_STATE_SYSTEM) == 1;
    assert_true(handed == (cheap && t.solver == PC_SOLVER_AUTO));
    assert_true(!handed || plan.stage[plan.count - 1].solver == PC_SOLVER_IPM);
    (handed ? followed : left)[t.convex]++;
  }
  assert_true(followed[0] > 10 && followed[1] > 10 && left[0] > 10 && left[1] > 10);
}

static void friction_stages_never_miss_the_end(void **state)
{
  pc_random random;
  pc_random_seed(&random, 5);
  for (int k = 0; k < TRIALS; k++) {
    pc_island_traits t = draw(&random);
    pc_solver_plan plan;
    pc_policy_plan_direct(&t, &plan);
    if (!is_direct(plan.stage[plan.count - 1].method))
      continue; // too dear for an interior point
    assert_int_equal(count_of(&plan, PC_FRICTION_INTERIOR), 1);
    assert_int_equal(count_of(&plan, PC_FRICTION_CONFLICT), 1);
    assert_int_equal(count_of(&plan, PC_FRICTION_PATHS), t.interactions <= PC_FEW_ATTEMPTS);
  }
}

static void names_are_found_once(void **state)
{
  const char *const *names = pc_solver_names();
  for (int i = 0; i < PC_SOLVER_COUNT; i++)
    assert_int_equal(pc_solver_find(names[i]), i);
  assert_null(names[PC_SOLVER_COUNT]);
  assert_int_equal(pc_solver_find("newton"), PC_SOLVER_COUNT);
  assert_int_equal(pc_solver_find(""), PC_SOLVER_COUNT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_plan_ends),
      cmocka_unit_test(a_named_solver_runs_alone),
      cmocka_unit_test(a_limit_on_sweeps_is_kept),
      cmocka_unit_test(packs_need_simple_contacts_and_a_loose_tolerance),
      cmocka_unit_test(limited_sweeps_are_followed_where_it_is_cheap),
      cmocka_unit_test(friction_stages_never_miss_the_end),
      cmocka_unit_test(names_are_found_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
