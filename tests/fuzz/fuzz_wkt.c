// Outlines of buildings as well-known text.
#include <stdlib.h>

#include "fuzz.h"
#include "scene/wkt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  pc_wkt wkt;
  pc_error error = {0};
  pc_wkt_read(&wkt, text, &error);
  pc_wkt_free(&wkt); // also on an error
  free(text);
  return 0;
}
