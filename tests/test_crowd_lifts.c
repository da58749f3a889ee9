// Lifts: times of rides, capacities, calls, and who may use them.
#include "crowd_support.h"

enum { MOST_FLOORS = 3 };

// Floors of 6 m by 4 m, the first of them with the exit at x = 6. The doors of the lift are at x =
// 0, from y = 1 to 2.2. Stairs, if wanted, lead down from x = 6.
static pc_crowd *make(int floors, pc_lift_def lift, bool stairs, bool ramp)
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  pc_crowd *crowd = create_crowd(def);
  pc_landing_def stops[MOST_FLOORS];
  for (int f = 0; f < floors; f++) {
    point room[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
    if (f > 0)
      assert_int_equal(pc_crowd_add_floor(crowd), f);
    ok(crowd, pc_crowd_add_wall(crowd, f, PC_WALL_OUTLINE, 4, POINTS(room)));
    stops[f] = (pc_landing_def){.floor = f, .line = {{0, 1}, {0, 2.2}}, .height = 4 * f};
  }
  lift.landings = floors;
  lift.landing = stops;
  if (lift.capacity > 0)
    assert_int_equal(pc_crowd_add_lift(crowd, &lift), 0);
  for (int f = 1; f < floors && stairs; f++)
    assert_true(
        pc_crowd_add_stairs(crowd, &(pc_stairs_def){.floor = {f, f - 1},
                                                    .line = {{{5, 2}, {5, 1}}, {{4, 2}, {4, 1}}},
                                                    .ramp = ramp}) >= 0);
  assert_int_equal(pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{6, 1}, {6, 3}}}), 0);
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

static pc_lift_def lift_of(int capacity)
{
  pc_lift_def def = pc_lift_def_default();
  def.capacity = capacity;
  return def;
}

static int add(pc_crowd *crowd, int floor, double x, double y, bool lifts, bool no_stairs)
{
  pc_person_def person = pc_person_def_default();
  person.floor = floor;
  person.position[0] = x;
  person.position[1] = y;
  person.lifts = lifts;
  person.no_stairs = no_stairs;
  return pc_crowd_add_person(crowd, &person);
}

static void add_ten(pc_crowd *crowd, int floor)
{
  for (int i = 0; i < 10; i++)
    if (add(crowd, floor, 1.5 + 0.6 * (i % 5), 1 + 0.6 * (i / 5), true, false) < 0)
      fail_msg("%s", pc_crowd_error(crowd));
}

static double time_of(pc_crowd *crowd)
{
  return pc_world_time(pc_crowd_world(crowd));
}

// A car 4 m below comes at 1 m/s, opens in 3 s, waits for 3 s after the person got in in 1 s,
// closes in 3 s, and so on: from getting in to getting out 1 + 3 + 3 + 4 + 3 s.
static void rides_take_their_time(void **state)
{
  for (int i = 0; i < 2; i++) {
    pc_lift_def def = lift_of(8);
    def.acceleration = i == 0 ? 0 : 0.5; // 4 m from rest to rest at 0.5 m/s^2, at most 1 m/s: 6 s
    double ride = i == 0 ? 4 : 6, called = -1, in = -1, out = -1;
    pc_crowd *crowd = make(2, def, false, false);
    assert_int_equal(add(crowd, 1, 3, 1.6, true, false), 0);
    while (pc_crowd_inside(crowd) > 0 && time_of(crowd) < 100) {
      double time = time_of(crowd); // of events
      ok(crowd, pc_crowd_step(crowd, 0.01));
      pc_person_state person = person_of(crowd, 0);
      if (called < 0 && pc_crowd_lift(crowd, 0).moves)
        called = time;
      if (in < 0 && !person.present)
        in = time;
      if (in >= 0 && out < 0 && person.present)
        out = time;
    }
    assert_int_equal(pc_crowd_inside(crowd), 0);
    assert_near(in - called, ride + 3, 0.021);
    assert_near(out - in, 1 + 3 + 3 + ride + 3, 0.021);
    assert_near(person_of(crowd, 0).exit_time - out, 5.7 / 1.34 + 0.5, 0.3);
    assert_int_equal(pc_crowd_lift(crowd, 0).carried, 1);
    pc_crowd_destroy(crowd);
  }
}

