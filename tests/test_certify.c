// The bound of the error (pc_impact_certify) against references on ten problems, each stopped at
// several tolerances: never below the error, and near it.
#include <math.h>
#include <string.h>

#include "bench/hard_problems.h"
#include "impact/laws/fenchel.h"
#include "percuss/impact.h"
#include "problems.h"
#include "support.h"

static const double tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 2e-8};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

// A problem that can be built again and again, with its masses for the energy norm.
typedef struct trial {
  const char *name;
  hard_problem hard;
  random_problem random;
  pc_law law; // of all contacts of the hard problem
  int balls;  // of a chain
} trial;

static pc_impact *build_chain(const trial *t)
{
  pc_impact *problem = pc_impact_create();
  assert_non_null(problem);
  for (int i = 0; i < t->balls; i++) {
    pc_impact_body ball = pc_impact_body_default();
    ball.dof = 1;
    ball.mass = 1 + i % 3;
    ball.velocity[0] = i == 0 ? 1 : 0;
    pc_impact_add_body(problem, &ball);
  }
  for (int i = 0; i + 1 < t->balls; i++) {
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    contact.bodies[0] = i;
    contact.bodies[1] = i + 1;
    contact.normal[0] = -1;
    contact.law = t->law;
    assert_int_equal(pc_impact_add_interaction(problem, &contact), i);
  }
  return problem;
}

static pc_impact *build(const trial *t)
{
  pc_impact *problem = t->balls > 0           ? build_chain(t)
                       : t->random.bodies > 0 ? random_problem_build(&t->random, NULL, NULL, 1)
                                              : hard_build(&t->hard, &t->law);
  assert_non_null(problem);
  return problem;
}

static double square(int n, const double *mass, int stride, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += x[i] * mass[i * stride + j] * x[j];
  return sum;
}

// |U - V|_M, from the masses of the trial; V = NULL: of U itself.
static double distance(const trial *t, const pc_impact *a, const pc_impact *b)
{
  double sum = 0;
  for (int i = 0; i < pc_impact_bodies(a); i++) {
    double u[6], v[6] = {0},
                 mass = t->balls > 0           ? 1 + i % 3
                        : t->random.bodies > 0 ? t->random.body[i].mass
                                               : t->hard.body[i].mass;
    const double *inertia = t->balls > 0           ? NULL
                            : t->random.bodies > 0 ? t->random.body[i].inertia
                                                   : t->hard.body[i].inertia;
    int dof = pc_impact_dof(a, i), space = dof == 6 ? 3 : dof == 3 ? 2 : dof;
    pc_impact_velocity(a, i, u);
    if (b != NULL)
      pc_impact_velocity(b, i, v);
    for (int j = 0; j < dof; j++)
      u[j] -= v[j];
    if (isfinite(mass))
      sum += mass * square(space, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, u);
    if (dof == 3 && isfinite(inertia[0]))
      sum += inertia[0] * u[2] * u[2];
    if (dof == 6 && isfinite(inertia[0]))
      sum += square(3, inertia, 3, u + 3);
  }
  return sqrt(sum);
}

static pc_law law_of(pc_normal_kind normal, double k, pc_tangential_kind tangential, double mu)
{
  pc_law law = pc_interaction_default(PC_CONTACT).law;
  law.normal.kind = normal;
  law.normal.k = law.normal.e = k;
  law.tangential.kind = tangential;
  law.tangential.k = law.tangential.mu[0] = mu;
  law.tangential.on = PC_ON_AFTER;
  return law;
}

static pc_impact *solve_reference(const trial *t)
{
  pc_solve_info info;
  pc_impact *problem = build(t);
  pc_solve_options options = {.solver = "ipm", .tolerance = 1e-12};
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_SOLVED);
  return problem;
}

