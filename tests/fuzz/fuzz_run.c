// Runs and checkpoints: every dataset is read.
#include <stdlib.h>

#include "fuzz.h"
#include "record/record.h"

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
  const char *path = fuzz_file(data, size, ".h5");
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
  return 0;
}
