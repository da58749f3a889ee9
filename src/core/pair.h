// Numbers of twice the digits: high + low, where low is at most half a unit in the last place of
// high.
#ifndef PERCUSS_CORE_PAIR_H
#define PERCUSS_CORE_PAIR_H

typedef struct pc_pair {
  double high, low;
} pc_pair;

// a + b exactly, if |a| >= |b| or a = 0.
static inline pc_pair pc_pair_sum_sorted(double a, double b)
{
  double high = a + b;
  return (pc_pair){high, b - (high - a)};
}

// a + b exactly.
static inline pc_pair pc_pair_sum(double a, double b)
{
  double high = a + b, of_b = high - a;
  return (pc_pair){high, (a - (high - of_b)) + (b - of_b)};
}

// a b exactly, unless a or b is above 2^995 or the product so small that digits are lost.
static inline pc_pair pc_pair_product(double a, double b)
{
  const double split = 0x1p27 + 1;
  double p = split * a, a1 = p - (p - a), a2 = a - a1;
  double q = split * b, b1 = q - (q - b), b2 = b - b1;
  double high = a * b;
  return (pc_pair){high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline pc_pair pc_pair_add(pc_pair a, pc_pair b)
{
  pc_pair high = pc_pair_sum(a.high, b.high), low = pc_pair_sum(a.low, b.low);
  high = pc_pair_sum_sorted(high.high, high.low + low.high);
  return pc_pair_sum_sorted(high.high, high.low + low.low);
}

static inline pc_pair pc_pair_multiply(pc_pair a, pc_pair b)
{
  pc_pair p = pc_pair_product(a.high, b.high);
  return pc_pair_sum_sorted(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static inline pc_pair pc_pair_divide(pc_pair a, pc_pair b)
{
  double first = a.high / b.high;
  pc_pair p = pc_pair_product(first, b.high);
  double rest = ((a.high - p.high) - p.low) + a.low - first * b.low;
  return pc_pair_sum_sorted(first, rest / b.high);
}

#endif
