// FCLIB problems.
#include "fuzz.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  pc_scene_impact impact;
  pc_error error = {0};
  if (pc_scene_read_impact(fuzz_file(data, size, ".hdf5"), &impact, &error) == PC_OK)
    pc_scene_impact_free(&impact);
  return 0;
}
