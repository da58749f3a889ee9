#include "continuum/elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"

void pc_fe_solid_moduli(const pc_fe_solid *solid, int dimension, double *mu, double *lambda)
{
  double e = solid->young, nu = solid->poisson;
  if (dimension == 1) { // 2 mu + lambda is Young's modulus
    *mu = e / 2, *lambda = 0;
    return;
  }
  *mu = e / (2 * (1 + nu));
  *lambda = solid->thin ? e * nu / (1 - nu * nu) : e * nu / ((1 + nu) * (1 - 2 * nu));
}

pc_status pc_fe_elastic_create(pc_fe_elastic *elastic, const pc_fe_mesh *mesh, int solids,
                               const pc_fe_solid *solid, const double gravity[2], pc_error *error)
{
  *elastic = (pc_fe_elastic){0};
  pc_status status =
      pc_fe_space_create(&elastic->space, mesh, mesh->dimension, NULL, 0, NULL, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&elastic->space, &elastic->mass, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&elastic->space, &elastic->stiffness, error);
  if (status == PC_OK) {
    size_t n = (size_t)elastic->space.numbers + 1;
    elastic->weight = calloc(n, sizeof *elastic->weight);
    elastic->scratch = calloc(2 * n, sizeof *elastic->scratch);
    if (elastic->weight == NULL || elastic->scratch == NULL)
      status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for elastic solids");
  }
  for (int i = 0; status == PC_OK && i < solids; i++) {
    const pc_fe_solid *s = &solid[i];
    double mu, lambda;
    pc_fe_solid_moduli(s, mesh->dimension, &mu, &lambda);
    pc_fe_add_terms(&elastic->space, s->group, &(pc_fe_terms){.mass = s->density}, &elastic->mass);
    pc_fe_add_terms(&elastic->space, s->group, &(pc_fe_terms){.strain = mu, .volume = lambda},
                    &elastic->stiffness);
    double force[2] = {s->density * gravity[0], s->density * gravity[1]};
    pc_fe_add_load(&elastic->space, &mesh->body, s->group, pc_fe_uniform, force, elastic->weight);
  }
  if (status != PC_OK)
    pc_fe_elastic_free(elastic);
  return status;
}

void pc_fe_elastic_free(pc_fe_elastic *elastic)
{
  pc_block_matrix_free(&elastic->mass);
  pc_block_matrix_free(&elastic->stiffness);
  pc_fe_space_free(&elastic->space);
  free(elastic->weight);
  free(elastic->scratch);
  *elastic = (pc_fe_elastic){0};
}

pc_fe_energy pc_fe_elastic_energy(const pc_fe_elastic *e, const double *displacement,
                                  const double *velocity)
{
  int n = e->space.numbers;
  double *y = e->scratch, *bent = e->scratch + n;
  pc_fe_energy energy;
  pc_block_matrix_multiply(&e->mass, velocity, y);
  energy.kinetic = pc_dot(n, velocity, y) / 2;
  pc_fe_drop_rigid(&e->space, displacement, bent);
  pc_block_matrix_multiply(&e->stiffness, bent, y);
  energy.elastic = pc_dot(n, bent, y) / 2;
  energy.gravity = -pc_dot(n, displacement, e->weight);
  return energy;
}

void pc_fe_elastic_force(const pc_fe_elastic *e, const double *displacement, double *force)
{
  double *bent = e->scratch + e->space.numbers;
  pc_fe_drop_rigid(&e->space, displacement, bent);
  pc_block_matrix_multiply(&e->stiffness, bent, force);
  for (int i = 0; i < e->space.numbers; i++)
    force[i] = e->weight[i] - force[i];
}

// Component c of the rigid field k at node i.
static double rigid_at(const pc_fe_mesh *mesh, int i, int c, int k)
{
  if (k < 2)
    return c == k;
  return c == 0 ? -mesh->node[i][1] : mesh->node[i][0];
}

// The normal equations of three fields, by the Gram matrix of the mass; positive definite as long
// as the solids have an extent.
double pc_fe_elastic_rigid(const pc_fe_elastic *e, const double *velocity, double rigid[3])
{
  const pc_fe_mesh *mesh = e->space.mesh;
  int fields = mesh->dimension == 1 ? 1 : 3, size = mesh->dimension;
  double gram[3][4] = {{0}};
  // M r_k by rows would need three products; r_k' M x needs x = r_l and the velocity.
  for (int l = 0; l <= fields; l++) {
    double *y = e->scratch;
    if (l == fields) {
      pc_block_matrix_multiply(&e->mass, velocity, y);
    } else {
      double *x = e->scratch + e->space.numbers;
      for (int i = 0; i < mesh->nodes; i++)
        for (int c = 0; c < size; c++)
          x[i * size + c] = rigid_at(mesh, i, c, l);
      pc_block_matrix_multiply(&e->mass, x, y);
    }
    for (int i = 0; i < mesh->nodes; i++)
      for (int c = 0; c < size; c++)
        for (int k = 0; k < fields; k++)
          gram[k][l == fields ? 3 : l] += rigid_at(mesh, i, c, k) * y[i * size + c];
  }
  double whole = pc_dot(e->space.numbers, velocity, e->scratch), part = 0, right[3];
  for (int k = 0; k < fields; k++)
    right[k] = gram[k][3];
  for (int k = 0; k < fields; k++) // elimination without exchanges: the matrix is definite
    for (int l = k + 1; l < fields; l++) {
      double factor = gram[l][k] / gram[k][k];
      for (int c = k; c < 3; c++)
        gram[l][c] -= factor * gram[k][c];
      gram[l][3] -= factor * gram[k][3];
    }
  memset(rigid, 0, 3 * sizeof *rigid);
  for (int k = fields - 1; k >= 0; k--) {
    double sum = gram[k][3];
    for (int c = k + 1; c < fields; c++)
      sum -= gram[k][c] * rigid[c];
    rigid[k] = sum / gram[k][k];
  }
  for (int k = 0; k < fields; k++)
    part += rigid[k] * right[k];
  return whole > 0 ? fmax(0, 1 - part / whole) : 0;
}
