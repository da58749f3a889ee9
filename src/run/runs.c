// Many runs of a scene in parallel: workers take one member after the other; the calling thread
// collects, saves and listens.
#include "run/runs.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/threads.h"
#include "record/journal.h"
#include "record/lock.h"
#include "record/reading_check.h"
#include "record/record.h"
#include "record/units.h"
#include "run/curves.h"
#include "run/files.h"
#include "run/inputs.h"
#include "run/meaning.h"

int pc_runs_count(const pc_runs *runs, pc_member_state state)
{
  if (runs == NULL)
    return 0;
  int count = 0;
  for (int i = 0; i < pc_runs_total(runs); i++)
    count += pc_runs_member_state(&runs->member[i]) == state;
  return count;
}

double pc_runs_seconds(const pc_runs *runs)
{
  if (runs == NULL)
    return 0;
  return runs->seconds;
}

uint64_t pc_runs_state(const pc_runs *runs)
{
  if (runs == NULL)
    return 0;
  uint64_t hash = PC_HASH_START;
  for (int i = 0; i < pc_runs_total(runs); i++) {
    pc_member member = pc_runs_member(runs, i);
    if (member.state == PC_MEMBER_WAITING || (member.state == PC_MEMBER_FINISHED && !member.hash))
      return 0;
    hash = pc_hash_bytes(hash, &member.hash, sizeof member.hash); // 0: it failed
  }
  return hash;
}

bool pc_runs_anew(const pc_runs *runs)
{
  if (runs == NULL)
    return false;
  return runs->anew;
}

typedef struct ears {
  pc_runs *runs;
  pc_runs_slot *member;
  bool begun;
} ears;

static bool listen(void *context, const pc_run_progress *p)
{
  ears *own = context;
  double part = p->steps > 0 ? (double)p->step / (double)p->steps : 1;
  if (!own->begun) // with what was done before this part of its run
    atomic_store(&own->member->before, (int)(1e6 * part));
  own->begun = true;
  atomic_store(&own->member->millionths, (int)(1e6 * part));
  return !atomic_load(&own->runs->stop);
}

static void set_duration(const pc_runs *runs, pc_scene *scene)
{
  if (runs->options->duration > 0)
    scene->duration = runs->options->duration;
  if (runs->options->steps > 0)
    scene->duration = (double)runs->options->steps * scene->step;
}

static pc_status read_run(const pc_runs *runs, int i, pc_scene *scene, pc_error *error)
{
  const pc_scene *first = runs->scene;
  pc_status status = pc_scene_parse_run(first->path, first->text, i + 1, scene, error);
  if (status != PC_OK)
    return status;
  bool same = scene->base_text == NULL
                  ? first->base_text == NULL
                  : first->base_text != NULL && strcmp(scene->base_text, first->base_text) == 0;
  if (!same) {
    pc_scene_free(scene);
    return pc_fail(error, PC_ERROR_INPUT,
                   "the 'base' file of the scene has changed since the runs started");
  }
  if (runs->options->duration > 0 && runs->options->duration < scene->step) {
    pc_fail(error, PC_ERROR_INPUT, "%s: the step of %g s is longer than the duration of %g s",
            first->path, scene->step, runs->options->duration);
    pc_scene_free(scene);
    return PC_ERROR_INPUT;
  }
  set_duration(runs, scene);
  return PC_OK;
}

static bool is_kept(const pc_runs *runs, int i)
{
  char *output = pc_runs_record_name(runs, i);
  pc_reading *reading = output != NULL ? pc_reading_open(output, NULL) : NULL;
  bool kept = reading != NULL && pc_reading_complete(reading) == 1 && !pc_journal_exists(output);
  pc_reading_close(reading);
  pc_error damage = {.status = PC_OK};
  kept = kept && pc_reading_check(output, NULL, &damage) == PC_OK;
  free(output);
  return kept;
}

static void empty_slot(pc_runs_slot *member)
{
  free(member->error);
  free(member->quantity);
  pc_samples_free(member->sample, member->samples);
  free(member->field);
  free(member->value);
  *member = (pc_runs_slot){0};
}

// Finished runs are repeated if their records are wanted and missing.
static void forget_lost(pc_runs *runs)
{
  for (int i = 0; i < pc_runs_total(runs) && runs->options->keep && runs->stem != NULL; i++)
    if (pc_runs_member_state(&runs->member[i]) == PC_MEMBER_FINISHED && !is_kept(runs, i))
      empty_slot(&runs->member[i]);
}

