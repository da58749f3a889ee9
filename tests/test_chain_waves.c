// Chains whose contacts are compressed: LZB and Hertz, against each other, against an integration
// of their own and against closed forms.
#include "chains.h"

static test_chain t;

// Small steps of Verlet's scheme with Hertz's force, nothing lost: displacements, or compressions
// that forget gaps.
static void integrate(int n, const double *mass, const double *k, bool gaps, double h, double *v)
{
  double depth[16] = {0}, force[17] = {0};
  bool moves = true;
  for (long step = 0; moves; step++) {
    moves = step < 100;
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i + 1 < n; i++) {
        depth[i] += h / 2 * (v[i] - v[i + 1]);
        depth[i] = gaps ? depth[i] : fmax(depth[i], 0);
        force[i + 1] = depth[i] > 0 ? k[i] * depth[i] * sqrt(depth[i]) : 0;
        moves = moves || depth[i] > 0 || v[i] > v[i + 1] + 1e-9;
      }
      for (int i = 0; i < n && half == 0; i++)
        v[i] += h * (force[i] - force[i + 1]) / mass[i];
    }
  }
}

static void without_losses_the_balls_move_as_springs_let_them(void **state)
{
  pc_random random = test_random("lzb and hertz");
  for (int k = 0; k < test_count(20); k++) {
    bool gaps = k % 2 == 0;
    chain_start(&t, 2 + pc_random_below(&random, 6), gaps ? PC_CHAIN_HERTZ : PC_CHAIN_LZB, 1);
    double v[16] = {1}, stiffness[16];
    for (int i = 0; i < t.chain.balls; i++) {
      t.mass[i] = exp(pc_random_uniform(&random, -1, 1));
      stiffness[i] = t.contact[i].stiffness = pc_random_uniform(&random, 0.5, 2);
    }
    integrate(t.chain.balls, t.mass, stiffness, gaps, 1e-4, v);
    chain_solve(&t);
    for (int i = 0; i < t.chain.balls; i++)
      assert_near(t.after[i], v[i], gaps ? 1e-6 : 1e-4); // contacts open at whole steps
  }
}

static void equal_elastic_balls_of_hertz(void **state)
{
  for (int kind = PC_CHAIN_LZB; kind <= PC_CHAIN_HERTZ; kind++) {
    chain_start(&t, 3, (pc_chain_law_kind)kind, 1);
    chain_solve(&t);
    assert_velocities(&t, 1e-4, -0.0710, 0.0764, 0.9946);
    chain_start(&t, 10, (pc_chain_law_kind)kind, 1);
    chain_solve(&t);
    assert_velocities(&t, 1e-4, -0.0711, -0.0303, -0.0158, -0.0089, -0.0051, -0.0030, -0.0017,
                      0.0027, 0.1474, 0.9859);
  }
}

static void a_tolerance_is_kept(void **state)
{
  double exact[10];
  for (double e = 1; e > 0.3; e -= 0.3)
    for (int kind = PC_CHAIN_LZB; kind <= PC_CHAIN_HERTZ; kind++) {
      chain_start(&t, 10, (pc_chain_law_kind)kind, e);
      t.options.tolerance = 1e-13;
      chain_solve(&t);
      memcpy(exact, t.after, sizeof exact);
      for (double tolerance = 1e-6; tolerance > 1e-11; tolerance /= 100) {
        t.options.tolerance = tolerance;
        chain_solve(&t);
        // Over some hundred steps, and what is quiet is ten tolerances.
        for (int i = 0; i < 10; i++)
          assert_near(t.after[i], exact[i], 300 * tolerance);
      }
    }
}

static void two_balls_part_with_e(void **state)
{
  for (int compliance = 0; compliance < 3; compliance++)
    for (double e = 0.05; e < 1; e += 0.1)
      for (double exponent = 1; exponent < 3; exponent += 0.5) {
        chain_start(&t, 2, compliance < 2 ? PC_CHAIN_LZB : PC_CHAIN_HERTZ, e);
        t.law.compliance = compliance == 1 ? PC_CHAIN_MONO_STIFFNESS : PC_CHAIN_BI_STIFFNESS;
        t.chain.exponent = exponent;
        t.mass[0] = 3;
        chain_solve(&t);
        assert_near(t.after[1] - t.after[0], e, 1e-7);
        assert_near(t.dissipated[0], 0.75 / 2 * (1 - e * e), 1e-8);
      }
}

