// Friction problems that sweeps cannot solve: stacks, arches, packings, large mass ratios. Every
// answer is checked by a residual of its own (bench/hard_problems.h).
#include "bench/hard_problems.h"
#include "percuss/impact.h"
#include "problems.h"
#include "support.h"

static const double gravity = 9.81;

typedef struct score {
  int problems, solved, iterations, worst_iterations;
  double worst;
} score;

static void attempt(score *s, const hard_problem *m, const char *solver, double tolerance,
                    const char *name)
{
  pc_impact *problem = hard_build(m, NULL);
  pc_solve_options options = pc_solve_options_default();
  options.solver = solver;
  options.tolerance = tolerance;
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  double error = hard_error(m, problem);
  s->problems++;
  s->iterations += info.iterations;
  s->worst = fmax(s->worst, error);
  if (info.iterations > s->worst_iterations)
    s->worst_iterations = info.iterations;
  // The two residuals have different norms, but not very different ones.
  bool good = info.status == PC_SOLVED && error <= 10 * tolerance;
  s->solved += good;
  if (getenv("COULOMB_VERBOSE") != NULL || !good)
    printf("  %s, %s: mu %.2f, %d contacts of %d, %s, %s, %d iterations, residual %.2g, error "
           "%.2g, %.2f ms\n",
           name, solver, m->contact[0].mu, m->contacts, m->bodies, info.solver,
           pc_solve_status_name(info.status), info.iterations, info.residual, error,
           1e3 * info.time_s);
  pc_impact_destroy(problem);
}

static void print_score(const char *name, const char *solver, const score *s)
{
  printf("%s, %s: %d of %d solved, %.1f iterations each, at most %d, worst error %.2g\n", name,
         solver, s->solved, s->problems, (double)s->iterations / s->problems, s->worst_iterations,
         s->worst);
}

static const char *const solvers[] = {"ipm", "auto"};

static void stacks_are_solved(void **state)
{
  for (int i = 0; i < 2; i++) {
    pc_random random = test_random("stacks");
    score s = {0};
    static const int fixed[] = {20, 50};
    for (int k = 0; k < test_count(36); k++) {
      int kind = k % 4, count = k < 8 ? fixed[k / 4] : 5 + pc_random_below(&random, 46);
      double mu = k < 8 ? (kind == 1 ? 0.3 : 0.5) : pc_random_uniform(&random, 0.15, 0.9);
      hard_problem m = hard_stack(count, mu, kind == 1 ? 0.1 : 0, 0.01);
      static const char *const names[] = {"kicked stack", "shaken stack", "heavy top",
                                          "alternating masses"};
      if (kind != 1)
        m.body[count - 1].velocity[0] = 0.5;
      if (kind == 2)
        hard_make_heavier(&m, count - 1, 1e4);
      for (int b = 1; b < count && kind == 3; b += 2)
        hard_make_heavier(&m, b, 1e4);
      attempt(&s, &m, solvers[i], 1e-8, names[kind]);
      hard_free(&m);
    }
    print_score("stacks", solvers[i], &s);
    assert_int_equal(s.solved, s.problems);
  }
}

static void arches_are_solved(void **state)
{
  for (int i = 0; i < 2; i++) {
    pc_random random = test_random("arches");
    score s = {0};
    for (int k = 0; k < test_count(24); k++) {
      int count = k == 0 ? 21 : k == 1 ? 41 : 7 + pc_random_below(&random, 55);
      double thickness = k < 2 ? 0.2 : pc_random_uniform(&random, 0.12, 0.3);
      double mu = k < 2 ? 0.7 : pc_random_uniform(&random, 0.25, 1);
      hard_problem m = hard_arch(count, thickness, mu);
      attempt(&s, &m, solvers[i], 1e-8, "arch");
      hard_free(&m);
    }
    print_score("arches", solvers[i], &s);
    assert_int_equal(s.solved, s.problems);
  }
}

