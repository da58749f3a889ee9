// Continuum files with temperatures and phases: what they become, what is said of wrong ones, the
// answers against closed forms, and their runs: recorded, resumed, swept.
#include <string.h>

#include "percuss/percuss.h"
#include "record/record.h"
#include "scene/continuum.h"
#include "support.h"
#include "trial.h"
#include "xml.h"

static pc_continuum_answer solve(const pc_scene *scene)
{
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_ok(pc_continuum_solve(scene->continuum, 0, &answer, &error), &error);
  assert_true(answer.solved && answer.closed);
  return answer;
}

// Blocks of 1 m, one on the other: 'low' of a touches 'top' of b.
#define TWO                                                                                        \
  "kind: continuum\n"                                                                              \
  "mesh: {order: 1, rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [2, 2], sides: {bottom: "  \
  "low, top: high}}, {name: b, x: [0, 1], y: [-1, 0], cells: [2, 2], sides: {bottom: deep, top: "  \
  "top}}]}\n"
#define JOINED                                                                                     \
  "kind: continuum\n"                                                                              \
  "mesh: {order: 1, rectangles: [{name: a, x: [0, 1], y: [0, 1], cells: [2, 2], sides: {bottom: "  \
  "low, top: high}}, {name: b, x: [0, 1], y: [-1, 0], cells: [2, 2], sides: {bottom: deep, top: "  \
  "top}}], join: [{sides: low, with: top}]}\n"
#define BARE "{density: 10}"
#define PUSH "pushes: [{sides: high, percussion: [0, -1]}]\n"

static void media_contacts_and_surfaces_have_their_numbers(void **state)
{
  pc_scene scene = read_good(
      TWO "media:\n"
          "  a: {density: 10, heat: {capacity: 5, conductivity: 2, temperature: 270, phase: {kind: "
          "liquid, latent: 7, at: 273, resistance: 8, spread: 9, spread_change: 11, fraction: "
          "0.25}}}\n"
          "  b: {density: 10, heat: {capacity: 6, temperature: 280, phase: {kind: alloy, latent: "
          "1, at: 300, fractions: [0.2, 0.3, 0.1]}}}\n"
          "contacts: [{sides: low, with: top, heat: {exchange: 12}}, {sides: high}]\n"
          "surfaces: [{sides: deep, capacity: 13, exchange: 14, outside: 290}]\n");
  const pc_continuum *c = scene.continuum;
  const pc_fe_thermal_medium *a = &c->thermal.medium[0], *b = &c->thermal.medium[1];
  assert_int_equal(c->thermal.media, 2);
  assert_near(c->thermal.weight, 0.5, 0);
  assert_true(a->phases == PC_FE_LIQUID && b->phases == PC_FE_ALLOY);
  assert_true(a->capacity == 5 && a->conduct == 2 && a->latent == 7 && a->change == 273);
  assert_true(a->resist == 8 && a->spread == 9 && a->spread_change == 11);
  assert_true(b->capacity == 6 && b->conduct == 0 && b->latent == 1 && b->resist == 0);
  for (int i = 0; i < c->mesh.nodes; i++) {
    bool upper = i < c->mesh.nodes / 2;
    assert_near(c->temperature[i], upper ? 270 : 280, 0);
    const double fraction[2][3] = {{0.2, 0.3, 0.1}, {0.25, 0, 0}};
    assert_memory_equal(c->fraction[i], fraction[upper], sizeof c->fraction[i]);
  }
  assert_int_equal(c->thermal.contacts, 2);
  assert_near(c->thermal.contact[0].exchange, 12, 0);
  assert_int_equal(c->thermal.contact[1].other, -1);
  assert_int_equal(c->thermal.surfaces, 1);
  assert_true(c->thermal.side[0].capacity == 13 && c->thermal.side[0].exchange == 14 &&
              c->thermal.side[0].outside == 290 && !c->thermal.side[0].given);
  pc_scene_free(&scene);
}

#define WARM(more) "{density: 10, heat: {capacity: 5, temperature: 270" more "}}"
#define MELTS(numbers) WARM(", phase: {kind: liquid, latent: 1, at: 273" numbers "}")
#define ALLOY(numbers) WARM(", phase: {kind: alloy, latent: 1, at: 273" numbers "}")
#define MEDIA(a, b) "media:\n  a: " a "\n  b: " b "\n"

