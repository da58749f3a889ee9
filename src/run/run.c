// The loop: step, record, listen, and a checkpoint now and then.
#include "percuss/run.h"

#include <math.h>

#include "core/clock.h"
#include "core/error.h"
#include "run/inputs.h"
#include "run/running.h"

bool pc_running_over(const pc_running *r)
{
  const pc_moving *moving = &r->moving;
  return r->summary->steps >= r->steps ||
         (moving->kind->over != NULL && moving->kind->over(moving));
}

// --- the loop -----------------------------------------------------------------------------------

double pc_run_line(const pc_run_summary *summary, pc_line line)
{
#define VALUE(field, total, name, ...) [PC_LINE_##field] = &summary->name,
  const double *const value[PC_BALANCE_COUNT] = {PC_BALANCE_LINES(PC_BALANCE_SKIP, VALUE)};
  return value[line] != NULL ? *value[line] : 0;
}

// The errors of laws and elements are judged against the energy turned over.
static void add_energies(pc_run_summary *s, const pc_step_info *info)
{
  double change = 0, turnover = fabs(info->given);
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].step_sign != 0) {
      change += pc_balance[i].step_sign * pc_step_line(info, i);
      turnover += fabs(pc_step_line(info, i));
    }
#define TAKE(field, total, summary, ...) s->summary = info->total;
  PC_BALANCE_LINES(PC_BALANCE_SKIP, TAKE)
  s->kinetic = info->kinetic_translation + info->kinetic_rotation;
  s->potential = info->potential;
  s->stored = info->stored;
  s->kinetic_start = info->kinetic_start;
  s->potential_start = info->potential_start;
  s->stored_start = info->stored_start;
  s->drift = info->drift;
  s->asleep = info->asleep;
  s->given_by_laws += fmax(0, -info->dissipated);
  if (s->steps == 1)
    s->turnover = fabs(s->kinetic - change); // of the start
  s->turnover += turnover;
}

static void add_to_summary(pc_running *r)
{
  const pc_step_info *info = r->moving.kind->info(&r->moving);
  pc_run_summary *s = r->summary;
  s->steps++;
  s->time = info->time;
  s->contacts_total += info->contacts;
  s->contacts_largest = info->contacts > s->contacts_largest ? info->contacts : s->contacts_largest;
  s->steps_inaccurate += info->status != PC_SOLVED;
  s->steps_open += !info->closed;
  s->steps_calmed += info->calmed > 0;
  s->residual_largest = fmax(s->residual_largest, info->residual);
  s->audit_largest = fmax(s->audit_largest, info->audit);
  s->deepest = fmax(s->deepest, info->deepest);
  add_energies(s, info);
  s->detection_s += info->detection_s;
  s->solve_s += info->solve_s;
  s->wall_s = r->wall_before + pc_clock_seconds() - r->began;
}

// Single steps may be open, and are counted. What is open by more than this is no result.
static const double DRIFT = 1e-3;

static pc_status check_account(const pc_running *r, pc_error *error)
{
  const pc_step_info *info = r->moving.kind->info(&r->moving);
  if (info->closed || !(info->drift > DRIFT))
    return PC_OK;
  return pc_fail(error, PC_ERROR_NUMERIC,
                 "at %g s: the account is open by %.2g of the energy, so this is no result; a "
                 "shorter step or finer elements may help",
                 info->time, info->drift);
}

static pc_status record(pc_running *r, pc_error *error)
{
  double before = pc_clock_seconds();
  pc_status status = pc_recorder_step(&r->recorder, r->record_s, error);
  if (status == PC_OK && r->summary->steps % r->moving.frame_steps == 0) {
    status = pc_recorder_frame(&r->recorder, error);
    if (status == PC_OK && before - r->last_flush > 1) { // for those who watch
      status = pc_recorder_flush(&r->recorder, false, error);
      r->last_flush = before;
    }
  }
  // What is no result is not gone on from either.
  if (status == PC_OK)
    status = check_account(r, error);
  double every = r->moving.scene->checkpoint_every;
  if (status == PC_OK && every > 0 && before - r->last_checkpoint > every)
    status = pc_running_save(r, error);
  r->record_s = pc_clock_seconds() - before;
  r->summary->record_s += r->record_s;
  return status;
}

