// percuss bench gabion: the shock absorber of León's thesis (6.1): the time of its four impacts
// against Table 6.1.
#include <math.h>

#include "bench.h"
#include "percuss/run.h"

enum { IMPACTS = 4, STEPS = 100 }; // of each

// Table 6.1, s: CPU time of 100 steps each.
static const double published[IMPACTS] = {4527.525, 5718.016, 3435.088, 7768.229};

typedef struct watch {
  double began, seconds[IMPACTS];
  double detection[IMPACTS], solve[IMPACTS], contacts[IMPACTS], sweeps[IMPACTS], worst[IMPACTS];
  int above[IMPACTS]; // steps above the tolerance
} watch;

static bool look(void *context, const pc_run_progress *progress)
{
  watch *w = context;
  const pc_step_info *info = progress->info;
  if (progress->step == 0) {
    w->began = progress->elapsed_s;
    return true;
  }
  int k = (int)((progress->step - 1) / STEPS);
  if (k >= IMPACTS)
    return false;
  w->detection[k] += info->detection_s;
  w->solve[k] += info->solve_s;
  w->contacts[k] += (double)info->contacts / STEPS;
  w->sweeps[k] += (double)info->iterations / STEPS;
  w->worst[k] = fmax(w->worst[k], info->residual);
  w->above[k] += info->status != PC_SOLVED;
  if (progress->step % STEPS == 0) {
    w->seconds[k] = progress->elapsed_s - w->began;
    w->began = progress->elapsed_s;
  }
  return true;
}

void bench_gabion(bench_context *context)
{
  pc_scene scene;
  pc_error error;
  if (!bench_read_scene(context, "leon/shock-absorber.yaml", &scene))
    return;
  int impacts = context->quick ? 1 : IMPACTS;
  watch w = {0};
  pc_run_options options = {.threads = 2, .listener = look, .context = &w};
  pc_run_summary summary;
  scene.duration = impacts * STEPS * scene.step;
  pc_status status = pc_run_scene(&scene, &options, &summary, &error);
  pc_scene_free(&scene);
  if (status != PC_OK)
    bench_failed(context, error.text);
  for (int k = 0; k < impacts && status == PC_OK; k++) {
    bench_row(context, "an impact, 100 steps", k + 1, w.seconds[k], "s");
    bench_row(context, "of them finding contacts", k + 1, w.detection[k], "s");
    bench_row(context, "of them solving", k + 1, w.solve[k], "s");
    bench_row(context, "Table 6.1 over this time", k + 1, published[k] / w.seconds[k], "");
    bench_row(context, "worst residual", k + 1, w.worst[k], "");
    bench_row(context, "steps above 1e-6", k + 1, w.above[k], "");
    bench_row(context, "contacts, mean", k + 1, w.contacts[k], "");
    bench_row(context, "sweeps, mean", k + 1, w.sweeps[k], "");
  }
}
