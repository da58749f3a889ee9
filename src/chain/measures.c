// Energy, dispersion, angles and consistencies of one impact of a chain.
#include "percuss/chain_bounds.h"

#include <math.h>

#include "chain/measures.h"
#include "core/elementary.h"
#include "core/error.h"

pc_status pc_chain_check(size_t n, const double *mass, const double *velocity, pc_error *error)
{
  if (n < 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a chain needs at least two balls (got %zu)", n);
  if (mass == NULL || velocity == NULL)
    return pc_fail_null(error, "masses and velocities of balls");
  for (size_t i = 0; i < n; i++) {
    if (!(mass[i] > 0) || !isfinite(mass[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "ball %zu: the mass must be positive and finite (got %g)", i + 1, mass[i]);
    if (!isfinite(velocity[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "ball %zu: the velocity must be finite", i + 1);
  }
  return PC_OK;
}

double pc_chain_dispersion(size_t n, const double *mass, const double *velocity)
{
  // Shares of the energy by their distance from 1/n: no cancellation where all are alike.
  double total = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    total += mass[i] * velocity[i] * velocity[i];
  if (!(total > 0))
    return NAN;
  for (size_t i = 0; i < n; i++) {
    double share = mass[i] * velocity[i] * velocity[i] / total - 1 / (double)n;
    sum += share * share;
  }
  return sqrt((double)n * sum);
}

void pc_chain_percussions(size_t n, const double *mass, const double *before, const double *after,
                          double *percussion)
{
  if (n < 2 || mass == NULL || before == NULL || after == NULL || percussion == NULL)
    return;
  // Summed from the nearer end, so that a light end does not get the errors of a heavy one.
  double left = 0, right = 0;
  size_t half = n / 2;
  for (size_t i = 0; i < half; i++)
    percussion[i] = left += mass[i] * (before[i] - after[i]);
  for (size_t i = n - 1; i > half; i--)
    percussion[i - 1] = right += mass[i] * (after[i] - before[i]);
}

void pc_chain_kinetic_angles(size_t n, const double *mass, double *angle)
{
  if (mass == NULL || angle == NULL)
    return;
  // cos = 1 / (sqrt(1 + m2/m1) sqrt(1 + m2/m3)); by its tangent, which is exact for small angles:
  // tan^2 = (1 + m2/m1)(1 + m2/m3) - 1.
  for (size_t i = 0; i + 2 < n; i++) {
    double left = mass[i + 1] / mass[i], right = mass[i + 1] / mass[i + 2];
    angle[i] = pc_atan(sqrt(left + right + left * right));
  }
}

static void angles(size_t n, const double *mass, pc_chain_measures *m)
{
  m->angle_min = m->angle_max = NAN;
  for (size_t i = 0; i + 2 < n; i++) {
    double angle = NAN;
    pc_chain_kinetic_angles(3, mass + i, &angle);
    m->angle_min = fmin(m->angle_min, angle);
    m->angle_max = fmax(m->angle_max, angle);
  }
}

static void percussions(size_t n, const double *mass, const double *before, const double *after,
                        const double *percussion, double slack, pc_chain_measures *m)
{
  // Without given percussions the sums of pc_chain_percussions, one after the other.
  double first = 0, last = 0, sum = 0;
  bool push = percussion != NULL || m->momentum_kept;
  for (size_t i = 0; i + 1 < n; i++) {
    sum += mass[i] * (before[i] - after[i]);
    double p = percussion != NULL ? percussion[i] : sum;
    push = push && p >= -slack;
    first = i == 0 ? p : first;
    last = p;
  }
  m->kinetic = push;
  if (percussion == NULL)
    last = mass[n - 1] * (after[n - 1] - before[n - 1]);
  m->percussion_ratio = first != 0 ? last / first : NAN;
}

static void motion(size_t n, const double *after, double slack, double forward,
                   pc_chain_measures *m)
{
  m->rebounds = 0;
  m->kinematic = true;
  for (size_t i = 0; i < n; i++) {
    m->rebounds += after[i] * forward < -slack;
    if (i + 1 < n && after[i + 1] - after[i] < -slack)
      m->kinematic = false;
  }
  m->pattern = forward == 0      ? PC_CHAIN_PATTERN_NONE
               : m->rebounds > 1 ? PC_CHAIN_PATTERN_III
               : m->rebounds > 0 ? PC_CHAIN_PATTERN_I
                                 : PC_CHAIN_PATTERN_II;
}

pc_status pc_chain_measure(size_t n, const double *mass, const double *before, const double *after,
                           const double *percussion, double tolerance, pc_chain_measures *m,
                           pc_error *error)
{
  if (m == NULL)
    return pc_fail_null(error, "the measures");
  pc_status status = pc_chain_check(n, mass, before, error);
  if (status == PC_OK)
    status = pc_chain_check(n, mass, after, error);
  if (status != PC_OK)
    return status;
  if (!(tolerance >= 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the tolerance must be 0 or more (got %g)", tolerance);

  *m = (pc_chain_measures){0};
  double speed = 0, strength = 0, total = 0;
  for (size_t i = 0; i < n; i++) {
    total += mass[i];
    m->kinetic_before += mass[i] * before[i] * before[i] / 2;
    m->kinetic_after += mass[i] * after[i] * after[i] / 2;
    m->momentum_before += mass[i] * before[i];
    m->momentum_after += mass[i] * after[i];
    speed = fmax(speed, fmax(fabs(before[i]), fabs(after[i])));
    strength = fmax(strength, mass[i] * fmax(fabs(before[i]), fabs(after[i])));
  }
  m->ker = m->kinetic_before > 0 ? m->kinetic_after / m->kinetic_before : NAN;
  m->ker_min = m->kinetic_before > 0
                   ? m->momentum_before * m->momentum_before / (2 * total * m->kinetic_before)
                   : NAN;
  m->cke = pc_chain_dispersion(n, mass, after);
  m->energetic = m->kinetic_after <= m->kinetic_before * (1 + tolerance);
  m->momentum_kept = fabs(m->momentum_after - m->momentum_before) <= tolerance * strength;
  double forward =
      fabs(m->momentum_before) > tolerance * strength ? copysign(1, m->momentum_before) : 0;
  angles(n, mass, m);
  percussions(n, mass, before, after, percussion, tolerance * strength, m);
  motion(n, after, tolerance * speed, forward, m);
  return PC_OK;
}
