// The laws of a chain that act at once, against closed forms and projections.
#include "chains.h"

static test_chain t;

// The nearest velocities, in the metric of the masses, that do not approach: neighbours that do are
// pooled (isotonic regression). It is the inelastic impact of a chain whose balls all touch.
static void pool(int n, const double *mass, const double *velocity, double *out)
{
  double weight[MOST_BALLS], value[MOST_BALLS];
  int size[MOST_BALLS], blocks = 0;
  for (int i = 0; i < n; i++) {
    weight[blocks] = mass[i], value[blocks] = velocity[i], size[blocks] = 1;
    for (blocks++; blocks > 1 && value[blocks - 2] >= value[blocks - 1]; blocks--) {
      int a = blocks - 2, b = blocks - 1;
      double sum = weight[a] + weight[b];
      value[a] = (weight[a] * value[a] + weight[b] * value[b]) / sum;
      weight[a] = sum;
      size[a] += size[b];
    }
  }
  for (int b = 0, i = 0; b < blocks; b++)
    for (int k = 0; k < size[b]; k++)
      out[i++] = value[b];
}

static void same_restitution(double e)
{
  for (int i = 0; i < t.chain.balls; i++)
    t.contact[i].restitution = e;
}

static void newton_reverses_every_relative_velocity(void **state)
{
  chain_start(&t, 3, PC_CHAIN_NEWTON, 1);
  chain_solve(&t);
  assert_velocities(&t, 1e-15, -1.0 / 3, 2.0 / 3, 2.0 / 3);
  assert_near(t.answer.matrix_gain, 1, 1e-9);
  pc_random random = test_random("newton");
  for (int k = 0; k < test_count(100); k++) {
    chain_random(&t, &random, PC_CHAIN_NEWTON);
    for (int i = 1; i < t.chain.balls; i++) // none separates
      t.before[i] = t.before[i - 1] - pc_random_uniform(&random, 0, 1);
    chain_solve(&t);
    for (int i = 0; i + 1 < t.chain.balls; i++)
      assert_near(t.after[i + 1] - t.after[i],
                  t.contact[i].restitution * (t.before[i] - t.before[i + 1]), 1e-13);
  }
}

static void newton_leaves_contacts_alone_that_separate(void **state)
{
  chain_start(&t, 4, PC_CHAIN_NEWTON, 1);
  t.before[3] = 5;
  chain_solve(&t);
  assert_velocities(&t, 1e-15, -1.0 / 3, 2.0 / 3, 2.0 / 3, 5);
  assert_near(t.percussion[2], 0, 0);
}

// The energy of relative motion after over that before, for gamma- = (cos a, sin a).
static double gain_of(const double *matrix, double angle)
{
  t.law.matrix = matrix;
  double g1 = cos(angle), g2 = sin(angle), total = 0, momentum = 0;
  t.before[0] = 0, t.before[1] = g1, t.before[2] = g1 + g2;
  for (int i = 0; i < 3; i++)
    total += t.mass[i], momentum += t.mass[i] * t.before[i];
  for (int i = 0; i < 3; i++)
    t.before[i] -= momentum / total;
  chain_solve(&t);
  return t.answer.measures.ker;
}

static void the_gain_of_a_matrix_is_the_largest_over_all_velocities(void **state)
{
  pc_random random = test_random("matrix gain");
  for (int k = 0; k < test_count(20); k++) {
    chain_start(&t, 3, PC_CHAIN_MATRIX, 1);
    double matrix[4], best = 0;
    for (int i = 0; i < 4; i++)
      matrix[i] = pc_random_uniform(&random, -1, 1);
    for (int i = 0; i < 3; i++)
      t.mass[i] = pc_random_uniform(&random, 0.2, 2);
    for (int i = 0; i < 2000; i++)
      best = fmax(best, gain_of(matrix, i * 3.14159265358979 / 2000));
    assert_near(t.answer.matrix_gain, best, 1e-5 * best);
  }
}

