// Pushes at stated times of motions: momentum, waves of closed forms, times, heat, checkpoints.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "continuum_support.h"
#include "percuss/percuss.h"
#include "support.h"
#include "trial.h"

static pc_continuum_balance advance(pc_continuum_motion *motion, double error_of_balance)
{
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_motion_step(motion, &error), &error);
  pc_continuum_balance balance = pc_continuum_motion_balance(motion);
  assert_true(balance.closed && balance.identity < error_of_balance);
  return balance;
}

// Free bodies of mass 2, 4 and 2 rest, are struck in their volume, on a side and at a point at
// three times, and have exactly these momenta.
static void free_bodies_get_the_momentum(void **state)
{
  static const struct {
    const char *mesh, *volume, *side, *point, *place;
    double mass, first, second, third; // along x
  } cases[] = {
      {"lines: [{name: a, from: 0, to: 2, cells: 9, left: end}]", "[3]", "[-1]", "[5]", "[0.7]", 2,
       6, -1, 5},
      {"order: 1, rectangles: [{name: a, x: [0, 2], y: [-1, 1], cells: [5, 4], sides: {left: "
       "end}}]",
       "[3, 1]", "[-1, 0]", "[5, 0]", "[0.7, 0.3]", 4, 12, -2, 5},
      {"boxes: [{name: a, x: [0, 2], y: [0, 1], z: [0, 1], cells: [3, 2, 2], sides: {left: end}}]",
       "[3, 1, 2]", "[-1, 0, 0]", "[5, 0, 1]", "[0.7, 0.3, 0.6]", 2, 6, -1, 5}};
  for (int i = 0; i < 3; i++) {
    pc_scene scene = read_scene(
        "kind: continuum\nmesh: {%s}\nmedia: {a: {density: 1, young: 1e4, poisson: 0.2, viscosity: "
        "%g}}\npushes: [{at: 0.005, elements: a, percussion: %s}, {at: 0.002, sides: end, "
        "percussion: %s}, {at: 0.00731, point: %s, percussion: %s}]\nduration: 0.01\nstep: 1e-3\n",
        cases[i].mesh, i * 0.01, cases[i].volume, cases[i].side, cases[i].place, cases[i].point);
    pc_continuum_motion *motion = start(&scene);
    double expected = 0;
    for (int n = 1; n <= 10; n++) {
      pc_continuum_balance balance = advance(motion, 1e-11);
      expected += n == 3 ? cases[i].second : n == 6 ? cases[i].first : n == 8 ? cases[i].third : 0;
      // The nearest rigid motion has the momentum: about the origin, with the spin of the point.
      double spin = i == 0 ? 0 : i == 1 ? balance.rigid[2] : balance.rigid[5];
      double centre = i == 2 ? 0.5 : 0, tilt = i == 2 ? balance.rigid[4] * 0.5 : 0;
      assert_near(cases[i].mass * (balance.rigid[0] - spin * centre + tilt), expected, 1e-9);
      if (n < 3)
        assert_true(balance.kinetic == 0 && balance.pushes == 0);
    }
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

// The displacement of a node, in the mean of steps `from` to `to`.
static double mean_of(pc_continuum_motion *motion, int node, int *step, int from, int to)
{
  double sum = 0;
  for (; *step < to; (*step)++) {
    advance(motion, 1e-11);
    sum += *step >= from ? pc_continuum_motion_state(motion).displacement[node] : 0;
  }
  return sum / (to - from);
}

// A bar of density 1 and c = 1, held at 0 and struck at its end with P at 0.5 s: the end is at P /
// rho c until the wave is back, then at its opposite, and so on.
static void a_clamped_bar_radiates_the_wave(void **state)
{
  pc_scene scene = read_scene(
      "kind: continuum\nmesh: {order: 1, lines: [{name: a, from: 0, to: 1, cells: 200, left: "
      "foot, right: end}]}\nmedia: {a: {density: 1, young: 1, viscosity: 2e-4}}\n"
      "hold: [{sides: foot}]\npushes: [{at: 0.5, sides: end, percussion: [1e-3]}]\n"
      "duration: 7\nstep: 0.005\n");
  pc_continuum_motion *motion = start(&scene);
  int end = 200, step = 0;
  assert_near(pc_continuum_before(scene.continuum).place[end][0], 1, 1e-12);
  assert_near(mean_of(motion, end, &step, 0, 100), 0, 0);
  for (int k = 0; k < 3; k++) {
    int begin = 100 + 400 * k;
    double sign = k % 2 == 0 ? 1 : -1;
    assert_near(mean_of(motion, end, &step, begin + 80, begin + 320), 1e-3 * sign, 1e-5);
    mean_of(motion, end, &step, begin + 399, begin + 400);
  }
  pc_continuum_motion_destroy(motion);
  pc_scene_free(&scene);
}

// A free bar struck at the point in its middle: half of the wave goes each way, and comes back
// twice as large from both ends.
static void a_point_sends_half_of_the_wave_each_way(void **state)
{
  pc_scene scene = read_scene(
      "kind: continuum\nmesh: {order: 1, lines: [{name: a, from: 0, to: 2, cells: 400}]}\n"
      "media: {a: {density: 1, young: 1, viscosity: 2e-4}}\n"
      "pushes: [{point: [1], percussion: [1e-3]}]\nduration: 4\nstep: 0.005\n");
  pc_continuum_motion *motion = start(&scene);
  int step = 0;
  assert_near(mean_of(motion, 200, &step, 40, 360), 0.5e-3, 1e-5);
  assert_near(mean_of(motion, 200, &step, 440, 760), 1.5e-3, 1e-5);
  pc_continuum_motion_destroy(motion);
  pc_scene_free(&scene);
}

// A push that is due inside a step acts at its own time.
static void pushes_have_their_own_time(void **state)
{
  for (int i = 0; i < 20; i++) {
    double at = 0.0497 * i;
    pc_scene scene =
        read_scene("kind: continuum\nmesh: {lines: [{name: a, from: 0, to: 1, cells: 3}]}\n"
                   "media: {a: {density: 2, young: 1}}\n"
                   "pushes: [{at: %.17g, elements: a, percussion: [3]}]\nduration: 1\nstep: 0.1\n",
                   at);
    pc_continuum_motion *motion = start(&scene);
    for (int n = 0; n < 10; n++)
      advance(motion, 1e-11);
    assert_near(pc_continuum_motion_state(motion).displacement[0], 1.5 * (1 - at),
                1.5 * 0.1 / 2048 * 1.001);
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
}

static bool ends(const pc_scene *scene, int node)
{
  double x = pc_continuum_before(scene->continuum).place[node][0];
  return x < 1e-9 || x > 1 - 1e-9;
}

// Insulated media of one phase: heat q per volume gives q / C, an entropy s the factor exp(s / C),
// and a percussion with a viscosity heats by what it dissipates.
static void pushes_warm(void **state)
{
  pc_scene scene = read_scene(
      "kind: continuum\nmesh: {lines: [{name: a, from: 0, to: 1, cells: 8, left: foot, "
      "right: end}]}\n"
      "media: {a: {density: 1, young: 100, viscosity: 0.1, heat: {capacity: 2, temperature: "
      "300}}}\n"
      "hold: [{sides: foot}]\n"
      "pushes: [{at: 0.2, elements: a, heat: 60}, {at: 0.4, elements: a, entropy: 0.5}, {at: 0.7, "
      "sides: end, percussion: [4]}, {at: 0.7, elements: a, heat: -20}]\n"
      "duration: 1\nstep: 0.1\n");
  pc_continuum_motion *motion = start(&scene);
  double before = 0;
  for (int n = 1; n <= 10; n++) {
    pc_continuum_balance balance = advance(motion, 1e-11);
    const double *t = pc_continuum_motion_state(motion).temperature;
    double mean = 0;
    for (int i = 0; i < 17; i++) // linear on halves of elements
      mean += t[i] * (ends(&scene, i) ? 1 : 2) / 32;
    if (n == 3)
      assert_near(mean, 330, 1e-9);
    if (n == 5)
      assert_near(mean, 330 * exp(0.25), 1e-8);
    if (n <= 7)
      before = mean;
    else
      assert_true(mean > before - 10 + 0.1 && balance.pushes > 1 && balance.produced > 0);
  }
  pc_continuum_motion_destroy(motion);
  pc_scene_free(&scene);
}

// An alloy with strain: percussion, heat and work on its phases close the balance, and the work
// turns martensite into austenite for a while.
static void pushes_work_on_phases(void **state)
{
  double austenite[2];
  for (int i = 0; i < 2; i++) {
    pc_scene scene = read_scene(
        "kind: continuum\nmesh: {lines: [{name: rod, from: 0, to: 1, cells: 10, left: wall, right: "
        "end}]}\n"
        "media: {rod: {density: 6500, viscosity: 4e5, young: 47e9, heat: {capacity: 5.4e6, "
        "temperature: 299, phase: {kind: alloy, latent: 80e6, at: 332.75, resistance: 4e6, spread: "
        "5e6}, later: {conductivity: 18, slope: -1e7, critical: 399.3, resistance: 5e4}}}}\n"
        "hold: [{sides: wall}]\npushes: [{sides: end, percussion: [-5e6]}, {at: 1e-3, sides: end, "
        "percussion: [-5e6]}, {at: 1.5e-3, elements: rod, work: [0, 0, %g], heat: 1e6}]\n"
        "duration: 3e-3\nstep: 1e-4\n",
        i * 2e7);
    pc_continuum_motion *motion = start(&scene);
    austenite[i] = 0;
    for (int n = 0; n < 30; n++) {
      advance(motion, 1e-8); // the tolerance of an alloy's steps
      austenite[i] = fmax(austenite[i], pc_continuum_motion_state(motion).fraction_mean[2]);
    }
    pc_continuum_motion_destroy(motion);
    pc_scene_free(&scene);
  }
  assert_true(austenite[1] > austenite[0] + 1e-3);
}

static bool stop_between_pushes(void *context, const pc_run_progress *progress)
{
  return progress->step < 5;
}

static void a_stopped_run_has_every_push_once(void **state)
{
  static const char *const endings[] = {".csv"};
  static const char scene[] =
      "kind: continuum\nmesh: {lines: [{name: a, from: 0, to: 1, cells: 8, left: foot}]}\n"
      "media: {a: {density: 1, young: 1, viscosity: 0.01}}\ncontacts: [{sides: foot, normal: 1}]\n"
      "pushes: [{elements: a, percussion: [1]}, {at: 0.4, elements: a, percussion: [-2]}, {at: "
      "0.5, "
      "sides: foot, percussion: [0.1]}, {at: 0.77, point: [0.3], percussion: [-1]}]\n"
      "duration: 1.6\nstep: 0.1\n";
  pc_run_summary whole = stop_and_go(scene, stop_between_pushes, 1, endings);
  assert_int_equal(whole.steps, 16);
  assert_int_equal(whole.steps_open, 0);
  assert_true(whole.drift < 1e-11);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_bodies_get_the_momentum),
      cmocka_unit_test(a_clamped_bar_radiates_the_wave),
      cmocka_unit_test(a_point_sends_half_of_the_wave_each_way),
      cmocka_unit_test(pushes_have_their_own_time),
      cmocka_unit_test(pushes_warm),
      cmocka_unit_test(pushes_work_on_phases),
      cmocka_unit_test(a_stopped_run_has_every_push_once),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
