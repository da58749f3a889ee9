// Forces that act on bodies: callbacks, loads, and forces set for many bodies.
#ifndef PERCUSS_RIGID_LOADS_H
#define PERCUSS_RIGID_LOADS_H

#include "rigid/bodies.h"

typedef struct pc_force_entry {
  pc_force *force;
  void *context;
} pc_force_entry;

typedef struct pc_load {
  int body;
  double force[6];
  pc_signal signal; // PC_SIGNAL_NONE: constant
} pc_load;

typedef struct pc_forces {
  PC_ARRAY(pc_force_entry) callback;
  PC_ARRAY(pc_load) load;
  PC_ARRAY(double) given; // N, N m: set by the caller, pc_force_numbers of each body
  int given_bodies;
  PC_ARRAY(pc_six) loaded; // N s: the part of P_ext that is neither gravity nor elements
} pc_forces;

void pc_forces_free(pc_forces *forces);

#endif