static void packings_are_solved(void **state)
{
  for (int i = 0; i < 2; i++) {
    pc_random random = test_random("packings");
    score s = {0};
    for (int k = 0; k < test_count(18); k++) {
      int side = 4 + pc_random_below(&random, 2), layers = 6 + pc_random_below(&random, 6);
      static const double reach[] = {1.02, 1.08, 1.12};
      double mu = pc_random_uniform(&random, 0.1, 1);
      hard_problem m = hard_packing(side, layers, mu, reach[k % 3], &random);
      attempt(&s, &m, solvers[i], 1e-8, "packing");
      hard_free(&m);
    }
    print_score("packings", solvers[i], &s);
    // Now and then one of the loose ones is nearly jammed, see below.
    assert_true(s.solved >= s.problems - s.problems / 18);
  }
}

// A heavy box on a light one: nothing moves.
static void a_heavy_box_rests_on_a_light_one(void **state)
{
  for (int k = 0; k < 24; k++) {
    double ratio = k % 2 == 0 ? 1e3 : 1e4, step = k / 2 % 2 == 0 ? 1e-3 : 1e-2;
    double tolerance = pow(10, -6 - 2 * (k / 4 % 3));
    hard_problem m = hard_stack(2, 0.5, 0, step);
    hard_make_heavier(&m, 1, ratio);
    pc_impact *problem = hard_build(&m, NULL);
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = tolerance;
    options.solver = k < 12 ? "auto" : "ipm";
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(info.status, PC_SOLVED);
    double error = hard_error(&m, problem), u[6], moves = 0;
    pc_impact_velocity(problem, 0, u);
    for (int j = 0; j < 6; j++)
      moves = fmax(moves, fabs(u[j]));
    if (getenv("COULOMB_VERBOSE") != NULL)
      printf("  %g:1, tolerance %g, %s by %s: %d iterations, error %.2g, light box %.2g, %.3f ms\n",
             ratio, tolerance, options.solver, info.solver, info.iterations, error,
             moves / (gravity * step), 1e3 * info.time_s);
    assert_true(error <= 10 * tolerance);
    assert_true(moves <= 1e-8 * gravity * step);
    pc_impact_destroy(problem);
    hard_free(&m);
  }
}

// A heavy load on many light boxes with four corners each: redundant contacts make the steps of
// the interior point singular long before it is done.
static void heavy_tops_on_high_stacks_are_solved(void **state)
{
  static const int counts[] = {47, 65, 85, 100};
  static const double ratios[] = {30, 300, 3000};
  score s = {0};
  for (int k = 0; k < 12; k++) {
    int count = counts[k % 4];
    hard_problem m = hard_stack(count, 0.6 + 0.025 * k, 0, 0.01);
    m.body[count - 1].velocity[0] = 0.5;
    hard_make_heavier(&m, count - 1, ratios[k / 4]);
    attempt(&s, &m, "auto", 1e-8, "heavy top");
    hard_free(&m);
  }
  print_score("heavy tops", "auto", &s);
  assert_int_equal(s.solved, s.problems);
  assert_true(s.worst_iterations < 500); // no method that goes on for thousands
}

// Neighbours that only just touch everywhere. Most are solved, from a state of stress or along a
// path with turns. Of the others the answer says so, and its residual is what the independent one
// says.
static void nearly_jammed_packings_are_solved_or_reported(void **state)
{
  pc_random random = test_random("nearly_jammed_packings_are_solved_or_reported");
  int solved = 0, count = test_count(12);
  for (int k = 0; k < count; k++) {
    hard_problem m = hard_packing(4, 5, pc_random_uniform(&random, 0.1, 1), 1.05, &random);
    pc_impact *problem = hard_build(&m, NULL);
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = 1e-8;
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    double error = hard_error(&m, problem);
    if (getenv("COULOMB_VERBOSE") != NULL)
      printf("  %d contacts: %s, %d iterations, residual %.2g, error %.2g, %.1f ms\n", m.contacts,
             info.solver, info.iterations, info.residual, error, 1e3 * info.time_s);
    assert_true(info.status == PC_SOLVED || info.status == PC_INACCURATE);
    assert_int_equal(info.status == PC_SOLVED, info.residual <= options.tolerance);
    assert_true(error <= 10 * fmax(info.residual, 1e-12));
    assert_true(error <= 1e-3);
    solved += info.status == PC_SOLVED;
    pc_impact_destroy(problem);
    hard_free(&m);
  }
  printf("nearly jammed packings, auto: %d of %d solved\n", solved, count);
  assert_true(count < 6 || 6 * solved >= 5 * count); // of few, any may be one of the others
}

