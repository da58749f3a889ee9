// Ways around crowds: densities, times through them, and who takes which door.
#include "crowd_support.h"

static void test_factor(void **state)
{
  // Weidmann's curve: at 1 person per m2 1 - exp(-1.913 (1 - 1/5.4)) = 0.790 of the free speed, at
  // 5.4 nobody walks.
  assert_near(pc_congestion_factor(0), 1, 0);
  assert_near(pc_congestion_factor(1), 1 / 0.78960, 1e-4);
  assert_near(pc_congestion_factor(5.4), 20, 0);
  assert_near(pc_congestion_factor(100), 20, 0);
  for (double d = 0; d < 7; d += 0.01)
    assert_true(pc_congestion_factor(d + 0.01) >= pc_congestion_factor(d));
}

// A hall full of people: everybody is counted once, and in the middle of it, where they are four
// per square metre, ways take as many times as long as the curve says.
static void test_even_crowd(void **state)
{
  int goals[3];
  pc_crowd *crowd = make_hall(1, NULL, goals);
  int people = fill(crowd, goals[0], 23);
  const pc_grid *grid = &crowd->floors.at[0].grid;
  int column = (int)((6 - grid->low[0]) / grid->spacing);
  int row = (int)((3 - grid->low[1]) / grid->spacing), node = row * grid->columns + column;
  double from[2] = {6, 3}, alone = grid->slowness[node],
         before = pc_crowd_route(crowd, goals[0], 0, from);
  assert_near(before, 6, 0.1);
  ok(crowd, pc_crowd_step(crowd, 0.001));
  const pc_congested *c = &crowd->floors.at[0].congested;
  double all = 0, area = 0;
  for (int i = 0; i < c->columns * c->rows; i++) {
    all += c->density[i] * fmax(c->area[i], 0.5);
    area += c->area[i];
  }
  assert_near(all, people, 1e-9);
  assert_near(area, 72, 0.02 * 72);
  assert_near(grid->slowness[node] / alone, pc_congestion_factor(4), 1e-9);
  double after = pc_crowd_route(crowd, goals[0], 0, from);
  // The fastest way keeps to places where they stand less densely.
  assert_true(after > 0.5 * pc_congestion_factor(4) * before &&
              after < pc_congestion_factor(4) * before);
  pc_crowd_destroy(crowd);
}

// All stand nearer to the left door. Without a look at the crowd all take it; with it, some take
// the other, and all are out earlier.
static void test_two_doors(void **state)
{
  double last[2];
  int right[2];
  for (int round = 0; round < 2; round++) {
    int goals[3];
    pc_crowd *crowd = make_hall(round == 0 ? 0 : 1, NULL, goals);
    int people = fill(crowd, goals[2], 10);
    for (int k = 0; k < 12000 && pc_crowd_inside(crowd) > 0; k++)
      ok(crowd, pc_crowd_step(crowd, 0.01));
    assert_int_equal(pc_crowd_inside(crowd), 0);
    last[round] = pc_world_time(pc_crowd_world(crowd));
    right[round] = 0;
    for (int i = 0; i < people; i++) {
      right[round] += person_of(crowd, i).exit == goals[1];
    }
    pc_crowd_destroy(crowd);
  }
  assert_int_equal(right[0], 0);
  if (!(right[1] > 20 && right[1] < 90))
    fail_msg("%d of 110 take the other door", right[1]);
  if (!(last[1] < 0.8 * last[0]))
    fail_msg("%g s with a look at the crowd, %g s without", last[1], last[0]);
}

// Saved between two looks and loaded into another crowd: the same to the bit.
static void test_saved(void **state)
{
  int goals[3];
  pc_crowd *one = make_hall(0.5, NULL, goals), *two = make_hall(0.5, NULL, goals);
  int people = fill(one, goals[2], 6);
  fill(two, goals[2], 6);
  for (int k = 0; k < 130; k++)
    ok(one, pc_crowd_step(one, 0.01));
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(pc_crowd_save(one, bytes, size), size);
  ok(two, pc_crowd_load(two, bytes, size));
  for (int k = 0; k < 200; k++) {
    ok(one, pc_crowd_step(one, 0.01));
    ok(two, pc_crowd_step(two, 0.01));
  }
  for (int i = 0; i < people; i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_memory_equal(a.wish, b.wish, sizeof a.wish);
  }
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_factor),
      cmocka_unit_test(test_even_crowd),
      cmocka_unit_test(test_two_doors),
      cmocka_unit_test(test_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
