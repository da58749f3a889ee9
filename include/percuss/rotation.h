// Free rotation: a rigid body without torque, exactly, by Jacobi's elliptic functions.
#ifndef PERCUSS_ROTATION_H
#define PERCUSS_ROTATION_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Advances the angular velocity (principal body axes) by `time`, which may be negative. Energy and
// angular momentum are conserved to round-off.
void pc_rotation_spin(const double inertia[3], const double before[3], double time,
                      double after[3]);

// Advances attitude (quaternion w, x, y, z; principal axes -> world) and angular velocity (world
// axes) by `time`. The angular momentum in world axes does not change.
void pc_rotation_advance(const double inertia[3], double attitude[4], double spin[3], double time);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