// Ten people and room for four: three trips, each of 4 s to get in, as many to get out, 3 s before
// the empty car leaves, four doors and two rides.
static void cars_have_a_capacity(void **state)
{
  pc_crowd *crowd = make(2, lift_of(4), false, false);
  add_ten(crowd, 1);
  double first[3] = {0};
  int trips = 0, before = 0;
  while (pc_crowd_inside(crowd) > 0 && time_of(crowd) < 300) {
    ok(crowd, pc_crowd_step(crowd, 0.02));
    pc_lift_state lift = pc_crowd_lift(crowd, 0);
    int away = 0;
    for (int i = 0; i < 10; i++)
      away += !person_of(crowd, i).present && person_of(crowd, i).exit < 0;
    assert_int_equal(away, lift.riders);
    assert_true(lift.riders <= 4);
    if (before == 0 && lift.riders == 1 && trips < 3)
      first[trips++] = time_of(crowd);
    before = lift.riders;
  }
  assert_int_equal(pc_crowd_inside(crowd), 0);
  assert_int_equal(trips, 3);
  assert_int_equal(pc_crowd_lift(crowd, 0).carried, 10);
  for (int i = 0; i < 2; i++)
    assert_near(first[i + 1] - first[i], 4 + 4 + 3 + 4 * 3 + 2 * 4, 0.6);
  pc_crowd_destroy(crowd);
}

// Only those who may take lifts do, if that is faster; those who take no stairs have no other way,
// but ramps.
static void people_use_what_they_may(void **state)
{
  pc_crowd *crowd = make(2, lift_of(8), true, false);
  int by_stairs = add(crowd, 1, 1, 1.6, false, false);
  int fast = add(crowd, 1, 1, 3, true, false), wheels = add(crowd, 1, 2, 3, true, true);
  assert_true(by_stairs >= 0 && fast >= 0 && wheels >= 0);
  assert_int_equal(add(crowd, 1, 3, 3, false, true), PC_NO_WAY);
  assert_non_null(strstr(pc_crowd_error(crowd), "for somebody who takes no stairs"));
  while (pc_crowd_inside(crowd) > 0 && time_of(crowd) < 100)
    ok(crowd, pc_crowd_step(crowd, 0.02));
  assert_int_equal(pc_crowd_lift(crowd, 0).carried, 1); // the stairs are faster for the other
  assert_true(person_of(crowd, by_stairs).exit_time < 10);
  assert_true(person_of(crowd, fast).exit_time < 10);
  assert_true(person_of(crowd, wheels).exit_time > 20);
  pc_crowd_destroy(crowd);
  crowd = make(2, lift_of(0), true, true);
  assert_int_equal(add(crowd, 1, 3, 3, false, true), 0);
  while (pc_crowd_inside(crowd) > 0 && time_of(crowd) < 100)
    ok(crowd, pc_crowd_step(crowd, 0.02));
  assert_int_equal(pc_crowd_inside(crowd), 0);
  pc_crowd_destroy(crowd);
}

// From (3, 1.6) it is 2.65 m to where people wait, and from there 5.65 m to the exit; with a wait
// of 10 s, 4 s of ride, two doors and two transfers.
static void routes_count_waits_and_rides(void **state)
{
  pc_lift_def def = lift_of(8);
  def.wait = 10;
  pc_crowd *crowd = make(2, def, false, false);
  assert_int_equal(add(crowd, 1, 3, 1.6, true, false), 0);
  double time = pc_routes_time(crowd, 0, PC_LIFTS, 1, (double[]){3, 1.6});
  assert_near(time, 2.65 + 10 + 4 + 2 * 3 + 2 * 1 + 5.65, 0.1);
  assert_true(!isfinite(pc_crowd_route(crowd, 0, 1, (double[]){3, 1.6})));
  pc_crowd_destroy(crowd);
}

