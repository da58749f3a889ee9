// What a run that is resumed may have been asked otherwise: comments, titles, views, a longer
// duration; what is said of everything else; and runs that go on without a record.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "core/array.h"
#include "percuss/run.h"
#include "percuss/runs.h"
#include "run_files.h"
#include "same.h"

static long first_heard; // step of the last run

static bool stop_at(void *context, const pc_run_progress *progress)
{
  first_heard = first_heard < 0 ? progress->step : first_heard;
  return progress->step < *(const long *)context;
}

static pc_status run_to(const char *output, bool resume, long stop, pc_run_summary *summary,
                        pc_error *error)
{
  pc_scene scene = read_scene();
  pc_run_options options = {
      .output = output, .resume = resume, .listener = stop_at, .context = &stop};
  first_heard = -1;
  pc_status status = pc_run_scene(&scene, &options, summary, error);
  pc_scene_free(&scene);
  return status;
}

static void run_good(const char *output, bool resume, long stop, pc_run_summary *summary)
{
  pc_error error = {.text = ""};
  assert_ok(run_to(output, resume, stop, summary, &error), &error);
}

static void compare_runs(void)
{
  char why[SAME_WHY];
  if (same_datasets(path_a, path_b, false, why) < 0 ||
      !same_bytes(in_folder("a.csv"), in_folder("b.csv"), why))
    fail_msg("%s", why);
}

static bool is_finished(const char *output)
{
  pc_scene scene = read_scene();
  pc_run_options options = {.output = output};
  bool finished = pc_run_is_finished(&scene, &options);
  pc_scene_free(&scene);
  return finished;
}

static pc_run_found find(const char *output, double *time)
{
  pc_scene scene = read_scene();
  pc_run_options options = {.output = output};
  pc_run_found found = pc_run_find(&scene, &options, time);
  pc_scene_free(&scene);
  return found;
}

#define BALL(head, tail)                                                                           \
  head "kind: rigid\nstep: 1e-3\n"                                                                 \
       "bodies: [{name: b, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], mass: 1}]\n"   \
       "obstacles: [{name: floor, shape: {type: plane}}]\n" tail

// What changes no result may change while a run is stopped: the result is that of the scene as it
// is when the run ends, as if it had never been another one.
static void a_stopped_run_goes_on_with_other_words(void **state)
{
  static const char *const scenes[] = {
      BALL("duration: 0.1\n", ""),
      BALL("# a comment\n\nduration: 0.1 # s\n", "\n"),
      BALL("title: a ball\nsource: nobody\nduration: 0.1\n",
           "views: {side: {camera: [3, 0, 1], look_at: b}}\n"),
      BALL("duration: 0.15\ntitle: for longer\n",
           "solver: {threads: 2}\noutput: {checkpoint: 5}\n"),
      BALL("duration: 0.15\n", "curves: [{name: fall, quantities: kinetic_translation}]\n"),
  };
  pc_run_summary summary;
  double time;
  for (int from = 0; from < PC_COUNT(scenes); from++)
    for (int to = 0; to < PC_COUNT(scenes); to++) {
      write_file("scene.yaml", scenes[to]);
      run_good(path_a, false, 1000000, &summary);
      write_file("scene.yaml", scenes[from]);
      run_good(path_b, false, 40, &summary);
      write_file("scene.yaml", scenes[to]);
      assert_int_equal(find(path_b, &time), PC_FOUND_STOPPED);
      assert_near(time, 0.04, 1e-12);
      run_good(path_b, true, 70, &summary); // and is stopped with the new words
      assert_int_equal(first_heard, 40);
      run_good(path_b, true, 1000000, &summary);
      assert_int_equal(first_heard, 70);
      compare_runs();
      assert_int_equal(find(path_b, &time), PC_FOUND_FINISHED);
    }
}

// The record of a finished run gets the new title and views without a step.
static void a_finished_run_gets_other_words(void **state)
{
  static const char old[] = BALL("duration: 0.05\n", "views: {top: {look_at: b}}\n");
  static const char new[] = BALL("title: a ball\nduration: 0.05\n", "");
  static const char longer[] = BALL("title: a ball\nduration: 0.06\n", "");
  pc_run_summary summary;
  double time;
  write_file("scene.yaml", new);
  run_good(path_a, false, 1000000, &summary);
  write_file("scene.yaml", old);
  run_good(path_b, false, 1000000, &summary);
  assert_int_equal(find(path_b, &time), PC_FOUND_FINISHED);
  write_file("scene.yaml", new);
  assert_int_equal(find(path_b, &time), PC_FOUND_ENDED);
  assert_true(is_finished(path_b));
  run_good(path_b, true, 1000000, &summary);
  assert_true(summary.finished && first_heard == 50);
  compare_runs();
  assert_int_equal(find(path_b, &time), PC_FOUND_FINISHED);
  // A longer or a shorter one is not what it is.
  write_file("scene.yaml", longer);
  assert_int_equal(find(path_b, &time), PC_FOUND_STOPPED);
  assert_near(time, 0.05, 1e-12);
  run_good(path_b, true, 1000000, &summary);
  write_file("scene.yaml", new);
  assert_int_equal(find(path_b, &time), PC_FOUND_STOPPED);
  assert_near(time, 0.06, 1e-12);
  write_file("scene.yaml", BALL("duration: 0.05\n", "gravity: [0, 0, -1]\n"));
  assert_int_equal(find(path_b, &time), PC_FOUND_OTHER);
}

