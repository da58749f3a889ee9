// The checkpoint of many runs: the finished members with their measured quantities.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/written.h"
#include "record/record.h"
#include "run/inputs.h"
#include "run/meaning.h"
#include "run/program.h"
#include "run/runs.h"

enum { BLOBS = 6, GROUP = 80 };

typedef struct head {
  uint64_t scene;
  int64_t members;
} head;

// Rows are numbers one after the other: of each run its number, how many values it has and their
// fields and values, how many samples it has and of each its group, its length and its values.
typedef struct rows {
  PC_ARRAY(double) numbers;
  bool failed;
} rows;

static void put(rows *r, double number)
{
  double *place = r->failed ? NULL : pc_array_add(&r->numbers);
  r->failed = place == NULL;
  if (!r->failed)
    *place = number;
}

// Groups of samples by their numbers.
typedef char group_name[GROUP];
typedef struct groups {
  PC_ARRAY(group_name) names;
  bool failed;
} groups;

static int find_group(groups *g, const char *name)
{
  for (int i = 0; i < g->names.count; i++)
    if (strcmp(g->names.at[i], name) == 0)
      return i;
  group_name *place = pc_array_add(&g->names);
  g->failed = g->failed || place == NULL;
  if (place != NULL)
    snprintf(*place, GROUP, "%s", name);
  return g->failed ? 0 : g->names.count - 1;
}

static void put_member(rows *r, groups *g, const pc_runs_slot *member, int i)
{
  put(r, i);
  put(r, member->count);
  for (int k = 0; k < member->count; k++) {
    put(r, member->field[k]);
    put(r, member->value[k]);
  }
  put(r, member->samples);
  for (int k = 0; k < member->samples; k++) {
    const pc_sample *sample = &member->sample[k];
    put(r, find_group(g, sample->group));
    put(r, sample->count);
    for (int n = 0; n < sample->count; n++)
      put(r, sample->values[n]);
  }
}

// A line for each field: marks, name and unit with a tab between. Names have no tabs.
static char *write_fields(const pc_runs *runs, size_t *size)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return NULL;
  for (int i = 0; i < runs->fields.count; i++) {
    const pc_runs_field *field = &runs->fields.at[i];
    fprintf(written.to, "%d\t%s\t%s\n", field->whole | field->sums << 1 | (int)field->shown << 2,
            field->name, field->unit);
  }
  char *text = pc_written_end(&written);
  *size = written.size;
  return text;
}

pc_status pc_runs_save(const pc_runs *runs, pc_error *error)
{
  rows r = {0};
  groups g = {0};
  size_t size = 0;
  head h = {.scene = runs->hash, .members = pc_runs_total(runs)};
  for (int i = 0; i < pc_runs_total(runs); i++)
    if (atomic_load(&runs->member[i].state) == PC_RUN_FINISHED)
      put_member(&r, &g, &runs->member[i], i);
  char *fields = write_fields(runs, &size);
  uint64_t *states = calloc((size_t)pc_runs_total(runs) + 1, sizeof *states);
  for (int i = 0; i < pc_runs_total(runs) && states != NULL; i++)
    states[i] = pc_runs_member(runs, i).hash;
  char program[PC_RUN_PROGRAM];
  pc_run_program(program);
  pc_blob blobs[] = {{"runs", &h, sizeof h},
                     {"fields", fields, size},
                     {"groups", g.names.at, (size_t)g.names.count * GROUP},
                     {"rows", r.numbers.at, (size_t)r.numbers.count * sizeof(double)},
                     {"states", states, (size_t)pc_runs_total(runs) * sizeof *states},
                     {PC_RUN_PROGRAM_BLOB, program, strlen(program)},
                     {PC_MEANING_BLOB, runs->meaning, strlen(runs->meaning)},
                     {PC_RUNS_ABOUT_BLOB, runs->about.text, runs->about.size}};
  pc_status status = r.failed || g.failed || fields == NULL || states == NULL
                         ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                         : pc_checkpoint_write(runs->checkpoint, PC_COUNT(blobs), blobs, error);
  pc_array_free(&r.numbers);
  pc_array_free(&g.names);
  free(fields);
  free(states);
  return status;
}

