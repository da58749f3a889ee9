// Phases at a point: closed forms of the book, the minimum of the convex function by brute force,
// fractions in their set, more heat never less liquid, entropy never destroyed.
#include "support.h"

#include <stdbool.h>
#include <string.h>

#include "percuss/heat.h"

static pc_phase_law random_law(pc_random *random)
{
  pc_phase_law law = {random_decades(random, 0.1, 10), random_decades(random, 1, 1e3),
                      random_decades(random, 100, 1000), 0};
  if (pc_random_below(random, 3) != 0)
    law.resist = law.latent * random_decades(random, 1e-6, 10);
  return law;
}

static pc_phase_state collide(const pc_phase_law *law, double temperature, double liquid,
                              double heat, double *produced)
{
  pc_phase_state before = {temperature, liquid}, after = {0};
  pc_error error;
  assert_ok(pc_phase_collide(law, &before, heat, &after, produced, &error), &error);
  return after;
}

// Without resistance: warming up, a plateau at T0 while it melts, warming up.
static void melting_has_a_plateau(void **state)
{
  pc_phase_law law = {2, 300, 273, 0};
  double t = 250, onset = 2 * (273 - t);
  for (double heat = 0; heat < 500; heat += 7) {
    pc_phase_state after = collide(&law, t, 0, heat, NULL);
    double liquid = fmin(fmax((heat - onset) / 300, 0), 1);
    assert_near(after.liquid, liquid, 1e-14);
    assert_near(after.temperature, t + (heat - 300 * liquid) / 2, 1e-12);
    if (liquid > 0 && liquid < 1)
      assert_true(after.temperature == 273);
  }
}

static void freezing_is_melting_backwards(void **state)
{
  pc_phase_law law = {2, 300, 273, 0};
  pc_phase_state after = collide(&law, 280, 1, -14 - 120, NULL);
  assert_true(after.temperature == 273);
  assert_near(after.liquid, 0.6, 1e-14);
  after = collide(&law, 280, 1, -400, NULL);
  assert_true(after.liquid == 0);
  assert_near(after.temperature, 280 - 50, 1e-12);
  after = collide(&law, 223, 1, 0, NULL); // undercooled: it freezes by itself, in part
  assert_true(after.temperature == 273);
  assert_near(after.liquid, 1 - 100 / 300.0, 1e-14);
  after = collide(&law, 290, 0, 0, NULL); // a superheated solid
  assert_near(after.liquid, 34 / 300.0, 1e-14);
}

// With resistance: b = L (T+ - T0) / (c T0) until 1, (C + L^2/(c T0)) (T+ - T0) = Y - C (T0 - T-).
static void melting_with_resistance(void **state)
{
  pc_phase_law law = {2, 300, 273, 45};
  double t = 250, onset = 2 * (273 - t), whole = 2 + 300.0 * 300 / (45 * 273);
  for (double heat = onset; heat < 1000; heat += 9) {
    double above = (heat - onset) / whole, liquid = 300 * above / (45 * 273);
    pc_phase_state after = collide(&law, t, 0, heat, NULL);
    assert_near(after.liquid, fmin(liquid, 1), 1e-13);
    assert_near(after.temperature, liquid < 1 ? 273 + above : t + (heat - 300) / 2, 1e-11);
  }
}

// The function that b+ minimises, once T+ is eliminated.
static double phase_function(const pc_phase_law *law, double t, double before, double heat,
                             double b)
{
  double x = b - before, c = law->capacity, l = law->latent, t0 = law->change;
  return (law->resist + l * l / (c * t0)) * x * x / 2 - l / t0 * (t + heat / c - t0) * x;
}