static void what_differs_is_named_with_its_line(void **state)
{
  static const char start[] = BALL("duration: 0.1\n", "");
  const struct {
    const char *text, *says;
  } other[] = {
      {BALL("\n\nduration: 0.1\ngravity: [0, 0, -1]\n", ""),
       "scene.yaml:4: 'gravity' is a list, it was started without it"},
      {"duration: 0.1\nkind: rigid\nstep: 0.5e-3\n"
       "bodies: [{name: b, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], mass: 1}]\n"
       "obstacles: [{name: floor, shape: {type: plane}}]\n",
       "scene.yaml:3: 'step' is 0.5e-3, it was started with 1e-3"},
      {"duration: 0.1\nkind: rigid\nstep: 1e-3\n"
       "bodies:\n  - name: b\n    shape: {type: sphere, radius: 0.1}\n    position: [0, 0, 1.5]\n"
       "    mass: 1\n"
       "obstacles: [{name: floor, shape: {type: plane}}]\n",
       "scene.yaml:7: 'bodies.0.position.2' is 1.5, it was started with 1"},
      {"duration: 0.1\nkind: rigid\nstep: 1e-3\n"
       "bodies: [{name: b, shape: {type: sphere, radius: 0.1}, position: [0, 0, 1], mass: 1}]\n",
       "'obstacles' is missing, it was started with a list"},
      {BALL("duration: 0.1\n", "output: {every: 0.01}\n"),
       "scene.yaml:6: 'output' is a mapping, it was started without it"},
  };
  pc_run_summary summary;
  pc_error error = {.text = ""};
  write_file("scene.yaml", start);
  run_good(path_b, false, 40, &summary);
  for (int i = 0; i < PC_COUNT(other); i++) {
    write_file("scene.yaml", other[i].text);
    assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
    assert_says(error.text, "b.h5.checkpoint belongs to another scene: ");
    assert_says(error.text, other[i].says);
  }
  // Of a base too, and of the files that are read.
  static const char head[] = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n";
  static const char based[] = "kind: rigid\nbase: base.yaml\n# here\nduration: 0.1\n"
                              "start: start.csv\n";
  write_file("base.yaml", BALL("# there\nduration: 1\n", ""));
  write_file("start.csv", head);
  write_file("scene.yaml", based);
  run_good(path_b, false, 40, &summary);
  write_file("base.yaml", BALL("duration: 2\n# elsewhere\n\n", ""));
  run_good(path_b, true, 60, &summary);
  assert_int_equal(first_heard, 40);
  write_file("base.yaml", BALL("duration: 1\n\n", "gravity: [0, 0, -2]\n"));
  assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
  assert_says(error.text, "base.yaml:7: 'gravity' is a list, it was started without it");
  write_file("base.yaml", BALL("duration: 1\n", ""));
  write_file("start.csv", "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n\n");
  assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
  assert_says(error.text, "scene.yaml: 'checksum of start.csv' is ");
}

// Where the interval of frames follows from the duration, a longer run is another one.
static void a_duration_that_sets_the_frames_is_kept(void **state)
{
  static const char chain[] = "kind: chain\nballs: {masses: [1, 1, 1]}\nvelocity: 1\n"
                              "law: {kind: hertz}\ncontacts: {stiffness: 1e5}\nduration: %s\n";
  pc_run_summary summary;
  pc_error error = {.text = ""};
  char text[300];
  snprintf(text, sizeof text, chain, "0.01");
  write_file("scene.yaml", text);
  run_good(path_b, false, 40, &summary);
  snprintf(text, sizeof text, chain, "0.02");
  write_file("scene.yaml", text);
  assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
  assert_says(error.text, "'time step' is ");
}

