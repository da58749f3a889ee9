// Datasets that grow. Appended rows wait in memory until a chunk is full, or until a flush.
//
// Under HDF5's single-writer mode a compressed chunk that is written a second time moves to a new
// place and its old one is lost: a file would be the larger the more often it is flushed, that is,
// the slower its run. So a dataset is compressed where every chunk is written once (one frame or
// less in a chunk) and left plain where a chunk gathers many frames, as those of ragged columns do.
// A checksum does not change the size of a chunk, so plain ones stay in their places.
#include <stdlib.h>
#include <string.h>

#include "record/protection.h"
#include "record/record_state.h"

static void make_growing(pc_record *record, const pc_growing *column)
{
  hsize_t now[3] = {0, column->size[1], column->size[2]};
  hsize_t most[3] = {H5S_UNLIMITED, column->size[1], column->size[2]};
  for (int i = 1; i < column->rank; i++)
    if (most[i] == 0) // HDF5 wants room for one chunk
      most[i] = 1;
  hid_t space = H5Screate_simple(column->rank, now, most);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (column->compressed) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
  }
  pc_protect_chunks(list, column->rank, column->chunk);
  hid_t dataset = pc_record_make_dataset(record, column->name, pc_record_type_stored(column->type),
                                         space, list);
  pc_record_check(record, dataset >= 0, column->name);
  pc_hdf5_close(dataset);
  H5Pclose(list);
  H5Sclose(space);
}

void pc_growing_open(pc_record *record, pc_growing *column)
{
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(list, 0, 0, 0);
  column->dataset = H5Dopen2(record->file, column->name, list);
  H5Pclose(list);
  pc_record_check(record, column->dataset >= 0, column->name);
}

void pc_growing_close(pc_growing *column)
{
  if (column->dataset >= 0)
    H5Dclose(column->dataset);
  column->dataset = -1;
}

// Is what the file has what is declared now? Its length goes to `written`.
static void match_growing(pc_record *record, pc_growing *column)
{
  pc_growing_open(record, column);
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
  pc_hdf5_close(type);
  pc_hdf5_close(space);
  if (!same)
    pc_record_fail(record, PC_ERROR_INPUT, column->name,
                   "of a different type or size in the file to resume");
}

void pc_growing_add(pc_record *record, const char *name, pc_record_type type, long rows,
                    long columns, bool ragged)
{
  int n = record->growing.count;
  if (!pc_array_reserve(&record->growing, n + 1)) {
    pc_record_fail(record, PC_ERROR_MEMORY, name, "out of memory");
    return;
  }
  pc_growing *column = &record->growing.at[n];
  *column = (pc_growing){.type = type, .rank = 1, .size = {1}, .dataset = -1};
  if (rows != 1)
    column->size[column->rank++] = (hsize_t)rows;
  if (columns != 1)
    column->size[column->rank++] = (hsize_t)columns;
  column->row_numbers = (size_t)rows * (size_t)columns;
  column->row_bytes = column->row_numbers * pc_record_type_size(type);
  long chunk_bytes = ragged ? PC_RAGGED_CHUNK : PC_SMALL_CHUNK;
  long steps = column->row_bytes > 0 ? chunk_bytes / (long)column->row_bytes : chunk_bytes;
  pc_record_chunk(column->rank, column->size, pc_record_type_size(type), PC_LARGE_CHUNK,
                  column->chunk);
  column->chunk[0] = steps > 1 ? (hsize_t)steps : 1;
  column->compressed = !ragged && steps <= 1;
  column->room = (long)column->chunk[0] * (ragged ? PC_RAGGED_BUFFER : 1);
  column->name = pc_record_copy(&record->arena, name, "");
  column->buffer = pc_arena_take(&record->arena, (size_t)column->room, column->row_bytes);
  if (record->arena.failed) {
    pc_record_fail(record, PC_ERROR_MEMORY, name, "out of memory");
    return;
  }
  record->growing.count++;
  if (record->resumed >= 0)
    match_growing(record, column);
  else
    make_growing(record, column);
}

