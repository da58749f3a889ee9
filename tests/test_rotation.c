// Elliptic functions against values to 17 digits and their identities; free rotation against an
// integration of another kind, group laws, closed forms and first integrals.
#include "support.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "core/elliptic.h"
#include "geometry/pose.h"
#include "rigid/rotation.h"
#include "top.h"

// Elliptic functions. The digits are those of mpmath with 30 digits.

static void integrals_have_their_digits(void **state)
{
  static const double first[][4] = {{0, 0.5, 1, 1.8540746773013719},
                                    {1e-12, 1e-10, 1, 12.803909646586343},
                                    {0.3, 0.7, 1, 1.2650802817015436}};
  static const double third[][5] = {{0, 0.5, 1, 2, 1.7428419316550684},
                                    {1e-10, 1e-8, 1, 1e6, 3.1499264341263351e-5},
                                    {0.3, 0.7, 1, 1, 1.5238095222414109},
                                    {2, 3, 4, 5, 0.14297579667156754},
                                    {0, 1e-16, 1, 3, 19.131464246216217}};
  for (int n = 0; n < 3; n++) {
    const double *r = first[n];
    assert_near(pc_elliptic_rf(r[0], r[1], r[2]) / r[3], 1, 1e-15);
  }
  for (int n = 0; n < 5; n++) {
    const double *r = third[n];
    assert_near(pc_elliptic_rj(r[0], r[1], r[2], r[3]) / r[4], 1, 2e-15);
  }
}

static void functions_have_their_digits(void **state)
{
  static const double rows[][5] = {
      {0.5, 1, 0.80300182489564389, 0.59597656767214067, 0.82316100163159627},
      {1e-16, 5, 0.99990920426259516, 0.013475282221302704, 0.013475282221306414},
      {1e-16, 19, 0.99999999999999996, 8.9745641130346994e-9, 1.3436621637114381e-8},
      {1e-6, -8, -0.99999995550634609, 0.00029830740157005048, 0.0010435455030060594},
      {1 - 1e-12, 2, 0.90929742682592913, -0.41614683654660173, 0.9999999999995866},
      {0.01, 30, 0.40952759007985954, 0.91229773263084598, 0.91321644829347479}};
  for (int n = 0; n < 6; n++) {
    double sn, cn, dn;
    pc_jacobi jacobi = pc_jacobi_of(rows[n][0]);
    pc_jacobi_at(&jacobi, rows[n][1], &sn, &cn, &dn);
    double tolerance = 1e-15 * (1 + fabs(rows[n][1]));
    assert_near(sn, rows[n][2], tolerance);
    assert_near(cn, rows[n][3], tolerance);
    assert_near(dn, rows[n][4], tolerance);
  }
}

// K by R_F, and u back from its functions, for 1 - m from 1 down to 1e-200.
static void functions_and_integrals_agree(void **state)
{
  pc_random random = test_random("elliptic");
  int count = test_count(3000);
  for (int n = 0; n < count; n++) {
    double c = n % 3 == 0   ? pc_random_uniform(&random, 0, 1)
               : n % 3 == 1 ? pow(10, pc_random_uniform(&random, -200, 0))
                            : 1 - pow(10, pc_random_uniform(&random, -17, -1));
    pc_jacobi jacobi = pc_jacobi_of(c);
    assert_near(jacobi.quarter / pc_elliptic_rf(0, c, 1), 1, 1e-15);
    double u = jacobi.quarter * pc_random_uniform(&random, -0.9, 0.9), sn, cn, dn;
    u = fmax(-15, fmin(15, u)); // beyond, sn is 1 and u is only in the others
    pc_jacobi_at(&jacobi, u, &sn, &cn, &dn);
    assert_near(sn * sn + cn * cn, 1, 3e-15);
    assert_near(dn * dn, c + (1 - c) * cn * cn, 3e-15);
    assert_near(sn * pc_elliptic_rf(cn * cn, dn * dn, 1), u, 1e-14 * fmax(1, fabs(u)));
  }
  double sn, cn, dn;
  pc_jacobi circle = pc_jacobi_of(1), line = pc_jacobi_of(0);
  pc_jacobi_at(&circle, 1, &sn, &cn, &dn);
  assert_near(sn, sin(1), 1e-15);
  assert_near(dn, 1, 0);
  pc_jacobi_at(&line, -2, &sn, &cn, &dn);
  assert_near(sn, tanh(-2), 1e-15);
  assert_near(dn, 1 / cosh(2), 1e-15);
  pc_jacobi_at(&circle, 1e-200, &sn, &cn, &dn);
  assert_near(sn, 1e-200, 1e-210);
}