// A call from the second floor and one from the third, the car below. It goes to the nearest first,
// and brings that person down; or to the highest, and stops for the other on its way down.
static void cars_collect_people_on_their_way(void **state)
{
  for (int highest = 0; highest < 2; highest++) {
    pc_lift_def def = lift_of(8);
    def.highest = highest != 0;
    pc_crowd *crowd = make(3, def, false, false);
    assert_int_equal(add(crowd, 1, 1, 1.6, true, false), 0);
    assert_int_equal(add(crowd, 2, 1, 1.6, true, false), 1);
    int most = 0, stops[8] = {0}, count = 1;
    while (pc_crowd_inside(crowd) > 0 && time_of(crowd) < 200) {
      ok(crowd, pc_crowd_step(crowd, 0.02));
      pc_lift_state lift = pc_crowd_lift(crowd, 0);
      most = lift.riders > most ? lift.riders : most;
      if (lift.at != stops[count - 1] && count < 8)
        stops[count++] = lift.at;
    }
    static const int expected[2][5] = {{0, 1, 0, 2, 0}, {0, 2, 1, 0}};
    assert_int_equal(pc_crowd_inside(crowd), 0);
    assert_int_equal(most, 1 + highest);
    assert_int_equal(count, highest ? 4 : 5);
    assert_memory_equal(stops, expected[highest], (size_t)count * sizeof *stops);
    pc_crowd_destroy(crowd);
  }
}

// Saved while people ride: the same to the bit, also with other threads.
static void rides_go_on_after_loading(void **state)
{
  pc_crowd *one = make(2, lift_of(4), false, false), *two = make(2, lift_of(4), false, false);
  add_ten(one, 1);
  add_ten(two, 1);
  pc_crowd_set_threads(two, 3);
  while (!(pc_crowd_lift(one, 0).moves && pc_crowd_lift(one, 0).riders > 0) && time_of(one) < 100)
    ok(one, pc_crowd_step(one, 0.02));
  assert_int_equal(pc_crowd_lift(one, 0).riders, 4);
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  pc_crowd_save(one, bytes, size);
  ok(two, pc_crowd_load(two, bytes, size));
  assert_int_equal(pc_crowd_lift(two, 0).riders, 4);
  for (int k = 0; k < 2500; k++) {
    ok(one, pc_crowd_step(one, 0.02));
    ok(two, pc_crowd_step(two, 0.02));
  }
  for (int i = 0; i < 10; i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
    assert_int_equal(a.exit, b.exit);
    assert_int_equal(a.floor, b.floor);
  }
  assert_int_equal(pc_crowd_lift(one, 0).carried, pc_crowd_lift(two, 0).carried);
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

static void impossible_lifts_are_rejected(void **state)
{
  pc_crowd *crowd = create_crowd(pc_crowd_def_default());
  point room[] = {{0, 0}, {6, 0}, {6, 4}, {0, 4}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(room)));
  assert_int_equal(pc_crowd_add_floor(crowd), 1);
  ok(crowd, pc_crowd_add_wall(crowd, 1, PC_WALL_OUTLINE, 4, POINTS(room)));
  pc_landing_def stops[] = {{0, {{0, 1}, {0, 2}}, 0}, {0, {{0, 1}, {0, 2}}, 3}};
  pc_lift_def def = lift_of(4);
  def.landing = stops;
  def.landings = 2;
  assert_int_equal(pc_crowd_add_lift(crowd, &def), -1); // twice on a floor
  stops[1].floor = 1;
  def.landings = 1;
  assert_int_equal(pc_crowd_add_lift(crowd, &def), -1);
  def.landings = 2;
  def.capacity = 0;
  assert_int_equal(pc_crowd_add_lift(crowd, &def), -1);
  def.capacity = 4;
  memcpy(stops[1].line, ((point[]){{0, 2}, {0, 1}}), sizeof stops[1].line); // into the wall
  assert_int_equal(pc_crowd_add_lift(crowd, &def), 0);
  assert_int_equal(pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{6, 1}, {6, 3}}}), 0);
  assert_int_not_equal(pc_crowd_finish(crowd), PC_OK);
  assert_non_null(strstr(pc_crowd_error(crowd), "nobody can stand before the doors of the lift"));
  pc_crowd_destroy(crowd);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rides_take_their_time),
      cmocka_unit_test(cars_have_a_capacity),
      cmocka_unit_test(people_use_what_they_may),
      cmocka_unit_test(routes_count_waits_and_rides),
      cmocka_unit_test(cars_collect_people_on_their_way),
      cmocka_unit_test(rides_go_on_after_loading),
      cmocka_unit_test(impossible_lifts_are_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
