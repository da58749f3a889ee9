// Two balls and a warm string: closed forms of the motion and of the temperatures, and the balances
// of energy and entropy.
#include "support.h"

#include <string.h>

#include "percuss/heat.h"

static const double pi = 3.14159265358979323846;

static pc_heat_string plain(void)
{
  return (pc_heat_string){.ball = {{.mass = 2, .capacity = 3}, {.mass = 3, .capacity = 5}},
                          .length = 0.7,
                          .stiffness = 40};
}

static void run(const pc_heat_string *s, pc_heat_string_state *state, double until)
{
  pc_error error;
  assert_ok(pc_heat_string_run(s, state, until, &error), &error);
}

// Slack: straight lines, and nothing changes its temperature.
static void a_slack_string_does_nothing(void **state)
{
  pc_heat_string s = plain();
  s.viscosity = 5;
  pc_heat_string_state at = {.position = {0, .5}, .velocity = {1, .9}, .temperature = {300, 300}};
  run(&s, &at, 1);
  assert_near(at.position[0], 1, 1e-13);
  assert_near(at.position[1], 1.4, 1e-13);
  assert_near(at.temperature[0], 300, 1e-10);
  assert_near(pc_heat_string_force(&s, &at), 0, 0);
  assert_int_equal(at.turns, 0);
}

// Without viscosity the distance has a period: half a swing on each side and twice the way across.
static void a_period_without_viscosity(void **state)
{
  pc_heat_string s = plain();
  double pulse = sqrt(s.stiffness * (1 / 2.0 + 1 / 3.0)), speed = 1.3;
  double period = 2 * (pi / pulse + 2 * s.length / speed);
  pc_heat_string_state at = {.velocity = {.3, .3 - speed}, .temperature = {280, 310}};
  double energy = pc_heat_string_energy(&s, &at);
  for (int n = 1; n <= 10; n++) {
    run(&s, &at, n * period);
    assert_near(at.position[0] - at.position[1], 0, 1e-9);
    assert_near(at.velocity[0] - at.velocity[1], speed, 1e-10);
    assert_int_equal(at.turns, 4 * n);
    assert_near(pc_heat_string_energy(&s, &at), energy, 1e-10 * energy);
    assert_near(at.position[0] * .4 + at.position[1] * .6, (.3 - .6 * speed) * n * period, 1e-8);
  }
}

// A taut string is a damped oscillator, under constant forces too, until it slackens.
static void a_damped_swing(void **state)
{
  pc_heat_string s = plain();
  s.viscosity = 1.5;
  s.ball[0].force = 4; // opposite forces keep it taut for a while
  s.ball[1].force = -2;
  double mass = 2 * 3 / 5.0;
  double pull = mass * (s.ball[0].force / 2 - s.ball[1].force / 3);
  double rest = s.length + pull / s.stiffness, g0 = s.length + .5, d0 = 1,
         rate = s.viscosity / (2 * mass);
  double pulse = sqrt(s.stiffness / mass - rate * rate), a = g0 - rest, b = (d0 + rate * a) / pulse;
  pc_heat_string_state at = {.position = {g0, 0}, .velocity = {d0, 0}, .temperature = {300, 305}};
  for (double t = .02; t < .32; t += .03) {
    run(&s, &at, t);
    double g = rest + exp(-rate * t) * (a * cos(pulse * t) + b * sin(pulse * t));
    assert_true(g > s.length);
    assert_near(at.position[0] - at.position[1], g, 1e-10);
  }
  assert_int_equal(at.turns, 0);
}

static pc_heat_string random_string(pc_random *random)
{
  pc_heat_string s = {.length = pc_random_uniform(random, .2, 1),
                      .stiffness = pc_random_uniform(random, 5, 200),
                      .viscosity = pc_random_uniform(random, 0, 10),
                      .capacity = pc_random_below(random, 2) * pc_random_uniform(random, 0, 3),
                      .exchange = pc_random_uniform(random, 0, .1),
                      .tolerance = 1e-11};
  for (int i = 0; i < 2; i++) {
    s.ball[i] = (pc_heat_ball){.mass = pc_random_uniform(random, .5, 2),
                               .capacity = pc_random_uniform(random, .1, 4),
                               .force = pc_random_uniform(random, -5, 5)};
    if (pc_random_below(random, 2) == 0) {
      s.ball[i].outside_exchange = pc_random_uniform(random, 0, 2);
      s.ball[i].outside = pc_random_uniform(random, 200, 400);
    }
  }
  return s;
}