static void liquid_is_the_minimum(void **state)
{
  pc_random random = test_random("liquid");
  for (int n = 0, count = test_count(5000); n < count; n++) {
    pc_phase_law law = random_law(&random);
    double t = law.change * pc_random_uniform(&random, 0.5, 1.5);
    double before = pc_random_below(&random, 3) == 0 ? pc_random_below(&random, 2)
                                                     : pc_random_uniform(&random, 0, 1);
    double heat = pc_random_uniform(&random, -0.2, 1.5) * (law.latent + law.capacity * law.change);
    double produced, b;
    pc_phase_state from = {t, before}, after;
    if (pc_phase_collide(&law, &from, heat, &after, &produced, NULL) != PC_OK)
      continue; // all heat was taken
    b = after.liquid;
    assert_true(b >= 0 && b <= 1 && after.temperature > 0);
    double energy = law.capacity * (after.temperature - t) + law.latent * (b - before);
    assert_near(energy, heat, 1e-12 * (fabs(heat) + law.capacity * t + law.latent));
    double least = phase_function(&law, t, before, heat, b), size = fabs(least);
    for (int i = 0; i <= 200; i++) {
      double value = phase_function(&law, t, before, heat, i / 200.0);
      assert_true(least <= value + 1e-12 * (size + fabs(value)));
    }
    if (heat >= 0)
      assert_true(produced >= -1e-12 * (law.capacity + law.latent / law.change));
    if (law.resist > 0)
      assert_near(pc_phase_liquid(&law, before, after.temperature), b,
                  1e-9 + 1e-15 * law.latent / law.resist);
    else if (after.temperature != law.change)
      assert_true(pc_phase_liquid(&law, before, after.temperature) == b);
    pc_phase_state more;
    assert_int_equal(pc_phase_collide(&law, &from, heat + 0.01 * law.latent, &more, NULL, NULL),
                     PC_OK);
    assert_true(more.liquid >= b - 1e-14 && more.temperature >= after.temperature * (1 - 1e-14));
  }
}

// Example 1 and its voids (10.10): no resistance.
static void alloys_without_resistance(void **state)
{
  pc_phase_law law = {5.4, 80, 332.75, 0};
  double t = 0.9 * 332.75, onset = 5.4 * (332.75 - t);
  for (double heat = 0; heat < 400; heat += 3) {
    pc_alloy_state before = {t, {.5, .5, 0}}, after;
    assert_int_equal(pc_alloy_collide(&law, &before, heat, &after, NULL, NULL), PC_OK);
    double b = fmin(fmax((heat - onset) / 80, 0), 1);
    assert_near(after.fraction[2], b, 1e-13);
    assert_near(after.fraction[0], (1 - b) / 2, 1e-13);
    assert_near(after.fraction[1], (1 - b) / 2, 1e-13);
    assert_near(after.temperature, t + (heat - 80 * b) / 5.4, 1e-11);
  }
  pc_alloy_state voids = {332.75, {.25, .25, 0}}, after;
  assert_int_equal(pc_alloy_collide(&law, &voids, 20, &after, NULL, NULL), PC_OK);
  assert_near(after.fraction[2], 0.25, 1e-14);
  assert_near(after.fraction[0], 0.125, 1e-14);
  assert_int_equal(pc_alloy_collide(&law, &voids, 100, &after, NULL, NULL), PC_OK);
  assert_near(after.fraction[2], 0.5, 0);
  assert_near(after.temperature, 332.75 + 2 * (100 - 40) / 5.4, 1e-11); // half the matter is there
  pc_alloy_state austenite = {350, {0, 0, 1}};
  assert_int_equal(pc_alloy_collide(&law, &austenite, 54, &after, NULL, NULL), PC_OK);
  assert_near(after.temperature, 360, 1e-12);
  assert_true(after.fraction[2] == 1);
}

// The function that the fractions minimise, once T+ is eliminated.
static double alloy_function(const pc_phase_law *law, const pc_alloy_state *before, double heat,
                             const double b[3])
{
  const double *a = before->fraction;
  double l = law->latent, t0 = law->change, c = law->capacity * (a[0] + a[1] + a[2]), far = 0;
  for (int i = 0; i < 3; i++)
    far += (b[i] - a[i]) * (b[i] - a[i]);
  double x = b[2] - a[2];
  return law->resist * far / 2 + l * l / (c * t0) * x * x / 2 -
         l / t0 * (before->temperature + heat / c - t0) * x;
}

static pc_alloy_state random_alloy(pc_random *random, const pc_phase_law *law)
{
  double a[3], sum = 0, voids = pc_random_below(random, 2) * pc_random_uniform(random, 0, 0.8);
  for (int i = 0; i < 3; i++) {
    a[i] = pc_random_below(random, 4) == 0 ? 0 : pc_random_uniform(random, 0, 1);
    sum += a[i];
  }
  a[0] += sum == 0;
  sum += sum == 0;
  pc_alloy_state s = {law->change * pc_random_uniform(random, 0.6, 1.4), {0}};
  for (int i = 0; i < 3; i++)
    s.fraction[i] = a[i] / sum * (1 - voids) * (1 - 1e-15);
  return s;
}

