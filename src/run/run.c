// The loop: step, record, listen, and a checkpoint now and then.
#include "percuss/run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/clock.h"
#include "core/error.h"
#include "record/journal.h"
#include "run/inputs.h"
#include "run/recorder.h"

// What a checkpoint keeps besides what moves and the marks of the record.
typedef struct run_mark {
  uint64_t scene; // hash of what it was built from
  long steps, frames;
  pc_csv_mark table;
  pc_run_summary summary;
} run_mark;

typedef struct run {
  pc_moving moving;
  const pc_run_options *options;
  pc_run_summary *summary;
  long steps; // of the whole run
  uint64_t hash;
  pc_recorder recorder;
  double began, last_checkpoint, last_flush; // clock
  double wall_before;                        // of the parts of the run before this one
  double record_s;                           // since the last step
  long first_step;                           // of this part of the run
} run;

// The text, and what stands at the start.
static uint64_t hash_scene(const pc_moving *moving)
{
  const pc_scene *scene = moving->scene;
  uint64_t hash = pc_hash_bytes(PC_HASH_START, scene->text, strlen(scene->text));
  if (scene->base_text != NULL)
    hash = pc_hash_bytes(hash, scene->base_text, strlen(scene->base_text));
  if (scene->changes != NULL)
    hash = pc_hash_bytes(hash, scene->changes, strlen(scene->changes));
  return moving->kind->hash(moving, hash);
}

static bool is_over(const run *r)
{
  const pc_moving *moving = &r->moving;
  return r->summary->steps >= r->steps ||
         (moving->kind->over != NULL && moving->kind->over(moving));
}

static bool is_missing(const char *path)
{
  struct stat there;
  return stat(path, &there) != 0 && errno == ENOENT;
}

// --- checkpoints --------------------------------------------------------------------------------

// The mark, the marks of the record, and the parts of the moving.
enum { BLOB_MARK, BLOB_RECORD, BLOB_PARTS, BLOBS = 10 };

static int name_blobs(const pc_moving *moving, pc_blob blobs[BLOBS])
{
  int count = BLOB_PARTS;
  blobs[BLOB_MARK] = (pc_blob){"run", NULL, 0};
  blobs[BLOB_RECORD] = (pc_blob){"record", NULL, 0};
  for (const char *const *part = moving->kind->parts; *part != NULL; part++)
    blobs[count++] = (pc_blob){*part, NULL, 0};
  return count;
}

static void free_blobs(pc_blob *blobs, int count)
{
  for (int i = 0; i < count; i++)
    free(blobs[i].data);
}

// Room for all blobs, of their sizes; false when memory is out.
static bool make_blobs(const run *r, pc_blob *blobs, int count)
{
  const pc_moving *moving = &r->moving;
  blobs[BLOB_MARK].size = sizeof(run_mark);
  blobs[BLOB_RECORD].size = (size_t)pc_record_marks(moving->record, NULL) * sizeof(long);
  for (int i = BLOB_PARTS; i < count; i++)
    blobs[i].size = moving->kind->save(moving, i - BLOB_PARTS, NULL);
  bool made = true;
  for (int i = 0; i < count; i++) {
    blobs[i].data = calloc(blobs[i].size + 1, 1);
    made = made && blobs[i].data != NULL;
  }
  return made;
}

// One number for all that moves, as a checkpoint would keep it; 0 when memory is out.
static uint64_t hash_state(const pc_moving *moving)
{
  uint64_t hash = PC_HASH_START;
  for (int part = 0; moving->kind->parts[part] != NULL; part++) {
    size_t size = moving->kind->save(moving, part, NULL);
    void *data = calloc(size + 1, 1);
    if (data == NULL)
      return 0;
    moving->kind->save(moving, part, data);
    hash = pc_hash_bytes(hash, data, size);
    free(data);
  }
  return hash;
}

// The record first: what a checkpoint speaks of is on the disk before the checkpoint is.
static pc_status write_checkpoint(run *r, pc_error *error)
{
  const pc_moving *moving = &r->moving;
  pc_status status = pc_recorder_flush(&r->recorder, true, error);
  if (status != PC_OK)
    return status;
  pc_blob blobs[BLOBS];
  int count = name_blobs(moving, blobs);
  if (!make_blobs(r, blobs, count)) {
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    run_mark *mark = blobs[BLOB_MARK].data;
    mark->scene = r->hash;
    mark->steps = r->summary->steps;
    mark->frames = r->recorder.frames;
    if (r->recorder.csv != NULL)
      mark->table = pc_csv_marked(r->recorder.csv);
    mark->summary = *r->summary;
    pc_record_marks(moving->record, blobs[BLOB_RECORD].data);
    for (int i = BLOB_PARTS; i < count; i++)
      moving->kind->save(moving, i - BLOB_PARTS, blobs[i].data);
    status = pc_checkpoint_write(moving->files.checkpoint, count, blobs, error);
    if (status == PC_OK)
      status = pc_recorder_checkpointed(&r->recorder, error);
  }
  free_blobs(blobs, count);
  r->last_checkpoint = r->last_flush = pc_clock_seconds();
  return status;
}

