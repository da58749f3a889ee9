// Liquid and solid at a point. Eliminating T+ leaves a strictly convex function of x = [b],
//
//     (resist + L^2 / (C T0)) x^2 / 2 - (L / T0) (T- + heat / C - T0) x      on -b- <= x <= 1 - b-
//
// whose minimum is a quotient, limited to the interval. Melting and freezing have the same formula.
#include <math.h>
#include <stddef.h>

#include "core/error.h"
#include "heat/phases.h"

pc_status pc_phase_check(const pc_phase_law *law, double temperature, double heat, pc_error *error)
{
  if (!(law->capacity > 0 && isfinite(law->capacity)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "capacity %g; it must be above 0", law->capacity);
  if (!(law->latent > 0 && isfinite(law->latent)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "latent heat %g; it must be above 0", law->latent);
  if (!(law->change > 0 && isfinite(law->change)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "phases change at %g K; it must be above 0",
                   law->change);
  if (!(law->resist >= 0 && isfinite(law->resist)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "resistance to change %g; it must be 0 or more",
                   law->resist);
  if (!(temperature > 0 && isfinite(temperature)))
    return pc_fail(error, PC_ERROR_ARGUMENT, "temperature %g K; it must be above 0", temperature);
  if (!isfinite(heat))
    return pc_fail(error, PC_ERROR_ARGUMENT, "heat %g", heat);
  return PC_OK;
}

double pc_phase_liquid(const pc_phase_law *law, double before, double temperature)
{
  double force = law->latent * (temperature - law->change) / law->change;
  if (force == 0)
    return before;
  double after = before + force / law->resist; // without resistance: infinite
  return fmin(fmax(after, 0), 1);
}

pc_status pc_phase_collide(const pc_phase_law *law, const pc_phase_state *before, double heat,
                           pc_phase_state *after, double *produced, pc_error *error)
{
  pc_status status = pc_phase_check(law, before->temperature, heat, error);
  if (status != PC_OK)
    return status;
  if (!(before->liquid >= 0 && before->liquid <= 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "fraction of liquid %g; it is between 0 and 1",
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
  if (!(result.temperature > 0))
    return pc_fail(error, PC_ERROR_NUMERIC, "so much heat is taken that the temperature is %g K",
                   result.temperature);
  if (produced != NULL)
    *produced = c * log(result.temperature / before->temperature) + l / t0 * x;
  *after = result;
  return PC_OK;
}
