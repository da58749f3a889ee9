// Sweeps of single collisions, held against closed forms, and their pictures against the numbers;
// pictures of motions, over a sweep and over time.
#include "xml.h"

#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "percuss/runs.h"
#include "record/record.h"
#include "run/time_curves.h"

typedef struct many {
  pc_scene scene;
  pc_runs *runs;
} many;

// `m` stays where it is: the runs look at its scene.
// Runs the scene; its files are in the folder of the test.
static void run_all(many *m, const char *text, const char *name)
{
  pc_error error = {.text = ""};
  char output[200];
  snprintf(output, sizeof output, "%s", in_folder(name));
  pc_runs_options options = {.threads = 2, .output = output};
  assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &m->scene, &error), &error);
  m->runs = pc_runs_create(&m->scene, &error);
  assert_non_null(m->runs);
  assert_ok(pc_runs_run(m->runs, &options, &error), &error);
  assert_int_equal(pc_runs_count(m->runs, PC_MEMBER_FINISHED), m->scene.plan.members);
}

static void end(many *m)
{
  pc_runs_destroy(m->runs);
  pc_scene_free(&m->scene);
}

static double value_of(const many *m, int run, const char *name)
{
  for (int c = 0; c < pc_runs_columns(m->runs); c++)
    if (strcmp(pc_runs_column_of(m->runs, c).name, name) == 0)
      return pc_runs_value(m->runs, run, c);
  fail_msg("there is no quantity %s", name);
  return NAN;
}

// A ball of mass m falls on the ground at speed v: U+ = max(0, (k - 2m)/(k + 2m)) v.
#define BALL                                                                                       \
  "kind: impact\ntitle: Ball\nbodies: [{id: ball, dof: 1, mass: 2, velocity: [1]}]\n"              \
  "interactions: [{id: ground, type: contact, bodies: [ball], normal: [-1], law: {normal: {kind: " \
  "quadratic, k: 6}}}]\n"

static double rebound(double mass, double k, double v)
{
  return fmax(0, (k - 2 * mass) / (k + 2 * mass)) * v;
}

static void ranges_and_lists_of_numbers_are_swept(void **state)
{
  many m;
  run_all(&m,
          BALL "sweep:\n"
               "  - {key: bodies.ball.mass, values: [1, 2, 5]}\n"
               "  - {key: interactions.ground.law.normal.k, from: 0.1, to: 10, count: 5, spacing: "
               "ratio}\n"
               "  - {key: bodies.0.velocity.0, from: 0, to: 3, count: 11, label: 'v [m/s]'}\n",
          NULL);
  const pc_scene_plan *plan = &m.scene.plan;
  assert_int_equal(plan->members, 3 * 5 * 11);
  assert_string_equal(plan->sweep[1].label, "interactions.ground.law.normal.k");
  assert_string_equal(plan->sweep[2].label, "v [m/s]");
  assert_string_equal(plan->sweep[2].values[1], "0.3");
  assert_string_equal(plan->sweep[2].values[10], "3");
  static const double masses[] = {1, 2, 5};
  for (int i = 0; i < plan->members; i++) {
    double mass = masses[i / 55], k = 0.1 * pow(10, 0.5 * (i / 11 % 5)), v = 0.3 * (i % 11);
    double after = rebound(mass, k, v), lost = mass / 2 * (v * v - after * after);
    assert_near(value_of(&m, i, "ball/v"), -after, 1e-10);
    assert_near(value_of(&m, i, "ground/separation"), after, 1e-10);
    assert_near(value_of(&m, i, "ground/impulse"), mass * (v + after), 1e-9);
    assert_near(value_of(&m, i, "ground/dissipated"), lost, 1e-9);
    assert_near(value_of(&m, i, "dissipated"), lost, 1e-9);
    assert_near(value_of(&m, i, "kinetic_start"), mass / 2 * v * v, 1e-12);
    assert_near(value_of(&m, i, "pattern"), after > 1e-6, 0);
  }
  end(&m);
}

// One value for several keys: two balls of equal mass that exchange their velocities, whatever it
// is.
static void one_value_goes_to_all_keys_of_a_list(void **state)
{
  many m;
  run_all(&m,
          "kind: impact\nbodies: [{id: a, dof: 2, mass: 1, velocity: [2, 1]}, {id: b, dof: 2, "
          "mass: 7}]\ninteractions: [{type: contact, bodies: [a, b], point: [0, 0], normal: [-1, "
          "0], law: {normal: {kind: restitution, e: 1}}}, {type: contact, bodies: [a, b], point: "
          "[0, 1], normal: [0, 1], law: {normal: {kind: inelastic}}}]\n"
          "sweep: [{key: [bodies.a.mass, bodies.b.mass], values: [1, 2, 3]}]\n",
          NULL);
  assert_string_equal(m.scene.plan.sweep[0].label, "bodies.a.mass, bodies.b.mass");
  assert_string_equal(m.scene.impact->interaction_ids[0], "a-b");
  assert_string_equal(m.scene.impact->interaction_ids[1], "a-b 2");
  for (int i = 0; i < 3; i++) {
    assert_near(value_of(&m, i, "a/vx"), 0, 1e-9);
    assert_near(value_of(&m, i, "b/vx"), 2, 1e-9);
    assert_near(value_of(&m, i, "a/vy"), 1, 1e-9);
    assert_near(value_of(&m, i, "a-b/impulse"), 2 * (i + 1), 1e-9);
    assert_near(value_of(&m, i, "a-b 2/separation"), 1, 1e-9);
    assert_near(value_of(&m, i, "pattern"), 3, 0);
  }
  end(&m);
}