// A run that ended as it should, and is still there.
static bool is_whole(const pc_moving *moving, const pc_record_mark *mark)
{
  const pc_run_files *files = &moving->files;
  struct stat table;
  if (pc_journal_exists(files->record) || // it was killed when it was closed
      pc_record_is_marked(files->record, mark->count, mark->marks, NULL) != PC_OK ||
      (moving->scene->csv &&
       (pc_csv_check(files->csv, mark->table, NULL) != PC_OK || stat(files->csv, &table) != 0 ||
        table.st_size != mark->table.length)))
    return false;
  pc_reading *reading = pc_reading_open(files->record, NULL);
  bool whole = reading != NULL && pc_reading_complete(reading) == 1;
  pc_reading_close(reading);
  return whole;
}

static pc_status refuse_scene(const char *checkpoint, pc_error *error)
{
  return pc_fail(error, PC_ERROR_INPUT,
                 "%s is of another scene: a run goes on only with the scene it started with",
                 checkpoint);
}

static pc_status load_checkpoint(run *r, const pc_blob *blobs, int count, pc_error *error)
{
  run_mark mark;
  pc_moving *moving = &r->moving;
  const char *path = moving->files.checkpoint;
  pc_error reason = {.status = PC_OK};
  if (blobs[BLOB_MARK].size != sizeof mark) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s: written by another version", path);
    return pc_run_cannot_resume(&reason, error);
  }
  memcpy(&mark, blobs[BLOB_MARK].data, sizeof mark);
  if (mark.scene != r->hash)
    return refuse_scene(path, error);
  if (mark.steps > r->steps)
    return pc_fail(
        error, PC_ERROR_INPUT,
        "%s has %ld steps already, more than the %ld that are asked for: ask for as many, or "
        "start anew without resuming",
        path, mark.steps, r->steps);
  for (int i = BLOB_PARTS; i < count; i++)
    if (moving->kind->load(moving, i - BLOB_PARTS, blobs[i].data, blobs[i].size, &reason) != PC_OK)
      return pc_fail(error, reason.status, "%s: %s", path, reason.text);
  *r->summary = mark.summary;
  r->summary->anew = false;
  r->wall_before = mark.summary.wall_s;
  pc_record_mark there = {.count = (int)(blobs[BLOB_RECORD].size / sizeof(long)),
                          .marks = blobs[BLOB_RECORD].data,
                          .frames = mark.frames,
                          .table = mark.table};
  if (is_over(r) && is_whole(moving, &there)) // record and table stay as they are
    return moving->scene->xdmf ? pc_recorder_xdmf(moving, mark.frames, error) : PC_OK;
  pc_status status = pc_recorder_start(&r->recorder, moving, &there, &reason);
  return status == PC_OK ? PC_OK : pc_run_cannot_resume(&reason, error);
}

// A new run has its first checkpoint before its first step.
static pc_status start(run *r, pc_error *error)
{
  pc_status status = pc_recorder_start(&r->recorder, &r->moving, NULL, error);
  if (status == PC_OK)
    status = pc_recorder_frame(&r->recorder, error);
  return status == PC_OK ? write_checkpoint(r, error) : status;
}

// A record of a run that was killed before its first checkpoint, and so before its first step.
static bool has_no_step(const char *record)
{
  pc_reading *reading = pc_reading_open(record, NULL);
  long size[4] = {0};
  bool empty = reading != NULL && pc_reading_complete(reading) == 0 &&
               pc_reading_size(reading, "steps/time", size) > 0 && size[0] == 0;
  pc_reading_close(reading);
  return empty;
}

// What a checkpoint of any kind of run says of itself; nothing if it cannot be read.
typedef struct checkpoint_head {
  bool other_scene, other_record;
} checkpoint_head;

static checkpoint_head look_at_checkpoint(const run *r)
{
  const pc_run_files *files = &r->moving.files;
  pc_blob blobs[] = {{"run", NULL, 0}, {"record", NULL, 0}};
  checkpoint_head head = {0};
  if (pc_checkpoint_read(files->checkpoint, 2, blobs, NULL) != PC_OK)
    return head;
  run_mark mark = {.scene = r->hash};
  if (blobs[0].size == sizeof mark)
    memcpy(&mark, blobs[0].data, sizeof mark);
  head.other_scene = mark.scene != r->hash;
  head.other_record = pc_record_is_marked(files->record, (int)(blobs[1].size / sizeof(long)),
                                          blobs[1].data, NULL) == PC_ERROR_INPUT;
  free_blobs(blobs, 2);
  return head;
}

