// Martensites and austenite at a point.
//
// Of the fractions with austenite b3 = b3- + x and the same sum, the nearest to those before takes
// x/2 from each martensite, until the smaller of them, m, is used up (x = 2m) and the other gives
// the rest. The slope of half the squared distance is therefore
//
//     q(x) = 3x/2 for x <= 2m,  2x - m beyond,
//
// and eliminating T+ and the martensites leaves  resist q(x) + L^2 / (S C T0) x = force  on
// -b3- <= x <= S - b3-: two straight pieces and two ends.
#include <math.h>
#include <stddef.h>

#include "core/error.h"
#include "heat/phases.h"

// The nearest point with the same sum and no negative entry; entries without `in` are 0.
static void project(const double from[3], const bool in[3], double sum, double to[3])
{
  bool kept[3] = {in[0], in[1], in[2]};
  for (bool again = true; again;) {
    double excess = -sum;
    int count = 0;
    for (int i = 0; i < 3; i++)
      if (kept[i]) {
        excess += from[i];
        count++;
      }
    again = false;
    for (int i = 0; i < 3; i++) {
      to[i] = kept[i] ? from[i] - excess / count : 0;
      if (to[i] < 0) {
        kept[i] = false;
        again = true;
      }
    }
  }
}

void pc_alloy_fractions(const pc_phase_law *law, const double before[3], double temperature,
                        const double drive[3], double after[3])
{
  double force[3] = {0, 0, law->latent * (temperature - law->change) / law->change},
         most = -HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    force[i] += drive != NULL ? drive[i] : 0;
    most = fmax(most, force[i]);
  }
  // Only differences of forces matter. Without resistance the strongest force takes everything.
  bool in[3];
  double target[3], sum = before[0] + before[1] + before[2];
  for (int i = 0; i < 3; i++) {
    in[i] = law->resist > 0 || force[i] == most;
    target[i] = before[i] + (in[i] && force[i] < most ? (force[i] - most) / law->resist : 0);
    target[i] = fmax(target[i], -4); // far enough: nothing is left of it
  }
  project(target, in, sum, after);
}

pc_status pc_alloy_collide(const pc_phase_law *law, const pc_alloy_state *before, double heat,
                           pc_alloy_state *after, double *produced, pc_error *error)
{
  pc_status status = pc_phase_check(law, before->temperature, heat, error);
  if (status != PC_OK)
    return status;
  const double *b = before->fraction;
  double sum = b[0] + b[1] + b[2];
  if (!(b[0] >= 0 && b[1] >= 0 && b[2] >= 0 && sum <= 1 + 1e-12))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "fractions %g, %g, %g; they are 0 or more and their sum is at most 1", b[0],
                   b[1], b[2]);
  if (sum == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "all fractions are 0: there is no alloy");

  double l = law->latent, c = sum * law->capacity, t0 = law->change, r = law->resist;
  double force = l / t0 * (before->temperature - t0 + heat / c), stiff = l * l / (c * t0);
  double less = fmin(b[0], b[1]), q, x = force / (1.5 * r + stiff);
  if (x <= 2 * less) {
    q = 1.5 * x;
  } else {
    x = (force + r * less) / (2 * r + stiff);
    q = 2 * x - less;
  }
  pc_alloy_state result;
  double *f = result.fraction;
  if (x <= -b[2] || x >= b[0] + b[1]) {
    x = x <= -b[2] ? -b[2] : b[0] + b[1];
    result.temperature = before->temperature + (heat - l * x) / c;
  } else {
    result.temperature = t0 * (1 + r * q / l);
  }
  int small = b[0] <= b[1] ? 0 : 1;
  if (x <= 2 * less) {
    f[0] = b[0] - x / 2;
    f[1] = b[1] - x / 2;
  } else {
    f[small] = 0;
    f[1 - small] = fmax(b[0] + b[1] - x, 0);
  }
  f[2] = fmin(fmax(b[2] + x, 0), sum);
  if (!(result.temperature > 0))
    return pc_fail(error, PC_ERROR_NUMERIC, "so much heat is taken that the temperature is %g K",
                   result.temperature);
  if (produced != NULL)
    *produced = c * log(result.temperature / before->temperature) + l / t0 * x;
  *after = result;
  return PC_OK;
}