// Friction, spins, distances and temperatures against `percuss solve`'s own answer.
static void a_member_is_the_collision_alone(void **state)
{
  static const char text[] =
      "kind: impact\nheat: {mode: adiabatic}\nbodies:\n"
      "  - {id: a, dof: 6, mass: 2, inertia: 0.5, velocity: [1, 0.3, -1, 1, 2, 3], temperature: "
      "300, capacity: 2}\n"
      "  - {id: b, dof: 6, mass: 1, inertia: 0.3, position: [1, 0, 0], temperature: 310, capacity: "
      "1}\ninteractions:\n"
      "  - {type: contact, bodies: [a, b], point: [0.5, 0, 0], normal: [-3, 0, 0], law: {normal: "
      "{kind: quadratic, k: 4}, tangential: {kind: coulomb, mu: 0.3}}}\n"
      "  - {type: distance, bodies: [a, b], points: [[0, 0, 0], [1, 0, 0]], law: {kind: quadratic, "
      "k: 1}}\n"
      "  - {type: spin, bodies: [a, b], law: {kind: quadratic, k: 1}}\n";
  char swept[1500];
  snprintf(swept, sizeof swept, "%ssweep: [{key: bodies.b.mass, values: [5, 1]}]\n", text);
  many m;
  run_all(&m, swept, NULL);
  pc_scene_impact alone;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_parse_impact("alone.yaml", text, &alone, &error), &error);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(alone.problem, &options, &info), PC_OK);
  double velocity[6];
  pc_impact_velocity(alone.problem, 0, velocity);
  assert_near(value_of(&m, 1, "a/vx"), velocity[0], 0);
  assert_near(value_of(&m, 1, "a/wz"), velocity[5], 0);
  pc_interaction_answer contact, distance, spin;
  pc_impact_answer(alone.problem, 0, &contact);
  pc_impact_answer(alone.problem, 1, &distance);
  pc_impact_answer(alone.problem, 2, &spin);
  assert_near(value_of(&m, 1, "a-b/impulse"), contact.percussion[0], 1e-14);
  assert_near(value_of(&m, 1, "a-b/friction"), hypot(contact.percussion[1], contact.percussion[2]),
              1e-14);
  assert_true(value_of(&m, 1, "a-b/friction") > 0.01);
  assert_near(value_of(&m, 1, "a-b 2/impulse"), distance.percussion[0], 0);
  assert_near(value_of(&m, 1, "a-b 3/impulse_y"), spin.percussion[1], 0);
  pc_heat_result after[3];
  pc_heat_info heat;
  assert_ok(pc_scene_impact_heat(&alone, after, &heat, &error), &error);
  assert_near(value_of(&m, 1, "b/temperature"), after[1].temperature, 0);
  pc_scene_impact_free(&alone);
  end(&m);
}

// Points of a path, in pixels.
static int read_path(const char *d, double (*point)[2], int most)
{
  int count = 0, used;
  for (;
       count < most && sscanf(d, "%*[ML]%lf %lf%n", &point[count][0], &point[count][1], &used) == 2;
       count++)
    d += used;
  return count;
}

static int count_texts(const xml *x, const char *text)
{
  int count = 0;
  for (int k = 0; k < x->count; k++)
    count += strcmp(x->element[k].tag, "text") == 0 && strcmp(x->element[k].text, text) == 0;
  return count;
}

