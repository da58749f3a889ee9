// The largest mean of a sensor over 20 ms: what is known of impulses and of forces that last,
// whatever the step, and what a resumed run has.
#include "support.h"

#include <string.h>

#include "scene_runs.h"

// A ball of 2 kg between two walls, with 5, 4 and 3.2 m/s. An impact has 3.6 v N s, at least 0.36 s
// before the next one, so the largest mean is that of the first one: 18 N s / 20 ms.
static void one_impact_has_its_impulse_over_20_ms(void **state)
{
  // Whole steps in 20 ms, not whole ones, one step that is longer, very many.
  static const double steps[] = {1e-3, 5e-4, 3e-3, 7e-3, 0.02, 0.05, 1e-5, 7e-6};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "kind: rigid\nduration: %s\nstep: %g\ngravity: [0, 0, 0]\n"
             "default_law: {normal: {kind: restitution, e: 0.8}}\n"
             "obstacles:\n"
             "  - {name: left, shape: {type: box, size: [0.2, 2, 2]}, position: [-1.1, 0, 0]}\n"
             "  - {name: right, shape: {type: box, size: [0.2, 2, 2]}, position: [1.1, 0, 0]}\n"
             "bodies: [{name: ball, shape: {type: sphere, radius: 0.1}, mass: 2, velocity: [5, 0, "
             "0], position: [0, 0, 0]}]\n"
             "sensors:\n"
             "  - {name: x, kind: force, bodies: right, axis: [-1, 0, 0]}\n"
             "  - {name: xyz, kind: force, bodies: right}\n"
             "  - {name: a, kind: acceleration, bodies: ball}\n",
             steps[i] < 1e-4 ? "0.3" : "1.4", steps[i]);
    pc_scene scene = run(text);
    for (int k = 0; k < 3; k++) {
      double size = k < 2 ? 18 : 9; // of the acceleration: 1.8 v
      assert_near(scene.sensor[k].peak_step, size / steps[i], 1e-9 * size / steps[i]);
      assert_near(scene.sensor[k].peak, size / fmax(0.02, steps[i]), 1e-9 * size / 0.02);
    }
    pc_scene_free(&scene);
  }
}

// A block at rest on a slope, which is told by gravity: the floor carries 5 N. The length of the
// vector counts.
static void a_lasting_force_is_its_own_mean(void **state)
{
  static const double steps[] = {1e-3, 3e-3, 1.3e-2};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "kind: rigid\nduration: 0.3\nstep: %g\ngravity: [3, 0, -4]\n"
             "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.9}}\n"
             "obstacles: [{name: floor, shape: {type: plane}}]\n"
             "bodies: [{name: b, shape: {type: box, size: [1, 1, 0.1]}, mass: 1, position: [0, 0, "
             "0.05]}]\n"
             "sensors:\n"
             "  - {name: f, kind: force, bodies: floor}\n"
             "  - {name: x, kind: force, bodies: floor, axis: [1, 0, 0]}\n",
             steps[i]);
    pc_scene scene = run(text);
    assert_near(scene.sensor[0].peak, 5, 1e-3);
    assert_near(scene.sensor[1].peak, 3, 1e-3);
    pc_scene_free(&scene);
  }
}

// Free fall, and one impact of 2 * 1.5 * v N s: of the mean over 50 ms, 0 before the start, all is
// known. Only with `mean: true`.
static void the_moving_mean_is_a_signal(void **state)
{
  static const double steps[] = {1e-3, 4e-3, 1e-5};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "kind: rigid\nduration: 0.28\nstep: %g\ngravity: [0, 0, -10]\n"
             "default_law: {normal: {kind: restitution, e: 0.5}}\n"
             "obstacles: [{name: floor, shape: {type: plane}}]\n"
             "bodies: [{name: ball, shape: {type: sphere, radius: 0.1}, mass: 2, position: [0, 0, "
             "0.3]}]\n"
             "sensors:\n"
             "  - {name: a, kind: acceleration, bodies: ball, axis: [0, 0, 1], window: 0.05, mean: "
             "true}\n"
             "  - {name: f, kind: force, bodies: floor, cutoff: 50, window: 0.05, mean: true}\n"
             "  - {name: g, kind: force, bodies: floor}\n",
             steps[i]);
    pc_scene scene = run(text);
    assert_int_equal(scene.sensors, 6);
    const pc_sensor *a = scene.sensor + 1, *f = scene.sensor + 4;
    assert_string_equal(a->name, "a_mean");
    assert_string_equal(f->name, "f_mean");
    assert_string_equal(scene.sensor[3].name, "f_filtered");
    double impulse = 3 * 2, mean = impulse / 0.05; // at 2 m/s, after 0.2 s, to a step of falling
    assert_near(f->low[2], -mean, 10 * steps[i] / 2 * mean + 1e-9 * mean);
    assert_near(f->high[2], 0, 0);
    assert_near(f->low[2], -scene.sensor[2].peak, 1e-9 * mean);
    assert_near(a->low[0], -10, 1e-8);
    assert_near(a->high[0], -f->low[2] / 2 - 10, 1e-6);
    // It lasts as long as the window: its integral is the impulse.
    assert_near(f->mean[2] * 0.28, f->low[2] * 0.05, 1e-3 * impulse + 2 * steps[i] * mean);
    pc_scene_free(&scene);
  }
}

