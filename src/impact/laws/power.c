// Phi = (k/p) |X|^p, p > 1 (seed 003, 2.17): P = k X |X|^(p-2). p < 2 crushes (no rebound at high
// speed), p > 2 adheres (no rebound at low speed).
#include <math.h>

#include "core/elementary.h"
#include "impact/laws/law.h"
#include "percuss/convex.h"

static const char *check(const pc_normal_law *law)
{
  if (!(law->k >= 0 && isfinite(law->k)))
    return "k must be finite and not negative";
  return law->p > 1 && isfinite(law->p) ? NULL : "p must be greater than 1";
}

static void scale(pc_row_law *law, const pc_normal_law *from, double stiffness, double s)
{
  // Above 2 the law is softer near rest: more is needed to the same end.
  double factor = from->p > 2 ? pc_pow(stiffness, from->p - 1) : stiffness;
  law->p = from->p;
  law->k = from->k * factor * pc_pow(s, -from->p);
}

static double value(const pc_row_law *law, double x)
{
  return law->k / law->p * pc_pow(fabs(x), law->p);
}

// 2 X + a k X |X|^(p-2) = c + before: X is the proximal map of |X|^p/p at (c + before)/2.
static double solve(const pc_row_law *law, double a, double c, double *slope)
{
  double h = c + law->before, target = fabs(h), ak = a * law->k, q = law->p - 1;
  double x =
      ak > 0 ? pc_convex_prox(pc_convex_power(1, law->p), 0.5 * ak, 0.5 * target) : 0.5 * target;
  *slope = x > 0 ? 0.5 * law->k * q * pc_pow(x, q - 1)
                 : (q < 1   ? INFINITY
                    : q > 1 ? 0
                            : 0.5 * law->k);
  // The percussion from the balance where it dominates, from the law where X does: both are exact,
  // each is accurate on its side.
  double p = ak * pc_pow(x, q) < x ? law->k * pc_pow(x, q) : (target - 2 * x) / a;
  return law->k > 0 ? -copysign(p, h) : 0;
}

static double nearest(const pc_row_law *law, double x, double p, double noise)
{
  (void)p, (void)noise;
  return copysign(law->k * pc_pow(fabs(x), law->p - 1), x);
}

static void form(const pc_row_law *law, pc_row_form *out)
{
  if (law->k <= 0)
    return;
  pc_piece_cost cost = {.power = 2 * law->k, .exponent = law->p};
  out->piece[out->pieces++] =
      (pc_piece){.alpha = -law->before, .beta = 2, .two_sided = true, .plus = cost, .minus = cost};
}

const pc_row_ops pc_law_power = {"power", check, scale, value, solve, NULL, nearest, form};
