// Exits that people know, and those that they see.
#include "crowd_support.h"
#include "folder.h"
#include "percuss/scene.h"

// A person in the hall of 12 m, who knows the left exit.
static pc_crowd *make(double sight, const pc_sign_def *sign, bool wall, double x, double y,
                      int goals[3])
{
  pc_crowd_def def = pc_crowd_def_calibrated();
  def.choosing = 0.1;
  def.sight = sight;
  pc_crowd *crowd = create_crowd(def);
  point top[] = {{0, 3.5}, {0, 6}, {12, 6}, {12, 3.5}},
        bottom[] = {{0, 2.5}, {0, 0}, {12, 0}, {12, 2.5}}, screen[] = {{8, 1}, {8, 6}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(top)));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(bottom)));
  if (wall)
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(screen)));
  goals[0] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{0, 2.5}, {0, 3.5}}});
  goals[1] = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{12, 2.5}, {12, 3.5}}});
  goals[2] = pc_crowd_add_choice(crowd, 2, goals);
  if (sign != NULL)
    assert_int_equal(pc_crowd_add_sign(crowd, sign), 0);
  ok(crowd, pc_crowd_finish(crowd));
  pc_person_def person = pc_person_def_default();
  person.goal = goals[2];
  person.position[0] = x;
  person.position[1] = y;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  ok(crowd, pc_crowd_set_known(crowd, 0, 1, goals));
  return crowd;
}

static int first_goal(double sight, const pc_sign_def *sign, bool wall, double x, double y)
{
  int goals[3];
  pc_crowd *crowd = make(sight, sign, wall, x, y, goals);
  ok(crowd, pc_crowd_step(crowd, 0.01));
  int heads = person_of(crowd, 0).heads_for;
  pc_crowd_destroy(crowd);
  return heads;
}

// At (8, 3) the nearest of three points of the right exit is 4 m away, the left exit 8 m.
static void exits_are_seen_from_their_distance(void **state)
{
  assert_int_equal(first_goal(3.99, NULL, false, 8, 3), 0);
  assert_int_equal(first_goal(4.01, NULL, false, 8, 3), 1);
  assert_int_equal(first_goal(100, NULL, false, 8, 3), 1);
  assert_int_equal(first_goal(100, NULL, false, 5, 3), 0); // seen, but farther
}

// A wall from (8, 1) to (8, 6) hides the right exit from (7.5, y) above the lines from the points
// of the exit at y = 2.75, 3 and 3.25 over its end: the lowest of these is at y = 1 - 0.5 / 4
// x 2.25.
static void walls_hide_exits(void **state)
{
  double limit = 1 - 0.5 / 4 * 1.75;
  assert_int_equal(first_goal(100, NULL, true, 7.5, limit + 0.02), 0);
  assert_int_equal(first_goal(100, NULL, true, 7.5, limit - 0.02), 1);
}

static void signs_lead_to_hidden_exits(void **state)
{
  // 7.7 m from the left exit, 6.3 m from the right one around the wall.
  const pc_sign_def near = {.goal = 1, .place = {7, 4.5}}, far = {.goal = 1, .place = {7, 0.7}},
                    other = {.goal = 0, .place = {7, 4.5}};
  assert_int_equal(first_goal(2, &near, true, 7.7, 3), 1);
  assert_int_equal(first_goal(2, &far, true, 7.7, 3), 0);
  assert_int_equal(first_goal(2, &other, true, 7.7, 3), 0);
}

// Who knows one exit walks to it past others that are out of sight, and turns to one that comes
// into sight; what is known stays known in a saved state.
static void what_was_seen_stays_known(void **state)
{
  int goals[3];
  const pc_sign_def sign = {.goal = 1, .place = {9, 5.5}};
  pc_crowd *one = make(1, &sign, false, 10, 5, goals), *two = make(1, &sign, false, 10, 5, goals);
  ok(one, pc_crowd_step(one, 0.01));
  assert_int_equal(person_of(one, 0).heads_for, goals[0]);
  while (person_of(one, 0).heads_for == goals[0] && person_of(one, 0).position[0] > 8)
    ok(one, pc_crowd_step(one, 0.01));
  assert_int_equal(person_of(one, 0).heads_for, goals[1]);
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  pc_crowd_save(one, bytes, size);
  ok(two, pc_crowd_load(two, bytes, size));
  for (int k = 0; k < 600; k++) {
    if (pc_crowd_inside(one) > 0)
      ok(one, pc_crowd_step(one, 0.01));
    if (pc_crowd_inside(two) > 0)
      ok(two, pc_crowd_step(two, 0.01));
  }
  assert_int_equal(person_of(one, 0).exit, goals[1]);
  assert_near(person_of(one, 0).exit_time, person_of(two, 0).exit_time, 0);
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

static void nonsense_is_rejected(void **state)
{
  int goals[3], all[2] = {0, 7};
  pc_crowd *crowd = make(30, NULL, false, 5, 3, goals);
  assert_int_not_equal(pc_crowd_set_known(crowd, 1, 1, goals), PC_OK);
  assert_int_not_equal(pc_crowd_set_known(crowd, 0, 0, goals), PC_OK);
  assert_int_not_equal(pc_crowd_set_known(crowd, 0, 2, all), PC_OK);
  assert_int_not_equal(pc_crowd_set_known(crowd, 0, 1, &goals[2]), PC_OK);
  pc_crowd_destroy(crowd);
}

// 400 people who know the exit at the other end; a share of 0.3 knows the near one too. Nobody sees
// it. The number has a deviation of sqrt(400 x 0.3 x 0.7) = 9.2.
static void shares_of_people_know_all(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(
      pc_scene_parse(
          in_folder("scene.yaml"),
          "kind: crowd\nduration: 30\nstep: 0.01\nseed: 5\nroutes: {sight: 0.1, choose: 0.5}\n"
          "floors: [{outline: [[0, 0], [40, 0], [40, 20], [0, 20]]}]\n"
          "exits: [{name: near, line: [[0, 0], [0, 20]]}, {name: far, line: [[40, 0], [40, "
          "20]]}]\n"
          "people: [{count: 400, to: [near, far], knows: far, familiar: 0.3, inside: {box: "
          "[[2, 0], [19, 20]]}}]\n",
          &scene, &error),
      &error);
  ok(scene.crowd, pc_crowd_step(scene.crowd, 0.01));
  int near = 0;
  for (int i = 0; i < 400; i++)
    near += person_of(scene.crowd, i).heads_for == 0;
  if (abs(near - 120) > 37)
    fail_msg("%d of 400 know the near exit", near);
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exits_are_seen_from_their_distance),
      cmocka_unit_test(walls_hide_exits),
      cmocka_unit_test(signs_lead_to_hidden_exits),
      cmocka_unit_test(what_was_seen_stays_known),
      cmocka_unit_test(nonsense_is_rejected),
      cmocka_unit_test(shares_of_people_know_all),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