static void curves_have_the_numbers_of_the_table(void **state)
{
  many m;
  run_all(&m,
          BALL "sweep:\n"
               "  - {key: bodies.ball.mass, values: [1, 2], label: 'm [kg]'}\n"
               "  - {key: bodies.ball.velocity.0, values: [4, 0, 2], label: 'v [m/s]'}\n"
               "curves:\n"
               "  - {name: after, quantities: ground/separation, y: 'after [m/s]'}\n"
               "  - {name: both, quantities: [ground/separation, ball/v], against: 'v [m/s]', "
               "title: Both}\n",
          "curves.h5");
  xml *x = xml_read(in_folder("curves-after.svg"));
  assert_int_equal(count_texts(x, "v [m/s]"), 1);
  assert_int_equal(count_texts(x, "after [m/s]"), 1);
  assert_int_equal(count_texts(x, "Ball"), 1);
  assert_int_equal(count_texts(x, "m = 1 kg"), 1);
  assert_int_equal(count_texts(x, "m = 2 kg"), 1);
  // Three points each, sorted by v: a straight line from the corner, as steep as the restitution.
  double rise[2];
  int lines = 0;
  for (int k = 0; k < x->count; k++) {
    double p[4][2];
    const xml_element *e = &x->element[k];
    if (strcmp(e->tag, "path") != 0 || read_path(xml_attribute(e, "d"), p, 4) != 3)
      continue;
    assert_true(lines < 2);
    assert_near(p[1][0] - p[0][0], p[2][0] - p[1][0], 0.011);
    assert_true(p[1][0] > p[0][0]);
    assert_near(p[1][1] - p[0][1], p[2][1] - p[1][1], 0.011);
    rise[lines++] = p[0][1] - p[2][1];
  }
  assert_int_equal(lines, 2);
  assert_near(rise[1] / rise[0], rebound(2, 6, 4) / rebound(1, 6, 4), 1e-3);
  xml_free(x);
  x = xml_read(in_folder("curves-both.svg"));
  assert_int_equal(count_texts(x, "Both"), 1);
  assert_int_equal(count_texts(x, "m/s"), 1); // both have this unit
  assert_int_equal(count_texts(x, "ball/v, m = 2 kg"), 1);
  xml_free(x);

  // The record for the viewer has the same numbers.
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder("curves-runs.h5"), &error);
  assert_non_null(reading);
  assert_int_equal(pc_reading_complete(reading), 1);
  long size[4];
  assert_int_equal(pc_reading_size(reading, "quantities/mean", size), 2);
  assert_int_equal(size[0], 6);
  assert_int_equal(size[1], pc_runs_columns(m.runs));
  double *mean = calloc((size_t)(size[0] * size[1]), sizeof *mean), number[5];
  assert_ok(pc_reading_rows(reading, "quantities/mean", 0, 6, PC_RECORD_DOUBLE, mean, &error),
            &error);
  for (int i = 0; i < 6; i++)
    for (int c = 0; c < size[1]; c++)
      assert_near(mean[i * size[1] + c], pc_runs_value(m.runs, i, c), 0);
  free(mean);
  assert_ok(pc_reading_rows(reading, "sweep/number", 0, 5, PC_RECORD_DOUBLE, number, &error),
            &error);
  assert_near(number[1], 2, 0);
  assert_near(number[2], 4, 0);
  char *labels = pc_reading_text(reading, "sweep/label", &error);
  assert_string_equal(labels, "m [kg]\nv [m/s]\n");
  free(labels);
  pc_reading_close(reading);
  end(&m);
}

// Two masses of a map: whether the ball leaves the ground is k > 2 m.
static void a_map_colours_what_the_runs_give(void **state)
{
  many m;
  run_all(&m,
          BALL "sweep:\n"
               "  - {key: bodies.ball.mass, from: 1, to: 4, count: 4, label: m}\n"
               "  - {key: interactions.0.law.normal.k, from: 1, to: 9, count: 5, label: k}\n"
               "curves:\n"
               "  - {name: leaves, quantities: pattern, against: [m, k], words: [stays, leaves]}\n"
               "  - {name: v, quantities: ball/v, against: [k, m]}\n",
          "map.h5");
  xml *x = xml_read(in_folder("map-leaves.svg"));
  assert_int_equal(count_texts(x, "stays"), 1);
  assert_int_equal(count_texts(x, "leaves"), 1);
  int maps = 0;
  for (int k = 0; k < x->count; k++) {
    const char *sharp = strcmp(x->element[k].tag, "path") == 0
                            ? xml_attribute(&x->element[k], "shape-rendering")
                            : NULL;
    maps += sharp != NULL;
  }
  assert_int_equal(maps, 2); // one path for each colour
  xml_free(x);
  x = xml_read(in_folder("map-v.svg"));
  assert_int_equal(count_texts(x, "ball/v [m/s]"), 1);
  xml_free(x);
  end(&m);
}

// Runs with several seeds have a band.
static void many_seeds_have_a_band(void **state)
{
  many m;
  run_all(&m,
          "kind: crowd\nduration: 20\nstep: 0.05\nroutes: {inset: 0}\n"
          "floors: [{walls: [{points: [[4, 2.5], [4, 4], [0, 4], [0, 0], [4, 0], [4, 1.5]]}]}]\n"
          "exits: [{name: door, line: [[4, 1.5], [4, 2.5]]}]\n"
          "people: [{name: guest, count: 4, to: door, speed: 1.5}]\nruns: 3\n"
          "sweep: [{key: people.guest.speed, values: [1, 1.5, 2]}]\n"
          "curves: [{name: time, quantities: evacuation}]\n",
          "band.h5");
  xml *x = xml_read(in_folder("band-time.svg"));
  int bands = 0;
  for (int k = 0; k < x->count; k++) {
    double p[8][2];
    bands += strcmp(x->element[k].tag, "path") == 0 &&
             read_path(xml_attribute(&x->element[k], "d"), p, 8) == 6;
  }
  assert_int_equal(bands, 1);
  assert_int_equal(count_texts(x, "evacuation [s]"), 1);
  assert_int_equal(count_texts(x, "people.guest.speed"), 1);
  xml_free(x);
  end(&m);
}

