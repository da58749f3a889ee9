// FCLIB problems.
#include "fuzz.h"
#include "hdf5_files.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  pc_scene_impact impact;
  pc_error error = {0};
  fuzz_keep_memory();
  if (pc_scene_read_impact(fuzz_real_file(data, size), &impact, &error) == PC_OK)
    pc_scene_impact_free(&impact);
  fuzz_all_closed();
  return 0;
}
