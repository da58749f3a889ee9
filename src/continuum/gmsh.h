// Meshes of Gmsh: text files (.msh) of version 4.1 or 2.2.
#ifndef PERCUSS_CONTINUUM_GMSH_H
#define PERCUSS_CONTINUUM_GMSH_H

#include "continuum/mesh.h"

// Surfaces make a mesh of the plane, with the lines that have a physical group as sides; a file
// without surfaces is a mesh of the x axis, with points as sides. Groups have the physical names,
// or the number of the physical group; elements without one are in the group "". Elements and sides
// are turned as mesh.h wants them, nodes that no element has are left out, and pc_fe_mesh_check is
// passed. On error the mesh is empty; the text names file and line. Memory follows the size of the
// file, never a number in it.
pc_status pc_fe_mesh_read_gmsh(pc_fe_mesh *mesh, const char *path, pc_error *error);

#endif