static void a_matrix_that_gains_energy_is_caught(void **state)
{
  // All coefficients are below 1, and yet both relative velocities grow by 1.2 (after 2.14).
  static const double matrix[4] = {0.6, 0.6, 0.6, 0.6};
  chain_start(&t, 3, PC_CHAIN_MATRIX, 1);
  t.law.matrix = matrix;
  t.before[2] = -1;
  chain_solve(&t);
  assert_near(t.answer.measures.ker, 1.44, 1e-12);
  assert_near(t.answer.matrix_gain, 1.44, 1e-9);
  assert_false(t.answer.measures.energetic);
  // Newton's law with unequal coefficients: the velocities that gain are not these.
  chain_start(&t, 3, PC_CHAIN_NEWTON, 1);
  t.contact[1].restitution = 0;
  chain_solve(&t);
  assert_true(t.answer.measures.energetic);
  assert_true(t.answer.matrix_gain > 1.1);
}

static void a_sequence_of_equal_elastic_balls_is_newtons_cradle(void **state)
{
  chain_start(&t, 7, PC_CHAIN_SEQUENTIAL, 1);
  t.before[1] = 1; // two arrive, two leave
  chain_solve(&t);
  assert_velocities(&t, 0, 0, 0, 0, 0, 0, 1, 1);
  assert_int_equal(t.answer.steps, 10);
}

static void a_sequence_by_hand(void **state)
{
  // e = 1/2: (1, 0, 0) -> (1/4, 3/4, 0) -> (1/4, 3/16, 9/16) -> (13/64, 15/64, 9/16).
  chain_start(&t, 3, PC_CHAIN_SEQUENTIAL, 0.5);
  chain_solve(&t);
  assert_velocities(&t, 0, 13.0 / 64, 15.0 / 64, 9.0 / 16);
  assert_int_equal(t.answer.steps, 3);
}

static void the_order_of_equal_times_decides(void **state)
{
  // Masses 1, 2, 1 and velocities 2, 0, -1, elastic. Left first: (-2/3, 4/3, -1) -> (-2/3, -2/9,
  // 19/9). Right first: (2, -2/3, 1/3) -> (-14/9, 10/9, 1/3) -> (-14/9, 16/27, 37/27).
  chain_start(&t, 3, PC_CHAIN_SEQUENTIAL, 1);
  t.mass[1] = 2;
  t.before[0] = 2, t.before[2] = -1;
  chain_solve(&t);
  assert_velocities(&t, 1e-14, -2.0 / 3, -2.0 / 9, 19.0 / 9);
  t.law.order = PC_CHAIN_ORDER_FASTEST;
  chain_solve(&t);
  assert_velocities(&t, 1e-14, -2.0 / 3, -2.0 / 9, 19.0 / 9);
  t.law.order = PC_CHAIN_ORDER_RIGHT;
  chain_solve(&t);
  assert_velocities(&t, 1e-14, -14.0 / 9, 16.0 / 27, 37.0 / 27);
}

static void gaps_make_the_order_of_a_sequence(void **state)
{
  // The left contact is open: the right one comes first, though the left is looked at first.
  chain_start(&t, 3, PC_CHAIN_SEQUENTIAL, 1);
  t.mass[1] = 2;
  t.before[0] = 2, t.before[2] = -1;
  t.contact[0].gap = 0.25;
  chain_solve(&t);
  assert_velocities(&t, 1e-14, -14.0 / 9, 16.0 / 27, 37.0 / 27);
  assert_near(t.answer.duration, 3.0 / 14, 1e-15); // 3/32, then 9/7 of it
}

static void infinitely_many_collisions_end_together(void **state)
{
  chain_start(&t, 3, PC_CHAIN_SEQUENTIAL, 0.05);
  chain_solve(&t);
  assert_velocities(&t, 1e-8, 1.0 / 3, 1.0 / 3, 1.0 / 3);
}

static void moreau_is_a_projection_weighted_by_e(void **state)
{
  pc_random random = test_random("moreau");
  double pooled[MOST_BALLS];
  for (int k = 0; k < test_count(200); k++) {
    chain_random(&t, &random, PC_CHAIN_MOREAU);
    double e = t.contact[0].restitution;
    same_restitution(e);
    pool(t.chain.balls, t.mass, t.before, pooled);
    chain_solve(&t);
    // V+ + e V- = (1 + e) proj(V-).
    for (int i = 0; i < t.chain.balls; i++)
      assert_near(t.after[i], (1 + e) * pooled[i] - e * t.before[i], 1e-8);
  }
}

