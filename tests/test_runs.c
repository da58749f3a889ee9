// Many runs of one scene: each is the run that its seed and values make alone, whatever the number
// of threads and however often it was stopped; what they say together is what hand and brute force
// say.
#include "support.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/statistics.h"
#include "folder.h"
#include "percuss/runs.h"
#include "record/lock.h"
#include "record/record.h"
#include "same.h"

static char scene_path[80];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(scene_path, in_folder("scene.yaml"));
  return result;
}

static void assert_same_files(const char *one, const char *two)
{
  char *a = text_of(in_folder(one)), *b = text_of(in_folder(two));
  if (strcmp(a, b) != 0)
    fail_msg("%s and %s differ", one, two);
  free(a);
  free(b);
}

static pc_scene read_text(const char *text, int run)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_parse_run(scene_path, text, run, &scene, &error), &error);
  return scene;
}

#define ROOM_HEAD "kind: crowd\nduration: 20\nstep: 0.02\nroutes: {inset: 0}\n"
#define ROOM_FLOOR                                                                                 \
  "floors: [{walls: [{points: [[4, 2.5], [4, 4], [0, 4], [0, 0], [4, 0], [4, 1.5]]}]}]\n"          \
  "exits: [{name: door, line: [[4, 1.5], [4, 2.5]]}]\n"
#define ROOM_PEOPLE(speed)                                                                         \
  "people: [{name: guest, count: 9, to: door, radius: {uniform: [0.2, 0.25]}, speed: " speed "}]"  \
  "\n"
#define ROOM ROOM_HEAD ROOM_FLOOR ROOM_PEOPLE("1.5")
#define ROOM_SWEEP                                                                                 \
  "runs: 3\nseed: 7\nsweep:\n"                                                                     \
  "  - {key: people.guest.speed, values: [1.2, {uniform: [1, 2]}]}\n"                              \
  "  - {key: contact.treatment, values: [nsm2, dem]}\n"

#define BALLS(velocity)                                                                            \
  "kind: rigid\nduration: 0.2\nstep: 2e-3\n"                                                       \
  "default_law: {normal: {kind: restitution, e: 0.3}, tangential: {kind: coulomb, mu: 0.4}}\n"     \
  "obstacles: [{name: floor, shape: {type: plane}}]\n"                                             \
  "bodies: [{name: slab, shape: {type: box, size: [0.3, 0.3, 0.1]}, position: [2, 0, 0.06], "      \
  "velocity: " velocity "}]\n"                                                                     \
  "generators: [{type: random, name: g, count: 8, inside: {box: [[0, 0, 0.05], [0.5, 0.5, "        \
  "0.5]]}, shape: {type: sphere, radius: 0.05}}]\n"                                                \
  "sensors: [{name: floor, kind: force, bodies: floor, axis: [0, 0, 1]}, {name: v, kind: "         \
  "velocity, bodies: slab}]\n"

// What is heard first, where values are swept, is heard before any run is done.
typedef struct stopper {
  int after;        // runs
  const char *gone; // a file that is removed then; NULL: none
  int heard;
  int first; // runs that were finished then
} stopper;

static bool stop_after(void *context, const pc_runs_progress *p)
{
  stopper *own = context;
  if (own->heard++ == 0) {
    own->first = p->finished;
    assert_int_equal(p->failed, 0);
    if (own->gone != NULL)
      assert_int_equal(unlink(in_folder(own->gone)), 0);
  }
  assert_true(p->part >= 0 && p->part <= 1 + 1e-12);
  return p->finished + p->failed < own->after;
}

typedef struct many {
  pc_scene scene;
  pc_runs *runs;
} many;

// `m` stays where it is: the runs look at its scene.
static void begin(many *m, const char *text)
{
  pc_error error = {.text = ""};
  m->scene = read_text(text, 1);
  m->runs = pc_runs_create(&m->scene, &error);
  assert_non_null(m->runs);
}

static void end(many *m)
{
  pc_runs_destroy(m->runs);
  pc_scene_free(&m->scene);
}

static void run_all(many *m, const char *text, const char *output, pc_runs_options options)
{
  char path[120];
  pc_error error = {.text = ""};
  begin(m, text);
  if (output != NULL) {
    strcpy(path, in_folder(output));
    options.output = path;
  }
  assert_ok(pc_runs_run(m->runs, &options, &error), &error);
}

static int column_of(const pc_runs *runs, const char *name)
{
  for (int c = 0; c < pc_runs_columns(runs); c++)
    if (strcmp(pc_runs_column_of(runs, c).name, name) == 0)
      return c;
  fail_msg("there is no column %s", name);
  return -1;
}

static double value_of(const pc_runs *runs, int i, const char *name)
{
  return pc_runs_value(runs, i, column_of(runs, name));
}

