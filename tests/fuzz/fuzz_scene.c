// Files of the kinds that run: rigid, crowd, chain, continuum. What follows a form feed is every
// file that the scene names: its base, a mesh, a table of states, the plan of a building.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "percuss/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *name = fuzz_file("scene.yaml", data, size);
  char *text = fuzz_text(data, size);
  text[strcspn(text, "\f")] = 0;
  pc_scene scene;
  pc_error error = {0};
  if (pc_scene_parse(name, text, &scene, &error) == PC_OK)
    pc_scene_free(&scene);
  free(text);
  return 0;
}