static void poisson_gives_back_e_times_the_compression(void **state)
{
  pc_random random = test_random("poisson");
  double pressed[MOST_BALLS], out[MOST_BALLS], p[MOST_BALLS];
  for (int k = 0; k < test_count(200); k++) {
    chain_random(&t, &random, PC_CHAIN_POISSON);
    int n = t.chain.balls;
    pool(n, t.mass, t.before, pressed);
    pc_chain_percussions((size_t)n, t.mass, t.before, pressed, p);
    for (int i = 0; i < n; i++) {
      double left = i > 0 ? t.contact[i - 1].restitution * p[i - 1] : 0;
      double right = i + 1 < n ? t.contact[i].restitution * p[i] : 0;
      pressed[i] += (left - right) / t.mass[i];
    }
    pool(n, t.mass, pressed, out);
    chain_solve(&t);
    for (int i = 0; i < n; i++)
      assert_near(t.after[i], out[i], 1e-8);
  }
}

static void fremond_dissipates_by_k_and_at_a_distance(void **state)
{
  // Two balls: p = k (c - p/(2 mu)), c = 1, mu = 1/2.
  const double k[2] = {3, 3}, big[2] = {1e9, 1e9}, none[2] = {0, 0};
  chain_start(&t, 2, PC_CHAIN_FREMOND, 1);
  t.law.k = k;
  chain_solve(&t);
  assert_near(t.percussion[0], 3.0 / (1 + 3), 1e-10);
  assert_near(t.dissipated[0], t.percussion[0] * t.percussion[0] / 3, 1e-10);
  chain_start(&t, 3, PC_CHAIN_FREMOND, 1);
  t.law.k = big;
  chain_solve(&t);
  assert_velocities(&t, 1e-8, -1.0 / 3, 2.0 / 3, 2.0 / 3);
  t.law.k = none;
  chain_solve(&t);
  assert_velocities(&t, 1e-9, 1.0 / 3, 1.0 / 3, 1.0 / 3);
  // An elastic interaction of the first and the last ball: the cradle.
  pc_chain_distance distance = {{0, 2}, 1e9};
  t.law.distances = 1;
  t.law.distance = &distance;
  chain_solve(&t);
  assert_velocities(&t, 1e-8, 0, 0, 1);
}

static void walls_take_momentum_and_nothing_else(void **state)
{
  for (int kind = 0; kind < PC_CHAIN_LAWS; kind++) {
    chain_start(&t, 2, (pc_chain_law_kind)kind, 1);
    const double identity[4] = {1, 0, 0, 1}, big[3] = {1e9, 1e9, 1e9};
    t.law.matrix = identity;
    t.law.k = big;
    t.chain.wall_right = true;
    t.mass[0] = 0.7;
    chain_solve(&t);
    double momentum = 0.7 - (0.7 * t.after[0] + t.after[1]);
    assert_near(t.percussion[1], momentum, 1e-8);
    assert_near(t.answer.measures.ker, 1, 1e-7);
    assert_true(t.answer.walls_kept);
    // Seen in a mirror.
    double left = t.after[0], right = t.after[1], p0 = t.percussion[0], p1 = t.percussion[1];
    t.chain.wall_right = false, t.chain.wall_left = true;
    t.mass[0] = 1, t.mass[1] = 0.7;
    t.before[0] = 0, t.before[1] = -1;
    t.law.order = PC_CHAIN_ORDER_RIGHT;
    chain_solve(&t);
    assert_velocities(&t, 1e-8, -right, -left);
    assert_near(t.percussion[0], p1, 1e-8);
    assert_near(t.percussion[1], p0, 1e-8);
  }
}

