// Resuming: a copy of the file, in its state at the checkpoint, takes its name when the run starts.
// Until then the file itself stays as it is, so a kill leaves either the one or the other.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"
#include "record/reading_check.h"
#include "record/record_state.h"

// Reads all of the file as it was at the checkpoint, to find out whether it and the journal are
// whole. A journal that is damaged or belongs to another mark is not used, if the file can be read
// without it.
static pc_status choose_state(pc_record *record, pc_journal_content *before)
{
  pc_status status = pc_journal_read(record->path, before, &record->error);
  if (status != PC_OK)
    return status;
  pc_error reason = {.status = PC_ERROR_INPUT};
  if (before->size > 0 && !before->damaged &&
      before->mark == pc_record_mark_name(record->resumed, record->marks))
    reason.status = pc_reading_check(record->path, before, &reason);
  if (reason.status == PC_ERROR_INPUT) {
    pc_journal_forget(before);
    reason.status = pc_reading_check(record->path, NULL, &reason);
  }
  if (reason.status != PC_OK)
    pc_fail(&record->error, reason.status, "%s", reason.text);
  return reason.status;
}

// The lock is shared: readers of the file may still use its journal. The new file has the lock of
// the writer.
static pc_status open_old(pc_record *record)
{
  record->old = pc_file_open(record->path, O_RDWR);
  if (record->old < 0)
    return pc_fail(&record->error, PC_ERROR_IO, "%s: %s", record->path, pc_file_reason(errno));
  return pc_lock_is_taken(record->old, false) ? pc_lock_refuse(record->path, &record->error)
                                              : PC_OK;
}

// A new run may have taken the name before the new file was there.
static pc_status copy_old(pc_record *record, const pc_journal_content *before)
{
  struct stat there;
  char *temporary = pc_record_copy(&record->arena, record->path, ".new");
  if (temporary == NULL)
    return pc_record_fail(record, PC_ERROR_MEMORY, "", "out of memory");
  if (pc_store_open(record->store, temporary, PC_STORE_CREATE, &record->error) != PC_OK)
    return record->error.status;
  record->temporary = temporary;
  if (!pc_file_is_named(record->old, record->path))
    return pc_fail(&record->error, PC_ERROR_IO, "%s: %s", record->path, pc_file_reason(errno));
  bool fine =
      fstat(record->old, &there) == 0 && fchmod(record->store->file, there.st_mode & 0777) == 0;
  if (!fine)
    record->store->error = errno;
  if (!fine || !pc_store_fill(record->store, record->old, before))
    pc_record_fail(record, PC_ERROR_IO, "", "cannot be copied");
  return record->error.status;
}

// The file is marked as open by the writer that was killed, with an end behind that in its head.
static void open_copy(pc_record *record)
{
  hbool_t clear = true;
  if (H5Pexist(record->store->access, "clear_status_flags") > 0)
    H5Pset(record->store->access, "clear_status_flags", &clear);
  record->file = H5Fopen(record->temporary, H5F_ACC_RDWR, record->store->access);
  pc_record_check(record, record->file >= 0 && H5Fincrement_filesize(record->file, 0) >= 0, "");
}

static void resume(pc_record *record)
{
  pc_journal_content before = {.size = 0};
  if (pc_record_is_marked(record->path, record->resumed, record->marks, &record->error) != PC_OK ||
      open_old(record) != PC_OK || choose_state(record, &before) != PC_OK)
    return;
  record->restored = before.size > 0;
  if (copy_old(record, &before) == PC_OK)
    open_copy(record);
  pc_journal_forget(&before);
}

pc_record *pc_record_resume(const char *path, int count, const long *marks, pc_error *error)
{
  pc_record *record = pc_record_new(path, error);
  if (record == NULL)
    return NULL;
  record->resumed = count;
  record->marks = pc_arena_take(&record->arena, (size_t)count, sizeof *marks);
  pc_quiet quiet = pc_quiet_begin();
  if (record->marks == NULL) {
    pc_record_fail(record, PC_ERROR_MEMORY, "", "out of memory");
  } else {
    for (int i = 0; i < count; i++)
      record->marks[i] = marks[i];
    resume(record);
  }
  if (record->error.status == PC_OK) {
    record->identity = marks[PC_MARK_IDENTITY];
    record->identity_at = marks[PC_MARK_IDENTITY_AT];
  }
  pc_quiet_end(quiet);
  return record->error.status == PC_OK ? record : pc_record_give_up(record, error);
}

void pc_record_tidy(const char *path)
{
  char name[4096];
  if (snprintf(name, sizeof name, "%s.new", path) < (int)sizeof name &&
      pc_lock_check_free(path, NULL) == PC_OK)
    pc_own_remove(name, &pc_record_own);
}