// Runs of an ensemble have checkpoints without records: stopped in many places, of every kind of
// scene, they end in the same state with the same quantities, and leave nothing.
static void a_run_without_a_record_goes_on(void **state)
{
  static const char *const kinds[] = {"rigid", "crowd",     "chain",   "motion",
                                      "alloy", "collision", "systems", "flow"};
  for (int k = 0; k < PC_COUNT(kinds); k++) {
    pc_quantity *whole = NULL, *parts = NULL;
    pc_run_summary summary, last = {0};
    int count = 0, other = 0, stops = 0;
    char path[300], checkpoint[100];
    pc_error error = {.text = ""};
    snprintf(path, sizeof path, "%s/%s.yaml", TEST_SCENES, kinds[k]);
    strcpy(checkpoint, in_folder("m.checkpoint"));
    for (long stop = 100000000; !last.finished; stop = stop > 1000000 ? 1 : stop + 1 + stop / 4) {
      pc_scene scene;
      bool first = stop > 1000000;
      assert_ok(pc_scene_read(path, &scene, &error), &error);
      pc_run_options options = {.output = in_folder("m.h5"),
                                .checkpoint_only = true,
                                .resume = !first,
                                .listener = stop_at,
                                .context = &stop};
      first_heard = -1;
      assert_ok(pc_run_scene(&scene, &options, first ? &summary : &last, &error), &error);
      assert_int_equal(first ? summary.finished : last.finished, access(checkpoint, F_OK) != 0);
      if (first || last.finished)
        assert_ok(pc_run_measure(&scene, first ? &summary : &last, first ? &whole : &parts,
                                 first ? &count : &other, &error),
                  &error);
      if (!first && stops++ > 0)
        assert_true(first_heard > 0);
      pc_scene_free(&scene);
    }
    assert_true(last.state == summary.state && last.steps == summary.steps && count == other);
    for (int i = 0; i < count; i++)
      if (strcmp(whole[i].name, "wall") != 0)
        assert_memory_equal(&whole[i].value, &parts[i].value, sizeof whole[i].value);
    free(whole), free(parts);
  }
  assert_int_not_equal(access(in_folder("m.h5"), F_OK), 0);
  assert_int_not_equal(access(in_folder("m.csv"), F_OK), 0);
}

typedef struct part_heard {
  double first, stop;
} part_heard;

static bool stop_at_part(void *context, const pc_runs_progress *p)
{
  part_heard *own = context;
  own->first = p->part > own->first ? p->part : own->first;
  return p->part < own->stop;
}

static int members_there(void)
{
  int there = 0;
  for (int i = 1; i <= 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "many-000%d.checkpoint", i);
    there += access(in_folder(name), F_OK) == 0;
  }
  return there;
}

static void members_go_on_where_they_were(void **state)
{
  static const char text[] =
      BALL("duration: 20\nruns: 3\n", "generators:\n  - {type: random, name: g, count: 20, inside: "
                                      "{box: [[0, 0, 1.3], [1, 1, 3]]}, shape: {type: sphere, "
                                      "radius: 0.06}}\nmaterials: [{name: rock, density: 2000}]\n");
  double stops[] = {0.1, 0.2, 0.5, 2};
  pc_error error = {.text = ""};
  write_file("scene.yaml", text);
  for (int k = -1; k < PC_COUNT(stops); k++) {
    pc_scene scene = read_scene();
    part_heard heard = {0, k < 0 ? 2 : stops[k]};
    pc_runs_options options = {.output = in_folder(k < 0 ? "whole.h5" : "many.h5"),
                               .resume = k > 0,
                               .threads = 2,
                               .listener = stop_at_part,
                               .context = &heard};
    pc_runs *runs = pc_runs_create(&scene, &error);
    assert_non_null(runs);
    assert_ok(pc_runs_run(runs, &options, &error), &error);
    int finished = pc_runs_count(runs, PC_MEMBER_FINISHED);
    assert_int_equal(finished == 3, k < 0 || k == PC_COUNT(stops) - 1);
    assert_int_equal(members_there() > 0, k >= 0 && finished < 3);
    pc_runs_destroy(runs);
    pc_scene_free(&scene);
  }
  char why[SAME_WHY];
  for (int i = 0; i < 2; i++)
    if (!same_bytes(in_folder(i == 0 ? "whole-runs.csv" : "whole-summary.csv"),
                    in_folder(i == 0 ? "many-runs.csv" : "many-summary.csv"), why))
      fail_msg("%s", why);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stopped_run_goes_on_with_other_words),
      cmocka_unit_test(a_finished_run_gets_other_words),
      cmocka_unit_test(what_differs_is_named_with_its_line),
      cmocka_unit_test(a_duration_that_sets_the_frames_is_kept),
      cmocka_unit_test(a_run_without_a_record_goes_on),
      cmocka_unit_test(members_go_on_where_they_were),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
