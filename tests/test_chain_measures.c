// Measures of a chain: energy, dispersion, angles, percussions and consistencies against closed
// forms, and the corner that a chain of three is.
#include "support.h"

#include <string.h>

#include "percuss/chain_bounds.h"

enum { MOST = 24 };

static pc_chain_measures measure(size_t n, const double *mass, const double *before,
                                 const double *after)
{
  pc_chain_measures m;
  pc_error error;
  assert_ok(pc_chain_measure(n, mass, before, after, NULL, 1e-9, &m, &error), &error);
  return m;
}

// A random chain, struck by its first ball, and a random outcome that is ordered, keeps momentum
// and has `ker` of the energy.
static void random_outcome(pc_random *random, size_t n, double ker_share, double *mass,
                           double *before, double *after)
{
  double total = 0, mean = 0, spread = 0;
  for (size_t i = 0; i < n; i++) {
    mass[i] = exp(pc_random_uniform(random, -2, 2));
    before[i] = i == 0 ? 1 : 0;
    after[i] = (i > 0 ? after[i - 1] : 0) - log(1 - pc_random_uniform(random, 0, 1));
    total += mass[i];
    mean += mass[i] * after[i];
  }
  mean /= total;
  for (size_t i = 0; i < n; i++)
    spread += mass[i] * (after[i] - mean) * (after[i] - mean);
  double centre = mass[0] / total, least = centre, ker = least + ker_share * (1 - least);
  double factor = sqrt((ker - least) * mass[0] / spread);
  for (size_t i = 0; i < n; i++)
    after[i] = centre + factor * (after[i] - mean);
}

static void outcomes_of_three_equal_balls_have_their_published_measures(void **state)
{
  const double mass[] = {2, 2, 2}, before[] = {3, 0, 0};
  pc_chain_measures a = measure(3, mass, before, (double[]){0, 0, 3});
  assert_near(a.cke, sqrt(2), 1e-15);
  assert_near(a.ker, 1, 1e-15);
  assert_near(a.ker_min, 1. / 3, 1e-15);
  assert_near(a.percussion_ratio, 1, 1e-15);
  assert_int_equal(a.pattern, PC_CHAIN_PATTERN_II);
  assert_true(a.kinematic && a.kinetic && a.energetic && a.momentum_kept);
  pc_chain_measures b = measure(3, mass, before, (double[]){-1, 2, 2});
  assert_near(b.cke, sqrt(2) / 3, 1e-15);
  assert_near(b.ker, 1, 1e-15);
  assert_near(b.percussion_ratio, 0.5, 1e-15);
  assert_int_equal(b.pattern, PC_CHAIN_PATTERN_I);
  pc_chain_measures o = measure(3, mass, before, (double[]){1, 1, 1});
  assert_near(o.cke, 0, 1e-15);
  assert_near(o.ker, o.ker_min, 1e-15);
  assert_int_equal(o.pattern, PC_CHAIN_PATTERN_II);
}

static void the_same_impact_seen_from_the_other_end_has_the_same_measures(void **state)
{
  pc_random random = test_random("mirror");
  for (int trial = 0; trial < test_count(200); trial++) {
    size_t n = 2 + pc_random_below(&random, MOST - 2);
    double mass[MOST], before[MOST], after[MOST], far[3][MOST];
    random_outcome(&random, n, pc_random_uniform(&random, 0, 1), mass, before, after);
    for (size_t i = 0; i < n; i++) {
      far[0][i] = mass[n - 1 - i];
      far[1][i] = -before[n - 1 - i];
      far[2][i] = -after[n - 1 - i];
    }
    pc_chain_measures m = measure(n, mass, before, after);
    pc_chain_measures f = measure(n, far[0], far[1], far[2]);
    assert_near(f.cke, m.cke, 1e-12);
    assert_near(f.ker, m.ker, 1e-12);
    assert_near(f.ker_min, m.ker_min, 1e-12);
    assert_near(f.percussion_ratio * m.percussion_ratio, 1, 1e-9);
    assert_int_equal(f.pattern, m.pattern);
    assert_int_equal(f.kinetic, m.kinetic);
    if (n > 2) {
      assert_near(f.angle_min, m.angle_min, 1e-12);
      assert_near(f.angle_max, m.angle_max, 1e-12);
    }
  }
}

