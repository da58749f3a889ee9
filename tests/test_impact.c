// The laws one by one, and what the problem builder and the solvers promise.
#include <string.h>

#include "core/small.h"
#include "impact/interaction_state.h"
#include "impact/laws/law.h"
#include "problems.h"
#include "support.h"

static pc_normal_law random_normal(pc_random *random, pc_normal_kind kind)
{
  pc_normal_law law = {.kind = kind};
  law.k = pow(10, pc_random_uniform(random, -3, 3));
  law.p = pc_random_uniform(random, 1.1, 5);
  law.k0 = pc_random_uniform(random, 0, 3);
  law.u_lim = pc_random_uniform(random, 0, 1);
  law.e = pc_random_uniform(random, 0, 1);
  return law;
}

static pc_row_law random_row(pc_random *random)
{
  pc_normal_kind kind = 1 + pc_random_below(random, PC_NORMAL_KINDS - 1);
  pc_normal_law law = random_normal(random, kind);
  pc_row_law row = {.ops = pc_row_ops_of(kind)};
  row.ops->scale(&row, &law, 1, 1);
  row.before = pc_random_uniform(random, -2, 2);
  row.equality = kind == PC_NORMAL_BILATERAL;
  bool bounded = row.equality || (kind != PC_NORMAL_PENETRABLE && pc_random_below(random, 4) > 0);
  row.bound = bounded ? pc_random_uniform(random, -1, 1) : -INFINITY;
  return row;
}

// The local solution minimises (d - c)^2/(2a) + 2 Phi((d + D-)/2) over d >= bound.
static void local_solutions_are_minima(void **state)
{
  pc_random random = test_random("local_solutions_are_minima");
  for (int i = 0; i < test_count(50000); i++) {
    pc_row_law row = random_row(&random);
    double a = pow(10, pc_random_uniform(&random, -3, 3)), c = pc_random_uniform(&random, -5, 5);
    double slope, r = pc_row_solve(&row, a, c, &slope), d = c + a * r;
    double slack = 1e-12 * (1 + fabs(c));
    assert_true(d >= row.bound - slack);
    if (row.equality) {
      assert_near(d, row.bound, slack);
      continue;
    }
    double best = (d - c) * (d - c) / (2 * a) + 2 * row.ops->value(&row, 0.5 * (d + row.before));
    for (int t = 0; t < 20; t++) {
      double step = pow(10, -pc_random_uniform(&random, 0, 8));
      double e = d + (t % 2 ? step : -step);
      if (e < row.bound)
        continue;
      double other = (e - c) * (e - c) / (2 * a) + 2 * row.ops->value(&row, 0.5 * (e + row.before));
      if (!(other >= best - 1e-12 * (1 + fabs(best))))
        fail_msg("%s: %.15g at %.15g is less than %.15g at %.15g", row.ops->name, other, e, best,
                 d);
    }
    assert_true(slope >= 0);
  }
}

// The percussion that a law gives lies in its subdifferential, and `nearest` finds it.
static void nearest_percussion_is_the_percussion(void **state)
{
  pc_random random = test_random("nearest_percussion_is_the_percussion");
  for (int i = 0; i < test_count(20000); i++) {
    pc_row_law row = random_row(&random);
    row.bound = -INFINITY;
    row.equality = false;
    double a = pow(10, pc_random_uniform(&random, -2, 2)), c = pc_random_uniform(&random, -5, 5);
    double slope, r = pc_row_solve(&row, a, c, &slope), x = 0.5 * (c + a * r + row.before);
    if (row.ops == &pc_law_power && fabs(x) < 1e-3)
      continue; // X has lost the digits that a low power needs
    double found = row.ops->nearest(&row, x, -r, 1e-10);
    assert_near(found, -r, 1e-7 * (1 + fabs(r)));
  }
}

static void random_spd(pc_random *random, int n, double *a)
{
  double root[36];
  for (int i = 0; i < n * n; i++)
    root[i] = pc_random_uniform(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? 0.05 : 0;
      for (int k = 0; k < n; k++)
        a[i * n + j] += root[i * n + k] * root[j * n + k];
    }
}

