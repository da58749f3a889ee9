// Writes runs: declare, start, append, close.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/lock.h"
#include "record/record_state.h"

static int add_series(pc_record *record, const char *name, int first, bool ragged)
{
  int n = record->series.count;
  if (record->error.status == PC_OK && !pc_array_reserve(&record->series, n + 1))
    pc_record_fail(record, PC_ERROR_MEMORY, name, "out of memory");
  if (record->error.status != PC_OK)
    return -1;
  record->series.at[n] =
      (pc_series){.first = first, .count = record->growing.count - first, .ragged = ragged};
  return record->series.count++;
}

int pc_record_series(pc_record *record, const char *name, pc_record_type type, int rows,
                     int columns)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK)
    return -1;
  if (rows < 0 || columns < 0 || !pc_record_type_known(type)) {
    pc_record_fail(record, PC_ERROR_ARGUMENT, name, "a series needs rows, columns and a type");
    return -1;
  }
  int first = record->growing.count;
  pc_quiet quiet = pc_quiet_begin();
  pc_growing_add(record, name, type, rows, columns, false);
  pc_quiet_end(quiet);
  return add_series(record, name, first, false);
}

int pc_record_add(pc_record *record, const char *name, pc_record_type type, int rows, int columns,
                  const char *description, const char *unit)
{
  int handle = pc_record_series(record, name, type, rows, columns);
  if (handle >= 0)
    pc_record_describe(record, name, description, unit != NULL && *unit ? unit : NULL);
  return handle;
}

pc_status pc_record_declare(pc_record *record, pc_record_rhythm rhythm, int count,
                            const pc_record_item *items)
{
  for (const pc_record_item *one = items; one < items + count; one++) {
    if (one->rows == PC_RECORD_NONE)
      continue;
    int handle = pc_record_add(record, one->name, one->type, (int)one->rows, (int)one->columns,
                               one->description, one->unit);
    if (handle < 0)
      break;
    record->series.at[handle].rhythm = (int)rhythm;
    record->series.at[handle].data = one->data;
  }
  return record->error.status;
}

int pc_record_ragged(pc_record *record, const char *name, int count, const pc_record_item *columns)
{
  if (pc_record_before_start(record) != PC_OK || pc_record_check_name(record, name) != PC_OK)
    return -1;
  int first = record->growing.count;
  pc_quiet quiet = pc_quiet_begin();
  char path[512];
  snprintf(path, sizeof path, "%s/offset", name);
  pc_growing_add(record, path, PC_RECORD_LONG, 1, 1, false);
  for (int c = 0; c < count && record->error.status == PC_OK; c++) {
    const pc_record_item *one = &columns[c];
    snprintf(path, sizeof path, "%s/%s", name, one->name);
    if (one->columns < 1 || !pc_record_type_known(one->type))
      pc_record_fail(record, PC_ERROR_ARGUMENT, path, "a column needs a width and a type");
    else if (pc_record_check_name(record, path) == PC_OK)
      pc_growing_add(record, path, one->type, 1, one->columns, true);
    if (one->description != NULL && record->error.status == PC_OK)
      pc_record_describe(record, path, one->description, one->unit);
  }
  pc_quiet_end(quiet);
  return add_series(record, name, first, true);
}

pc_record *pc_record_new(const char *path, pc_error *error)
{
  pc_record *record = calloc(1, sizeof *record);
  if (record != NULL) {
    record->file = -1;
    record->resumed = record->old = -1;
    record->path = pc_record_copy(&record->arena, path, "");
    record->store = calloc(1, sizeof *record->store);
  }
  if (record == NULL || record->arena.failed || record->store == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    if (record != NULL) {
      pc_arena_free(&record->arena);
      free(record->store);
    }
    free(record);
    return NULL;
  }
  record->store->file = -1;
  record->store->driver = record->store->access = -1;
  return record;
}

// Closes whatever is open and frees all. The file itself stays as it is.
static bool drop(pc_record *record)
{
  pc_quiet quiet = pc_quiet_begin();
  for (int i = 0; i < record->growing.count; i++)
    pc_growing_close(&record->growing.at[i]);
  bool closed = record->file < 0 || H5Fclose(record->file) >= 0;
  bool fine = closed,
       own = record->temporary != NULL && pc_file_is_named(record->store->file, record->temporary);
  record->store->whole = closed && record->file >= 0 && record->error.status == PC_OK;
  if (closed) {
    fine = pc_store_close(record->store) && fine;
    free(record->store);
  } // otherwise HDF5 still needs the store when the process ends
  pc_quiet_end(quiet);
  if (own)
    unlink(record->temporary);
  if (record->old >= 0)
    close(record->old);
  pc_arena_free(&record->arena);
  free(record->growing.at);
  free(record->series.at);
  free(record);
  return fine;
}

