// Gmsh files.
#include "continuum/gmsh.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  pc_fe_mesh mesh;
  pc_error error = {0};
  if (pc_fe_mesh_read_gmsh(&mesh, fuzz_whole_file("mesh.msh", data, size), &error) == PC_OK)
    pc_fe_mesh_free(&mesh);
  return 0;
}
