// Parts of crowds: corners of walls, and flow from times of exits.
#include <stdbool.h>
#include <string.h>

#include "core/clock.h"
#include "core/statistics.h"
#include "crowd/corners.h"
#include "geometry/narrow.h"
#include "percuss/crowd_measures.h"
#include "support.h"

// Every corner is held against the walls near it: against all of them these take minutes.
static void corners_of_many_obstacles(void **state)
{
  enum { SIDE = 200 };
  pc_layout plan = {0};
  for (int i = 0; i < SIDE * SIDE; i++) {
    double x = 0.3 * (i % SIDE), y = 0.3 * (i / SIDE);
    double square[4][2] = {{x, y}, {x + 0.1, y}, {x + 0.1, y + 0.1}, {x, y + 0.1}};
    assert_int_equal(pc_layout_add(&plan, PC_AREA_SOLID, 4, (const double(*)[2])square, NULL),
                     PC_OK);
  }
  assert_int_equal(pc_layout_finish(&plan, NULL), PC_OK);
  pc_corners corners;
  pc_arena arena = {0};
  double began = pc_clock_seconds();
  assert_int_equal(pc_corners_list(&corners, &plan, 0, NULL, 0.1, &arena, NULL), PC_OK);
  assert_true(pc_clock_seconds() - began < 10);
  assert_int_equal(corners.count, 4 * SIDE * SIDE);
  for (int i = 0; i < corners.count; i++) { // ways bend about the outside, three quarters of a turn
    const pc_corner *corner = &corners.at[i];
    double across[2] = {i % 4 == 0 || i % 4 == 3 ? -1 : 1, i % 4 < 2 ? -1 : 1};
    for (int k = 0; k < 2; k++)
      assert_near(corner->middle[k], across[k] * sqrt(0.5), 1e-9);
    assert_near(corner->opening, -sqrt(0.5), 1e-6);
  }
  pc_arena_free(&arena);
  pc_layout_free(&plan);
}

// What another wall ends at, or passes through, is found however the walls lie in squares: of an L
// and a wall that goes on from it one corner is closed, and the far ends are open.
static void corners_where_walls_meet(void **state)
{
  pc_random random = test_random("corners");
  for (int round = 0; round < test_count(200); round++) {
    double x = pc_random_uniform(&random, -5, 5), y = pc_random_uniform(&random, -5, 5);
    double size = pc_random_uniform(&random, 0.1, 3);
    double bend[3][2] = {{x + size, y}, {x, y}, {x, y + size}};
    double more[2][2] = {{x - 2 * size, y - 2 * size}, {x, y}};
    double through[2][2] = {{x + size, y - size}, {x + size, y + size}};
    pc_layout plan = {0};
    assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 3, (const double(*)[2])bend, NULL), PC_OK);
    assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 2, (const double(*)[2])more, NULL), PC_OK);
    assert_int_equal(pc_layout_add(&plan, PC_LINE_WALL, 2, (const double(*)[2])through, NULL),
                     PC_OK);
    assert_int_equal(pc_layout_finish(&plan, NULL), PC_OK);
    pc_corners corners;
    pc_arena arena = {0};
    assert_int_equal(pc_corners_list(&corners, &plan, 0, NULL, 0.1, &arena, NULL), PC_OK);
    const double want[4][2] = {
        {x, y + size}, {x - 2 * size, y - 2 * size}, {x + size, y - size}, {x + size, y + size}};
    assert_int_equal(corners.count, 4);
    for (int i = 0; i < 4; i++) {
      assert_memory_equal(corners.at[i].place, want[i], sizeof want[i]);
      assert_true(corners.at[i].opening == -2); // all around
    }
    pc_arena_free(&arena);
    pc_layout_free(&plan);
  }
}

// Exits at a steady pace have that pace by every measure; one straggler in twenty runs spoils the
// pooled one.
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
  pc_crowd_flow flow;
  assert_int_equal(pc_crowd_measure_flow(RUNS, start, time, inside, &flow, NULL), PC_OK);
  assert_near(flow.per_run, 150, 1e-9);
  assert_near(flow.robust, 150, 1e-9);
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
  assert_int_equal(pc_crowd_measure_flow(RUNS, start, time, inside, &flow, NULL), PC_OK);
  assert_true(flow.pooled < 75);
  assert_true(flow.per_run > 142);
  assert_near(flow.robust, 150, 1e-9);
  assert_near(flow.middle, 150, 1e-9);
  assert_int_equal(flow.unfinished, 1);
  // Student's t: 10 values of deviation 1, and many.
  assert_near(pc_interval_95(10, 1), 2.262 / sqrt(10), 1e-3);
  assert_near(pc_interval_95(61, 1), 2.0003 / sqrt(61), 1e-3);
  // Nobody came out at all.
  int none[2] = {0, 0};
  assert_int_equal(pc_crowd_measure_flow(1, none, time, NULL, &flow, NULL), PC_OK);
  assert_int_equal(flow.runs, 0);
}

