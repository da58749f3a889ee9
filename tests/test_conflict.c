// Contacts that contradict each other: obstacles that close on what is between them. No motion
// obeys them, and the solver says so instead of searching on.
#include "bench/hard_problems.h"
#include "percuss/impact.h"
#include "support.h"

static const char *const solvers[] = {"auto", "ipm"};

static bool told(const pc_impact *problem)
{
  return strstr(pc_impact_error(problem), "contradict") != NULL;
}

static pc_solve_info solve_by(pc_impact *problem, const char *solver)
{
  pc_solve_options options = pc_solve_options_default();
  options.solver = solver;
  options.tolerance = 1e-8;
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  return info;
}

// Columns.

// The four corners of the highest box meet an obstacle that comes down.
static void add_lid(hard_problem *m, double speed)
{
  const double *top = m->body[m->bodies - 1].position;
  m->contact = realloc(m->contact, sizeof *m->contact * (size_t)(m->contacts + 4));
  assert_non_null(m->contact);
  for (int i = 0; i < 4; i++) {
    hard_contact c = {.a = m->bodies - 1,
                      .b = PC_OBSTACLE,
                      .mu = m->contact[0].mu,
                      .point = {top[0] + (i % 2) - 0.5, top[1] + (i / 2) - 0.5, top[2] + 0.5},
                      .normal = {0, 0, -1},
                      .obstacle = {0, 0, -speed}};
    m->contact[m->contacts++] = c;
  }
  m->contact_room = m->contacts;
}

// The opening velocities along a column of n boxes add up to minus the speed of the lid, so one of
// them is below -speed / (n + 1). The residual that is said to be left is not above the one found.
static void a_column_under_a_sinking_lid_is_told(void **state)
{
  static const int counts[] = {1, 10, 106};
  static const double mus[] = {0, 0.3, 1}, speeds[] = {10, 0.1, 1e-4};
  for (int i = 0; i < 27; i++)
    for (int s = 0; s < 2; s++) {
      int count = counts[i / 9];
      double speed = speeds[i % 3];
      hard_problem m = hard_stack(count, mus[i / 3 % 3], 0, 0.01);
      add_lid(&m, speed);
      pc_impact *problem = hard_build(&m, NULL);
      pc_solve_info info = solve_by(problem, solvers[s]);
      assert_int_equal(info.status, PC_INACCURATE);
      if (!told(problem))
        fail_msg("%d boxes, mu %g, lid %g, %s: not told", count, mus[i / 3 % 3], speed, solvers[s]);
      const char *number = strstr(pc_impact_error(problem), "least ");
      double least = number != NULL ? strtod(number + 6, NULL) : 0;
      assert_true(least > 0 && least <= 1.05 * info.residual);
      assert_true(info.audit.penetration >= 0.999 * speed / (count + 1));
      assert_true(info.iterations < 2000); // the search ends there
      pc_impact_destroy(problem);
      hard_free(&m);
    }
}

static void a_column_under_a_lid_that_stays_is_solved(void **state)
{
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++) {
      hard_problem m = hard_stack(10, 0.3, 0, 0.01);
      m.body[9].velocity[2] = 0.5;
      add_lid(&m, -0.1 * i);
      pc_impact *problem = hard_build(&m, NULL);
      pc_solve_info info = solve_by(problem, solvers[s]);
      assert_int_equal(info.status, PC_SOLVED);
      assert_false(told(problem));
      assert_true(hard_error(&m, problem) <= 1e-7);
      pc_impact_destroy(problem);
      hard_free(&m);
    }
}

static void a_search_that_ends_early_is_no_contradiction(void **state)
{
  hard_problem m = hard_stack(10, 0.3, 0, 0.01);
  m.body[9].velocity[0] = 0.5;
  pc_impact *problem = hard_build(&m, NULL);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.solver = "nsgs";
  options.max_iterations = 2;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_INACCURATE);
  assert_false(told(problem));
  pc_impact_destroy(problem);
  hard_free(&m);
}

// Networks.

enum { MOST_BODIES = 12, MOST_CONTACTS = 36 };

