#include "continuum/elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"

void pc_fe_solid_moduli(const pc_fe_solid *solid, int dimension, double *mu, double *lambda)
{
  double e = solid->young, nu = solid->poisson;
  if (solid->bulk > 0) {
    *mu = 0, *lambda = solid->bulk;
    return;
  }
  if (dimension == 1) { // 2 mu + lambda is Young's modulus
    *mu = e / 2, *lambda = 0;
    return;
  }
  *mu = e / (2 * (1 + nu));
  *lambda =
      solid->thin && dimension == 2 ? e * nu / (1 - nu * nu) : e * nu / ((1 + nu) * (1 - 2 * nu));
}

pc_status pc_fe_elastic_create(pc_fe_elastic *elastic, const pc_fe_mesh *mesh, int solids,
                               const pc_fe_solid *solid, const double gravity[3], pc_error *error)
{
  *elastic = (pc_fe_elastic){0};
  pc_status status =
      pc_fe_space_create(&elastic->space, mesh, mesh->dimension, NULL, 0, NULL, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&elastic->space, &elastic->mass, error);
  if (status == PC_OK)
    status = pc_fe_space_matrix(&elastic->space, &elastic->stiffness, error);
  for (int i = 0; i < solids; i++)
    elastic->viscous = elastic->viscous || solid[i].viscosity > 0;
  if (status == PC_OK && elastic->viscous)
    status = pc_fe_space_matrix(&elastic->space, &elastic->viscosity, error);
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
    pc_fe_add_terms(&elastic->space, s->group,
                    &(pc_fe_terms){.strain = mu, .volume = lambda, .averaged = s->bulk > 0},
                    &elastic->stiffness);
    if (s->viscosity > 0)
      pc_fe_add_terms(&elastic->space, s->group, &(pc_fe_terms){.strain = s->viscosity},
                      &elastic->viscosity);
    double force[3] = {s->density * gravity[0], s->density * gravity[1], s->density * gravity[2]};
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
  pc_block_matrix_free(&elastic->viscosity);
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

double pc_fe_elastic_loss(const pc_fe_elastic *e, const double *velocity)
{
  if (!e->viscous)
    return 0;
  double *y = e->scratch, *bent = e->scratch + e->space.numbers;
  pc_fe_drop_rigid(&e->space, velocity, bent);
  pc_block_matrix_multiply(&e->viscosity, bent, y);
  return pc_dot(e->space.numbers, bent, y);
}

void pc_fe_elastic_force(const pc_fe_elastic *e, const double *displacement, double *force)
{
  double *bent = e->scratch + e->space.numbers;
  pc_fe_drop_rigid(&e->space, displacement, bent);
  pc_block_matrix_multiply(&e->stiffness, bent, force);
  for (int i = 0; i < e->space.numbers; i++)
    force[i] = e->weight[i] - force[i];
}

// Component c of the rigid field k at node i: translations, then rotations about z in the plane,
// about x, y and z in space.
static double rigid_at(const pc_fe_mesh *mesh, const double *displacement, int i, int c, int k)
{
  if (k < mesh->dimension)
    return c == k;
  int axis = mesh->dimension == 2 ? 2 : k - 3;
  int from = c == (axis + 1) % 3 ? (axis + 2) % 3 : (axis + 1) % 3;
  if (c == axis)
    return 0;
  double x = mesh->node[i][from];
  if (displacement != NULL)
    x += displacement[i * mesh->dimension + from];
  return c == (axis + 1) % 3 ? -x : x;
}

enum { FIELDS = 6 };

// Solves the normal equations by elimination without exchanges: the matrix is definite. The right
// hand sides are in column FIELDS.
static void eliminate(int fields, double gram[FIELDS][FIELDS + 1], double solution[FIELDS])
{
  for (int k = 0; k < fields; k++)
    for (int l = k + 1; l < fields; l++) {
      double factor = gram[l][k] / gram[k][k];
      for (int c = k; c < fields; c++)
        gram[l][c] -= factor * gram[k][c];
      gram[l][FIELDS] -= factor * gram[k][FIELDS];
    }
  for (int k = fields - 1; k >= 0; k--) {
    double sum = gram[k][FIELDS];
    for (int c = k + 1; c < fields; c++)
      sum -= gram[k][c] * solution[c];
    solution[k] = sum / gram[k][k];
  }
}

// The normal equations of the rigid fields, by the Gram matrix of the mass; positive definite as
// long as the solids have an extent.
double pc_fe_elastic_rigid(const pc_fe_elastic *e, const double *displacement,
                           const double *velocity, double rigid[6])
{
  const pc_fe_mesh *mesh = e->space.mesh;
  int size = mesh->dimension, fields = size == 1 ? 1 : size == 2 ? 3 : 6;
  double gram[FIELDS][FIELDS + 1] = {{0}};
  // M r_k by rows would need a product for each; r_k' M x needs x = r_l and the velocity.
  for (int l = 0; l <= fields; l++) {
    double *y = e->scratch;
    if (l == fields) {
      pc_block_matrix_multiply(&e->mass, velocity, y);
    } else {
      double *x = e->scratch + e->space.numbers;
      for (int i = 0; i < mesh->nodes; i++)
        for (int c = 0; c < size; c++)
          x[i * size + c] = rigid_at(mesh, displacement, i, c, l);
      pc_block_matrix_multiply(&e->mass, x, y);
    }
    for (int i = 0; i < mesh->nodes; i++)
      for (int c = 0; c < size; c++)
        for (int k = 0; k < fields; k++)
          gram[k][l == fields ? FIELDS : l] +=
              rigid_at(mesh, displacement, i, c, k) * y[i * size + c];
  }
  double whole = pc_dot(e->space.numbers, velocity, e->scratch), part = 0, right[FIELDS];
  for (int k = 0; k < fields; k++)
    right[k] = gram[k][FIELDS];
  memset(rigid, 0, FIELDS * sizeof *rigid);
  eliminate(fields, gram, rigid);
  for (int k = 0; k < fields; k++)
    part += rigid[k] * right[k];
  return whole > 0 ? fmax(0, 1 - part / whole) : 0;
}