pc_record *pc_record_give_up(pc_record *record, pc_error *error)
{
  if (error != NULL)
    *error = record->error;
  drop(record);
  return NULL;
}

static void create_file(pc_record *record)
{
  hid_t list = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(list, false);
  record->file = H5Fcreate(record->temporary, H5F_ACC_TRUNC, list, record->store->access);
  pc_record_check(record, record->file >= 0, "");
  H5Pclose(list);
}

pc_record *pc_record_create(const char *path, pc_error *error)
{
  pc_record *record = pc_record_new(path, error);
  if (record == NULL)
    return NULL;
  char *temporary = pc_record_copy(&record->arena, path, ".new");
  if (temporary == NULL)
    pc_record_fail(record, PC_ERROR_MEMORY, "", "out of memory");
  pc_quiet quiet = pc_quiet_begin();
  if (record->error.status == PC_OK && pc_lock_check_free(path, &record->error) == PC_OK &&
      pc_own_check(path, &pc_record_own, PC_OWN_WHOLE, &record->error) == PC_OK &&
      pc_journal_check(path, &record->error) == PC_OK &&
      pc_store_open(record->store, temporary, PC_STORE_CREATE, &record->error) == PC_OK) {
    record->temporary = temporary;
    if (pc_lock_check_free(path, &record->error) == PC_OK) // a new run may have just started
      create_file(record);
  }
  pc_quiet_end(quiet);
  pc_record_text(record, "format", PC_RECORD_FORMAT);
  pc_record_array(record, "complete", PC_RECORD_INT, 1, (long[]){1}, (int32_t[]){0});
  pc_record_describe(record, "complete", "0 running or killed, 1 complete, 2 stopped early", NULL);
  pc_record_identify(record);
  return record->error.status == PC_OK ? record : pc_record_give_up(record, error);
}

static void write_complete(pc_record *record, int32_t complete)
{
  if (record->error.status != PC_OK)
    return;
  hid_t dataset = H5Dopen2(record->file, "complete", H5P_DEFAULT);
  bool fine = dataset >= 0 &&
              H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &complete) >= 0 &&
              H5Dflush(dataset) >= 0;
  pc_record_check(record, fine, "complete");
  pc_hdf5_close(dataset);
}

static void start_offsets(pc_record *record)
{
  for (int i = 0; i < record->series.count; i++)
    if (record->series.at[i].ragged)
      pc_growing_append(record, &record->growing.at[record->series.at[i].first], 1, (int64_t[]){0});
}

static void start(pc_record *record)
{
  if (record->resumed >= 0)
    pc_record_cut(record);
  for (int i = 0; i < record->growing.count; i++)
    pc_growing_close(&record->growing.at[i]);
  if (record->error.status == PC_OK)
    pc_record_check(record, H5Fflush(record->file, H5F_SCOPE_GLOBAL) >= 0, "");
  write_complete(record, 0);
  if (record->error.status == PC_OK)
    pc_record_check(record, H5Fstart_swmr_write(record->file) >= 0, "");
  for (int i = 0; i < record->growing.count && record->error.status == PC_OK; i++)
    pc_growing_open(record, &record->growing.at[i]);
}

// The journal belongs to the older file, which needs it until it is replaced if the new one is its
// copy. A copy that was not made with the journal must not meet it.
static pc_status take_name(pc_record *record)
{
  pc_store *store = record->store;
  if (!record->restored)
    pc_journal_remove(record->path);
  if (!pc_store_complete(store) || (record->old >= 0 && !pc_store_sync(store)))
    return pc_record_fail(record, PC_ERROR_IO, "", pc_file_reason(store->error));
  if (!pc_file_is_named(store->file, record->temporary) ||
      rename(record->temporary, record->path) != 0)
    return pc_record_fail(record, PC_ERROR_IO, "", pc_file_reason(errno));
  record->temporary = NULL;
  if (record->restored)
    pc_journal_remove(record->path);
  if (record->old >= 0)
    close(record->old);
  record->old = -1;
  return pc_record_checkpointed(record);
}

pc_status pc_record_start(pc_record *record)
{
  if (pc_record_before_start(record) != PC_OK)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  start(record);
  pc_quiet_end(quiet);
  if (record->error.status != PC_OK)
    return record->error.status;
  record->started = true;
  if (record->resumed < 0)
    start_offsets(record);
  return pc_record_flush(record) == PC_OK ? take_name(record) : record->error.status;
}

static pc_series *appendable(pc_record *record, int handle, bool ragged)
{
  if (record->error.status != PC_OK)
    return NULL;
  if (!record->started)
    pc_record_fail(record, PC_ERROR_ARGUMENT, "", "nothing can be appended before the start");
  else if (handle < 0 || handle >= record->series.count ||
           record->series.at[handle].ragged != ragged)
    pc_record_fail(record, PC_ERROR_ARGUMENT, "", "no such series");
  return record->error.status == PC_OK ? &record->series.at[handle] : NULL;
}

