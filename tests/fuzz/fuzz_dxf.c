// Plans of buildings in DXF, and what floors of a scene make of them.
#include <stdlib.h>

#include "fuzz.h"
#include "scene/dxf_chains.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  pc_dxf dxf;
  pc_dxf_def def = {.unit = size % 2 == 0 ? PC_DXF_NO_UNIT : PC_DXF_METRE, .curves = 0.05};
  pc_error error = {0};
  if (pc_dxf_read(&dxf, &def, "plan.dxf", text, size, &error) == PC_OK && dxf.layers.count > 0) {
    bool *layers = malloc((size_t)dxf.layers.count * sizeof *layers);
    for (int i = 0; i < dxf.layers.count && layers != NULL; i++)
      layers[i] = i % 2 == 0;
    for (int rings = 0; rings < 2 && layers != NULL; rings++) {
      pc_dxf_chains chains;
      pc_dxf_join(&chains, &dxf, layers, rings == 1, "plan.dxf", &error);
      pc_dxf_chains_free(&chains);
    }
    free(layers);
  }
  pc_dxf_free(&dxf); // also on an error
  free(text);
  return 0;
}
