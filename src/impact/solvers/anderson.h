// Anderson acceleration of a fixed-point map r -> g(r), for the sweeps of nsgs.c and packed.c.
//
// The step |g - r| must not grow: with a laxer rule the iteration wanders on a plateau. Where it
// grows, all is forgotten and the iteration goes on from the image: a return to an earlier point
// would repeat the same steps for ever.
#ifndef PERCUSS_IMPACT_ANDERSON_H
#define PERCUSS_IMPACT_ANDERSON_H

#include "core/memory.h"

enum { PC_ANDERSON_MEMORY = 8 };

typedef struct pc_anderson {
  int n, used, next, slot;
  double size;             // of the last step, squared; below 0 if there was none
  double *r;               // the point
  const double *g;         // and its image
  double *last_f, *last_g; // those of the call before: step and image
  double *df[PC_ANDERSON_MEMORY], *dg[PC_ANDERSON_MEMORY];
  double gram[PC_ANDERSON_MEMORY][PC_ANDERSON_MEMORY], weight[PC_ANDERSON_MEMORY];
  double *partial; // sums of each chunk
} pc_anderson;

bool pc_anderson_create(pc_anderson *anderson, int n, pc_arena *arena);
// On entry g = map(r). True: r is the next point. False: that is the image, and r is as it was.
bool pc_anderson_step(pc_anderson *anderson, double *r, const double *g, int threads);
void pc_anderson_forget(pc_anderson *anderson);

#endif