// Three balls fall as a column, and strike the floor and each other within 20 ms.
#define COLUMN                                                                                     \
  "default_law: {normal: {kind: restitution, e: 0.3}}\n"                                           \
  "obstacles: [{name: floor, shape: {type: plane}}]\n"                                             \
  "bodies:\n"                                                                                      \
  "  - {name: a, shape: {type: sphere, radius: 0.1}, mass: 5, position: [0, 0, 1.1]}\n"            \
  "  - {name: b, shape: {type: sphere, radius: 0.1}, mass: 3, position: [0, 0, 1.33]}\n"           \
  "  - {name: c, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0, 0, 1.56]}\n"           \
  "sensors: [{name: f, kind: force, bodies: floor, axis: [0, 0, -1]}]\n"

static void the_step_changes_the_force_in_a_step_alone(void **state)
{
  double peak[3], peak_step[3];
  for (int i = 0; i < 3; i++) {
    char text[2000];
    snprintf(text, sizeof text, "kind: rigid\nduration: 0.8\nstep: %g\n" COLUMN, 2e-3 / (1 << i));
    pc_scene scene = run(text);
    peak[i] = scene.sensor[0].peak;
    peak_step[i] = scene.sensor[0].peak_step;
    pc_scene_free(&scene);
  }
  assert_near(peak[0], peak[2], 0.03 * peak[2]);
  assert_near(peak[1], peak[2], 0.03 * peak[2]);
  for (int i = 0; i < 2; i++)
    assert_near(peak_step[i + 1] / peak_step[i], 2, 0.1);
}

// Stopped before, within and after the 20 ms with the largest mean, at 0.45 s.
static void a_resumed_run_has_the_same_peaks(void **state)
{
  static const char text[] = "kind: rigid\nduration: 0.8\nstep: 2e-3\n" COLUMN;
  static const long stops[] = {0, 1, 100, 225, 226, 228, 230, 240, 399};
  pc_scene whole = run(text);
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    pc_scene scene;
    run_part(&scene, text, "b.h5", false, stops[i]);
    pc_scene_free(&scene);
    run_part(&scene, text, "b.h5", true, 100000);
    assert_near(scene.sensor[0].peak, whole.sensor[0].peak, 0);
    assert_near(scene.sensor[0].peak_step, whole.sensor[0].peak_step, 0);
    pc_scene_free(&scene);
  }
  pc_scene_free(&whole);
}

// The named result of many runs and of --json.
static void the_peak_is_a_measured_quantity(void **state)
{
  pc_scene scene;
  pc_quantity *list;
  int count, found = 0;
  pc_run_summary summary =
      run_part(&scene, "kind: rigid\nduration: 0.8\nstep: 2e-3\n" COLUMN, NULL, false, 100000);
  assert_int_equal(pc_run_measure(&scene, &summary, &list, &count, NULL), PC_OK);
  for (int i = 0; i < count; i++)
    if (list[i].of == PC_OF_SENSOR && strcmp(list[i].name, "peak_20ms") == 0) {
      found++;
      assert_string_equal(list[i].group, "f");
      assert_near(list[i].value, scene.sensor[0].peak, 0);
      assert_int_equal(list[i].shown, PC_SHOW_MEAN);
    } else if (list[i].of == PC_OF_SENSOR && strcmp(list[i].name, "max") == 0) {
      assert_int_equal(list[i].shown, PC_SHOW_MEAN); // in tables of many runs, like the mean
    }
  assert_int_equal(found, 1);
  free(list);
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_impact_has_its_impulse_over_20_ms),
      cmocka_unit_test(a_lasting_force_is_its_own_mean),
      cmocka_unit_test(the_moving_mean_is_a_signal),
      cmocka_unit_test(the_step_changes_the_force_in_a_step_alone),
      cmocka_unit_test(a_resumed_run_has_the_same_peaks),
      cmocka_unit_test(the_peak_is_a_measured_quantity),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