static bool same(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

// Run number i is what this text, which asks for one run, makes alone.
static void expect_run(const pc_runs *runs, int i, const char *text)
{
  pc_scene scene = read_text(text, 1);
  pc_run_options options = {.threads = 1};
  pc_run_summary summary;
  pc_error error = {.text = ""};
  pc_quantity *list;
  int count;
  assert_int_equal(scene.plan.members, 1);
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
  assert_int_equal(pc_run_measure(&scene, &summary, &list, &count, &error), PC_OK);
  assert_true(count > 20);
  assert_int_equal(count, pc_runs_columns(runs));
  for (int k = 0; k < count; k++) {
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", list[k].group, list[k].group[0] ? "/" : "", list[k].name);
    assert_string_equal(pc_runs_column_of(runs, k).name, name);
    if (!same(pc_runs_value(runs, i, k), list[k].value))
      fail_msg("run %d, %s: %.17g, alone %.17g", i + 1, name, pc_runs_value(runs, i, k),
               list[k].value);
  }
  free(list);
  pc_scene_free(&scene);
}

static void statistics_are_those_of_the_textbook(void **state)
{
  double values[] = {9, 2, 4, NAN, 5, 4, 7, 5, 4, NAN};
  pc_statistics s = pc_statistics_of(10, values);
  assert_int_equal(s.count, 8);
  assert_int_equal(s.missing, 2);
  assert_near(s.mean, 5, 0);
  assert_near(s.deviation, sqrt(32.0 / 7), 1e-15);
  assert_near(s.interval, 2.365 * sqrt(32.0 / 7) / sqrt(8), 1e-15);
  assert_near(s.median, 4.5, 0);
  assert_near(s.least, 2, 0);
  assert_near(s.most, 9, 0);
  double odd[] = {3, 1, 2}, one[] = {4}, none[] = {NAN};
  assert_near(pc_statistics_of(3, odd).median, 2, 0);
  s = pc_statistics_of(1, one);
  assert_near(s.mean, 4, 0);
  assert_true(isnan(s.deviation) && isnan(s.interval));
  s = pc_statistics_of(1, none);
  assert_true(isnan(s.mean) && isnan(s.median) && isnan(s.least) && s.missing == 1);
  // Numbers that differ in their last digits only.
  double close[] = {1e9 + 1, 1e9 + 2, 1e9 + 3};
  assert_near(pc_statistics_of(3, close).deviation, 1, 1e-12);
  // Student's t at 0.975, from tables.
  static const struct {
    int freedom;
    double t;
  } known[] = {{1, 12.706},  {5, 2.571},   {30, 2.042},   {31, 2.0395},
               {40, 2.0211}, {60, 2.0003}, {120, 1.9799}, {1000, 1.9623}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_near(pc_interval_95(known[i].freedom + 1, 1) * sqrt(known[i].freedom + 1), known[i].t,
                1.2e-4);
}

static double first_speed(const pc_scene *scene)
{
  return pc_crowd_person_def(scene->crowd, 0).speed;
}

static void values_and_seeds_arrive_in_the_scene(void **state)
{
  static const char *const text = ROOM ROOM_SWEEP;
  for (int run = 1; run <= 12; run++) {
    pc_scene scene = read_text(text, run);
    assert_int_equal(scene.plan.members, 12);
    assert_int_equal(scene.plan.combinations, 4);
    assert_int_equal(scene.seed, 7 + (run - 1) % 3);
    if (run <= 6)
      assert_near(first_speed(&scene), 1.2, 0);
    else
      assert_true(first_speed(&scene) != 1.2 && first_speed(&scene) >= 1);
    bool dem = (run - 1) / 3 % 2 == 1;
    assert_int_equal(pc_world_definition(scene.world)->treatment,
                     dem ? PC_PENALTY : PC_VELOCITY_LEVEL);
    assert_non_null(scene.changes);
    assert_non_null(
        strstr(scene.changes, dem ? "contact.treatment: dem" : "contact.treatment: nsm2"));
    pc_scene_free(&scene);
  }
  pc_error error = {.text = ""};
  pc_scene none;
  assert_int_equal(pc_scene_parse_run(scene_path, text, 13, &none, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "no run 13"));
}

// By numbers, by names, inside vectors, into bases, into values of other sweeps; and where a file
// uses a value twice only the place that is meant changes.
static void paths_lead_everywhere(void **state)
{
  pc_body_state at;
  pc_scene scene =
      read_text(BALLS("[0, 0, 0]") "sweep: [{key: bodies.0.velocity.2, values: [-3]}, {key: "
                                   "bodies.slab.position, values: [[1, 2, 3]]}, {key: "
                                   "generators.g.count, values: [4]}]\n",
                1);
  pc_body_get(scene.world, (pc_body){2}, &at);
  assert_near(at.velocity[2], -3, 0);
  assert_near(at.position[1], 2, 0);
  assert_int_equal(scene.bodies, 6);
  pc_scene_free(&scene);

  write_file("base.yaml", ROOM "contact: {treatment: dem, stiffness: 1e4}\n");
  scene = read_text("kind: crowd\nbase: base.yaml\nsweep: [{key: people.0.speed, values: [1.1]}, "
                    "{key: contact, values: [{treatment: nsm2, law: {normal: {kind: quadratic, k: "
                    "3}}}]}, {key: contact.law.normal.k, values: [5]}, {key: step, values: "
                    "[0.01]}, {key: social.strength, values: [9]}]\n",
                    1);
  assert_near(first_speed(&scene), 1.1, 0);
  assert_near(scene.step, 0.01, 0);
  assert_int_equal(pc_world_definition(scene.world)->treatment, PC_VELOCITY_LEVEL);
  pc_scene_free(&scene);

  // A value may have another name than what it replaces.
  scene = read_text("kind: rigid\nduration: 1\nstep: 0.1\nbodies: [{name: a, shape: {type: sphere, "
                    "radius: 1}, position: [0, 0, 0]}]\nsweep: [{key: bodies.a.velocity, values: "
                    "[[0, 0, 5]]}, {key: bodies.a.name, values: [b]}]\n",
                    1);
  pc_body_get(scene.world, (pc_body){1}, &at);
  assert_near(at.velocity[2], 5, 0);
  assert_string_equal(scene.names[0], "b");
  pc_scene_free(&scene);

  scene = read_text(ROOM_HEAD ROOM_FLOOR
                    "people: [{name: a, count: 1, to: door, speed: &v 1.3, relaxation: *v}]\n"
                    "sweep: [{key: people.a.speed, values: [0.7]}]\n",
                    1);
  assert_near(first_speed(&scene), 0.7, 0);
  assert_near(pc_crowd_person_def(scene.crowd, 0).relaxation, 1.3, 0);
  pc_scene_free(&scene);

  // Only generators without a seed of their own follow that of the scene.
  const char *seeds[] = {"seed: 1\n", "seed: 2\n"};
  double x[2][2];
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "kind: rigid\nduration: 1\nstep: 0.1\n%sgenerators:\n"
             "  - {type: random, name: a, count: 1, inside: {box: [[0, 0, 0], [9, 9, 9]]}, shape: "
             "{type: sphere, radius: 0.1}}\n"
             "  - {type: random, name: b, seed: 5, count: 1, inside: {box: [[0, 0, 20], [9, 9, "
             "29]]}, shape: {type: sphere, radius: 0.1}}\n",
             seeds[i]);
    scene = read_text(text, 1);
    for (int k = 0; k < 2; k++) {
      pc_body_get(scene.world, (pc_body){k + 1}, &at);
      x[i][k] = at.position[0];
    }
    pc_scene_free(&scene);
  }
  assert_true(x[0][0] != x[1][0]);
  assert_true(x[0][1] == x[1][1]);
}

