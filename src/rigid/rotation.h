// Free rotation of many bodies; percuss/rotation.h has that of one.
#ifndef PERCUSS_RIGID_ROTATION_H
#define PERCUSS_RIGID_ROTATION_H

#include "percuss/rotation.h"

// Advances four bodies at once, each as pc_rotation_advance does. No body may have three equal
// moments of inertia.
void pc_rotation_advance_four(const double (*inertia)[3], double (*attitude)[4], double (*spin)[3],
                              double time);

#endif
