// Heat of a world, inside of the folder.
#ifndef PERCUSS_RIGID_WARMTH_H
#define PERCUSS_RIGID_WARMTH_H

#include "percuss/world_heat.h"
#include "rigid/world.h"

// Of a body, at its slot. Its temperature is start + heat / capacity: what is added up is the heat
// above the start, so that the round-off of the account is that of the energies turned over, not
// that of C T, which may be 1e6 times as large.
struct pc_warm {
  double start;    // K
  double heat;     // J, since the start; of an obstacle, what it took
  double inverse;  // 1 / capacity; 0 for obstacles
  double exchange; // W/K with the outside
  bool own_capacity, own_exchange;
};

struct pc_warmth {
  pc_heat_def def;
  double *specific; // by material, J/(kg K); 0: that of the definition
  int specifics, specific_room;
  pc_warm *body;
  int bodies, body_room;
  double *taken; // by touch: what it dissipates, J
  int taken_room;
  // Of the step so far: given away, and the entropy that went with it; what passed in all.
  double to_obstacles, to_outside, away, passed;
  bool spent; // a body was asked for more heat than it had
};

static inline double pc_warm_temperature(const pc_warm *body)
{
  return body->start + body->heat * body->inverse;
}

#endif
