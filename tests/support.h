// Shared by the tests: cmocka with the headers it wants first, how many random cases, a random
// generator that tells its seed, and a comparison of doubles.
//
//     PERCUSS_TEST_SCALE   a factor on the number of random cases, default 1
//     PERCUSS_TEST_SEED    another seed
//     PERCUSS_TEST_LONG    set: counts that have a long form take it, whatever the factor
//     PERCUSS_TEST_ONLY    only the tests whose name matches, with * and ?
//     PERCUSS_TEST_LOCALE  the locale of the test program, found in LOCPATH; default "C"
#ifndef PERCUSS_TESTS_SUPPORT_H
#define PERCUSS_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host_locale.h"
#include "percuss/random.h"
#include "percuss/status.h"

__attribute__((constructor)) static void choose_tests(void)
{
  const char *only = getenv("PERCUSS_TEST_ONLY");
  if (only != NULL)
    cmocka_set_test_filter(only);
}

// `base` random cases, times PERCUSS_TEST_SCALE; at least one.
static inline int test_count(int base)
{
  const char *scale = getenv("PERCUSS_TEST_SCALE");
  double count = base * (scale != NULL ? atof(scale) : 1);
  return count > 1e9 ? 1000000000 : count < 1 ? 1 : (int)count;
}

// The same with a count for `make test-long`.
static inline int test_count_long(int base, int longest)
{
  return getenv("PERCUSS_TEST_LONG") != NULL ? longest : test_count(base);
}

// Where counts are reduced, as with sanitizers, a test is skipped that runs for the accuracy of its
// numbers and whose code other tests run too.
static inline void skip_when_reduced(void)
{
  const char *scale = getenv("PERCUSS_TEST_SCALE");
  if (scale != NULL && atof(scale) < 1)
    skip();
}

// A seeded generator; prints the seed, so that a failure can be repeated.
static inline pc_random test_random(const char *name)
{
  const char *text = getenv("PERCUSS_TEST_SEED");
  uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 20170101;
  printf("%s: seed %llu\n", name, (unsigned long long)seed);
  pc_random random;
  pc_random_seed(&random, seed);
  return random;
}

// A positive number whose logarithm is uniform.
static inline double random_decades(pc_random *random, double low, double high)
{
  return exp(pc_random_uniform(random, log(low), log(high)));
}

static inline void random_vector(pc_random *random, int n, double size, double *x)
{
  for (int i = 0; i < n; i++)
    x[i] = size * pc_random_normal(random);
}

// A call that succeeds; else its message is shown.
#define assert_ok(status, error)                                                                   \
  do {                                                                                             \
    if ((status) != PC_OK)                                                                         \
      fail_msg("%s", (error)->text);                                                               \
  } while (0)

// A message that has these words.
#define assert_says(message, words)                                                                \
  do {                                                                                             \
    const char *message_ = (message), *words_ = (words);                                           \
    if (strstr(message_, words_) == NULL)                                                          \
      fail_msg("'%s' does not say '%s'", message_, words_);                                        \
  } while (0)

// Doubles within an absolute tolerance; cmocka's own check is for floats.
#define assert_near(got, want, tolerance)                                                          \
  do {                                                                                             \
    double got_ = (got), want_ = (want);                                                           \
    if (!(fabs(got_ - want_) <= (tolerance)))                                                      \
      fail_msg("%s = %.17g, not %.17g", #got, got_, want_);                                        \
  } while (0)

#endif
