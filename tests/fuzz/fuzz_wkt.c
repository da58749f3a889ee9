// Outlines of buildings as well-known text.
#include <stdlib.h>

#include "fuzz.h"
#include "scene/wkt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  pc_polygons polygons;
  pc_error error = {0};
  if (pc_wkt_read(&polygons, text, &error) == PC_OK)
    pc_polygons_join(&polygons, &error);
  pc_polygons_free(&polygons); // also on an error
  free(text);
  return 0;
}
