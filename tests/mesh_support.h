// What tests of finite elements ask of a mesh.
#ifndef PERCUSS_TESTS_MESH_SUPPORT_H
#define PERCUSS_TESTS_MESH_SUPPORT_H

#include <math.h>

#include "continuum/assembly.h"

// Pairs of nodes at the same place, to 1e-9 of the mesh.
static inline int count_duplicates(const pc_fe_mesh *mesh)
{
  int count = 0;
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; k < i; k++)
      count += pc_fe_length((double[]){mesh->node[i][0] - mesh->node[k][0],
                                       mesh->node[i][1] - mesh->node[k][1],
                                       mesh->node[i][2] - mesh->node[k][2]}) <= tolerance;
  return count;
}

// Marks component `c` of the nodes on the sides of a group.
static inline void mark_component(const pc_fe_space *space, int group, int c, char *fixed)
{
  const pc_fe_cells *sides = &space->mesh->side;
  for (int s = 0; s < sides->count; s++)
    for (int k = 0; sides->cell[s].group == group && k < pc_element_of(sides->cell[s].type)->nodes;
         k++)
      fixed[space->start[sides->node[sides->cell[s].first + k]] + c] = 1;
}

#endif
