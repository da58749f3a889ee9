// Obstacles on terrain: put on the ground and sunk into it, and warnings of those that nothing can
// hit.
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "percuss/scene.h"

// A plane that rises by 0.75 towards +x, 500 m at x = 0, in coordinates of a national grid.
#define SLOPE                                                                                      \
  "kind: rigid\nduration: 1\nstep: 1e-3\nbodies: [{name: rock, shape: {type: sphere, radius: "     \
  "0.5}, position: [2600018, 1200010, 520]}]\n"                                                    \
  "obstacles:\n  - {name: terrain, shape: {type: heights, spacing: 10, origin: [2600000, "         \
  "1200000], heights: [[500, 507.5, 515], [500, 507.5, 515], [500, 507.5, 515]]}}\n"
#define WALL(keys) SLOPE "  - {name: wall, shape: {type: box, size: [1, 6, 5]}, " keys "}\n"

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_parse("scene.yaml", text, &scene, &error), &error);
  return scene;
}

// Height of the middle of the wall, body 2, above the plane at its highest point under the wall.
static double height_of(const char *text)
{
  pc_scene scene = read_good(text);
  pc_body_state state;
  assert_string_equal(scene.names[1], "wall");
  pc_body_get(scene.world, (pc_body){2}, &state);
  double ground = 500 + 0.75 * (state.position[0] + 0.5 - 2600000);
  pc_scene_free(&scene);
  return state.position[2] - ground;
}

// The highest point under a wall 1 m wide is below its edge at x + 0.5.
static void a_wall_is_put_on_the_ground_and_sunk(void **state)
{
  static const char *const places[] = {"512", "900", "400"}; // above, far above, below
  for (int i = 0; i < 3; i++) {
    char text[2000];
    snprintf(text, sizeof text, WALL("position: [2600010, 1200010, %s], on: ground"), places[i]);
    assert_near(height_of(text), 2.5, 1e-5);
    snprintf(text, sizeof text, WALL("position: [2600010, 1200010, %s], on: ground, sink: 1.5"),
             places[i]);
    assert_near(height_of(text), 1.0, 1e-5);
  }
  // A second one stands on the first.
  pc_scene scene = read_good(WALL(
      "position: [2600010, 1200010, 512], on: ground") "  - {name: top, shape: {type: box, size: "
                                                       "[1, 1, 1]}, position: "
                                                       "[2600010, 1200010, 700], on: ground}\n");
  pc_body_state wall, top;
  pc_body_get(scene.world, (pc_body){2}, &wall);
  pc_body_get(scene.world, (pc_body){3}, &top);
  assert_near(top.position[2] - wall.position[2], 3, 1e-5);
  pc_scene_free(&scene);
}

static void refuse(const char *text, const char *why)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_not_equal(pc_scene_parse("scene.yaml", text, &scene, &error), PC_OK);
  if (strstr(error.text, why) == NULL)
    fail_msg("%s\n'%s', not '%s'", text, error.text, why);
}

static void what_cannot_stand_is_refused(void **state)
{
  refuse(WALL("position: [0, 0, 512], on: ground"),
         "scene.yaml:7: 'on: ground' finds no ground below x = 0, y = 0");
  refuse(WALL("position: [2600010, 1200010, 512], sink: 1"), "'sink' requires 'on'");
  refuse(SLOPE "  - {shape: {type: plane}, on: ground}\n", "has no volume");
}

static void assert_warns(const char *text, const char *warning)
{
  pc_scene scene = read_good(text);
  const char *got = scene.warning_count > 0 ? scene.warnings[0] : "";
  if (scene.warning_count > 1 || (*warning == 0 ? *got != 0 : strstr(got, warning) == NULL))
    fail_msg("%s\n%d: '%s', not '%s'", text, scene.warning_count, got, warning);
  pc_scene_free(&scene);
}

static void walls_that_nothing_can_hit_are_named(void **state)
{
  // The ground under the wall is at most 507.875 m high.
  assert_warns(WALL("position: [2600010, 1200010, 534.275]"),
               "scene.yaml:7: 'wall' is 23.9 m above the terrain, so that bodies pass below it");
  assert_warns(WALL("position: [2600010, 1200010, 509]"), "");
  assert_warns(WALL("position: [2600010, 1200010, 511.3]"), ""); // 0.925 m: less than the rock
  assert_warns(WALL("position: [2600010, 1200010, 511.5]"), "'wall' is 1.13 m above the terrain");
  assert_warns(WALL("position: [2600010, 1200010, 504.7]"), ""); // a corner looks out
  assert_warns(WALL("position: [2600010, 1200010, 503]"),
               "scene.yaml:7: 'wall' is wholly below the terrain, by 1.63 m");
  assert_warns(WALL("position: [2600010, 1200010, 400], on: ground, sink: 1"), "");
  // From a table bodies fall; a moved wall may come.
  assert_warns(WALL("position: [2600018, 1200010, 516.9]"), "");
  assert_warns(WALL("position: [2600010, 1200010, 534], motion: {translation: {z: {rate: -1}}}"),
               "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wall_is_put_on_the_ground_and_sunk),
      cmocka_unit_test(what_cannot_stand_is_refused),
      cmocka_unit_test(walls_that_nothing_can_hit_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
