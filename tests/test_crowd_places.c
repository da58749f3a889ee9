// People at random places: how many find one, and that nobody is where somebody cannot be.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "crowd_support.h"
#include "folder.h"
#include "percuss/scene.h"

#define HEAD                                                                                       \
  "kind: crowd\nduration: 10\nstep: 0.02\nfloors:\n"                                               \
  "  - {outline: [[0, 0], [10, 0], [10, 6], [0, 6]], obstacles: [{centre: [4, 3], radius: "        \
  "0.7}],\n"                                                                                       \
  "     walls: [{points: [[6, 1], [6, 5]]}]}\n"                                                    \
  "exits: [{name: door, line: [[10, 2.4], [10, 3.6]]}]\n"

static pc_status parse(pc_scene *scene, const char *people, pc_error *error)
{
  char text[4000];
  snprintf(text, sizeof text, HEAD "%s", people);
  return pc_scene_parse(in_folder("scene.yaml"), text, scene, error);
}

static void check_places(const pc_crowd *crowd)
{
  for (int i = 0; i < pc_crowd_people(crowd); i++) {
    pc_person_def a = pc_crowd_person_def(crowd, i);
    const double *p = a.position, r = a.radius;
    bool at_door = p[1] > 2.4 && p[1] < 3.6;
    assert_true(p[0] >= r && p[0] <= (at_door ? 10 : 10 - r) && p[1] >= r && p[1] <= 6 - r);
    assert_true(hypot(p[0] - 4, p[1] - 3) >= 0.7 + r);
    assert_true(hypot(p[0] - 6, fmax(0, fmax(1 - p[1], p[1] - 5))) >= r);
    for (int j = 0; j < i; j++) {
      pc_person_def b = pc_crowd_person_def(crowd, j);
      assert_true(hypot(p[0] - b.position[0], p[1] - b.position[1]) >= r + b.radius);
    }
  }
}

// Whole floors, boxes and polygons are filled beyond what random places that stay allow (3.3
// people/m2 of 0.225 m), with people who are there already.
static void dense_crowds_find_places(void **state)
{
  static const struct {
    const char *people;
    int count;
  } cases[] = {
      {"people: [{count: 150, to: door}]\n", 150},
      {"people: [{count: 260, to: door}]\n", 260},
      {"people: [{count: 330, radius: 0.2, to: door}]\n", 330},
      {"people: [{count: 250, radius: {uniform: [0.18, 0.25]}, to: door}]\n", 250},
      {"people: [{count: 42, to: door, inside: {box: [[0, 0], [3, 3]]}}]\n", 42},
      {"people: [{count: 30, to: door}, {count: 30, to: door, inside: {polygon: [[0, 0], [4, 0], "
       "[0, "
       "4]]}}]\n",
       60},
  };
  for (int i = 0; i < PC_COUNT(cases); i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    assert_ok(parse(&scene, cases[i].people, &error), &error);
    assert_int_equal(pc_crowd_people(scene.crowd), cases[i].count);
    check_places(scene.crowd);
    for (int k = 0; k < 50; k++)
      ok(scene.crowd, pc_crowd_step(scene.crowd, 0.02));
    assert_int_equal(pc_crowd_lost(scene.crowd), 0);
    pc_scene_free(&scene);
  }
}

// Those who are told to be in a part of the floor are there.
static void crowded_parts_are_kept(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(parse(&scene,
                  "people: [{count: 36, to: door, inside: {polygon: [[1, 1], [5, 1], [1, 5]]}}]\n",
                  &error),
            &error);
  for (int i = 0; i < 36; i++) {
    pc_person_def p = pc_crowd_person_def(scene.crowd, i);
    assert_true(p.position[0] >= 1 && p.position[1] >= 1 && p.position[0] + p.position[1] <= 6);
  }
  check_places(scene.crowd);
  pc_scene_free(&scene);
}

// Beyond that the message says how many fit: discs of 0.225 m fill at most 0.9069 of a plane.
static void too_many_are_counted(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  int fit = 0, of = 0;
  assert_int_equal(
      parse(&scene,
            "people: [{name: all, count: 400, to: door, inside: {box: [[0, 0], [10, 6]]}}]\n",
            &error),
      PC_ERROR_INPUT);
  const char *only = strstr(error.text, "only ");
  assert_non_null(only);
  assert_int_equal(sscanf(only, "only %d of %d people of 'all' fit", &fit, &of), 2);
  assert_int_equal(of, 400);
  assert_true(fit > 4.5 * 60 * 0.9 && fit < 0.9069 * 60 / (3.14159265 * 0.225 * 0.225));
}

// A group may have nobody; a crowd may not.
static void groups_may_be_empty(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(parse(&scene,
                  "people:\n  - {name: a, count: 0, to: door}\n  - {name: b, count: 3, to: door}\n"
                  "  - {name: c, count: 0, to: door, together: {kind: wait}}\n",
                  &error),
            &error);
  assert_int_equal(pc_crowd_people(scene.crowd), 3);
  ok(scene.crowd, pc_crowd_step(scene.crowd, 0.02));
  pc_scene_free(&scene);
  assert_int_equal(parse(&scene, "people: [{name: a, count: 0, to: door}]\n", &error),
                   PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "the crowd has no people: every 'count' is 0"));
  assert_int_equal(parse(&scene, "people: [{name: a, count: -1, to: door}]\n", &error),
                   PC_ERROR_INPUT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dense_crowds_find_places),
      cmocka_unit_test(crowded_parts_are_kept),
      cmocka_unit_test(too_many_are_counted),
      cmocka_unit_test(groups_may_be_empty),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
