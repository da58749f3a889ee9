// Dilations of a displacement at the nodes, E = G u with E_a = int phi_a div u, where phi_a is
// linear on parts of elements; G' m is the force of the stress m 1. For laws that are lumped at
// nodes.
#ifndef PERCUSS_CONTINUUM_DILATION_H
#define PERCUSS_CONTINUUM_DILATION_H

#include "continuum/mesh.h"
#include "core/memory.h"

typedef struct pc_fe_dilation {
  pc_arena arena; // of all arrays
  const pc_fe_mesh *mesh;
  bool *group;   // which have it
  long *first;   // of each element in `local`; none has fewer numbers than it needs
  double *local; // of each element: nodes x nodes x dimension
} pc_fe_dilation;

// Integrates over the marked groups of elements. The mesh must outlive it. On error it is empty.
pc_status pc_fe_dilation_create(pc_fe_dilation *dilation, const pc_fe_mesh *mesh, const bool *group,
                                pc_error *error);
void pc_fe_dilation_free(pc_fe_dilation *dilation);
// `dimension` numbers per node of the displacement.
void pc_fe_dilation_of(const pc_fe_dilation *dilation, const double *displacement, double *e);
// Adds G' m.
void pc_fe_dilation_force(const pc_fe_dilation *dilation, const double *m, double *force);

#endif