// One whose percussions are far larger than its momenta, and whose path to a solution turns often.
static void a_jammed_packing_is_solved(void **state)
{
  pc_random random;
  pc_random_seed(&random, 3);
  score s = {0};
  hard_problem m = hard_packing(4, 8, pc_random_uniform(&random, 0.1, 0.6), 1.05, &random);
  attempt(&s, &m, "auto", 1e-8, "jammed packing");
  hard_free(&m);
  print_score("a jammed packing", "auto", &s);
  assert_int_equal(s.solved, 1);
}

// From no friction to hardly any.
static void hardly_any_friction_is_solved(void **state)
{
  static const double mus[] = {0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2};
  for (int i = 0; i < 2; i++) {
    score s = {0};
    for (size_t k = 0; k < sizeof mus / sizeof *mus; k++) {
      hard_problem stack = hard_stack(20, mus[k], 0, 0.01), arch = hard_arch(21, 0.2, mus[k]);
      stack.body[19].velocity[0] = 0.5;
      attempt(&s, &stack, solvers[i], 1e-8, "slippery stack");
      attempt(&s, &arch, solvers[i], 1e-8, "slippery arch");
      hard_free(&stack);
      hard_free(&arch);
    }
    print_score("hardly any friction", solvers[i], &s);
    assert_int_equal(s.solved, s.problems);
  }
}

static void projected_gradients_solve_dense_packings(void **state)
{
  pc_random random = test_random("projected_gradients_solve_dense_packings");
  score s = {0};
  for (int k = 0; k < test_count(6); k++) {
    hard_problem m = hard_packing(4, 6, pc_random_uniform(&random, 0.2, 0.9), 1.15, &random);
    attempt(&s, &m, "apgd", 1e-8, "dense packing");
    hard_free(&m);
  }
  print_score("dense packings", "apgd", &s);
  assert_int_equal(s.solved, s.problems);
}

// A point that slides over a plane, or a line in the plane: closed forms.
static void a_sliding_point_has_its_closed_form(void **state)
{
  static const struct {
    pc_normal_law normal;
    pc_coulomb_on on;
    double push; // percussion of a unit mass that arrives with unit velocity
  } laws[] = {
      {{.kind = PC_NORMAL_INELASTIC}, PC_ON_AFTER, 1},
      {{.kind = PC_NORMAL_INELASTIC}, PC_ON_MEAN, 1},
      {{.kind = PC_NORMAL_RESTITUTION, .e = 0.5}, PC_ON_AFTER, 1.5},
      {{.kind = PC_NORMAL_RESTITUTION, .e = 0.5}, PC_ON_MOREAU, 1.5},
      // P = k (D+ + D-)/2 and D+ = D- - P with D- = -1 give -P = k/(1 + k/2).
      {{.kind = PC_NORMAL_QUADRATIC, .k = 6}, PC_ON_AFTER, 1.5},
      {{.kind = PC_NORMAL_QUADRATIC, .k = 6}, PC_ON_MEAN, 1.5},
      // k0 np(X + u_lim) with u_lim = 0 and k = 0: a force of k0 as long as it must.
      {{.kind = PC_NORMAL_THRESHOLD, .k0 = 1.25}, PC_ON_AFTER, 1.25},
  };
  static const double mus[] = {0, 1e-12, 1e-5, 0.3};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
    for (int n = 0; n < 4; n++)
      for (int dof = 2; dof <= 6; dof += 4) {
        pc_impact *problem = pc_impact_create();
        assert_non_null(problem);
        pc_impact_body b = pc_impact_body_default();
        b.dof = dof;
        b.velocity[0] = 3;
        b.velocity[dof == 2 ? 1 : 2] = -1;
        b.velocity[1] = dof == 2 ? -1 : 4;
        assert_int_equal(pc_impact_add_body(problem, &b), 0);
        pc_interaction c = pc_interaction_default(PC_CONTACT);
        c.bodies[0] = 0;
        c.bodies[1] = PC_OBSTACLE;
        memset(c.normal, 0, sizeof c.normal);
        c.normal[dof == 2 ? 1 : 2] = 2;
        c.law.normal = laws[k].normal;
        c.law.tangential =
            (pc_tangential_law){.kind = PC_TANGENTIAL_COULOMB, .mu = {mus[n], 0}, .on = laws[k].on};
        assert_int_equal(pc_impact_add_interaction(problem, &c), 0);
        pc_solve_options options = pc_solve_options_default();
        options.solver = "ipm";
        pc_solve_info info;
        assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
        assert_int_equal(info.status, PC_SOLVED);
        double u[6], slowed = mus[n] * laws[k].push;
        pc_impact_velocity(problem, 0, u);
        assert_near(u[0], dof == 2 ? 3 - slowed : 3 - 0.6 * slowed, 1e-9);
        assert_near(u[dof == 2 ? 1 : 2], laws[k].push - 1, 1e-9);
        if (dof == 6)
          assert_near(u[1], 4 - 0.8 * slowed, 1e-9);
        pc_impact_destroy(problem);
      }
}