// What pc_block_solve finds is a zero of the natural map, for every pair of laws.
static void block_solutions_obey_their_law(void **state)
{
  pc_random random = test_random("block_solutions_obey_their_law");
  int none = 0, count = test_count(100000);
  for (int i = 0; i < count; i++) {
    pc_block_law law = {.rows = 1 + pc_random_below(&random, 3), .normal = 1};
    law.row = random_row(&random);
    law.tangential = 1 + pc_random_below(&random, PC_TANGENTIAL_KINDS - 1);
    if (law.row.equality && law.tangential == PC_TANGENTIAL_COULOMB)
      law.tangential = PC_TANGENTIAL_VISCOUS;
    law.k = pow(10, pc_random_uniform(&random, -2, 2));
    law.mu = pc_random_uniform(&random, 0, 1);
    for (int k = 0; k < 2; k++)
      law.shift[k] = pc_random_uniform(&random, -1, 1);
    double a[9], c[3], r[3] = {0}, d[3], residual[3];
    random_spd(&random, law.rows, a);
    for (int k = 0; k < 3; k++)
      c[k] = pc_random_uniform(&random, -2, 2);
    pc_block_local local;
    pc_block_prepare(&law, a, &local, NULL);
    if (!pc_block_solve(&law, &local, c, r)) {
      // Only Coulomb's law may have no solution, and only if friction can lift the contact.
      assert_true(law.tangential == PC_TANGENTIAL_COULOMB);
      none++;
      continue;
    }
    double size = 1;
    for (int k = 0; k < law.rows; k++) {
      d[k] = c[k];
      for (int j = 0; j < law.rows; j++)
        d[k] += a[k * law.rows + j] * r[j];
      size = fmax(size, fabs(r[k]));
    }
    pc_block_residual(&law, d, r, residual);
    for (int k = 0; k < law.rows; k++)
      if (!(fabs(residual[k]) <= 1e-9 * size))
        fail_msg("case %d (%s, %s): residual %g of row %d", i, law.row.ops->name,
                 pc_tangential_kind_name(law.tangential), residual[k], k);
  }
  printf("%d of %d blocks without a solution\n", none, count);
  assert_true(none < count / 50);
}

static int add_general(pc_impact *impact, int dof, const double *matrix, const double *u,
                       const double *p)
{
  pc_impact_body body = pc_impact_body_default();
  body.dof = dof;
  body.matrix = matrix;
  memcpy(body.velocity, u, sizeof(double) * (size_t)dof);
  memcpy(body.percussion, p, sizeof(double) * (size_t)dof);
  return pc_impact_add_body(impact, &body);
}