// Stops the solver early and compares what the certificate says with the error. Round-off of the
// check itself is some 1e-7 of the motion, so at tolerances below 1e-6 it may be all that is left.
static void check_trial(const trial *t, const char *solver)
{
  pc_impact *reference = solve_reference(t);
  double worst = 0, uncertain = 0;
  printf("%s (%d interactions), by %s\n", t->name, pc_impact_interactions(reference), solver);
  printf("  tolerance     error     least     bound  bound/error\n");
  for (int i = 0; i < TOLERANCES; i++) {
    pc_impact *problem = build(t);
    pc_solve_info info;
    pc_certificate certificate;
    pc_solve_options options = {.solver = solver, .tolerance = tolerances[i]};
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(pc_impact_certify(problem, NULL, &certificate), PC_OK);
    double error = distance(t, problem, reference), ratio = certificate.bound / error;
    printf("  %9.0e  %.2e  %.2e  %.2e  %.3g, estimate/error %.3g\n", tolerances[i], error,
           certificate.least, certificate.bound, ratio, info.velocity_error / error);
    assert_true(info.velocity_error > 0.1 * error && info.velocity_error < 10 * error);
    assert_true(certificate.certified && certificate.reason == NULL);
    assert_true(certificate.frozen == (t->law.tangential.kind == PC_TANGENTIAL_COULOMB));
    assert_true(certificate.shift <= 1e-13); // 0 but where bodies are wedged
    assert_true(certificate.least <= error && error <= certificate.bound);
    // Both are as far from the estimate, unless that reaches to 0.
    assert_true(certificate.least >= 0);
    assert_true(certificate.least + certificate.bound >= 2 * certificate.estimate * (1 - 1e-6));
    assert_true(certificate.rms > 0 && certificate.estimate <= certificate.bound);
    if (tolerances[i] > 9e-7) {
      assert_true(ratio <= 10);
      worst = fmax(worst, ratio);
      uncertain = certificate.bound;
    } else {
      assert_true(certificate.bound <= fmax(10 * error, uncertain));
    }
    pc_impact_destroy(problem);
  }
  printf("  largest ratio down to 1e-6: %.3g\n", worst);
  pc_impact_destroy(reference);
}

static const pc_tangential_kind none = PC_TANGENTIAL_NONE, viscous = PC_TANGENTIAL_VISCOUS,
                                rough = PC_TANGENTIAL_COULOMB;

// A crowded random problem of all convex laws without ties, which has something to be wrong about.
static void create_mixed(random_problem *problem, pc_random *random)
{
  problem_kind all = {.max_bodies = 40, .max_interactions = 160, .mass_decades = 2};
  for (bool suits = false; !suits;) {
    random_problem_create(problem, random, &all);
    suits = problem->interactions > 60;
    for (int k = 0; k < problem->interactions; k++)
      suits = suits && problem->interaction[k].law.normal.kind != PC_NORMAL_BILATERAL &&
              problem->interaction[k].law.tangential.kind != PC_TANGENTIAL_BILATERAL;
    if (!suits)
      random_problem_free(problem);
  }
}

