// Chains that are run: recorded, stopped, resumed, swept.
#include <unistd.h>

#include "percuss/percuss.h"
#include "trial.h"

enum { BALLS = 6, CONTACTS = 5 };

static const char STEEL[] = "kind: chain\n"
                            "balls: {count: 6, radius: 0.01, density: 7780}\n"
                            "velocity: 1\n"
                            "law: {kind: hertz}\n"
                            "contacts: {young: 203e9, restitution: 0.9}\n"
                            "step: 1e-6\n";

static bool stop_at_half(void *context, const pc_run_progress *progress)
{
  return progress->step < progress->steps / 2;
}

// The last frame is the impact as it is solved; every frame keeps the momentum.
static void a_run_ends_where_the_impact_does(void **state)
{
  pc_run_summary summary;
  const char *path = in_folder("steel.h5");
  summary = run_text(STEEL, path, false, NULL);
  assert_true(summary.finished && summary.steps_open == 0 && summary.stored == 0);
  pc_scene scene = read_good(STEEL);
  double after[BALLS];
  pc_chain_answer answer = {.velocity = after};
  const pc_scene_chain *chain = scene.chain;
  assert_int_equal(pc_chain_solve(&chain->chain, &chain->law, NULL, &answer, NULL), PC_OK);
  assert_true(scene.duration > answer.duration && scene.duration < 4 * answer.duration);
  pc_reading *reading = pc_reading_open(path, NULL);
  long frames = pc_reading_frames(reading, "frames");
  assert_int_equal(frames, summary.steps + 1);
  double *velocity = calloc((size_t)frames * BALLS, sizeof *velocity);
  double *position = calloc((size_t)frames * BALLS * 3, sizeof *position);
  double *compression = calloc((size_t)frames * CONTACTS, sizeof *compression);
  read_array(reading, "frames/velocity", frames, velocity);
  read_array(reading, "frames/position", frames, position);
  read_array(reading, "frames/compression", frames, compression);
  for (int i = 0; i < BALLS; i++)
    assert_true(fabs(velocity[(frames - 1) * BALLS + i] - after[i]) < 1e-7);
  for (long f = 0; f < frames; f++) {
    double sum = 0;
    for (int i = 0; i < BALLS; i++)
      sum += velocity[f * BALLS + i];
    assert_true(fabs(sum - 1) < 1e-9);
    for (int i = 0; i < CONTACTS; i++) { // centres are 2 R less the compression apart
      double apart = position[3 * (f * BALLS + i + 1)] - position[3 * (f * BALLS + i)];
      assert_true(fabs(0.02 - apart - compression[f * CONTACTS + i]) < 1e-12);
    }
  }
  free(velocity);
  free(position);
  free(compression);
  pc_reading_close(reading);
  assert_true(fabs(summary.chain.measures.ker - answer.measures.ker) < 1e-7);
  assert_true(fabs(summary.chain.measures.cke - answer.measures.cke) < 1e-6);
  pc_scene_free(&scene);
}

static void a_stopped_run_goes_on_as_if_it_had_not(void **state)
{
  stop_and_go(STEEL, stop_at_half, 1, (const char *[]){".csv"});
}

// Figure 2.2 (a): C_KE,min of a tapered elastic chain of 7 is 0 at q = 0.26197 and 0.380 at 0.4.
static void bounds_are_swept(void **state)
{
  pc_scene scene = read_good(
      "kind: chain\nballs: {count: 7, mass: 1, taper: 0}\nvelocity: 1\nlaw: {kind: newton}\n"
      "bounds: true\nduration: 0.1\nstep: 0.1\n"
      "sweep: [{key: balls.taper, values: [0.26197, 0.4]}]\n");
  pc_error error = {.text = ""};
  pc_runs *runs = pc_runs_create(&scene, &error);
  assert_non_null(runs);
  assert_int_equal(pc_runs_run(runs, &(pc_runs_options){.threads = 2}, &error), PC_OK);
  assert_int_equal(pc_runs_count(runs, PC_MEMBER_FINISHED), 2);
  assert_near(value_of(runs, 0, "cke_min"), 0, 5e-3);
  assert_near(value_of(runs, 1, "cke_min"), 0.380, 1e-3);
  pc_runs_destroy(runs);
  pc_scene_free(&scene);
}

static void a_law_without_end_fails_with_its_reason(void **state)
{
  pc_scene scene = read_good("kind: chain\nballs: {masses: [1, 1, 1]}\nvelocity: 1\n"
                             "law: {kind: matrix, matrix: [[-1, 0], [0, -1]]}\n");
  pc_run_summary summary;
  pc_error error = {.text = ""};
  assert_int_equal(pc_run_scene(&scene, &(pc_run_options){0}, &summary, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "impacts at one instant: the law '"));
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_ends_where_the_impact_does),
      cmocka_unit_test(a_stopped_run_goes_on_as_if_it_had_not),
      cmocka_unit_test(bounds_are_swept),
      cmocka_unit_test(a_law_without_end_fails_with_its_reason),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
