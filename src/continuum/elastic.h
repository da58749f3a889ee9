// Elastic solids of small strains: M dU/dt + K u = f, with u the displacement and U its velocity.
//
//     stress = 2 mu D(u) + lambda div u 1        K = int 2 mu D:D + lambda div div
//
// A fluid has mu = 0 and the mean of div u over each element. With div u at every point, elements
// lock: vortices get a stiffness that no fluid has. Linear quadrangles and hexahedra serve best: a
// mode of a box is within 0.2 % with 32 of them along it, and 10 % of one are vortices with 24
// quadratic ones and linear pressures, because their nodes in the middle move by themselves.
//
// Both strains and rotations must be small: a rotation by phi leaves stresses in their old
// directions, and moves a point at a distance L by L phi^2 / 2 off its circle.
#ifndef PERCUSS_CONTINUUM_ELASTIC_H
#define PERCUSS_CONTINUUM_ELASTIC_H

#include "continuum/assembly.h"

typedef struct pc_fe_solid {
  int group;
  double density;        // kg/m3, > 0
  double young, poisson; // Pa, >= 0; -1 < poisson < 1/2
  double bulk;      // Pa; > 0: a fluid that is compressed, pressure - bulk div u, without shear
                    // stiffness. Young's modulus and Poisson's ratio do not count
  double viscosity; // Pa s: the stress 2 viscosity D(U) between collisions
  bool thin;        // in the plane: plane stress, else plane strain; a line is a rod, with
                    // Young's modulus
  double strain, volume; // percussion viscosities in a collision, as in pc_fe_medium, kg/m
} pc_fe_solid;

// mu and lambda, the `strain` and `volume` of pc_fe_terms.
void pc_fe_solid_moduli(const pc_fe_solid *solid, int dimension, double *mu, double *lambda);
// Vectors have `dimension` numbers per node. The mesh must outlive it.
typedef struct pc_fe_elastic {
  pc_fe_space space;
  pc_block_matrix mass, stiffness;
  bool viscous;
  pc_block_matrix viscosity; // where some solid has one
  double *weight;            // force of gravity, N/m
  double *scratch;           // two vectors
} pc_fe_elastic;

// Every element has one solid, with numbers in their ranges.
pc_status pc_fe_elastic_create(pc_fe_elastic *elastic, const pc_fe_mesh *mesh, int solids,
                               const pc_fe_solid *solid, const double gravity[3], pc_error *error);
void pc_fe_elastic_free(pc_fe_elastic *elastic);

typedef struct pc_fe_energy {
  double kinetic, elastic, gravity; // J/m; gravity from the mesh as it was made
} pc_fe_energy;
pc_fe_energy pc_fe_elastic_energy(const pc_fe_elastic *elastic, const double *displacement,
                                  const double *velocity);
// What viscosities dissipate in a second at this velocity, W/m.
double pc_fe_elastic_loss(const pc_fe_elastic *elastic, const double *velocity);
// weight - K u: the force of gravity and elasticity, N/m.
void pc_fe_elastic_force(const pc_fe_elastic *elastic, const double *displacement, double *force);

// The rigid field nearest in kinetic energy: velocity of the origin, then spin (one number on a
// line, three in the plane, six in space). It is that of the mesh as it was made or, with a
// `displacement`, as it is then. Returns the remaining part of the kinetic energy.
double pc_fe_elastic_rigid(const pc_fe_elastic *elastic, const double *displacement,
                           const double *velocity, double rigid[6]);

#endif