// Numbers as they come; behind the end there is none.
typedef struct tape {
  const double *number;
  size_t count, at;
  bool damaged;
} tape;

static double next(tape *t)
{
  t->damaged = t->damaged || t->at >= t->count;
  return t->damaged ? 0 : t->number[t->at++];
}

// A whole number below `limit`, which may be what is left of the tape.
static int next_below(tape *t, double limit)
{
  double number = next(t);
  t->damaged = t->damaged || !(number >= 0 && number < limit && number == floor(number));
  return t->damaged ? 0 : (int)number;
}

static bool load_values(pc_runs *runs, pc_runs_slot *member, tape *t)
{
  int count = next_below(t, (double)(t->count - t->at) + 1);
  member->field = calloc((size_t)count + 1, sizeof *member->field);
  member->value = calloc((size_t)count + 1, sizeof *member->value);
  if (member->field == NULL || member->value == NULL)
    return false;
  for (; member->count < count && !t->damaged; member->count++) {
    member->field[member->count] = next_below(t, runs->fields.count);
    member->value[member->count] = next(t);
  }
  return true;
}

static bool load_samples(pc_runs_slot *member, const groups *g, tape *t)
{
  int count = next_below(t, (double)(t->count - t->at) + 1);
  member->sample = calloc((size_t)count + 1, sizeof *member->sample);
  if (member->sample == NULL)
    return false;
  for (int k = 0; k < count && !t->damaged; k++) {
    pc_sample *sample = &member->sample[member->samples];
    int group = next_below(t, g->names.count),
        length = next_below(t, (double)(t->count - t->at) + 1);
    if (t->damaged)
      break;
    snprintf(sample->group, GROUP, "%s", g->names.at[group]);
    sample->values = calloc((size_t)length + 1, sizeof *sample->values);
    if (sample->values == NULL)
      return false;
    member->samples++;
    for (; sample->count < length; sample->count++)
      sample->values[sample->count] = next(t);
  }
  return true;
}

static bool load_members(pc_runs *runs, const groups *g, tape *t)
{
  while (t->at < t->count && !t->damaged) {
    pc_runs_slot *member = &runs->member[next_below(t, pc_runs_total(runs))];
    t->damaged = t->damaged || atomic_load(&member->state) != PC_RUN_WAITING;
    if (t->damaged)
      return true;
    if (!load_values(runs, member, t) || !load_samples(member, g, t))
      return false;
    atomic_store(&member->state, PC_RUN_FINISHED);
  }
  return true;
}

// A file with other fields than a run can have is `damaged`; otherwise false when memory is out.
static bool load_fields(pc_runs *runs, const char *text, size_t size, bool *damaged)
{
  const char *end = text + size;
  while (text < end) {
    const char *line = memchr(text, '\n', (size_t)(end - text));
    const char *name = line != NULL ? memchr(text, '\t', (size_t)(line - text)) : NULL;
    const char *unit = name != NULL ? memchr(name + 1, '\t', (size_t)(line - name - 1)) : NULL;
    char called[160], in[40];
    *damaged = unit == NULL || name - text > 2 || *text < '0' || *text > '9';
    if (*damaged)
      return true;
    long marks = strtol(text, NULL, 10); // ends at the tab
    *damaged = marks >> 2 > PC_SHOW_POOLED;
    if (*damaged)
      return true;
    snprintf(called, sizeof called, "%.*s", (int)(unit - name - 1), name + 1);
    snprintf(in, sizeof in, "%.*s", (int)(line - unit - 1), unit + 1);
    pc_runs_field like = {.unit = in,
                          .whole = marks & 1,
                          .sums = (marks & 2) != 0,
                          .shown = (pc_quantity_shown)(marks >> 2)};
    if (pc_runs_find_field(runs, called, &like, runs->fields.count) < 0)
      return false;
    text = line + 1;
  }
  return true;
}