typedef struct network {
  int bodies, contacts;
  int a[MOST_CONTACTS], b[MOST_CONTACTS]; // v_a - v_b + w >= 0; b = bodies: the obstacle, at rest
  double w[MOST_CONTACTS];
} network;

// Bellman and Ford: v_a >= v_b - w can be met unless there is a circle along which it grows.
static bool can_be_met(const network *net)
{
  double v[MOST_BODIES + 1] = {0};
  for (int round = 0; round <= net->bodies + 1; round++) {
    bool changed = false;
    for (int k = 0; k < net->contacts; k++)
      if (v[net->a[k]] < v[net->b[k]] - net->w[k] - 1e-9) {
        v[net->a[k]] = v[net->b[k]] - net->w[k];
        changed = true;
      }
    if (!changed)
      return true;
  }
  return false;
}

static pc_impact *build_network(const network *net, pc_random *random, bool friction)
{
  pc_impact *problem = pc_impact_create();
  for (int i = 0; i < net->bodies; i++) {
    pc_impact_body body = pc_impact_body_default();
    body.dof = 2;
    body.mass = pow(10, pc_random_uniform(random, -1, 1));
    body.velocity[0] = pc_random_uniform(random, -1, 1);
    body.velocity[1] = pc_random_uniform(random, -1, 1);
    assert_int_equal(pc_impact_add_body(problem, &body), i);
  }
  for (int k = 0; k < net->contacts; k++) {
    bool turned = net->a[k] == net->bodies; // the obstacle is the second
    pc_interaction c = pc_interaction_default(PC_CONTACT);
    c.bodies[0] = turned ? net->b[k] : net->a[k];
    c.bodies[1] = turned || net->b[k] == net->bodies ? PC_OBSTACLE : net->b[k];
    c.normal[0] = turned ? -1 : 1;
    c.normal[1] = c.normal[2] = 0;
    c.given[0] = (turned ? -1 : 1) * net->w[k];
    c.law.tangential.kind = friction ? PC_TANGENTIAL_COULOMB : PC_TANGENTIAL_NONE;
    c.law.tangential.mu[0] = friction ? pc_random_uniform(random, 0.1, 1) : 0;
    c.law.tangential.on = PC_ON_AFTER;
    if (pc_impact_add_interaction(problem, &c) != k)
      fail_msg("%s", pc_impact_error(problem));
  }
  return problem;
}

// Bodies on a line, each contact asks two of them to open at some speed. Those that can be met, by
// a search for circles, are solved; of all others it is told that they cannot.
static void networks_are_told_where_a_circle_grows(void **state)
{
  pc_random random = test_random("networks_are_told_where_a_circle_grows");
  int count = test_count(400), met = 0;
  for (int i = 0; i < count; i++) {
    network net = {.bodies = 2 + pc_random_below(&random, MOST_BODIES - 1)};
    net.contacts = net.bodies + pc_random_below(&random, 2 * net.bodies);
    for (int k = 0; k < net.contacts; k++) {
      net.a[k] = pc_random_below(&random, net.bodies + 1);
      net.b[k] = (net.a[k] + 1 + pc_random_below(&random, net.bodies)) % (net.bodies + 1);
      net.w[k] = -2 + pc_random_below(&random, 8);
    }
    bool possible = can_be_met(&net);
    met += possible;
    for (int s = 0; s < 4; s++) {
      pc_impact *problem = build_network(&net, &random, s < 2);
      pc_solve_info info = solve_by(problem, solvers[s % 2]);
      if (told(problem) == possible || (info.status == PC_SOLVED) != possible)
        fail_msg("network %d, %s friction, %s: %s, %s, but it can%s be met", i,
                 s < 2 ? "with" : "without", solvers[s % 2], pc_solve_status_name(info.status),
                 told(problem) ? "told" : "not told", possible ? "" : "not");
      pc_impact_destroy(problem);
    }
  }
  printf("%d of %d networks can be met\n", met, count);
  assert_true(met > count / 5 && met < 4 * count / 5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_column_under_a_sinking_lid_is_told),
      cmocka_unit_test(a_column_under_a_lid_that_stays_is_solved),
      cmocka_unit_test(a_search_that_ends_early_is_no_contradiction),
      cmocka_unit_test(networks_are_told_where_a_circle_grows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
