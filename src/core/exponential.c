#include "core/exponential.h"

#include <math.h>

// ln 2 = HIGH + LOW; HIGH has 32 bits, so that its multiples by exponents are exact.
static const double HIGH = 0x1.62e42feep-1, LOW = 0x1.a39ef35793c76p-33;
static const double HALF_ROOT = 0.70710678118654752;

// x = k ln 2 + r, |r| <= ln 2 / 2: returns e^r - 1.
static double reduce(double x, double *k)
{
  enum { TERMS = 15 };
  *k = rint(x / (HIGH + LOW));
  double high = x - *k * HIGH, low = *k * LOW, r = high - low;
  double lost = (high - r) - low; // of r
  double sum = 0;
  for (int n = TERMS; n > 2; n--) // r/3 + r^2/(3 4) + ...
    sum = (sum + 1) * r / n;
  return r + (r * r / 2 * (1 + sum) + lost * (1 + r));
}

double pc_exp(double x)
{
  if (isnan(x))
    return x;
  if (x > 710)
    return INFINITY;
  if (x < -746)
    return 0;
  double k, power = reduce(x, &k);
  return ldexp(1 + power, (int)k);
}

double pc_expm1(double x)
{
  if (isnan(x) || fabs(x) < 0x1p-54)
    return x;
  if (x > 710)
    return INFINITY;
  if (x < -40)
    return -1;
  double k, power = reduce(x, &k);
  if (k == 0)
    return power;
  double scale = ldexp(1, (int)k - 1); // half of it: 2^1024 is none
  return k < 54 ? 2 * (scale * power + (scale - 0.5)) : 2 * (scale * (power + 1)) - 1;
}

double pc_log1p(double x)
{
  enum { TERMS = 12 };
  if (!(x > -1) || isinf(x))
    return x == -1 ? -INFINITY : x > 0 ? x : NAN;
  if (fabs(x) < 0x1p-54)
    return x;
  // 1 + x = one + rest exactly
  double one = 1 + x, rest = x < 1 ? x - (one - 1) : 1 - (one - x);
  int k;
  double f = frexp(one, &k);
  if (f < HALF_ROOT)
    f *= 2, k--;
  rest = ldexp(rest, -k);
  // log(f + rest) = 2 artanh(s), s = (f + rest - 1) / (f + rest + 1)
  double above = k == 0 ? x : (f - 1) + rest; // f - 1 is exact
  double s = above / (2 + above), square = s * s, sum = 0;
  for (int n = TERMS; n > 0; n--)
    sum = square * (1. / (2 * n + 1) + sum);
  // 2 s = above - s above
  double tail = s * (2 * sum - above) + k * LOW;
  return k * HIGH + (above + tail);
}
