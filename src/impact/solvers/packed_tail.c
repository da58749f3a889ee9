#include "impact/solvers/packed_tail.h"

#include <math.h>

#include "impact/solvers/tuning.h"

static int sweep_subset(pc_packed_tail *tail, pc_packed_run *run, double accuracy)
{
  pc_packs *part = &tail->subset.part;
  pc_packed_run *local = &tail->run;
  double target = pc_tail_target * accuracy, missed = INFINITY;
  if (!pc_subset_take(&tail->subset, run->line, run->g, target))
    return 0;
  part->threads = part->contacts < PC_THREADED_CONTACTS ? 1 : run->packs->threads;
  pc_packed_run_begin(local, run->line, run->lines_before);
  int sweeps = 0;
  while (sweeps < PC_TAIL_SWEEPS && missed > target) {
    pc_packed_run_sweep(local);
    sweeps += PC_PACKED_BLOCK;
    missed = sqrt(pc_packs_map(part, local->line, local->g).largest);
  }
  pc_packed_run_release(run);
  pc_subset_give_back(&tail->subset, local->g, run->g);
  run->line = local->line;
  run->lines_before = local->lines_before;
  return 1 + sweeps * part->contacts / (PC_PACKED_BLOCK * run->packs->contacts);
}

bool pc_packed_tail_sweep(pc_packed_tail *tail, pc_packed_run *run, double accuracy,
                          pc_arena *arena, int *blocks)
{
  bool worth = tail->worth && run->pushes; // Anderson's method needs the point a block starts from
  if (worth && !tail->made &&
      !(pc_subset_create(&tail->subset, run->packs, arena) &&
        pc_packed_run_create(&tail->run, &tail->subset.part, true, arena)))
    return false;
  tail->made = tail->made || worth;
  *blocks = worth ? sweep_subset(tail, run, accuracy) : 0;
  tail->pause = worth && *blocks == 0 ? PC_TAIL_PAUSE : tail->pause - 1;
  return true;
}

void pc_packed_tail_judge(pc_packed_tail *tail, const pc_packs *packs, double accuracy,
                          const pc_solver_result *at)
{
  tail->worth = tail->pause <= 0 && packs->contacts >= PC_TAIL_CONTACTS && at->missed > accuracy &&
                pc_mean_missed * at->missed_mean < accuracy;
}