static void what_is_wrong_is_said_where_it_is_written(void **state)
{
  static const struct {
    const char *sweep, *complaint;
  } cases[] = {
      {"{key: people.3.speed, values: [1]}",
       "yaml:8: 'people.3.speed': there is no such entry; 'people' has 1 entry"},
      {"{key: people.host.speed, values: [1]}",
       "yaml:8: 'people.host.speed': no entry of 'people' is called 'host'"},
      {"{key: people.0.sped, values: [1]}", "yaml:8: unknown key 'sped'; did you mean 'speed'?"},
      {"{key: contcat.treatment, values: [dem]}",
       "yaml:8: unknown key 'contcat'; did you mean 'contact'?"},
      {"{key: step.x, values: [1]}", "yaml:8: 'step.x': 'step' is 0.02, which has no 'x'"},
      {"{key: people..speed, values: [1]}", "yaml:8: 'people..speed' is not a path"},
      {"{key: .speed, values: [1]}", "yaml:8: '.speed' is not a path"},
      {"{key: step., values: [1]}", "yaml:8: 'step.' is not a path"},
      {"{key: kind, values: [rigid]}", "yaml:8: 'kind' cannot be swept"},
      {"{key: sweep.0.key, values: [step]}", "yaml:8: 'sweep' cannot be swept"},
      {"{key: step, values: []}", "yaml:8: 'values' is empty"},
      {"{key: step, values: 3}", "yaml:8: 'values' must be a list"},
      {"{key: step}", "yaml:8: an entry of 'sweep' needs either 'values', or 'from',"},
      {"{key: step, values: [x]}", "yaml:8: 'step': expected a number, found 'x'"},
      {"{key: people.0.radius, values: [-1]}", "yaml:8: 'radius' must be positive (got -1)"},
      {"{key: step, values: [1]}, {key: step, values: [2]}", "yaml:8: 'step' is swept twice"},
      {"{key: people.0.radius, values: [0.2]}, {key: people.00.radius, values: [0.3]}",
       "yaml:8: 'people.0.radius' is swept twice"},
      {"{key: people.0.radius, values: [0.2]}, {key: people.0, values: [{}]}",
       "yaml:8: 'people.0.radius' is swept twice"},
      {"{key: people.0.radius, values: [0.2]}, {key: step, values: [1]}, {key: people, values: "
       "[[{count: 1}]]}",
       "yaml:8: 'people.0.radius' is swept twice"},
      {"step", "yaml:8: an entry of 'sweep' must be a mapping"},
      {"{key: step, value: [1]}", "yaml:8: unknown key 'value'; did you mean 'values'?"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    pc_scene scene;
    pc_error error = {.text = ""};
    snprintf(text, sizeof text, ROOM "sweep: [%s]\n", cases[i].sweep);
    if (pc_scene_parse(scene_path, text, &scene, &error) == PC_OK)
      fail_msg("accepted: %s", cases[i].sweep);
    if (strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("%s: %s", cases[i].sweep, error.text);
  }
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_equal(pc_scene_parse(scene_path, ROOM "runs: 0\n", &scene, &error), PC_ERROR_INPUT);
  assert_int_equal(pc_scene_parse(scene_path,
                                  ROOM "runs: 600000\nsweep: [{key: step, values: [1, "
                                       "2]}]\n",
                                  &scene, &error),
                   PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "too many runs: at most 1000000"));
}

// Whatever stands there, it is read or refused with file and line, and never for ever.
static void garbled_sweeps_are_refused(void **state)
{
  static const char *const cycles[] = {
      ROOM "sweep: &s [{key: people.0.speed, values: *s}]\n",
      ROOM "sweep: [{key: people.0.speed, values: &v [*v, *v, *v, *v, *v, *v, *v, *v, *v]}]\n",
      ROOM "sweep: [{key: people, values: [&p [{name: a, count: 1, to: door, speed: *p}]]}]\n"};
  pc_scene scene;
  for (int i = 0; i < 3; i++) {
    pc_error error = {.text = ""};
    assert_int_equal(pc_scene_parse(scene_path, cycles[i], &scene, &error), PC_ERROR_INPUT);
    assert_non_null(strstr(error.text, "scene.yaml:"));
  }
  pc_random random = test_random("garbled sweeps");
  static const char whole[] = ROOM_SWEEP;
  static const char letters[] = "0129.:,-[]{}&*#'\"\n aeky";
  int good = 0, count = test_count(400);
  for (int n = 0; n < count; n++) {
    char sweep[sizeof whole], text[3000];
    pc_error error = {.text = ""};
    memcpy(sweep, whole, sizeof whole);
    for (int k = 0; k <= pc_random_below(&random, 3); k++)
      sweep[pc_random_below(&random, (int)sizeof whole - 1)] =
          letters[pc_random_below(&random, (int)sizeof letters - 1)];
    snprintf(text, sizeof text, ROOM "%s", sweep);
    if (pc_scene_parse_run(scene_path, text, 1 + pc_random_below(&random, 12), &scene, &error) ==
        PC_OK) {
      good++;
      pc_scene_free(&scene);
    } else if (strstr(error.text, "scene.yaml:") == NULL) {
      fail_msg("%s", error.text);
    }
  }
  assert_true(good < count);
}

// A value that only a later combination has is found before anything is written.
static void a_bad_value_stops_all_runs_before_they_start(void **state)
{
  many m;
  begin(&m, ROOM "runs: 2\nsweep: [{key: contact.treatment, values: [nsm2, demm]}]\n");
  char path[120];
  pc_error error = {.text = ""};
  strcpy(path, in_folder("bad.h5"));
  pc_runs_options options = {.output = path, .threads = 2};
  assert_int_equal(pc_runs_run(m.runs, &options, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "unknown treatment of contact 'demm'"));
  strcpy(path, in_folder("bad-runs.csv"));
  assert_int_not_equal(access(path, F_OK), 0);
  end(&m);
}

static void every_run_is_what_it_is_alone(void **state)
{
  static const char *const speeds[] = {"1.2", "{uniform: [1, 2]}"};
  static const char *const treatments[] = {"nsm2", "dem"};
  many m;
  run_all(&m, ROOM ROOM_SWEEP, NULL, (pc_runs_options){.threads = 3});
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 12);
  for (int i = 0; i < 12; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             ROOM_HEAD ROOM_FLOOR ROOM_PEOPLE("%s") "seed: %d\ncontact: {treatment: %s}\n",
             speeds[i / 6], 7 + i % 3, treatments[i / 3 % 2]);
    pc_member member = pc_runs_member(m.runs, i);
    assert_int_equal(member.number, i + 1);
    assert_int_equal(member.seed, 7 + i % 3);
    assert_int_equal(member.combination, i / 3);
    expect_run(m.runs, i, text);
  }
  end(&m);

  run_all(&m,
          BALLS("[0, 0, 0]") "runs: 2\nsweep: [{key: bodies.slab.velocity, values: [[0, 0, "
                             "0], [3, 0, 0]]}]\n",
          NULL, (pc_runs_options){.threads = 2});
  expect_run(m.runs, 0, BALLS("[0, 0, 0]"));
  expect_run(m.runs, 1, BALLS("[0, 0, 0]") "seed: 2\n");
  expect_run(m.runs, 2, BALLS("[3, 0, 0]"));
  expect_run(m.runs, 3, BALLS("[3, 0, 0]") "seed: 2\n");
  assert_true(value_of(m.runs, 0, "dissipated") != value_of(m.runs, 1, "dissipated"));
  end(&m);
}