static void test_ten_problems(void **state)
{
  pc_random random = test_random("certify"), chosen;
  pc_random_seed(&chosen, 1); // one whose solvers all find the same of its solutions
  trial list[] = {
      {.name = "packing without friction",
       .hard = hard_packing(4, 5, 0, 1.03, &random),
       .law = law_of(PC_NORMAL_INELASTIC, 0, none, 0)},
      {.name = "packing, quadratic and viscous",
       .hard = hard_packing(4, 5, 0, 1.03, &random),
       .law = law_of(PC_NORMAL_QUADRATIC, 300, viscous, 100)},
      {.name = "stack, restitution",
       .hard = hard_stack(12, 0, 0, 0.01),
       .law = law_of(PC_NORMAL_RESTITUTION, 0.5, none, 0)},
      {.name = "arch, viscous",
       .hard = hard_arch(11, 0.2, 0),
       .law = law_of(PC_NORMAL_INELASTIC, 0, viscous, 10)},
      {.name = "chain, quadratic", .balls = 40, .law = law_of(PC_NORMAL_QUADRATIC, 1, none, 0)},
      {.name = "all convex laws"},
      {.name = "packing with friction",
       .hard = hard_packing(4, 5, 0, 1.03, &chosen),
       .law = law_of(PC_NORMAL_INELASTIC, 0, rough, 0.3)},
      {.name = "stack on a moving floor",
       .hard = hard_stack(8, 0, 0.3, 0.01),
       .law = law_of(PC_NORMAL_INELASTIC, 0, rough, 0.3)},
      {.name = "arch with friction",
       .hard = hard_arch(11, 0.2, 0),
       .law = law_of(PC_NORMAL_INELASTIC, 0, rough, 0.5)},
      {.name = "heavy on light",
       .hard = hard_stack(6, 0, 0.1, 0.01),
       .law = law_of(PC_NORMAL_INELASTIC, 0, rough, 0.4)},
  };
  create_mixed(&list[5].random, &random);
  hard_make_heavier(&list[9].hard, 5, 100);
  int problems = sizeof list / sizeof *list, wanted = test_count(40);
  for (int i = 0; i < problems; i++) {
    if (wanted >= problems || i * wanted / problems != (i + 1) * wanted / problems) {
      check_trial(&list[i], "nsgs");
      check_trial(&list[i], "uzawa");
    }
    hard_free(&list[i].hard);
    random_problem_free(&list[i].random);
  }
}

// Fenchel's gap against its definition, with the conjugate by brute force.
static double brute_gap(const pc_row_law *row, double p, double d)
{
  double from = isfinite(row->bound) ? row->bound : -60, best = -INFINITY;
  for (double x = from; x < 60; x += 1e-3)
    best = fmax(best, p * x - 2 * row->ops->value(row, 0.5 * (x + row->before)));
  return 2 * row->ops->value(row, 0.5 * (d + row->before)) + best - p * d;
}

static void test_gaps(void **state)
{
  pc_random random = test_random("gaps");
  static const pc_normal_kind kinds[] = {PC_NORMAL_INELASTIC, PC_NORMAL_QUADRATIC, PC_NORMAL_POWER,
                                         PC_NORMAL_THRESHOLD, PC_NORMAL_PENETRABLE};
  int count = test_count(400), exact = 0;
  for (int i = 0; i < count; i++) {
    pc_normal_law law = {.kind = kinds[pc_random_below(&random, 5)],
                         .k = pc_random_below(&random, 4) == 0 ? 0 : random_decades(&random, .5, 5),
                         .p = pc_random_uniform(&random, 1.5, 3),
                         .k0 = pc_random_uniform(&random, 0, 2),
                         .u_lim = pc_random_uniform(&random, 0, .5)};
    bool bounded = law.kind == PC_NORMAL_INELASTIC ||
                   (law.kind != PC_NORMAL_PENETRABLE && pc_random_below(&random, 2) == 0);
    double before = pc_random_normal(&random), bound = bounded ? pc_random_normal(&random) : 0;
    double d = bounded ? bound + fabs(pc_random_normal(&random)) : pc_random_normal(&random);
    pc_row_law row = {.ops = pc_row_ops_of(law.kind)};
    row.ops->scale(&row, &law, 1, 1);
    row.before = before;
    row.bound = bounded ? bound : -INFINITY;
    pc_normal_row of = {&law, bounded, pc_exactly(before), pc_exactly(d), pc_exactly(bound)};
    pc_gap gap = {0};
    double p = pc_normal_admit(&law, bounded, pc_random_normal(&random));
    pc_normal_gap(&of, p, &gap);
    double brute = brute_gap(&row, p, d);
    assert_true(gap.shift == 0 && gap.energy >= brute * (1 - 1e-9) - 1e-13);
    // Where the law is obeyed the gap is nothing but round-off.
    double slope, r = pc_row_solve(&row, 1, d, &slope);
    of.after = pc_exactly(d + r);
    gap = (pc_gap){0};
    pc_normal_gap(&of, pc_normal_admit(&law, bounded, -r), &gap);
    assert_true(gap.energy <= 1e-13 * (1 + fabs(r)) * (1 + fabs(r)) * (1 + fabs(d)));
    exact += !bounded || law.k == 0;
  }
  assert_true(exact > 0);
}

