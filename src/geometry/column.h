// Vertical lines through shapes: height of the ground and thickness of bodies on it. z is up.
#ifndef PERCUSS_GEOMETRY_COLUMN_H
#define PERCUSS_GEOMETRY_COLUMN_H

#include "geometry/shape.h"

// Gives the part low .. high of the line over (x, y) that is inside the shape; false if it misses.
// Planes, meshes and height fields are solid below: low is -INFINITY, and high is on the highest
// triangle. For a compound it reaches from its lowest to its highest point. Shapes of space only.
bool pc_shape_column(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                     double *high);

#endif
