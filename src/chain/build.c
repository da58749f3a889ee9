// Masses and contacts of a chain, and the wave that a long one carries.
#include <math.h>

#include "core/elementary.h"
#include "percuss/chain.h"

int pc_chain_contacts(const pc_chain *chain)
{
  if (chain == NULL || chain->balls < 1)
    return 0;
  return chain->balls - 1 + chain->wall_left + chain->wall_right;
}

double pc_chain_approach_at(const pc_chain *chain, const double *velocity, int contact)
{
  if (chain == NULL || velocity == NULL || contact < 0 || contact >= pc_chain_contacts(chain))
    return 0;
  int left = contact - chain->wall_left, right = left + 1;
  return (left >= 0 ? velocity[left] : 0) - (right < chain->balls ? velocity[right] : 0);
}

bool pc_chain_has_bounds(const pc_chain *chain)
{
  if (chain == NULL)
    return false;
  return !chain->wall_left && !chain->wall_right && chain->balls <= PC_CHAIN_MOST_BOUNDED;
}

pc_chain_contact pc_chain_contact_default(void)
{
  return (pc_chain_contact){.stiffness = 1, .restitution = 1};
}

double pc_chain_hertz_stiffness(double young, double poisson, double radius_1, double radius_2)
{
  // F = 4/3 Y* sqrt(R) delta^(3/2), Y* = Y / (2 (1 - nu^2)) for two of one material.
  double radius = 1 / (1 / radius_1 + 1 / radius_2);
  return 2 * young * sqrt(radius) / (3 * (1 - poisson * poisson));
}

void pc_chain_family_masses(pc_chain_family family, double factor, size_t n, double *mass)
{
  if (mass == NULL)
    return;
  for (size_t i = 0; i < n; i++)
    switch (family) {
    case PC_CHAIN_TAPERED:
      mass[i] = i == 0 ? 1 : mass[i - 1] * (1 - factor);
      break;
    case PC_CHAIN_ANTI_TAPERED:
      mass[i] = i == 0 ? 1 : mass[i - 1] * (1 + factor);
      break;
    case PC_CHAIN_DECORATED:
      mass[i] = i % 2 == 0 ? 1 : factor;
      break;
    }
}

double pc_chain_wave_speed(double mass, double stiffness, double diameter, double peak)
{
  double c = sqrt(stiffness * pc_pow(diameter, 2.5) / mass);
  return pc_pow(16.0 / 25, 0.2) * pc_pow(c, 0.8) * pc_pow(peak, 0.2);
}
