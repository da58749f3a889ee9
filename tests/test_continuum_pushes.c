// Impulses, heat, entropy and percussion work that are given: momentum, closed forms, balances.
#include <string.h>

#include "percuss/percuss.h"
#include "scene/continuum.h"
#include "support.h"
#include "trial.h"

static pc_continuum_answer solve(const pc_scene *scene)
{
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(scene->continuum, 0, &answer, &error), &error);
  assert_true(answer.solved && answer.closed);
  return answer;
}

// Momentum and moment of momentum about the origin, by quadrature.
static void measure_momentum(const pc_continuum *c, const double *velocity, double p[3],
                             double l[3])
{
  const pc_fe_mesh *mesh = &c->mesh;
  int size = mesh->dimension;
  memset(p, 0, 3 * sizeof *p);
  memset(l, 0, 3 * sizeof *l);
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    double node[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, cell->type, pc_element_of(cell->type)->mass_degree));
    for (int q = 0; q < rule.points; q++) {
      pc_element_point at;
      pc_element_map(cell->type, (const double(*)[3])node, rule.at[q], &at);
      double u[3] = {0}, mass = c->def.medium[0].density * rule.weight[q] * at.determinant;
      for (int n = 0; n < nodes; n++)
        for (int k = 0; k < size; k++)
          u[k] += at.value[n] * velocity[mesh->body.node[cell->first + n] * size + k];
      for (int k = 0; k < 3; k++) {
        p[k] += mass * u[k];
        l[k] += mass * (at.x[(k + 1) % 3] * u[(k + 2) % 3] - at.x[(k + 2) % 3] * u[(k + 1) % 3]);
      }
    }
  }
}

static const char *const meshes[] = {
    "lines: [{name: a, from: 0, to: 2, cells: 5}]",
    "rectangles: [{name: a, x: [0, 2], y: [-1, 1], cells: [3, 4]}]",
    "order: 1, rectangles: [{name: a, x: [0, 2], y: [-1, 1], cells: [3, 4]}]",
    "discs: [{name: a, centre: [1, 0], radius: 1.2, cells: [2, 2]}]",
    "boxes: [{name: a, x: [0, 2], y: [-1, 1], z: [0, 1], cells: [2, 2, 1]}]",
    "order: 1, boxes: [{name: a, x: [0, 2], y: [-1, 1], z: [0, 1], cells: [3, 2, 2]}]"};
enum { MESHES = 6 };
static int dimension_of(int mesh)
{
  return mesh == 0 ? 1 : mesh < 4 ? 2 : 3;
}

// So many numbers as the mesh has dimensions, as a list.
static const char *list(int mesh, const double v[3], char text[100])
{
  int d = dimension_of(mesh);
  snprintf(text, 100,
           d == 1   ? "[%.17g]"
           : d == 2 ? "[%.17g, %.17g]"
                    : "[%.17g, %.17g, %.17g]",
           v[0], v[1], v[2]);
  return text;
}

