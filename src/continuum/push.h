// Impulses given from outside (book, 7.6 and 10.3): percussions, heat, entropy and percussion work
// in elements, on sides or at a point. The collision takes the percussions, the thermal problem the
// rest.
#ifndef PERCUSS_CONTINUUM_PUSH_H
#define PERCUSS_CONTINUUM_PUSH_H

#include "continuum/assembly.h"

typedef enum pc_fe_push_place {
  PC_FE_ON_SIDES,
  PC_FE_IN_ELEMENTS,
  PC_FE_AT_POINT,
} pc_fe_push_place;

// Units on sides; in elements they are per volume, at a point whole: in the plane of a line, N s/m.
typedef struct pc_fe_push {
  pc_fe_push_place place;
  int group;            // of sides or elements; of the element of a point, or -1: any
  double point[3];      // in an element
  double percussion[3]; // T_p; in elements F_p, Pa s
  double heat;          // sum of T B, J/m2
  bool has_entropy;     // the sum of B is given and the heat follows from it: remark 7.7
  double entropy;       // that sum, J/(m2 K)
  double work[3];       // a; in elements A, J/m2: of the fractions of pc_fe_thermal_state
  double at;            // of a motion: when, s, >= 0
} pc_fe_push;

// The first element that contains a place, and where that is in the element of reference. `group`
// -1: of all groups. Returns -1 if there is none.
int pc_fe_mesh_locate(const pc_fe_mesh *mesh, int group, const double place[3], double xi[3]);
// Whether an element contains x when the nodes of the mesh are at `place`.
bool pc_fe_element_has(const pc_fe_mesh *mesh, const double (*place)[3], int element,
                       const double x[3]);

// Adds the percussion to a vector of the space. A point outside the mesh adds nothing.
void pc_fe_push_add(const pc_fe_space *space, const pc_fe_push *push, double *vector);
// The mean of a field over the nodes where it acts; at a point its value. `field` has as many
// numbers at each node as the mesh has dimensions.
void pc_fe_push_mean(const pc_fe_mesh *mesh, const pc_fe_push *push, const double *field,
                     double mean[3]);

#endif
