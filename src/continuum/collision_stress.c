// Percussion stresses at nodes: Sigma = 2 k D(U+ + U-) + k^ div(U+ + U-) 1 - P 1.
#include <stdlib.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/error.h"

// Sigma at one node of an element: xx, yy, xy.
static void stress_at(const pc_fe_collision *c, const pc_fe_medium *m, const pc_fe_cell *cell,
                      const double (*corner)[2], int i, double stress[3])
{
  const pc_element_info *info = pc_element_of(cell->type);
  const int *node = c->def.mesh->body.node + cell->first;
  double xi[2], slope[2][2] = {{0}};
  pc_element_point p;
  pc_element_place(cell->type, i, xi);
  pc_element_map(cell->type, corner, xi, &p);
  for (int a = 0; a < info->nodes; a++)
    for (int k = 0; k < c->components; k++) {
      int at = c->space.start[node[a]] + k;
      double u = c->before[at] + c->after[at];
      for (int l = 0; l < c->components; l++)
        slope[k][l] += u * p.gradient[a][l];
    }
  double whole = m->volume * (slope[0][0] + slope[1][1]);
  if (m->fluid)
    whole -= c->pressure[node[i]];
  stress[0] = 2 * m->strain * slope[0][0] + whole;
  stress[1] = c->components == 2 ? 2 * m->strain * slope[1][1] + whole : 0;
  stress[2] = m->strain * (slope[0][1] + slope[1][0]);
}

pc_status pc_fe_collision_stress(const pc_fe_collision *c, int medium, double (*stress)[3],
                                 pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  if (medium < 0 || medium >= c->def.media)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a collision has no medium %d", medium);
  int *count = calloc((size_t)mesh->nodes + 1, sizeof *count);
  if (count == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the stress at %d nodes",
                   mesh->nodes);
  memset(stress, 0, (size_t)mesh->nodes * sizeof *stress);
  const pc_fe_medium *m = &c->def.medium[medium];
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    if (cell->group != m->group)
      continue;
    double corner[PC_ELEMENT_NODES_MAX][2];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, corner);
    for (int i = 0; i < nodes; i++) {
      double here[3];
      int node = mesh->body.node[cell->first + i];
      stress_at(c, m, cell, (const double(*)[2])corner, i, here);
      for (int k = 0; k < 3; k++)
        stress[node][k] += here[k];
      count[node]++;
    }
  }
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; count[i] > 0 && k < 3; k++)
      stress[i][k] /= count[i];
  free(count);
  return PC_OK;
}