// The sensors of a block that slides: v falls by mu g h a step, from 3 m/s.
static void sensors_have_their_extremes(void **state)
{
  const char *text = "kind: rigid\nduration: 0.2\nstep: 2e-3\n"
                     "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: "
                     "0.5}}\n"
                     "obstacles: [{shape: {type: plane}}]\n"
                     "bodies: [{name: b, shape: {type: box, size: [1, 1, 0.1]}, position: [0, 0, "
                     "0.05], velocity: [3, 0, 0], no_rotation: true}]\n"
                     "sensors: [{name: v, kind: velocity, bodies: b, axis: [1, 0, 0]}]\nruns: 2\n";
  many m;
  run_all(&m, text, NULL, (pc_runs_options){.threads = 1});
  double lost = 0.5 * 9.81 * 2e-3;
  assert_near(value_of(m.runs, 1, "v/max"), 3 - lost, 1e-6);
  assert_near(value_of(m.runs, 1, "v/min"), 3 - 100 * lost, 1e-4);
  assert_near(value_of(m.runs, 1, "v/mean"), 3 - 50.5 * lost, 1e-4);
  end(&m);
}

// Times of exits of one run, by the public way.
static int exit_times(const char *text, int run, double *times)
{
  pc_scene scene = read_text(text, run);
  pc_run_options options = {0};
  pc_run_summary summary;
  int count = 0;
  assert_int_equal(pc_run_scene(&scene, &options, &summary, NULL), PC_OK);
  for (int i = 0; i < pc_crowd_people(scene.crowd); i++) {
    pc_person_state person;
    pc_crowd_person(scene.crowd, i, &person);
    int at = count;
    if (person.exit < 0)
      continue;
    for (; at > 0 && times[at - 1] > person.exit_time; at--)
      times[at] = times[at - 1];
    times[at] = person.exit_time;
    count++;
  }
  pc_scene_free(&scene);
  return count;
}