// Two bodies of three velocities coupled by mass are one body of six.
static void coupled_masses_act_as_one_matrix(void **state)
{
  pc_random random = test_random("coupled_masses_act_as_one_matrix");
  static const char *const solvers[] = {"ipm", "nsgs", "uzawa", "apgd", "auto"};
  for (int i = 0; i < test_count(300); i++) {
    double m[36], a[9], b[9], c[9], u[6], p[6], rows[2][18];
    random_spd(&random, 6, m);
    for (int k = 0; k < 6; k++) {
      u[k] = pc_random_uniform(&random, -1, 1);
      p[k] = pc_random_uniform(&random, -1, 1);
      for (int l = 0; l < 6; l++) {
        double *to = k < 3 ? (l < 3 ? a : c) : (l < 3 ? NULL : b);
        if (to != NULL)
          to[k % 3 * 3 + l % 3] = m[k * 6 + l];
      }
    }
    pc_impact *one = pc_impact_create(), *two = pc_impact_create();
    assert_int_equal(add_general(one, 6, m, u, p), 0);
    assert_int_equal(add_general(two, 3, a, u, p), 0);
    assert_int_equal(add_general(two, 3, b, u + 3, p + 3), 1);
    assert_int_equal(pc_impact_couple_mass(two, 0, 1, c), PC_OK);
    bool coulomb = i % 3 == 2;
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < 18; j++)
        rows[0][j] = pc_random_uniform(&random, -1, 1);
      double left[9], right[9];
      for (int r = 0; r < 3; r++)
        for (int j = 0; j < 3; j++) {
          left[r * 3 + j] = rows[0][r * 6 + j];
          right[r * 3 + j] = rows[0][r * 6 + 3 + j];
        }
      pc_interaction rowwise = pc_interaction_default(PC_ROWS);
      rowwise.rows = coulomb ? 3 : 2;
      rowwise.law.normal =
          random_normal(&random, k % 2 ? PC_NORMAL_INELASTIC : PC_NORMAL_QUADRATIC);
      rowwise.law.tangential.kind = coulomb ? PC_TANGENTIAL_COULOMB : PC_TANGENTIAL_VISCOUS;
      rowwise.law.tangential.k = 1;
      rowwise.law.tangential.mu[0] = 0.3;
      rowwise.unilateral = true;
      pc_row_term whole = {0, rows[0]}, parts[2] = {{0, left}, {1, right}};
      rowwise.terms = 1;
      rowwise.term = &whole;
      assert_true(pc_impact_add_interaction(one, &rowwise) >= 0);
      rowwise.terms = 2;
      rowwise.term = parts;
      assert_true(pc_impact_add_interaction(two, &rowwise) >= 0);
    }
    for (int s = coulomb ? 1 : 0; s < (coulomb ? 2 : 5); s++) {
      pc_solve_options options = pc_solve_options_default();
      options.solver = solvers[s];
      pc_solve_info first, second;
      assert_int_equal(pc_impact_solve(one, &options, &first), PC_OK);
      assert_int_equal(pc_impact_solve(two, &options, &second), PC_OK);
      if (coulomb && (first.status != PC_SOLVED || second.status != PC_SOLVED))
        continue;
      assert_int_equal(first.status, PC_SOLVED);
      assert_int_equal(second.status, PC_SOLVED);
      assert_true(second.audit.closed);
      double x[6], y[6];
      pc_impact_velocity(one, 0, x);
      pc_impact_velocity(two, 0, y);
      pc_impact_velocity(two, 1, y + 3);
      for (int k = 0; k < 6; k++)
        assert_near(y[k], x[k], 1e-7 * (1 + fabs(x[k])));
    }
    pc_impact_destroy(one);
    pc_impact_destroy(two);
  }
}

// A problem stated by W = B M^-1 B^T and the free velocity has the percussions' velocities of the
// problem with bodies.
static void response_problems_equal_problems_with_bodies(void **state)
{
  pc_random random = test_random("response_problems_equal_problems_with_bodies");
  for (int i = 0; i < test_count(300); i++) {
    enum { CONTACTS = 3 };
    double rows[CONTACTS][18], u[6], w[9];
    pc_impact *bodies = pc_impact_create(), *response = pc_impact_create();
    double identity[36] = {0}, zero[6] = {0};
    for (int k = 0; k < 6; k++) {
      identity[7 * k] = 1;
      u[k] = pc_random_uniform(&random, -1, 1);
    }
    add_general(bodies, 6, identity, u, zero);
    for (int k = 0; k < CONTACTS; k++) {
      for (int j = 0; j < 18; j++)
        rows[k][j] = pc_random_uniform(&random, -1, 1);
      pc_row_term term = {0, rows[k]};
      pc_interaction c = pc_interaction_default(PC_ROWS);
      c.rows = 3;
      c.law.normal.kind = PC_NORMAL_INELASTIC;
      c.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {0.4, 0}};
      c.law.tangential.on = PC_ON_AFTER;
      c.terms = 1;
      c.term = &term;
      assert_int_equal(pc_impact_add_interaction(bodies, &c), k);
      c.terms = 0;
      for (int r = 0; r < 3; r++)
        for (int j = 0; j < 6; j++)
          c.given[r] += rows[k][6 * r + j] * u[j];
      assert_int_equal(pc_impact_add_interaction(response, &c), k);
    }
    for (int k = 0; k < CONTACTS; k++)
      for (int l = 0; l < CONTACTS; l++) {
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++) {
            w[3 * a + b] = 0;
            for (int j = 0; j < 6; j++)
              w[3 * a + b] += rows[k][6 * a + j] * rows[l][6 * b + j];
          }
        assert_int_equal(pc_impact_couple_response(response, k, l, w), PC_OK);
      }
    pc_solve_info first, second;
    assert_int_equal(pc_impact_solve(bodies, NULL, &first), PC_OK);
    assert_int_equal(pc_impact_solve(response, NULL, &second), PC_OK);
    assert_int_equal(first.status, second.status);
    for (int k = 0; k < CONTACTS && first.status == PC_SOLVED; k++) {
      pc_interaction_answer a, b;
      pc_impact_answer(bodies, k, &a);
      pc_impact_answer(response, k, &b);
      for (int j = 0; j < 3; j++)
        assert_near(b.after[j], a.after[j], 1e-6);
    }
    pc_impact_destroy(bodies);
    pc_impact_destroy(response);
  }
}

