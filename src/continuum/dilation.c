#include "continuum/dilation.h"

#include <string.h>

#include "continuum/parts.h"
#include "core/error.h"

// int phi_a dN_b/dx_i of one element: gradients of its own shapes at points of its parts.
static void fill_element(const pc_fe_mesh *mesh, int cell, const pc_quadrature *rule, double *local)
{
  pc_element type = mesh->body.cell[cell].type;
  const pc_fe_cut *cut = pc_fe_cut_of(type);
  double corner[PC_ELEMENT_NODES_MAX][3], whole = 0;
  int nodes = pc_fe_mesh_corners(mesh, &mesh->body, cell, corner), dimension = mesh->dimension;
  for (int k = 0; k < rule->points; k++)
    whole += rule->weight[k];
  for (int p = 0; p < cut->parts; p++) {
    double slope[3][2], size = pc_fe_part_size(mesh, cell, p, slope);
    for (int k = 0; k < rule->points; k++) {
      double linear[3], xi[3];
      pc_element_point point;
      pc_fe_part_place(type, p, rule->at[k], linear, xi);
      pc_element_map(type, (const double(*)[3])corner, xi, &point);
      for (int a = 0; a < cut->corners; a++)
        for (int b = 0; b < nodes; b++)
          for (int i = 0; i < dimension; i++)
            local[(cut->node[p][a] * nodes + b) * dimension + i] +=
                size * rule->weight[k] / whole * linear[a] * point.gradient[b][i];
    }
  }
}

pc_status pc_fe_dilation_create(pc_fe_dilation *d, const pc_fe_mesh *mesh, const bool *group,
                                pc_error *error)
{
  *d = (pc_fe_dilation){.mesh = mesh};
  size_t elements = (size_t)mesh->body.count;
  d->group = pc_arena_copy(&d->arena, group, mesh->groups, sizeof *group);
  d->first = pc_arena_take(&d->arena, elements, sizeof *d->first);
  long count = 0;
  for (size_t e = 0; e < elements && !d->arena.failed; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    int nodes = pc_element_of(cell->type)->nodes;
    d->first[e] = count;
    if (group[cell->group])
      count += (long)nodes * nodes * mesh->dimension;
  }
  d->local = pc_arena_take(&d->arena, (size_t)count, sizeof *d->local);
  if (d->arena.failed) {
    pc_fe_dilation_free(d);
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for dilations");
  }
  pc_quadrature rule;
  pc_quadrature_make(&rule, mesh->dimension == 1 ? PC_LINE2 : PC_TRIANGLE3, 4);
  for (size_t e = 0; e < elements; e++)
    if (group[mesh->body.cell[e].group])
      fill_element(mesh, (int)e, &rule, d->local + d->first[e]);
  return PC_OK;
}

void pc_fe_dilation_free(pc_fe_dilation *d)
{
  pc_arena_free(&d->arena);
  *d = (pc_fe_dilation){0};
}

void pc_fe_dilation_of(const pc_fe_dilation *d, const double *displacement, double *e)
{
  const pc_fe_cells *body = &d->mesh->body;
  int dimension = d->mesh->dimension;
  memset(e, 0, (size_t)d->mesh->nodes * sizeof *e);
  for (int c = 0; c < body->count; c++) {
    if (!d->group[body->cell[c].group])
      continue;
    const int *node = body->node + body->cell[c].first;
    const double *local = d->local + d->first[c];
    int nodes = pc_element_of(body->cell[c].type)->nodes;
    for (int a = 0; a < nodes; a++)
      for (int b = 0; b < nodes; b++)
        for (int i = 0; i < dimension; i++)
          e[node[a]] += *local++ * displacement[node[b] * dimension + i];
  }
}

void pc_fe_dilation_force(const pc_fe_dilation *d, const double *m, double *force)
{
  const pc_fe_cells *body = &d->mesh->body;
  int dimension = d->mesh->dimension;
  for (int c = 0; c < body->count; c++) {
    if (!d->group[body->cell[c].group])
      continue;
    const int *node = body->node + body->cell[c].first;
    const double *local = d->local + d->first[c];
    int nodes = pc_element_of(body->cell[c].type)->nodes;
    for (int a = 0; a < nodes; a++)
      for (int b = 0; b < nodes; b++)
        for (int i = 0; i < dimension; i++)
          force[node[b] * dimension + i] += *local++ * m[node[a]];
  }
}
