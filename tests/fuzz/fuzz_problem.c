// Files that are solved and not run: impacts, identifications.
#include "fuzz.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *path = fuzz_file(data, size, ".yaml");
  pc_error error = {0};
  pc_scene_impact impact;
  if (pc_scene_read_impact(path, &impact, &error) == PC_OK)
    pc_scene_impact_free(&impact);
  pc_scene_identification identification;
  if (pc_scene_read_identification(path, &identification, &error) == PC_OK)
    pc_scene_identification_free(&identification);
  return 0;
}