static void momentum_is_kept_and_the_account_closes(void **state)
{
  pc_random random = test_random("all laws");
  for (int kind = 0; kind < PC_CHAIN_LAWS; kind++)
    for (int k = 0; k < test_count(100); k++) {
      double matrix[64], stiff[8];
      chain_random(&t, &random, (pc_chain_law_kind)kind);
      for (int i = 0; i < 64; i++)
        matrix[i] = pc_random_uniform(&random, -0.3, 0.6);
      for (int i = 0; i < 8; i++)
        stiff[i] = exp(pc_random_uniform(&random, -3, 3));
      t.law.matrix = matrix;
      t.law.k = stiff;
      chain_solve(&t);
      const pc_chain_measures *m = &t.answer.measures;
      assert_true(m->momentum_kept);
      double lost = 0;
      for (int i = 0; i + 1 < t.chain.balls; i++)
        lost += t.dissipated[i];
      assert_near(m->kinetic_before - m->kinetic_after, lost, 1e-7 * m->kinetic_before);
      // What these laws promise: Newton's and a matrix nothing, those of impact problems only where
      // no contact separates before, Poisson's no loss when the coefficients differ.
      bool parts = false;
      for (int i = 0; i + 1 < t.chain.balls; i++)
        parts = parts || t.before[i] < t.before[i + 1];
      bool at_once = kind != PC_CHAIN_SEQUENTIAL && kind != PC_CHAIN_LZB && kind != PC_CHAIN_HERTZ;
      if (kind == PC_CHAIN_NEWTON || kind == PC_CHAIN_MATRIX || (at_once && parts))
        continue;
      if (!(m->kinematic && m->kinetic && (m->energetic || kind == PC_CHAIN_POISSON)))
        fail_msg("%s, case %d: kinematic %d, kinetic %d, energetic %d",
                 pc_chain_law_name(t.law.kind), k, m->kinematic, m->kinetic, m->energetic);
    }
}

static void refuse(const char *word)
{
  pc_error error = {0};
  t.answer.velocity = t.after;
  assert_int_equal(pc_chain_solve(&t.chain, &t.law, &t.options, &t.answer, &error),
                   PC_ERROR_ARGUMENT);
  assert_says(error.text, word);
}

static void nonsense_is_refused(void **state)
{
  chain_start(&t, 1, PC_CHAIN_LZB, 1), refuse("two balls");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.mass[1] = -1, refuse("ball 2");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.before[2] = NAN, refuse("ball 3");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.contact[1].restitution = 1.1, refuse("restitution");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.contact[0].stiffness = 0, refuse("stiffness");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.contact[0].gap = -1, refuse("gap");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.chain.exponent = 0.5, refuse("exponent");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.options.tolerance = 0, refuse("tolerance");
  chain_start(&t, 3, PC_CHAIN_LZB, 1), t.chain.press = 1, refuse("static force");
  chain_start(&t, 3, PC_CHAIN_MATRIX, 1), refuse("matrix");
  chain_start(&t, 3, PC_CHAIN_NEWTON, 1), t.chain.wall_left = t.chain.wall_right = true,
                                          refuse("two walls");
  static pc_chain_distance distance = {{0, 3}, 1};
  chain_start(&t, 3, PC_CHAIN_FREMOND, 1), t.law.distances = 1, t.law.distance = &distance,
                                           refuse("distance");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newton_reverses_every_relative_velocity),
      cmocka_unit_test(newton_leaves_contacts_alone_that_separate),
      cmocka_unit_test(the_gain_of_a_matrix_is_the_largest_over_all_velocities),
      cmocka_unit_test(a_matrix_that_gains_energy_is_caught),
      cmocka_unit_test(a_sequence_of_equal_elastic_balls_is_newtons_cradle),
      cmocka_unit_test(a_sequence_by_hand),
      cmocka_unit_test(the_order_of_equal_times_decides),
      cmocka_unit_test(gaps_make_the_order_of_a_sequence),
      cmocka_unit_test(infinitely_many_collisions_end_together),
      cmocka_unit_test(moreau_is_a_projection_weighted_by_e),
      cmocka_unit_test(poisson_gives_back_e_times_the_compression),
      cmocka_unit_test(fremond_dissipates_by_k_and_at_a_distance),
      cmocka_unit_test(walls_take_momentum_and_nothing_else),
      cmocka_unit_test(momentum_is_kept_and_the_account_closes),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
