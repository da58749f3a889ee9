// Files that are solved and not run: impacts, and identifications, which say so.
#define _GNU_SOURCE
#include <string.h>

#include "fuzz.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char word[] = "identification";
  const char *path = fuzz_file("problem.yaml", data, size);
  pc_error error = {0};
  if (memmem(data, size, word, sizeof word - 1) == NULL) {
    pc_scene_impact impact;
    if (pc_scene_read_impact(path, &impact, &error) == PC_OK)
      pc_scene_impact_free(&impact);
  } else {
    pc_scene_identification identification;
    if (pc_scene_read_identification(path, &identification, &error) == PC_OK)
      pc_scene_identification_free(&identification);
  }
  return 0;
}