static pc_status step_run(pc_runs *runs, int i, pc_scene *scene, pc_run_summary *summary,
                          pc_error *error)
{
  ears own = {runs, &runs->member[i], false};
  pc_run_options options = {.threads = runs->threads_each, .listener = listen, .context = &own};
  char *output = NULL;
  bool alone = runs->stem == NULL || scene->impact != NULL; // writes nothing
  if (!alone && (output = pc_runs_record_name(runs, i)) == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  options.output = output;
  options.checkpoint_only = output != NULL && !runs->options->keep;
  options.resume = output != NULL && runs->options->resume;
  pc_status status = pc_run_scene(scene, &options, summary, error);
  if (options.resume && status == PC_ERROR_INPUT && summary->steps == 0) {
    pc_scene_free(scene);
    options.resume = false;
    status = read_run(runs, i, scene, error);
    if (status == PC_OK)
      status = pc_run_scene(scene, &options, summary, error);
  }
  free(output);
  return status;
}

static void fail_member(pc_runs_slot *member, const pc_error *error)
{
  member->status = error->status;
  member->error = strdup(error->text);
}

static void do_run(pc_runs *runs, int i)
{
  pc_runs_slot *member = &runs->member[i];
  pc_scene scene = {0};
  pc_run_summary summary = {0};
  pc_error error = {.text = ""};
  pc_status status = read_run(runs, i, &scene, &error);
  if (status == PC_OK)
    status = step_run(runs, i, &scene, &summary, &error);
  bool stopped = status == PC_OK && !summary.finished;
  if (status == PC_OK && !stopped)
    status = pc_run_measure(&scene, &summary, &member->quantity, &member->quantities, &error);
  if (status == PC_OK && !stopped)
    status = pc_run_samples(&scene, &member->sample, &member->samples, &error);
  pc_scene_free(&scene);
  member->hash = summary.state;
  if (status != PC_OK)
    fail_member(member, &error);
  if (!stopped)
    atomic_store(&member->state, status == PC_OK ? PC_RUN_MEASURED : PC_RUN_FAILED);
}

static void work(void *context, int worker)
{
  pc_runs *runs = context;
  int i;
  while (!atomic_load(&runs->stop) && (i = atomic_fetch_add(&runs->next, 1)) < pc_runs_total(runs))
    if (atomic_load(&runs->member[i].state) == PC_RUN_WAITING)
      do_run(runs, i);
}

// `before`: what was done before.
static double part_done(const pc_runs *runs, double *before)
{
  double done = 0;
  *before = 0;
  for (int i = 0; i < pc_runs_total(runs); i++) {
    *before += 1e-6 * atomic_load(&runs->member[i].before);
    done += atomic_load(&runs->member[i].state) == PC_RUN_WAITING
                ? 1e-6 * atomic_load(&runs->member[i].millionths)
                : 1;
  }
  *before /= pc_runs_total(runs);
  return done / pc_runs_total(runs);
}

static void fail(pc_runs *runs, pc_status status)
{
  if (status == PC_OK || runs->status != PC_OK)
    return;
  runs->status = status;
  atomic_store(&runs->stop, true);
}

static void collect(pc_runs *runs)
{
  for (int i = 0; i < pc_runs_total(runs) && runs->status == PC_OK; i++)
    if (atomic_load(&runs->member[i].state) == PC_RUN_MEASURED)
      fail(runs, pc_runs_collect(runs, &runs->member[i], runs->error));
}

// Writes the table, which others may watch, and the checkpoint.
static void save(pc_runs *runs)
{
  double began = pc_clock_seconds();
  if (runs->table == NULL || runs->status != PC_OK)
    return;
  fail(runs, pc_lock_check(runs->lock, runs->locked, runs->error)); // others may write them now
  if (runs->status == PC_OK)
    fail(runs, pc_runs_save(runs, runs->error));
  if (runs->status == PC_OK)
    fail(runs, pc_runs_write_table(runs, runs->error));
  runs->last_save = pc_clock_seconds();
  runs->save_s = runs->last_save - began;
}

static void tell(pc_runs *runs)
{
  const pc_runs_options *o = runs->options;
  if (o->listener == NULL)
    return;
  double elapsed = pc_clock_seconds() - runs->began, before;
  double part = part_done(runs, &before);
  pc_runs_progress progress = {.members = pc_runs_total(runs),
                               .finished = pc_runs_count(runs, PC_MEMBER_FINISHED),
                               .failed = pc_runs_count(runs, PC_MEMBER_FAILED),
                               .part = part,
                               .elapsed_s = elapsed,
                               .left_s = -1};
  pc_pace_look(&runs->pace, elapsed, part - before);
  double speed = pc_pace_speed(&runs->pace);
  if (speed > 0 && elapsed > 0.3)
    progress.left_s = (1 - progress.part) / speed;
  runs->telling = true;
  if (!o->listener(o->context, &progress))
    atomic_store(&runs->stop, true);
  runs->telling = false;
}

static void watch(void *context)
{
  pc_runs *runs = context;
  collect(runs);
  if (pc_clock_seconds() - runs->last_save > fmax(1, 20 * runs->save_s))
    save(runs);
  tell(runs);
}

// A combination that cannot be read is found before the others are run.
static void check(void *context, int worker)
{
  pc_runs *runs = context;
  int c, each = runs->scene->plan.runs;
  while (!atomic_load(&runs->stop) &&
         (c = atomic_fetch_add(&runs->next, 1)) < runs->scene->plan.combinations) {
    pc_scene scene;
    pc_error error = {.text = ""};
    pc_runs_slot *member = &runs->member[c * each];
    if (c == 0 || atomic_load(&member->state) != PC_RUN_WAITING)
      continue;
    if (read_run(runs, c * each, &scene, &error) == PC_OK)
      pc_scene_free(&scene);
    else
      fail_member(member, &error);
  }
}

static void only_tell(void *context)
{
  tell(context);
}

static pc_status check_all(pc_runs *runs, int workers, pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  if (plan->combinations == 1)
    return PC_OK;
  pc_side_by_side(workers, check, 0.1, only_tell, runs);
  atomic_store(&runs->next, 0);
  for (int c = 0; c < plan->combinations; c++) {
    const pc_runs_slot *member = &runs->member[c * plan->runs];
    if (member->status != PC_OK)
      return pc_fail(error, member->status == PC_ERROR_MEMORY ? PC_ERROR_MEMORY : PC_ERROR_INPUT,
                     "%s (run %d)", member->error != NULL ? member->error : "out of memory",
                     c * plan->runs + 1);
  }
  return PC_OK;
}

// RUN-NAME.svg of every picture.
static pc_status name_pictures(pc_runs *runs, pc_error *error)
{
  const pc_scene_plan *plan = &runs->scene->plan;
  pc_status status = PC_OK;
  runs->picture = calloc((size_t)plan->pictures + 1, sizeof *runs->picture);
  for (int i = 0; i < plan->pictures && runs->picture != NULL && status == PC_OK; i++) {
    runs->picture[i] = pc_curves_file(runs->scene, runs->options->output, &plan->picture[i], error);
    status = runs->picture[i] != NULL ? PC_OK : error->status;
  }
  return runs->picture != NULL ? status : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// RUN-runs.h5 of a sweep of collisions: members of other kinds can have records of their own.
static pc_status name_record(pc_runs *runs, pc_error *error)
{
  if (runs->scene->impact == NULL)
    return PC_OK;
  runs->record = pc_run_beside(runs->options->output, "-runs.h5");
  if (runs->record == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pc_run_spare_inputs(runs->scene, runs->record, error);
  return status == PC_OK ? pc_replace_check(runs->record, &pc_record_own, error) : status;
}

static pc_status name_files(pc_runs *runs, pc_error *error)
{
  const char *output = runs->options->output;
  if (output == NULL)
    return runs->options->resume || runs->options->keep
               ? pc_fail(error, PC_ERROR_ARGUMENT, "keeping or resuming runs requires an output")
               : PC_OK;
  runs->stem = pc_run_beside(output, "");
  runs->table = pc_run_beside(output, "-runs.csv");
  runs->summary = pc_run_beside(output, "-summary.csv");
  runs->units = pc_run_beside(output, "-units.csv");
  runs->checkpoint = pc_run_beside(output, "-runs.checkpoint");
  runs->lock = pc_run_beside(output, "-runs.lock");
  const char *written[] = {runs->table,      runs->summary, runs->units,
                           runs->checkpoint, runs->stem,    runs->lock};
  const pc_own *own[] = {&pc_runs_table_own, &pc_runs_summary_own, &pc_units_own,
                         &pc_checkpoint_own};
  pc_status status = name_pictures(runs, error);
  if (status == PC_OK)
    status = name_record(runs, error);
  for (int i = 0; i < PC_COUNT(written); i++)
    if (written[i] == NULL)
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < PC_COUNT(own) && status == PC_OK; i++)
    status = pc_run_spare_inputs(runs->scene, written[i], error);
  for (int i = 0; i < PC_COUNT(own) && status == PC_OK; i++)
    status = pc_replace_check(written[i], own[i], error);
  return status;
}

// The first run stands for all; the options change how long they are.
static pc_status identify(pc_runs *runs, pc_error *error)
{
  pc_scene first = *runs->scene;
  set_duration(runs, &first);
  runs->meaning = pc_run_meaning(&first, PC_MEANING_OF_RUNS);
  if (runs->meaning == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  runs->hash = pc_hash_meaning(runs->meaning);
  return PC_OK;
}

static int count_workers(pc_runs *runs)
{
  int threads = runs->options->threads > 0 ? runs->options->threads : pc_processors();
  int waiting = pc_runs_count(runs, PC_MEMBER_WAITING), workers = threads;
  hbool_t safe = 0;
  if (runs->options->keep && (H5is_library_threadsafe(&safe) < 0 || !safe))
    workers = 1; // one file at a time
  if (workers > waiting)
    workers = waiting;
  workers = workers > 1 ? workers : 1;
  runs->threads_each = threads / workers;
  return workers;
}

pc_runs *pc_runs_create(const pc_scene *scene, pc_error *error)
{
  if (scene == NULL) {
    pc_fail_null(error, "the scene");
    return NULL;
  }
  pc_runs *runs = calloc(1, sizeof *runs);
  if (runs != NULL)
    runs->member = calloc((size_t)scene->plan.members + 1, sizeof *runs->member);
  if (runs == NULL || runs->member == NULL) {
    free(runs);
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  runs->scene = scene;
  runs->locked = -1;
  return runs;
}

void pc_runs_destroy(pc_runs *runs)
{
  if (runs == NULL || runs->telling) // from the listener: they are in use
    return;
  for (int i = 0; i < pc_runs_total(runs); i++)
    empty_slot(&runs->member[i]);
  for (int i = 0; i < runs->fields.count; i++) {
    free(runs->fields.at[i].name);
    free(runs->fields.at[i].unit);
  }
  for (int i = 0; i < runs->scene->plan.pictures && runs->picture != NULL; i++)
    free(runs->picture[i]);
  free(runs->picture);
  free(runs->record);
  free(runs->member);
  free(runs->fields.at);
  free(runs->order);
  free(runs->statistics);
  free(runs->stem);
  free(runs->table);
  free(runs->summary);
  free(runs->units);
  free(runs->checkpoint);
  free(runs->lock);
  free(runs->about.text);
  free(runs->meaning);
  free((void *)runs->given.output);
  free(runs);
}

static pc_status finish(pc_runs *runs, pc_error *error)
{
  collect(runs);
  save(runs);
  if (runs->status == PC_OK)
    fail(runs, pc_runs_summarise(runs, error));
  if (runs->status == PC_OK && runs->summary != NULL)
    fail(runs, pc_runs_write_summary(runs, error));
  if (runs->status == PC_OK && runs->units != NULL)
    fail(runs, pc_runs_write_units(runs, error));
  bool whole = pc_runs_count(runs, PC_MEMBER_WAITING) == 0;
  if (runs->status == PC_OK && runs->record != NULL && whole)
    fail(runs, pc_runs_write_record(runs, error));
  for (int i = 0; i < runs->scene->plan.pictures && runs->picture != NULL && whole; i++)
    if (runs->status == PC_OK)
      fail(runs, pc_runs_draw(runs, i, runs->picture[i], error));
  return runs->status;
}

static pc_status run_all(pc_runs *runs, pc_error *error)
{
  const pc_runs_options *options = runs->options;
  if (!pc_runs_describe(runs, &runs->about))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = identify(runs, error);
  if (status == PC_OK && options->resume)
    status = pc_runs_load(runs, error);
  if (status != PC_OK)
    return status;
  if (options->resume)
    forget_lost(runs);
  int workers = count_workers(runs);
  for (int i = 0; i < pc_runs_total(runs); i++)
    if (pc_runs_member_state(&runs->member[i]) == PC_MEMBER_FINISHED)
      atomic_store(&runs->member[i].before, 1000000);
  status = check_all(runs, workers, error);
  if (status == PC_OK)
    status = pc_runs_check_curves(runs, error);
  if (status != PC_OK)
    return status;
  if (runs->summary != NULL)
    pc_own_remove(runs->summary, &pc_runs_summary_own); // of other runs, or of some of these
  save(runs);
  if (runs->status == PC_OK)
    pc_side_by_side(workers, work, 0.1, watch, runs);
  status = finish(runs, error);
  tell(runs);
  return status;
}

pc_status pc_runs_run(pc_runs *runs, const pc_runs_options *options, pc_error *error)
{
  if (runs == NULL || options == NULL)
    return pc_fail_null(error, "the runs and their options");
  if (runs->options != NULL)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "these runs have already been started; create new ones");
  pc_error unheard = {.text = ""};
  runs->given = *options;
  runs->options = &runs->given;
  if (options->output != NULL && (runs->given.output = strdup(options->output)) == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  runs->error = error = error != NULL ? error : &unheard;
  runs->status = PC_OK;
  runs->began = runs->last_save = pc_clock_seconds();
  pc_status status = name_files(runs, error);
  if (status == PC_OK && runs->lock != NULL)
    status = pc_lock_hold(runs->lock, &runs->locked, error);
  if (status == PC_OK)
    status = run_all(runs, error);
  if (runs->lock != NULL)
    pc_lock_release(runs->lock, runs->locked);
  runs->locked = -1;
  runs->seconds = pc_clock_seconds() - runs->began;
  return status;
}
