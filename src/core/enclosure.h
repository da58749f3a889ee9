// Arithmetic with intervals that certainly contain the exact result: every operation rounds its
// ends outwards by more than its own round-off. Numbers must be finite.
#ifndef PERCUSS_CORE_ENCLOSURE_H
#define PERCUSS_CORE_ENCLOSURE_H

#include <float.h>
#include <math.h>

#include "percuss/convex.h"

static inline double pc_round_down(double x)
{
  return x - (fabs(x) * DBL_EPSILON + DBL_TRUE_MIN);
}

static inline double pc_round_up(double x)
{
  return x + (fabs(x) * DBL_EPSILON + DBL_TRUE_MIN);
}

static inline pc_interval pc_exactly(double x)
{
  return (pc_interval){x, x};
}

static inline pc_interval pc_enclose_sum(pc_interval a, pc_interval b)
{
  return (pc_interval){pc_round_down(a.low + b.low), pc_round_up(a.high + b.high)};
}

static inline pc_interval pc_enclose_difference(pc_interval a, pc_interval b)
{
  return (pc_interval){pc_round_down(a.low - b.high), pc_round_up(a.high - b.low)};
}

// x a
static inline pc_interval pc_enclose_multiple(double x, pc_interval a)
{
  double p = x * a.low, q = x * a.high;
  return (pc_interval){pc_round_down(fmin(p, q)), pc_round_up(fmax(p, q))};
}

static inline pc_interval pc_enclose_product(pc_interval a, pc_interval b)
{
  double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return (pc_interval){pc_round_down(fmin(fmin(p, q), fmin(r, s))),
                       pc_round_up(fmax(fmax(p, q), fmax(r, s)))};
}

// a / b, where b > 0
static inline pc_interval pc_enclose_quotient(pc_interval a, pc_interval b)
{
  return (pc_interval){pc_round_down(a.low / (a.low < 0 ? b.low : b.high)),
                       pc_round_up(a.high / (a.high < 0 ? b.high : b.low))};
}

// |a|
static inline pc_interval pc_enclose_size(pc_interval a)
{
  double low = fmax(a.low, -a.high);
  return (pc_interval){fmax(low, 0), fmax(-a.low, a.high)};
}

static inline pc_interval pc_enclose_square(pc_interval a)
{
  pc_interval size = pc_enclose_size(a);
  return (pc_interval){fmax(0, pc_round_down(size.low * size.low)),
                       pc_round_up(size.high * size.high)};
}

// The root of the part of `a` that is not negative.
static inline pc_interval pc_enclose_root(pc_interval a)
{
  return (pc_interval){fmax(0, pc_round_down(sqrt(fmax(a.low, 0)))),
                       pc_round_up(sqrt(fmax(a.high, 0)))};
}

#endif
