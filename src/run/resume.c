// Starts a run, saves checkpoints, and continues from them.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/saved.h"
#include "record/journal.h"
#include "record/reading_check.h"
#include "run/inputs.h"
#include "run/meaning.h"
#include "run/program.h"
#include "run/running.h"

// What a checkpoint keeps besides what moves and the marks of the record.
typedef struct run_mark {
  uint64_t layout; // of the energy balance, which the summary and the state of bodies hold
  uint64_t scene;  // hash of what it was built from
  long steps, frames;
  pc_csv_mark table;
  pc_run_summary summary;
} run_mark;

bool pc_running_over(const pc_running *r)
{
  const pc_simulation *sim = &r->simulation;
  return r->summary->steps >= r->steps || (sim->kind->over != NULL && sim->kind->over(sim));
}

// What it is asked to do, and what stands at the start.
pc_status pc_running_identify(pc_running *r, pc_error *error)
{
  const pc_simulation *sim = &r->simulation;
  r->meaning = pc_run_meaning(sim->scene, PC_MEANING_OF_RUN);
  if (r->meaning == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  uint64_t hash = pc_hash_meaning(r->meaning);
  r->hash = sim->kind->hash != NULL ? sim->kind->hash(sim, hash) : hash;
  return PC_OK;
}

static bool is_missing(const char *path)
{
  struct stat there;
  return stat(path, &there) != 0 && errno == ENOENT;
}

// The mark, the marks of the record, the program, what was asked, and the parts of the simulation.
enum { BLOB_MARK, BLOB_RECORD, BLOB_PROGRAM, BLOB_MEANING, BLOB_PARTS, BLOBS = 12 };

static int name_blobs(const pc_simulation *sim, pc_blob blobs[BLOBS])
{
  int count = BLOB_PARTS;
  blobs[BLOB_MARK] = (pc_blob){"run", NULL, 0};
  blobs[BLOB_RECORD] = (pc_blob){"record", NULL, 0};
  blobs[BLOB_PROGRAM] = (pc_blob){PC_RUN_PROGRAM_BLOB, NULL, 0};
  blobs[BLOB_MEANING] = (pc_blob){PC_MEANING_BLOB, NULL, 0};
  for (const char *const *part = sim->kind->parts; *part != NULL; part++)
    blobs[count++] = (pc_blob){*part, NULL, 0};
  return count;
}

static void free_blobs(pc_blob *blobs, int count)
{
  for (int i = 0; i < count; i++)
    free(blobs[i].data);
}

// Room for all blobs, of their sizes; false when memory is out.
static bool make_blobs(const pc_running *r, pc_blob *blobs, int count)
{
  const pc_simulation *sim = &r->simulation;
  blobs[BLOB_MARK].size = sizeof(run_mark);
  if (sim->record != NULL)
    blobs[BLOB_RECORD].size = (size_t)pc_record_marks(sim->record, NULL) * sizeof(long);
  char program[PC_RUN_PROGRAM];
  pc_run_program(program);
  blobs[BLOB_PROGRAM].size = strlen(program);
  blobs[BLOB_MEANING].size = strlen(r->meaning);
  for (int i = BLOB_PARTS; i < count; i++)
    blobs[i].size = sim->kind->save(sim, i - BLOB_PARTS, NULL);
  bool made = true;
  for (int i = 0; i < count; i++) {
    blobs[i].data = calloc(blobs[i].size + 1, 1);
    made = made && blobs[i].data != NULL;
  }
  if (made) {
    memcpy(blobs[BLOB_PROGRAM].data, program, blobs[BLOB_PROGRAM].size);
    memcpy(blobs[BLOB_MEANING].data, r->meaning, blobs[BLOB_MEANING].size);
  }
  return made;
}

uint64_t pc_running_state(const pc_running *r)
{
  const pc_simulation *sim = &r->simulation;
  uint64_t hash = PC_HASH_START;
  int parts = 0;
  while (sim->kind->parts[parts] != NULL)
    parts++;
  for (int part = 0; part < parts - sim->kind->measures; part++) {
    size_t size = sim->kind->save(sim, part, NULL);
    void *data = calloc(size + 1, 1);
    if (data == NULL)
      return 0;
    sim->kind->save(sim, part, data);
    hash = pc_hash_bytes(hash, data, size);
    free(data);
  }
  return hash;
}

pc_status pc_running_save(pc_running *r, pc_error *error)
{
  const pc_simulation *sim = &r->simulation;
  bool recorded = sim->record != NULL;
  pc_status status = recorded ? pc_recorder_flush(&r->recorder, true, error) : PC_OK;
  if (status != PC_OK)
    return status;
  pc_blob blobs[BLOBS];
  int count = name_blobs(sim, blobs);
  if (!make_blobs(r, blobs, count)) {
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  } else {
    run_mark *mark = blobs[BLOB_MARK].data;
    mark->layout = pc_balance_layout();
    mark->scene = r->hash;
    mark->steps = r->summary->steps;
    mark->frames = r->recorder.frames;
    if (r->recorder.csv != NULL)
      mark->table = pc_csv_marked(r->recorder.csv);
    mark->summary = *r->summary;
    if (recorded)
      pc_record_marks(sim->record, blobs[BLOB_RECORD].data);
    for (int i = BLOB_PARTS; i < count; i++)
      sim->kind->save(sim, i - BLOB_PARTS, blobs[i].data);
    status = pc_checkpoint_write(sim->files.checkpoint, count, blobs, error);
    if (status == PC_OK && recorded)
      status = pc_recorder_checkpointed(&r->recorder, error);
  }
  free_blobs(blobs, count);
  r->last_checkpoint = r->last_flush = pc_clock_seconds();
  return status;
}

// A run that ended as it should, and is still there: finished, or only ended if its record has
// other texts.
static pc_run_found look_at_end(const pc_simulation *sim, const pc_record_mark *mark)
{
  const pc_run_files *files = &sim->files;
  struct stat table;
  if (pc_journal_exists(files->record) || // it was killed when it was closed
      pc_record_is_marked(files->record, mark->count, mark->marks, NULL) != PC_OK ||
      (sim->scene->csv && (pc_csv_check(files->csv, mark->table, NULL) != PC_OK ||
                           stat(files->csv, &table) != 0 || table.st_size != mark->table.length)))
    return PC_FOUND_NONE;
  pc_error damage = {.status = PC_OK};
  pc_reading *reading = pc_reading_open(files->record, NULL);
  bool whole = reading != NULL && pc_reading_complete(reading) == 1;
  bool same = whole && pc_record_has_scene(reading, sim->scene);
  pc_reading_close(reading);
  if (!whole || pc_reading_check(files->record, NULL, &damage) != PC_OK)
    return PC_FOUND_NONE;
  return same ? PC_FOUND_FINISHED : PC_FOUND_ENDED;
}

// Whether a run can go on counting from the mark. What is measured again at the end is not used,
// but a run that has ended may be asked for its summary as it is.
static bool is_sound(const run_mark *mark, const pc_run_summary *now)
{
  int bodies = now->bodies, people = now->people;
  const pc_saved_field fields[] = {
      PC_SAVED_FIELD(PC_SAVED_LONG, run_mark, steps, long, mark->summary.steps,
                     mark->summary.steps),
      PC_SAVED_COUNTS(run_mark, frames),
      PC_SAVED_COUNTS(run_mark, table.length),
      PC_SAVED_COUNTS(run_mark, summary.steps),
      PC_SAVED_COUNTS(run_mark, summary.contacts_total),
      PC_SAVED_COUNTS(run_mark, summary.steps_inaccurate),
      PC_SAVED_COUNTS(run_mark, summary.steps_open),
      PC_SAVED_COUNTS(run_mark, summary.steps_calmed),
      PC_SAVED_COUNTS(run_mark, summary.problems_kept),
      PC_SAVED_COUNTS(run_mark, summary.problems_over),
      PC_SAVED_COUNTS(run_mark, summary.problems_refused),
      PC_SAVED_COUNTS(run_mark, summary.certificate.steps),
      PC_SAVED_COUNTS(run_mark, summary.certificate.refused),
      PC_SAVED_COUNTS(run_mark, summary.chain.impacts),
      PC_SAVED_INTEGERS(run_mark, summary.bodies, bodies, bodies),
      PC_SAVED_INTEGERS(run_mark, summary.people, people, people),
      PC_SAVED_INTEGERS(run_mark, summary.inside, 0, people),
      PC_SAVED_INTEGERS(run_mark, summary.waiting, 0, people),
      PC_SAVED_INTEGERS(run_mark, summary.incapacitated, 0, people),
      PC_SAVED_INTEGERS(run_mark, summary.asleep, 0, bodies),
      PC_SAVED_INTEGERS(run_mark, summary.contacts_largest, 0, INT_MAX),
      PC_SAVED_INTEGERS(run_mark, summary.overlap_bodies, 0, bodies),
      PC_SAVED_INTEGERS(run_mark, summary.heat.hottest_body, 0, bodies),
      PC_SAVED_INTEGERS(run_mark, summary.heat.hottest_end_body, 0, bodies),
      PC_SAVED_INTEGERS(run_mark, summary.chain.measures.pattern, 0, PC_CHAIN_PATTERN_III),
      PC_SAVED_FLAGS(run_mark, summary.finished),
      PC_SAVED_FLAGS(run_mark, summary.anew),
      PC_SAVED_FLAGS(run_mark, summary.deposit.measured),
      PC_SAVED_FLAGS(run_mark, summary.heat.on),
      PC_SAVED_FLAGS(run_mark, summary.crowd.mapped),
      PC_SAVED_FLAGS(run_mark, summary.chain.bounded),
      PC_SAVED_FLAGS(run_mark, summary.chain.measures.momentum_kept),
      PC_SAVED_FLAGS(run_mark, summary.chain.measures.kinematic),
      PC_SAVED_FLAGS(run_mark, summary.chain.measures.kinetic),
      PC_SAVED_FLAGS(run_mark, summary.chain.measures.energetic),
      PC_SAVED_FLAGS(run_mark, summary.chain.bounds.min.closed),
      PC_SAVED_FLAGS(run_mark, summary.chain.bounds.max.closed),
      PC_SAVED_FLAGS(run_mark, summary.certificate.frozen),
      PC_SAVED_TEXT(run_mark, summary.problems_why),
      PC_SAVED_TEXT(run_mark, summary.certificate.why),
      PC_SAVED_FINITE(run_mark, summary.time),
      PC_SAVED_POSITIVE(run_mark, summary.wall_s),
  };
  return pc_saved_is_sound(mark, 1, sizeof *mark, fields, PC_COUNT(fields));
}

// Brings the simulation to the state of the checkpoint.
static pc_status restore(pc_running *r, const pc_blob *blobs, int count, run_mark *there,
                         pc_error *error)
{
  run_mark mark = {.layout = 0};
  pc_simulation *sim = &r->simulation;
  const char *path = sim->files.checkpoint;
  pc_error reason = {.status = PC_OK};
  if (blobs[BLOB_MARK].size == sizeof mark)
    memcpy(&mark, blobs[BLOB_MARK].data, sizeof mark);
  if (blobs[BLOB_MARK].size != sizeof mark || mark.layout != pc_balance_layout()) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s: written by another version of Percuss", path);
    return pc_run_cannot_resume(&reason, error);
  }
  if (mark.scene != r->hash)
    return pc_meaning_refuse(sim->scene, path, r->meaning, error);
  if (!is_sound(&mark, r->summary))
    return pc_fail(error, PC_ERROR_INPUT, "%s: the counters of the run are damaged", path);
  if (mark.steps > r->steps)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s already has %ld steps, more than the requested %ld; request at least as "
                   "many, or start without --resume",
                   path, mark.steps, r->steps);
  for (int i = BLOB_PARTS; i < count; i++)
    if (sim->kind->load(sim, i - BLOB_PARTS, blobs[i].data, blobs[i].size, &reason) != PC_OK)
      return pc_fail(error, reason.status, "%s: %s", path, reason.text);
  *r->summary = mark.summary;
  r->summary->anew = false;
  r->wall_before = mark.summary.wall_s;
  *there = mark;
  return PC_OK;
}