static void mistakes_are_named_with_their_line(void **state)
{
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {TWO MEDIA("{density: 10, heat: {capacity: 5, temperature: -3}}", BARE) PUSH,
       "scene.yaml:4: 'temperature'"},
      {TWO MEDIA("{density: 10, heat: {capacity: 0, temperature: 270}}", BARE) PUSH,
       "scene.yaml:4: 'capacity'"},
      {TWO MEDIA("{density: 10, heat: {capacity: 5}}", BARE) PUSH, "'temperature'"},
      {TWO MEDIA(WARM(", conductivity: -1"), BARE) PUSH, "scene.yaml:4: 'conductivity'"},
      {TWO MEDIA(BARE, WARM(", phase: {kind: gas, latent: 1, at: 273}")) PUSH,
       "scene.yaml:5: unknown"},
      {TWO MEDIA(MELTS(", fraction: 1.5"), BARE) PUSH, "scene.yaml:4: 'fraction'"},
      {TWO MEDIA(MELTS(", fractions: [0, 0, 1]"), BARE) PUSH, "fractions"},
      {TWO MEDIA(WARM(", phase: {kind: liquid, latent: 0, at: 273}"), BARE) PUSH, "'latent'"},
      {TWO MEDIA(WARM(", phase: {kind: liquid, latent: 1, at: 0}"), BARE) PUSH, "'at'"},
      {TWO MEDIA(ALLOY(", fractions: [0.5, 0.4, 0.3]"), BARE) PUSH,
       "scene.yaml:4: the sum of the fractions must be positive and at most 1 (got"},
      {TWO MEDIA(ALLOY(", fractions: [0, 0, 0]"), BARE) PUSH,
       "the sum of the fractions must be positive and at most 1 (got"},
      {TWO MEDIA(ALLOY(", fractions: [0.5, -0.1, 0.3]"), BARE) PUSH, "'fractions'"},
      {TWO MEDIA(ALLOY(", fractions: [0.5, 0.1]"), BARE) PUSH, "'fractions'"},
      {TWO MEDIA(WARM(""), BARE) "contacts:\n  - {sides: low, with: top}\n",
       "scene.yaml:7: only one side of this contact has 'heat'; give it to both"},
      {TWO MEDIA(BARE, BARE) "contacts: [{sides: low, with: top, heat: {exchange: 1}}]\n",
       "scene.yaml:6: these sides do not belong to a medium with 'heat'"},
      {TWO MEDIA(WARM(""), BARE) "contacts: [{sides: low, heat: {exchange: 1}}]\n",
       "bodies and the ground have no temperature; use"},
      {TWO MEDIA(WARM(""), BARE) PUSH "surfaces: [{sides: nowhere, capacity: 1}]\n",
       "scene.yaml:7: no sides are named 'nowhere'"},
      {TWO MEDIA(WARM(""), BARE) PUSH "surfaces: [{sides: deep, capacity: 1}]\n",
       "the sides 'deep' do not belong to media with 'heat'"},
      {TWO MEDIA(WARM(""), BARE) PUSH "surfaces: [{sides: high, exchange: 1}]\n", "'outside'"},
      {TWO MEDIA(WARM(""), BARE) PUSH "surfaces: [{sides: high, given: true}]\n", "'outside'"},
      {TWO MEDIA(WARM(""), BARE) PUSH "surfaces: [{sides: high}]\n",
       "an entry of 'surfaces' needs 'capacity', 'exchange',"},
      {TWO MEDIA(WARM(""), BARE) PUSH
       "surfaces: [{sides: high, capacity: 1}, {sides: high, capacity: 2}]\n",
       "the sides 'high' are in two entries of 'surfaces'"},
      {JOINED MEDIA(WARM(""), BARE) PUSH,
       "'a' and 'b' are joined at (0.5, 0) and only one of them has 'heat'"},
      {JOINED MEDIA(WARM(""), "{density: 10, heat: {capacity: 5, temperature: 271}}") PUSH,
       "their temperatures differ there"},
      {JOINED MEDIA(MELTS(""), ALLOY("")) PUSH, "their kinds of phases differ there"},
      {JOINED MEDIA(MELTS(""), MELTS(", fraction: 0.5")) PUSH, "their fractions differ there"},
      {JOINED MEDIA(MELTS(""), WARM(", phase: {kind: liquid, latent: 1, at: 274}")) PUSH,
       "their phase-change temperatures differ"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error;
    pc_status status = read_text(cases[i].text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

// A rod without mass that is held and pushed: it dissipates G^2 / (4 k) everywhere. C = 2, L = 10,
// T0 = 300, T- = 295, so that C (T0 - T-) = 10.
#define ROD(phase)                                                                                 \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: rod, from: 0, to: 3, cells: 4, left: clamp, right: end}]}\n"              \
  "media: {rod: {density: 1e-12, viscosity: 0.5, heat: {capacity: 2, conductivity: 0.1, "          \
  "temperature: 295" phase "}}}\n"                                                                 \
  "hold: [{sides: clamp}]\n"                                                                       \
  "pushes: [{sides: end, percussion: [%.17g]}]\n"

typedef struct rod {
  double temperature, fraction[3], mean, changed;
} rod;

static rod strike(const char *text, double heat)
{
  char file[1000];
  snprintf(file, sizeof file, text, -sqrt(2 * heat)); // G^2 / (4 k) with k = 1/2
  pc_scene scene = read_good(file);
  pc_continuum_answer answer = solve(&scene);
  const pc_continuum_medium *m = &answer.medium[0];
  assert_near(answer.account.volume, 3 * heat, 1e-9 * (1 + heat));
  assert_near(answer.heat.volume, answer.account.volume, 1e-9 * (1 + heat));
  assert_near(answer.heat.energy_after - answer.heat.energy_before, 3 * heat, 1e-9 * (1 + heat));
  assert_true(answer.heat.produced >= 0 && m->heated);
  assert_near(m->volume, 3, 1e-12);
  assert_near(m->temperature_low, m->temperature_high, 1e-7);
  rod r = {.temperature = m->temperature_mean,
           .mean = m->fractions > 0 ? m->fraction_mean[m->fractions - 1] : 0};
  memcpy(r.fraction, answer.fraction[3], sizeof r.fraction);
  assert_near(answer.temperature[3], r.temperature, 1e-7);
  r.changed = m->changed;
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
  return r;
}

static void a_rod_with_one_phase_is_warmed(void **state)
{
  rod r = strike(ROD(""), 4);
  assert_near(r.temperature, 297, 1e-9);
  assert_true(isnan(r.changed));
}

// c = 0: it warms to T0, stays there while it melts, and warms again.
static void a_rod_melts_at_one_temperature(void **state)
{
  static const char text[] = ROD(", phase: {kind: liquid, latent: 10, at: 300}");
  static const double cases[][3] = {{4, 297, 0}, {10, 300, 0}, {14, 300, 0.4}, {26, 303, 1}};
  for (int i = 0; i < 4; i++) {
    rod r = strike(text, cases[i][0]);
    assert_near(r.temperature, cases[i][1], 1e-8);
    assert_near(r.mean, cases[i][2], 1e-8);
    assert_near(r.changed, 3 * cases[i][2], 1e-8);
  }
}

// 10.10, example 3: b_3 = 2 L (T+ - T0) / (3 c T0) until it is 1.
static void an_alloy_with_resistance_changes_over_temperatures(void **state)
{
  static const char text[] = ROD(", phase: {kind: alloy, latent: 10, at: 300, resistance: 0.5}");
  double c = 0.5, slope = 2 * 10 / (3 * c * 300);
  for (double heat = 12; heat < 30; heat += 6) {
    double warm = (heat - 10) / (2 + 10 * slope);
    double b = fmin(1, slope * warm), full = b < 1 ? warm : (heat - 10 - 10) / 2;
    rod r = strike(text, heat);
    assert_near(r.temperature, 300 + full, 1e-7);
    assert_near(r.fraction[2], b, 1e-8);
    assert_near(r.fraction[0], (1 - b) / 2, 1e-8);
    assert_near(r.fraction[1], (1 - b) / 2, 1e-8);
    assert_near(r.changed, 3 * b, 1e-7);
  }
}

// 10.10, example 2: half of it is voids, so it has half the capacity, and austenite stops at 1/2.
static void voids_stay_voids(void **state)
{
  static const char text[] =
      ROD(", phase: {kind: alloy, latent: 10, at: 300, fractions: [0.25, 0.25, 0]}");
  rod r = strike(text, 5 + 3);
  assert_near(r.temperature, 300, 1e-8);
  assert_near(r.fraction[2], 0.3, 1e-8);
  assert_near(r.fraction[0], 0.1, 1e-7);
  r = strike(text, 5 + 5 + 2);
  assert_near(r.fraction[2], 0.5, 1e-8);
  assert_near(r.temperature, 300 + 2. / 1, 1e-8);
}

// Media that conduct so well that they have one temperature each.
#define CONDUCTS(capacity, temperature)                                                            \
  "{density: 10, heat: {capacity: " capacity ", conductivity: 1e5, temperature: " temperature "}}"

static void heat_passes_from_block_to_block(void **state)
{
  pc_scene scene = read_good(
      TWO MEDIA(CONDUCTS("5", "270"),
                CONDUCTS("8", "310")) "contacts: [{sides: low, with: top, heat: {exchange: 3}}]\n");
  pc_continuum_answer answer = solve(&scene);
  // 5 [T_a] = 3 (mean T_b - mean T_a) = - 8 [T_b].
  double q = 3 * 40 / (1 + 1.5 * (1. / 5 + 1. / 8));
  assert_near(answer.medium[0].temperature_mean, 270 + q / 5, 1e-3);
  assert_near(answer.medium[1].temperature_mean, 310 - q / 8, 1e-3);
  assert_near(answer.heat.energy_after, answer.heat.energy_before, 1e-8);
  assert_true(answer.heat.produced > 0);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void the_outside_warms_keeps_and_gives_temperatures(void **state)
{
  static const struct {
    const char *surfaces;
    double after, received;
  } cases[] = {
      {"[{sides: high, exchange: 2, outside: 290}]", 270 + 40. / 6, 5 * 40. / 6},
      {"[{sides: high, capacity: 3, exchange: 2, outside: 290}]", 270 + 40. / 9, 8 * 40. / 9},
      {"[{sides: high, outside: 290, given: true}]", 290, 100},
  };
  for (int i = 0; i < 3; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             TWO MEDIA(CONDUCTS("5", "270"), BARE) "hold: [{sides: deep}, {sides: low}]\n" PUSH
                                                   "surfaces: %s\n",
             cases[i].surfaces);
    pc_scene scene = read_good(text);
    pc_continuum_answer answer = solve(&scene);
    double dissipated = answer.heat.volume + answer.heat.surface;
    assert_near(dissipated, 0, 1e-12); // nothing is viscous
    assert_near(answer.medium[0].temperature_mean, cases[i].after, 1e-3);
    assert_near(answer.heat.received, cases[i].received, 5e-3);
    // The other block has no temperatures.
    assert_true(!answer.medium[1].heated && isnan(answer.medium[1].temperature_mean));
    for (int n = 0; n < answer.nodes; n++)
      assert_true(isnan(answer.temperature[n]) == (scene.continuum->mesh.node[n][1] < 0 || n >= 9));
    pc_continuum_answer_free(&answer);
    pc_scene_free(&scene);
  }
}

// What contacts dissipate against a rigid body is the medium's.
static void all_that_is_dissipated_is_heat(void **state)
{
  pc_scene scene = read_good(
      TWO MEDIA("{density: 10, viscosity: 3, velocity: [0.5, -2], heat: {capacity: 5, temperature: "
                "270}}",
                "{density: 10, viscosity: 2, heat: {capacity: 8, conductivity: 1, temperature: "
                "310}}") "bodies: [{name: hammer, mass: 1, inertia: 1, centre: [0.5, 1.5], "
                         "velocity: [0, -3]}]\n"
                         "contacts: [{sides: low, with: top, normal: 4, tangential: 5, heat: "
                         "{exchange: 1}}, {sides: high, with: hammer, normal: 1, tangential: "
                         "2}]\nhold: [{sides: deep}]\n");
  pc_continuum_answer answer = solve(&scene);
  const pc_continuum_account *a = &answer.account;
  double lost = a->kinetic_before - a->kinetic_after + a->work_holds;
  assert_near(answer.heat.volume, a->volume, 1e-10 * lost);
  assert_near(answer.heat.surface, a->surface + a->reactions, 1e-10 * lost);
  assert_true(a->surface > 0.01 * lost && a->reactions > 0.01 * lost && a->volume > 0.01 * lost);
  assert_near(answer.heat.energy_after - answer.heat.energy_before, lost, 1e-9 * lost);
  double sum =
      5 * (answer.medium[0].temperature_mean - 270) + 8 * (answer.medium[1].temperature_mean - 310);
  assert_near(sum, lost, 1e-9 * lost);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

#define MELTING                                                                                    \
  TWO "media:\n"                                                                                   \
      "  a: {density: 10, viscosity: 3, velocity: [0, -2], heat: {capacity: 5, conductivity: "     \
      "0.5, temperature: 270, phase: {kind: liquid, latent: 4, at: 271}}}\n"                       \
      "  b: {density: 10, viscosity: 2, heat: {capacity: 8, temperature: 310}}\n"                  \
      "contacts: [{name: joint, sides: low, with: top, normal: 4, heat: {exchange: 1}}]\n"         \
      "hold: [{sides: deep}]\n"

static bool stop_at_once(void *context, const pc_run_progress *progress)
{
  return false;
}

static void a_record_has_temperatures_before_and_after(void **state)
{
  run_text(MELTING, in_folder("heat.h5"), false, NULL);
  pc_scene scene = read_good(MELTING);
  pc_continuum_answer answer = solve(&scene);
  size_t n = (size_t)answer.nodes;
  pc_reading *reading = pc_reading_open(in_folder("heat.h5"), NULL);
  assert_non_null(reading);
  double *numbers = calloc(6 * n, sizeof *numbers);
  read_array(reading, "frames/temperature", 2, numbers);
  assert_memory_equal(numbers, scene.continuum->temperature, n * sizeof *numbers);
  assert_memory_equal(numbers + n, answer.temperature, n * sizeof *numbers);
  read_array(reading, "frames/fraction", 2, numbers);
  assert_memory_equal(numbers, scene.continuum->fraction, 3 * n * sizeof *numbers);
  assert_memory_equal(numbers + 3 * n, answer.fraction, 3 * n * sizeof *numbers);
  assert_true(answer.medium[0].changed > 0);
  read_array(reading, "media/fractions", 2, numbers);
  assert_true(numbers[0] == 1 && numbers[1] == 0);
  free(numbers);
  pc_reading_close(reading);
  xml *x = xml_read(in_folder("heat.xdmf"));
  int attributes = 0;
  for (int k = 0; k < x->count; k++)
    attributes += strcmp(x->element[k].tag, "Attribute") == 0;
  assert_int_equal(attributes, 2 * 6); // the medium, and five fields, in two frames
  xml_free(x);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void profiles_have_temperatures(void **state)
{
  run_text(MELTING, in_folder("profile.h5"), false, NULL);
  pc_scene scene = read_good(MELTING);
  pc_continuum_answer answer = solve(&scene);
  char *text = text_of(in_folder("profile-profile.csv"));
  assert_non_null(strstr(text, "percussion_T,temperature,fraction_1,"));
  int line = 0;
  for (char *at = strchr(text, '\n') + 1; *at != 0; at = strchr(at, '\n') + 1, line++) {
    double number[11];
    char *end = at;
    for (int k = 0; k < 11; k++, end++)
      number[k] = strtod(end, &end);
    assert_true(number[7] == answer.temperature[answer.point[line].node]);
    assert_true(number[8] == answer.fraction[answer.point[line].node][0]);
    assert_memory_equal(end, "joint\n", 6);
  }
  assert_int_equal(line, answer.points);
  free(text);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  stop_and_go(MELTING, stop_at_once, 1, (const char *[]){"-profile.csv"});
}

// T0 less far, or more to melt.
static void thermal_numbers_are_swept(void **state)
{
  char text[1200];
  snprintf(text, sizeof text,
           ROD(", phase: {kind: liquid, latent: 10, at: 300}") "sweep: [{key: "
                                                               "media.rod.heat.temperature, "
                                                               "values: [290, 295]}, {key: "
                                                               "media.rod.heat.phase.latent, "
                                                               "values: [10, 20]}]\n",
           -sqrt(2 * 22.));
  pc_scene scene = read_good(text);
  pc_error error = {.text = ""};
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_int_equal(pc_runs_run(runs, &(pc_runs_options){.threads = 2}, &error), PC_OK);
  assert_int_equal(pc_runs_count(runs, PC_MEMBER_FINISHED), 4);
  static const double melted[] = {0.2, 0.1, 1, 0.6}, warm[] = {300, 300, 301, 300};
  for (int i = 0; i < 4; i++) {
    assert_near(value_of(runs, i, "rod/liquid_mean"), melted[i], 1e-8);
    assert_near(value_of(runs, i, "rod/liquid_high"), melted[i], 1e-8);
    assert_near(value_of(runs, i, "rod/changed"), 3 * melted[i], 1e-7);
    assert_near(value_of(runs, i, "rod/temperature_high"), warm[i], 1e-7);
    assert_near(value_of(runs, i, "heat"), 66, 1e-7);
    assert_true(value_of(runs, i, "entropy_produced") > 0);
  }
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

#define VIBRATES(later, more)                                                                      \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: rod, from: 0, to: 1, cells: 8, left: clamp, right: end}]}\n"              \
  "media: {rod: {density: 1, viscosity: 0.5, young: 4, heat: {capacity: 2, temperature: 290, "     \
  "phase: {kind: alloy, latent: 10, at: 300, resistance: 1}" later "}}}\n"                         \
  "hold: [{sides: clamp}]\n"                                                                       \
  "pushes: [{sides: end, percussion: [-0.5]}]\n"                                                   \
  "duration: 1\nstep: 0.05\n" more

static void mistakes_of_motions_are_named_with_their_line(void **state)
{
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {VIBRATES(", later: {slope: -1}", ""),
       "scene.yaml:3: 'slope' requires a 'critical' temperature above"},
      {VIBRATES(", later: {slope: -1, critical: 299}", ""), "above 300 K"},
      {VIBRATES(", later: {slope: 1, critical: 310}", ""), "'slope'"},
      {VIBRATES(", later: {convection: 1}", ""), "'convection' requires 'outside'"},
      {VIBRATES("", "gravity: [1]\n"),
       "scene.yaml:8: 'gravity' cannot be combined with 'duration' and 'heat'"},
      {VIBRATES("", "contacts: [{sides: end}]\n"), "'contacts' cannot be combined with"},
      {ROD(", later: {conductivity: 1}"), "'later' requires a 'duration'"},
      {ROD("") "surfaces: [{sides: end, convection: 1, outside: 280}]\n",
       "scene.yaml:6: 'convection' requires a 'duration'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error;
    char text[1200];
    snprintf(text, sizeof text, cases[i].text, -1.); // the rods have a percussion to fill in
    pc_status status = read_text(text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

#define COUPLED VIBRATES(", later: {slope: -0.05, critical: 330, resistance: 0.2}", "")

// The collision is the start: what it left is there at time 0, and all of it at the end.
static void a_motion_starts_where_the_collision_ends(void **state)
{
  pc_run_summary summary = run_text(COUPLED, in_folder("alloy.h5"), false, NULL);
  assert_true(summary.finished && summary.steps == 20 && summary.steps_open == 0);
  pc_scene scene = read_good(COUPLED);
  assert_true(scene.continuum->alloys);
  pc_continuum_answer answer;
  assert_int_equal(pc_continuum_solve(scene.continuum, 0, &answer, NULL), PC_ERROR_ARGUMENT);
  // The same without a duration.
  char text[1000], *at;
  snprintf(text, sizeof text, "%s", COUPLED);
  at = strstr(text, ", later:");
  memmove(at, strstr(at, "}") + 1, strlen(strstr(at, "}") + 1) + 1);
  *strstr(text, "duration") = 0;
  pc_scene once = read_good(text);
  answer = solve(&once);
  size_t n = (size_t)answer.nodes;
  pc_reading *reading = pc_reading_open(in_folder("alloy.h5"), NULL);
  assert_non_null(reading);
  double *numbers = calloc(25 * 3 * n, sizeof *numbers);
  read_array(reading, "frames/temperature", 1, numbers);
  assert_memory_equal(numbers, answer.temperature, n * sizeof *numbers);
  read_array(reading, "frames/fraction", 1, numbers);
  assert_memory_equal(numbers, answer.fraction, 3 * n * sizeof *numbers);
  read_array(reading, "frames/velocity", 1, numbers);
  for (size_t i = 0; i < n; i++)
    assert_true(numbers[2 * i] == answer.velocity[i] && numbers[2 * i + 1] == 0);
  read_array(reading, "frames/displacement", 1, numbers);
  assert_near(numbers[0], 0, 0);
  read_array(reading, "steps/fractions", 20, numbers);
  for (int i = 0; i < 20; i++)
    assert_near(numbers[3 * i] + numbers[3 * i + 1] + numbers[3 * i + 2], 1, 1e-12);
  // Compression turns one martensite into the other.
  assert_true(fabs(numbers[57] - numbers[58]) > 0.01);
  free(numbers);
  pc_reading_close(reading);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&once);
  pc_scene_free(&scene);
}

static bool stop_in_the_middle(void *context, const pc_run_progress *progress)
{
  return progress->step < 7;
}

static void a_motion_goes_on_as_if_it_had_not_stopped(void **state)
{
  stop_and_go(COUPLED, stop_in_the_middle, 1, (const char *[]){".csv"});
  char *table = text_of(in_folder("whole.csv"));
  assert_non_null(strstr(table, "austenite,lowest_temperature,highest_temperature,end_ux"));
  free(table);
}

// Two elements for ten metres, in which all that holds the phases back is 1 J s/m3. Resumed, from a
// checkpoint after every step, it ends there again.
static void a_run_ends_when_its_account_is_open(void **state)
{
  pc_scene scene = read_good(
      "kind: continuum\nmesh: {lines: [{name: rod, from: 0, to: 10, cells: 2, left: clamp, right: "
      "end}]}\nmedia: {rod: {density: 6500, viscosity: 4e5, young: 5e8, heat: {capacity: 5.4e6, "
      "conductivity: 18, temperature: 299.475, phase: {kind: alloy, latent: 8e7, at: 332.75, "
      "resistance: 4e6, spread: 0, spread_change: 5e6}, later: {conductivity: 18, slope: -1e7, "
      "critical: 399.3, resistance: 1}}}}\nhold: [{sides: clamp}]\n"
      "pushes: [{sides: end, percussion: [-1e5]}]\nduration: 0.0013\nstep: 1e-4\n"
      "output: {checkpoint: 1e-9}\n");
  for (int i = 0; i < 3; i++) {
    pc_error error = {.text = ""};
    pc_run_summary summary;
    pc_run_options options = {.output = i > 0 ? in_folder("open.h5") : NULL, .resume = i == 2};
    assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_ERROR_NUMERIC);
    assert_non_null(strstr(error.text, "the energy balance is not closed (relative error 0."));
    assert_false(summary.finished);
  }
  pc_scene_free(&scene);
}

// What 'percuss run --json' prints of a run that failed before its collision was solved.
static void a_run_that_failed_early_can_be_measured(void **state)
{
  char collision[1000];
  snprintf(collision, sizeof collision, ROD(""), -1.);
  const char *const texts[] = {COUPLED, collision};
  for (int i = 0; i < 2; i++) {
    pc_error error = {.text = ""};
    pc_run_summary summary;
    pc_run_options options = {.output = NULL};
    pc_quantity *list;
    int count, found = 0;
    pc_scene scene = read_good(texts[i]);
    scene.duration = 1e30;
    scene.step = 1;
    assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "too many steps"));
    assert_int_equal(pc_run_measure(&scene, &summary, &list, &count, &error), PC_OK);
    for (int k = 0; k < count; k++)
      if (strcmp(list[k].name, "austenite_start") == 0) {
        assert_true(isnan(list[k].value));
        found++;
      }
    assert_int_equal(found, i == 0);
    free(list);
    pc_scene_free(&scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(media_contacts_and_surfaces_have_their_numbers),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(a_rod_with_one_phase_is_warmed),
      cmocka_unit_test(a_rod_melts_at_one_temperature),
      cmocka_unit_test(an_alloy_with_resistance_changes_over_temperatures),
      cmocka_unit_test(voids_stay_voids),
      cmocka_unit_test(heat_passes_from_block_to_block),
      cmocka_unit_test(the_outside_warms_keeps_and_gives_temperatures),
      cmocka_unit_test(all_that_is_dissipated_is_heat),
      cmocka_unit_test(a_record_has_temperatures_before_and_after),
      cmocka_unit_test(profiles_have_temperatures),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(thermal_numbers_are_swept),
      cmocka_unit_test(mistakes_of_motions_are_named_with_their_line),
      cmocka_unit_test(a_motion_starts_where_the_collision_ends),
      cmocka_unit_test(a_motion_goes_on_as_if_it_had_not_stopped),
      cmocka_unit_test(a_run_ends_when_its_account_is_open),
      cmocka_unit_test(a_run_that_failed_early_can_be_measured),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