// The tail of an ordered chain is no slower than its centre of mass, which moves forward.
static void after_a_strike_balls_that_separate_were_pushed(void **state)
{
  pc_random random = test_random("pushed");
  for (int trial = 0; trial < test_count(500); trial++) {
    size_t n = 2 + pc_random_below(&random, MOST - 2);
    double mass[MOST], before[MOST], after[MOST], percussion[MOST];
    random_outcome(&random, n, pc_random_uniform(&random, 0, 1), mass, before, after);
    pc_chain_measures m = measure(n, mass, before, after);
    assert_true(m.kinematic && m.kinetic && m.energetic && m.momentum_kept);
    pc_chain_percussions(n, mass, before, after, percussion);
    // (2.8): M (u+ - u-) = W p, and its work is the loss of energy, (2.13).
    double work = 0;
    for (size_t i = 0; i < n; i++) {
      double got = (i > 0 ? percussion[i - 1] : 0) - (i + 1 < n ? percussion[i] : 0);
      assert_near(got, mass[i] * (after[i] - before[i]), 1e-12 * mass[0]);
      if (i + 1 < n)
        work += percussion[i] * (after[i + 1] - after[i] + before[i + 1] - before[i]) / 2;
    }
    assert_near(work, m.kinetic_after - m.kinetic_before, 1e-12 * mass[0]);
    assert_true(m.cke >= 0 && m.cke <= sqrt((double)n - 1) + 1e-12);
    assert_true(m.ker >= m.ker_min - 1e-12);
  }
}

static void every_inconsistency_is_named(void **state)
{
  const double mass[] = {1, 1, 1}, before[] = {1, 0, 0};
  pc_chain_measures m = measure(3, mass, before, (double[]){0.5, 0.5 - 1e-6, 1e-6});
  assert_true(!m.kinematic && m.kinetic && m.energetic);
  m = measure(3, mass, before, (double[]){-1, 1, 1});
  assert_true(m.kinematic && m.kinetic && !m.energetic);
  // The first two pull each other.
  m = measure(3, mass, (double[]){0, 1, 0}, (double[]){0.1, 0.1, 0.8});
  assert_true(m.kinematic && !m.kinetic && m.energetic);
  // Percussions that are given count, whatever the velocities say.
  pc_error error;
  assert_int_equal(pc_chain_measure(3, mass, before, (double[]){0, 0, 1}, (double[]){1, -1e-3},
                                    1e-9, &m, &error),
                   PC_OK);
  assert_true(!m.kinetic);
  // A wall behind the last ball: momentum comes from outside and says nothing about contacts.
  m = measure(3, mass, before, (double[]){-1, 0, 0});
  assert_true(!m.momentum_kept && !m.kinetic && m.kinematic && m.energetic);
  assert_int_equal(
      pc_chain_measure(3, mass, before, (double[]){-1, 0, 0}, (double[]){2, 2}, 1e-9, &m, &error),
      PC_OK);
  assert_true(m.kinetic && !m.momentum_kept);
  assert_int_equal(m.pattern, PC_CHAIN_PATTERN_I);
}

static void two_of_three_balls_may_rebound_from_a_heavy_one(void **state)
{
  const double mass[] = {1, 0.1, 30}, before[] = {1, 0, 0};
  pc_chain_measures m = measure(3, mass, before, (double[]){-0.7, -0.6, 1.76 / 30});
  assert_int_equal(m.pattern, PC_CHAIN_PATTERN_III);
  assert_true(m.kinematic && m.kinetic && m.energetic && m.momentum_kept);
}

// The angle between the surfaces of two contacts in the metric of kinetic energy is that between
// M^-1 grad g_1 and -M^-1 grad g_2, computed here from the vectors.
static void kinetic_angle_is_that_of_the_surfaces_in_the_metric_of_mass(void **state)
{
  pc_random random = test_random("angle");
  for (int trial = 0; trial < test_count(200); trial++) {
    double mass[3], angle, g[2][3] = {{-1, 1, 0}, {0, -1, 1}}, d[2][2] = {{0}};
    for (int i = 0; i < 3; i++)
      mass[i] = exp(pc_random_uniform(&random, -4, 4));
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        for (int k = 0; k < 3; k++)
          d[i][j] += g[i][k] * g[j][k] / mass[k];
    pc_chain_kinetic_angles(3, mass, &angle);
    assert_near(cos(angle), -d[0][1] / sqrt(d[0][0] * d[1][1]), 1e-14);
    assert_true(angle > 0 && angle < acos(0));
  }
  double angle;
  pc_chain_kinetic_angles(3, (double[]){1, 1, 1}, &angle);
  assert_near(angle, acos(-1) / 3, 1e-15);
  pc_chain_kinetic_angles(3, (double[]){1, 1e-12, 1}, &angle);
  assert_near(angle / sqrt(2e-12), 1, 1e-9);
  pc_chain_kinetic_angles(3, (double[]){1, 1e12, 1}, &angle);
  assert_near(angle, acos(0), 2e-12);
}