static pc_record_mark marked_by(const run_mark *mark, const pc_blob *blobs)
{
  return (pc_record_mark){.count = (int)(blobs[BLOB_RECORD].size / sizeof(long)),
                          .marks = blobs[BLOB_RECORD].data,
                          .frames = mark->frames,
                          .table = mark->table};
}

static pc_status load_checkpoint(pc_running *r, const pc_blob *blobs, int count, pc_error *error)
{
  run_mark mark;
  pc_simulation *sim = &r->simulation;
  pc_error reason = {.status = PC_OK};
  pc_status status = restore(r, blobs, count, &mark, error);
  if (status != PC_OK)
    return status;
  pc_record_mark there = marked_by(&mark, blobs);
  if (pc_running_over(r) &&
      look_at_end(sim, &there) == PC_FOUND_FINISHED) { // files stay as they are
    status = sim->scene->xdmf ? pc_recorder_xdmf(sim, mark.frames, error) : PC_OK;
    return status == PC_OK && sim->scene->csv ? pc_recorder_units(sim, error) : status;
  }
  status = pc_recorder_start(&r->recorder, sim, &there, &reason);
  return status == PC_OK ? PC_OK : pc_run_cannot_resume(&reason, error);
}

pc_status pc_running_start(pc_running *r, pc_error *error)
{
  pc_status status = pc_recorder_start(&r->recorder, &r->simulation, NULL, error);
  if (status == PC_OK)
    status = pc_recorder_frame(&r->recorder, error);
  return status == PC_OK ? pc_running_save(r, error) : status;
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
  long steps;
  double time; // s
} checkpoint_head;