static void a_collision_lasts_as_long_as_hertz_says(void **state)
{
  // 2 sqrt(pi) Gamma(2/5) / (5 Gamma(9/10)) delta / c, delta = (5 mu c^2 / (4 K))^(2/5).
  chain_start(&t, 2, PC_CHAIN_HERTZ, 1);
  t.contact[0].stiffness = 7e6;
  t.contact[0].gap = 0.5;
  chain_solve(&t);
  double delta = pow(5 * 0.5 / (4 * 7e6), 0.4);
  double factor = 4 * sqrt(3.14159265358979) * tgamma(0.4) / (5 * tgamma(0.9));
  assert_near(t.answer.duration - 0.5, factor * delta, 1e-6 * delta);
  // A spring: half a period.
  t.chain.exponent = 1;
  chain_solve(&t);
  assert_near(t.answer.duration - 0.5, 3.14159265358979 * sqrt(0.5 / 7e6), 1e-10);
}

static void three_balls_stay_together_as_e_goes_to_zero(void **state)
{
  for (int compliance = 0; compliance < 3; compliance++) {
    double last = 1;
    for (double e = 0.8; e > 0; e = e < 1e-4 ? 0 : e / 8) {
      chain_start(&t, 3, compliance < 2 ? PC_CHAIN_LZB : PC_CHAIN_HERTZ, e);
      t.law.compliance = compliance == 1 ? PC_CHAIN_MONO_STIFFNESS : PC_CHAIN_BI_STIFFNESS;
      chain_solve(&t);
      assert_true(t.answer.measures.ker < last);
      assert_true(t.answer.measures.ker > 1.0 / 3 - 1e-9);
      last = t.answer.measures.ker + 1e-7;
    }
    assert_velocities(&t, 1e-3, 1.0 / 3, 1.0 / 3, 1.0 / 3);
  }
}

static void units_and_trains_change_nothing(void **state)
{
  double plain[6];
  for (int kind = PC_CHAIN_LZB; kind <= PC_CHAIN_HERTZ; kind++) {
    pc_random random = test_random("units");
    do
      chain_random(&t, &random, (pc_chain_law_kind)kind);
    while (t.chain.balls != 6);
    t.options.tolerance = 1e-12; // small e and late touches: errors grow a thousandfold
    chain_solve(&t);
    memcpy(plain, t.after, sizeof plain);
    for (int i = 0; i < 6; i++) {
      t.mass[i] *= 1e-3;
      t.before[i] = t.before[i] * 20 + 3;
      t.contact[i].stiffness *= 1e8;
    }
    chain_solve(&t);
    for (int i = 0; i < 6; i++)
      assert_near((t.after[i] - 3) / 20, plain[i], 1e-8);
  }
}

static void a_pressed_contact_swings_as_its_tangent(void **state)
{
  chain_start(&t, 2, PC_CHAIN_HERTZ, 1);
  t.before[0] = 1e-4;
  t.chain.press = 8; // delta = 4, K' = 3
  t.options.duration = 3.14159265358979 / sqrt(3 / 0.5);
  chain_solve(&t);
  assert_velocities(&t, 1e-9, 0, 1e-4);
  // Between walls the same force holds it.
  chain_start(&t, 2, PC_CHAIN_HERTZ, 1);
  t.chain.wall_left = t.chain.wall_right = true;
  t.before[0] = 1e-4, t.before[1] = 1e-4; // both swing against the walls: omega^2 = 3
  t.chain.press = 8;
  t.options.duration = 3.14159265358979 / sqrt(3);
  chain_solve(&t);
  assert_velocities(&t, 1e-8, -1e-4, -1e-4);
}

// The largest forces at two contacts, when they were, and the largest velocity between.
typedef struct passage {
  double force[2], time[2], speed;
} passage;

static bool pass(const pc_chain_sample *sample, void *context)
{
  passage *p = context;
  for (int k = 0; k < 2; k++)
    if (sample->force[100 + 200 * k] > p->force[k]) {
      p->force[k] = sample->force[100 + 200 * k];
      p->time[k] = sample->time;
    }
  p->speed = fmax(p->speed, sample->velocity[200]);
  return true;
}

