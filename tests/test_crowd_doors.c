// Doors that open and close, and the ways that people take then.
#include "crowd_support.h"

static double way(pc_crowd *crowd, int goal, double x, double y)
{
  return pc_crowd_route(crowd, goal, 0, (double[]){x, y});
}

static void go_to(pc_crowd *crowd, double time)
{
  while (pc_world_time(pc_crowd_world(crowd)) < time - 1e-9)
    ok(crowd, pc_crowd_step(crowd, 0.01));
}

// The way to the nearest exit is the one to the other exit while the door is closed, and when it
// opens again it is what it was, to the bit.
static void closed_doors_leave_the_routes(void **state)
{
  int goals[3];
  pc_crowd *crowd = make_hall(0, &(pc_door_def){.opens = 0.1, .closes = 0.2}, goals);
  pc_crowd *without = make_hall(0, NULL, goals);
  fill(crowd, goals[2], 1);
  double right = way(without, goals[1], 4, 3), left = way(without, goals[0], 4, 3);
  assert_near(left, 4, 0.05);
  assert_near(right, 8, 0.05);
  assert_near(way(crowd, goals[2], 4, 3), right, 0);
  go_to(crowd, 0.15);
  assert_near(way(crowd, goals[2], 4, 3), left, 0);
  go_to(crowd, 0.25);
  assert_near(way(crowd, goals[2], 4, 3), right, 0);
  pc_crowd_destroy(crowd);
  pc_crowd_destroy(without);
}

// Routes do not change with a door that is awaited.
static void awaited_doors_stay_on_the_routes(void **state)
{
  int goals[3];
  pc_crowd *crowd = make_hall(0, &(pc_door_def){.opens = 5, .awaited = true}, goals);
  pc_crowd *without = make_hall(0, NULL, goals);
  for (double x = 0.5; x < 12; x += 0.5)
    assert_near(way(crowd, goals[2], x, 2), way(without, goals[2], x, 2), 0);
  pc_crowd_destroy(crowd);
  pc_crowd_destroy(without);
}

// Everybody begins nearer to the left exit. When it closes, those who are still inside turn round,
// wherever they are, even in the crowd in front of it, and leave by the other.
static void people_turn_round(void **state)
{
  static const pc_treatment treatments[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
  for (int k = 0; k < 3; k++) {
    int goals[3];
    pc_crowd_def def = treated(treatments[k], false);
    pc_crowd *crowd = make_hall_of(def, &(pc_door_def){.closes = 4}, goals);
    int people = fill(crowd, goals[2], 8), left = 0;
    go_to(crowd, 80);
    assert_int_equal(pc_crowd_inside(crowd), 0);
    for (int i = 0; i < people; i++) {
      pc_person_state person = person_of(crowd, i);
      left += person.exit == goals[0];
      // The door closes when nobody stands in it: the last ones take a second.
      assert_true(person.exit == (person.exit_time < 5.5 ? goals[0] : goals[1]));
    }
    assert_true(left > 5 && left < people / 2);
    pc_crowd_destroy(crowd);
  }
}

// Without another way people go to the door, wait, and leave when it opens.
static void who_has_no_other_way_waits(void **state)
{
  int goals[3];
  pc_crowd *crowd = make_hall(0, &(pc_door_def){.opens = 12}, goals);
  int people = fill(crowd, goals[0], 1);
  go_to(crowd, 12);
  assert_int_equal(pc_crowd_inside(crowd), people);
  for (int i = 0; i < people; i++) {
    pc_person_state person = person_of(crowd, i);
    assert_true(hypot(person.position[0], person.position[1] - 3) < 2);
  }
  go_to(crowd, 60);
  assert_int_equal(pc_crowd_inside(crowd), 0);
  pc_crowd_destroy(crowd);
}

// Saved while the door is closed and loaded into a new crowd, whose door is still open: the same to
// the bit.
static void saved_doors_go_on(void **state)
{
  int goals[3];
  const pc_door_def door = {.closes = 1};
  pc_crowd *one = make_hall(0.5, &door, goals), *two = make_hall(0.5, &door, goals);
  int people = fill(one, goals[2], 6);
  fill(two, goals[2], 6);
  go_to(one, 3);
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(pc_crowd_save(one, bytes, size), size);
  ok(two, pc_crowd_load(two, bytes, size));
  go_to(one, 6);
  go_to(two, 6);
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
      cmocka_unit_test(closed_doors_leave_the_routes),
      cmocka_unit_test(awaited_doors_stay_on_the_routes),
      cmocka_unit_test(people_turn_round),
      cmocka_unit_test(who_has_no_other_way_waits),
      cmocka_unit_test(saved_doors_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
