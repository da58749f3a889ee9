// Reading a whole run, to find out whether it is damaged.
#include "record/reading_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/protection.h"
#include "record/reading_check.h"

enum { BLOCK = 1 << 18 }; // bytes that are read at a time, in whole chunks

// The blocks in which an array is read.
typedef struct block {
  int rank;
  pc_record_type type;
  hsize_t size[PC_READING_RANK], part[PC_READING_RANK];
  double chunks; // that the array must have; -1: it is not in chunks
  size_t bytes;
} block;

static bool choose_block(hid_t dataset, block *b)
{
  bool growing;
  size_t number = pc_record_type_size(b->type);
  b->rank = pc_reading_sizes(dataset, b->size, &growing);
  hid_t list = H5Dget_create_plist(dataset);
  bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
  bool fine = b->rank > 0 && list >= 0;
  if (chunked)
    fine = fine && H5Pget_chunk(list, PC_READING_RANK, b->part) == b->rank;
  else
    pc_record_chunk(b->rank, b->size, number, BLOCK, b->part);
  pc_hdf5_close(list);
  double bytes = (double)number;
  b->chunks = chunked ? 1 : -1;
  for (int i = 0; i < b->rank && fine; i++) {
    fine = b->part[i] > 0;
    bytes *= (double)b->part[i];
    hsize_t count = fine ? b->size[i] / b->part[i] + (b->size[i] % b->part[i] > 0) : 0;
    b->chunks *= chunked ? (double)count : 1;
  }
  fine = fine && bytes <= PC_MOST_CHUNK;
  hsize_t more = fine && bytes < BLOCK ? (hsize_t)(BLOCK / bytes) : 1;
  b->part[0] *= more;
  b->bytes = fine ? (size_t)bytes * (size_t)more : 0;
  return fine;
}

// The next block; false after the last.
static bool go_on(const block *b, long first[PC_READING_RANK])
{
  for (int i = b->rank - 1; i >= 0; i--) {
    first[i] += (long)b->part[i];
    if (first[i] < (long)b->size[i])
      return true;
    first[i] = 0;
  }
  return false;
}

// Every chunk that the size of the dataset speaks of must be there: HDF5 reads others as zeros. A
// writer may add some at the same time.
static bool has_its_chunks(hid_t dataset, const block *b)
{
  hsize_t count = 0;
  hid_t space = b->chunks >= 0 ? H5Dget_space(dataset) : -1;
  bool fine = b->chunks < 0 || (space >= 0 && H5Dget_num_chunks(dataset, space, &count) >= 0 &&
                                (double)count >= b->chunks);
  pc_hdf5_close(space);
  return fine;
}

static pc_status read_array(pc_reading *reading, const pc_reading_item *item, pc_error *error)
{
  block b = {.rank = 0};
  bool fine = false;
  if (pc_reading_type(reading, item->name, &b.type, NULL) != PC_OK)
    return PC_OK; // not of a run
  for (int attempt = 0; attempt < PC_READING_ATTEMPTS && !fine; attempt++)
    fine = (attempt == 0 || H5Drefresh(item->dataset) >= 0) && choose_block(item->dataset, &b) &&
           has_its_chunks(item->dataset, &b);
  if (!fine)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, item->name,
                           "damaged: some of its data are missing from the file");
  for (int i = 0; i < b.rank; i++)
    if (b.size[i] == 0)
      return PC_OK;
  void *numbers = malloc(b.bytes);
  pc_status status = numbers != NULL ? PC_OK
                                     : pc_reading_fail(reading, error, PC_ERROR_MEMORY, item->name,
                                                       "out of memory");
  pc_selection part = {.every = 1};
  do {
    for (int i = 0; i < b.rank; i++) {
      long left = (long)b.size[i] - part.first[i];
      part.count[i] = left < (long)b.part[i] ? left : (long)b.part[i];
    }
    if (status == PC_OK)
      status = pc_reading_select(reading, item->name, &part, b.type, numbers, error);
  } while (status == PC_OK && go_on(&b, part.first));
  free(numbers);
  if (status != PC_ERROR_INPUT)
    return status;
  char why[120];
  snprintf(why, sizeof why, "damaged, in rows %ld to %ld", part.first[0],
           part.first[0] + part.count[0] - 1);
  return pc_reading_fail(reading, error, status, item->name, why);
}

static pc_status read_item(pc_reading *reading, const pc_reading_item *item, pc_error *error)
{
  if (item->dataset < 0)
    return pc_reading_fail(reading, error, PC_ERROR_INPUT, item->name, "damaged");
  if (pc_reading_text_size(reading, item->name) < 0)
    return read_array(reading, item, error);
  char *text = pc_reading_text(reading, item->name, error);
  free(text);
  return text != NULL ? PC_OK : error->status;
}

pc_reading *pc_reading_open_damaged(const char *path, pc_error *error)
{
  pc_error reason = {.status = PC_OK};
  pc_reading *reading = pc_reading_open(path, &reason);
  if (reading != NULL || reason.status != PC_ERROR_INPUT) {
    if (error != NULL)
      *error = reason;
    return reading;
  }
  return pc_reading_open_so(path, &(pc_reading_way){.as_it_is = true, .anyhow = true}, error);
}

pc_status pc_reading_survey(pc_reading *reading, pc_survey *survey, pc_error *error)
{
  pc_quiet quiet = pc_quiet_begin();
  pc_status status = PC_OK;
  for (int k = 0; k < reading->items.count && status == PC_OK; k++) {
    const pc_reading_item *item = &reading->items.at[k];
    pc_error reason = {.status = PC_OK};
    status = read_item(reading, item, &reason);
    survey->datasets++;
    survey->unprotected += item->dataset >= 0 && !pc_protection_exists(item->dataset);
    if (status == PC_ERROR_INPUT && survey->damaged != NULL) {
      size_t path = strlen(reading->path) + 2; // "PATH: "
      survey->damaged(survey->context, strlen(reason.text) > path ? reason.text + path : "damaged");
      status = PC_OK;
    } else if (status != PC_OK) {
      pc_fail(error, reason.status, "%s", reason.text);
    }
  }
  pc_quiet_end(quiet);
  return status;
}

pc_status pc_reading_check(const char *path, const pc_journal_content *before, pc_error *error)
{
  pc_survey survey = {.damaged = NULL};
  pc_reading_way way = {.before = before, .as_it_is = true};
  pc_reading *reading = pc_reading_open_so(path, &way, error);
  if (reading == NULL)
    return error->status;
  pc_status status = pc_reading_survey(reading, &survey, error);
  // A concurrent reader ignores the end of file in the head; a writer uses it.
  pc_quiet quiet = pc_quiet_begin();
  hsize_t size = 0;
  if (status == PC_OK && before != NULL &&
      (H5Fget_filesize(reading->file, &size) < 0 || size > before->size))
    status = pc_fail(error, PC_ERROR_INPUT, "%s: truncated", path);
  pc_quiet_end(quiet);
  pc_reading_close(reading);
  return status;
}