static int add_point(pc_impact *impact, double mass, double velocity)
{
  pc_impact_body body = pc_impact_body_default();
  body.dof = 1;
  body.mass = mass;
  body.velocity[0] = velocity;
  return pc_impact_add_body(impact, &body);
}

static int add_contact(pc_impact *impact, int a, int b, double normal, double k)
{
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  c.bodies[0] = a;
  c.bodies[1] = b;
  c.normal[0] = normal;
  c.law.normal.kind = PC_NORMAL_QUADRATIC;
  c.law.normal.k = k;
  return pc_impact_add_interaction(impact, &c);
}

// A light ball between heavy ones: the percussions are 1e12 times its momentum.
static void light_bodies_keep_their_digits(void **state)
{
  static const char *const solvers[] = {"auto", "ipm", "uzawa"};
  for (int s = 0; s < 3; s++) {
    pc_impact *impact = pc_impact_create();
    add_point(impact, 1e6, 1);
    add_point(impact, 1e-6, 0);
    add_point(impact, 1e6, 0);
    add_contact(impact, 0, 1, -1, 1e6);
    add_contact(impact, 1, 2, -1, 1e6);
    pc_solve_options options = pc_solve_options_default();
    options.solver = solvers[s];
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
    for (int b = 0; b < 3; b++) {
      double v;
      pc_impact_velocity(impact, b, &v);
      assert_near(v, 0.5, 1e-11);
    }
    pc_impact_destroy(impact);
  }
}

// Whatever the size of k, a stiff law is elastic: e = (k - 2m)/(k + 2m).
static void stiff_laws_are_elastic(void **state)
{
  static const pc_normal_kind kinds[] = {PC_NORMAL_QUADRATIC, PC_NORMAL_THRESHOLD,
                                         PC_NORMAL_PENETRABLE, PC_NORMAL_POWER};
  for (int i = 0; i < 4; i++)
    for (double k = 1; k < 1e16; k *= 100) {
      pc_impact *impact = pc_impact_create();
      add_point(impact, 0.12, -0.35);
      pc_interaction c = pc_interaction_default(PC_CONTACT);
      c.law.normal.kind = kinds[i];
      c.law.normal.k = k;
      assert_int_equal(pc_impact_add_interaction(impact, &c), 0);
      pc_solve_info info;
      assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
      double v;
      pc_impact_velocity(impact, 0, &v);
      assert_near(v, 0.35 * (k - 0.24) / (k + 0.24), 1e-12);
      assert_true(info.status == PC_SOLVED && info.audit.closed);
      pc_impact_destroy(impact);
    }
}

// Bodies at rest that are hit by a wall: all of the percussion is non-penetration.
static void reactions_need_no_motion_before(void **state)
{
  pc_random random = test_random("reactions_need_no_motion_before");
  for (int i = 0; i < test_count(200); i++) {
    pc_impact *impact = pc_impact_create();
    add_point(impact, INFINITY, pc_random_uniform(&random, 0.1, 1));
    for (int b = 0; b < 4; b++) {
      add_point(impact, pc_random_uniform(&random, 0.1, 2), 0);
      add_contact(impact, b, b + 1, -1, 0);
    }
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
    assert_true(info.status == PC_SOLVED && info.audit.closed);
    for (int k = 0; k < 4; k++) {
      pc_interaction_answer a;
      pc_impact_answer(impact, k, &a);
      assert_true(a.percussion[0] > 0.01); // the normal points to the left
      assert_near(a.reaction, -a.percussion[0], 1e-12);
    }
    pc_impact_destroy(impact);
  }
}