// With 4.6 s some rooms are empty and some are not.
static void runs_together_are_what_brute_force_says(void **state)
{
  static const char *const text =
      "kind: crowd\nduration: 4.6\nstep: 0.02\nwalking: {model: direct}\nroutes: {inset: "
      "0}\n" ROOM_FLOOR ROOM_PEOPLE("1.5") "runs: 6\n";
  many m;
  run_all(&m, text, NULL, (pc_runs_options){.threads = 2});
  double up = 0, down = 0, sum = 0, squares = 0, last = 0;
  int not_empty = 0, empty = 0;
  for (int run = 1; run <= 6; run++) {
    double times[20];
    int count = exit_times(text, run, times);
    not_empty += count < 9;
    double own_up = 0, own_down = 0;
    for (int k = 0; k < count; k++) {
      own_up += 60 * (k + 1) * times[k];
      own_down += times[k] * times[k];
    }
    up += own_up;
    down += own_down;
    sum += own_up / own_down;
    squares += own_up / own_down * own_up / own_down;
    if (count == 9) {
      last += times[8];
      empty++;
    }
    assert_near(value_of(m.runs, run - 1, "door/out"), count, 0);
  }
  if (not_empty == 0 || empty == 0)
    fail_msg("%d rooms are empty, %d are not", empty, not_empty);
  pc_runs_statistics s = pc_runs_statistics_of(m.runs, 0, column_of(m.runs, "door/flow_origin"));
  assert_near(s.pooled, up / down, 1e-9);
  assert_near(s.mean, sum / 6, 1e-9);
  assert_near(s.deviation, sqrt((squares - sum * sum / 6) / 5), 1e-6);
  s = pc_runs_statistics_of(m.runs, 0, column_of(m.runs, "not_empty"));
  assert_near(s.pooled, not_empty, 0);
  s = pc_runs_statistics_of(m.runs, 0, column_of(m.runs, "evacuation"));
  assert_int_equal(s.missing, not_empty);
  assert_int_equal(s.runs, empty);
  assert_near(s.mean, last / empty, 1e-9);
  s = pc_runs_statistics_of(m.runs, 0, column_of(m.runs, "time"));
  assert_true(isnan(s.pooled));
  end(&m);
}

// Where runs measure different things the table has all of them, and gaps.
static void columns_are_those_of_all_runs(void **state)
{
  many m;
  run_all(&m,
          ROOM "runs: 2\nsweep: [{key: exits, values: [[{name: door, line: [[4, 1.5], [4, 2.5]]}], "
               "[{name: gate, line: [[4, 1.5], [4, 2.5]]}, {name: door, line: [[2, 0.5], [2, "
               "3.5]]}]]}]\n",
          "gaps.h5", (pc_runs_options){.threads = 2});
  int door = column_of(m.runs, "door/out"), gate = column_of(m.runs, "gate/out");
  assert_true(door < gate); // the first run has no gate
  for (int i = 0; i < 4; i++)
    assert_int_equal(isnan(pc_runs_value(m.runs, i, gate)), i < 2);
  pc_runs_statistics s = pc_runs_statistics_of(m.runs, 0, gate);
  assert_int_equal(s.runs, 0);
  assert_int_equal(s.missing, 2);
  s = pc_runs_statistics_of(m.runs, 1, gate);
  assert_int_equal(s.runs, 2);
  end(&m);
}

