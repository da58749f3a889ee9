// Percussion stresses at nodes: Sigma = 2 k D(U+ + U-) + k^ div(U+ + U-) 1 - P 1.
#include <stdlib.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/error.h"

// Sigma at one node of an element: xx, yy, xy, zz, yz, zx.
static void stress_at(const pc_fe_collision *c, const pc_fe_medium *m, const pc_fe_cell *cell,
                      const double (*corner)[3], int i, double stress[PC_FE_STRESS])
{
  static const int axes[PC_FE_STRESS][2] = {{0, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {2, 0}};
  const pc_element_info *info = pc_element_of(cell->type);
  const int *node = c->def.mesh->body.node + cell->first;
  double xi[3], slope[3][3] = {{0}};
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
  double whole = m->volume * (slope[0][0] + slope[1][1] + slope[2][2]);
  if (m->fluid)
    whole -= c->pressure[node[i]];
  for (int k = 0; k < PC_FE_STRESS; k++) {
    int a = axes[k][0], b = axes[k][1];
    bool has = a < c->components && b < c->components;
    double strained =
        a == b ? 2 * m->strain * slope[a][a] + whole : m->strain * (slope[a][b] + slope[b][a]);
    stress[k] = has ? strained : 0;
  }
}

pc_status pc_fe_collision_stress(const pc_fe_collision *c, int medium,
                                 double (*stress)[PC_FE_STRESS], pc_error *error)
{
  const pc_fe_mesh *mesh = c->def.mesh;
  if (medium < 0 || medium >= c->def.media)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown medium %d", medium);
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
    double corner[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, corner);
    for (int i = 0; i < nodes; i++) {
      double here[PC_FE_STRESS];
      int node = mesh->body.node[cell->first + i];
      stress_at(c, m, cell, (const double(*)[3])corner, i, here);
      for (int k = 0; k < PC_FE_STRESS; k++)
        stress[node][k] += here[k];
      count[node]++;
    }
  }
  for (int i = 0; i < mesh->nodes; i++)
    for (int k = 0; count[i] > 0 && k < PC_FE_STRESS; k++)
      stress[i][k] /= count[i];
  free(count);
  return PC_OK;
}
