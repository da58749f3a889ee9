// Writing runs. Appended rows wait in memory until a chunk is full, or until a flush.
//
// Under HDF5's single-writer mode a compressed chunk that is written a second time moves to a new
// place and its old one is lost. So a dataset is compressed where every chunk is written once (one
// frame or less in a chunk) and left plain where a chunk gathers many small frames; the last chunk
// of a ragged column is the exception, and is small.
#include "record/record.h"

#include <errno.h>
#include <hdf5.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "record/store.h"
#include "record/types.h"

enum {
  SMALL_CHUNK = 4096,     // bytes, of many small frames
  LARGE_CHUNK = 1 << 18,  // bytes, of a part of one frame
  RAGGED_CHUNK = 1 << 14, // bytes
  RAGGED_BUFFER = 16,     // chunks of a ragged column kept in memory
  MAX_RANK = 4,
};

// A dataset that grows in its first dimension.
typedef struct growing {
  const char *name;
  pc_record_type type;
  int rank;
  hsize_t size[3], chunk[3];
  bool compressed;
  hid_t dataset;
  size_t row_numbers, row_bytes; // of one step in the first dimension, as stored
  long count, written;           // rows appended, and those that HDF5 has
  long room;                     // rows that the buffer holds, whole chunks
  unsigned char *buffer;         // rows written .. count
} growing;

// A handle: one dataset, or the offsets and columns of a ragged one.
typedef struct series {
  int first, count; // in `growing`
  bool ragged;
  long frames;
} series;

struct pc_record {
  pc_arena arena;
  pc_error error;
  char *path, *temporary; // the latter until the start of a new file
  pc_store *store;
  hid_t file;
  bool started;
  growing *growing;
  int growing_count, growing_capacity;
  series *series;
  int series_count, series_capacity;
  int resumed; // series that were there, -1: a new file
  long *resumed_frames;
};

// --- failures -----------------------------------------------------------------------------------

// The first failure is the one that counts.
static pc_status fail(pc_record *record, pc_status status, const char *name, const char *why)
{
  if (record->error.status == PC_OK)
    pc_fail(&record->error, status, "%s: %s%s%s", record->path, name, *name ? ": " : "", why);
  return record->error.status;
}

// After calls of HDF5: what the disk says goes first, since HDF5 does not hear of it.
static pc_status check(pc_record *record, bool fine, const char *name)
{
  if (record->error.status != PC_OK)
    return record->error.status;
  char reason[300];
  pc_quiet_reason(reason, sizeof reason);
  if (record->store->error != 0)
    return fail(record, PC_ERROR_IO, "", strerror(record->store->error));
  return fine ? PC_OK : fail(record, PC_ERROR_IO, name, *reason ? reason : "HDF5 failed");
}

static pc_status before_start(pc_record *record)
{
  if (record->error.status == PC_OK && record->started)
    fail(record, PC_ERROR_ARGUMENT, "", "nothing can be declared after the start");
  return record->error.status;
}

static char *copy_text(pc_arena *arena, const char *text, const char *end)
{
  size_t length = strlen(text), more = strlen(end);
  char *copy = pc_arena_take(arena, length + more + 1, 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    memcpy(copy + length, end, more);
  }
  return copy;
}

// Paths without empty parts: "bodies/mass".
static pc_status check_name(pc_record *record, const char *name)
{
  size_t length = name != NULL ? strlen(name) : 0;
  if (length == 0 || length > 200 || name[0] == '/' || name[length - 1] == '/' ||
      strstr(name, "//") != NULL || name[0] == '.' || strstr(name, "/.") != NULL)
    return fail(record, PC_ERROR_ARGUMENT, name != NULL ? name : "",
                "not a name: expected parts separated by single slashes");
  return record->error.status;
}

// --- making datasets ----------------------------------------------------------------------------

