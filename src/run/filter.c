#include "run/filter.h"

#include <math.h>

#include "core/elementary.h"

pc_butterworth pc_butterworth_design(double cutoff, double step)
{
  double k = pc_tan(pc_acos(-1) * cutoff * step), scale = 1 / (1 + sqrt(2) * k + k * k);
  return (pc_butterworth){.b0 = k * k * scale,
                          .b1 = 2 * k * k * scale,
                          .b2 = k * k * scale,
                          .a1 = 2 * (k * k - 1) * scale,
                          .a2 = (1 - sqrt(2) * k + k * k) * scale};
}

// The transposed form: two numbers carry all that came before.
double pc_butterworth_next(const pc_butterworth *f, double memory[2], double value)
{
  double out = f->b0 * value + memory[0];
  memory[0] = f->b1 * value - f->a1 * out + memory[1];
  memory[1] = f->b2 * value - f->a2 * out;
  return out;
}