pc_status pc_record_append(pc_record *record, int handle, const void *data)
{
  pc_series *one = appendable(record, handle, false);
  if (one == NULL)
    return record->error.status;
  pc_growing_append(record, &record->growing.at[one->first], 1, data);
  one->frames++;
  return record->error.status;
}

pc_status pc_record_append_all(pc_record *record, pc_record_rhythm rhythm)
{
  for (int i = 0; i < record->series.count && record->error.status == PC_OK; i++)
    if (record->series.at[i].rhythm == (int)rhythm)
      pc_record_append(record, i, record->series.at[i].data);
  return record->error.status;
}

pc_status pc_record_append_ragged(pc_record *record, int handle, int rows, const void *const *data)
{
  pc_series *one = appendable(record, handle, true);
  if (one == NULL)
    return record->error.status;
  if (rows < 0)
    return pc_record_fail(record, PC_ERROR_ARGUMENT, "", "the number of rows must not be negative");
  pc_growing *offset = &record->growing.at[one->first];
  for (int c = 1; c < one->count; c++)
    pc_growing_append(record, &record->growing.at[one->first + c], rows, data[c - 1]);
  int64_t end = one->count > 1 ? record->growing.at[one->first + 1].count : 0;
  if (pc_growing_space(offset) == 1) // this append writes the offsets
    pc_growing_write_ragged(record, one);
  pc_growing_append(record, offset, 1, &end);
  one->frames++;
  return record->error.status;
}

// Writes the cached data of all datasets and the head, whose end of file must not lie before data
// that a resumed run keeps. In single-writer mode HDF5 writes data before references to it; the
// order of datasets is ours.
static void flush_file(pc_record *record)
{
  pc_quiet quiet = pc_quiet_begin();
  pc_record_check(record, H5Fflush(record->file, H5F_SCOPE_LOCAL) >= 0, "");
  pc_quiet_end(quiet);
}

// Rows of ragged columns first, then the offsets that speak of them, and all else. HDF5 looks
// through all that it holds for each flush, and again for each part of what it writes: one by one,
// or all at once, many series would take a time that grows with the square of their number.
pc_status pc_record_flush(pc_record *record)
{
  if (record->error.status != PC_OK || !record->started)
    return record->error.status;
  enum { AT_ONCE = 1000 };
  bool ragged = false;
  for (int i = 0; i < record->series.count; i++) {
    const pc_series *one = &record->series.at[i];
    ragged = ragged || one->ragged;
    for (int c = 1; c < one->count; c++)
      pc_growing_write(record, &record->growing.at[one->first + c]);
  }
  if (ragged)
    flush_file(record);
  for (int i = 0; i < record->series.count; i++) {
    pc_growing_write(record, &record->growing.at[record->series.at[i].first]);
    if ((i + 1) % AT_ONCE == 0)
      flush_file(record);
  }
  flush_file(record);
  return record->error.status;
}

// What has lost its name is written no more: its journal's name may be another's now.
static void check_place(pc_record *record)
{
  pc_store *store = record->store;
  if (record->error.status != PC_OK || !record->started || store->error != 0)
    return;
  const pc_journal *journal = &store->journal;
  const char *lost = !pc_file_is_named(store->file, record->path) ? record->path
                     : journal->file >= 0 && !pc_file_is_named(journal->file, journal->path)
                         ? journal->path
                         : NULL;
  if (lost != NULL) {
    store->error = errno;
    pc_fail(&record->error, PC_ERROR_IO, "%s: %s", lost, pc_file_reason(store->error));
  }
}

pc_status pc_record_sync(pc_record *record)
{
  check_place(record);
  if (pc_record_flush(record) == PC_OK) {
    pc_quiet quiet = pc_quiet_begin();
    pc_record_check(record, pc_store_sync(record->store), "");
    H5garbage_collect(); // blocks of an index double as it grows; HDF5 keeps those of all sizes
    pc_quiet_end(quiet);
  }
  return record->error.status;
}

const char *pc_record_error(const pc_record *record)
{
  return record->error.text;
}

pc_status pc_record_close(pc_record *record, int complete, pc_error *error)
{
  if (record == NULL)
    return PC_OK;
  if (record->started && pc_record_sync(record) == PC_OK) {
    pc_quiet quiet = pc_quiet_begin();
    write_complete(record, complete);
    pc_quiet_end(quiet);
  }
  pc_error kept = record->error;
  char path[300];
  snprintf(path, sizeof path, "%s", record->path);
  if (!drop(record) && kept.status == PC_OK)
    pc_fail(&kept, PC_ERROR_IO, "%s: cannot close the file", path);
  if (error != NULL && kept.status != PC_OK)
    *error = kept;
  return kept.status;
}