typedef struct top {
  double inertia[3], spin[3], time;
} top;

static double size3(const double v[3])
{
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Radians turned, of the body or of its spin in it: round-off grows with it.
static double phase(const top *t)
{
  double most = 1;
  for (int i = 0; i < 3; i++)
    most = fmax(most, fabs(t->inertia[(i + 1) % 3] - t->inertia[(i + 2) % 3]) / t->inertia[i]);
  return most * size3(t->spin) * fabs(t->time);
}

static void advance_from_unity(const top *t, double q[4], double spin[3])
{
  q[0] = 1, q[1] = q[2] = q[3] = 0;
  memcpy(spin, t->spin, sizeof t->spin);
  pc_rotation_advance(t->inertia, q, spin, t->time);
}

static double quaternion_distance(const double a[4], const double b[4])
{
  double same = 0, other = 0;
  for (int i = 0; i < 4; i++) {
    same = fmax(same, fabs(a[i] - b[i]));
    other = fmax(other, fabs(a[i] + b[i]));
  }
  return fmin(same, other);
}

// Errors of a short step are relative to what it changes. What is known of the momentum by the spin
// in world axes is worse the more the inertias differ.
static void compare_with_integration(const top *t, double tolerance)
{
  long double y[7] = {t->spin[0], t->spin[1], t->spin[2], 1};
  long double inertia[3] = {t->inertia[0], t->inertia[1], t->inertia[2]};
  int steps = (int)(phase(t) / 0.3) + 1;
  for (int s = 0; s < steps; s++)
    pc_top_step(inertia, y, (long double)t->time / steps);
  double after[3], q[4], world[3], want[4], w = size3(t->spin), m[9], back[3];
  pc_rotation_spin(t->inertia, t->spin, t->time, after);
  advance_from_unity(t, q, world);
  for (int i = 0; i < 4; i++)
    want[i] = (double)y[3 + i];
  assert_near(quaternion_distance(q, want), 0, tolerance * fmin(1, phase(t)) + 0x1p-52);
  for (int i = 1; i < 4 && phase(t) < 0.2; i++)
    assert_near(q[i], want[i], tolerance * phase(t));
  pc_quaternion_matrix(q, m);
  pc_rotate_back(m, world, back);
  double energy[3] = {0}, momentum[3] = {0}, low = INFINITY, high = 0;
  for (int i = 0; i < 3; i++) {
    low = fmin(low, t->inertia[i]);
    high = fmax(high, t->inertia[i]);
    assert_near(after[i], (double)y[i], tolerance * w);
    double in = t->inertia[i], l = in * back[i], start = in * t->spin[i];
    energy[0] += start * t->spin[i], energy[1] += in * after[i] * after[i];
    energy[2] += l * back[i];
    momentum[0] += start * start, momentum[1] += pow(in * after[i], 2), momentum[2] += l * l;
  }
  double round_off = 1e-15 * (4 + high / low);
  assert_near(energy[1] / energy[0], 1, 5e-15);
  assert_near(momentum[1] / momentum[0], 1, 5e-15);
  assert_near(energy[2] / energy[0], 1, round_off + tolerance);
  assert_near(momentum[2] / momentum[0], 1, round_off);
  // In the world the momentum stays where it is.
  double l[3], now[3];
  for (int i = 0; i < 3; i++)
    l[i] = t->inertia[i] * back[i];
  pc_rotate(m, l, now);
  for (int i = 0; i < 3; i++)
    assert_near(now[i], t->inertia[i] * t->spin[i], round_off * sqrt(momentum[0]));
}

static top random_top(pc_random *random, double spread)
{
  top t;
  for (int i = 0; i < 3; i++) {
    t.inertia[i] = exp(pc_random_uniform(random, -spread, spread));
    t.spin[i] = pc_random_normal(random);
  }
  t.time = pc_random_uniform(random, -6, 6);
  return t;
}

static void any_body_follows_the_integration(void **state)
{
  pc_random random = test_random("any body");
  int count = test_count(300);
  for (int n = 0; n < count; n++) {
    top t = random_top(&random, 0.1 + 0.01 * (n % 290));
    compare_with_integration(&t, 1e-15 * (40 + 10 * phase(&t)));
  }
}

static void short_steps_are_round_off(void **state)
{
  pc_random random = test_random("short");
  int count = test_count(1000);
  for (int n = 0; n < count; n++) {
    top t = random_top(&random, 0.6);
    t.time = pow(10, pc_random_uniform(&random, -6, -0.7)) / size3(t.spin);
    compare_with_integration(&t, 1e-15);
  }
}

// Two or three inertias that differ by 0 or 1e-16 .. 1e-4.
static void nearly_equal_inertias(void **state)
{
  pc_random random = test_random("nearly equal");
  int count = test_count(600);
  for (int n = 0; n < count; n++) {
    top t = random_top(&random, 0.7);
    double e = n % 8 == 0 ? 0 : pow(10, pc_random_uniform(&random, -16, -4));
    int k = pc_random_below(&random, 3);
    t.inertia[(k + 1) % 3] = t.inertia[k] * (1 + e);
    if (n % 2)
      t.inertia[(k + 2) % 3] = t.inertia[k] * (1 - e * pc_random_uniform(&random, -2, 2));
    if (n % 5 == 0)
      t.spin[k] = 0;
    compare_with_integration(&t, 1e-15 * (40 + 10 * phase(&t)));
  }
}

// On the separatrix and 1e-16 .. 1e-4 beside it, in every order of the axes. Round-off in what is
// given grows like exp(rate t), in every method.
static void close_to_the_separatrix(void **state)
{
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  pc_random random = test_random("separatrix");
  int count = test_count(300);
  for (int n = 0; n < count; n++) {
    double in[3] = {1, 0, 0}, w[3], e = pow(10, pc_random_uniform(&random, -16, -4));
    in[1] = in[0] * pc_random_uniform(&random, 1.1, 2);
    in[2] = in[1] * pc_random_uniform(&random, 1.1, 2);
    double p = (in[2] - in[1]) / in[0], r = (in[1] - in[0]) / in[2];
    for (int i = 0; i < 3; i++)
      w[i] = pc_random_normal(&random);
    w[2] = w[0] * sqrt(r / p) * (1 + (n % 3 - 1) * e);
    top t;
    for (int i = 0; i < 3; i++) {
      t.inertia[i] = in[order[n % 6][i]];
      t.spin[i] = w[order[n % 6][i]];
    }
    double rate = sqrt(p * r * w[1] * w[1] + r * (in[2] - in[0]) / in[1] * w[0] * w[0]);
    t.time = pc_random_uniform(&random, -6, 6) / rate;
    compare_with_integration(&t, 1e-15 * (40 + 10 * phase(&t)) * exp(rate * fabs(t.time)));
  }
}

// Exactly on it: tanh and sech, however long.
static void the_separatrix_is_tanh_and_sech(void **state)
{
  // (I3 - I2)/I1 w3^2 = (I2 - I1)/I3 w1^2 without rounding.
  const double top_in[3] = {2, 3, 6}, w[3] = {3, 0, 1};
  double rate = sqrt(1. / 6 * 4. / 3 * 9), after[3];
  for (int n = -40; n <= 40; n++) {
    double u = rate * n * 0.25;
    pc_rotation_spin(top_in, w, n * 0.25, after);
    assert_near(after[0], 3 / cosh(u), 1e-14);
    assert_near(after[1], sqrt(8) * tanh(u), 1e-14);
    assert_near(after[2], 1 / cosh(u), 1e-14);
    double q[4] = {1, 0, 0, 0}, spin[3] = {3, 0, 1};
    pc_rotation_advance(top_in, q, spin, n * 0.25);
    for (int i = 0; i < 4; i++)
      assert_true(isfinite(q[i]));
  }
  // It comes to rest on the middle axis and stays there.
  pc_rotation_spin(top_in, w, 1e4, after);
  assert_near(after[1], sqrt(8), 1e-14);
}

static void principal_axes_stay(void **state)
{
  const double in[3] = {1, 2, 3};
  static const double times[] = {1e-3, 0.7, 30, -5};
  for (int axis = 0; axis < 3; axis++)
    for (int n = 0; n < 4; n++) {
      double w[3] = {0}, q[4] = {1, 0, 0, 0}, spin[3] = {0}, want[4] = {cos(times[n]), 0, 0, 0};
      w[axis] = spin[axis] = 2;
      want[1 + axis] = sin(times[n]);
      double after[3];
      pc_rotation_spin(in, w, times[n], after);
      assert_memory_equal(after, w, sizeof w);
      pc_rotation_advance(in, q, spin, times[n]);
      for (int i = 0; i < 3; i++)
        assert_near(spin[i], w[i], 1e-14);
      assert_near(quaternion_distance(q, want), 0, 1e-14);
    }
  double rest[3] = {0}, q[4] = {0.5, 0.5, -0.5, 0.5}, before[4] = {0.5, 0.5, -0.5, 0.5};
  pc_rotation_advance(in, q, rest, 1e9);
  assert_memory_equal(q, before, sizeof q);
  assert_true(rest[0] == 0 && rest[1] == 0 && rest[2] == 0);
}

// R(t1 + t2) = R(t2) R(t1), and back, from any attitude.
static void times_add_up(void **state)
{
  pc_random random = test_random("group");
  int count = test_count(2000);
  for (int n = 0; n < count; n++) {
    top t = random_top(&random, 1);
    double first = t.time * pc_random_uniform(&random, -1, 1), start[4], q[4], p[4];
    double spin[3], other[3], body[3], m[9], phase_error = 1e-14 * (10 + phase(&t));
    for (int i = 0; i < 4; i++)
      start[i] = pc_random_normal(&random);
    pc_quaternion_normalise(start);
    memcpy(q, start, sizeof q);
    memcpy(p, start, sizeof p);
    memcpy(spin, t.spin, sizeof spin);
    memcpy(other, t.spin, sizeof other);
    pc_rotation_advance(t.inertia, q, spin, first);
    pc_rotation_advance(t.inertia, q, spin, t.time - first);
    pc_rotation_advance(t.inertia, p, other, t.time);
    // Close to the separatrix rounding grows.
    double error = quaternion_distance(p, q);
    assert_near(error, 0, phase_error * 100);
    pc_rotation_advance(t.inertia, q, spin, -t.time);
    assert_near(quaternion_distance(q, start), 0, phase_error * 200);
    pc_quaternion_matrix(start, m);
    pc_rotate_back(m, t.spin, body);
    double there[3], back[3];
    pc_rotation_spin(t.inertia, body, t.time, there);
    pc_rotation_spin(t.inertia, there, -t.time, back);
    for (int i = 0; i < 3; i++)
      assert_near(back[i], body[i], phase_error * 100);
  }
}

// A million short steps: energy and momentum wander by round-off and do not drift.
static void many_steps_do_not_drift(void **state)
{
  const double in[3] = {1, 2, 2.5};
  double q[4] = {1, 0, 0, 0}, spin[3] = {0.3, 0.7, -0.6}, m[9], w[3], now[3], energy = 0;
  int count = test_count(300000);
  for (int n = 0; n < count; n++)
    pc_rotation_advance(in, q, spin, 0.01);
  pc_quaternion_matrix(q, m);
  pc_rotate_back(m, spin, w);
  for (int i = 0; i < 3; i++) {
    energy += in[i] * w[i] * w[i];
    w[i] *= in[i];
  }
  pc_rotate(m, w, now);
  double wander = 2e-15 * sqrt(count) + 1e-14;
  assert_near(energy, 0.09 + 2 * 0.49 + 2.5 * 0.36, wander);
  assert_near(now[0], 0.3, wander);
  assert_near(now[1], 1.4, wander);
  assert_near(now[2], -1.5, wander);
}

// The turn by a vector, of any size, against sine and cosine in higher precision.
static void a_turn_is_exact(void **state)
{
  pc_random random = test_random("turn");
  for (int n = test_count(3000); n > 0; n--) {
    double v[3], q[4], size = pow(10, pc_random_uniform(&random, -9, 0.5));
    long double square = 0;
    for (int i = 0; i < 3; i++) {
      v[i] = size * pc_random_uniform(&random, -1, 1);
      square += (long double)v[i] * v[i];
    }
    long double angle = sqrtl(square), part = sinl(angle / 2) / angle;
    pc_quaternion_exp(v, q);
    // The angle is a root of a sum of squares, right to 2.5 units of round-off of its own.
    double unit = DBL_EPSILON / 2;
    assert_near(q[0], (double)cosl(angle / 2), unit * (2 + 2.5 * (double)angle / 2));
    for (int i = 0; i < 3; i++)
      assert_near(q[1 + i], (double)(part * v[i]), 1e-15 * fabs(v[i]));
  }
}

// Slow and fast tops, with two equal moments and without, side by side: as each is alone.
static void neighbours_do_not_count(void **state)
{
  pc_random random = test_random("neighbours");
  for (int n = 0; n < test_count(3000); n++) {
    double inertia[4][3], attitude[4][4], spin[4][3], q[4][4], w[4][3];
    double time = pow(10, pc_random_uniform(&random, -4, 0));
    for (int l = 0; l < 4; l++) {
      double fast = pow(10, pc_random_uniform(&random, -6, 2));
      for (int i = 0; i < 3; i++) {
        inertia[l][i] = pc_random_uniform(&random, 1, 1.9);
        spin[l][i] = fast * pc_random_uniform(&random, -1, 1);
      }
      if (pc_random_uniform(&random, 0, 1) < 0.2)
        inertia[l][1] = inertia[l][2];
      for (int i = 0; i < 4; i++)
        attitude[l][i] = pc_random_uniform(&random, -1, 1);
      pc_quaternion_normalise(attitude[l]);
    }
    memcpy(q, attitude, sizeof q);
    memcpy(w, spin, sizeof w);
    pc_rotation_advance_four((const double(*)[3])inertia, attitude, spin, time);
    for (int l = 0; l < 4; l++) {
      pc_rotation_advance(inertia[l], q[l], w[l], time);
      assert_memory_equal(q[l], attitude[l], sizeof q[l]);
      assert_memory_equal(w[l], spin[l], sizeof w[l]);
    }
  }
}

// Times 2^k, spins 2^-k, inertias 2^j: the same numbers, bit for bit, so any error of one top is
// that of all. Fast tops in short times are not those of the other tests.
static void no_unit_counts(void **state)
{
  pc_random random = test_random("units");
  for (int n = 0; n < test_count(500); n++) {
    top t = random_top(&random, n % 2 == 0 ? 0.6 : 0.05);
    t.time = pow(10, pc_random_uniform(&random, -6, 1));
    if (n % 7 == 0)
      t.inertia[1] = t.inertia[0];
    double q[2][4], spin[2][3];
    int faster = pc_random_below(&random, 61) - 30, heavier = pc_random_below(&random, 61) - 30;
    advance_from_unity(&t, q[0], spin[0]);
    t.time = ldexp(t.time, -faster);
    for (int i = 0; i < 3; i++) {
      t.spin[i] = ldexp(t.spin[i], faster);
      t.inertia[i] = ldexp(t.inertia[i], heavier);
    }
    advance_from_unity(&t, q[1], spin[1]);
    for (int i = 0; i < 3; i++)
      assert_near(spin[1][i], ldexp(spin[0][i], faster), 0);
    for (int i = 0; i < 4; i++)
      assert_near(q[1][i], q[0][i], 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turn_is_exact),
      cmocka_unit_test(integrals_have_their_digits),
      cmocka_unit_test(functions_have_their_digits),
      cmocka_unit_test(functions_and_integrals_agree),
      cmocka_unit_test(any_body_follows_the_integration),
      cmocka_unit_test(short_steps_are_round_off),
      cmocka_unit_test(nearly_equal_inertias),
      cmocka_unit_test(close_to_the_separatrix),
      cmocka_unit_test(the_separatrix_is_tanh_and_sech),
      cmocka_unit_test(principal_axes_stay),
      cmocka_unit_test(times_add_up),
      cmocka_unit_test(many_steps_do_not_drift),
      cmocka_unit_test(no_unit_counts),
      cmocka_unit_test(neighbours_do_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