// A wall cut into pieces touches a disc as the whole does: no corner twice, none missing, and on a
// straight wall the joints of pieces are not felt.
static void test_wall_pieces(void **state)
{
  enum { MOST = 8 };
  pc_random random = test_random("wall pieces");
  pc_contact_list whole = {0}, part = {0};
  long touches = 0;
  for (int round = 0; round < test_count(20000); round++) {
    double wall[MOST][2] = {{0, 0}};
    int count = 3 + pc_random_below(&random, MOST - 3);
    bool closed = pc_random_below(&random, 2) == 0;
    double heading = pc_random_uniform(&random, -3, 3);
    for (int i = 1; i < count; i++) { // some corners are none, some are right
      int turn = pc_random_below(&random, 4);
      heading += turn == 0 ? 0 : turn == 1 ? 1.5707963267948966 : pc_random_uniform(&random, -2, 2);
      double step = pc_random_uniform(&random, 0.5, 1);
      wall[i][0] = wall[i - 1][0] + step * cos(heading);
      wall[i][1] = wall[i - 1][1] + step * sin(heading);
    }
    if (closed) { // not back along itself
      const double *a = wall[count - 1], *b = wall[0], *c = wall[1], *z = wall[count - 2];
      double one = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
      double two = (a[0] - z[0]) * (b[1] - a[1]) - (a[1] - z[1]) * (b[0] - a[0]);
      if (fabs(one) < 0.05 || fabs(two) < 0.05)
        continue;
    }
    pc_shape *disc = pc_shape_disc(0.225, NULL);
    pc_shape *chain = pc_shape_chain(count, (const double(*)[2])wall, closed, NULL);
    assert_non_null(chain);
    int near = pc_random_below(&random, count); // a place by a corner
    pc_pose at = {{wall[near][0] + pc_random_uniform(&random, -0.3, 0.3),
                   wall[near][1] + pc_random_uniform(&random, -0.3, 0.3), 0},
                  {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (pc_random_below(&random, 4) == 0) // just before it
      for (int k = 0; k < 2; k++)
        at.position[k] = wall[near][k] + (k == 0 ? 0.2 : 0) * cos(heading);
    pc_pose origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    whole.count = 0;
    assert_int_equal(pc_collide(disc, &at, chain, &origin, 0.02, &whole), PC_OK);
    int found = 0;
    bool matched[MOST * 4] = {0};
    for (int e = 0; e < (closed ? count : count - 1); e++) {
      double piece[2][2];
      memcpy(piece[0], wall[e], sizeof piece[0]);
      memcpy(piece[1], wall[(e + 1) % count], sizeof piece[1]);
      pc_shape *own = pc_shape_wall_piece(
          closed || e > 0 ? wall[(e + count - 1) % count] : NULL, (const double(*)[2])piece,
          closed || e + 2 < count ? wall[(e + 2) % count] : NULL, NULL);
      part.count = 0;
      assert_int_equal(pc_collide(disc, &at, own, &origin, 0.02, &part), PC_OK);
      for (int p = 0; p < part.count; p++) {
        found++;
        for (int w = 0; w < whole.count && w < MOST * 4; w++)
          if (!matched[w] && fabs(whole.at[w].gap - part.at[p].gap) < 1e-9 &&
              hypot(whole.at[w].normal[0] - part.at[p].normal[0],
                    whole.at[w].normal[1] - part.at[p].normal[1]) < 1e-6) {
            matched[w] = true;
            break;
          }
      }
      pc_shape_release(own);
    }
    for (int w = 0; w < whole.count; w++)
      if (!matched[w] || found != whole.count)
        fail_msg("round %d: the whole has %d contacts, its pieces %d", round, whole.count, found);
    assert_true(whole.count > 0 || found == 0);
    touches += found;
    pc_shape_release(disc);
    pc_shape_release(chain);
  }
  assert_true(touches > test_count(20000) / 4);
  free(whole.at);
  free(part.at);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_of_many_obstacles),
      cmocka_unit_test(corners_where_walls_meet),
      cmocka_unit_test(test_flow),
      cmocka_unit_test(test_wall_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