static void fractions_are_the_minimum(void **state)
{
  pc_random random = test_random("alloys");
  for (int n = 0, count = test_count(3000); n < count; n++) {
    pc_phase_law law = random_law(&random);
    pc_alloy_state before = random_alloy(&random, &law), after, more;
    const double *a = before.fraction, *b = after.fraction;
    double sum = a[0] + a[1] + a[2], c = sum * law.capacity, produced;
    double heat = pc_random_uniform(&random, -0.2, 1.5) * sum *
                  (law.latent + 0.5 * law.capacity * law.change);
    if (pc_alloy_collide(&law, &before, heat, &after, &produced, NULL) != PC_OK)
      continue;
    for (int i = 0; i < 3; i++)
      assert_true(b[i] >= 0 && b[i] <= sum);
    assert_near(b[0] + b[1] + b[2], sum, 1e-14);
    double energy = c * (after.temperature - before.temperature) + law.latent * (b[2] - a[2]);
    assert_near(energy, heat, 1e-12 * (fabs(heat) + c * before.temperature + law.latent));
    double least = alloy_function(&law, &before, heat, b);
    double size = fabs(least) + law.latent * law.latent / (c * law.change) * sum * sum;
    for (int i = 0; i <= 40; i++)
      for (int j = 0; i + j <= 40; j++) {
        double other[3] = {sum * i / 40, sum * j / 40, sum * (40 - i - j) / 40};
        assert_true(least <= alloy_function(&law, &before, heat, other) + 1e-12 * size);
      }
    for (int i = 0; i < 40; i++) { // and near by
      double from = pc_random_uniform(&random, -1, 1) * 1e-3,
             to = pc_random_uniform(&random, -1, 1) * 1e-3;
      double other[3] = {b[0] + from, b[1] + to, b[2] - from - to};
      if (other[0] >= 0 && other[1] >= 0 && other[2] >= 0)
        assert_true(least <= alloy_function(&law, &before, heat, other) + 1e-12 * size);
    }
    if (heat >= 0)
      assert_true(produced >= -1e-12 * (c + law.latent / law.change));
    if (law.resist > 1e-4 * law.latent) {
      double given[3];
      pc_alloy_fractions(&law, a, after.temperature, NULL, given);
      for (int i = 0; i < 3; i++)
        assert_near(given[i], b[i], 1e-9);
      double in_place[3] = {a[0], a[1], a[2]};
      pc_alloy_fractions(&law, in_place, after.temperature, NULL, in_place);
      assert_memory_equal(in_place, given, sizeof given);
    }
    assert_int_equal(pc_alloy_collide(&law, &before, heat + 0.01 * law.latent, &more, NULL, NULL),
                     PC_OK);
    assert_true(more.fraction[2] >= b[2] - 1e-14);
    assert_true(more.temperature >= after.temperature * (1 - 1e-14));
  }
}

// The least of (c/2) |b - b-|^2 - force . b by a grid that is refined around its best point.
static void fractions_for_a_temperature(void **state)
{
  pc_random random = test_random("projections");
  for (int n = 0, count = test_count(400); n < count; n++) {
    pc_phase_law law = random_law(&random);
    law.resist = fmax(law.resist, 1e-3 * law.latent);
    pc_alloy_state s = random_alloy(&random, &law);
    double drive[3], force[3], got[3], best[3] = {0}, sum = 0, least = INFINITY;
    for (int i = 0; i < 3; i++) {
      drive[i] = law.resist * pc_random_uniform(&random, -2, 2);
      force[i] = drive[i] + (i == 2 ? law.latent * (s.temperature - law.change) / law.change : 0);
      sum += s.fraction[i];
    }
    pc_alloy_fractions(&law, s.fraction, s.temperature, drive, got);
    double centre[2] = {0, 0}, width = sum;
    for (int round = 0; round < 30; round++, width /= 2) {
      for (int i = -10; i <= 10; i++)
        for (int j = -10; j <= 10; j++) {
          double b[3] = {centre[0] + width * i / 10, centre[1] + width * j / 10, 0};
          b[0] = fmax(b[0], 0);
          b[1] = fmax(b[1], 0);
          b[2] = sum - b[0] - b[1];
          if (b[2] < 0) { // onto the side without austenite
            b[0] = fmin(fmax(b[0] + b[2] / 2, 0), sum);
            b[1] = sum - b[0];
            b[2] = 0;
          }
          double value = 0;
          for (int k = 0; k < 3; k++)
            value +=
                law.resist * (b[k] - s.fraction[k]) * (b[k] - s.fraction[k]) / 2 - force[k] * b[k];
          if (value < least) {
            least = value;
            memcpy(best, b, sizeof best);
          }
        }
      memcpy(centre, best, sizeof centre);
    }
    for (int i = 0; i < 3; i++)
      assert_near(got[i], best[i], 2e-6);
    assert_near(got[0] + got[1] + got[2], sum, 1e-14);
  }
}

