// Meshes of Gmsh: text files (.msh) of version 4.1 or 2.2.
#ifndef PERCUSS_CONTINUUM_GMSH_H
#define PERCUSS_CONTINUUM_GMSH_H

#include "continuum/mesh.h"

// Reads a mesh of the plane from the surfaces of a file, with the lines of physical groups as
// sides; a file without surfaces is a mesh of the x axis, with points as sides. Groups have their
// physical names, or the number of the physical group; elements without one are in the group "".
// Elements and sides are oriented as mesh.h requires, unused nodes are dropped, and
// pc_fe_mesh_check is applied. On error the mesh is empty and the text names file and line. Memory
// is bounded by the size of the file, never by a number in it.
pc_status pc_fe_mesh_read_gmsh(pc_fe_mesh *mesh, const char *path, pc_error *error);

#endif
