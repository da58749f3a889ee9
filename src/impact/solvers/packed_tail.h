// Sweeps over those contacts alone that miss the accuracy, and their neighbours, where they are
// few.
#ifndef PERCUSS_IMPACT_PACKED_TAIL_H
#define PERCUSS_IMPACT_PACKED_TAIL_H

#include "impact/pack_subset.h"
#include "impact/solvers/packed_run.h"

typedef struct pc_packed_tail {
  pc_pack_subset subset;
  pc_packed_run run; // over its part
  bool made, worth;  // worth: only few contacts are left
  int pause;         // blocks of whole sweeps before the next attempt
} pc_packed_tail;

// Sweeps them, if that is worth it and there are not too many. Gives the sweeps that it cost in
// `blocks` of whole ones, 0 if there were none; false if there is no room.
bool pc_packed_tail_sweep(pc_packed_tail *tail, pc_packed_run *run, double accuracy,
                          pc_arena *arena, int *blocks);
// Whether it is worth it the next time, after this result of a whole sweep.
void pc_packed_tail_judge(pc_packed_tail *tail, const pc_packs *packs, double accuracy,
                          const pc_solver_result *at);

#endif
