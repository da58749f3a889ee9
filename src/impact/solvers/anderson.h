// Anderson acceleration of a fixed-point map r -> g(r).
//
// The step |g - r| must not grow: with a laxer rule the iteration wanders on a plateau. When it
// does, the point is dropped and a shorter part of the same extrapolation is tried from the last
// image: where redundant contacts hand over a load the direction is right and only the length is
// too great, because a contact opens on the way. When that fails too the memory is cleared.
#ifndef PERCUSS_IMPACT_ANDERSON_H
#define PERCUSS_IMPACT_ANDERSON_H

#include "core/memory.h"

enum { PC_ANDERSON_MEMORY = 8 };

typedef struct pc_anderson {
  int n, used, next;
  double *df[PC_ANDERSON_MEMORY], *dg[PC_ANDERSON_MEMORY];
  double gram[PC_ANDERSON_MEMORY][PC_ANDERSON_MEMORY];
  double *f, *g; // last step and last image
  double *ahead; // last extrapolation beyond g
  double part;   // of it that was taken
  bool started;
  double size; // |f| of the last step
} pc_anderson;

bool pc_anderson_create(pc_anderson *anderson, int n, pc_arena *arena);
// On entry g = map(r); on return r is the next point.
void pc_anderson_step(pc_anderson *anderson, double *r, const double *g);
void pc_anderson_forget(pc_anderson *anderson);

#endif
