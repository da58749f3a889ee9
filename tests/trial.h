// Scenes that are texts of a test: read, run and looked at.
#ifndef PERCUSS_TESTS_TRIAL_H
#define PERCUSS_TESTS_TRIAL_H

#include <string.h>

#include "folder.h"
#include "percuss/run.h"
#include "percuss/runs.h"
#include "percuss/scene.h"
#include "record/record.h"
#include "same.h"
#include "support.h"

// As if it were scene.yaml in the folder of the test.
static inline pc_status read_text(const char *text, pc_scene *scene, pc_error *error)
{
  *error = (pc_error){.text = ""};
  return pc_scene_parse(in_folder("scene.yaml"), text, scene, error);
}

static inline pc_scene read_good(const char *text)
{
  pc_scene scene;
  pc_error error;
  if (read_text(text, &scene, &error) != PC_OK)
    fail_msg("refused: %s", error.text);
  return scene;
}

// Notes the first step it hears, in a long that was negative.
static inline bool note_first(void *context, const pc_run_progress *progress)
{
  long *first = context;
  *first = *first < 0 ? progress->step : *first;
  return true;
}

static inline pc_run_summary run_heard(const char *text, const char *output, bool resume,
                                       pc_run_listener *listener, void *context)
{
  pc_scene scene = read_good(text);
  pc_error error = {.text = ""};
  pc_run_summary summary;
  pc_run_options options = {
      .output = output, .resume = resume, .listener = listener, .context = context};
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  pc_scene_free(&scene);
  return summary;
}

static inline pc_run_summary run_text(const char *text, const char *output, bool resume,
                                      pc_run_listener *listener)
{
  return run_heard(text, output, resume, listener, NULL);
}

// Runs a text in one go and stopped by the listener and resumed, twice at the end: it goes on where
// it was, in the record that it had; every dataset, the state and the files with these endings are
// the same. The summary of the run in one go.
static inline pc_run_summary stop_and_go(const char *text, pc_run_listener *listener, int count,
                                         const char *const *endings)
{
  char why[SAME_WHY], name[2][60];
  pc_run_summary whole = run_text(text, in_folder("whole.h5"), false, NULL);
  pc_run_summary parts = run_text(text, in_folder("parts.h5"), false, listener);
  assert_true(whole.finished && !parts.finished && parts.steps < whole.steps);
  int64_t before = 0, after = 0;
  assert_true(identity_of(in_folder("parts.h5"), &before));
  for (int i = 0; i < 2; i++) {
    long stopped = parts.steps, first = -1;
    parts = run_heard(text, in_folder("parts.h5"), true, note_first, &first);
    assert_false(parts.anew);
    assert_int_equal(first, stopped);
    assert_true(identity_of(in_folder("parts.h5"), &after) && after == before);
    assert_true(parts.finished && parts.steps == whole.steps && parts.state == whole.state);
  }
  if (same_runs(in_folder("whole.h5"), in_folder("parts.h5"), why) < 0)
    fail_msg("%s", why);
  for (int i = 0; i < count; i++) {
    snprintf(name[0], sizeof name[0], "whole%s", endings[i]);
    snprintf(name[1], sizeof name[1], "parts%s", endings[i]);
    if (!same_bytes(in_folder(name[0]), in_folder(name[1]), why))
      fail_msg("%s", why);
  }
  return whole;
}

static inline void read_array(pc_reading *reading, const char *name, long rows, double *out)
{
  if (pc_reading_rows(reading, name, 0, rows, PC_RECORD_DOUBLE, out, NULL) != PC_OK)
    fail_msg("no %s", name);
}

static inline double value_of(const pc_runs *runs, int run, const char *name)
{
  for (int c = 0; c < pc_runs_columns(runs); c++)
    if (strcmp(pc_runs_column_of(runs, c).name, name) == 0)
      return pc_runs_value(runs, run, c);
  fail_msg("no column %s", name);
  return NAN;
}

#endif