// Without inertia P = P_ext, and the law gives D; nothing to hold the percussion is a failure.
static void quasi_static_percussions_balance(void **state)
{
  static const double masses[] = {1e-3, 1, 1e3};
  pc_solve_options options = pc_solve_options_default();
  options.quasi_static = true;
  for (int i = 0; i < 3; i++)
    for (double k = 1; k < 1e7; k *= 1000) {
      pc_impact *impact = pc_impact_create();
      int body = add_point(impact, masses[i], -1);
      double push = -0.3 * k;
      pc_impact_set_percussion(impact, body, &push);
      add_contact(impact, body, PC_OBSTACLE, 1, k);
      pc_solve_info info;
      assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
      double v;
      pc_impact_velocity(impact, body, &v);
      assert_near(v, 0.4, 1e-6); // mean velocity -0.3
      assert_int_equal(info.status, PC_SOLVED);
      push = 0.3 * k; // away from the obstacle: adhesion holds it
      pc_impact_set_percussion(impact, body, &push);
      assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
      pc_impact_velocity(impact, body, &v);
      assert_near(v, 1.6, 1e-6);
      pc_impact_destroy(impact);
    }
  pc_impact *alone = pc_impact_create();
  int body = add_point(alone, 1, 0);
  pc_impact_set_percussion(alone, body, (double[]){1});
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(alone, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_FAILED);
  assert_non_null(strstr(pc_impact_error(alone), "balance"));
  pc_impact_destroy(alone);
}

static void islands_are_solved_apart(void **state)
{
  pc_impact *impact = pc_impact_create();
  for (int i = 0; i < 5; i++) {
    add_point(impact, 1, 1);
    add_point(impact, 1 + i, 0);
    add_contact(impact, 2 * i, 2 * i + 1, -1, 8);
  }
  int wall = add_point(impact, INFINITY, 0);
  add_contact(impact, 0, wall, 1, 0);
  add_contact(impact, 2, wall, 1, 0); // an immovable body joins nothing
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
  assert_int_equal(info.islands, 5);
  assert_int_equal(info.status, PC_SOLVED);
  assert_true(info.audit.closed);
  pc_impact_destroy(impact);
}

static void immovable_bodies_that_meet_are_not_solved(void **state)
{
  pc_impact *impact = pc_impact_create();
  add_point(impact, INFINITY, 1);
  add_point(impact, INFINITY, -1);
  add_contact(impact, 0, 1, -1, 0);
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
  assert_int_equal(info.status, PC_INACCURATE);
  pc_impact_destroy(impact);
}

// A wall that moves does work: it throws the ball back, and the energy balance closes.
static void moving_obstacles_are_in_the_account(void **state)
{
  for (int by_body = 0; by_body < 2; by_body++) {
    pc_impact *impact = pc_impact_create();
    int ball = add_point(impact, 2, -1);
    pc_interaction c = pc_interaction_default(PC_CONTACT);
    c.bodies[0] = ball;
    c.law.normal = (pc_normal_law){.kind = PC_NORMAL_RESTITUTION, .e = 1};
    if (by_body)
      c.bodies[1] = add_point(impact, INFINITY, 3);
    else
      c.given[0] = -3;
    assert_int_equal(pc_impact_add_interaction(impact, &c), 0);
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
    double v;
    pc_impact_velocity(impact, ball, &v);
    assert_near(v, 7, 1e-12);
    assert_near(info.audit.work_prescribed, 48, 1e-10);
    assert_near(info.audit.kinetic_after - info.audit.kinetic_before, 48, 1e-10);
    assert_true(info.audit.closed);
    pc_impact_destroy(impact);
  }
}

static void bounds_push_bodies_apart(void **state)
{
  pc_impact *impact = pc_impact_create();
  int ball = add_point(impact, 2, 0);
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  c.bodies[0] = ball;
  c.bound = 0.5;
  pc_impact_add_interaction(impact, &c);
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(impact, NULL, &info), PC_OK);
  double v;
  pc_impact_velocity(impact, ball, &v);
  assert_near(v, 0.5, 1e-12);
  assert_near(info.audit.dissipated_bounds, -0.25, 1e-12); // it gave energy, and is booked so
  assert_true(info.audit.closed);
  pc_impact_destroy(impact);
}

