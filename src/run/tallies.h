// What a sensor of hits says of all of them: how many bodies hit, and which hit was the hardest.
#ifndef PERCUSS_RUN_TALLIES_H
#define PERCUSS_RUN_TALLIES_H

#include "core/memory.h"
#include "run/hits.h"

typedef struct pc_tally {
  int struck;                // bodies that hit
  pc_strike energy, impulse; // the hit with the largest; body.id 0: none yet
} pc_tally;

typedef struct pc_tallies {
  const pc_scene *scene;
  int count; // sensors of hits
  pc_tally *tally;
  unsigned char *hit; // [count][bodies + 1]: whether this body has hit
  size_t bytes;       // of the state, which begins at `tally`
} pc_tallies;

// False when memory is out.
bool pc_tallies_begin(pc_tallies *tallies, pc_arena *arena, const pc_scene *scene);
// Call it after the hits of a step, which began at this time.
void pc_tallies_step(pc_tallies *tallies, const pc_hits *hits, double begin);
const pc_tally *pc_tally_of(const pc_tallies *tallies, int sensor);
// Whether bytes can be those of a checkpoint.
bool pc_tallies_are_sound(const pc_tallies *tallies, const void *data, size_t size);

#endif