static void threads_change_nothing(void **state)
{
  many m;
  static const int threads[] = {1, 2, 5, 40};
  for (int i = 0; i < 4; i++) {
    char name[20], other[40];
    snprintf(name, sizeof name, "t%d.h5", i);
    run_all(&m, ROOM ROOM_SWEEP, name, (pc_runs_options){.threads = threads[i]});
    end(&m);
    snprintf(other, sizeof other, "t%d-runs.csv", i);
    assert_same_files("t0-runs.csv", other);
    snprintf(other, sizeof other, "t%d-summary.csv", i);
    assert_same_files("t0-summary.csv", other);
  }
  char *table = text_of(in_folder("t0-runs.csv"));
  const char *head = "run,seed,people.guest.speed,contact.treatment,status,time,steps,";
  assert_int_equal(strncmp(table, head, strlen(head)), 0);
  assert_non_null(strstr(table, "\n12,9,\"{uniform: [1, 2]}\",dem,finished,"));
  free(table);
}

static void stopped_runs_go_on_as_if_nothing_had_been(void **state)
{
  static const char *const text = "kind: crowd\nbase: room.yaml\n" ROOM_SWEEP;
  many m;
  write_file("room.yaml", ROOM);
  run_all(&m, text, "whole.h5", (pc_runs_options){.threads = 2});
  end(&m);
  int total = 0, stops = 0;
  for (bool resume = false; total < 12; resume = true) {
    stopper stop = {.after = total + 2};
    run_all(&m, text, "parts.h5",
            (pc_runs_options){
                .threads = 2, .resume = resume, .listener = stop_after, .context = &stop});
    assert_true(stop.heard > 0);
    assert_int_equal(stop.first, total);
    assert_false(pc_runs_anew(m.runs));
    char *table = text_of(in_folder("parts-summary.csv")); // of those that are finished
    assert_non_null(strstr(table, "quantity,unit,runs,mean,"));
    free(table);
    int now = pc_runs_count(m.runs, PC_MEMBER_FINISHED);
    assert_true(now >= total);
    total = now;
    end(&m);
    if (++stops > 1000)
      fail_msg("it never ends");
  }
  assert_same_files("whole-runs.csv", "parts-runs.csv");
  assert_same_files("whole-summary.csv", "parts-summary.csv");
  // Once more: nothing is left to do. A run that were done again would look for the room.
  stopper once = {.after = 1000, .gone = "room.yaml"};
  run_all(
      &m, text, "parts.h5",
      (pc_runs_options){.threads = 1, .resume = true, .listener = stop_after, .context = &once});
  assert_int_equal(once.first, 12);
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 12);
  end(&m);
  assert_same_files("whole-runs.csv", "parts-runs.csv");
  assert_same_files("whole-summary.csv", "parts-summary.csv");
}

static void expect_refusal(const char *text, const pc_runs_options *options, const char *complaint)
{
  many m;
  begin(&m, text);
  pc_error error = {.text = ""};
  assert_int_equal(pc_runs_run(m.runs, options, &error), PC_ERROR_INPUT);
  if (strstr(error.text, complaint) == NULL)
    fail_msg("%s", error.text);
  end(&m);
}

static void only_the_same_runs_are_resumed(void **state)
{
  many m;
  char path[120];
  run_all(&m, ROOM "runs: 2\n", "own.h5", (pc_runs_options){.threads = 1});
  end(&m);
  strcpy(path, in_folder("own.h5"));
  pc_runs_options options = {.output = path, .resume = true, .threads = 1};
  expect_refusal(ROOM "runs: 3\n", &options, ".checkpoint belongs to another scene: ");
  expect_refusal(ROOM "runs: 3\n", &options, ": 'runs' is 3, it was started with 2");
  options.duration = 2;
  expect_refusal(ROOM "runs: 2\n", &options, "'duration' is 2, it was started with ");
  options.duration = 0;
  char *bytes = text_of(in_folder("own-summary.csv"));
  free(bytes);
  char checkpoint[120];
  strcpy(checkpoint, in_folder("own-runs.checkpoint"));
  FILE *file = fopen(checkpoint, "r+b");
  assert_non_null(file);
  fseek(file, 300, SEEK_SET);
  fputc('x', file);
  fclose(file);
  expect_refusal(ROOM "runs: 2\n", &options, "own-runs.checkpoint");
  unlink(checkpoint);
  expect_refusal(ROOM "runs: 2\n", &options, "has no checkpoint to resume from; start without");
  // What values name belongs to the scene, that of the second run too.
  const char head[] = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n";
  const char *sweep = BALLS("[0, 0, 0]") "sweep: [{key: start, values: [one.csv, two.csv]}]\n";
  write_file("one.csv", head);
  write_file("two.csv", head);
  options = (pc_runs_options){.threads = 1};
  run_all(&m, sweep, "own.h5", options);
  end(&m);
  write_file("two.csv", "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n\n");
  strcpy(path, in_folder("own.h5"));
  options = (pc_runs_options){.output = path, .resume = true, .threads = 1};
  expect_refusal(sweep, &options, "'checksum of two.csv' is ");
  // A table must not replace the scene.
  strcpy(path, in_folder("scene.yaml"));
  write_file("like-runs.csv", ROOM);
  strcpy(scene_path, in_folder("like-runs.csv"));
  strcpy(path, in_folder("like.h5"));
  options.resume = false;
  expect_refusal(ROOM "runs: 2\n", &options, "', which the scene reads; choose another output");
  strcpy(scene_path, in_folder("scene.yaml"));
}