static void a_long_chain_carries_nesterenkos_wave(void **state)
{
  passage p = {0};
  chain_start(&t, 500, PC_CHAIN_LZB, 1);
  t.options.tolerance = 1e-8;
  t.options.sample_every = 0.01;
  t.options.watch = pass;
  t.options.context = &p;
  chain_solve(&t);
  assert_near(t.after[499], 0.9857, 5e-4); // as from a short one
  assert_near(t.answer.measures.ker, 1, 1e-5);
  assert_near(p.force[1] / p.force[0], 1, 1e-4); // it keeps its shape
  double formula = pc_chain_wave_speed(1, 1, 1, p.speed);
  assert_near(200 / (p.time[1] - p.time[0]) / formula, 1, 0.015); // a long-wave approximation
}

static void what_is_left_alone_is_where_it_would_be(void **state)
{
  // Two carriers of momentum come from the ends and pass; what is between rests meanwhile.
  chain_start(&t, 12, PC_CHAIN_HERTZ, 1);
  const double before[12] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5};
  memcpy(t.before, before, sizeof before);
  for (int i = 0; i < 11; i++) {
    t.contact[i].gap = 30 + i;
    t.contact[i].stiffness = 1e12; // collisions take no time
  }
  chain_solve(&t);
  double duration = t.answer.duration;
  assert_velocities(&t, 1e-7, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  t.law.kind = PC_CHAIN_SEQUENTIAL; // points that swap velocities
  chain_solve(&t);
  assert_velocities(&t, 1e-12, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  assert_near(duration, t.answer.duration, 1e-2);
}

typedef struct story {
  double every, last, position[3], velocity[3], percussion[2];
  int count, stop_after;
  double worst; // of position against the integral of velocity
} story;

static bool watch(const pc_chain_sample *sample, void *context)
{
  story *s = context;
  if (s->every > 0)
    assert_near(sample->time, s->count * s->every, 1e-12);
  if (s->count > 0)
    assert_true(sample->time > s->last);
  double dt = sample->time - s->last;
  for (int i = 0; i < 3; i++) {
    double mean = (s->velocity[i] + sample->velocity[i]) / 2;
    if (s->count > 0)
      s->worst = fmax(s->worst, fabs(sample->position[i] - s->position[i] - mean * dt));
    s->position[i] = sample->position[i];
    s->velocity[i] = sample->velocity[i];
  }
  for (int i = 0; i < 2; i++) {
    assert_true(sample->percussion[i] >= s->percussion[i] - 1e-6);
    assert_true(sample->force[i] >= 0);
    if (sample->force[i] > 0)
      assert_near(sample->force[i], pow(sample->compression[i], 1.5), 1e-12);
    s->percussion[i] = sample->percussion[i];
  }
  s->last = sample->time;
  return ++s->count != s->stop_after;
}

static void samples_tell_the_motion(void **state)
{
  for (int kind = PC_CHAIN_LZB; kind <= PC_CHAIN_HERTZ; kind++) {
    chain_start(&t, 3, (pc_chain_law_kind)kind, 1);
    story s = {.every = 0.01};
    t.options.watch = watch;
    t.options.context = &s;
    t.options.sample_every = s.every;
    chain_solve(&t);
    assert_int_equal(s.count, (int)(t.answer.duration / s.every) + 1);
    assert_true(s.worst < 2e-7); // h^3 a' / 12
    long steps = t.answer.steps;
    s = (story){.stop_after = 5};
    t.options.sample_every = 0;
    chain_solve(&t);
    assert_int_equal(s.count, 5);
    assert_true(t.answer.steps < steps / 4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_losses_the_balls_move_as_springs_let_them),
      cmocka_unit_test(equal_elastic_balls_of_hertz),
      cmocka_unit_test(a_tolerance_is_kept),
      cmocka_unit_test(two_balls_part_with_e),
      cmocka_unit_test(a_collision_lasts_as_long_as_hertz_says),
      cmocka_unit_test(three_balls_stay_together_as_e_goes_to_zero),
      cmocka_unit_test(units_and_trains_change_nothing),
      cmocka_unit_test(a_pressed_contact_swings_as_its_tangent),
      cmocka_unit_test(a_long_chain_carries_nesterenkos_wave),
      cmocka_unit_test(what_is_left_alone_is_where_it_would_be),
      cmocka_unit_test(samples_tell_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
