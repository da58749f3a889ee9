// Exponentials, logarithms, powers and roots. The angles are in elementary_angles.c.
#include "core/elementary.h"

#include <stdbool.h>

#include "core/pair.h"

// ln 2 = LN2 + LOW + LOWEST; LN2 has 32 bits, so that its multiples by exponents are exact.
static const double LN2 = 0x1.62e42feep-1, LOW = 0x1.a39ef35793c76p-33,
                    LOWEST = 0x1.cc01f97b57a08p-87;
static const double HALF_ROOT = 0.70710678118654752;

// x = k ln 2 + r, |r| <= ln 2 / 2: returns e^r - 1.
static double reduce(double x, double *k)
{
  *k = rint(x / (LN2 + LOW));
  double high = x - *k * LN2, low = *k * LOW, r = high - low;
  double lost = (high - r) - low; // of r
  // r^3/3! + ... + r^14/14!, in three groups that a processor evaluates side by side
  double square = r * r, fourth = square * square;
  double first = (1. / 6 + r / 24) + square * (1. / 120 + r / 720);
  double second = (1. / 5040 + r / 40320) + square * (1. / 362880 + r / 3628800);
  double third = (1. / 39916800 + r / 479001600) + square * (1. / 6227020800. + r / 87178291200.);
  double sum = first + fourth * (second + fourth * third);
  return r + ((square * 0.5 + square * r * sum) + lost * (1 + r));
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

double pc_cosh(double x)
{
  double k, power, size = fabs(x);
  if (!(size <= 711))
    return isnan(x) ? x : INFINITY;
  if (size < 40) {
    double e = pc_exp(size);
    return 0.5 * e + 0.5 / e;
  }
  power = reduce(size, &k);
  return ldexp(1 + power, (int)k - 1);
}

double pc_tanh(double x)
{
  if (fabs(x) > 20)
    return copysign(1, x);
  double e = pc_expm1(2 * fabs(x));
  return isnan(x) ? x : copysign(e / (e + 2), x);
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
  return k * LN2 + (above + tail);
}

double pc_atanh(double x)
{
  double size = fabs(x);
  return copysign(0.5 * pc_log1p(2 * size / (1 - size)), x);
}

// coefficient[0] + x (coefficient[1] + ... + x last)
static pc_pair horner(const pc_pair *coefficient, int count, pc_pair x, double last)
{
  pc_pair sum = {last, 0};
  for (int n = count - 1; n >= 0; n--)
    sum = pc_pair_add(coefficient[n], pc_pair_multiply(x, sum));
  return sum;
}

// log(m), m in [root(1/2), root(2)), of x = m 2^k > 0, relative error 2^-75.
static pc_pair log_of_part(double x, int *k)
{
  static const pc_pair odd[] = {{1, 0},
                                {0x1.5555555555555p-2, 0x1.5555555555555p-56},
                                {0x1.999999999999ap-3, -0x1.999999999999ap-57},
                                {0x1.2492492492492p-3, 0x1.2492492492492p-57},
                                {0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58}};
  enum { FIRST = 11, LAST = 33 };
  double m = frexp(x, k);
  if (m < HALF_ROOT)
    m *= 2, --*k;
  // 2 artanh(s) = 2 s (1 + s^2/3 + s^4/5 + ...)
  pc_pair s = pc_pair_divide((pc_pair){m - 1, 0}, pc_pair_sum(m, 1)),
          square = pc_pair_multiply(s, s);
  double last = 0;
  for (int n = LAST; n >= FIRST; n -= 2)
    last = 1. / n + square.high * last;
  pc_pair log = pc_pair_multiply(s, horner(odd, sizeof odd / sizeof *odd, square, last));
  return (pc_pair){2 * log.high, 2 * log.low};
}

static pc_pair log_pair(double x)
{
  int k;
  pc_pair part = log_of_part(x, &k), low = pc_pair_product(k, LOW);
  low.low += k * LOWEST;
  return pc_pair_add(pc_pair_add((pc_pair){k * LN2, 0}, low), part);
}

static bool has_no_log(double x, double *answer)
{
  bool special = !(x > 0) || isinf(x);
  if (special)
    *answer = x == 0 ? -INFINITY : x > 0 ? x : NAN;
  return special;
}

double pc_log(double x)
{
  double answer;
  return has_no_log(x, &answer) ? answer : log_pair(x).high;
}

double pc_log10(double x)
{
  static const pc_pair one_over_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  double answer;
  return has_no_log(x, &answer) ? answer : pc_pair_multiply(log_pair(x), one_over_ln10).high;
}

double pc_log2(double x)
{
  static const pc_pair one_over_ln2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  double answer;
  if (has_no_log(x, &answer))
    return answer;
  int k;
  pc_pair part = pc_pair_multiply(log_of_part(x, &k), one_over_ln2);
  return pc_pair_add((pc_pair){k, 0}, part).high;
}

// e^x, |x| < 750, relative error 2^-70, for which the low part counts.
static double exp_of_pair(pc_pair x)
{
  static const pc_pair factorial[] = {{1, 0},
                                      {1, 0},
                                      {0.5, 0},
                                      {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                      {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                      {0x1.1111111111111p-7, 0x1.1111111111111p-63}};
  enum { LAST = 19, FIRST = 7 };
  double k = rint(x.high / (LN2 + LOW));
  pc_pair low = pc_pair_product(-k, LOW);
  low.low -= k * LOWEST;
  pc_pair r = pc_pair_add(pc_pair_add(pc_pair_sum(x.high, -k * LN2), low), (pc_pair){x.low, 0});
  double last = 1;
  for (int n = LAST; n >= FIRST; n--)
    last = 1 + r.high * last / n;
  pc_pair sum = horner(factorial, sizeof factorial / sizeof *factorial, r, last / 720);
  return ldexp(sum.high, (int)k);
}

static bool is_odd(double y)
{
  return fabs(y) < 0x1p53 && fabs(fmod(y, 2)) == 1;
}

double pc_pow(double x, double y)
{
  if (y == 0 || x == 1)
    return 1;
  if (isnan(x) || isnan(y))
    return NAN;
  double size = fabs(x), sign = x < 0 || (x == 0 && signbit(x)) ? (is_odd(y) ? -1 : 1) : 1;
  if (size == 1 && isinf(y))
    return 1;
  if (x < 0 && !isinf(x) && y != floor(y))
    return NAN;
  if (size == 1)
    return sign;
  bool grows = (size > 1) == (y > 0);
  // 2^70 of the least logarithm that is not 0 is far beyond the largest exponent.
  if (size == 0 || isinf(size) || fabs(y) > 0x1p70)
    return sign * (grows ? INFINITY : 0);
  pc_pair log = log_pair(size), product = pc_pair_product(y, log.high);
  product = pc_pair_sum_sorted(product.high, product.low + y * log.low);
  if (fabs(product.high) > 750)
    return sign * (grows ? INFINITY : 0);
  return sign * exp_of_pair(product);
}

double pc_cbrt(double x)
{
  int e;
  if (x == 0 || isnan(x) || isinf(x))
    return x;
  double m = frexp(fabs(x), &e);
  int over = ((e % 3) + 3) % 3;
  m = ldexp(m, over - 3); // in [1/16, 1/2)
  double root = pc_exp(pc_log(m) / 3);
  pc_pair cube = pc_pair_multiply(pc_pair_product(root, root), (pc_pair){root, 0});
  double rest = (m - cube.high) - cube.low;
  root += rest / (3 * root * root); // one step of Newton's method
  return copysign(ldexp(root, (e - over) / 3 + 1), x);
}

double pc_hypot_scaled(double x, double y)
{
  if (isinf(x) || isinf(y))
    return INFINITY;
  double most = fmax(fabs(x), fabs(y));
  if (!(most > 0) || isnan(x) || isnan(y))
    return fabs(x) + fabs(y);
  int e;
  frexp(most, &e);
  x = ldexp(x, -e);
  y = ldexp(y, -e);
  return ldexp(sqrt(x * x + y * y), e);
}
