// Scenes that the schema lets pass, made by decisions of the fuzzer and stepped.
#include <stdlib.h>

#include "fuzz.h"
#include "scene_maker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char text[SCENE_TEXT];
  scene_choices choices = {.data = data, .size = size};
  scene_make(&choices, text);
  if (scene_step(fuzz_file("scene.yaml", data, 0), text, size % 8 == 0).fault != NULL)
    abort();
  return 0;
}