// A percussion per volume moves a free body as a whole: nothing deforms.
static void volume_percussions_move_rigidly(void **state)
{
  const double push[3] = {30, -20, 10}, density = 8;
  for (int mesh = 0; mesh < MESHES; mesh++) {
    char text[1000], vector[100];
    snprintf(text, sizeof text,
             "kind: continuum\nmesh: {%s}\nmedia: {a: {density: 8, viscosity: 3, "
             "volume_viscosity: 2}}\npushes: [{elements: a, percussion: %s}]\n",
             meshes[mesh], list(mesh, push, vector));
    pc_scene scene = read_good(text);
    pc_continuum_answer answer = solve(&scene);
    int d = answer.dimension;
    double mass = answer.medium[0].mass, energy = 0;
    for (int k = 0; k < d; k++)
      energy += mass * push[k] * push[k] / (density * density) / 2;
    for (int i = 0; i < answer.nodes * d; i++)
      assert_near(answer.velocity[i], push[i % d] / density, 1e-11);
    assert_near(answer.account.kinetic_after, energy, 1e-11 * energy);
    assert_near(answer.account.work_pushes, energy, 1e-11 * energy);
    assert_near(answer.account.volume, 0, 1e-11 * energy);
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

// A percussion at a point of a free body that deforms: its momentum is P, its moment of momentum
// x P; where viscosity is large it moves as a rigid body.
static void point_percussions_have_their_moment(void **state)
{
  pc_random random;
  pc_random_seed(&random, 7);
  for (int n = 0; n < 20 * MESHES; n++) {
    int mesh = n % MESHES;
    char text[1000], vector[2][100];
    double point[3], push[3] = {0};
    for (int k = 0; k < dimension_of(mesh); k++)
      push[k] = pc_random_uniform(&random, -5, 5);
    point[0] = pc_random_uniform(&random, 0.3, 1.7);
    point[1] = dimension_of(mesh) > 1 ? pc_random_uniform(&random, -0.7, 0.7) : 0;
    point[2] = dimension_of(mesh) > 2 ? pc_random_uniform(&random, 0, 1) : 0;
    snprintf(text, sizeof text,
             "kind: continuum\nmesh: {%s}\nmedia: {a: {density: 8, viscosity: %g}}\npushes: "
             "[{point: %s, percussion: %s}]\n",
             meshes[mesh], pc_random_uniform(&random, 0.1, 10), list(mesh, point, vector[0]),
             list(mesh, push, vector[1]));
    pc_scene scene = read_good(text);
    pc_continuum_answer answer = solve(&scene);
    double p[3], l[3];
    measure_momentum(scene.continuum, answer.velocity, p, l);
    for (int k = 0; k < 3; k++) {
      assert_near(p[k], push[k], 1e-10);
      assert_near(l[k],
                  point[(k + 1) % 3] * push[(k + 2) % 3] - point[(k + 2) % 3] * push[(k + 1) % 3],
                  1e-10);
    }
    assert_near(answer.account.work_pushes, answer.account.kinetic_after + answer.account.volume,
                1e-11);
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

// The rigid limit: a square of mass 2 and side 1 struck at its corner, I = m/6.
static void a_stiff_square_turns(void **state)
{
  pc_scene scene = read_good(
      "kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [2, 2]}]}\n"
      "media: {a: {density: 2, viscosity: 1e9}}\n"
      "pushes: [{point: [1, 1], elements: a, percussion: [0, 3]}]\n");
  pc_continuum_answer answer = solve(&scene);
  const double spin = 0.5 * 3 / (2.0 / 6);
  for (int i = 0; i < answer.nodes; i++) {
    const double *x = scene.continuum->mesh.node[i];
    assert_near(answer.velocity[2 * i], -spin * (x[1] - 0.5), 1e-6);
    assert_near(answer.velocity[2 * i + 1], 1.5 + spin * (x[0] - 0.5), 1e-6);
  }
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

// C = 2e6, L = 1e8, T0 = 300, T- = 290, insulated.
#define WARM(mesh, phase, pushes)                                                                  \
  "kind: continuum\nmesh: {" mesh "}\nmedia: {a: {density: 1000, viscosity: 1, heat: {capacity: "  \
  "2e6, conductivity: 100, temperature: 290" phase "}}}\npushes: [" pushes "]\n"
#define SQUARE "rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [3, 2], sides: {top: top}}]"
#define MELTS ", phase: {kind: liquid, latent: 1e8, at: 300}"

static pc_continuum_answer solve_text(const char *text)
{
  pc_scene scene = read_good(text);
  pc_continuum_answer answer = solve(&scene);
  pc_scene_free(&scene);
  return answer;
}

static void expect_everywhere(const pc_continuum_answer *a, double temperature, double fraction)
{
  for (int i = 0; i < a->nodes; i++) {
    assert_near(a->temperature[i], temperature, 1e-7);
    assert_near(a->fraction[i][0], fraction, 1e-9);
  }
}

// C [T] + L [b] = heat.
static void heat_warms_and_melts(void **state)
{
  for (double heat = -2e7; heat <= 1.6e8; heat += 1e7) {
    char text[1000];
    snprintf(text, sizeof text, WARM(SQUARE, MELTS, "{elements: a, heat: %.17g}"), heat);
    pc_continuum_answer a = solve_text(text);
    double liquid = fmin(1, fmax(0, (heat - 2e7) / 1e8));
    expect_everywhere(&a, 290 + (heat - 1e8 * liquid) / 2e6, liquid);
    assert_near(a.heat.received, heat, 1e-9 * fabs(heat));
    assert_near(a.heat.energy_after - a.heat.energy_before, heat, 1e-9 * fabs(heat));
    double mean = (290 + a.temperature[0]) / 2;
    assert_near(a.heat.entropy_received, heat / mean, 1e-9 * fabs(heat / mean));
    // Melting at T0 is reversible, melting at once to T+ > T0 is not.
    double lost = liquid < 1 ? 0 : 1e8 / 300 * (a.temperature[0] - 300);
    assert_near(a.heat.produced, lost / mean, 1e-6);
    pc_continuum_answer_free(&a);
  }
}

// On sides and at points the whole heat arrives, wherever it is.
static void heat_arrives(void **state)
{
  static const char *const where[] = {"sides: top", "point: [0.37, 0.81]", "point: [1, 0]",
                                      "point: [0.5, 0.5], elements: a"};
  for (int i = 0; i < 4; i++)
    for (int melts = 0; melts < 2; melts++) {
      char text[1000];
      snprintf(text, sizeof text,
               melts ? WARM(SQUARE, MELTS, "{%s, heat: 3e6}") : WARM(SQUARE, "", "{%s, heat: 3e6}"),
               where[i]);
      pc_continuum_answer a = solve_text(text);
      double stored = a.medium[0].temperature_mean * 2e6;
      assert_near(stored - 290 * 2e6 + (melts ? 1e8 * a.medium[0].fraction_mean[0] : 0), 3e6, 1);
      assert_near(a.heat.received, 3e6, 1e-6);
      assert_true(a.heat.produced >= 0 && a.medium[0].temperature_high > 291.5);
      pc_continuum_answer_free(&a);
    }
}

// The half-space of 7.6.4 with the heat given on its face: [T] = q e^(-x/d) / (C_s + k/d).
static void a_face_that_is_heated_warms_a_layer(void **state)
{
  const double k = 5e4, c = 2e6, surface = 3e5, q = 4e6, d = sqrt(k / c);
  double error[2];
  for (int n = 0; n < 2; n++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "kind: continuum\nmesh: {lines: [{name: a, from: 0, to: %.17g, cells: %d, left: face}]}"
        "\nmedia: {a: {density: 1, heat: {capacity: 2e6, conductivity: 1e5, temperature: "
        "280}}}\nsurfaces: [{sides: face, capacity: 3e5}]\npushes: [{sides: face, heat: 4e6}]\n",
        25 * d, 64 << n);
    pc_continuum_answer a = solve_text(text);
    error[n] = fabs(a.medium[0].temperature_high - 280 - q / (surface + k / d));
    pc_continuum_answer_free(&a);
  }
  assert_true(error[1] < 1e-3 * q / (surface + k / d));
  assert_near(log2(error[0] / error[1]), 2, 0.1);
}

// With the entropy given, [s] = C ln(T+/T-) + L [b] / T0 is it, and what is produced: 0 up to the
// end of melting, then (L/T0) (T+ - T0) over the mean temperature.
static void entropy_is_received(void **state)
{
  int melted = 0;
  for (double entropy = -2e5; entropy <= 5.2e5; entropy += 4e4) {
    char text[1000];
    snprintf(text, sizeof text, WARM(SQUARE, MELTS, "{elements: a, entropy: %.17g}"), entropy);
    pc_continuum_answer a = solve_text(text);
    double spare = entropy - 2e6 * log(300.0 / 290), produced = 0;
    double liquid = fmin(1, fmax(0, spare * 300 / 1e8)), after = a.temperature[0];
    if (liquid < 1)
      expect_everywhere(&a, 290 * exp((entropy - 1e8 * liquid / 300) / 2e6), liquid);
    else
      expect_everywhere(&a, after, 1);
    if (liquid == 1)
      produced = 1e8 / 300 * (after - 300) / ((290 + after) / 2);
    melted += liquid == 1;
    assert_near(2e6 * log(after / 290) + 1e8 * liquid / 300, entropy + produced, 1e-4);
    assert_near(a.heat.entropy_received, entropy, 1e-9 * fabs(entropy));
    assert_near(a.heat.entropy_after - a.heat.entropy_before, entropy + produced, 1e-4);
    assert_near(a.heat.entropy_adiabatic, 0, 1e-6);
    assert_near(a.heat.produced, produced, 1e-4);
    assert_near(a.heat.received, a.heat.energy_after - a.heat.energy_before, 1e-2);
    pc_continuum_answer_free(&a);
  }
  assert_true(melted > 1);
}

// No entropy comes from outside, and G^2 / (4 k) is dissipated in a rod without mass: [s] = Y /
// T_m.
static void dissipation_is_all_the_entropy(void **state)
{
  const double y = 1e6 * 1e6 / (4 * 500);
  pc_continuum_answer a =
      solve_text("kind: continuum\n"
                 "mesh: {lines: [{name: a, from: 0, to: 3, cells: 4, left: clamp, right: end}]}\n"
                 "media: {a: {density: 1e-9, viscosity: 500, heat: {capacity: 2e6, temperature: "
                 "290}}}\nhold: [{sides: clamp}]\n"
                 "pushes: [{sides: end, percussion: [1e6]}, {elements: a, entropy: 0}]\n");
  for (int i = 0; i < a.nodes; i++)
    assert_near(2e6 * log(a.temperature[i] / 290) * (a.temperature[i] + 290) / 2, y, 1e-9 * y);
  assert_near(a.heat.produced, a.heat.entropy_after - a.heat.entropy_before,
              1e-8 * a.heat.produced);
  assert_near(a.heat.entropy_adiabatic, 0, 1e-9 * a.heat.produced);
  pc_continuum_answer_free(&a);
}

// A in 0 = -B + div H + A: the phase changes where (L/T0) (T+ - T0) + A = 0, and A [b] is work.
static void work_shifts_the_change(void **state)
{
  const double work = 2e6, at = 300 * (1 - work / 1e8);
  pc_continuum_answer a =
      solve_text(WARM(SQUARE, MELTS, "{elements: a, heat: 5e7}, {elements: a, work: 2e6}"));
  double liquid = (5e7 - 2e6 * (at - 290)) / (1e8 - work);
  expect_everywhere(&a, at, liquid);
  assert_near(a.heat.work, work * liquid, 1e-9 * work);
  pc_continuum_answer_free(&a);
  // Of an alloy with c: 3/2 c b = (l/T0) (T+ - T0) + A_3 - (A_1 + A_2)/2 while b_1 and b_2 change
  // alike.
  a = solve_text(WARM(SQUARE, ", phase: {kind: alloy, latent: 1e8, at: 300, resistance: 1e7}",
                      "{elements: a, heat: 5e7, work: [1e6, 1e6, 4e6]}"));
  double b = a.fraction[0][2], drive = 4e6 - 1e6;
  assert_true(b > 0.1 && b < 0.9);
  for (int i = 0; i < a.nodes; i++) {
    assert_near(1.5e7 * a.fraction[i][2], 1e8 / 300 * (a.temperature[i] - 300) + drive, 1);
    assert_near(2e6 * (a.temperature[i] - 290) + 1e8 * b, 5e7 + drive * b, 1);
  }
  assert_near(a.heat.work, drive * b, 1);
  pc_continuum_answer_free(&a);
  // On a side the whole a acts: a layer of one element melts by the work of it.
  a = solve_text(WARM(SQUARE, MELTS, "{elements: a, heat: 5e7}, {sides: top, work: 1e5}"));
  assert_true(a.heat.work > 0 && a.medium[0].fraction_high[0] > a.medium[0].fraction_low[0] + 1e-3);
  pc_continuum_answer_free(&a);
}

// Any pushes: energy and entropy are balanced, and what is produced is not negative.
static void balances_close(void **state)
{
  pc_random random;
  pc_random_seed(&random, 11);
  for (int n = 0; n < 200; n++) {
    char text[2000];
    double temperature = pc_random_uniform(&random, 280, 310);
    snprintf(
        text, sizeof text,
        "kind: continuum\nmesh: {" SQUARE "}\nmedia: {a: {density: 1000, viscosity: 1e4, heat: "
        "{capacity: 2e6, conductivity: %g, temperature: %g, phase: {kind: liquid, latent: 1e8, "
        "at: 300, resistance: %g, spread: %g, fraction: %g}}}}\npushes:\n"
        "  - {elements: a, %s: %g}\n  - {sides: top, %s: %g, percussion: [%g, %g]}\n"
        "  - {point: [%g, %g], %s: %g, work: %g}\n",
        pc_random_uniform(&random, 0, 1e6), temperature, pc_random_uniform(&random, 0, 1e7),
        pc_random_uniform(&random, 0, 1e5), pc_random_uniform(&random, 0, 1),
        n % 2 ? "entropy" : "heat", pc_random_uniform(&random, -1, 1) * (n % 2 ? 1e5 : 3e7),
        n % 4 < 2 ? "entropy" : "heat", pc_random_uniform(&random, -1, 1) * (n % 4 < 2 ? 1e4 : 3e6),
        pc_random_uniform(&random, -1e4, 1e4), pc_random_uniform(&random, -1e4, 1e4),
        pc_random_uniform(&random, 0, 1), pc_random_uniform(&random, 0, 1),
        n % 8 < 4 ? "entropy" : "heat", pc_random_uniform(&random, -1, 1) * (n % 8 < 4 ? 1e4 : 3e6),
        pc_random_uniform(&random, -1e5, 1e5));
    pc_continuum_answer a = solve_text(text);
    const pc_continuum_heat *h = &a.heat;
    double size = fabs(h->received) + h->volume;
    assert_near(h->energy_after - h->energy_before, h->volume + h->surface + h->work + h->received,
                1e-9 * size + 1e-14 * h->energy_after);
    assert_near(h->entropy_after - h->entropy_before,
                h->produced + h->entropy_received + h->entropy_adiabatic,
                1e-12 * fabs(h->entropy_after));
    assert_true(h->produced >= -1e-9 * fabs(h->entropy_received));
    pc_continuum_answer_free(&a);
  }
}

#define COLD "kind: continuum\nmesh: {" SQUARE "}\nmedia: {a: {density: 1}}\n"
static void mistakes_are_named_with_their_line(void **state)
{
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {COLD "pushes: [{percussion: [1, 1]}]\n", "scene.yaml:4: a push needs 'sides'"},
      {COLD "pushes: [{sides: top, elements: a, percussion: [1, 1]}]\n", "a push needs 'sides'"},
      {COLD "pushes: [{sides: top, point: [0, 0], percussion: [1, 1]}]\n", "a push needs 'sides'"},
      {COLD "pushes: [{elements: b, percussion: [1, 1]}]\n", "no elements are named 'b'"},
      {COLD "pushes: [{point: [2, 0], percussion: [1, 1]}]\n", "(2, 0) is not in the mesh"},
      {COLD "pushes: [{point: [0, 0, 0], percussion: [1, 1]}]\n", "3 numbers"},
      {COLD "pushes: [{sides: top}]\n", "a push needs 'percussion', 'heat', 'entropy' or 'work'"},
      {COLD "pushes: [{sides: top, heat: 1}]\n",
       "scene.yaml:4: heat is applied where not all media"},
      {COLD "pushes: [{elements: a, entropy: 1}]\n", "entropy is applied where not all media"},
      {COLD "pushes: [{point: [0, 0], work: 1}]\n", "work is applied where not all media"},
      {WARM(SQUARE, "", "{elements: a, heat: 1, entropy: 1}"),
       "'heat' and 'entropy' cannot be combined; one follows"},
      {WARM(SQUARE, "", "{elements: a, work: 1}"),
       "'work' must be one number for a liquid phase, or three"},
      {WARM(SQUARE, MELTS, "{elements: a, work: [1, 2, 3]}"),
       "'work' must be one number for a liquid phase, or three"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error;
    pc_status status = read_text(cases[i].text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(volume_percussions_move_rigidly),
      cmocka_unit_test(point_percussions_have_their_moment),
      cmocka_unit_test(a_stiff_square_turns),
      cmocka_unit_test(heat_warms_and_melts),
      cmocka_unit_test(heat_arrives),
      cmocka_unit_test(a_face_that_is_heated_warms_a_layer),
      cmocka_unit_test(entropy_is_received),
      cmocka_unit_test(dissipation_is_all_the_entropy),
      cmocka_unit_test(work_shifts_the_change),
      cmocka_unit_test(balances_close),
      cmocka_unit_test(mistakes_are_named_with_their_line),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
