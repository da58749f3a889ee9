// Boxes and spheres around shapes; pc_shape_bounds is in shape.h.
#ifndef PERCUSS_GEOMETRY_BOUNDS_H
#define PERCUSS_GEOMETRY_BOUNDS_H

#include "geometry/shape.h"

// Fills low, high and radius of a shape that has everything else.
void pc_shape_measure(pc_shape *shape);

#endif
