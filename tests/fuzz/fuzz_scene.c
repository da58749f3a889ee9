// Files of the kinds that run: rigid, crowd, chain, continuum.
#include <stdlib.h>

#include "fuzz.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  pc_scene scene;
  pc_error error = {0};
  if (pc_scene_parse("scene.yaml", text, &scene, &error) == PC_OK)
    pc_scene_free(&scene);
  free(text);
  return 0;
}
