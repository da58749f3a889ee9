// The elementary functions of src/core/elementary.h against the C library in long double, their
// special cases, and their bits.
#include "support.h"

#include <stdint.h>
#include <string.h>

#include "core/elementary.h"

static double abs_hypot3(double x)
{
  return pc_hypot(x, 3);
}
static long double abs_hypot3l(long double x)
{
  return hypotl(x, 3);
}
static double atan2_of_1(double x)
{
  return pc_atan2(1, x);
}
static long double atan2_of_1l(long double x)
{
  return atan2l(1, x);
}
static double power_of_x(double x)
{
  return pc_pow(x, 1.7);
}
static long double power_of_xl(long double x)
{
  return powl(x, 1.7);
}
static double power_of_2(double x)
{
  return pc_pow(1.9, x);
}
static long double power_of_2l(long double x)
{
  return powl(1.9, x);
}

static const struct {
  const char *name;
  double (*function)(double);
  long double (*exact)(long double);
  double from, to, ulps; // the arguments; the greatest error
} functions[] = {
    {"exp", pc_exp, expl, -700, 700, 1},
    {"expm1", pc_expm1, expm1l, -50, 700, 1.5},
    {"log", pc_log, logl, 0, 1e300, 0.51},
    {"log2", pc_log2, log2l, 0, 1e300, 0.51},
    {"log10", pc_log10, log10l, 0, 1e300, 0.51},
    {"log1p", pc_log1p, log1pl, -1, 1e300, 1.5},
    {"x^1.7", power_of_x, power_of_xl, 0, 1e150, 0.51},
    {"1.9^x", power_of_2, power_of_2l, -1000, 1000, 0.51},
    {"cbrt", pc_cbrt, cbrtl, -1e300, 1e300, 0.51},
    {"cosh", pc_cosh, coshl, -700, 700, 2},
    {"tanh", pc_tanh, tanhl, -30, 30, 2.5},
    {"atanh", pc_atanh, atanhl, -1, 1, 2.5},
    {"sin", pc_sin, sinl, -1e5, 1e5, 1},
    {"cos", pc_cos, cosl, -1e5, 1e5, 1},
    {"tan", pc_tan, tanl, -1e5, 1e5, 2},
    {"atan", pc_atan, atanl, -1e300, 1e300, 1.1},
    {"atan2(1, x)", atan2_of_1, atan2_of_1l, -1e300, 1e300, 1.1},
    {"asin", pc_asin, asinl, -1, 1, 2},
    {"acos", pc_acos, acosl, -1, 1, 2},
    {"hypot(x, 3)", abs_hypot3, abs_hypot3l, -1e300, 1e300, 1.1},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double ulps(double got, long double want)
{
  double size = fabs((double)want);
  return (double)(fabsl(got - want) / (nextafter(size, INFINITY) - size));
}

// Numbers of all sizes between two, and those close to -1, 0 and 1.
static double draw(pc_random *random, double from, double to)
{
  for (;;) {
    double u = pc_random_uniform(random, -1, 1), x = 0;
    int shift = pc_random_below(random, 60);
    switch (pc_random_below(random, 6)) {
    case 0:
      x = pc_random_uniform(random, from, to);
      break;
    case 1:
      x = 2 * u;
      break;
    case 2:
      x = ldexp(u, -shift);
      break;
    case 3:
      x = ldexp(u, pc_random_below(random, 1000));
      break;
    case 4:
      x = 1 + ldexp(u, -shift);
      break;
    default:
      x = -1 + ldexp(u, -shift);
    }
    if (x > from && x < to)
      return x;
  }
}

static void errors_are_below_their_bounds(void **state)
{
  pc_random random = test_random(__func__);
  for (int f = 0; f < FUNCTIONS; f++) {
    double worst = 0, at = 0;
    for (int i = 0; i < test_count(50000); i++) {
      double x = draw(&random, functions[f].from, functions[f].to);
      double error = ulps(functions[f].function(x), functions[f].exact(x));
      if (error > worst)
        worst = error, at = x;
    }
    printf("%-12s %.3f units in the last place at %a\n", functions[f].name, worst, at);
    if (!(worst <= functions[f].ulps))
      fail_msg("%s: %.3f units in the last place at %a", functions[f].name, worst, at);
  }
}

// Where angles are reduced: from 2,400 bits of pi. The first, 6381956970095103 2^797, is the number
// that is closest to a multiple of pi/2.
static void angles_of_any_size_keep_their_digits(void **state)
{
  static const struct {
    double x, sine, cosine;
  } known[] = {
      {0x1.6ac5b262ca1ffp+849, 0x1.0p+0, -0x1.14ae72e6ba22fp-61},
      {0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
      {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x1.921fb54442d18p+20, -0x1.1a62633145c07p-34, 0x1.0p+0},
      {0x1.0p+20, 0x1.526ccb2fc8656p-2, 0x1.e33ada92fe2aep-1},
      {0x1.e848p+19, -0x1.6664b2568d867p-2, 0x1.df9df9906d32cp-1},
      {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.0p+0},
      {0x1.1c37937e08p+52, -0x1.cdad29f3bc197p-1, -0x1.bab6bd014d7f7p-2},
      {0x1.4p+52, 0x1.0928702c94cd2p-1, -0x1.b5fd71c87402fp-1},
      {0x1.7e43c8800759cp+996, -0x1.a2c16b010e385p-1, -0x1.2699022adc4c1p-1},
      {0x1.6p+4, -0x1.220a29f6eb9f4p-7, -0x1.fffadd8d4acdap-1},
      {0x1.63p+8, -0x1.f9bd0307d1de3p-16, -0x1.fffffffc18e4cp-1},
      {0x1.8p+20, 0x1.efa20e26f443fp-2, 0x1.c007b4fb8f9b0p-1},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    double x = known[i].x;
    assert_true(ulps(pc_sin(x), known[i].sine) <= 1 && ulps(pc_cos(x), known[i].cosine) <= 1);
    assert_true(ulps(pc_tan(x), (long double)known[i].sine / known[i].cosine) <= 3);
  }
  pc_random random = test_random(__func__);
  for (int i = 0; i < test_count(50000); i++) {
    double x = i % 2 ? ldexp(pc_random_uniform(&random, 1, 2), pc_random_below(&random, 1023))
                     : pc_random_below(&random, 1 << 30) * 1.5707963267948966;
    double s = pc_sin(x), c = pc_cos(x), twice = 2 * s * c;
    assert_true(fabs(s * s + c * c - 1) < 4e-16);
    assert_true(fabs(pc_sin(2 * x) - twice) < 7e-16 * fabs(twice));
    assert_true(pc_sin(-x) == -s && pc_cos(-x) == c);
  }
}

static void exact_answers_are_exact(void **state)
{
  for (int n = 0; n <= 22; n++) {
    double power = pc_pow(10, n), want = 1;
    for (int i = 0; i < n; i++)
      want *= 10;
    assert_true(power == want && pc_log10(want) == n);
  }
  for (int n = -1074; n <= 1023; n++)
    assert_true(pc_pow(2, n) == ldexp(1, n) && pc_log2(ldexp(1, n)) == n);
  for (int n = -2000; n <= 2000; n++) {
    assert_true(pc_cbrt((double)n * n * n) == n && pc_pow(n, 3) == (double)n * n * n);
    assert_true(n < 0 || pc_pow((double)n * n, 0.5) == n);
    assert_true(pc_hypot(3 * n, 4 * n) == fabs(5. * n));
  }
}

static void same(const char *name, double x, double y, double got, double want)
{
  bool good = isnan(want)
                  ? isnan(got)
                  : signbit(got) == signbit(want) &&
                        (got == want || fabs(got / want - 1) < 1e-15 || fabs(got - want) < 1e-322);
  if (!good)
    fail_msg("%s of %g and %g is %.17g, not %.17g", name, x, y, got, want);
}

static void special_cases_are_those_of_the_library(void **state)
{
  static const double x[] = {0,         -0.0,    1,        -1,     2,       -2,     3,
                             -3,        0.5,     -0.5,     1e-300, 1e308,   -1e308, INFINITY,
                             -INFINITY, NAN,     711,      -711,   709.78,  -745,   5e-324,
                             1e-310,    0x1p-55, -0x1p-55, 1e200,  -1e-200, 1e17};
  static const struct {
    const char *name;
    double (*own)(double), (*other)(double);
  } of_one[] = {{"exp", pc_exp, exp},      {"expm1", pc_expm1, expm1}, {"log", pc_log, log},
                {"log2", pc_log2, log2},   {"log10", pc_log10, log10}, {"log1p", pc_log1p, log1p},
                {"cbrt", pc_cbrt, cbrt},   {"cosh", pc_cosh, cosh},    {"tanh", pc_tanh, tanh},
                {"sin", pc_sin, sin},      {"cos", pc_cos, cos},       {"tan", pc_tan, tan},
                {"atan", pc_atan, atan},   {"asin", pc_asin, asin},    {"acos", pc_acos, acos},
                {"atanh", pc_atanh, atanh}};
  enum { NUMBERS = sizeof x / sizeof *x };
  for (int i = 0; i < NUMBERS; i++) {
    for (size_t f = 0; f < sizeof of_one / sizeof *of_one; f++)
      same(of_one[f].name, x[i], 0, of_one[f].own(x[i]), of_one[f].other(x[i]));
    for (int j = 0; j < NUMBERS; j++) {
      same("pow", x[i], x[j], pc_pow(x[i], x[j]), pow(x[i], x[j]));
      same("atan2", x[i], x[j], pc_atan2(x[i], x[j]), atan2(x[i], x[j]));
      same("hypot", x[i], x[j], pc_hypot(x[i], x[j]), hypot(x[i], x[j]));
    }
  }
}

// Every machine, compiler and C library gives these bits.
static void bits_are_the_same_everywhere(void **state)
{
  uint64_t hash = 1469598103934665603u, from = 1;
  for (int i = 0; i < 5000; i++) {
    from = from * 6364136223846793005u + 1442695040888963407u;
    double x = ldexp((double)(int64_t)from, -63 + (int)(from >> 60));
    for (int f = 0; f < FUNCTIONS; f++) {
      double y = functions[f].function(x / 8);
      uint64_t bits = 0;
      if (!isnan(y)) // the sign of what is no number is nobody's
        memcpy(&bits, &y, sizeof bits);
      hash = (hash ^ bits) * 1099511628211u;
    }
  }
  if (hash != 0x2f14e9ab51a96fb6u)
    fail_msg("the hash is %016llx", (unsigned long long)hash);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_below_their_bounds),
      cmocka_unit_test(angles_of_any_size_keep_their_digits),
      cmocka_unit_test(exact_answers_are_exact),
      cmocka_unit_test(special_cases_are_those_of_the_library),
      cmocka_unit_test(bits_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