static pc_status load(pc_runs *runs, const pc_blob *blobs, pc_error *error)
{
  head h;
  const char *path = runs->checkpoint;
  pc_error reason = {.status = PC_OK};
  size_t members = (size_t)pc_runs_total(runs);
  if (blobs[0].size != sizeof h || blobs[2].size % GROUP != 0 ||
      blobs[3].size % sizeof(double) != 0) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s: written by another version", path);
    return pc_run_cannot_resume(&reason, error);
  }
  memcpy(&h, blobs[0].data, sizeof h);
  if (h.scene != runs->hash)
    return pc_meaning_refuse(runs->scene, path, runs->meaning, error);
  if (h.members != (int64_t)members || blobs[4].size != members * sizeof(uint64_t)) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s is damaged", path);
    return pc_run_cannot_resume(&reason, error);
  }
  groups g = {.names = {.at = blobs[2].data, .count = (int)(blobs[2].size / GROUP)}};
  for (int i = 0; i < g.names.count; i++)
    g.names.at[i][GROUP - 1] = 0;
  tape t = {.number = blobs[3].data, .count = blobs[3].size / sizeof(double)};
  bool whole =
      load_fields(runs, blobs[1].data, blobs[1].size, &t.damaged) && load_members(runs, &g, &t);
  for (size_t i = 0; i < members; i++)
    runs->member[i].hash = ((const uint64_t *)blobs[4].data)[i];
  if (t.damaged) {
    pc_fail(&reason, PC_ERROR_INPUT, "%s is damaged", path);
    return pc_run_cannot_resume(&reason, error);
  }
  return whole ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

static const pc_blob wanted[BLOBS] = {{"runs", NULL, 0},   {"fields", NULL, 0},
                                      {"groups", NULL, 0}, {"rows", NULL, 0},
                                      {"states", NULL, 0}, {PC_RUN_PROGRAM_BLOB, NULL, 0}};

pc_status pc_runs_load(pc_runs *runs, pc_error *error)
{
  pc_blob blobs[BLOBS];
  memcpy(blobs, wanted, sizeof blobs);
  struct stat there;
  pc_error reason = {.status = PC_OK};
  if (stat(runs->checkpoint, &there) != 0 && errno == ENOENT) {
    // Killed before the first checkpoint, or never begun.
    runs->anew = stat(runs->table, &there) != 0 && errno == ENOENT;
    return runs->anew
               ? PC_OK
               : pc_fail(
                     error, PC_ERROR_INPUT,
                     "%s has no checkpoint to resume from; start without --resume to replace it",
                     runs->table);
  }
  pc_status status = pc_run_check_program(runs->checkpoint, &reason);
  if (status == PC_OK)
    status = pc_checkpoint_read(runs->checkpoint, BLOBS, blobs, &reason);
  status = status == PC_OK ? load(runs, blobs, error) : pc_run_cannot_resume(&reason, error);
  for (int i = 0; i < BLOBS; i++)
    free(blobs[i].data);
  return status;
}

pc_status pc_runs_take_over(pc_runs *runs, pc_error *error)
{
  pc_blob blobs[BLOBS];
  memcpy(blobs, wanted, sizeof blobs);
  pc_status status = pc_checkpoint_read(runs->checkpoint, BLOBS, blobs, error);
  if (status == PC_OK && blobs[0].size == sizeof(head))
    memcpy(&runs->hash, blobs[0].data, sizeof runs->hash); // whatever scene it is of
  if (status == PC_OK)
    status = load(runs, blobs, error);
  for (int i = 0; i < BLOBS; i++)
    free(blobs[i].data);
  return status;
}