#define PUSHED(force) BALLS("[0, 0, 0]") "forces: [{bodies: slab, force: [" force ", 0, 0]}]\n"

// The second of three values pushes the slab so hard that its energy is no number.
static void a_run_that_fails_does_not_lose_the_others(void **state)
{
  static const char *const text =
      PUSHED("0") "runs: 2\nsweep: [{key: forces.0.force.0, values: [0, 1e300, 1]}]\n";
  many m;
  run_all(&m, text, "fails.h5", (pc_runs_options){.threads = 2});
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 4);
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FAILED), 2);
  for (int i = 0; i < 6; i++) {
    pc_member member = pc_runs_member(m.runs, i);
    bool bad = i == 2 || i == 3;
    assert_int_equal(member.state, bad ? PC_MEMBER_FAILED : PC_MEMBER_FINISHED);
    assert_int_equal(member.seed, 1 + i % 2);
    assert_true(bad == (member.error != NULL));
    assert_true(bad == isnan(value_of(m.runs, i, "kinetic")));
  }
  if (strncmp(pc_runs_member(m.runs, 2).error, "at 0", 4) != 0)
    fail_msg("%s", pc_runs_member(m.runs, 2).error);
  expect_run(m.runs, 5, PUSHED("1") "seed: 2\n");
  pc_runs_statistics s = pc_runs_statistics_of(m.runs, 1, column_of(m.runs, "kinetic"));
  assert_int_equal(s.runs, 0);
  assert_true(isnan(s.mean));
  end(&m);
  char *table = text_of(in_folder("fails-runs.csv"));
  assert_non_null(strstr(table, "\n3,1,1e300,failed,"));
  free(table);
  // And again.
  stopper stop = {.after = 1000};
  run_all(
      &m, text, "fails.h5",
      (pc_runs_options){.threads = 2, .resume = true, .listener = stop_after, .context = &stop});
  assert_int_equal(stop.first, 4);
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 4);
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FAILED), 2);
  end(&m);
}

// Whatever is done once the base is gone fails for that reason: those that had failed for another
// one, and no other.
static void only_what_failed_is_tried_again(void **state)
{
  static const char *const text = "kind: rigid\nbase: pushed.yaml\nruns: 2\n"
                                  "sweep: [{key: forces.0.force.0, values: [1e300, 0, 1]}]\n";
  many m;
  write_file("pushed.yaml", PUSHED("0"));
  run_all(&m, text, "again.h5", (pc_runs_options){.threads = 2});
  for (int i = 0; i < 2; i++)
    assert_int_equal(strncmp(pc_runs_member(m.runs, i).error, "at 0", 4), 0);
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 4);
  end(&m);
  stopper stop = {.after = 1000, .gone = "pushed.yaml"};
  run_all(
      &m, text, "again.h5",
      (pc_runs_options){.threads = 2, .resume = true, .listener = stop_after, .context = &stop});
  assert_int_equal(stop.first, 4);
  for (int i = 0; i < 6; i++) {
    pc_member member = pc_runs_member(m.runs, i);
    assert_int_equal(member.state, i < 2 ? PC_MEMBER_FAILED : PC_MEMBER_FINISHED);
    if (i < 2 && strstr(member.error, "pushed.yaml") == NULL)
      fail_msg("%s", member.error);
  }
  end(&m);
}

// Removes the lock of the runs; another program then takes the name.
static bool lose_lock(void *context, const pc_runs_progress *p)
{
  char lock[120];
  int *other = context;
  strcpy(lock, in_folder("lost-runs.lock"));
  if (*other < 0 && unlink(lock) == 0)
    assert_int_equal(pc_lock_hold(lock, other, NULL), PC_OK);
  return true;
}

static void runs_that_have_lost_their_name_say_so(void **state)
{
  many m;
  int other = -1;
  char output[120], lock[120];
  strcpy(output, in_folder("lost.h5"));
  strcpy(lock, in_folder("lost-runs.lock"));
  pc_error error = {.text = ""};
  pc_runs_options options = {.output = output, .listener = lose_lock, .context = &other};
  begin(&m, ROOM ROOM_SWEEP);
  assert_int_equal(pc_runs_run(m.runs, &options, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "lost-runs.lock: removed or replaced"));
  end(&m);
  assert_int_equal(access(lock, F_OK), 0); // it is the other's
  pc_lock_release(lock, other);
  assert_int_not_equal(access(lock, F_OK), 0);
}

static void positions_of(const char *path, double *position, long size)
{
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  long frames = pc_reading_frames(reading, "frames"), sizes[4];
  assert_int_equal(pc_reading_complete(reading), 1);
  assert_int_equal(pc_reading_size(reading, "frames/position", sizes), 3);
  assert_true(sizes[1] * 3 <= size);
  assert_int_equal(pc_reading_rows(reading, "frames/position", frames - 1, 1, PC_RECORD_DOUBLE,
                                   position, &error),
                   PC_OK);
  pc_reading_close(reading);
}

