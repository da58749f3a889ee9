// Parts of crowds: searches for neighbours, and flow from times of exits.
#include <stdbool.h>
#include <string.h>

#include "crowd/flow.h"
#include "crowd/neighbours.h"
#include "support.h"

// People of the book's sizes who overlap a little, as they walk.
static void test_searches(void **state)
{
  enum { PEOPLE = 300, STEPS = 20 };
  static double centre[PEOPLE][2], radius[PEOPLE];
  pc_random random = test_random("searches");
  for (int round = 0; round < test_count(5); round++) {
    double side = pc_random_uniform(&random, 9, 20);
    pc_search *search[PC_SEARCHES];
    for (int k = 0; k < PC_SEARCHES; k++)
      assert_non_null(search[k] = pc_search_create(k));
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
      assert_int_equal(pc_search_pairs(search[0], PEOPLE, (const double(*)[2])centre, radius,
                                       within, &want, &wants, NULL),
                       PC_OK);
      assert_true(wants > 0);
      for (int k = 1; k < PC_SEARCHES; k++) {
        assert_int_equal(pc_search_pairs(search[k], PEOPLE, (const double(*)[2])centre, radius,
                                         within, &got, &gots, NULL),
                         PC_OK);
        if (gots != wants || memcmp(got, want, (size_t)wants * sizeof *want) != 0)
          fail_msg("%s: %d pairs, not %d", pc_search_name(k), gots, wants);
      }
      for (int i = 0; i < PEOPLE; i++)
        for (int k = 0; k < 2; k++)
          centre[i][k] += pc_random_uniform(&random, -0.004, 0.004);
    }
    for (int k = 0; k < PC_SEARCHES; k++)
      pc_search_destroy(search[k]);
  }
}

// A few people, people in one place and on one line.
static void test_searches_few(void **state)
{
  double centre[4][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, radius[4] = {0.6, 0.6, 0.6, 0.6};
  for (int count = 0; count <= 4; count++)
    for (int k = 0; k < PC_SEARCHES; k++) {
      const int(*pair)[2];
      int pairs;
      pc_search *search = pc_search_create(k);
      assert_int_equal(pc_search_pairs(search, count, (const double(*)[2])centre, radius, 0, &pair,
                                       &pairs, NULL),
                       PC_OK);
      assert_int_equal(pairs, count > 1 ? count - 1 : 0);
      pc_search_destroy(search);
    }
}

// Exits at a steady pace have that pace by every measure; a straggler spoils the pooled one only.
static void test_flow(void **state)
{
  enum { RUNS = 20, PEOPLE = 20 };
  double time[RUNS * PEOPLE];
  int start[RUNS + 1], inside[RUNS] = {0};
  for (int r = 0; r < RUNS; r++) {
    start[r] = r * PEOPLE;
    for (int k = 0; k < PEOPLE; k++)
      time[r * PEOPLE + k] = 0.4 * (k + 1); // 150 a minute, from time 0
  }
  start[RUNS] = RUNS * PEOPLE;
  pc_flow flow;
  assert_int_equal(pc_flow_measure(RUNS, start, time, inside, &flow, NULL), PC_OK);
  assert_near(flow.per_run, 150, 1e-9);
  assert_near(flow.origin, 150, 1e-9);
  assert_near(flow.pooled, 150, 1e-9);
  assert_near(flow.trimmed, 150, 1e-9);
  assert_near(flow.between, 150, 1e-9);
  assert_near(flow.middle, 150, 1e-9);
  assert_near(flow.deviation, 0, 1e-9);
  assert_int_equal(flow.runs, RUNS);
  assert_int_equal(flow.unfinished, 0);
  time[RUNS * PEOPLE - 1] = 100;
  inside[3] = 1;
  assert_int_equal(pc_flow_measure(RUNS, start, time, inside, &flow, NULL), PC_OK);
  assert_true(flow.pooled < 75);
  assert_true(flow.per_run > 142);
  assert_near(flow.middle, 150, 1e-9);
  assert_int_equal(flow.unfinished, 1);
  // Student's t: 10 values of deviation 1, and many.
  assert_near(pc_interval_95(10, 1), 2.262 / sqrt(10), 1e-3);
  assert_near(pc_interval_95(61, 1), 2.0003 / sqrt(61), 1e-3);
  // Nobody came out at all.
  int none[2] = {0, 0};
  assert_int_equal(pc_flow_measure(1, none, time, NULL, &flow, NULL), PC_OK);
  assert_int_equal(flow.runs, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_searches),
      cmocka_unit_test(test_searches_few),
      cmocka_unit_test(test_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
