// The problem of the bounds in scaled form, and the parts of its search.
//
// Masses are scaled to sum 1 and velocities so that sum m v^2 = 1. With the mean velocity a and
// s^2 = 1 - a^2 the unknowns are y = (v - a) / s:
//
//     sum m y = 0,   sum m y^2 = 1,   y_1 <= ... <= y_n,
//     F(y) = sum m^2 (v^4 - a^4),     C_KE^2 = n (F + a^4 sum m^2) - 1.
//
// The least and the largest C_KE are the least of F and of -F: `sign` F.
#ifndef PERCUSS_CHAIN_BOUNDS_PRIVATE_H
#define PERCUSS_CHAIN_BOUNDS_PRIVATE_H

#include <stdbool.h>

#include "percuss/status.h"

typedef struct pc_spread {
  int n;
  const double *mass; // sum 1
  double a, s;
  double sign; // 1: the least, -1: the largest
} pc_spread;

// sign F.
double pc_spread_value(const pc_spread *p, const double *y);
// Centres and scales an ordered y so that both sums hold. False if it is constant.
bool pc_spread_restore(const pc_spread *p, double *y);
// Descends to a local minimum of sign F over the ordered y for which both sums hold; `y` is one of
// them. Returns sign F. `work` has room for 5 n numbers.
double pc_spread_descend(const pc_spread *p, double *y, double *work);

// Pricing: the least over ordered y within bounds of
//
//     sign F(y) + lambda (sum m y^2 - 1) + mu sum m y,   low <= y <= high, y ordered.
//
// For every lambda and mu this is a lower bound of sign F where both sums hold.
typedef struct pc_pricing pc_pricing;
pc_pricing *pc_pricing_create(void);
void pc_pricing_destroy(pc_pricing *pricing);
// The least value, minus its rounding error, and a y that attains it. -INFINITY if memory is out.
double pc_pricing_least(pc_pricing *pricing, const pc_spread *p, const double *low,
                        const double *high, double lambda, double mu, double *y);

// The largest lower bound over lambda and mu: cutting planes, each of them a priced y.
typedef struct pc_dual pc_dual;
pc_dual *pc_dual_create(int n);
void pc_dual_destroy(pc_dual *dual);
typedef struct pc_dual_answer {
  double bound;         // proven
  double multiplier[2]; // that prove it
  int count;            // up to 3 priced y and their weights: their mean is nearly feasible
  double weight[3];
  const double *y[3]; // belong to the dual, until it is asked again
} pc_dual_answer;
// Stops when the bound reaches `target` or no longer improves. `hints` are `count` ordered y, used
// if they are within the bounds.
pc_status pc_dual_solve(pc_dual *dual, const pc_spread *p, const double *low, const double *high,
                        double target, const double multiplier[2], const double *hints, int count,
                        pc_dual_answer *answer);

#endif
