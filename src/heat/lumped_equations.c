#include <math.h>

#include "core/elementary.h"
#include "heat/lumped.h"

// (e^u - 1) / u and its derivative, by series where the quotient would lose digits.
static double ratio(double u, double *slope)
{
  if (fabs(u) > 0.3) {
    double value = pc_expm1(u) / u;
    *slope = (pc_exp(u) - value) / u;
    return value;
  }
  double value = 1, term = 1;
  *slope = 0;
  for (int k = 1; k < 15; k++) {
    *slope += term * k / (k + 1); // k u^(k-1) / (k+1)!
    term *= u / (k + 1);
    value += term;
  }
  return value;
}

void pc_heat_set(pc_heat *heat, int body, double u)
{
  double before = heat->body[body].temperature;
  heat->u[body] = u;
  switch (heat->mode) {
  case PC_HEAT_CLOSED:
    heat->mean[body] = before * ratio(u, &heat->slope[body]);
    heat->slope[body] *= before;
    break;
  case PC_HEAT_ADIABATIC:
  case PC_HEAT_ISENTROPIC:
    heat->mean[body] = before * (1 + pc_expm1(u) / 2);
    heat->slope[body] = before * pc_exp(u) / 2;
    break;
  case PC_HEAT_LINEAR:
    heat->mean[body] = before * (1 + u / 2);
    heat->slope[body] = before / 2;
    break;
  case PC_HEAT_SMALL:
    heat->mean[body] = before;
    heat->slope[body] = 0;
    break;
  }
}

double pc_heat_weight(const pc_heat *heat, int body)
{
  return heat->mode >= PC_HEAT_LINEAR ? heat->body[body].temperature : heat->mean[body];
}

double pc_heat_difference(const pc_heat *heat, int k, int own, int other)
{
  return heat->part * heat->interaction[k].exchange * (heat->mean[other] - heat->mean[own]);
}

pc_heat_flow pc_heat_flow_to(const pc_heat *heat, int k, int own, int other)
{
  double work = heat->part * heat->interaction[k].work;
  double exchange = heat->part * heat->interaction[k].exchange;
  bool linear = heat->mode >= PC_HEAT_LINEAR;
  double a = pc_heat_weight(heat, own);
  if (other < 0) {
    double s = work / a;
    return (pc_heat_flow){.entropy = s, .size = fabs(s), .by_own = linear ? 0 : -s / a};
  }
  double b = pc_heat_weight(heat, other), sum = a + b,
         flux = pc_heat_difference(heat, k, own, other), gap = 0;
  if (heat->mixed) {
    gap = flux;
    flux = heat->interaction[k].bodies[0] == own ? heat->flux[k] : -heat->flux[k];
    gap -= flux;
  }
  double s = (work + b * flux) / sum, by = b / sum;
  double size = fabs(work) / sum + by * (heat->mixed ? fabs(flux) : exchange * sum);
  return (pc_heat_flow){.entropy = s,
                        .size = size,
                        .by_own = -exchange * by - (linear ? 0 : s / sum),
                        .by_other = exchange * by + (linear ? 0 : (flux - s) / sum),
                        .gap = gap,
                        .by_flux = by};
}

double pc_heat_balance(const pc_heat *heat, int body, double *size, double *slope)
{
  const pc_heat_body *b = &heat->body[body];
  double u = heat->u[body], g = u, rate = 1;
  if (heat->mode == PC_HEAT_ADIABATIC) {                    // [T] / t
    double grown = pc_expm1(u), half = grown / (grown + 2); // tanh(u / 2)
    g = 2 * half;
    rate = (1 - half) * (1 + half);
  }
  double f = b->capacity * g;
  *size = fabs(f);
  *slope = b->capacity * rate;
  for (int e = heat->first[body]; e < heat->first[body + 1]; e++) {
    pc_heat_flow flow = pc_heat_flow_to(heat, heat->end[e].interaction, body, heat->end[e].other);
    f -= flow.entropy;
    *size += flow.size;
    *slope -= flow.by_own * heat->slope[body];
  }
  if (b->exchange > 0) {
    double t = pc_heat_weight(heat, body);
    bool linear = heat->mode >= PC_HEAT_LINEAR;
    double exchange = heat->part * b->exchange;
    f -= exchange * (b->outside - heat->mean[body]) / t;
    *size += exchange * (b->outside + heat->mean[body]) / t;
    *slope += exchange * (linear ? 1 / t : b->outside / (t * t)) * heat->slope[body];
  }
  return f;
}
