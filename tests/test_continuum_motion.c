// Continuum files with a duration: what is said of wrong ones, and their runs: recorded, resumed,
// swept.
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "percuss/percuss.h"
#include "record/record.h"
#include "scene/continuum.h"
#include "support.h"

static const char *in_folder(const char *name)
{
  static char path[4][200];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  if (pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error) != PC_OK)
    fail_msg("refused: %s", error.text);
  return scene;
}

// c = 1, length 1, 0.1 above the ground.
#define ROD                                                                                        \
  "kind: continuum\n"                                                                              \
  "mesh: {lines: [{name: rod, from: 0.1, to: 1.1, cells: 64, left: foot}], order: 1}\n"
#define SPRINGS "media: {rod: {density: 1, young: 1, velocity: [-1]}}\n"
#define LANDS "contacts: [{sides: foot}]\n"
#define TIMES "duration: 3\nstep: 0.005\n"

static void mistakes_are_named_with_their_line(void **state)
{
  static const struct {
    const char *text, *complaint;
  } cases[] = {
      {ROD SPRINGS LANDS "duration: 3\n", "needs the key 'step'"},
      {ROD SPRINGS LANDS "gravity: [-9.81]\n", "scene.yaml:5: 'gravity' is of a motion"},
      {ROD SPRINGS LANDS TIMES "gravity: [0, -9.81]\n", "2 numbers, but the mesh has 1 dimension"},
      {ROD "media: {rod: {density: 1, velocity: [-1]}}\n" LANDS TIMES,
       "scene.yaml:3: with a 'duration' a medium needs the key 'young'"},
      {ROD SPRINGS LANDS TIMES "pushes: [{sides: foot, percussion: [1]}]\n",
       "scene.yaml:7: with a 'duration' there are no percussions"},
      {ROD SPRINGS "contacts: [{sides: foot, condition: bilateral}]\n" TIMES,
       "scene.yaml:4: with a 'duration' contacts are unilateral"},
      {ROD SPRINGS "contacts: [{sides: foot, ground: {offset: 0.2}}]\n" TIMES,
       "scene.yaml:4: 'foot' begins inside the ground, by 0.1 m"},
      {ROD SPRINGS LANDS TIMES "hold: [{sides: foot, velocity: kept}]\n", "what is held rests"},
      {"kind: continuum\nmesh:\n  bars: [{name: rod, length: 1, width: 0.1, cells: [4, "
       "5]}]\n" SPRINGS LANDS,
       "scene.yaml:3: 5 elements across a bar are no multiple of 4"},
      {"kind: continuum\nmesh:\n  bars: [{name: rod, length: 1, width: 2, cells: [4, 4]}]\n" SPRINGS
           LANDS,
       "scene.yaml:3: a bar of 1 m is not as wide as 2 m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    pc_status status = pc_scene_parse(in_folder("scene.yaml"), cases[i].text, &scene, &error);
    if (status != PC_ERROR_INPUT || strstr(error.text, cases[i].complaint) == NULL)
      fail_msg("case %zu: '%s' instead of '%s'", i, error.text, cases[i].complaint);
  }
}

static void one_collision_is_not_solved_of_a_motion(void **state)
{
  pc_scene scene = read_good(ROD SPRINGS LANDS TIMES);
  pc_continuum_answer answer;
  pc_error error = {.text = ""};
  assert_int_equal(pc_continuum_solve(scene.continuum, 0, &answer, &error), PC_ERROR_ARGUMENT);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

static bool stop_in_the_middle(void *context, const pc_run_progress *progress)
{
  return progress->step < 300;
}

static pc_run_summary run(const char *text, const char *output, bool resume,
                          pc_run_listener *listener)
{
  pc_scene scene = read_good(text);
  pc_run_summary summary;
  pc_error error = {.text = ""};
  pc_run_options options = {.output = output, .resume = resume, .listener = listener};
  if (pc_run_scene(&scene, &options, &summary, &error) != PC_OK)
    fail_msg("%s", error.text);
  pc_scene_free(&scene);
  return summary;
}

static char *text_of(const char *path)
{
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc((size_t)size + 1, 1);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

// Stopped while it rests on the ground.
static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  pc_run_summary whole = run(ROD SPRINGS LANDS TIMES, in_folder("whole.h5"), false, NULL);
  pc_run_summary first =
      run(ROD SPRINGS LANDS TIMES, in_folder("parts.h5"), false, stop_in_the_middle);
  assert_true(whole.finished && whole.steps == 600);
  assert_true(!first.finished && first.steps >= 20 && first.steps < 600);
  assert_int_equal(whole.steps_open, 0);
  assert_true(whole.drift < 1e-12);
  assert_true(run(ROD SPRINGS LANDS TIMES, in_folder("parts.h5"), true, NULL).finished);
  static const char *const ends[] = {".csv", "-collisions.csv"};
  for (int i = 0; i < 2; i++) {
    char name[2][40];
    snprintf(name[0], sizeof name[0], "whole%s", ends[i]);
    snprintf(name[1], sizeof name[1], "parts%s", ends[i]);
    char *one = text_of(in_folder(name[0])), *two = text_of(in_folder(name[1]));
    assert_string_equal(one, two);
    free(one);
    free(two);
  }
}

// The foot stands on the ground while the wave is under way, from 0.1 to 2.1 s.
static void a_record_has_the_nodes_in_time(void **state)
{
  run(ROD SPRINGS LANDS TIMES "output: {every: 0.5}\n", in_folder("record.h5"), false, NULL);
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder("record.h5"), &error);
  assert_non_null(reading);
  double moved[7 * 65 * 2];
  if (pc_reading_rows(reading, "frames/displacement", 0, 7, PC_RECORD_DOUBLE, moved, &error) !=
      PC_OK)
    fail_msg("%s", error.text);
  for (int f = 0; f < 7; f++) {
    double foot = moved[f * 130];
    assert_near(moved[f * 130 + 1], 0, 0);
    if (f > 0 && f < 5)
      assert_near(foot, -0.1, 1e-5);
    else if (f == 6)
      assert_true(foot > 0.5);
  }
  pc_reading_close(reading);
}

static double value_of(const pc_runs *runs, int run, const char *name)
{
  for (int c = 0; c < pc_runs_columns(runs); c++)
    if (strcmp(pc_runs_column_of(runs, c).name, name) == 0)
      return pc_runs_value(runs, run, c);
  fail_msg("no column %s", name);
  return NAN;
}

// A solid that turns would grow: the strains are those of small rotations.
static void a_run_ends_when_a_solid_has_turned_far(void **state)
{
  pc_error error = {.text = ""};
  pc_run_summary summary;
  pc_scene scene =
      read_good("kind: continuum\nmesh: {rectangles: [{name: a, x: [0, 1], y: [0, 0.2], cells: [4, "
                "1], sides: "
                "{bottom: b}}]}\nmedia: {a: {density: 2000, young: 1e8, spin: 3}}\n"
                "contacts: [{sides: b, ground: {offset: -5}}]\nduration: 1\nstep: 1e-2\n");
  assert_int_equal(pc_run_scene(&scene, &(pc_run_options){0}, &summary, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "rotations are small here, up to 0.2 rad"));
  assert_near(summary.time, 0.06, 0.011);
  pc_scene_free(&scene);
}

static void speeds_are_swept(void **state)
{
  pc_error error = {.text = ""};
  pc_scene scene = read_good(ROD SPRINGS LANDS TIMES
                             "sweep: [{key: media.rod.velocity, values: [[-1], [-2]]}]\n");
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_int_equal(pc_runs_run(runs, &(pc_runs_options){.threads = 2}, &error), PC_OK);
  for (int i = 0; i < 2; i++) {
    assert_near(value_of(runs, i, "foot/collisions"), 1, 0);
    assert_near(value_of(runs, i, "foot/resultant"), 2 * (i + 1), 0.04);
  }
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(one_collision_is_not_solved_of_a_motion),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(a_record_has_the_nodes_in_time),
      cmocka_unit_test(a_run_ends_when_a_solid_has_turned_far),
      cmocka_unit_test(speeds_are_swept),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
