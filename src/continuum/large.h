// Elastic solids of large displacements: St. Venant and Kirchhoff's material, in terms of the mesh
// as it was made.
//
//     F = 1 + grad u,   E = (F'F - 1) / 2,   S = 2 mu E + lambda tr E 1,   energy  int E:S / 2
//
// A rigid motion has no strain, however far it turns; for small strains and rotations this is the
// solid of elastic.h. In a step from u to u1 forces are those of Simo and Tarnow (1992): of the
// mean F and the mean S of both ends,
//
//     f_a = - int F_m S_m grad N_a        E1 - E = sym(F_m' grad (u1 - u))
//
// so their work is the change of the energy, and they have neither a resultant nor a moment about
// any point in the middle of the step, for any quadrature.
#ifndef PERCUSS_CONTINUUM_LARGE_H
#define PERCUSS_CONTINUUM_LARGE_H

#include "continuum/elastic.h"

// Vectors have `dimension` numbers per node.
typedef struct pc_fe_large {
  pc_arena arena; // of all arrays
  const pc_fe_mesh *mesh;
  int *solid;       // of each element
  int *first;       // point of each element, and one behind the last
  double *weight;   // of each point: its volume
  long *at;         // of each element: where the gradients of its points begin
  double *gradient; // of each point and node, `dimension` numbers
} pc_fe_large;

// Coefficients of a solid in a form of strains, 2 strain E:E + volume tr E tr E. In a step the
// stress also has 2 damping (E1 - E): a viscosity over the length of the step.
typedef struct pc_fe_moduli {
  double strain, volume;
  double damping;
} pc_fe_moduli;

// Every element has one solid. The mesh must outlive it. On error it can be freed.
pc_status pc_fe_large_create(pc_fe_large *large, const pc_fe_mesh *mesh, int solids,
                             const pc_fe_solid *solid, pc_error *error);
void pc_fe_large_free(pc_fe_large *large);

double pc_fe_large_energy(const pc_fe_large *large, const pc_fe_moduli *moduli, const double *u);
// Subtracts the internal force of a step from u to u + d. False where an element has turned inside
// out.
bool pc_fe_large_force(const pc_fe_large *large, const pc_fe_moduli *moduli, const double *u,
                       const double *d, double *force);
// What the damping of a step from u to u + d takes: int 2 damping (E1 - E):(E1 - E).
double pc_fe_large_loss(const pc_fe_large *large, const pc_fe_moduli *moduli, const double *u,
                        const double *d);
// Adds `factor` times the form of the strain rates sym(F' grad v), with F of `middle`, and, unless
// `u` is NULL, that of stresses that turn with the solid, S : grad v' grad v, with the mean S of u
// and u1. Symmetric.
void pc_fe_large_add_form(const pc_fe_large *large, const pc_fe_moduli *moduli, double factor,
                          const double *middle, const double *u, const double *u1,
                          const pc_fe_space *space, pc_block_matrix *matrix);

#endif
