// What a run that is resumed may have been asked otherwise: comments, titles, views, a longer
// duration; and what is said of everything else.
#include "support.h"

#include <string.h>

#include "core/array.h"
#include "folder.h"
#include "percuss/run.h"
#include "same.h"

static char path_a[80], path_b[80];

static int name_files(void **state)
{
  int result = make_folder(state);
  strcpy(path_a, in_folder("a.h5"));
  strcpy(path_b, in_folder("b.h5"));
  return result;
}

static pc_scene read_scene(void)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_read(in_folder("scene.yaml"), &scene, &error), &error);
  return scene;
}

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
  if (same_content(path_a, path_b, false, why) < 0 ||
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
  assert_int_equal(find(path_b, &time), PC_FOUND_NONE);
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stopped_run_goes_on_with_other_words),
      cmocka_unit_test(a_finished_run_gets_other_words),
      cmocka_unit_test(what_differs_is_named_with_its_line),
      cmocka_unit_test(a_duration_that_sets_the_frames_is_kept),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