// Equal ratios are equally far apart, and ticks are powers of ten.
static void equal_ratios_have_a_logarithmic_axis(void **state)
{
  many m;
  run_all(&m,
          BALL "sweep:\n"
               "  - {key: bodies.ball.mass, from: 0.01, to: 100, count: 5, spacing: ratio, label: "
               "'m [kg]'}\n"
               "curves: [{name: ratio, quantities: ground/separation}]\n",
          "ratio.h5");
  xml *x = xml_read(in_folder("ratio-ratio.svg"));
  static const char *const ticks[] = {"0.01", "0.1", "1", "10", "100"};
  for (int k = 0; k < 5; k++)
    assert_true(count_texts(x, ticks[k]) >= 1);
  assert_int_equal(count_texts(x, "50"), 0);
  int lines = 0;
  for (int k = 0; k < x->count; k++) {
    double p[6][2];
    const xml_element *e = &x->element[k];
    if (strcmp(e->tag, "path") != 0 || read_path(xml_attribute(e, "d"), p, 6) != 5)
      continue;
    lines++;
    for (int i = 1; i < 4; i++)
      assert_near(p[i + 1][0] - p[i][0], p[i][0] - p[i - 1][0], 0.021);
  }
  assert_int_equal(lines, 1);
  xml_free(x);
  end(&m);
}

