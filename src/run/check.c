// Checks the files of a run for damage.
#include "percuss/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "record/journal.h"
#include "record/reading_check.h"
#include "run/files.h"

typedef struct checking {
  const char *path; // of the file that is looked at
  pc_checked *result;
  bool no_memory;
} checking;

static void add_damage(void *context, const char *what)
{
  checking *c = context;
  pc_checked *result = c->result;
  pc_damage *longer = realloc(result->damage, ((size_t)result->count + 1) * sizeof *result->damage);
  if (longer != NULL)
    result->damage = longer;
  pc_damage one = {strdup(c->path), strdup(what)};
  if (longer != NULL && one.file != NULL && one.what != NULL) {
    result->damage[result->count++] = one;
    return;
  }
  free(one.file);
  free(one.what);
  c->no_memory = true;
}

// Without the name of the file before it.
static const char *reason_of(const pc_error *error, const char *path)
{
  size_t length = strlen(path);
  bool named = strncmp(error->text, path, length) == 0 && error->text[length] == ':' &&
               error->text[length + 1] == ' ';
  return named ? error->text + length + 2 : error->text;
}

static pc_checked_run run_of(pc_reading *reading, bool unclosed)
{
  int complete = pc_reading_complete(reading);
  if (pc_reading_is_written(reading))
    return PC_CHECKED_RUNNING;
  return unclosed || complete == 0 ? PC_CHECKED_KILLED
         : complete == 1           ? PC_CHECKED_WHOLE
                                   : PC_CHECKED_STOPPED;
}

static pc_status check_record(checking *c, const char *path, pc_error *error)
{
  pc_checked *result = c->result;
  pc_error reason = {.status = PC_OK};
  pc_survey survey = {.damaged = add_damage, .context = c};
  c->path = path;
  result->record = PC_FILE_DAMAGED;
  pc_reading *reading = pc_reading_open_damaged(path, &reason);
  if (reading != NULL) {
    reason.status = pc_reading_survey(reading, &survey, &reason);
    result->run = run_of(reading, pc_journal_exists(path));
  }
  pc_reading_close(reading);
  if (reason.status == PC_ERROR_INPUT)
    add_damage(c, reason_of(&reason, path));
  else if (reason.status != PC_OK)
    return pc_fail(error, reason.status, "%s", reason.text);
  result->datasets = survey.datasets;
  result->unprotected = survey.unprotected;
  if (result->count == 0)
    result->record = PC_FILE_SOUND;
  return PC_OK;
}

static pc_status check_checkpoint(checking *c, const char *path, const char *record,
                                  pc_error *error)
{
  struct stat there;
  pc_error reason = {.status = PC_OK};
  pc_blob marks = {.name = "record"};
  if (stat(path, &there) != 0 && errno == ENOENT)
    return PC_OK;
  c->path = path;
  pc_status status = pc_checkpoint_read(path, 1, &marks, &reason);
  bool another = status == PC_OK && pc_record_is_marked(record, (int)(marks.size / sizeof(long)),
                                                        marks.data, NULL) != PC_OK;
  free(marks.data);
  if (status != PC_OK && status != PC_ERROR_INPUT)
    return pc_fail(error, status, "%s", reason.text);
  if (status == PC_ERROR_INPUT)
    add_damage(c, reason_of(&reason, path));
  else if (another)
    add_damage(c, "the checkpoint belongs to another run");
  c->result->checkpoint = status == PC_OK && !another ? PC_FILE_SOUND : PC_FILE_DAMAGED;
  return PC_OK;
}

static pc_status check_journal(checking *c, const char *record, pc_error *error)
{
  pc_journal_content content;
  if (!pc_journal_exists(record))
    return PC_OK;
  if (c->result->run == PC_CHECKED_RUNNING) {
    c->result->journal = PC_FILE_IN_USE;
    return PC_OK;
  }
  pc_error reason = {.status = PC_OK};
  pc_status status = pc_journal_read(record, &content, &reason);
  bool damaged = status == PC_OK && content.damaged;
  pc_journal_forget(&content);
  if (status != PC_OK)
    return pc_fail(error, status, "%s", reason.text);
  if (damaged) {
    char *name = pc_journal_name(record);
    c->path = name != NULL ? name : record;
    add_damage(c, "the journal is damaged");
    free(name);
  }
  c->result->journal = damaged ? PC_FILE_DAMAGED : PC_FILE_SOUND;
  return PC_OK;
}

pc_status pc_run_check(const char *path, pc_checked *result, pc_error *error)
{
  if (path == NULL || result == NULL)
    return pc_fail_null(error, "the name of the run and the result");
  *result = (pc_checked){.damage = NULL};
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  checking c = {.result = result};
  pc_run_files files = {.others = 0};
  pc_status status = pc_run_files_name(&files, path)
                         ? check_record(&c, path, error)
                         : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK)
    status = check_checkpoint(&c, files.checkpoint, path, error);
  if (status == PC_OK)
    status = check_journal(&c, path, error);
  pc_run_files_free(&files);
  if (status == PC_OK && c.no_memory)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return status;
}

void pc_checked_free(pc_checked *result)
{
  if (result == NULL)
    return;
  for (int i = 0; i < result->count; i++) {
    free(result->damage[i].file);
    free(result->damage[i].what);
  }
  free(result->damage);
  *result = (pc_checked){.damage = NULL};
}