static checkpoint_head look_at_checkpoint(const pc_running *r)
{
  const pc_run_files *files = &r->simulation.files;
  pc_blob blobs[] = {{"run", NULL, 0}, {"record", NULL, 0}};
  checkpoint_head head = {0};
  if (pc_checkpoint_read(files->checkpoint, 2, blobs, NULL) != PC_OK)
    return head;
  run_mark mark = {.scene = r->hash};
  if (blobs[0].size == sizeof mark)
    memcpy(&mark, blobs[0].data, sizeof mark);
  head.other_scene = mark.scene != r->hash;
  head.steps = mark.steps;
  head.time = mark.summary.time;
  head.other_record = pc_record_is_marked(files->record, (int)(blobs[1].size / sizeof(long)),
                                          blobs[1].data, NULL) == PC_ERROR_INPUT;
  free_blobs(blobs, 2);
  return head;
}

static pc_run_found find_end(pc_running *r)
{
  const pc_simulation *sim = &r->simulation;
  pc_blob blobs[BLOBS];
  run_mark mark;
  int count = name_blobs(sim, blobs);
  if (pc_checkpoint_read(sim->files.checkpoint, count, blobs, NULL) != PC_OK)
    return PC_FOUND_NONE;
  pc_run_found found = PC_FOUND_NONE;
  if (restore(r, blobs, count, &mark, NULL) == PC_OK) {
    pc_record_mark there = marked_by(&mark, blobs);
    found = pc_running_over(r) ? look_at_end(sim, &there) : PC_FOUND_STOPPED;
  }
  free_blobs(blobs, count);
  return found;
}

