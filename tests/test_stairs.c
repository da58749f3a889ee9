// Speeds on stairs with a slope, up and down, against what was published.
#include <math.h>

#include "crowd_support.h"

// The speed of one person halfway on stairs of 6 m from the first floor to the second.
static double speed_on(pc_stairs_def stairs, const pc_person_def *who)
{
  pc_crowd *crowd = create_crowd(pc_crowd_def_default());
  assert_int_equal(pc_crowd_add_floor(crowd), 1);
  for (int f = 0; f < 2; f++)
    ok(crowd, pc_crowd_add_wall(crowd, f, PC_WALL_OUTLINE, 4,
                                POINTS(((point[]){{0, 0}, {5, 0}, {5, 3}, {0, 3}}))));
  point from[] = {{5, 2}, {5, 1}}, to[] = {{0, 2}, {0, 1}};
  stairs.floor[1] = 1;
  stairs.length = 6;
  memcpy(stairs.line[0], from, sizeof from);
  memcpy(stairs.line[1], to, sizeof to);
  int flight = pc_crowd_add_stairs(crowd, &stairs);
  if (flight < 0)
    fail_msg("%s", pc_crowd_error(crowd));
  pc_person_def person = *who;
  person.goal = pc_crowd_add_exit(crowd, &(pc_exit_def){.floor = 1, .line = {{5, 1}, {5, 2}}});
  person.position[0] = 4;
  person.position[1] = 1.5;
  ok(crowd, pc_crowd_finish(crowd));
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  double speed = 0;
  for (int i = 0; i < 4000 && pc_crowd_inside(crowd) > 0; i++) {
    ok(crowd, pc_crowd_step(crowd, 0.01));
    pc_person_state state = person_of(crowd, 0);
    if (state.floor == flight && state.position[0] < 4)
      speed = hypot(state.velocity[0], state.velocity[1]);
  }
  assert_int_equal(pc_crowd_inside(crowd), 0);
  pc_crowd_destroy(crowd);
  return speed;
}

static void up_and_down(void **state)
{
  const double normal = 6 * 17.0 / 29;
  pc_person_def person = pc_person_def_default();
  assert_near(speed_on((pc_stairs_def){.rise = normal}, &person), 0.61, 1e-3); // Weidmann 1993
  assert_near(speed_on((pc_stairs_def){.rise = -normal}, &person), 0.69, 1e-3);
  assert_near(speed_on((pc_stairs_def){.rise = -normal, .speed = 0.4}, &person), 0.4, 1e-3);
  assert_near(speed_on((pc_stairs_def){.rise = 0.3}, &person), 1.34, 1e-3); // nearly level
  assert_near(speed_on((pc_stairs_def){.rise = 0}, &person), 0.5, 1e-3);    // as without a rise
  person.speed = 0.67;
  assert_near(speed_on((pc_stairs_def){.rise = normal}, &person), 0.305, 1e-3);
  person.own_stairs = true;
  person.stairs_speed = 0.55;
  assert_near(speed_on((pc_stairs_def){.rise = normal}, &person), 0.55, 1e-3);
  person.speed = 0.5;
  assert_near(speed_on((pc_stairs_def){.rise = -normal}, &person), 0.5, 1e-3);
}

// SFPE Handbook, table of k by riser and tread (inches): speeds along the stairs stand in the same
// ratios, to the two decimals that are printed.
static void slopes_as_in_the_sfpe_handbook(void **state)
{
  static const struct {
    double riser, tread, k;
  } table[] = {{7.5, 10, 1.00}, {7, 11, 1.08}, {6.5, 12, 1.16}, {6.5, 13, 1.23}};
  double first = 0;
  for (int i = 0; i < 4; i++)
    for (int down = 0; down < 2; down++) {
      double slope = table[i].riser / table[i].tread;
      double along = pc_stairs_ratio(down ? -slope : slope) * hypot(1, slope);
      if (i == 0 && !down)
        first = along;
      assert_near(along / first, table[i].k * (down ? 0.69 / 0.61 : 1), 0.02);
    }
  for (double slope = 0.01; slope < 2; slope += 0.01) { // steeper stairs are slower
    assert_true(pc_stairs_ratio(slope + 0.01) <= pc_stairs_ratio(slope));
    assert_true(pc_stairs_ratio(slope) <= pc_stairs_ratio(-slope) && pc_stairs_ratio(-slope) <= 1);
  }
  assert_near(pc_stairs_ratio(0), 1, 0);
}

static void impossible_slopes(void **state)
{
  pc_crowd *crowd = create_crowd(pc_crowd_def_default());
  pc_stairs_def stairs = {.line = {{{5, 2}, {5, 1}}, {{0, 2}, {0, 1}}}, .rise = 3};
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), -1);
  assert_non_null(strstr(pc_crowd_error(crowd), "need a horizontal length of at least 1.5 m"));
  stairs.length = 1;
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), -1);
  stairs.rise = NAN;
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), -1);
  pc_crowd_destroy(crowd);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(up_and_down),
                                     cmocka_unit_test(slopes_as_in_the_sfpe_handbook),
                                     cmocka_unit_test(impossible_slopes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
