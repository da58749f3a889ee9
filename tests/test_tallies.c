// What a sensor of hits says of all of them, and what of an impulse is a load that still presses:
// against closed forms, over stops.
#include "support.h"

#include <string.h>

#include "scene_runs.h"

// A slow heavy ball and a fast light one strike a wall at x = 1 and come back; a third one flies
// away. The light one strikes again after the left wall sent it back. The heavy one has the largest
// impulse m (1 + e) v, the light one the largest energy.
#define WALLS                                                                                      \
  "kind: rigid\nduration: 1\nstep: %g\ngravity: [0, 0, 0]\n"                                       \
  "default_law: {normal: {kind: restitution, e: 0.5}}\n"                                           \
  "obstacles:\n"                                                                                   \
  "  - {name: left, shape: {type: box, size: [0.2, 8, 8]}, position: [-1.1, 0, 0]}\n"              \
  "  - {name: wall, shape: {type: box, size: [0.2, 8, 8]}, position: [1.1, 0, 0]}\n"               \
  "bodies:\n"                                                                                      \
  "  - {name: heavy, shape: {type: sphere, radius: 0.1}, mass: 40, position: [0.5, 2, 0], "        \
  "velocity: [2, 0, 0]}\n"                                                                         \
  "  - {name: light, shape: {type: sphere, radius: 0.1}, mass: 2, position: [0, 0, 0], "           \
  "velocity: [20, 0, 0]}\n"                                                                        \
  "  - {name: away, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, -2, 0], "           \
  "velocity: [0, -1, 0]}\n"                                                                        \
  "sensors:\n"                                                                                     \
  "  - {name: hits, kind: hits, bodies: wall}\n"                                                   \
  "  - {name: turned, kind: hits, bodies: [heavy, light, away], by: wall, window: 0.05}\n"         \
  "  - {name: none, kind: hits, bodies: wall, by: away}\n"                                         \
  "  - {name: push, kind: impulse, bodies: wall}\n"

static void the_hardest_hits_are_those_of_the_laws(void **state)
{
  static const double steps[] = {1e-3, 4e-4};
  for (int i = 0; i < 2; i++) {
    char text[4000];
    snprintf(text, sizeof text, WALLS, steps[i]);
    pc_scene scene = run(text);
    for (int k = 0; k < 2; k++) { // the body that strikes is the same, seen from either side
      const pc_sensor *s = scene.sensor + k;
      assert_near(s->total[0], 3, 0); // light at 0.045 s and 0.585 s, heavy at 0.2 s
      assert_int_equal(s->struck, 2);
      assert_int_equal(s->open, 0);
      assert_string_equal(scene.names[s->hardest.body.id - 1], "light");
      assert_near(s->hardest.value, 0.5 * 2 * 400, 1e-9);
      assert_near(s->hardest.mass, 2, 1e-12);
      assert_near(s->hardest.time, 0.045, 2e-3);
      assert_near(s->hardest.point[0], 1, 20 * steps[i]);
      assert_near(s->hardest.point[1], 0, 1e-9);
      assert_string_equal(scene.names[s->strongest.body.id - 1], "heavy");
      assert_near(s->strongest.value, 40 * 1.5 * 2, 1e-9);
      assert_near(s->strongest.mass, 40, 1e-12);
      assert_near(s->strongest.time, 0.2, 2e-3);
      assert_near(s->strongest.point[0], 1, 2 * steps[i]);
      assert_near(s->strongest.point[1], 2, 1e-9);
      assert_near(s->strongest.point[2], 0, 1e-9);
      assert_near(s->strongest.duration, steps[i], 1e-12);
      assert_near(s->peak, 120 / (k == 0 ? 0.02 : 0.05), 1e-6);
    }
    assert_int_equal(scene.sensor[2].struck, 0);
    assert_int_equal(scene.sensor[2].hardest.body.id, 0);
    assert_near(scene.sensor[2].peak, 0, 0);
    assert_int_equal(scene.sensor[3].open, 0); // all of it was of impacts
    assert_near(scene.sensor[3].open_total[0], 0, 0);
    assert_near(scene.sensor[3].total[0], 120 + 60 + 15, 1e-9);
    pc_scene_free(&scene);
  }
}

// A stone of 3 kg strikes the floor once and flies over its edge; a block of 5 kg rests on it. What
// presses at the end is the weight of the block, in one hit that began at the start.
#define FLOOR                                                                                      \
  "kind: rigid\nduration: %g\nstep: 1e-3\ngravity: [0, 0, -10]\n"                                  \
  "default_law: {normal: {kind: restitution, e: 0.5}}\n"                                           \
  "obstacles: [{name: floor, shape: {type: box, size: [4, 4, 1]}, position: [0, 0, -0.5]}]\n"      \
  "bodies:\n"                                                                                      \
  "  - {name: block, shape: {type: box, size: [1, 1, 1]}, mass: 5, position: [0, 0, 0.5]}\n"       \
  "  - {name: stone, shape: {type: sphere, radius: 0.1}, mass: 3, position: [1.5, 0, 0.35], "      \
  "velocity: [2, 0, -1]}\n"                                                                        \
  "sensors:\n"                                                                                     \
  "  - {name: push, kind: impulse, bodies: floor}\n"                                               \
  "  - {name: down, kind: impulse, bodies: floor, axis: [0, 0, -1]}\n"                             \
  "  - {name: stone, kind: impulse, bodies: floor, by: stone}\n"                                   \
  "  - {name: hits, kind: hits, bodies: floor}\n"                                                  \
  "output: {checkpoint: 0}\n"