// Friction with a threshold: zero where it opposes the motion fully, at rest, never negative.
static void test_disc_gaps(void **state)
{
  pc_random random = test_random("discs");
  for (int i = 0; i < test_count(2000); i++) {
    double mu[2] = {pc_random_uniform(&random, 0.1, 1), pc_random_uniform(&random, 0.1, 1)};
    double push = pc_random_uniform(&random, 0, 3), v[2], p[2], weighted = 0, inside = 0;
    random_vector(&random, 2, 1, v);
    random_vector(&random, 2, 2, p);
    for (int j = 0; j < 2; j++)
      weighted += mu[j] * mu[j] * v[j] * v[j];
    pc_interval velocity[2] = {pc_exactly(v[0]), pc_exactly(v[1])};
    pc_disc_admit(2, mu, push, p);
    for (int j = 0; j < 2; j++)
      inside += p[j] * p[j] / (mu[j] * mu[j]);
    assert_true(sqrt(inside) <= push);
    pc_gap gap = {0};
    pc_disc_gap(2, mu, push, velocity, p, &gap);
    double want = push * sqrt(weighted) - (p[0] * v[0] + p[1] * v[1]);
    assert_true(gap.energy >= want && gap.energy <= want + 1e-13);
    for (int j = 0; j < 2; j++)
      p[j] = push * mu[j] * mu[j] * v[j] / sqrt(weighted);
    pc_disc_admit(2, mu, push, p);
    gap = (pc_gap){0};
    pc_disc_gap(2, mu, push, velocity, p, &gap);
    assert_true(gap.energy < 1e-13);
  }
}

// All convex laws, ties too: the bound is never below the distance from a reference, up to the
// digits that the reference has itself. With ties it is for bounds that are met as well as numbers
// can.
static void test_random_problems(void **state)
{
  pc_random random = test_random("random problems");
  problem_kind kind = {.max_bodies = 12, .max_interactions = 40, .mass_decades = 2};
  int certified = 0, shifted = 0, count = test_count_long(60, 1000);
  for (int i = 0; i < count; i++) {
    trial t = {.name = "random"};
    random_problem_create(&t.random, &random, &kind);
    pc_impact *reference = build(&t), *problem = build(&t);
    pc_solve_info info, early;
    pc_solve_options loose = {.solver = "nsgs", .tolerance = random_decades(&random, 1e-6, 1e-2)};
    assert_int_equal(pc_impact_solve(reference, NULL, &info), PC_OK);
    assert_int_equal(pc_impact_solve(problem, &loose, &early), PC_OK);
    pc_certificate certificate;
    assert_int_equal(pc_impact_certify(problem, NULL, &certificate), PC_OK);
    if (certificate.certified && info.status == PC_SOLVED) {
      certified++;
      shifted += certificate.shift > 0;
      assert_true(certificate.shift <= 1e-11);
      double error = distance(&t, problem, reference);
      double motion = sqrt(2 * fmax(info.audit.kinetic_before, info.audit.kinetic_after));
      double slack = (certificate.shift > 0 ? 1e-9 : 1e-11) * motion;
      if (!(error <= certificate.bound + slack && certificate.least <= error + slack))
        fail_msg("problem %d: error %.3e, certified %.3e to %.3e, shift %.1e", i, error,
                 certificate.least, certificate.bound, certificate.shift);
    }
    pc_impact_destroy(problem);
    pc_impact_destroy(reference);
    random_problem_free(&t.random);
  }
  printf("%d of %d certified, %d of them with ties or wedged bodies\n", certified, count, shifted);
  assert_true(certified > 0.9 * count);
}

