// Phases at a point.
//
// Liquid and solid: eliminating T+ leaves a strictly convex function of x = [b],
//
//     (resist + L^2 / (C T0)) x^2 / 2 - (L / T0) (T- + heat / C - T0) x      on -b- <= x <= 1 - b-
//
// whose minimum is a quotient, limited to the interval. Melting and freezing have the same formula.
#include <math.h>
#include <stddef.h>

#include "core/elementary.h"
#include "core/error.h"
#include "percuss/convex.h"
#include "percuss/heat.h"

// Numbers of a law, T- and the heat received: positive and finite where they must be.
static pc_status check(const pc_phase_law *law, double temperature, double heat, pc_error *error)
{
  if (!(law->capacity > 0 && isfinite(law->capacity)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the heat capacity must be positive (got %g)",
                   law->capacity);
  if (!(law->latent > 0 && isfinite(law->latent)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the latent heat must be positive (got %g)",
                   law->latent);
  if (!(law->change > 0 && isfinite(law->change)))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the phase-change temperature must be positive (got %g K)", law->change);
  if (!(law->resist >= 0 && isfinite(law->resist)))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the resistance to the phase change must be 0 or more (got %g)", law->resist);
  if (!(temperature > 0 && isfinite(temperature)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the temperature must be positive (got %g K)",
                   temperature);
  if (!isfinite(heat))
    return pc_fail(error, PC_ERROR_ARGUMENT, "heat %g", heat);
  return PC_OK;
}

// The entropy produced when the fraction that takes the latent heat grew by x. An error if T+ is
// not above 0.
static pc_status finish(const pc_phase_law *law, double capacity, double x, double before,
                        double after, double *produced, pc_error *error)
{
  if (!(after > 0))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "too much heat is removed: the temperature would be %g K", after);
  if (produced != NULL)
    *produced = capacity * pc_log1p((after - before) / before) + law->latent / law->change * x;
  return PC_OK;
}

double pc_phase_liquid(const pc_phase_law *law, double before, double temperature)
{
  if (law == NULL)
    return NAN;
  double force = law->latent * (temperature - law->change) / law->change;
  if (force == 0)
    return before;
  double after = before + force / law->resist; // without resistance: infinite
  return fmin(fmax(after, 0), 1);
}

pc_status pc_phase_collide(const pc_phase_law *law, const pc_phase_state *before, double heat,
                           pc_phase_state *after, double *produced, pc_error *error)
{
  if (law == NULL || before == NULL || after == NULL)
    return pc_fail_null(error, "the law and the states before and after");
  pc_status status = check(law, before->temperature, heat, error);
  if (status != PC_OK)
    return status;
  if (!(before->liquid >= 0 && before->liquid <= 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the liquid fraction must be from 0 to 1 (got %g)",
                   before->liquid);
  double l = law->latent, c = law->capacity, t0 = law->change;
  double force = l / t0 * (before->temperature - t0 + heat / c);
  double x = force / (law->resist + l * l / (c * t0));
  pc_phase_state result;
  if (x <= -before->liquid || x >= 1 - before->liquid) {
    result.liquid = x <= -before->liquid ? 0 : 1;
    x = result.liquid - before->liquid;
    result.temperature = before->temperature + (heat - l * x) / c;
  } else {
    result.liquid = before->liquid + x;
    result.temperature = t0 * (1 + law->resist * x / l);
  }
  status = finish(law, c, x, before->temperature, result.temperature, produced, error);
  if (status == PC_OK)
    *after = result;
  return status;
}

void pc_alloy_fractions(const pc_phase_law *law, const double before[3], double temperature,
                        const double drive[3], double after[3])
{
  if (law == NULL || before == NULL || after == NULL)
    return;
  double force[3] = {0, 0, law->latent * (temperature - law->change) / law->change},
         most = -HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    force[i] += drive != NULL ? drive[i] : 0;
    most = fmax(most, force[i]);
  }
  // Only differences of forces matter. At -4 nothing is left of a fraction: without resistance the
  // strongest force takes everything.
  double scratch[3], sum = before[0] + before[1] + before[2]; // `after` may be `before`
  for (int i = 0; i < 3; i++)
    after[i] = force[i] < most ? fmax(before[i] + (force[i] - most) / law->resist, -4) : before[i];
  pc_project_simplex(3, sum, after, scratch);
}

// Martensites and austenite.
//
// Of the fractions with austenite b3 = b3- + x and the same sum, the nearest to those before takes
// x/2 from each martensite, until the smaller of them, m, is used up (x = 2m) and the other gives
// the rest. The slope of half the squared distance is therefore
//
//     q(x) = 3x/2 for x <= 2m,  2x - m beyond,
//
// and eliminating T+ and the martensites leaves  resist q(x) + L^2 / (S C T0) x = force  on
// -b3- <= x <= S - b3-: two straight pieces and two ends.
pc_status pc_alloy_collide(const pc_phase_law *law, const pc_alloy_state *before, double heat,
                           pc_alloy_state *after, double *produced, pc_error *error)
{
  if (law == NULL || before == NULL || after == NULL)
    return pc_fail_null(error, "the law and the states before and after");
  pc_status status = check(law, before->temperature, heat, error);
  if (status != PC_OK)
    return status;
  const double *b = before->fraction;
  double sum = b[0] + b[1] + b[2];
  if (!(b[0] >= 0 && b[1] >= 0 && b[2] >= 0 && sum <= 1 + 1e-12))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the fractions must be 0 or more with a sum of at most 1 (got %g, %g, %g)", b[0],
                   b[1], b[2]);
  if (sum == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "all fractions are 0; at least one must be positive");

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
  status = finish(law, c, x, before->temperature, result.temperature, produced, error);
  if (status == PC_OK)
    *after = result;
  return status;
}