static void a_warm_start_costs_nothing(void **state)
{
  pc_random random = test_random("a_warm_start_costs_nothing");
  for (int i = 0; i < test_count(100); i++) {
    problem_kind kind = {.max_bodies = 20, .max_interactions = 40, .mass_decades = 1};
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    pc_impact *impact = random_problem_build(&problem, NULL, NULL, 1);
    pc_solve_options options = pc_solve_options_default();
    options.solver = "nsgs";
    pc_solve_info cold, warm;
    assert_int_equal(pc_impact_solve(impact, &options, &cold), PC_OK);
    options.warm_start = true;
    assert_int_equal(pc_impact_solve(impact, &options, &warm), PC_OK);
    assert_int_equal(warm.status, PC_SOLVED);
    assert_true(warm.iterations <= 5 || warm.iterations <= cold.iterations);
    pc_impact_destroy(impact);
    random_problem_free(&problem);
  }
}

static void answers_repeat_bit_for_bit(void **state)
{
  static const char *const solvers[] = {"ipm", "nsgs", "uzawa", "apgd", "auto"};
  pc_random random = test_random("answers_repeat_bit_for_bit");
  for (int i = 0; i < test_count(100); i++) {
    problem_kind kind = {.max_bodies = 20, .max_interactions = 40, .mass_decades = 2};
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    for (int s = 0; s < 5; s++) {
      double u[2][40][6] = {{{0}}};
      for (int t = 0; t < 2; t++) {
        pc_impact *impact = random_problem_build(&problem, NULL, NULL, 1);
        pc_solve_options options = pc_solve_options_default();
        options.solver = solvers[s];
        pc_solve_info info;
        assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
        for (int b = 0; b < problem.bodies; b++)
          pc_impact_velocity(impact, b, u[t][b]);
        pc_impact_destroy(impact);
      }
      assert_memory_equal(u[0], u[1], sizeof u[0]);
    }
    random_problem_free(&problem);
  }
}

// Velocities of an interaction are as large as the free ones, and as the energy lets them become:
// |D| <= sqrt(w) |y|. w is the trace of B M^-1 B^T, here from dense matrices.
static void an_interaction_has_the_size_of_its_response(void **state)
{
  pc_random random = test_random("an_interaction_has_the_size_of_its_response");
  for (int i = 0; i < test_count(200); i++) {
    int plane = i % 2, rolls = i / 2 % 2, bodies = 1 + i / 4 % 2, dof = plane ? 3 : 6;
    pc_impact *impact = pc_impact_create();
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    double trace = 0;
    random_vector(&random, plane ? 2 : 3, 1, contact.point);
    random_vector(&random, plane ? 2 : 3, 1, contact.normal);
    for (int b = 0; b < bodies; b++) {
      pc_impact_body body = pc_impact_body_default();
      double response[36] = {0}, arm[3];
      body.dof = dof;
      body.mass = random_decades(&random, 0.1, 10);
      random_vector(&random, plane ? 2 : 3, 1, body.position);
      random_vector(&random, dof, 1, body.velocity);
      for (int k = 0; k < 3; k++)
        arm[k] = contact.point[k] - body.position[k];
      memset(body.inertia, 0, sizeof body.inertia);
      if (plane) {
        body.inertia[0] = random_decades(&random, 0.1, 10);
        trace += 2 / body.mass + (pc_dot3(arm, arm) + rolls) / body.inertia[0];
      } else {
        random_spd(&random, 3, body.inertia);
        double turn[9] = {0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0};
        memcpy(response, body.inertia, sizeof body.inertia);
        assert_true(pc_dense_factor(3, response, 0));
        for (int k = 0; k < 3; k++) { // rows of the arm, and of the spin
          double moment[3], spin[3] = {k == 0, k == 1, k == 2}, unit[3];
          memcpy(moment, turn + 3 * k, sizeof moment);
          memcpy(unit, spin, sizeof unit);
          pc_dense_solve(3, response, moment);
          pc_dense_solve(3, response, spin);
          trace += 1 / body.mass + pc_dot3(turn + 3 * k, moment) + rolls * pc_dot3(unit, spin);
        }
      }
      assert_int_equal(pc_impact_add_body(impact, &body), b);
    }
    contact.bodies[1] = bodies > 1 ? 1 : PC_OBSTACLE;
    contact.law.tangential = (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB,
                                                 .mu = {0.3, 0.3},
                                                 .on = PC_ON_AFTER,
                                                 .rolls = rolls,
                                                 .rolling = 0.01};
    assert_int_equal(pc_impact_add_interaction(impact, &contact), 0);
    pc_solve_options options = pc_solve_options_default();
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
    pc_interaction_state at;
    pc_interaction_state_of(impact, &impact->interaction.at[0], &at);
    double root = (at.size - impact->speed) / sqrt(2 * impact->free_energy);
    assert_near(root, sqrt(trace), 1e-10 * sqrt(trace));
    pc_impact_destroy(impact);
  }
}