static void energy_and_entropy_balance(void **state)
{
  pc_random random = test_random("strings");
  int turns = 0, count = test_count(100);
  for (int n = 0; n < count; n++) {
    pc_heat_string s = random_string(&random);
    pc_heat_string_state at = {.position = {pc_random_uniform(&random, -2, 2), 0},
                               .velocity = {pc_random_uniform(&random, -3, 3), 0},
                               .temperature = {250, 340}};
    double energy = pc_heat_string_energy(&s, &at), entropy = pc_heat_string_entropy(&s, &at);
    double produced = 0, dissipated = 0;
    for (int i = 1; i <= 5; i++) {
      run(&s, &at, i * .6);
      assert_near(pc_heat_string_energy(&s, &at), energy + at.received, 1e-8 * energy);
      assert_near(pc_heat_string_entropy(&s, &at), entropy + at.produced + at.entropy_received,
                  1e-8 * entropy);
      assert_true(at.produced >= produced && at.dissipated >= dissipated);
      produced = at.produced;
      dissipated = at.dissipated;
    }
    turns += at.turns;
  }
  assert_true(turns > 0);
}

// Differences of temperature fall at the rate lambda T0 (1/C1 + 1/C2) / 2; a string with a capacity
// follows the mean of the two, and takes a part of it unless they are equal.
static void differences_decay(void **state)
{
  pc_heat_string s = plain();
  s.exchange = 2e-3;
  for (int i = 0; i < 3; i++) {
    s.capacity = i;
    pc_heat_string_state at = {.temperature = {300, 300.001}};
    run(&s, &at, 4);
    double sum = 1 / 3.0 + 1 / 5.0, unequal = 1 / 3.0 - 1 / 5.0;
    double rate = 2e-3 * 300 / 2 * (sum - i / 4.0 * unequal * unequal / (1 + i * sum / 4));
    assert_near(at.temperature[1] - at.temperature[0], 1e-3 * exp(-rate * 4), 1e-8);
  }
}

// An insulated ball beside one in contact with an outside: C T' = exchange (outside - T).
static void an_outside_warms_a_ball(void **state)
{
  pc_heat_string s = plain();
  s.ball[1].outside_exchange = 2;
  s.ball[1].outside = 350;
  pc_heat_string_state at = {.temperature = {300, 280}};
  run(&s, &at, 3);
  assert_near(at.temperature[0], 300, 1e-9);
  assert_near(at.temperature[1], 350 - 70 * exp(-2 * 3 / 5.0), 1e-9);
  assert_near(at.received, 5 * (at.temperature[1] - 280), 1e-8);
}

// The work of viscosity warms both: all of it is heat when the swing has died away.
static void viscosity_becomes_heat(void **state)
{
  pc_heat_string s = plain();
  s.viscosity = 8;
  s.ball[1].capacity = s.ball[0].capacity;
  pc_heat_string_state at = {.position = {1.2, 0}, .temperature = {300, 300}};
  double stored = s.stiffness * .5 * .5 / 2;
  run(&s, &at, 2);
  double kinetic = at.velocity[0] * at.velocity[0] + 1.5 * at.velocity[1] * at.velocity[1];
  assert_int_equal(at.turns, 1); // it slackens and the balls drift together
  assert_near(at.dissipated, stored - kinetic, 1e-10);
  assert_near(at.temperature[0], 300 + at.dissipated / 6, 1e-9);
  assert_near(at.temperature[1], at.temperature[0], 1e-9);
}

// An exchange that is fast beside everything else: steps that were too long are taken again.
static void a_fast_exchange_evens_out(void **state)
{
  pc_error error;
  for (double exchange = 1; exchange <= 100; exchange *= 10) {
    pc_heat_string string = {.ball = {{.mass = 1, .capacity = 1}, {.mass = 2, .capacity = 2}},
                             .length = 1,
                             .stiffness = 100,
                             .exchange = exchange};
    pc_heat_string_state at = {.position = {-0.4, 0.4}, .temperature = {300, 400}};
    assert_int_equal(pc_heat_string_run(&string, &at, 3, &error), PC_OK);
    assert_near(at.temperature[0], 1100. / 3, 1e-6);
    assert_near(at.temperature[1], 1100. / 3, 1e-6);
    assert_true(at.produced > 0);
  }
}

static void wrong_numbers_are_named(void **state)
{
  pc_heat_string_state good = {.temperature = {300, 300}}, cold = {.temperature = {300, 0}};
  pc_heat_string s = plain(), none = plain(), light = plain();
  none.length = 0;
  light.ball[1].mass = 0;
  pc_error error;
  assert_int_equal(pc_heat_string_run(&s, &cold, 1, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, ": the temperature must be positive (got"));
  assert_int_equal(pc_heat_string_run(&none, &good, 1, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "the length (0) must be positive"));
  assert_int_equal(pc_heat_string_run(&light, &good, 1, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, ": mass and heat capacity must be positive (got"));
  assert_int_equal(pc_heat_string_run(&s, &good, -1, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "before 0 s"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slack_string_does_nothing), cmocka_unit_test(a_fast_exchange_evens_out),
      cmocka_unit_test(a_period_without_viscosity),  cmocka_unit_test(a_damped_swing),
      cmocka_unit_test(energy_and_entropy_balance),  cmocka_unit_test(differences_decay),
      cmocka_unit_test(an_outside_warms_a_ball),     cmocka_unit_test(viscosity_becomes_heat),
      cmocka_unit_test(wrong_numbers_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
