// The time loop: step, record, report progress, and save checkpoints.
#include "percuss/run.h"

#include <math.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/error.h"
#include "run/inputs.h"
#include "run/running.h"
#include "run/summary.h"
#include "run/time_curves.h"

// Single steps with an open balance are counted. With a larger drift than this the run is no
// result.
static const double DRIFT = 1e-3;

static pc_status check_balance(const pc_running *r, pc_error *error)
{
  const pc_step_info *info = r->simulation.kind->info(&r->simulation);
  if (info->closed || !(info->drift > DRIFT))
    return PC_OK;
  return pc_fail(error, PC_ERROR_NUMERIC,
                 "at %g s: the energy balance is not closed (relative error %.2g), so the result "
                 "is not valid; try a shorter step or finer elements",
                 info->time, info->drift);
}

static pc_status save_when_due(pc_running *r, pc_error *error)
{
  double every = r->simulation.scene->checkpoint_every;
  bool due = r->simulation.files.checkpoint != NULL && every > 0 &&
             pc_clock_seconds() - r->last_checkpoint > every;
  return due ? pc_running_save(r, error) : PC_OK;
}

static pc_status record(pc_running *r, pc_error *error)
{
  double before = pc_clock_seconds();
  pc_status status = pc_recorder_step(&r->recorder, r->record_s, error);
  if (status == PC_OK && r->summary->steps % r->simulation.frame_steps == 0) {
    status = pc_recorder_frame(&r->recorder, error);
    if (status == PC_OK && before - r->last_flush > 1) { // for readers of a live run
      status = pc_recorder_flush(&r->recorder, false, error);
      r->last_flush = before;
    }
  }
  // What is no result is not gone on from either.
  if (status == PC_OK)
    status = check_balance(r, error);
  if (status == PC_OK)
    status = save_when_due(r, error);
  r->record_s = pc_clock_seconds() - before;
  r->summary->record_s += r->record_s;
  return status;
}

static pc_status step(pc_running *r, pc_error *error)
{
  pc_simulation *sim = &r->simulation;
  pc_status status = sim->kind->step(sim, error);
  if (status != PC_OK)
    return status;
  pc_summary_add(r->summary, sim->kind->info(sim));
  r->summary->wall_s = r->wall_before + pc_clock_seconds() - r->began;
  if (sim->kind->measure_step != NULL)
    status = sim->kind->measure_step(sim, error);
  if (status != PC_OK)
    return status;
  if (sim->record != NULL)
    return record(r, error);
  status = check_balance(r, error);
  return status == PC_OK ? save_when_due(r, error) : status;
}

// False when the listener wants to stop.
static bool listen(pc_running *r)
{
  if (r->options->listener == NULL)
    return true;
  double elapsed = pc_clock_seconds() - r->began;
  long done = r->summary->steps - r->first_step;
  pc_run_progress progress = {.time = r->summary->time,
                              .duration = (double)r->steps * r->simulation.scene->step,
                              .step = r->summary->steps,
                              .steps = r->steps,
                              .elapsed_s = elapsed,
                              .left_s = -1,
                              .info = r->simulation.kind->info(&r->simulation),
                              .replaced = r->replaced};
  pc_pace_look(&r->pace, elapsed, (double)done);
  progress.rate = pc_pace_speed(&r->pace);
  if (elapsed > 0.3 && done > 2 && progress.rate > 0)
    progress.left_s = (double)(r->steps - r->summary->steps) / progress.rate;
  return r->options->listener(r->options->context, &progress);
}

static pc_status loop(pc_running *r, pc_error *error)
{
  pc_status status = PC_OK;
  bool wanted = listen(r);
  while (status == PC_OK && wanted && !pc_running_over(r)) {
    status = step(r, error);
    wanted = status == PC_OK && listen(r);
  }
  r->summary->finished = status == PC_OK && pc_running_over(r);
  return status;
}

// The run must not overwrite files that the scene is read from.
static pc_status check_files(const pc_simulation *sim, pc_error *error)
{
  pc_run_file_of file[PC_RUN_FILES];
  int count = pc_run_files_list(&sim->files, sim->scene, file);
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    status = pc_run_spare_inputs(sim->scene, file[i].path, error);
  return status;
}