static void kept_runs_are_records_like_others(void **state)
{
  static const char *const text = BALLS("[0, 0, 0]") "runs: 3\n";
  many m;
  char path[120];
  double kept[60] = {0}, alone[60] = {0};
  // Stopped in the middle, then to the end.
  stopper stop = {.after = 1};
  run_all(&m, text, "kept.h5",
          (pc_runs_options){.threads = 2, .keep = true, .listener = stop_after, .context = &stop});
  end(&m);
  static const char *const records[] = {"kept-0001.h5", "kept-0002.h5", "kept-0003.h5"};
  int64_t before[3] = {0}, after;
  int begun = 0;
  for (int i = 0; i < 3; i++)
    begun += identity_of(in_folder(records[i]), &before[i]);
  assert_true(begun > 0);
  run_all(&m, text, "kept.h5", (pc_runs_options){.threads = 2, .keep = true, .resume = true});
  for (int i = 0; i < 3; i++) // what was begun went on
    assert_true(identity_of(in_folder(records[i]), &after) &&
                (before[i] == 0 || after == before[i]));
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 3);
  expect_run(m.runs, 2, BALLS("[0, 0, 0]") "seed: 3\n");
  end(&m);
  pc_scene scene = read_text(text, 3);
  pc_run_summary summary;
  strcpy(path, in_folder("alone.h5"));
  pc_run_options options = {.output = path};
  assert_int_equal(pc_run_scene(&scene, &options, &summary, NULL), PC_OK);
  pc_scene_free(&scene);
  positions_of(path, alone, 60);
  strcpy(path, in_folder("kept-0003.h5"));
  positions_of(path, kept, 60);
  assert_memory_equal(kept, alone, sizeof kept);
  pc_reading *reading = pc_reading_open(path, NULL);
  char *changes = pc_reading_text(reading, "scene/changes", NULL);
  assert_string_equal(changes, "seed: 3\n");
  free(changes);
  pc_reading_close(reading);
}

// A folder is in the way of one record. When it is gone that run is done, and the others are not.
static void a_record_that_could_not_be_written_is_written_later(void **state)
{
  static const char *const text = BALLS("[0, 0, 0]") "runs: 3\n";
  static const char *const finished[] = {"way-0001.h5", "way-0003.h5"};
  many m;
  struct stat before[2], after;
  assert_int_equal(mkdir(in_folder("way-0002.h5"), 0777), 0);
  run_all(&m, text, "way.h5", (pc_runs_options){.threads = 2, .keep = true});
  for (int i = 0; i < 3; i++)
    assert_int_equal(pc_runs_member(m.runs, i).state,
                     i == 1 ? PC_MEMBER_FAILED : PC_MEMBER_FINISHED);
  if (strstr(pc_runs_member(m.runs, 1).error, "way-0002.h5") == NULL)
    fail_msg("%s", pc_runs_member(m.runs, 1).error);
  end(&m);
  for (int i = 0; i < 2; i++)
    assert_int_equal(stat(in_folder(finished[i]), &before[i]), 0);
  assert_int_equal(rmdir(in_folder("way-0002.h5")), 0);
  run_all(&m, text, "way.h5", (pc_runs_options){.threads = 2, .keep = true, .resume = true});
  assert_int_equal(pc_runs_count(m.runs, PC_MEMBER_FINISHED), 3);
  expect_run(m.runs, 1, BALLS("[0, 0, 0]") "seed: 2\n");
  end(&m);
  double position[60];
  positions_of(in_folder("way-0002.h5"), position, 60);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(stat(in_folder(finished[i]), &after), 0);
    assert_true(after.st_ino == before[i].st_ino &&
                after.st_mtim.tv_sec == before[i].st_mtim.tv_sec &&
                after.st_mtim.tv_nsec == before[i].st_mtim.tv_nsec);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statistics_are_those_of_the_textbook),
      cmocka_unit_test(values_and_seeds_arrive_in_the_scene),
      cmocka_unit_test(paths_lead_everywhere),
      cmocka_unit_test(what_is_wrong_is_said_where_it_is_written),
      cmocka_unit_test(garbled_sweeps_are_refused),
      cmocka_unit_test(a_bad_value_stops_all_runs_before_they_start),
      cmocka_unit_test(every_run_is_what_it_is_alone),
      cmocka_unit_test(sensors_have_their_extremes),
      cmocka_unit_test(runs_together_are_what_brute_force_says),
      cmocka_unit_test(columns_are_those_of_all_runs),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(stopped_runs_go_on_as_if_nothing_had_been),
      cmocka_unit_test(only_the_same_runs_are_resumed),
      cmocka_unit_test(a_run_that_fails_does_not_lose_the_others),
      cmocka_unit_test(only_what_failed_is_tried_again),
      cmocka_unit_test(runs_that_have_lost_their_name_say_so),
      cmocka_unit_test(kept_runs_are_records_like_others),
      cmocka_unit_test(a_record_that_could_not_be_written_is_written_later),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
