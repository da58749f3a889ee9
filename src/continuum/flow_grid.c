// How the mesh follows the surface. Nodes of the surface move along their spines, those of walls in
// proportion, and each component of the inner ones solves a Laplace equation on the mesh as it was
// made: a linear map, factored once. Conduction is mainly upwards, so that columns of elements
// stretch as a whole and nothing folds before the surface comes to the ground.
#include <string.h>

#include "continuum/flow_state.h"
#include "core/error.h"

static const double ACROSS = 0.01; // conduction across gravity, that along it being 1

// grad a . (1 or ACROSS) grad b
static double conduct(const pc_fe_flow *f, const double a[2], const double b[2])
{
  double along = (a[0] * f->up[0] + a[1] * f->up[1]) * (b[0] * f->up[0] + b[1] * f->up[1]);
  double across = a[0] * b[0] + a[1] * b[1] - along;
  return along + (f->weight > 0 ? ACROSS : 1) * across;
}

static void add_conduction(const pc_fe_flow *f, pc_block_matrix *matrix)
{
  const pc_fe_cells *body = &f->mesh.body;
  for (int e = 0; e < body->count; e++) {
    const pc_fe_cell *cell = &body->cell[e];
    const int *node = body->node + cell->first;
    double corner[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(&f->mesh, body, e, corner);
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, pc_element_of(cell->type)->mass_degree);
    for (int q = 0; q < rule.points; q++) {
      pc_element_point p;
      pc_element_map(cell->type, (const double(*)[3])corner, rule.at[q], &p);
      for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++) {
          if (node[a] < node[b])
            continue;
          double *block =
              matrix->value + matrix->offset[pc_block_matrix_find(matrix, node[a], node[b])];
          double part = rule.weight[q] * p.determinant * conduct(f, p.gradient[a], p.gradient[b]);
          block[0] += part;
          block[3] += part;
        }
    }
  }
}

pc_status pc_flow_grid_create(pc_fe_flow *f, pc_error *error)
{
  pc_flow_grid *g = &f->grid;
  pc_status status = pc_fe_space_create(&g->space, &f->mesh, 2, NULL, 0, NULL, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&g->space, &g->stiffness, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&g->space, &g->fixed_stiffness, error);
  if (status != PC_OK)
    return status;
  g->fixed = pc_arena_take(&f->arena, (size_t)g->space.numbers, 1);
  g->scratch = pc_arena_take(&f->arena, 2 * (size_t)g->space.numbers, sizeof *g->scratch);
  if (f->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a mesh that moves");
  for (int s = 0; s < f->sides; s++)
    for (int k = 0; k < 3; k++)
      memset(g->fixed + 2 * f->side[s].node[k], 1, 2);
  add_conduction(f, &g->stiffness);
  add_conduction(f, &g->fixed_stiffness);
  pc_fe_fix(&g->space, g->fixed, NULL, &g->fixed_stiffness, g->scratch);
  g->direct = pc_direct_analyze(&g->fixed_stiffness, NULL, 0, error);
  if (g->direct == NULL)
    return error != NULL ? error->status : PC_ERROR_MEMORY;
  return pc_direct_factor(g->direct, &g->fixed_stiffness, error);
}

void pc_flow_grid_free(pc_flow_grid *g)
{
  pc_direct_destroy(g->direct);
  pc_block_matrix_free(&g->stiffness);
  pc_block_matrix_free(&g->fixed_stiffness);
  pc_fe_space_free(&g->space);
}

pc_status pc_flow_place(pc_fe_flow *f, const double *height, double (*x)[3], pc_error *error)
{
  pc_flow_grid *g = &f->grid;
  double *u = g->scratch, *right = u + f->numbers; // displacements first
  memset(u, 0, (size_t)f->numbers * sizeof *u);
  for (int i = 0; i < f->spines; i++)
    for (int k = 0; k < 2; k++)
      u[2 * f->spine[i].node + k] = height[i] * f->spine[i].direction[k];
  for (int i = 0; i < f->slides; i++) {
    const pc_flow_slide *s = &f->slide[i];
    double moved[2] = {0};
    for (int e = 0; e < 2; e++)
      for (int k = 0; s->spine[e] >= 0 && k < 2; k++)
        moved[k] += (e == 0 ? 1 - s->part : s->part) * u[2 * f->spine[s->spine[e]].node + k];
    memcpy(u + 2 * s->node, moved, sizeof moved); // where walls meet, both say the same
  }
  pc_block_matrix_multiply(&g->stiffness, u, right);
  for (int i = 0; i < f->numbers; i++)
    right[i] = g->fixed[i] ? 0 : -right[i];
  pc_status status = pc_direct_solve(g->direct, right, NULL, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < f->mesh.nodes; i++)
    for (int k = 0; k < 2; k++)
      x[i][k] = f->start[i][k] + (g->fixed[2 * i] ? u : right)[2 * i + k];
  return PC_OK;
}