static void what_is_wrong_is_said_where_it_is_written(void **state)
{
  static const struct {
    const char *keys, *complaint;
  } cases[] = {
      {"sweep: [{key: bodies.0.mass}]", "an entry of 'sweep' needs either 'values', or 'from',"},
      {"sweep: [{key: bodies.0.mass, values: [1], from: 1, to: 2, count: 2}]",
       "an entry of 'sweep' needs either 'values', or 'from',"},
      {"sweep: [{key: bodies.0.mass, from: 1, count: 2}]",
       "yaml:5: 'from' requires 'to' and 'count'"},
      {"sweep: [{key: bodies.0.mass, from: 1, to: 2}]", "yaml:5: 'from' requires 'to' and 'count'"},
      {"sweep: [{key: bodies.0.mass, from: 1, to: 2, count: 1}]",
       "yaml:5: 'count' must be from 2 to 1000000 (got 1)"},
      {"sweep: [{key: bodies.0.mass, from: -1, to: 2, count: 3, spacing: ratio}]",
       "yaml:5: equal ratios from -1 to 2 do not exist"},
      {"sweep: [{key: bodies.0.mass, from: -1, to: 2, count: 3}]",
       "yaml:5: 'mass' must be positive (got -1)"},
      {"sweep: [{key: bodies.0.mas, from: 1, to: 2, count: 3}]",
       "yaml:5: unknown key 'mas'; did you mean 'mass'?"},
      {"sweep: [{key: bodies.bal.mass, from: 1, to: 2, count: 3}]",
       "yaml:5: 'bodies.bal.mass': no entry of 'bodies' is called 'bal'"},
      {"sweep: [{key: [bodies.0.mass, bodies.ball.mass], values: [1]}]",
       "yaml:5: 'bodies.0.mass' is swept twice"},
      {"sweep: [{key: curves, values: [1]}]", "yaml:5: 'curves' cannot be swept"},
      {"runs: 3", "yaml:5: unknown key 'runs'"},
      {"curves: [{name: a, quantities: ball/v}]",
       "yaml:5: curves need an entry of 'sweep' with at least two"},
      {"curves: [{name: a, quantities: ball/v}]\nsweep: [{key: bodies.0.mass, values: [2, 2]}]",
       "yaml:5: curves need an entry of 'sweep' with at least two"},
      {"curves: [{name: a, quantities: ball/v, against: m}]\nsweep: [{key: bodies.0.mass, values: "
       "[1, 2]}]",
       "yaml:5: no entry of 'sweep' has the label or the key 'm'"},
      {"curves: [{name: a, quantities: ball/v, against: t}]\nsweep: [{key: title, label: t, "
       "values: "
       "[a, b]}]",
       "yaml:5: 't' cannot be an axis"},
      {"curves: [{name: a/b, quantities: ball/v}]\nsweep: [{key: bodies.0.mass, values: [1, 2]}]",
       "yaml:5: 'a/b' cannot be used in a file name"},
      {"curves: [{name: a, quantities: ball/v}, {name: a, quantities: ball/v}]\nsweep: [{key: "
       "bodies.0.mass, values: [1, 2]}]",
       "yaml:5: two entries of 'curves' are named 'a'; names must be unique"},
      {"curves: [{name: a, quantities: ball/v, against: [m, m]}]\nsweep: [{key: bodies.0.mass, "
       "label: m, values: [1, 2]}]",
       "yaml:5: a map needs two different axes"},
      {"curves: [{name: a, quantities: ball/v, words: [x]}]\nsweep: [{key: bodies.0.mass, values: "
       "[1, 2]}]",
       "yaml:5: 'words' requires a map, that is two labels in 'against'"},
      {"curves: [{name: a, quantities: ball/v, against: v}]\nsweep: [{key: bodies.0.mass, from: 1, "
       "to: 2, count: 17}, {key: bodies.0.velocity.0, label: v, values: [1, 2]}]",
       "yaml:5: 17 curves are too many"},
      {"curves: [{name: a, quantities: [ball/v, pattern], against: [m, v]}]\nsweep: [{key: "
       "bodies.0.mass, label: m, values: [1, 2]}, {key: bodies.0.velocity.0, label: v, values: [1, "
       "2]}]",
       "yaml:5: a map shows one quantity"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    pc_scene scene;
    pc_error error = {.text = ""};
    snprintf(text, sizeof text, BALL "%s\n", cases[i].keys);
    if (pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error) == PC_OK)
      fail_msg("accepted: %s", cases[i].keys);
    if (strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("%s: %s", cases[i].keys, error.text);
  }
}

// Names of quantities are known when the first collision is solved; nothing is written before.
static void an_unknown_quantity_is_named(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  char output[200];
  strcpy(output, in_folder("unknown.h5"));
  assert_ok(pc_scene_parse(in_folder("scene.yaml"),
                           BALL "sweep: [{key: bodies.0.mass, values: [1, 2]}]\ncurves: [{name: a, "
                                "quantities: bal/v}]\n",
                           &scene, &error),
            &error);
  pc_runs *runs = pc_runs_create(&scene, &error);
  pc_runs_options options = {.output = output};
  assert_int_equal(pc_runs_run(runs, &options, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "unknown quantity 'bal/v'"));
  assert_non_null(strstr(error.text, "scene.yaml:"));
  assert_non_null(strstr(error.text, "(known: kinetic_start, "));
  assert_int_not_equal(access(in_folder("unknown-runs.csv"), F_OK), 0);
  assert_int_not_equal(access(in_folder("unknown-runs.checkpoint"), F_OK), 0);
  pc_runs_destroy(runs);

  // A collision has no record.
  pc_run_options record = {.output = output};
  pc_run_summary summary;
  assert_int_equal(pc_run_scene(&scene, &record, &summary, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "a single collision has no record; use 'percuss solve',"));
  pc_scene_free(&scene);
}

// What a file is based on, and the first combination, are read by those who solve it alone.
static void a_file_with_a_sweep_is_its_first_collision_alone(void **state)
{
  pc_scene_impact first;
  pc_error error = {.text = ""};
  write_file("base.yaml", BALL);
  write_file("swept.yaml", "kind: impact\nbase: base.yaml\nsweep: [{key: bodies.ball.velocity.0, "
                           "from: 2, to: 3, count: 2}]\n");
  assert_ok(pc_scene_read_impact(in_folder("swept.yaml"), &first, &error), &error);
  assert_near(first.before[0][0], 2, 0);
  assert_string_equal(first.title, "Ball");
  pc_scene_impact_free(&first);
  write_file("wrong.yaml", "kind: rigid\nduration: 1\nstep: 1\n");
  assert_int_equal(pc_scene_read_impact(in_folder("wrong.yaml"), &first, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "for kind 'rigid' use 'percuss run FILE'"));
}

// A ball that falls: its kinetic energy is m g^2 t^2 / 2, at the end of every step to round-off.
#define FALL                                                                                       \
  "kind: rigid\ntitle: Fall\nduration: 0.5\nstep: 0.1\ngravity: [0, 0, -10]\n"                     \
  "bodies: [{name: ball, shape: {type: sphere, radius: 0.1}, mass: 2, position: [0, 0, 9]}]\n"

static pc_status run_one(const char *text, const char *name, const pc_run_options *like,
                         pc_error *error)
{
  pc_scene scene;
  pc_run_summary summary;
  pc_run_options options = *like;
  char output[200];
  snprintf(output, sizeof output, "%s", in_folder(name));
  options.output = output;
  pc_status status = pc_scene_parse(in_folder("scene.yaml"), text, &scene, error);
  if (status != PC_OK)
    return status;
  status = pc_run_scene(&scene, &options, &summary, error);
  pc_scene_free(&scene);
  return status;
}

// The paths with so many points, at most `most` of them; gives how many there are.
static int find_paths(const xml *x, int points, int most, double (*p)[8][2])
{
  int found = 0;
  for (int k = 0; k < x->count; k++) {
    double one[8][2];
    if (strcmp(x->element[k].tag, "path") != 0 ||
        read_path(xml_attribute(&x->element[k], "d"), one, 8) != points)
      continue;
    if (found < most)
      memcpy(p[found], one, sizeof one);
    found++;
  }
  return found;
}

static void curves_against_time_have_the_numbers_of_the_table(void **state)
{
  pc_error error = {.text = ""};
  const char text[] = FALL "curves: [{name: fall, quantities: kinetic_translation}]\n";
  assert_ok(run_one(text, "fall.h5", &(pc_run_options){0}, &error), &error);
  xml *x = xml_read(in_folder("fall-fall.svg"));
  assert_int_equal(count_texts(x, "time [s]"), 1);
  assert_int_equal(count_texts(x, "kinetic_translation [J]"), 1);
  assert_int_equal(count_texts(x, "Fall"), 1);
  double p[1][8][2];
  assert_int_equal(find_paths(x, 5, 1, p), 1);
  // Pixels have two digits behind the point.
  for (int i = 0; i < 5; i++) {
    double part = ((i + 1) * (i + 1) - 1) / 24.0;
    assert_near(p[0][i][0], p[0][0][0] + i * (p[0][4][0] - p[0][0][0]) / 4, 0.011);
    assert_near(p[0][i][1], p[0][0][1] + part * (p[0][4][1] - p[0][0][1]), 0.02);
  }
  assert_true(p[0][0][1] - p[0][4][1] > 200);
  xml_free(x);
}

static bool stop_early(void *context, const pc_run_progress *progress)
{
  return progress->step < 3;
}

static char *read_text(const char *name)
{
  FILE *file = fopen(in_folder(name), "r");
  char *text = calloc(1, 100000);
  assert_non_null(file);
  assert_true(fread(text, 1, 99999, file) > 0);
  fclose(file);
  return text;
}

static void a_run_that_was_stopped_has_the_same_picture(void **state)
{
  pc_error error = {.text = ""};
  const char text[] = FALL "curves: [{name: fall, quantities: kinetic_translation}]\n";
  assert_ok(run_one(text, "whole.h5", &(pc_run_options){0}, &error), &error);
  assert_ok(run_one(text, "parts.h5", &(pc_run_options){.listener = stop_early}, &error), &error);
  assert_int_not_equal(access(in_folder("parts-fall.svg"), F_OK), 0);
  assert_ok(run_one(text, "parts.h5", &(pc_run_options){.resume = true}, &error), &error);
  char *whole = read_text("whole-fall.svg"), *parts = read_text("parts-fall.svg");
  assert_string_equal(whole, parts);
  free(whole);
  free(parts);
}

#define GRAVITIES                                                                                  \
  FALL "sweep: [{key: gravity.2, values: [-10, -20], label: 'g [m/s2]'}]\ncurves:\n"               \
       "  - {name: over, quantities: kinetic_translation, against: time}\n"                        \
       "  - {name: end, quantities: kinetic}\n"

// Runs that are kept have a curve each; four times the energy with twice the gravity.
static void kept_runs_make_a_family_over_time(void **state)
{
  pc_error error = {.text = ""};
  char output[200];
  strcpy(output, in_folder("family.h5"));
  pc_scene scene;
  assert_ok(pc_scene_parse(in_folder("scene.yaml"), GRAVITIES, &scene, &error), &error);
  pc_runs *runs = pc_runs_create(&scene, &error);
  pc_runs_options options = {.threads = 1, .output = output, .keep = true};
  assert_ok(pc_runs_run(runs, &options, &error), &error);
  pc_runs_destroy(runs);
  xml *x = xml_read(in_folder("family-over.svg"));
  assert_int_equal(count_texts(x, "g = -10 m/s2"), 1);
  assert_int_equal(count_texts(x, "g = -20 m/s2"), 1);
  double p[2][8][2];
  assert_int_equal(find_paths(x, 5, 2, p), 2);
  assert_near((p[1][0][1] - p[1][4][1]) / (p[0][0][1] - p[0][4][1]), 4, 0.002);
  xml_free(x);
  assert_int_equal(access(in_folder("family-end.svg"), F_OK), 0);
  assert_int_equal(access(in_folder("family-0002-over.svg"), F_OK), 0); // of that run alone

  // Without their tables there is nothing to draw from, which is told before anything is done.
  strcpy(output, in_folder("lost.h5"));
  options.keep = false;
  runs = pc_runs_create(&scene, &error);
  assert_int_equal(pc_runs_run(runs, &options, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, ": curves over time need the tables of the runs; add"));
  assert_int_not_equal(access(in_folder("lost-runs.csv"), F_OK), 0);
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

// Curves of motions are checked before their first step, with the line and what there is.
static void unknown_quantities_of_motions_are_found_before_the_run(void **state)
{
  static const struct {
    const char *text, *complaint;
  } one[] = {
      {FALL "curves: [{name: a, quantities: kinetic}]\n",
       "scene.yaml:7: unknown quantity 'kinetic'"},
      {FALL "curves: [{name: a, quantities: kinetic_rotatio}]\n",
       "did you mean 'kinetic_rotation'? (known: time, step, kinetic_translation, "},
      {FALL "output: {csv: false}\ncurves: [{name: a, quantities: time}]\n",
       ": curves over time need the table of the run; set"},
      {FALL "curves: [{name: a, quantities: time, against: [time, g]}]\nsweep: [{key: gravity.2, "
            "label: g, values: [-10, -20]}]\n",
       "scene.yaml:7: both axes of a map must be entries of 'sweep', not time"},
      {BALL "curves: [{name: a, quantities: ball/v, against: time}]\n",
       "scene.yaml:5: a single collision takes no time"},
      {"kind: continuum\nmesh: {rectangles: [{name: block, x: [0, 1], y: [0, 1], cells: [2, 2], "
       "sides: {bottom: foot}}]}\nmedia: {block: {density: 1000, viscosity: 10, velocity: [0, "
       "-1]}}\ncontacts: [{sides: foot}]\ncurves: [{name: a, quantities: time}]\n",
       "scene.yaml:5: a single collision takes no time"},
  };
  for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
    pc_error error = {.text = ""};
    assert_int_not_equal(run_one(one[i].text, "none.h5", &(pc_run_options){0}, &error), PC_OK);
    if (strstr(error.text, one[i].complaint) == NULL)
      fail_msg("%s: %s", one[i].text, error.text);
    assert_int_not_equal(access(in_folder("none.h5"), F_OK), 0);
  }
  static const struct {
    const char *curve, *complaint;
  } swept[] = {
      {"{name: a, quantities: kinetics}",
       "scene.yaml:8: unknown quantity 'kinetics'; did you mean 'kinetic'?"},
      {"{name: a, quantities: ball/vx, against: time}",
       "scene.yaml:8: unknown quantity 'ball/vx' (known: time, "},
  };
  for (size_t i = 0; i < sizeof swept / sizeof *swept; i++) {
    char text[1000], output[200];
    pc_error error = {.text = ""};
    pc_scene scene;
    strcpy(output, in_folder("none.h5"));
    snprintf(text, sizeof text,
             FALL "sweep: [{key: gravity.2, values: [-10, -20]}]\ncurves: [%s]\n", swept[i].curve);
    assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error), &error);
    pc_runs *runs = pc_runs_create(&scene, &error);
    pc_runs_options options = {.output = output, .keep = true};
    assert_int_equal(pc_runs_run(runs, &options, &error), PC_ERROR_INPUT);
    if (strstr(error.text, swept[i].complaint) == NULL)
      fail_msg("%s: %s", swept[i].curve, error.text);
    assert_int_not_equal(access(in_folder("none-runs.csv"), F_OK), 0);
    assert_int_not_equal(access(in_folder("none-0001.h5"), F_OK), 0);
    pc_runs_destroy(runs);
    pc_scene_free(&scene);
  }
}