static pc_status name_checkpoint(pc_simulation *sim, const char *output, pc_error *error)
{
  sim->files.checkpoint = pc_run_beside(output, ".checkpoint");
  if (sim->files.checkpoint == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return pc_run_spare_inputs(sim->scene, sim->files.checkpoint, error);
}

static pc_status prepare(pc_running *r, pc_error *error)
{
  pc_simulation *sim = &r->simulation;
  const pc_scene *scene = sim->scene;
  double steps = ceil(scene->duration / scene->step * (1 - 1e-12) - 1e-9);
  if (!(scene->step > 0 && steps >= 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the step and the duration must be positive");
  if (steps > PC_STEPS_MOST)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "%g s in steps of %g s gives too many steps: at most %g are allowed",
                   scene->duration, scene->step, PC_STEPS_MOST);
  r->steps = (long)steps;
  sim->frame_steps = (long)fmin(PC_STEPS_MOST, fmax(1, round(scene->frame_every / scene->step)));
  const char *output = r->options->output;
  if (output == NULL && r->options->resume)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a run without an output cannot be resumed");
  pc_status status = sim->kind->begin(sim, error);
  if (status != PC_OK)
    return status;
  if (output == NULL)
    return PC_OK;
  status = pc_running_identify(r, error);
  if (status != PC_OK)
    return status;
  if (r->options->checkpoint_only)
    return name_checkpoint(sim, output, error);
  sim->files.others = sim->kind->files != NULL ? sim->kind->files(sim, sim->files.kind) : 0;
  if (!pc_run_files_name(&sim->files, output))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return check_files(sim, error);
}

static void begin(pc_running *r, pc_scene *scene, const pc_run_options *options,
                  pc_run_summary *summary)
{
  *summary = (pc_run_summary){0};
  *r = (pc_running){.options = options, .summary = summary, .began = pc_clock_seconds()};
  r->simulation = (pc_simulation){
      .kind = pc_simulation_kind_of(scene), .scene = scene, .options = options, .summary = summary};
  r->last_checkpoint = r->last_flush = r->began;
}

static void end(pc_running *r)
{
  r->simulation.kind->free(&r->simulation);
  pc_run_files_free(&r->simulation.files);
  free(r->meaning);
}

pc_run_found pc_run_find(pc_scene *scene, const pc_run_options *options, double *time)
{
  double unasked;
  time = time != NULL ? time : &unasked;
  *time = 0;
  if (scene == NULL || options == NULL || scene->running)
    return PC_FOUND_NONE;
  pc_running r;
  pc_run_summary summary;
  pc_error error = {.status = PC_OK};
  begin(&r, scene, options, &summary);
  pc_run_found found = options->output != NULL && prepare(&r, &error) == PC_OK
                           ? pc_running_find(&r, time)
                           : PC_FOUND_NONE;
  end(&r);
  return found;
}

bool pc_run_is_finished(pc_scene *scene, const pc_run_options *options)
{
  return pc_run_find(scene, options, NULL) >= PC_FOUND_ENDED;
}

pc_status pc_run_scene(pc_scene *scene, const pc_run_options *options, pc_run_summary *summary,
                       pc_error *error)
{
  if (scene == NULL || options == NULL || summary == NULL)
    return pc_fail_null(error, "the scene, the options and the summary");
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  if (scene->running)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the scene is already running");
  scene->running = true;
  pc_running r;
  begin(&r, scene, options, summary);
  pc_simulation *sim = &r.simulation;
  pc_status status = prepare(&r, error);
  bool prepared = status == PC_OK;
  bool recorded = options->output != NULL && !options->checkpoint_only;
  if (status == PC_OK && options->resume)
    status = recorded ? pc_running_resume(&r, error) : pc_running_continue(&r, error);
  else if (status == PC_OK && recorded) {
    r.replaced = pc_running_stopped(&r);
    status = pc_running_start(&r, error);
  }
  r.first_step = summary->steps;
  if (status == PC_OK)
    status = loop(&r, error);
  if (status == PC_OK) {
    summary->state = pc_running_state(&r);
    if (summary->state == 0)
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  if (status == PC_OK &&
      (sim->record != NULL || (sim->files.checkpoint != NULL && !summary->finished)))
    status = pc_running_save(&r, error);
  if (prepared) {
    summary->overlap_end = summary->overlap_relative = NAN; // unless the kind measures them
    pc_status finished = sim->kind->finish(sim, status == PC_OK, error);
    status = status == PC_OK ? finished : status;
  }
  if (status == PC_OK && recorded && summary->finished)
    status = pc_time_curves_draw_all(scene, options->output, sim->files.csv, error);
  if (sim->record != NULL) {
    int complete = status != PC_OK ? 0 : summary->finished ? 1 : 2;
    pc_status closed = pc_recorder_close(&r.recorder, complete, status == PC_OK ? error : NULL);
    status = status == PC_OK ? closed : status;
  }
  summary->finished = summary->finished && status == PC_OK;
  if (options->checkpoint_only && sim->files.checkpoint != NULL && summary->finished)
    pc_own_remove(sim->files.checkpoint, &pc_checkpoint_own);
  summary->wall_s = r.wall_before + pc_clock_seconds() - r.began;
  end(&r);
  scene->running = false;
  return status;
}