static void wrong_arguments_are_refused(void **state)
{
  pc_impact *impact = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  body.mass = -1;
  assert_int_equal(pc_impact_add_body(impact, &body), -1);
  body.mass = NAN;
  assert_int_equal(pc_impact_add_body(impact, &body), -1);
  body = pc_impact_body_default();
  body.dof = 4;
  assert_int_equal(pc_impact_add_body(impact, &body), -1);
  assert_non_null(strstr(pc_impact_error(impact), "dof"));
  body.dof = 6;
  body.inertia[1] = 0.5; // not symmetric
  assert_int_equal(pc_impact_add_body(impact, &body), -1);
  body = pc_impact_body_default();
  assert_int_equal(pc_impact_add_body(impact, &body), 0);
  pc_interaction c = pc_interaction_default(PC_CONTACT);
  memset(c.normal, 0, sizeof c.normal);
  assert_int_equal(pc_impact_add_interaction(impact, &c), -1);
  assert_non_null(strstr(pc_impact_error(impact), "normal"));
  c = pc_interaction_default(PC_CONTACT);
  c.bodies[1] = 7;
  assert_int_equal(pc_impact_add_interaction(impact, &c), -1);
  c.bodies[1] = 0;
  assert_int_equal(pc_impact_add_interaction(impact, &c), -1);
  c.bodies[1] = PC_OBSTACLE;
  c.law.normal.kind = PC_NORMAL_POWER;
  c.law.normal.p = 1;
  assert_int_equal(pc_impact_add_interaction(impact, &c), -1);
  c = pc_interaction_default(PC_CONTACT);
  c.normal[0] = 1e-300; // short, but a direction
  assert_int_equal(pc_impact_add_interaction(impact, &c), 0);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.solver = "magic";
  assert_int_equal(pc_impact_solve(impact, &options, &info), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(pc_impact_error(impact), "magic"));
  options.solver = "auto";
  assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_SOLVED);
  pc_impact_destroy(impact);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(local_solutions_are_minima),
      cmocka_unit_test(nearest_percussion_is_the_percussion),
      cmocka_unit_test(block_solutions_obey_their_law),
      cmocka_unit_test(coupled_masses_act_as_one_matrix),
      cmocka_unit_test(response_problems_equal_problems_with_bodies),
      cmocka_unit_test(light_bodies_keep_their_digits),
      cmocka_unit_test(stiff_laws_are_elastic),
      cmocka_unit_test(reactions_need_no_motion_before),
      cmocka_unit_test(quasi_static_percussions_balance),
      cmocka_unit_test(islands_are_solved_apart),
      cmocka_unit_test(immovable_bodies_that_meet_are_not_solved),
      cmocka_unit_test(moving_obstacles_are_in_the_account),
      cmocka_unit_test(bounds_push_bodies_apart),
      cmocka_unit_test(a_warm_start_costs_nothing),
      cmocka_unit_test(answers_repeat_bit_for_bit),
      cmocka_unit_test(an_interaction_has_the_size_of_its_response),
      cmocka_unit_test(wrong_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
