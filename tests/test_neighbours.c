// The searches for neighbours that `percuss bench crowd` compares find the same pairs.
#include "bench/neighbours.h"

#include <string.h>

#include "support.h"

// Discs of the sizes of people that overlap a little and move.
static void searches_find_the_same_pairs(void **state)
{
  enum { PEOPLE = 300, STEPS = 20 };
  static double centre[PEOPLE][2], radius[PEOPLE];
  pc_random random = test_random("searches");
  for (int round = 0; round < test_count(5); round++) {
    double side = pc_random_uniform(&random, 9, 20);
    search *tried[SEARCHES];
    for (int k = 0; k < SEARCHES; k++)
      assert_non_null(tried[k] = search_create(k));
    for (int i = 0; i < PEOPLE; i++) {
      radius[i] = pc_random_uniform(&random, 0.2, 0.25);
      bool room = false;
      for (int tries = 0; tries < 100000 && !room; tries++) {
        room = true;
        for (int k = 0; k < 2; k++)
          centre[i][k] = pc_random_uniform(&random, 0, side);
        for (int j = 0; j < i && room; j++)
          room = hypot(centre[i][0] - centre[j][0], centre[i][1] - centre[j][1]) >
                 0.95 * (radius[i] + radius[j]);
      }
      assert_true(room);
    }
    for (int step = 0; step < STEPS; step++) {
      const int(*want)[2], (*got)[2];
      int wants, gots;
      double within = 0.01;
      assert_true(search_pairs(tried[0], PEOPLE, (const double(*)[2])centre, radius, within, &want,
                               &wants));
      assert_true(wants > 0);
      for (int k = 1; k < SEARCHES; k++) {
        assert_true(search_pairs(tried[k], PEOPLE, (const double(*)[2])centre, radius, within, &got,
                                 &gots));
        if (gots != wants || memcmp(got, want, (size_t)wants * sizeof *want) != 0)
          fail_msg("%s: %d pairs, not %d", search_name(k), gots, wants);
      }
      for (int i = 0; i < PEOPLE; i++)
        for (int k = 0; k < 2; k++)
          centre[i][k] += pc_random_uniform(&random, -0.004, 0.004);
    }
    for (int k = 0; k < SEARCHES; k++)
      search_destroy(tried[k]);
  }
}

// None, one, and discs on one line.
static void few_discs_and_discs_on_a_line(void **state)
{
  double centre[4][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, radius[4] = {0.6, 0.6, 0.6, 0.6};
  for (int count = 0; count <= 4; count++)
    for (int k = 0; k < SEARCHES; k++) {
      const int(*pair)[2];
      int pairs;
      search *tried = search_create(k);
      assert_true(search_pairs(tried, count, (const double(*)[2])centre, radius, 0, &pair, &pairs));
      assert_int_equal(pairs, count > 1 ? count - 1 : 0);
      search_destroy(tried);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_find_the_same_pairs),
      cmocka_unit_test(few_discs_and_discs_on_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