// Every law, joints, rows, elliptic cones, friction on all three velocities, masses over 10^4.
static void mixed_problems_are_solved_where_sweeps_are(void **state)
{
  pc_random seeds = test_random("mixed_problems_are_solved_where_sweeps_are");
  uint64_t seed = pc_random_bits(&seeds) >> 16;
  int count = test_count(400), swept = 0, done[2] = {0};
  for (int i = 0; i < count; i++) {
    pc_random random;
    pc_random_seed(&random, seed + (uint64_t)i);
    problem_kind kind = {.max_bodies = 15, .max_interactions = 30, .mass_decades = 4};
    kind.coulomb = true;
    kind.friction_on_mean = i % 2 == 0;
    random_problem problem;
    random_problem_create(&problem, &random, &kind);
    bool by_sweeps = false;
    for (int k = -1; k < 2; k++) {
      pc_impact *impact = random_problem_build(&problem, NULL, NULL, 1);
      pc_solve_options options = pc_solve_options_default();
      options.solver = k < 0 ? "nsgs" : solvers[k];
      options.max_iterations = k < 0 ? 2000 : 0;
      pc_solve_info info;
      assert_int_equal(pc_impact_solve(impact, &options, &info), PC_OK);
      bool good = info.status == PC_SOLVED;
      assert_true(info.audit.identity <= 1e-11 && info.audit.momentum <= 1e-11);
      assert_true(!good || info.audit.wrong_signs == 0);
      if (k < 0) {
        by_sweeps = good;
        swept += good;
      } else {
        done[k] += good;
        if (by_sweeps && !good)
          fail_msg("problem %d: sweeps solve it, %s does not: %g", i, solvers[k], info.residual);
      }
      pc_impact_destroy(impact);
    }
    random_problem_free(&problem);
  }
  printf("mixed problems: nsgs %d, ipm %d, auto %d of %d\n", swept, done[0], done[1], count);
  assert_true(done[0] >= 0.98 * count && done[1] >= 0.98 * count);
}

// Boxes that slide and turn on four corners which are not quite in one plane: the load has to be
// handed over until one corner opens, a long way on which the residual hardly changes.
static void warped_faces_are_solved(void **state)
{
  for (int i = 0; i < 2; i++) {
    pc_random random = test_random("warped faces");
    score s = {0};
    for (int k = 0; k < test_count(200); k++) {
      int count = 1 + pc_random_below(&random, 4);
      hard_problem m = hard_stack(count, pc_random_uniform(&random, 0.2, 0.8), 0, 2e-3);
      double warp = pow(10, pc_random_uniform(&random, -8, -5));
      for (int b = 0; b < count; b++) {
        double *v = m.body[b].velocity;
        for (int j = 0; j < 2; j++)
          v[j] = pc_random_uniform(&random, -0.05, 0.05);
        v[5] = pc_random_uniform(&random, -0.1, 0.1);
      }
      for (int c = 0; c < m.contacts; c++)
        for (int j = 0; j < 2; j++)
          m.contact[c].normal[j] = warp * pc_random_uniform(&random, -1, 1);
      attempt(&s, &m, solvers[i], 1e-8, "warped faces");
      hard_free(&m);
    }
    print_score("warped faces", solvers[i], &s);
    assert_true(s.solved >= 0.99 * s.problems);
  }
}

