// Run a scene, record it, stop and resume
//
// A scene is what `percuss run` reads: a file, or a text. The record (RUN.h5, RUN.csv, ...) is for
// the viewer, ParaView and Python; a listener watches the run and may stop it. What was stopped
// goes on from its checkpoint.
//
// Prints: stopped after 50 steps; finished after 100 steps at 0.100 s
#include <percuss/percuss.h>
#include <stdio.h>

static const char text[] = "kind: rigid\n"
                           "duration: 0.1\n"
                           "step: 1e-3\n"
                           "obstacles: [{name: ground, shape: {type: plane}}]\n"
                           "bodies: [{name: stone, shape: {type: sphere, radius: 0.1},"
                           " position: [0, 0, 5], on: ground, velocity: [1, 0, 0]}]\n";

static bool stop_at_50(void *context, const pc_run_progress *progress)
{
  return progress->step < 50;
}

static bool run(bool resume, pc_run_listener *listener, pc_run_summary *summary)
{
  pc_scene scene;
  pc_error error;
  pc_run_options options = pc_run_options_default();
  options.output = "run-scene.h5"; // in the current folder
  options.resume = resume;
  options.listener = listener;
  if (pc_scene_parse("stone.yaml", text, &scene, &error) != PC_OK ||
      pc_run_scene(&scene, &options, summary, &error) != PC_OK) {
    fprintf(stderr, "%s\n", error.text);
    return false;
  }
  pc_scene_free(&scene);
  return true;
}

int main(void)
{
  pc_run_summary summary;
  if (!run(false, stop_at_50, &summary) || summary.finished)
    return 1;
  printf("stopped after %ld steps; ", summary.steps);
  if (!run(true, NULL, &summary) || !summary.finished)
    return 1;
  printf("finished after %ld steps at %.3f s\n", summary.steps, summary.time);
  return 0;
}