// Goes on from the last checkpoint; without one the run starts anew, if that replaces nothing. A
// checkpoint that is not of the record is no loss if that has no step yet: the run was killed when
// its record had just replaced an older one.
static pc_status resume(run *r, pc_error *error)
{
  const pc_run_files *files = &r->moving.files;
  pc_record_tidy(files->record);
  bool none = is_missing(files->checkpoint);
  checkpoint_head head = none ? (checkpoint_head){0} : look_at_checkpoint(r);
  if (none && !is_missing(files->record) && !has_no_step(files->record))
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s has no checkpoint to go on from; without resuming, a new run replaces it",
                   files->record);
  if (none || (head.other_record && has_no_step(files->record))) {
    r->summary->anew = true;
    return start(r, error);
  }
  if (head.other_scene)
    return refuse_scene(files->checkpoint, error);
  pc_blob blobs[BLOBS];
  pc_error reason = {.status = PC_OK};
  int count = name_blobs(&r->moving, blobs);
  pc_status status = pc_checkpoint_read(files->checkpoint, count, blobs, &reason);
  if (status == PC_OK)
    status = load_checkpoint(r, blobs, count, error);
  else
    pc_run_cannot_resume(&reason, error);
  free_blobs(blobs, count);
  if (status != PC_OK)
    *r->summary = (pc_run_summary){0}; // nothing was done
  return status;
}

// --- the loop -----------------------------------------------------------------------------------

// What laws and elements do wrong is judged against all that was turned over.
static void add_energies(pc_run_summary *s, const pc_step_info *info)
{
  double works = info->work_gravity + info->work_forces + info->work_elements +
                 info->work_prescribed - info->dissipated;
  s->kinetic = info->kinetic_translation + info->kinetic_rotation;
  s->potential = info->potential;
  s->stored = info->stored;
  s->kinetic_start = info->kinetic_start;
  s->potential_start = info->potential_start;
  s->stored_start = info->stored_start;
  s->work_prescribed = info->total_prescribed;
  s->work_forces = info->total_forces;
  s->dissipated = info->total_dissipated;
  s->correction = info->total_correction;
  s->drift = info->drift;
  s->asleep = info->asleep;
  s->frozen = info->total_frozen;
  s->stored_error = info->total_stored_error;
  s->given_by_events = info->total_given;
  s->given_by_laws += fmax(0, -info->dissipated);
  s->separating = info->total_separating;
  if (s->steps == 1)
    s->turnover = fabs(s->kinetic - works); // of the start
  s->turnover += fabs(info->work_gravity) + fabs(info->work_forces) + fabs(info->work_elements) +
                 fabs(info->work_prescribed) + fabs(info->dissipated) + fabs(info->given);
}

static void add_to_summary(run *r)
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

static pc_status record(run *r, pc_error *error)
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
  double every = r->moving.scene->checkpoint_every;
  if (status == PC_OK && every > 0 && before - r->last_checkpoint > every)
    status = write_checkpoint(r, error);
  r->record_s = pc_clock_seconds() - before;
  r->summary->record_s += r->record_s;
  return status;
}

static pc_status step(run *r, pc_error *error)
{
  pc_moving *moving = &r->moving;
  pc_status status = moving->kind->step(moving, error);
  if (status != PC_OK)
    return status;
  add_to_summary(r);
  if (moving->kind->measure_step != NULL)
    status = moving->kind->measure_step(moving, error);
  return status == PC_OK && moving->record != NULL ? record(r, error) : status;
}

// False when the listener wants to stop.
static bool listen(const run *r)
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

static pc_status loop(run *r, pc_error *error)
{
  pc_status status = PC_OK;
  bool wanted = listen(r);
  while (status == PC_OK && wanted && !is_over(r)) {
    status = step(r, error);
    wanted = status == PC_OK && listen(r);
  }
  r->summary->finished = status == PC_OK && is_over(r);
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

static pc_status prepare(run *r, pc_error *error)
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
  r->hash = hash_scene(moving);
  if (output == NULL)
    return PC_OK;
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
  run r = {.options = options, .summary = summary, .began = pc_clock_seconds()};
  r.moving = (pc_moving){
      .kind = pc_moving_of(scene), .scene = scene, .options = options, .summary = summary};
  pc_moving *moving = &r.moving;
  r.last_checkpoint = r.last_flush = r.began;
  pc_status status = prepare(&r, error);
  bool prepared = status == PC_OK;
  if (status == PC_OK && options->resume)
    status = resume(&r, error);
  else if (status == PC_OK && options->output != NULL)
    status = start(&r, error);
  r.first_step = summary->steps;
  if (status == PC_OK)
    status = loop(&r, error);
  if (status == PC_OK)
    summary->state = hash_state(moving);
  if (status == PC_OK && moving->record != NULL)
    status = write_checkpoint(&r, error);
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
