// Sines, cosines and their inverses.
#include "core/elementary.h"

#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"

static const pc_pair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                     PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// pi/2 in four parts, the first two of 33 bits, so that their multiples up to 2^20 are exact.
static const double PART_1 = 0x1.921fb544p+0, PART_2 = 0x1.0b4611a6p-34,
                    PART_3 = 0x1.3198a2e037073p-69, PART_4 = 0x1.129024e088a68p-123;

// The first bits of 2/pi, 32 a number.
static const uint32_t TWO_OVER_PI[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// 32 bits of 2/pi, the first of which is worth 2^-(from + 1). There are none before the point.
static uint32_t bits_from(int from)
{
  if (from <= -32)
    return 0;
  if (from < 0)
    return TWO_OVER_PI[0] >> -from;
  int word = from / 32, shift = from % 32;
  uint64_t two = ((uint64_t)TWO_OVER_PI[word] << 32) | TWO_OVER_PI[word + 1];
  return (uint32_t)(two >> (32 - shift));
}

// |x| 2/pi = quarter turns + part, for large x = m 2^e with an integer m of 53 bits. Bits of 2/pi
// that give multiples of 4 with it are left out, and of the product the rest is kept in 192 bits,
// two of them before the point.
static int reduce_large(double x, pc_pair *angle)
{
  enum { WORDS = 6 };
  int e;
  uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &e), 53), factor[2] = {m & 0xffffffffu, m >> 32};
  uint32_t product[WORDS] = {0}; // the last word is the least
  e -= 53;
  for (int f = 0; f < 2; f++) {
    uint64_t carry = 0;
    for (int w = WORDS - 1 - f; w >= 0; w--) {
      // Word w + f of the window times factor f is of word w.
      carry += product[w] + factor[f] * bits_from(e - 2 + 32 * (w + f));
      product[w] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  int quarter = (int)(product[0] >> 30);
  // As a fraction with a sign: from -1/2 to 1/2.
  int32_t first = (int32_t)((product[0] & 0x3fffffffu) << 2 | product[1] >> 30);
  pc_pair part = {ldexp(first, -32), 0};
  quarter += first < 0;
  for (int w = 1; w < WORDS; w++) {
    uint32_t next = product[w] << 2 | (w + 1 < WORDS ? product[w + 1] >> 30 : 0);
    part = pc_pair_add(part, (pc_pair){ldexp(next, -32 * (w + 1)), 0});
  }
  *angle = pc_pair_multiply(part, HALF_PI);
  return quarter & 3;
}

// x = n pi/2 + angle, |angle| <= pi/4 (a little more by round-off): returns n modulo 4.
static int reduce(double x, pc_pair *angle)
{
  *angle = (pc_pair){x, 0};
  if (fabs(x) <= PI.high / 4)
    return 0;
  if (fabs(x) >= 0x1p20) {
    int n = reduce_large(x, angle);
    if (x < 0)
      *angle = (pc_pair){-angle->high, -angle->low};
    return x < 0 ? -n & 3 : n;
  }
  double n = rint(x / HALF_PI.high);
  pc_pair third = pc_pair_product(-n, PART_3);
  third.low -= n * PART_4;
  *angle = pc_pair_add(pc_pair_sum(x - n * PART_1, -n * PART_2), third);
  return (int)n & 3;
}

static double sine(pc_pair x)
{
  double square = x.high * x.high, sum = 0;
  static const double over[] = {
      -1. / 6,        1. / 120,         -1. / 5040,           1. / 362880,
      -1. / 39916800, 1. / 6227020800., -1. / 1307674368000., 1. / 355687428096000.};
  for (int n = sizeof over / sizeof *over - 1; n >= 0; n--)
    sum = square * (over[n] + sum);
  return x.high + (x.high * sum + x.low * (1 - square / 2));
}

static double cosine(pc_pair x)
{
  double square = x.high * x.high, half = square / 2, sum = 0, most = 1 - half;
  static const double over[] = {
      1. / 24,         -1. / 720,          1. / 40320,           -1. / 3628800,
      1. / 479001600., -1. / 87178291200., 1. / 20922789888000., -1. / 6402373705728000.};
  for (int n = sizeof over / sizeof *over - 1; n >= 0; n--)
    sum = square * (over[n] + sum);
  return most + (((1 - most) - half) + (square * sum - x.high * x.low));
}

double pc_sin(double x)
{
  pc_pair angle;
  if (isnan(x) || isinf(x))
    return NAN;
  if (fabs(x) < 0x1p-30)
    return x;
  int n = reduce(x, &angle);
  double size = n & 1 ? cosine(angle) : sine(angle);
  return n & 2 ? -size : size;
}

double pc_cos(double x)
{
  pc_pair angle;
  if (isnan(x) || isinf(x))
    return NAN;
  int n = reduce(x, &angle);
  double size = n & 1 ? sine(angle) : cosine(angle);
  return (n + 1) & 2 ? -size : size;
}

double pc_tan(double x)
{
  pc_pair angle;
  if (isnan(x) || isinf(x))
    return NAN;
  if (fabs(x) < 0x1p-30)
    return x;
  int n = reduce(x, &angle);
  return n & 1 ? -cosine(angle) / sine(angle) : sine(angle) / cosine(angle);
}

// The angle whose tangent is the sum of a pair from 0 to 1.
static pc_pair arc(pc_pair q)
{
  static const pc_pair base[] = {{0, 0},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
  enum { TERMS = 17 };
  int which = q.high < 0.3 ? 0 : q.high < 0.75 ? 1 : 2;
  double c = 0.5 * which;
  // atan(q) = atan(c) + atan((q - c) / (1 + q c)), where q - c is exact
  double t = which == 0 ? q.high : (q.high - c) / (1 + q.high * c), square = t * t, sum = 0;
  for (int n = TERMS; n > 0; n--)
    sum = square * ((n % 2 ? -1. : 1.) / (2 * n + 1) + sum);
  double low = t * sum + q.low / (1 + q.high * q.high) + base[which].low;
  pc_pair angle = pc_pair_sum(base[which].high, t);
  return pc_pair_sum_sorted(angle.high, angle.low + low);
}

static pc_pair less(pc_pair a, pc_pair b)
{
  return pc_pair_add(a, (pc_pair){-b.high, -b.low});
}

// y/x <= 1 of numbers that are not negative, with what division loses.
static pc_pair ratio(double y, double x)
{
  int e;
  frexp(x, &e);
  y = ldexp(y, -e);
  x = ldexp(x, -e);
  double first = y / x;
  if (first < 0x1p-900)
    return (pc_pair){first, 0};
  pc_pair back = pc_pair_product(first, x);
  return (pc_pair){first, ((y - back.high) - back.low) / x};
}

double pc_atan2(double y, double x)
{
  if (isnan(x) || isnan(y))
    return NAN;
  double up = fabs(y), over = fabs(x);
  if (isinf(up) && isinf(over))
    up = over = 1;
  pc_pair angle = {0, 0};
  if (up > over)
    angle = less(HALF_PI, isinf(up) ? (pc_pair){0, 0} : arc(ratio(over, up)));
  else if (up > 0 && !isinf(over))
    angle = arc(ratio(up, over));
  if (signbit(x))
    angle = less(PI, angle);
  return copysign(angle.high, y);
}

double pc_atan(double x)
{
  return pc_atan2(x, 1);
}

double pc_asin(double x)
{
  return pc_atan2(x, sqrt((1 - x) * (1 + x)));
}

double pc_acos(double x)
{
  return pc_atan2(sqrt((1 - x) * (1 + x)), x);
}