static int measure_names(const char *text, double duration, char (*name)[160], int most)
{
  pc_scene scene;
  pc_run_summary summary;
  pc_error error = {.text = ""};
  pc_quantity *list;
  int count;
  assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error), &error);
  scene.duration = duration >= 0 ? duration : scene.duration;
  assert_ok(pc_run_scene(&scene, &(pc_run_options){0}, &summary, &error), &error);
  assert_ok(pc_run_measure(&scene, &summary, &list, &count, &error), &error);
  assert_true(count <= most);
  for (int i = 0; i < count; i++)
    snprintf(name[i], 160, "%s/%s", list[i].group, list[i].name);
  free(list);
  pc_scene_free(&scene);
  return count;
}

// Before the first step every kind of scene names what it measures at the end.
static void quantities_are_known_before_the_first_step(void **state)
{
  static const char *const text[] = {
      FALL "sensors: [{name: speed, kind: velocity, bodies: ball}]\n",
      "kind: crowd\nduration: 20\nstep: 0.05\nroutes: {inset: 0}\n"
      "floors: [{walls: [{points: [[4, 2.5], [4, 4], [0, 4], [0, 0], [4, 0], [4, 1.5]]}]}]\n"
      "exits: [{name: door, line: [[4, 1.5], [4, 2.5]]}]\n"
      "people: [{name: guest, count: 4, to: door, speed: 1.5}]\n",
      "kind: chain\nvelocity: 1\nlaw: {kind: hertz}\nballs: {radii: [0.5, 0.5, 1], density: 1}\n"
      "duration: 1\nstep: 0.1\n",
      "kind: continuum\nmesh: {rectangles: [{name: block, x: [0, 1], y: [0, 1], cells: [2, 2], "
      "sides: {bottom: foot, top: head}}]}\nmedia: {block: {density: 1000, young: 1e6, poisson: "
      "0.3, velocity: [0, -1]}}\ncontacts: [{sides: foot}, {name: on, sides: head, with: ball}]\n"
      "bodies: [{name: ball, radius: 0.1, mass: 1, centre: [0.5, 1.2]}]\nduration: "
      "0.01\nstep: 1e-3\n",
      "kind: continuum\nmesh: {rectangles: [{name: water, x: [0, 1], y: [0, 0.5], cells: [4, 2], "
      "sides: {bottom: floor, left: west, right: east, top: surface}}]}\nduration: 0.04\n"
      "step: 0.02\ngravity: [0.1, -9.81]\nmedia: {water: {fluid: true, density: 1000, "
      "dynamic_viscosity: 0.001}}\ncontacts: [{sides: floor}, {sides: west}, {sides: east}]\n",
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    static char before[300][160], after[300][160];
    int count = measure_names(text[i], 0, before, 300);
    assert_int_equal(measure_names(text[i], -1, after, 300), count);
    for (int k = 0; k < count; k++)
      assert_string_equal(before[k], after[k]);
  }
}