static void what_presses_at_the_end_is_told_from_impacts(void **state)
{
  static const double times[] = {0.3, 1.0, 2.5};
  double struck = 3 * 1.5 * sqrt(1 + 2 * 10 * 0.25);
  for (int i = 0; i < 3; i++) {
    char text[4000];
    snprintf(text, sizeof text, FLOOR, times[i]);
    pc_scene scene = run(text);
    const pc_sensor *push = scene.sensor, *down = scene.sensor + 1, *stone = scene.sensor + 2;
    const pc_sensor *hits = scene.sensor + 3;
    double weight = 50 * times[i];
    assert_int_equal(push->open, 1);
    assert_near(push->open_total[2], -weight, 1e-3 * weight);
    assert_near(down->open_total[0], weight, 1e-3 * weight);
    assert_near(push->total[2], -weight - struck, 1e-2 * (weight + struck)); // one step of falling
    // The stone strikes after 0.145 s, in the last second of the shorter runs: no load.
    double force = 50;
    assert_near(down->end_force[0], force, 5e-3 * force);
    assert_near(push->end_force[2], -force, 5e-3 * force);
    // In its steps: the weight, and the stone's impulse in one of them.
    double most = times[i] > 2 ? 50 : 50 + struck / 1e-3;
    assert_near(down->end_range[0], 50, 0.5);
    assert_near(down->end_range[1], most, 1e-2 * most);
    assert_near(push->end_range[1], most, 1e-2 * most);
    assert_int_equal(stone->open, 0);
    assert_near(stone->total[2], -struck, 1e-2 * struck);
    assert_int_equal(hits->struck, 2);
    assert_int_equal(hits->open, 1);
    assert_string_equal(scene.names[hits->strongest.body.id - 1], "stone");
    assert_near(hits->strongest.value, struck, 1e-2 * struck); // the load is no impact
    pc_scene_free(&scene);
  }
}

static double quantity(const pc_quantity *list, int count, const char *group, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp(list[i].group, group) == 0 && strcmp(list[i].name, name) == 0)
      return list[i].value;
  fail_msg("there is no %s of %s", name, group);
  return NAN;
}

static bool has_quantity(const pc_quantity *list, int count, const char *group, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp(list[i].group, group) == 0 && strcmp(list[i].name, name) == 0)
      return true;
  return false;
}

static void all_of_it_is_measured(void **state)
{
  char text[4000];
  pc_scene scene;
  pc_quantity *list;
  int count;
  snprintf(text, sizeof text, WALLS, 1e-3);
  pc_run_summary summary = run_part(&scene, text, NULL, false, 100000);
  assert_int_equal(pc_run_measure(&scene, &summary, &list, &count, NULL), PC_OK);
  assert_near(quantity(list, count, "hits", "bodies"), 2, 0);
  assert_near(quantity(list, count, "hits", "kinetic_max"), 400, 1e-9);
  assert_near(quantity(list, count, "hits", "kinetic_max_mass"), 2, 1e-9);
  assert_near(quantity(list, count, "hits", "impulse_max"), 120, 1e-9);
  assert_near(quantity(list, count, "hits", "open"), 0, 0);
  assert_near(quantity(list, count, "hits", "peak_20ms"), 6000, 1e-6);
  assert_near(quantity(list, count, "turned", "peak_window"), 2400, 1e-6);
  assert_near(quantity(list, count, "turned", "window"), 0.05, 0);
  assert_false(has_quantity(list, count, "turned", "peak_20ms"));
  assert_near(quantity(list, count, "none", "kinetic_max"), 0, 0);
  assert_true(isnan(quantity(list, count, "none", "kinetic_max_time")));
  assert_near(quantity(list, count, "push x", "total_open"), 0, 0);
  assert_near(quantity(list, count, "push x", "force_end"), 0, 0); // all of it was impacts
  free(list);
  pc_scene_free(&scene);
}

static void a_resumed_run_says_the_same(void **state)
{
  static const long stops[] = {0, 1, 44, 45, 46, 199, 200, 201, 205, 600, 999};
  char texts[2][4000];
  snprintf(texts[0], sizeof texts[0], WALLS, 1e-3);
  snprintf(texts[1], sizeof texts[1], FLOOR, 1.2);
  for (int c = 0; c < 2; c++) {
    pc_scene whole = run(texts[c]);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
      pc_scene scene;
      run_part(&scene, texts[c], "b.h5", false, stops[i]);
      pc_scene_free(&scene);
      run_part(&scene, texts[c], "b.h5", true, 1000000);
      for (int k = 0; k < scene.sensors; k++) {
        const pc_sensor *one = scene.sensor + k, *other = whole.sensor + k;
        assert_int_equal(one->struck, other->struck);
        assert_int_equal(one->open, other->open);
        assert_int_equal(one->hardest.body.id, other->hardest.body.id);
        assert_near(one->hardest.value, other->hardest.value, 0);
        assert_near(one->hardest.time, other->hardest.time, 0);
        assert_int_equal(one->strongest.body.id, other->strongest.body.id);
        assert_near(one->strongest.value, other->strongest.value, 0);
        assert_near(one->peak, other->peak, 0);
        for (int n = 0; n < 3; n++) {
          assert_near(one->open_total[n], other->open_total[n], 0);
          assert_near(one->end_force[n], other->end_force[n], 0);
        }
      }
      pc_scene_free(&scene);
    }
    pc_scene_free(&whole);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hardest_hits_are_those_of_the_laws),
      cmocka_unit_test(what_presses_at_the_end_is_told_from_impacts),
      cmocka_unit_test(all_of_it_is_measured),
      cmocka_unit_test(a_resumed_run_says_the_same),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
