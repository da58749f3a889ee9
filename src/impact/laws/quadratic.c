// Phi = k X^2 / 2: the linear law P = k X (book 2.8.1 and chapters 4 to 6).
#include <math.h>

#include "impact/laws/law.h"

static const char *check(const pc_normal_law *law)
{
  return law->k >= 0 && isfinite(law->k) ? NULL : "k must be finite and not negative";
}

static void scale(pc_row_law *law, const pc_normal_law *from, double stiffness, double s)
{
  law->k = stiffness * from->k / (s * s);
}

static double value(const pc_row_law *law, double x)
{
  return 0.5 * law->k * x * x;
}

// d = c - a P, P = k (d + before)/2
static double solve(const pc_row_law *law, double a, double c, double *slope)
{
  *slope = 0.5 * law->k;
  return -0.5 * law->k * (c + law->before) / (1 + 0.5 * a * law->k);
}

static double map(const pc_row_law *law, double d, double r)
{
  return (r + 0.5 * law->k * (d + law->before)) / (1 + 0.5 * law->k);
}

static double nearest(const pc_row_law *law, double x, double p, double noise)
{
  (void)p, (void)noise;
  return law->k * x;
}

static void form(const pc_row_law *law, pc_row_form *out)
{
  out->a = 0.5 * law->k;
  out->d0 = -law->before;
}

const pc_row_ops pc_law_quadratic = {"quadratic", check, scale, value, solve, map, nearest, form};
