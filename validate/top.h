// An oracle of free rotation.
#ifndef PERCUSS_VALIDATE_TOP_H
#define PERCUSS_VALIDATE_TOP_H

// One step of a body with these principal moments; y is its spin in body axes and its quaternion.
void pc_top_step(const long double inertia[3], long double y[7], long double step);

#endif