// The answer and what follows from it are as they were.
static void test_answer_is_kept(void **state)
{
  trial t = {.name = "stack",
             .hard = hard_stack(5, 0, 0.3, 0.01),
             .law = law_of(PC_NORMAL_INELASTIC, 0, rough, 0.3)};
  pc_impact *problem = build(&t), *same = build(&t);
  pc_solve_options options = {.solver = "nsgs", .tolerance = 1e-3};
  pc_solve_info info;
  pc_certificate certificate;
  pc_interaction_answer a, b;
  assert_int_equal(pc_impact_certify(problem, NULL, &certificate), PC_OK);
  assert_false(certificate.certified);
  assert_says(certificate.reason, "the problem has not been solved");
  for (int round = 0; round < 2; round++) {
    options.warm_start = round == 1;
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    assert_int_equal(pc_impact_certify(problem, &(pc_solve_options){.threads = 2}, &certificate),
                     PC_OK);
    assert_int_equal(pc_impact_solve(same, &options, &info), PC_OK);
    assert_true(distance(&t, problem, same) == 0);
    for (int k = 0; k < pc_impact_interactions(problem); k++) {
      pc_impact_answer(problem, k, &a);
      pc_impact_answer(same, k, &b);
      assert_memory_equal(&a, &b, sizeof a);
    }
  }
  pc_impact_destroy(problem);
  pc_impact_destroy(same);
  hard_free(&t.hard);
}

// A ball between two walls, pressed on both: no motion leaves both, so the bound is for walls that
// are a round-off apart.
static void test_wedged_ball(void **state)
{
  pc_impact *problem = pc_impact_create();
  pc_impact_body ball = pc_impact_body_default();
  ball.dof = 2;
  ball.velocity[0] = 1. / 3;
  ball.velocity[1] = -0.7;
  pc_impact_add_body(problem, &ball);
  for (int side = 0; side < 2; side++) {
    pc_interaction wall = pc_interaction_default(PC_CONTACT);
    wall.bodies[1] = PC_OBSTACLE;
    double s = side == 0 ? 1 : -1;
    memcpy(wall.normal, (double[]){0.6 * s, 0.8 * s, 0}, sizeof wall.normal);
    assert_int_equal(pc_impact_add_interaction(problem, &wall), side);
  }
  pc_solve_info info;
  pc_certificate certificate;
  assert_int_equal(pc_impact_solve(problem, NULL, &info), PC_OK);
  assert_int_equal(pc_impact_certify(problem, NULL, &certificate), PC_OK);
  assert_true(certificate.certified && certificate.shift > 0 && certificate.shift < 1e-14);
  assert_true(certificate.bound < 1e-6);
  pc_impact_destroy(problem);
}

static void test_refusals(void **state)
{
  pc_solve_info info;
  pc_certificate certificate;
  pc_impact *problem = pc_impact_create();
  double block = 0.1;
  pc_impact_body ball = pc_impact_body_default();
  ball.dof = 1;
  pc_impact_add_body(problem, &ball);
  pc_impact_add_body(problem, &ball);
  assert_int_equal(pc_impact_couple_mass(problem, 0, 1, &block), PC_OK);
  assert_int_equal(pc_impact_solve(problem, NULL, &info), PC_OK);
  assert_int_equal(pc_impact_certify(problem, NULL, &certificate), PC_OK);
  assert_false(certificate.certified);
  assert_says(certificate.reason, "masses of bodies are coupled");
  pc_impact_destroy(problem);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ten_problems),   cmocka_unit_test(test_gaps),
      cmocka_unit_test(test_disc_gaps),      cmocka_unit_test(test_random_problems),
      cmocka_unit_test(test_answer_is_kept), cmocka_unit_test(test_wedged_ball),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
