// Resuming: restores the file to its state at the checkpoint.
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "record/lock.h"
#include "record/record_state.h"

// Reads the file as it would be after the journal is applied, to find out whether the journal is
// complete. A journal that is damaged or belongs to another mark is not used, if the file can be
// read without it.
static pc_status go_back(pc_record *record)
{
  pc_journal_content before;
  pc_status status = pc_journal_read(record->path, &before, &record->error);
  if (status != PC_OK)
    return status;
  pc_error reason = {.status = PC_ERROR_INPUT};
  if (before.size > 0 && before.mark == pc_record_mark_name(record->resumed, record->marks))
    reason.status = pc_reading_check(record->path, &before, &reason);
  if (reason.status == PC_ERROR_INPUT) {
    pc_journal_forget(&before);
    reason.status = pc_reading_check(record->path, NULL, &reason);
  }
  if (reason.status == PC_OK)
    return pc_journal_go_back(record->path, record->store->file, &before, &record->error);
  pc_journal_forget(&before);
  return reason.status == PC_ERROR_INPUT
             ? pc_record_fail(record, PC_ERROR_INPUT, "", "damaged or cut off")
             : pc_fail(&record->error, reason.status, "%s", reason.text);
}

// A killed writer leaves the file marked as open, with an end behind that in its head. First the
// file is restored to its checkpoint; a new journal then protects that state.
static void open_killed(pc_record *record)
{
  if (go_back(record) != PC_OK)
    return;
  pc_record_set_mark(record, record->resumed, record->marks, false);
  if (record->error.status != PC_OK)
    return;
  hbool_t clear = true;
  if (H5Pexist(record->store->access, "clear_status_flags") > 0)
    H5Pset(record->store->access, "clear_status_flags", &clear);
  record->file = H5Fopen(record->path, H5F_ACC_RDWR, record->store->access);
  pc_record_check(record, record->file >= 0 && H5Fincrement_filesize(record->file, 0) >= 0, "");
}

pc_record *pc_record_resume(const char *path, int count, const long *marks, pc_error *error)
{
  pc_record *record = pc_record_new(path, error);
  if (record == NULL)
    return NULL;
  record->resumed = count;
  record->marks = pc_arena_take(&record->arena, (size_t)count, sizeof *marks);
  if (record->marks == NULL)
    pc_record_fail(record, PC_ERROR_MEMORY, "", "out of memory");
  else if (pc_record_is_marked(path, count, marks, &record->error) == PC_OK) {
    memcpy(record->marks, marks, (size_t)count * sizeof *marks);
    record->identity = marks[PC_MARK_IDENTITY];
    record->identity_at = marks[PC_MARK_IDENTITY_AT];
  }
  pc_quiet quiet = pc_quiet_begin();
  if (record->error.status == PC_OK &&
      pc_store_open(record->store, path, PC_STORE_WRITE, &record->error) == PC_OK)
    open_killed(record);
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