// A lid that moves up and down only, on the four corners of the uppermost box.
static void add_guided_lid(pc_impact *problem, int top)
{
  pc_impact_body lid = pc_impact_body_default();
  lid.dof = 1;
  lid.mass = 50;
  lid.percussion[0] = -50 * gravity * 0.01;
  int index = pc_impact_add_body(problem, &lid);
  assert_true(index > top);
  for (int corner = 0; corner < 4; corner++) {
    double x = corner % 2 - 0.5, y = corner / 2 - 0.5, z = 0.5; // from the centre of the box
    const double up[3] = {1, 0, 0};
    const double box[18] = {0, 0, -1, -y, x, 0, -1, 0, 0, 0, -z, y, 0, -1, 0, z, 0, -x};
    pc_row_term terms[2] = {{index, up}, {top, box}};
    pc_interaction row = pc_interaction_default(PC_ROWS);
    row.rows = 3;
    row.terms = 2;
    row.term = terms;
    row.unilateral = true;
    row.law = pc_interaction_default(PC_CONTACT).law;
    row.law.tangential.kind = PC_TANGENTIAL_COULOMB;
    row.law.tangential.mu[0] = 0.4;
    row.law.tangential.on = PC_ON_AFTER;
    if (pc_impact_add_interaction(problem, &row) < 0)
      fail_msg("%s", pc_impact_error(problem));
  }
}

// Below 200 sweeps no plan has an interior point, also on islands that cannot be swept in packs.
static void few_sweeps_leave_out_the_interior_point(void **state)
{
  const int limits[] = {20, 199, 1000};
  for (int i = 0; i < 3; i++) {
    hard_problem m = hard_stack(12, 0.5, 0, 0.01);
    m.body[11].velocity[0] = 0.5;
    pc_impact *problem = hard_build(&m, NULL);
    add_guided_lid(problem, 11);
    pc_solve_options options = pc_solve_options_default();
    options.tolerance = 1e-4;
    options.max_iterations = limits[i];
    options.warm_start = options.gives_up = true;
    pc_solve_info info;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    printf("a guided lid, at most %d: %d iterations by %s, residual %.2g\n", limits[i],
           info.iterations, info.solver, info.residual);
    assert_true(info.iterations <= limits[i]);
    assert_string_equal(info.solver, limits[i] < 200 ? "nsgs" : "ipm");
    assert_int_equal(info.status, limits[i] < 200 ? PC_INACCURATE : PC_SOLVED);
    pc_impact_destroy(problem);
    hard_free(&m);
  }
}

// In a run the percussions of the last step are nearly those of this one.
static void a_second_solve_from_the_answer_is_cheap(void **state)
{
  hard_problem m = hard_stack(20, 0.5, 0, 0.01);
  m.body[19].velocity[0] = 0.5;
  pc_impact *problem = hard_build(&m, NULL);
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-6;
  pc_solve_info cold, warm;
  assert_int_equal(pc_impact_solve(problem, &options, &cold), PC_OK);
  options.warm_start = true;
  assert_int_equal(pc_impact_solve(problem, &options, &warm), PC_OK);
  assert_int_equal(warm.status, PC_SOLVED);
  assert_true(warm.iterations <= 5);
  pc_impact_destroy(problem);
  hard_free(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_are_solved),
      cmocka_unit_test(arches_are_solved),
      cmocka_unit_test(packings_are_solved),
      cmocka_unit_test(a_heavy_box_rests_on_a_light_one),
      cmocka_unit_test(heavy_tops_on_high_stacks_are_solved),
      cmocka_unit_test(nearly_jammed_packings_are_solved_or_reported),
      cmocka_unit_test(a_jammed_packing_is_solved),
      cmocka_unit_test(hardly_any_friction_is_solved),
      cmocka_unit_test(projected_gradients_solve_dense_packings),
      cmocka_unit_test(a_sliding_point_has_its_closed_form),
      cmocka_unit_test(mixed_problems_are_solved_where_sweeps_are),
      cmocka_unit_test(warped_faces_are_solved),
      cmocka_unit_test(few_sweeps_leave_out_the_interior_point),
      cmocka_unit_test(a_second_solve_from_the_answer_is_cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
