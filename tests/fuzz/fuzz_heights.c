// Heights of a terrain; the first byte says whether they are an ESRI grid or XYZ triples.
#include "fuzz.h"
#include "percuss/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  pc_error error = {0};
  const char *name = data[0] % 2 == 0 ? "heights.asc" : "heights.xyz";
  fuzz_whole_file(name, data + 1, size - 1);
  pc_shape_release(pc_shape_heights_file(name, &error));
  return 0;
}