static pc_status step(pc_running *r, pc_error *error)
{
  pc_moving *moving = &r->moving;
  pc_status status = moving->kind->step(moving, error);
  if (status != PC_OK)
    return status;
  add_to_summary(r);
  if (moving->kind->measure_step != NULL)
    status = moving->kind->measure_step(moving, error);
  if (status != PC_OK)
    return status;
  return moving->record != NULL ? record(r, error) : check_account(r, error);
}

// False when the listener wants to stop.
static bool listen(const pc_running *r)
{
  if (r->options->listener == NULL)
    return true;
  double elapsed = pc_clock_seconds() - r->began;
  long done = r->summary->steps - r->first_step;
  pc_run_progress progress = {.time = r->summary->time,
                              .duration = (double)r->steps * r->moving.scene->step,
                              .step = r->summary->steps,
                              .steps = r->steps,
                              .elapsed_s = elapsed,
                              .left_s = -1,
                              .info = r->moving.kind->info(&r->moving)};
  if (elapsed > 0)
    progress.rate = (double)done / elapsed;
  if (elapsed > 0.3 && done > 2)
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

// --- the run ------------------------------------------------------------------------------------

// What the run would write must not be what the scene is read from.
static pc_status check_files(const pc_moving *moving, pc_error *error)
{
  const char *file[PC_RUN_FILES];
  int count = pc_run_files_list(moving, file);
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    if (file[i] != NULL)
      status = pc_run_spare_inputs(moving->scene, file[i], error);
  return status;
}

static pc_status prepare(pc_running *r, pc_error *error)
{
  pc_moving *moving = &r->moving;
  const pc_scene *scene = moving->scene;
  double steps = ceil(scene->duration / scene->step * (1 - 1e-12) - 1e-9);
  if (!(scene->step > 0 && steps >= 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "step and duration must be positive");
  if (steps > PC_STEPS_MOST)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "%g s in steps of %g s are too many steps: a run can have %g", scene->duration,
                   scene->step, PC_STEPS_MOST);
  r->steps = (long)steps;
  moving->frame_steps = (long)fmin(PC_STEPS_MOST, fmax(1, round(scene->frame_every / scene->step)));
  const char *output = r->options->output;
  if (output == NULL && r->options->resume)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a run without an output cannot be resumed");
  pc_status status = moving->kind->begin(moving, error);
  if (status != PC_OK)
    return status;
  if (output == NULL)
    return PC_OK;
  pc_running_hash(r);
  moving->files.others = moving->kind->files(moving, moving->files.ending);
  if (!pc_run_files_name(&moving->files, output))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return check_files(moving, error);
}

pc_status pc_run_scene(pc_scene *scene, const pc_run_options *options, pc_run_summary *summary,
                       pc_error *error)
{
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  *summary = (pc_run_summary){0};
  pc_running r = {.options = options, .summary = summary, .began = pc_clock_seconds()};
  r.moving = (pc_moving){
      .kind = pc_moving_of(scene), .scene = scene, .options = options, .summary = summary};
  pc_moving *moving = &r.moving;
  r.last_checkpoint = r.last_flush = r.began;
  pc_status status = prepare(&r, error);
  bool prepared = status == PC_OK;
  if (status == PC_OK && options->resume)
    status = pc_running_resume(&r, error);
  else if (status == PC_OK && options->output != NULL)
    status = pc_running_start(&r, error);
  r.first_step = summary->steps;
  if (status == PC_OK)
    status = loop(&r, error);
  if (status == PC_OK) {
    summary->state = pc_running_state(&r);
    if (summary->state == 0)
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  if (status == PC_OK && moving->record != NULL)
    status = pc_running_save(&r, error);
  if (prepared) {
    pc_status finished = moving->kind->finish(moving, status == PC_OK, error);
    status = status == PC_OK ? finished : status;
  }
  if (moving->record != NULL) {
    int complete = status != PC_OK ? 0 : summary->finished ? 1 : 2;
    pc_status closed = pc_recorder_close(&r.recorder, complete, status == PC_OK ? error : NULL);
    status = status == PC_OK ? closed : status;
  }
  summary->finished = summary->finished && status == PC_OK;
  summary->wall_s = r.wall_before + pc_clock_seconds() - r.began;
  moving->kind->free(moving);
  pc_run_files_free(&moving->files);
  return status;
}