// 50,001 rows with one peak, and a row without a number.
static void long_curves_keep_their_peaks(void **state)
{
  FILE *file = fopen(in_folder("long.csv"), "w");
  assert_non_null(file);
  fprintf(file, "time,other,wave_height\n");
  for (int i = 0; i <= 50000; i++)
    if (i == 777)
      fprintf(file, "%.17g,7,nan\n", 1e-3 * i);
    else
      fprintf(file, "%.17g,7,%.17g\n", 1e-3 * i, i == 31234 ? 9.0 : i == 31235 ? -4.0 : 0.0);
  fclose(file);
  file = fopen(in_folder("long-units.csv"), "w");
  assert_non_null(file);
  fprintf(file,
          "table,column,unit\nrun,time,s\nrun,other,\nrun,wave_height,m\nmaps,wave_height,K\n");
  fclose(file);
  char *quantity = "wave height", path[200], picture[200];
  strcpy(path, in_folder("long.csv"));
  strcpy(picture, in_folder("long.svg"));
  pc_scene scene = {.plan = {.runs = 1}};
  pc_scene_curves c = {.name = "long", .quantities = 1, .quantity = &quantity, .against = {-1, -1}};
  pc_time_table table = {path, 0};
  pc_error error = {.text = ""};
  assert_ok(pc_time_curves_draw(&scene, &c, 1, &table, picture, &error), &error);
  char *text = read_text("long.svg");
  assert_non_null(strstr(text, ">wave height [m]<"));
  static double p[2100][2];
  int longest = 0;
  for (const char *at = text; (at = strstr(at, " d=\"")) != NULL; at++) {
    int count = read_path(at + 4, p, 2100);
    longest = count > longest ? count : longest;
    if (count < 500)
      continue;
    double high = p[0][1], low = p[0][1], base = p[0][1];
    for (int i = 0; i < count; i++) {
      assert_true(i == 0 || p[i][0] >= p[i - 1][0]);
      high = fmin(high, p[i][1]);
      low = fmax(low, p[i][1]);
    }
    assert_near((base - high) / (low - base), 9.0 / 4, 1e-3);
  }
  assert_in_range(longest, 500, 2000);
  free(text);
  char *wrong = "wav";
  c.quantity = &wrong;
  assert_int_equal(pc_time_curves_draw(&scene, &c, 1, &table, picture, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "has no column 'wav'"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_and_lists_of_numbers_are_swept),
      cmocka_unit_test(one_value_goes_to_all_keys_of_a_list),
      cmocka_unit_test(a_member_is_the_collision_alone),
      cmocka_unit_test(curves_have_the_numbers_of_the_table),
      cmocka_unit_test(equal_ratios_have_a_logarithmic_axis),
      cmocka_unit_test(a_map_colours_what_the_runs_give),
      cmocka_unit_test(many_seeds_have_a_band),
      cmocka_unit_test(what_is_wrong_is_said_where_it_is_written),
      cmocka_unit_test(an_unknown_quantity_is_named),
      cmocka_unit_test(a_file_with_a_sweep_is_its_first_collision_alone),
      cmocka_unit_test(curves_against_time_have_the_numbers_of_the_table),
      cmocka_unit_test(a_run_that_was_stopped_has_the_same_picture),
      cmocka_unit_test(kept_runs_make_a_family_over_time),
      cmocka_unit_test(unknown_quantities_of_motions_are_found_before_the_run),
      cmocka_unit_test(quantities_are_known_before_the_first_step),
      cmocka_unit_test(long_curves_keep_their_peaks),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
