// Accelerated sweeps over packs: the points that they go through, and where the next one starts.
//
// In the plane first Nesterov's momentum, the best for the ten or twenty sweeps of a step that
// starts from the last one. Where it stalls, Anderson's method over blocks of sweeps, and going on
// from there: a return to the best point would repeat the same steps for ever. In space a steady
// momentum, which takes half the sweeps there, and up to twice as many in the plane.
#ifndef PERCUSS_IMPACT_PACKED_RUN_H
#define PERCUSS_IMPACT_PACKED_RUN_H

#include "impact/packs.h"
#include "impact/solvers/anderson.h"
#include "impact/solvers/solver.h"
#include "impact/solvers/sweep_momentum.h"

enum { PC_PACKED_BLOCK = 5, PC_PACKED_POINTS = 4 };

typedef struct pc_packed_run {
  pc_packs *packs;
  int n; // numbers in a point
  // Points and lines, in the precision of the packs:
  void *point[PC_PACKED_POINTS]; // room for those below; the first is packs->r
  void *r;                       // by Anderson's method: where a block starts; else g
  void *g, *line;                // where the last sweep ended, with its velocities
  void *last;                    // with momentum: where the one before ended; else g
  void *lines_before;            // there; before the first sweep they are room
  void *kept;                    // the best point but g
  double sums[2];                // of the last sweep
  pc_sweep_momentum push;
  double beta;
  pc_anderson anderson;
  bool steady;          // the momentum is
  bool pushes, pending; // the method; g is there and waits to be extrapolated
} pc_packed_run;

bool pc_packed_run_create(pc_packed_run *run, pc_packs *packs, bool steady, pc_arena *arena);
// From the first point, with these velocities and this room for others.
void pc_packed_run_begin(pc_packed_run *run, void *line, void *lines_before);
// PC_PACKED_BLOCK sweeps.
void pc_packed_run_sweep(pc_packed_run *run);
// The last point is the best so far, and must stay.
void pc_packed_run_keep(pc_packed_run *run);
// The last point may be written: it is no longer the one that is kept, and sweeps go on from there
// without momentum at first.
void pc_packed_run_release(pc_packed_run *run);
// From where the last sweep ended: from steady momentum to Nesterov's; from momentum to Anderson's
// method or back, false if there is no room.
void pc_packed_run_unsteady(pc_packed_run *run);
bool pc_packed_run_change(pc_packed_run *run, pc_arena *arena);

// The residual that a natural map of this size makes, and what is missed.
void pc_packed_result(const pc_packs *packs, const pc_map_size *size, pc_solver_result *result);

#endif
