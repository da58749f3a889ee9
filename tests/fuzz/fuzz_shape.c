// Meshes of triangles; the first byte says whether they are OBJ or STL. Hulls have a target of
// their own.
#include "fuzz.h"
#include "percuss/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  pc_error error = {0};
  const char *name = data[0] % 2 == 0 ? "shape.obj" : "shape.stl";
  fuzz_whole_file(name, data + 1, size - 1);
  pc_shape_release(pc_shape_mesh_file(name, 1, &error));
  return 0;
}
