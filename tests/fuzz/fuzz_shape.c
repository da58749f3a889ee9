// Files of shapes; the first byte says which: OBJ, STL, ESRI grids, XYZ.
#include "fuzz.h"
#include "percuss/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  pc_error error = {0};
  static const char *const ending[] = {".obj", ".stl", ".asc", ".xyz"};
  int which = data[0] % 4;
  const char *path = fuzz_file(data + 1, size - 1, ending[which]);
  if (which >= 2) {
    pc_shape_release(pc_shape_heights_file(path, &error));
  } else {
    pc_shape_release(pc_shape_mesh_file(path, 1, &error));
    pc_shape_release(pc_shape_polyhedron_file(path, 1, &error));
  }
  return 0;
}
