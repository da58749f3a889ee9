// Vertical lines through shapes: how high the ground is, and how thick what lies on it. z is up.
#ifndef PERCUSS_GEOMETRY_COLUMN_H
#define PERCUSS_GEOMETRY_COLUMN_H

#include "geometry/shape.h"

// The part low .. high of the line over (x, y) that is in the shape; false if it misses. Below a
// plane, mesh or height field all is solid: low is -INFINITY, and high the highest triangle. Of a
// compound it is all from its lowest to its highest point. Shapes of space only.
bool pc_shape_column(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                     double *high);

#endif