// The groups on the way to a name. No times are kept anywhere: equal runs give equal files.
static bool make_groups(pc_record *record, const char *name)
{
  bool fine = true;
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(list, false);
  for (const char *slash = strchr(name, '/'); slash != NULL && fine;
       slash = strchr(slash + 1, '/')) {
    char part[256];
    snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
    htri_t there = H5Lexists(record->file, part, H5P_DEFAULT);
    if (there > 0)
      continue;
    hid_t group = there == 0 ? H5Gcreate2(record->file, part, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    fine = group >= 0 && H5Gclose(group) >= 0;
  }
  H5Pclose(list);
  return fine;
}

static hid_t make_dataset(pc_record *record, const char *name, hid_t type, hid_t space, hid_t list)
{
  H5Pset_obj_track_times(list, false);
  if (space < 0 || type < 0 || !make_groups(record, name))
    return -1;
  return H5Dcreate2(record->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
}

static bool write_array(pc_record *record, const char *name, pc_record_type type, int rank,
                        const hsize_t *size, const void *data)
{
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t numbers = 1;
  for (int i = 0; i < rank; i++)
    numbers *= size[i];
  if (numbers * pc_record_type_size(type) > SMALL_CHUNK) { // large ones are worth compressing
    hsize_t chunk[MAX_RANK];
    pc_record_chunk(rank, size, pc_record_type_size(type), LARGE_CHUNK, chunk);
    H5Pset_chunk(list, rank, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 4);
  }
  hid_t space = H5Screate_simple(rank, size, NULL);
  hid_t dataset = make_dataset(record, name, pc_record_type_stored(type), space, list);
  // Floats are given as doubles; HDF5 converts.
  hid_t given = type == PC_RECORD_FLOAT ? H5T_NATIVE_DOUBLE : pc_record_type_native(type);
  bool fine = dataset >= 0 &&
              (numbers == 0 || H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  pc_status status = check(record, fine, name);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
  return status == PC_OK;
}

// A resumed file keeps what it has; only the sizes must be the same.
static bool same_array(pc_record *record, const char *name, int rank, const hsize_t *size)
{
  hid_t dataset = H5Dopen2(record->file, name, H5P_DEFAULT);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  hsize_t there[H5S_MAX_RANK];
  bool same = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
              H5Sget_simple_extent_dims(space, there, NULL) >= 0;
  for (int i = 0; i < rank && same; i++)
    same = there[i] == size[i];
  if (space >= 0)
    H5Sclose(space);
  if (dataset >= 0)
    H5Dclose(dataset);
  if (!same)
    fail(record, PC_ERROR_INPUT, name, "missing or of another size in the file to be resumed");
  return same;
}

pc_status pc_record_array(pc_record *record, const char *name, pc_record_type type, int rank,
                          const long *size, const void *data)
{
  if (before_start(record) != PC_OK || check_name(record, name) != PC_OK)
    return record->error.status;
  if (rank < 1 || rank > MAX_RANK || !pc_record_type_known(type))
    return fail(record, PC_ERROR_ARGUMENT, name, "an array has 1 to 4 dimensions and a type");
  hsize_t dimensions[MAX_RANK];
  for (int i = 0; i < rank; i++) {
    if (size[i] < 0)
      return fail(record, PC_ERROR_ARGUMENT, name, "a size is negative");
    dimensions[i] = (hsize_t)size[i];
  }
  pc_quiet quiet = pc_quiet_begin();
  if (record->resumed >= 0)
    same_array(record, name, rank, dimensions);
  else
    write_array(record, name, type, rank, dimensions, data);
  pc_quiet_end(quiet);
  return record->error.status;
}

// Texts are stored with a fixed length, without an end mark.
static hid_t text_type(const char *text)
{
  hid_t type = H5Tcopy(H5T_C_S1);
  size_t length = strlen(text);
  H5Tset_size(type, length > 0 ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

static void write_text(pc_record *record, const char *name, const char *text)
{
  hid_t type = text_type(text), space = H5Screate(H5S_SCALAR);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t dataset = make_dataset(record, name, type, space, list);
  bool fine = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  check(record, fine, name);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

pc_status pc_record_text(pc_record *record, const char *name, const char *text)
{
  if (before_start(record) != PC_OK || check_name(record, name) != PC_OK)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  if (record->resumed < 0)
    write_text(record, name, text);
  else if (H5Oexists_by_name(record->file, name, H5P_DEFAULT) <= 0)
    fail(record, PC_ERROR_INPUT, name, "missing in the file to be resumed");
  pc_quiet_end(quiet);
  return record->error.status;
}

pc_status pc_record_names(pc_record *record, const char *name, int count, char *const *names)
{
  size_t size = 1;
  for (int i = 0; i < count; i++)
    size += strlen(names[i]) + 1;
  char *text = malloc(size), *to = text;
  if (text == NULL)
    return PC_ERROR_MEMORY;
  for (int i = 0; i < count; i++) {
    size_t length = strlen(names[i]);
    memcpy(to, names[i], length);
    to += length;
    *to++ = '\n';
  }
  *to = 0;
  pc_status status = pc_record_text(record, name, text);
  free(text);
  return status;
}

static bool write_attribute(hid_t dataset, const char *name, const char *text)
{
  hid_t type = text_type(text), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool fine = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return fine;
}

pc_status pc_record_describe(pc_record *record, const char *name, const char *description,
                             const char *unit)
{
  if (before_start(record) != PC_OK || check_name(record, name) != PC_OK || record->resumed >= 0)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = H5Dopen2(record->file, name, H5P_DEFAULT);
  bool fine = dataset >= 0 &&
              (description == NULL || write_attribute(dataset, "description", description)) &&
              (unit == NULL || write_attribute(dataset, "unit", unit));
  check(record, fine, name);
  if (dataset >= 0)
    H5Dclose(dataset);
  pc_quiet_end(quiet);
  return record->error.status;
}

void pc_record_put(pc_record *record, pc_status *status, const char *name, pc_record_type type,
                   long rows, long columns, const void *data, const char *description,
                   const char *unit)
{
  long size[2] = {rows, columns};
  if (*status == PC_OK)
    *status = pc_record_array(record, name, type, columns > 1 ? 2 : 1, size, data);
  if (*status == PC_OK)
    *status = pc_record_describe(record, name, description, unit != NULL && *unit ? unit : NULL);
}

// --- datasets that grow -------------------------------------------------------------------------

static void make_growing(pc_record *record, const growing *column)
{
  hsize_t now[3] = {0, column->size[1], column->size[2]};
  hsize_t most[3] = {H5S_UNLIMITED, column->size[1], column->size[2]};
  for (int i = 1; i < column->rank; i++)
    if (most[i] == 0) // HDF5 wants room for one chunk
      most[i] = 1;
  hid_t space = H5Screate_simple(column->rank, now, most);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, column->rank, column->chunk);
  if (column->compressed) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
  }
  hid_t dataset =
      make_dataset(record, column->name, pc_record_type_stored(column->type), space, list);
  check(record, dataset >= 0, column->name);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Pclose(list);
  H5Sclose(space);
}

// The cache holds the one chunk that may be written again.
static void open_growing(pc_record *record, growing *column)
{
  size_t bytes = pc_record_type_size(column->type);
  for (int i = 0; i < column->rank; i++)
    bytes *= column->chunk[i];
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(list, 7, bytes, 1);
  column->dataset = H5Dopen2(record->file, column->name, list);
  H5Pclose(list);
  check(record, column->dataset >= 0, column->name);
}

static void close_growing(growing *column)
{
  if (column->dataset >= 0)
    H5Dclose(column->dataset);
  column->dataset = -1;
}

// Is what the file has what is declared now? Its length goes to `written`.
static void match_growing(pc_record *record, growing *column)
{
  open_growing(record, column);
  if (column->dataset < 0)
    return;
  hid_t type = H5Dget_type(column->dataset), space = H5Dget_space(column->dataset);
  hsize_t size[H5S_MAX_RANK] = {0};
  bool same = type >= 0 && space >= 0 && H5Tequal(type, pc_record_type_stored(column->type)) > 0 &&
              H5Sget_simple_extent_ndims(space) == column->rank &&
              H5Sget_simple_extent_dims(space, size, NULL) >= 0;
  for (int i = 1; i < column->rank && same; i++)
    same = size[i] == column->size[i];
  column->written = column->count = (long)size[0];
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  if (!same)
    fail(record, PC_ERROR_INPUT, column->name, "of another type or size in the file to be resumed");
}

// Adds one dataset of rows x columns numbers a step; `ragged` is one of single rows.
static void add_growing(pc_record *record, const char *name, pc_record_type type, long rows,
                        long columns, bool ragged)
{
  int n = record->growing_count;
  if (!pc_grow(&record->growing, &record->growing_capacity, n + 1, sizeof *record->growing)) {
    fail(record, PC_ERROR_MEMORY, name, "out of memory");
    return;
  }
  growing *column = &record->growing[n];
  *column = (growing){.type = type, .rank = 1, .size = {1}, .dataset = -1};
  if (rows != 1)
    column->size[column->rank++] = (hsize_t)rows;
  if (columns != 1)
    column->size[column->rank++] = (hsize_t)columns;
  column->row_numbers = (size_t)rows * (size_t)columns;
  column->row_bytes = column->row_numbers * pc_record_type_size(type);
  long chunk_bytes = ragged ? RAGGED_CHUNK : SMALL_CHUNK;
  long steps = column->row_bytes > 0 ? chunk_bytes / (long)column->row_bytes : chunk_bytes;
  pc_record_chunk(column->rank, column->size, pc_record_type_size(type), LARGE_CHUNK,
                  column->chunk);
  column->chunk[0] = steps > 1 ? (hsize_t)steps : 1;
  column->compressed = ragged || steps <= 1;
  column->room = (long)column->chunk[0] * (ragged ? RAGGED_BUFFER : 1);
  column->name = copy_text(&record->arena, name, "");
  column->buffer = pc_arena_take(&record->arena, (size_t)column->room, column->row_bytes);
  if (record->arena.failed) {
    fail(record, PC_ERROR_MEMORY, name, "out of memory");
    return;
  }
  record->growing_count++;
  if (record->resumed >= 0)
    match_growing(record, column);
  else
    make_growing(record, column);
}

// Cuts what is longer than `rows`.
static void cut_growing(pc_record *record, growing *column, long rows)
{
  if (record->error.status != PC_OK)
    return;
  hsize_t size[3] = {(hsize_t)rows, column->size[1], column->size[2]};
  if (rows < 0 || column->written < rows)
    fail(record, PC_ERROR_INPUT, column->name,
         "the file is shorter than its checkpoint says; start again without resuming");
  else if (column->written > rows)
    check(record, H5Dset_extent(column->dataset, size) >= 0, column->name);
  column->written = column->count = rows;
}

// Gives HDF5 the rows from `written` on.
static void write_rows(pc_record *record, growing *column, const void *rows, long count)
{
  if (count == 0 || record->error.status != PC_OK)
    return;
  pc_quiet quiet = pc_quiet_begin();
  hsize_t start[3] = {(hsize_t)column->written, 0, 0};
  hsize_t part[3] = {(hsize_t)count, column->size[1], column->size[2]};
  hsize_t whole[3] = {(hsize_t)(column->written + count), column->size[1], column->size[2]};
  bool fine = H5Dset_extent(column->dataset, whole) >= 0;
  if (fine && column->row_bytes > 0) {
    hid_t memory = H5Screate_simple(column->rank, part, NULL);
    hid_t space = H5Dget_space(column->dataset);
    fine = memory >= 0 && space >= 0 &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL) >= 0 &&
           H5Dwrite(column->dataset, pc_record_type_native(column->type), memory, space,
                    H5P_DEFAULT, rows) >= 0;
    check(record, fine, column->name);
    H5Sclose(memory);
    H5Sclose(space);
  }
  check(record, fine, column->name);
  column->written += count;
  pc_quiet_end(quiet);
}

static void write_buffer(pc_record *record, growing *column)
{
  write_rows(record, column, column->buffer, column->count - column->written);
}

static void flush_dataset(pc_record *record, growing *column)
{
  pc_quiet quiet = pc_quiet_begin();
  check(record, H5Dflush(column->dataset) >= 0, column->name);
  pc_quiet_end(quiet);
}

// Offsets are written when the rows they speak of can be read.
static void write_columns(pc_record *record, const series *ragged)
{
  for (int c = 1; c < ragged->count; c++) {
    growing *column = &record->growing[ragged->first + c];
    write_buffer(record, column);
    flush_dataset(record, column);
  }
}

static void convert(const growing *column, unsigned char *to, const void *data, size_t rows)
{
  size_t numbers = rows * column->row_numbers;
  if (column->type != PC_RECORD_FLOAT) {
    if (numbers > 0)
      memcpy(to, data, rows * column->row_bytes);
    return;
  }
  const double *from = data;
  for (size_t i = 0; i < numbers; i++) {
    float value = (float)from[i];
    memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

static size_t given_bytes(const growing *column) // of one row, as the caller gives it
{
  return column->type == PC_RECORD_FLOAT ? column->row_numbers * sizeof(double) : column->row_bytes;
}

// Rows that fit in the buffer now; its end is the end of a chunk of the file.
static long space_left(const growing *column)
{
  long start = column->written - column->written % (long)column->chunk[0];
  return start + column->room - column->count;
}

static void append_rows(pc_record *record, growing *column, long rows, const void *data)
{
  const unsigned char *from = data;
  while (rows > 0 && record->error.status == PC_OK) {
    long left = space_left(column), now = rows < left ? rows : left;
    unsigned char *to =
        column->buffer + (size_t)(column->count - column->written) * column->row_bytes;
    convert(column, to, from, (size_t)now);
    from += (size_t)now * given_bytes(column);
    column->count += now;
    rows -= now;
    if (now == left)
      write_buffer(record, column);
  }
}

// --- declaring ----------------------------------------------------------------------------------

static int add_series(pc_record *record, const char *name, int first, bool ragged)
{
  int n = record->series_count;
  if (record->error.status == PC_OK &&
      !pc_grow(&record->series, &record->series_capacity, n + 1, sizeof *record->series))
    fail(record, PC_ERROR_MEMORY, name, "out of memory");
  if (record->error.status != PC_OK)
    return -1;
  record->series[n] = (series){first, record->growing_count - first, ragged, 0};
  return record->series_count++;
}

int pc_record_series(pc_record *record, const char *name, pc_record_type type, int rows,
                     int columns)
{
  if (before_start(record) != PC_OK || check_name(record, name) != PC_OK)
    return -1;
  if (rows < 0 || columns < 0 || !pc_record_type_known(type)) {
    fail(record, PC_ERROR_ARGUMENT, name, "a series has rows, columns and a type");
    return -1;
  }
  int first = record->growing_count;
  pc_quiet quiet = pc_quiet_begin();
  add_growing(record, name, type, rows, columns, false);
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

int pc_record_ragged(pc_record *record, const char *name, int columns, const char *const *names,
                     const pc_record_type *types, const int *widths)
{
  if (before_start(record) != PC_OK || check_name(record, name) != PC_OK)
    return -1;
  int first = record->growing_count;
  pc_quiet quiet = pc_quiet_begin();
  char path[512];
  snprintf(path, sizeof path, "%s/offset", name);
  add_growing(record, path, PC_RECORD_LONG, 1, 1, false);
  for (int c = 0; c < columns && record->error.status == PC_OK; c++) {
    snprintf(path, sizeof path, "%s/%s", name, names[c]);
    if (widths[c] < 1 || !pc_record_type_known(types[c]))
      fail(record, PC_ERROR_ARGUMENT, path, "a column has a width and a type");
    else if (check_name(record, path) == PC_OK)
      add_growing(record, path, types[c], 1, widths[c], true);
  }
  pc_quiet_end(quiet);
  return add_series(record, name, first, true);
}

// --- opening and closing ------------------------------------------------------------------------

static pc_record *new_record(const char *path, pc_error *error)
{
  pc_record *record = calloc(1, sizeof *record);
  if (record != NULL) {
    record->file = -1;
    record->resumed = -1;
    record->path = copy_text(&record->arena, path, "");
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
  for (int i = 0; i < record->growing_count; i++)
    close_growing(&record->growing[i]);
  bool closed = record->file < 0 || H5Fclose(record->file) >= 0;
  bool fine = closed;
  if (closed) {
    fine = pc_store_close(record->store) && fine;
    free(record->store);
  } // otherwise HDF5 still needs the store when the process ends
  pc_quiet_end(quiet);
  if (record->temporary != NULL)
    unlink(record->temporary);
  pc_arena_free(&record->arena);
  free(record->growing);
  free(record->series);
  free(record);
  return fine;
}

static pc_record *give_up(pc_record *record, pc_error *error)
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
  check(record, record->file >= 0, "");
  H5Pclose(list);
}

pc_record *pc_record_create(const char *path, pc_error *error)
{
  pc_record *record = new_record(path, error);
  if (record == NULL)
    return NULL;
  char *temporary = copy_text(&record->arena, path, ".new");
  if (temporary == NULL)
    fail(record, PC_ERROR_MEMORY, "", "out of memory");
  pc_quiet quiet = pc_quiet_begin();
  if (record->error.status == PC_OK && pc_store_free_to_replace(path, &record->error) == PC_OK &&
      pc_store_open(record->store, temporary, PC_STORE_CREATE, &record->error) == PC_OK) {
    record->temporary = temporary;
    create_file(record);
  }
  pc_quiet_end(quiet);
  if (record->error.status == PC_OK)
    pc_record_text(record, "format", PC_RECORD_FORMAT);
  if (record->error.status == PC_OK)
    pc_record_array(record, "complete", PC_RECORD_INT, 1, (long[]){1}, (int32_t[]){0});
  if (record->error.status == PC_OK)
    pc_record_describe(record, "complete", "0 running or killed, 1 whole, 2 stopped early", NULL);
  return record->error.status == PC_OK ? record : give_up(record, error);
}

// A killed writer leaves the file marked as open, and its end beyond what its head says. Nothing is
// written until the start.
static void open_killed(pc_record *record)
{
  if (pc_store_hold(record->store, record->path, &record->error) != PC_OK)
    return;
  hbool_t clear = true;
  if (H5Pexist(record->store->access, "clear_status_flags") > 0)
    H5Pset(record->store->access, "clear_status_flags", &clear);
  record->file = H5Fopen(record->path, H5F_ACC_RDWR, record->store->access);
  check(record, record->file >= 0 && H5Fincrement_filesize(record->file, 0) >= 0, "");
}

pc_record *pc_record_resume(const char *path, int count, const long *frames, pc_error *error)
{
  pc_record *record = new_record(path, error);
  if (record == NULL)
    return NULL;
  record->resumed = count;
  record->resumed_frames = pc_arena_take(&record->arena, (size_t)count, sizeof *frames);
  if (record->resumed_frames == NULL)
    fail(record, PC_ERROR_MEMORY, "", "out of memory");
  else if (count > 0)
    memcpy(record->resumed_frames, frames, (size_t)count * sizeof *frames);
  pc_quiet quiet = pc_quiet_begin();
  if (record->error.status == PC_OK &&
      pc_store_open(record->store, path, PC_STORE_WRITE, &record->error) == PC_OK)
    open_killed(record);
  pc_quiet_end(quiet);
  return record->error.status == PC_OK ? record : give_up(record, error);
}

static void write_complete(pc_record *record, int32_t complete)
{
  if (record->error.status != PC_OK)
    return;
  hid_t dataset = H5Dopen2(record->file, "complete", H5P_DEFAULT);
  bool fine = dataset >= 0 &&
              H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &complete) >= 0 &&
              H5Dflush(dataset) >= 0;
  check(record, fine, "complete");
  if (dataset >= 0)
    H5Dclose(dataset);
}

static void cut_ragged(pc_record *record, series *ragged)
{
  growing *offset = &record->growing[ragged->first];
  cut_growing(record, offset, ragged->frames + 1);
  if (record->error.status != PC_OK)
    return;
  int64_t rows = 0;
  hsize_t last = (hsize_t)ragged->frames, one = 1;
  hid_t memory = H5Screate_simple(1, &one, NULL), space = H5Dget_space(offset->dataset);
  bool fine = space >= 0 && H5Sselect_elements(space, H5S_SELECT_SET, 1, &last) >= 0 &&
              H5Dread(offset->dataset, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, &rows) >= 0;
  check(record, fine, offset->name);
  H5Sclose(memory);
  if (space >= 0)
    H5Sclose(space);
  for (int c = 1; c < ragged->count; c++)
    cut_growing(record, &record->growing[ragged->first + c], (long)rows);
}

static void cut_all(pc_record *record)
{
  if (record->series_count != record->resumed)
    fail(record, PC_ERROR_INPUT, "", "the checkpoint speaks of another number of series");
  for (int i = 0; i < record->series_count && record->error.status == PC_OK; i++) {
    series *one = &record->series[i];
    one->frames = record->resumed_frames[i];
    if (one->ragged)
      cut_ragged(record, one);
    else
      cut_growing(record, &record->growing[one->first], one->frames);
  }
}

static void start_offsets(pc_record *record)
{
  for (int i = 0; i < record->series_count; i++)
    if (record->series[i].ragged)
      append_rows(record, &record->growing[record->series[i].first], 1, (int64_t[]){0});
}

static void start(pc_record *record)
{
  if (record->resumed >= 0)
    cut_all(record);
  for (int i = 0; i < record->growing_count; i++)
    close_growing(&record->growing[i]);
  if (record->error.status == PC_OK)
    check(record, H5Fflush(record->file, H5F_SCOPE_GLOBAL) >= 0, "");
  write_complete(record, 0);
  if (record->error.status == PC_OK)
    check(record, H5Fstart_swmr_write(record->file) >= 0, "");
  if (record->error.status == PC_OK && record->resumed >= 0)
    pc_store_commit(record->store, record->path, &record->error);
  for (int i = 0; i < record->growing_count && record->error.status == PC_OK; i++)
    open_growing(record, &record->growing[i]);
}

pc_status pc_record_start(pc_record *record)
{
  if (before_start(record) != PC_OK)
    return record->error.status;
  pc_quiet quiet = pc_quiet_begin();
  start(record);
  pc_quiet_end(quiet);
  if (record->error.status != PC_OK)
    return record->error.status;
  record->started = true;
  if (record->resumed < 0) {
    start_offsets(record);
    pc_record_flush(record);
  }
  if (record->error.status == PC_OK && record->temporary != NULL) {
    pc_store_drop_journal(record->path);
    if (rename(record->temporary, record->path) != 0)
      return fail(record, PC_ERROR_IO, "", strerror(errno));
    record->temporary = NULL;
  }
  return record->error.status;
}

// --- appending ----------------------------------------------------------------------------------

static series *appendable(pc_record *record, int handle, bool ragged)
{
  if (record->error.status != PC_OK)
    return NULL;
  if (!record->started)
    fail(record, PC_ERROR_ARGUMENT, "", "nothing can be appended before the start");
  else if (handle < 0 || handle >= record->series_count || record->series[handle].ragged != ragged)
    fail(record, PC_ERROR_ARGUMENT, "", "no such series");
  return record->error.status == PC_OK ? &record->series[handle] : NULL;
}

pc_status pc_record_append(pc_record *record, int handle, const void *data)
{
  series *one = appendable(record, handle, false);
  if (one == NULL)
    return record->error.status;
  append_rows(record, &record->growing[one->first], 1, data);
  one->frames++;
  return record->error.status;
}

pc_status pc_record_append_ragged(pc_record *record, int handle, int rows, const void *const *data)
{
  series *one = appendable(record, handle, true);
  if (one == NULL)
    return record->error.status;
  if (rows < 0)
    return fail(record, PC_ERROR_ARGUMENT, "", "a negative number of rows");
  growing *offset = &record->growing[one->first];
  for (int c = 1; c < one->count; c++)
    append_rows(record, &record->growing[one->first + c], rows, data[c - 1]);
  int64_t end = one->count > 1 ? record->growing[one->first + 1].count : 0;
  if (space_left(offset) == 1) // this append writes the offsets
    write_columns(record, one);
  append_rows(record, offset, 1, &end);
  one->frames++;
  return record->error.status;
}

pc_status pc_record_flush(pc_record *record)
{
  if (record->error.status != PC_OK || !record->started)
    return record->error.status;
  for (int i = 0; i < record->series_count; i++) {
    const series *one = &record->series[i];
    if (one->ragged)
      write_columns(record, one);
    write_buffer(record, &record->growing[one->first]);
    flush_dataset(record, &record->growing[one->first]);
  }
  return record->error.status;
}

pc_status pc_record_sync(pc_record *record)
{
  if (pc_record_flush(record) == PC_OK) {
    pc_quiet quiet = pc_quiet_begin();
    // The head of the file too, whose end must not lie before data that a resumed run keeps.
    bool fine = H5Fflush(record->file, H5F_SCOPE_LOCAL) >= 0;
    check(record, pc_store_sync(record->store) && fine, "");
    pc_quiet_end(quiet);
  }
  return record->error.status;
}

int pc_record_series_count(const pc_record *record)
{
  return record->series_count;
}

void pc_record_lengths(const pc_record *record, long *frames)
{
  for (int i = 0; i < record->series_count; i++)
    frames[i] = record->series[i].frames;
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
    pc_fail(&kept, PC_ERROR_IO, "%s: the file could not be closed", path);
  if (error != NULL && kept.status != PC_OK)
    *error = kept;
  return kept.status;
}
