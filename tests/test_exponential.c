// exp(x), exp(x) - 1 and log(1 + x) against the C library in long double, and their bits.
#include "support.h"

#include <stdint.h>
#include <string.h>

#include "core/exponential.h"

static double ulps(double got, long double want)
{
  double size = fabs((double)want);
  return (double)(fabsl(got - want) / (nextafter(size, INFINITY) - size));
}

// Numbers of all sizes, and those just above -1.
static double draw(pc_random *random, int kind)
{
  double u = pc_random_uniform(random, 0, 1);
  int shift = pc_random_below(random, 60);
  return kind == 0   ? 2 * u - 1
         : kind == 1 ? ldexp(2 * u - 1, -shift)
         : kind == 2 ? ldexp(u, shift)
                     : ldexp(u, -shift) - 1;
}

static void all_are_within_two_units_in_the_last_place(void **state)
{
  pc_random random = test_random(__func__);
  double worst[3] = {0};
  for (int i = 0; i < test_count(200000); i++) {
    double x = draw(&random, i % 4),
           y = i % 4 == 2 ? 700 * pc_random_uniform(&random, 0, 1) : 40 * draw(&random, i % 2);
    if (x > -1)
      worst[0] = fmax(worst[0], ulps(pc_log1p(x), log1pl(x)));
    worst[1] = fmax(worst[1], ulps(pc_expm1(y), expm1l(y)));
    worst[2] = fmax(worst[2], ulps(pc_exp(y), expl(y)));
  }
  printf("log1p %.2f, expm1 %.2f, exp %.2f units in the last place\n", worst[0], worst[1],
         worst[2]);
  assert_true(worst[0] < 2 && worst[1] < 2 && worst[2] < 2);
}

static void limits_are_those_of_the_library(void **state)
{
  const double x[] = {0,   -0.0,  1e-300, -1,  -2,   INFINITY, -INFINITY,
                      NAN, 1e308, 709.78, 711, -745, 0x1p-55,  -0x1p-55};
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    for (int k = 0; k < 3; k++) {
      double got = k == 0 ? pc_log1p(x[i]) : k == 1 ? pc_expm1(x[i]) : pc_exp(x[i]);
      double want = k == 0 ? log1p(x[i]) : k == 1 ? expm1(x[i]) : exp(x[i]);
      if (isnan(want))
        assert_true(isnan(got));
      else
        assert_true(signbit(got) == signbit(want) && (got == want || fabs(got / want - 1) < 5e-16));
    }
}

// Every machine, compiler and C library gives these bits.
static void bits_are_the_same_everywhere(void **state)
{
  uint64_t hash = 1469598103934665603u, from = 1;
  for (int i = 0; i < 20000; i++) {
    from = from * 6364136223846793005u + 1442695040888963407u;
    double x = ldexp((double)(int64_t)from, -63 + (int)(from >> 60)),
           y[2] = {pc_log1p(fabs(x)), pc_expm1(x / 64)};
    for (int k = 0; k < 2; k++) {
      uint64_t bits;
      memcpy(&bits, &y[k], sizeof bits);
      hash = (hash ^ bits) * 1099511628211u;
    }
  }
  if (hash != 0x051a51a0fbb302b5u)
    fail_msg("the hash is %016llx", (unsigned long long)hash);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_within_two_units_in_the_last_place),
      cmocka_unit_test(limits_are_those_of_the_library),
      cmocka_unit_test(bits_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
