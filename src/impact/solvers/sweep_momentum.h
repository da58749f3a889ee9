// Momentum: how much of the last step, or sweep, the next one adds.
#ifndef PERCUSS_IMPACT_SWEEP_MOMENTUM_H
#define PERCUSS_IMPACT_SWEEP_MOMENTUM_H

#include <stdbool.h>

typedef struct pc_sweep_momentum {
  // Nesterov's:
  double theta;
  double size; // of the last step, squared
  int hold;    // sweeps without momentum to come
  // Steady:
  double beta, moved, moved_before; // squares of the steps of these sweeps, and of those before
  int sweeps, lowered;              // so far; when it was lowered last
} pc_sweep_momentum;
extern const pc_sweep_momentum pc_momentum_first;

// Nesterov's: 0 after a restart.
double pc_nesterov_next(double *theta, bool restart);
// The same after a sweep: restarted where it points back (`back` > 0, O'Donoghue and Candes) and,
// if `holds`, held for some sweeps when the step grows. `step` is squared.
double pc_nesterov_after(pc_sweep_momentum *momentum, double back, double step, bool holds);
// A steady momentum, raised slowly and lowered at once where sweeps together move more than those
// before.
double pc_steady_after(pc_sweep_momentum *momentum, double step);

#endif
