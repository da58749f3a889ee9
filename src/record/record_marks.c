// The marks of a checkpoint: which file it was made with, and how long its series were.
#define _DEFAULT_SOURCE // getentropy
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "record/record_state.h"

_Static_assert((int)PC_MARK_LENGTHS == (int)PC_RECORD_MARKS, "the numbers before the lengths");

// Two runs of a scene have the same bytes except for this number. It affects no result.
static int64_t make_up(void)
{
  int64_t number;
  if (getentropy(&number, sizeof number) == 0)
    return number;
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec) ^ (int64_t)getpid() << 40;
}

// The number is written once, before there are readers, and never moves, so that it can be read
// without HDF5 even if the rest of the file is damaged.
void pc_record_identify(pc_record *record)
{
  static const char *name = "clock/identity";
  int64_t number = make_up();
  if (pc_record_array_in_place(record, name, PC_RECORD_LONG, 1, &number) != PC_OK ||
      pc_record_describe(record, name, "identifies the files of this run", NULL))
    return;
  pc_quiet quiet = pc_quiet_begin();
  hid_t dataset = H5Dopen2(record->file, name, H5P_DEFAULT);
  haddr_t address = pc_hdf5_address(dataset);
  pc_record_check(record, address != HADDR_UNDEF, name);
  pc_hdf5_close(dataset);
  pc_quiet_end(quiet);
  record->identity = (long)number;
  record->identity_at = (long)address;
}

static bool has_identity(int file, const long *marks)
{
  unsigned char bytes[8];
  if (!pc_file_read_at(file, bytes, sizeof bytes, (uint64_t)marks[PC_MARK_IDENTITY_AT]))
    return false;
  uint64_t number = 0;
  for (int i = 0; i < 8; i++)
    number |= (uint64_t)bytes[i] << 8 * i;
  return number == (uint64_t)marks[PC_MARK_IDENTITY];
}

pc_status pc_record_is_marked(const char *path, int count, const long *marks, pc_error *error)
{
  struct stat state;
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  pc_status status = PC_OK;
  if (file < 0 || fstat(file, &state) != 0)
    status = errno == ENOENT ? pc_fail(error, PC_ERROR_INPUT, "%s does not exist", path)
                             : pc_fail(error, PC_ERROR_IO, "%s: %s", path, strerror(errno));
  else if (!S_ISREG(state.st_mode))
    status = pc_fail(error, PC_ERROR_INPUT, "%s: not a regular file", path);
  else if (state.st_size == 0) // HDF5 would make a new file of it
    status = pc_fail(error, PC_ERROR_INPUT, "%s is empty", path);
  else if (count < PC_MARK_LENGTHS || !has_identity(file, marks))
    status = pc_fail(error, PC_ERROR_INPUT, "%s does not belong to its checkpoint", path);
  if (file >= 0)
    close(file);
  return status;
}

int pc_record_marks(const pc_record *record, long *marks)
{
  if (marks != NULL) {
    marks[PC_MARK_IDENTITY] = record->identity;
    marks[PC_MARK_IDENTITY_AT] = record->identity_at;
    for (int i = 0; i < record->series.count; i++)
      marks[PC_MARK_LENGTHS + i] = record->series.at[i].frames;
  }
  return PC_MARK_LENGTHS + record->series.count;
}

uint64_t pc_record_mark_name(int count, const long *marks)
{
  pc_checksum sum;
  pc_checksum_begin(&sum);
  pc_checksum_add(&sum, marks, (size_t)count * sizeof *marks);
  return ~sum.value;
}

pc_status pc_record_checkpointed(pc_record *record)
{
  int count = pc_record_marks(record, NULL);
  long *marks = malloc((size_t)count * sizeof *marks);
  if (marks == NULL)
    return pc_record_fail(record, PC_ERROR_MEMORY, "", "out of memory");
  pc_record_marks(record, marks);
  pc_store *store = record->store;
  if (record->error.status == PC_OK && !pc_journal_mark(&store->journal, record->path, store->file,
                                                        pc_record_mark_name(count, marks)))
    pc_record_fail(record, errno == ENOMEM ? PC_ERROR_MEMORY : PC_ERROR_IO, "",
                   errno == ENOMEM ? "out of memory" : strerror(errno));
  free(marks);
  return record->error.status;
}

static void cut_ragged(pc_record *record, pc_series *ragged)
{
  pc_growing *offset = &record->growing.at[ragged->first];
  pc_growing_cut(record, offset, ragged->frames + 1);
  if (record->error.status != PC_OK)
    return;
  int64_t rows = 0;
  hsize_t last = (hsize_t)ragged->frames, one = 1;
  hid_t memory = H5Screate_simple(1, &one, NULL), space = H5Dget_space(offset->dataset);
  bool fine = space >= 0 && H5Sselect_elements(space, H5S_SELECT_SET, 1, &last) >= 0 &&
              H5Dread(offset->dataset, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, &rows) >= 0;
  pc_record_check(record, fine, offset->name);
  H5Sclose(memory);
  pc_hdf5_close(space);
  for (int c = 1; c < ragged->count; c++)
    pc_growing_cut(record, &record->growing.at[ragged->first + c], (long)rows);
}

void pc_record_cut(pc_record *record)
{
  if (record->series.count != record->resumed - PC_MARK_LENGTHS)
    pc_record_fail(record, PC_ERROR_INPUT, "", "the checkpoint has a different number of series");
  for (int i = 0; i < record->series.count && record->error.status == PC_OK; i++) {
    pc_series *one = &record->series.at[i];
    one->frames = record->marks[PC_MARK_LENGTHS + i];
    if (one->frames < 0 || one->frames == LONG_MAX) // ragged columns have an offset more
      pc_record_fail(record, PC_ERROR_INPUT, "", "the checkpoint has an invalid length");
    else if (one->ragged)
      cut_ragged(record, one);
    else
      pc_growing_cut(record, &record->growing.at[one->first], one->frames);
  }
}
