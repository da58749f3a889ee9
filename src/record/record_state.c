// The errors and names of a record.
#include "record/record_state.h"

#include <string.h>

#include "core/error.h"
#include "core/file.h"

pc_status pc_record_fail(pc_record *record, pc_status status, const char *name, const char *why)
{
  int disk = record->store->error;
  if (record->error.status == PC_OK && disk != 0)
    pc_fail(&record->error, PC_ERROR_IO, "%s: %s", record->path, pc_file_reason(disk));
  else if (record->error.status == PC_OK)
    pc_fail(&record->error, status, "%s: %s%s%s", record->path, name, *name ? ": " : "", why);
  return record->error.status;
}

pc_status pc_record_check(pc_record *record, bool fine, const char *name)
{
  if (record->error.status != PC_OK)
    return record->error.status;
  char reason[300];
  pc_quiet_reason(reason, sizeof reason);
  if (fine && record->store->error == 0)
    return PC_OK;
  if (record->resumed >= 0 && !record->started) // what is there cannot be read
    return pc_record_fail(record, PC_ERROR_INPUT, name, "damaged or truncated");
  return pc_record_fail(record, PC_ERROR_IO, name, *reason ? reason : "HDF5 failed");
}

pc_status pc_record_before_start(pc_record *record)
{
  if (record->error.status == PC_OK && record->started)
    pc_record_fail(record, PC_ERROR_ARGUMENT, "", "nothing can be declared after the start");
  return record->error.status;
}

char *pc_record_copy(pc_arena *arena, const char *text, const char *end)
{
  size_t length = strlen(text), more = strlen(end);
  char *copy = pc_arena_take(arena, length + more + 1, 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    memcpy(copy + length, end, more);
  }
  return copy;
}

pc_status pc_record_check_name(pc_record *record, const char *name)
{
  size_t length = name != NULL ? strlen(name) : 0;
  if (length == 0 || length > 200 || name[0] == '/' || name[length - 1] == '/' ||
      strstr(name, "//") != NULL || name[0] == '.' || strstr(name, "/.") != NULL)
    return pc_record_fail(record, PC_ERROR_ARGUMENT, name != NULL ? name : "",
                          "not a name: expected parts separated by single slashes");
  return record->error.status;
}
