// Runs and checkpoints: every dataset is read.
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "fuzz.h"
#include "hdf5_files.h"
#include "record/record.h"

// A run that seems damaged may just be written, so the reader waits and opens it again. Here nobody
// writes: what failed once fails again, and time need not pass.
static bool failed;
hid_t __real_H5Fopen(const char *name, unsigned flags, hid_t access);
hid_t __wrap_H5Fopen(const char *name, unsigned flags, hid_t access);

hid_t __wrap_H5Fopen(const char *name, unsigned flags, hid_t access)
{
  bool again = (flags & H5F_ACC_SWMR_READ) != 0;
  if (again && failed)
    return -1;
  hid_t file = __real_H5Fopen(name, flags, access);
  failed = again && file < 0;
  return file;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
  return 0;
}

static void read_all(pc_reading *reading, const char *name)
{
  pc_error error = {0};
  long size[4];
  int rank = pc_reading_size(reading, name, size);
  if (rank > 0) {
    long numbers = 1, rows = size[0] < 8 ? size[0] : 8;
    for (int i = 1; i < rank; i++)
      numbers = size[i] > 0 && numbers > 1000000 / size[i] ? 0 : numbers * size[i];
    double *out = malloc(sizeof(double) * (size_t)(rows * numbers + 1));
    if (out != NULL && numbers > 0)
      pc_reading_rows(reading, name, 0, rows, PC_RECORD_DOUBLE, out, &error);
    free(out);
  }
  if (pc_reading_text_size(reading, name) < 1000000)
    free(pc_reading_text(reading, name, &error));
  free(pc_reading_attribute(reading, name, "unit"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_keep_memory();
  failed = false;
  const char *path = fuzz_real_file(data, size);
  pc_error error = {0};
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading != NULL) {
    for (int k = 0; k < pc_reading_count(reading); k++)
      read_all(reading, pc_reading_name(reading, k));
    pc_reading_frames(reading, "frames");
    pc_reading_refresh(reading, &error);
    pc_reading_close(reading);
  }
  pc_blob blob = {.name = "state"};
  if (pc_checkpoint_read(path, 1, &blob, &error) == PC_OK)
    free(blob.data);
  fuzz_all_closed();
  return 0;
}
