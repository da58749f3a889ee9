// Solids that are inside each other.
#ifndef PERCUSS_CONTINUUM_OVERLAP_H
#define PERCUSS_CONTINUUM_OVERLAP_H

#include "continuum/mesh.h"
#include "percuss/status.h"

// Looks at the solids that two groups of sides belong to, with the nodes of the mesh at `place`:
// what is joined by elements is one solid. *element is one of them that has a point deep inside an
// element of the other solid, or -1; `at` is the point. Overlaps of less than a tenth of an element
// may be missed.
pc_status pc_fe_find_overlap(const pc_fe_mesh *mesh, const double (*place)[3], int sides, int other,
                             int *element, double at[3], pc_error *error);

#endif
