#include "impact/solvers/sweep_momentum.h"

#include <math.h>

#include "impact/solvers/tuning.h"

enum { HELD = 5 };

const pc_sweep_momentum pc_momentum_first = {
    .theta = 1, .size = INFINITY, .beta = pc_steady_first, .moved_before = INFINITY};

double pc_nesterov_next(double *theta, bool restart)
{
  double next = restart ? 1 : 0.5 * (1 + sqrt(1 + 4 * *theta * *theta));
  double momentum = restart ? 0 : (*theta - 1) / next;
  *theta = next;
  return momentum;
}

double pc_nesterov_after(pc_sweep_momentum *m, double back, double step, bool holds)
{
  if (holds && step > m->size && m->hold == 0)
    m->hold = HELD;
  m->size = step;
  double beta = pc_nesterov_next(&m->theta, back > 0 || m->hold > 0);
  m->hold -= m->hold > 0;
  return beta;
}

double pc_steady_after(pc_sweep_momentum *m, double step)
{
  m->moved += step;
  m->sweeps++;
  if (m->sweeps % PC_STEADY_SWEEPS == 0) {
    double without = 1 - m->beta;
    if (m->moved > m->moved_before) {
      m->beta = fmax(pc_steady_least, 1 - 2 * without);
      m->lowered = m->sweeps;
    } else {
      m->beta = fmin(pc_steady_most, 1 - 0.9 * without);
    }
    m->moved_before = m->moved;
    m->moved = 0;
  }
  return m->sweeps < 3 ? 0.5 * m->beta : m->beta;
}
