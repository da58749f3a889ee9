// Voids of alloys that spread in a collision (remark 10.1): closed form, mass, energy, entropy.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "continuum_support.h"
#include "percuss/percuss.h"
#include "support.h"
#include "trial.h"

#define PHASE "phase: {kind: alloy, latent: 8, at: 330, resistance: 1, "

// The rod of [-1, 1] with sums of 1 and 0.6.
static pc_scene read_rod(int cells, double diffusion, double spread)
{
  return read_scene(
      "kind: continuum\nmesh: {order: 1, lines: [{name: a, from: -1, to: 0, cells: %d, right: s}, "
      "{name: b, from: 0, to: 1, cells: %d, left: t}], join: [{sides: s, with: t}]}\n"
      "media: {a: {density: 1, heat: {capacity: 2, temperature: 300, " PHASE
      "fractions: [0.75, 0.25, 0], spread: %g, void_diffusion: %g}}}, b: {density: 1, heat: "
      "{capacity: 2, temperature: 300, " PHASE
      "fractions: [0.2, 0.3, 0.1], spread: %g, void_diffusion: %g}}}}\n"
      "pushes: [{elements: a, heat: 0}]\n",
      cells, cells, spread, diffusion, spread, diffusion);
}

static double sum_of(const double fraction[3])
{
  return fraction[0] + fraction[1] + fraction[2];
}

// S+ - k S+'' = S-, no flux at the ends.
static double truth(double x, double k)
{
  double l = sqrt(k), part = 1 - cosh((1 - fabs(x)) / l) / cosh(1 / l);
  return 0.8 - (x < 0 ? -1 : 1) * 0.2 * part;
}

static void sums_follow_the_closed_form(void **state)
{
  static const double k[] = {1e-3, 0.02, 0.5, 40};
  for (int i = 0; i < 4; i++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      int cells = 100 << fine;
      pc_scene scene = read_rod(cells, k[i], 0);
      pc_continuum_answer answer;
      pc_error why = {.text = ""};
      assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &why), &why);
      assert_true(answer.solved && answer.closed);
      pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
      error[fine] = 0;
      double mass = 0;
      for (int n = 0; n < nodes.count; n++) {
        double x = nodes.place[n][0], s = sum_of(answer.fraction[n]);
        error[fine] = fmax(error[fine], fabs(s - truth(x, k[i])));
        mass += s / cells * (fabs(x) > 1 - 1e-9 ? 0.5 : 1);
        assert_true(s >= 0.6 - 1e-12 && s <= 1 + 1e-12);
      }
      assert_near(mass, 1.6, 1e-12);
      assert_true(answer.heat.produced >= -1e-12);
      pc_continuum_answer_free(&answer);
      pc_scene_free(&scene);
    }
    assert_true(error[1] < 1e-4);
    if (k[i] < 1)
      assert_near(error[0] / error[1], 4, 0.1);
    else // all but even, to the round-off of large flows
      assert_true(error[0] < 1e-8 && error[1] < 1e-8);
  }
}

// Each node has what came to it: energy is kept, and temperatures stay between their extremes.
// Without other heat the entropy that is produced is that of mixing.
static void what_flows_takes_its_heat_along(void **state)
{
  pc_random random;
  pc_random_seed(&random, 5);
  for (int trial = 0; trial < 20; trial++) {
    double spread = trial % 2 * pc_random_uniform(&random, 0, 0.02);
    pc_scene scene = read_rod(20, exp(pc_random_uniform(&random, -8, 3)), spread);
    pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
    double energy = 0, low = INFINITY, high = 0;
    for (int n = 0; n < nodes.count; n++) {
      double b[3], whole = 0, s = pc_random_uniform(&random, 0.2, 1);
      for (int k = 0; k < 3; k++)
        whole += b[k] = pc_random_uniform(&random, 0, 1);
      for (int k = 0; k < 3; k++)
        nodes.fraction[n][k] = s * b[k] / whole;
      nodes.temperature[n] = pc_random_uniform(&random, 280, 320);
      low = fmin(low, nodes.temperature[n]);
      high = fmax(high, nodes.temperature[n]);
      double volume = fabs(nodes.place[n][0]) > 1 - 1e-9 ? 0.025 : 0.05;
      energy += volume * (2 * s * nodes.temperature[n] + 8 * nodes.fraction[n][2]);
    }
    pc_continuum_answer answer;
    pc_error why = {.text = ""};
    assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &why), &why);
    assert_true(answer.solved && answer.closed && answer.heat.identity < 1e-11);
    assert_true(answer.heat.produced > 0);
    if (spread == 0)
      assert_near(answer.heat.energy_before, energy, 1e-9 * energy);
    assert_near(answer.heat.energy_after, answer.heat.energy_before, 1e-11 * energy);
    for (int n = 0; n < nodes.count && spread == 0; n++) // latent heat is worth 4 K at most
      assert_true(answer.temperature[n] > low - 4.1 && answer.temperature[n] < high + 4.1);
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