// The time of the checkpoint, if it and the record are of this run; otherwise 0.
static double time_of_own(const pc_running *r, long *steps, bool *complete)
{
  const pc_run_files *files = &r->simulation.files;
  pc_reading *reading = pc_reading_open(files->record, NULL);
  bool there = reading != NULL;
  *complete = there && pc_reading_complete(reading) == 1;
  *steps = -1;
  pc_reading_close(reading);
  if (!there || pc_run_check_program(files->checkpoint, NULL) != PC_OK)
    return 0;
  checkpoint_head head = look_at_checkpoint(r);
  if (head.other_scene || head.other_record)
    return 0;
  *steps = head.steps;
  return head.time;
}

double pc_running_stopped(const pc_running *r)
{
  bool complete;
  long steps;
  double time = time_of_own(r, &steps, &complete);
  return !complete && steps <= r->steps ? time : 0;
}

// Of a record and a checkpoint that belong together and can be read.
static bool is_of_other_scene(const pc_running *r)
{
  const pc_run_files *files = &r->simulation.files;
  if (is_missing(files->record) || pc_run_check_program(files->checkpoint, NULL) != PC_OK)
    return false;
  checkpoint_head head = look_at_checkpoint(r);
  return head.other_scene && !head.other_record && head.steps > 0;
}

