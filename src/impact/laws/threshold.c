// Phi = k0 np(X + u_lim) + k np(X + u_lim)^2 / 2 (book 2.8.2): nothing is dissipated below u_lim.
// The gangsters' car on speed bumps.
#include <math.h>

#include "impact/laws/law.h"

static const char *check(const pc_normal_law *law)
{
  if (!(law->k >= 0 && isfinite(law->k)))
    return "k must be finite and not negative";
  if (!(law->k0 >= 0 && isfinite(law->k0)))
    return "k0 must be finite and not negative";
  return law->u_lim >= 0 && isfinite(law->u_lim) ? NULL : "u_lim must be finite and not negative";
}

static void scale(pc_row_law *law, const pc_normal_law *from, double stiffness, double s)
{
  law->k = stiffness * from->k / (s * s);
  law->k0 = stiffness * from->k0 / s;
  law->u_lim = from->u_lim * s;
}

static double value(const pc_row_law *law, double x)
{
  double n = fmax(-(x + law->u_lim), 0);
  return law->k0 * n + 0.5 * law->k * n * n;
}

static double solve(const pc_row_law *law, double a, double c, double *slope)
{
  double kink = -law->before - 2 * law->u_lim; // d where X + u_lim = 0
  if (c >= kink) {
    *slope = 0;
    return 0;
  }
  // Below the kink P = -k0 + k (d - kink)/2, d = c - a P.
  double r = (law->k0 + 0.5 * law->k * (kink - c)) / (1 + 0.5 * a * law->k);
  if (c + a * r < kink) {
    *slope = 0.5 * law->k;
    return r;
  }
  *slope = INFINITY;
  return (kink - c) / a;
}

static double map(const pc_row_law *law, double d, double r)
{
  double kink = -law->before - 2 * law->u_lim;
  if (d - r >= kink)
    return r;
  double e = (r - law->k0 + 0.5 * law->k * (d - kink)) / (1 + 0.5 * law->k);
  return d - e < kink ? e : d - kink;
}

static double nearest(const pc_row_law *law, double x, double p, double noise)
{
  double z = x + law->u_lim;
  if (z > noise)
    return 0;
  double low = -law->k0 + law->k * fmin(z, 0);
  return z < -noise ? low : fmin(0, fmax(low, p));
}

static void form(const pc_row_law *law, pc_row_form *out)
{
  if (law->k <= 0 && law->k0 <= 0)
    return;
  out->piece[out->pieces++] =
      (pc_piece){.alpha = -law->before - 2 * law->u_lim,
                 .beta = 2,
                 .two_sided = true,
                 .minus = {.linear = 2 * law->k0, .power = 2 * law->k, .exponent = 2}};
}

const pc_row_ops pc_law_threshold = {"threshold", check, scale, value, solve, map, nearest, form};