// Proposition 2.5. Elastic collisions of the balls, one after the other, are the reflections of a
// particle in a corner of the kinetic angle: there the rays unfold to a straight line, which meets
// as many images of the walls as it needs to leave.
static void three_balls_collide_as_often_as_a_particle_in_a_corner(void **state)
{
  pc_random random = test_random("corner");
  const double pi = acos(-1);
  for (int trial = 0; trial < test_count(500); trial++) {
    double mass[3], angle;
    for (int i = 0; i < 3; i++)
      mass[i] = exp(pc_random_uniform(&random, -3, 3));
    pc_chain_kinetic_angles(3, mass, &angle);
    double x[3] = {0, pc_random_uniform(&random, 0.1, 1), 0}, v[3] = {1, 0, 0};
    x[2] = x[1] + pc_random_uniform(&random, 0.1, 1);
    // Polar angle of the particle's straight way in the plane of the relative motion: Jacobi's
    // coordinates r = sqrt(mu_12) g_1 and s = sqrt(mu_123) (x_3 - centre of 1 and 2).
    double pair = mass[0] + mass[1], total = pair + mass[2];
    double a = sqrt(mass[0] * mass[1] / pair), b = sqrt(pair * mass[2] / total);
    double r = a * (x[1] - x[0]), s = b * (x[2] - (mass[0] * x[0] + mass[1] * x[1]) / pair);
    double dr = a * (v[1] - v[0]), ds = b * (v[2] - (mass[0] * v[0] + mass[1] * v[1]) / pair);
    // Wall 1 is r = 0, polar angle pi/2; the corner opens from there to pi/2 - angle. Straight on
    // the polar angle goes from that of the position to that of the velocity.
    double start = atan2(s, r), end = atan2(ds, dr);
    double turn = remainder(end - start, 2 * pi), swept = start + turn;
    int images = swept > pi / 2 ? (int)ceil((swept - pi / 2) / angle)
                                : (int)ceil((pi / 2 - angle - swept) / angle);
    images = images < 0 ? 0 : images;
    double doubt = remainder((swept - pi / 2) / angle, 1);
    int collisions = 0;
    for (;;) {
      double t[2];
      for (int i = 0; i < 2; i++)
        t[i] = v[i] > v[i + 1] ? (x[i + 1] - x[i]) / (v[i] - v[i + 1]) : INFINITY;
      int c = t[0] < t[1] ? 0 : 1;
      if (isinf(t[c]))
        break;
      for (int i = 0; i < 3; i++)
        x[i] += v[i] * t[c];
      x[c + 1] = x[c];
      double centre = (mass[c] * v[c] + mass[c + 1] * v[c + 1]) / (mass[c] + mass[c + 1]);
      v[c] = 2 * centre - v[c];
      v[c + 1] = 2 * centre - v[c + 1];
      collisions++;
    }
    if (fabs(doubt) > 1e-6)
      assert_int_equal(collisions, images);
    pc_chain_measures m = measure(3, mass, (double[]){1, 0, 0}, v);
    assert_near(m.ker, 1, 1e-12);
    assert_true(m.kinematic && m.kinetic);
    // No path in a corner has more than ceil(pi / angle) reflections.
    assert_true(collisions <= (int)ceil(pi / angle));
  }
}

static void chains_that_make_no_sense_are_refused(void **state)
{
  pc_chain_measures m;
  pc_error error;
  const double one[] = {1, 1}, bad[] = {1, 0}, lost[] = {NAN, 0};
  assert_int_equal(pc_chain_measure(1, one, one, one, NULL, 0, &m, &error), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_measure(2, bad, one, one, NULL, 0, &m, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "ball 2"));
  assert_int_equal(pc_chain_measure(2, one, one, lost, NULL, 0, &m, &error), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_measure(2, one, one, one, NULL, -1, &m, &error), PC_ERROR_ARGUMENT);
  assert_int_equal(pc_chain_measure(2, one, bad, one, NULL, 0, &m, NULL), PC_OK);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outcomes_of_three_equal_balls_have_their_published_measures),
      cmocka_unit_test(the_same_impact_seen_from_the_other_end_has_the_same_measures),
      cmocka_unit_test(after_a_strike_balls_that_separate_were_pushed),
      cmocka_unit_test(every_inconsistency_is_named),
      cmocka_unit_test(two_of_three_balls_may_rebound_from_a_heavy_one),
      cmocka_unit_test(kinetic_angle_is_that_of_the_surfaces_in_the_metric_of_mass),
      cmocka_unit_test(three_balls_collide_as_often_as_a_particle_in_a_corner),
      cmocka_unit_test(chains_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
