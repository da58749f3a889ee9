// Anderson acceleration of a fixed-point map r -> g(r).
//
// The step |g - r| must not grow: with a laxer rule the iteration wanders on a plateau.
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
  bool started;
  double size; // |f| of the last step
} pc_anderson;

bool pc_anderson_create(pc_anderson *anderson, int n, pc_arena *arena);
// On entry g = map(r); on return r is the next point. False if the step grew after an
// extrapolation: then g is dropped, the memory cleared, and r is the image before it; `ahead` still
// holds what was too much.
bool pc_anderson_step(pc_anderson *anderson, double *r, const double *g);
void pc_anderson_forget(pc_anderson *anderson);

#endif
