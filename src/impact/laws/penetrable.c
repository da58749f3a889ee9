// Phi = k0 np(X - D-/2) + k X^2 / 2, without non-penetration (book 2.8.3): a sheet of paper that
// stops what is slow and is pierced by what is fast. X - D-/2 = D+/2, so the kink is at D+ = 0.
#include <math.h>

#include "impact/laws/law.h"

static const char *check(const pc_normal_law *law)
{
  if (!(law->k >= 0 && isfinite(law->k)))
    return "k must be finite and not negative";
  return law->k0 >= 0 && isfinite(law->k0) ? NULL : "k0 must be finite and not negative";
}

static void scale(pc_row_law *law, const pc_normal_law *from, double stiffness, double s)
{
  law->k = stiffness * from->k / (s * s);
  law->k0 = stiffness * from->k0 / s;
}

static double value(const pc_row_law *law, double x)
{
  return law->k0 * fmax(-(x - 0.5 * law->before), 0) + 0.5 * law->k * x * x;
}

static double solve(const pc_row_law *law, double a, double c, double *slope)
{
  *slope = 0.5 * law->k;
  // P = k (d + before)/2 - (k0 if d < 0), d = c - a P
  double stiff = 1 + 0.5 * a * law->k;
  double d = (c - 0.5 * a * law->k * law->before) / stiff;
  if (d >= 0)
    return -0.5 * law->k * (d + law->before);
  d += a * law->k0 / stiff;
  if (d <= 0)
    return law->k0 - 0.5 * law->k * (d + law->before);
  *slope = INFINITY;
  return -c / a;
}

// Where the target d - map is on one side of the kink the law is linear there; else it is at 0.
static double map(const pc_row_law *law, double d, double r)
{
  double stiff = 1 + 0.5 * law->k, e = (r + 0.5 * law->k * (d + law->before)) / stiff;
  if (d - e >= 0)
    return e;
  e -= law->k0 / stiff;
  return d - e <= 0 ? e : d;
}

static double nearest(const pc_row_law *law, double x, double p, double noise)
{
  double z = x - 0.5 * law->before, high = law->k * x, low = high - law->k0;
  if (z > noise)
    return high;
  return z < -noise ? low : fmin(high, fmax(low, p));
}

static void form(const pc_row_law *law, pc_row_form *out)
{
  out->a = 0.5 * law->k;
  out->d0 = -law->before;
  if (law->k0 > 0)
    out->piece[out->pieces++] = (pc_piece){
        .alpha = 0, .beta = 1, .two_sided = true, .minus = {.linear = law->k0, .exponent = 2}};
}

const pc_row_ops pc_law_penetrable = {"penetrable", check, scale, value, solve, map, nearest, form};