// No resistance is the limit of a vanishing one, for one and for the other law, with and without
// martensites of different size.
static void no_resistance_is_a_limit(void **state)
{
  pc_random random = test_random("limits");
  for (int n = 0, count = test_count(2000); n < count; n++) {
    pc_phase_law law = random_law(&random), none = law;
    law.resist = 1e-11 * law.latent;
    none.resist = 0;
    pc_alloy_state before = random_alloy(&random, &law), a, b;
    double heat = pc_random_uniform(&random, 0, 1) * law.latent;
    assert_int_equal(pc_alloy_collide(&law, &before, heat, &a, NULL, NULL), PC_OK);
    assert_int_equal(pc_alloy_collide(&none, &before, heat, &b, NULL, NULL), PC_OK);
    for (int i = 0; i < 3; i++)
      assert_near(a.fraction[i], b.fraction[i], 1e-8);
    assert_near(a.temperature, b.temperature, 1e-8 * b.temperature);
    double left[3], right[3], t = before.temperature;
    pc_alloy_fractions(&law, before.fraction, t, NULL, left);
    pc_alloy_fractions(&none, before.fraction, t, NULL, right);
    for (int i = 0; i < 3; i++)
      assert_near(left[i], right[i], 1e-8);
    pc_alloy_fractions(&none, before.fraction, none.change, NULL, right); // any will do: they stay
    for (int i = 0; i < 3; i++)
      assert_near(right[i], before.fraction[i], 1e-15);
    assert_true(pc_phase_liquid(&none, 0.3, none.change) == 0.3);
  }
}

static void wrong_numbers_are_named(void **state)
{
  static const struct {
    pc_phase_law law;
    double temperature, liquid, heat;
    const char *text;
  } wrong[] = {
      {{0, 1, 1, 0}, 300, 0, 0, "the heat capacity must be positive (got"},
      {{1, 0, 1, 0}, 300, 0, 0, "the latent heat must be positive (got"},
      {{1, 1, -1, 0}, 300, 0, 0, "the phase-change temperature must be positive (got"},
      {{1, 1, 1, -1}, 300, 0, 0, "the resistance to the phase change must be 0 or more (got"},
      {{1, 1, 1, 0}, 0, 0, 0, "temperature must be positive (got 0 K)"},
      {{1, 1, 1, 0}, 300, 1.1, 0, "the liquid fraction must be from 0 to 1 (got"},
      {{1, 1, 1, 0}, 300, -.1, 0, "the liquid fraction must be from 0 to 1 (got"},
      {{1, 1, 1, 0}, 300, 0, NAN, "heat nan"}};
  pc_error error;
  pc_phase_state after;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    pc_phase_state before = {wrong[i].temperature, wrong[i].liquid};
    assert_int_equal(pc_phase_collide(&wrong[i].law, &before, wrong[i].heat, &after, NULL, &error),
                     PC_ERROR_ARGUMENT);
    assert_says(error.text, wrong[i].text);
  }
  pc_phase_law law = {1, 10, 273, 0};
  pc_phase_state before = {300, 1};
  assert_int_equal(pc_phase_collide(&law, &before, -400, &after, NULL, &error), PC_ERROR_NUMERIC);
  static const double fractions[][3] = {{.5, .6, 0}, {-.1, .5, .5}, {0, 0, 0}, {0, NAN, 1}};
  for (int i = 0; i < 4; i++) {
    pc_alloy_state alloy = {300, {fractions[i][0], fractions[i][1], fractions[i][2]}}, to;
    assert_int_equal(pc_alloy_collide(&law, &alloy, 0, &to, NULL, &error), PC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "fractions"));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(melting_has_a_plateau),
      cmocka_unit_test(freezing_is_melting_backwards),
      cmocka_unit_test(melting_with_resistance),
      cmocka_unit_test(liquid_is_the_minimum),
      cmocka_unit_test(alloys_without_resistance),
      cmocka_unit_test(fractions_are_the_minimum),
      cmocka_unit_test(fractions_for_a_temperature),
      cmocka_unit_test(no_resistance_is_a_limit),
      cmocka_unit_test(wrong_numbers_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
