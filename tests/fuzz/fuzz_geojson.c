// Plans of buildings as GeoJSON.
#include <stdlib.h>

#include "fuzz.h"
#include "scene/geojson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  pc_polygons polygons = {.count = 0};
  pc_geojson from = {.property = size % 2 == 0 ? NULL : "level", .value = "1"};
  pc_error error = {0};
  char *text = fuzz_text(data, size);
  if (pc_geojson_read(&polygons, &from, "plan.geojson", text, size, &error) == PC_OK)
    pc_polygons_join(&polygons, &error);
  free(text);
  pc_polygons_free(&polygons); // also on an error
  return 0;
}
