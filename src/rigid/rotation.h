// Free rotation: a rigid body without torque, exactly, by Jacobi's elliptic functions.
#ifndef PERCUSS_RIGID_ROTATION_H
#define PERCUSS_RIGID_ROTATION_H

// Advances the angular velocity (body axes, which are principal) by `time`, which may be negative.
// Energy and angular momentum are kept to round-off.
void pc_rotation_spin(const double inertia[3], const double before[3], double time,
                      double after[3]);

// Advances attitude (quaternion w, x, y, z; principal axes -> world) and angular velocity (world
// axes) by `time`. The angular momentum in world axes does not change.
void pc_rotation_advance(const double inertia[3], double attitude[4], double spin[3], double time);

// Four bodies at once, without equal moments all three: each as if it were alone.
void pc_rotation_advance_four(const double (*inertia)[3], double (*attitude)[4], double (*spin)[3],
                              double time);

#endif