// In the plane what spreads is the same in all directions: a square with voids along x alone has
// the sums of a rod.
static void a_plate_is_a_rod(void **state)
{
  pc_scene scene = read_scene(
      "kind: continuum\nmesh: {order: 1, rectangles: [{name: a, x: [-1, 0], y: [0, 0.3], cells: "
      "[60, 4], sides: {right: s}}, {name: b, x: [0, 1], y: [0, 0.3], cells: [60, 4], sides: "
      "{left: t}}], join: [{sides: s, with: t}]}\n"
      "media: {a: {density: 1, heat: {capacity: 2, temperature: 300, " PHASE
      "fractions: [0.5, 0.5, 0], void_diffusion: 0.02}}}, b: {density: 1, heat: {capacity: 2, "
      "temperature: 300, " PHASE "fractions: [0.3, 0.3, 0], void_diffusion: 0.02}}}}\n"
      "pushes: [{elements: a, heat: 0}]\n");
  pc_continuum_answer answer;
  pc_error why = {.text = ""};
  assert_ok(pc_continuum_solve(scene.continuum, 0, &answer, &why), &why);
  assert_true(answer.solved && answer.closed);
  pc_continuum_nodes nodes = pc_continuum_before(scene.continuum);
  for (int n = 0; n < nodes.count; n++)
    assert_near(sum_of(answer.fraction[n]), truth(nodes.place[n][0], 0.02), 1e-3);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void mistakes_are_named(void **state)
{
  static const char *const cases[][2] = {
      {"capacity: 3, temperature: 300, " PHASE "void_diffusion: 1}",
       "where voids spread, all alloys must have the same"},
      {"capacity: 2, temperature: 300, " PHASE "void_diffusion: -1}", "void_diffusion"},
      {"capacity: 2, temperature: 300, " PHASE "fractions: [0.2, 0.2, 0]}",
       "their fractions differ there"},
      {"capacity: 2, temperature: 300, phase: {kind: liquid, latent: 8, at: 330, void_diffusion: "
       "1}",
       "unknown key 'void_diffusion'"}};
  for (int i = 0; i < 4; i++) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "kind: continuum\nmesh: {lines: [{name: a, from: -1, to: 0, cells: 2, right: s}, {name: "
        "b, from: 0, to: 1, cells: 2, left: t}], join: [{sides: s, with: t}]}\n"
        "media: {a: {density: 1, heat: {capacity: 2, temperature: 300, " PHASE
        "void_diffusion: 1}}}, b: {density: 1, heat: {%s}}}\npushes: [{elements: a, heat: 0}]\n",
        cases[i][0]);
    pc_scene scene;
    pc_error error = {.text = ""};
    if (read_text(text, &scene, &error) == PC_OK || strstr(error.text, cases[i][1]) == NULL)
      fail_msg("case %d: '%s' instead of '%s'", i, error.text, cases[i][1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_follow_the_closed_form),
      cmocka_unit_test(what_flows_takes_its_heat_along),
      cmocka_unit_test(a_plate_is_a_rod),
      cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