pc_run_found pc_running_find(pc_running *r, double *time)
{
  bool complete;
  long steps;
  *time = time_of_own(r, &steps, &complete);
  if (complete && steps >= 0 && steps <= r->steps)
    return find_end(r);
  return *time > 0 ? PC_FOUND_STOPPED : is_of_other_scene(r) ? PC_FOUND_OTHER : PC_FOUND_NONE;
}

pc_status pc_running_resume(pc_running *r, pc_error *error)
{
  const pc_run_files *files = &r->simulation.files;
  pc_record_tidy(files->record);
  bool none = is_missing(files->checkpoint);
  checkpoint_head head = {0};
  if (!none)
    head = look_at_checkpoint(r);
  if (none && !is_missing(files->record) && !has_no_step(files->record))
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s has no checkpoint to resume from; start without --resume to replace it",
                   files->record);
  if (none || (head.other_record && has_no_step(files->record))) {
    r->summary->anew = true;
    return pc_running_start(r, error);
  }
  pc_blob blobs[BLOBS];
  pc_error reason = {.status = PC_OK};
  int count = name_blobs(&r->simulation, blobs);
  pc_status status = pc_run_check_program(files->checkpoint, &reason);
  if (status == PC_OK && head.other_scene)
    return pc_meaning_refuse(r->simulation.scene, files->checkpoint, r->meaning, error);
  if (status == PC_OK)
    status = pc_checkpoint_read(files->checkpoint, count, blobs, &reason);
  if (status == PC_OK)
    status = load_checkpoint(r, blobs, count, error);
  else
    pc_run_cannot_resume(&reason, error);
  free_blobs(blobs, count);
  if (status != PC_OK)
    *r->summary = (pc_run_summary){0}; // nothing was done
  return status;
}

pc_status pc_running_continue(pc_running *r, pc_error *error)
{
  const char *path = r->simulation.files.checkpoint;
  pc_blob blobs[BLOBS];
  run_mark mark;
  r->summary->anew = is_missing(path);
  if (r->summary->anew)
    return PC_OK;
  int count = name_blobs(&r->simulation, blobs);
  pc_status status = pc_run_check_program(path, error);
  if (status == PC_OK)
    status = pc_checkpoint_read(path, count, blobs, error);
  if (status != PC_OK)
    return status;
  status = restore(r, blobs, count, &mark, error);
  free_blobs(blobs, count);
  if (status != PC_OK)
    *r->summary = (pc_run_summary){0};
  return status;
}
