// Runs of scenes that are texts: whole, or up to a step and resumed.
#ifndef TESTS_SCENE_RUNS_H
#define TESTS_SCENE_RUNS_H

#include "folder.h"
#include "percuss/run.h"

static bool stop_at(void *context, const pc_run_progress *progress)
{
  return progress->step < *(const long *)context;
}

static pc_run_summary run_part(pc_scene *scene, const char *text, const char *output, bool resume,
                               long stop)
{
  pc_run_summary summary;
  pc_error error = {.text = ""};
  write_file("scene.yaml", text);
  assert_ok(pc_scene_read(in_folder("scene.yaml"), scene, &error), &error);
  pc_run_options options = {.output = output != NULL ? in_folder(output) : NULL,
                            .resume = resume,
                            .listener = stop_at,
                            .context = &stop};
  assert_ok(pc_run_scene(scene, &options, &summary, &error), &error);
  return summary;
}

static pc_scene run(const char *text)
{
  pc_scene scene;
  run_part(&scene, text, NULL, false, 100000000);
  return scene;
}

#endif