void pc_growing_cut(pc_record *record, pc_growing *column, long rows)
{
  if (record->error.status != PC_OK)
    return;
  hsize_t size[3] = {(hsize_t)rows, column->size[1], column->size[2]};
  if (rows < 0 || column->written < rows)
    pc_record_fail(record, PC_ERROR_INPUT, column->name,
                   "the file is shorter than recorded in its checkpoint");
  else if (column->written > rows)
    pc_record_check(record, H5Dset_extent(column->dataset, size) >= 0, column->name);
  column->written = column->count = rows;
}

// Gives HDF5 the rows from `written` on. The new size must not be in the file before the rows:
// others would read them as zeros. So no chunk is kept in memory, and what HDF5 knows of the
// dataset is held back until the rows are written.
static void write_rows(pc_record *record, pc_growing *column, const void *rows, long count)
{
  if (count == 0 || record->error.status != PC_OK)
    return;
  pc_quiet quiet = pc_quiet_begin();
  hsize_t start[3] = {(hsize_t)column->written, 0, 0};
  hsize_t part[3] = {(hsize_t)count, column->size[1], column->size[2]};
  hsize_t whole[3] = {(hsize_t)(column->written + count), column->size[1], column->size[2]};
  bool fine =
      H5Odisable_mdc_flushes(column->dataset) >= 0 && H5Dset_extent(column->dataset, whole) >= 0;
  if (fine && column->row_bytes > 0) {
    hid_t memory = H5Screate_simple(column->rank, part, NULL);
    hid_t space = H5Dget_space(column->dataset);
    fine = memory >= 0 && space >= 0 &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL) >= 0 &&
           H5Dwrite(column->dataset, pc_record_type_native(column->type), memory, space,
                    H5P_DEFAULT, rows) >= 0;
    pc_record_check(record, fine, column->name);
    H5Sclose(memory);
    H5Sclose(space);
  }
  fine = H5Oenable_mdc_flushes(column->dataset) >= 0 && fine;
  pc_record_check(record, fine, column->name);
  column->written += count;
  pc_quiet_end(quiet);
}

void pc_growing_write(pc_record *record, pc_growing *column)
{
  write_rows(record, column, column->buffer, column->count - column->written);
}

void pc_growing_flush(pc_record *record, pc_growing *column)
{
  pc_quiet quiet = pc_quiet_begin();
  pc_record_check(record, H5Dflush(column->dataset) >= 0, column->name);
  pc_quiet_end(quiet);
}

void pc_growing_write_ragged(pc_record *record, const pc_series *ragged)
{
  for (int c = 1; c < ragged->count; c++) {
    pc_growing *column = &record->growing.at[ragged->first + c];
    pc_growing_write(record, column);
    pc_growing_flush(record, column);
  }
}

static void convert(const pc_growing *column, unsigned char *to, const void *data, size_t rows)
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

static size_t given_bytes(const pc_growing *column) // of one row, as the caller gives it
{
  return column->type == PC_RECORD_FLOAT ? column->row_numbers * sizeof(double) : column->row_bytes;
}

long pc_growing_space(const pc_growing *column)
{
  long start = column->written - column->written % (long)column->chunk[0];
  return start + column->room - column->count;
}

void pc_growing_append(pc_record *record, pc_growing *column, long rows, const void *data)
{
  const unsigned char *from = data;
  while (rows > 0 && record->error.status == PC_OK) {
    long left = pc_growing_space(column), now = rows < left ? rows : left;
    unsigned char *to =
        column->buffer + (size_t)(column->count - column->written) * column->row_bytes;
    convert(column, to, from, (size_t)now);
    from += (size_t)now * given_bytes(column);
    column->count += now;
    rows -= now;
    if (now == left)
      pc_growing_write(record, column);
  }
}
